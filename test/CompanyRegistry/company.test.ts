import fc from 'fast-check';
import { companyIn, suggestionsIn } from '../../nodes/CompanyRegistry/search';
import {
	CREDIT_FIELDS,
	DOSSIER_FIELDS,
	fieldIn,
	fieldsOf,
	idnoOf,
	isBranch,
	nameOf,
	readCompany,
	sentFields,
	simplify,
	unlessActive,
} from '../../nodes/CompanyRegistry/company';
import { linesOf } from '../pairs';
import type { Json } from '../../nodes/shared/http/json';

const company = { idno: '1003600015231', name: 'Vălmora SRL' };

const parts = { company, administrators: [{ name: 'Ion' }] };
const suggestion = { name: 'Vălmora' };

// How lists and records are found in a response: test/shared/http/envelope.test.ts.
it.each<[what: string, read: (body: unknown) => unknown, found: unknown, bodies: object[]]>([
	[
		'a company',
		companyIn,
		company,
		[
			{ data: company },
			{ company, at: 'now' },
			{ result: company },
			{ dossier: company },
			{ data: { company } },
			{ data: { dossier: company } },
			{ result: { dossier: company } },
		],
	],
	['a company in a list', companyIn, company, [{ total: 1, data: [company] }]],
	[
		'a company with a number as its IDNO',
		companyIn,
		company,
		[{ ...company, idno: +company.idno }],
	],
	['a company of several parts', companyIn, parts, [parts]],
	[
		'names',
		suggestionsIn,
		[suggestion],
		[{ data: ['Vălmora'] }, { suggestions: ['Vălmora'], filters: ['city'] }],
	],
	['suggestions', suggestionsIn, [suggestion], [{ data: { suggestions: [suggestion] } }]],
])('finds %s in a response (%p, %j, %j)', (_what, read, found, bodies) => {
	for (const body of bodies) expect(read({ success: true, ...body })).toEqual(found);
});

it('fails with "unexpected format" if a response has no single company or no suggestions', () => {
	expect(suggestionsIn(['Vălmora'])).toEqual([suggestion]);
	expect(() => companyIn({ data: [company, company] })).toThrow('unexpected format');
	expect(() => suggestionsIn({ data: 'none' })).toThrow('unexpected format');
});

it('reads IDNO and name from the documented fields or from fields with similar names', () => {
	expect(idnoOf({ code: '1008600038413', ...company })).toBe(company.idno);
	expect(idnoOf({ name: 'X', cod_fiscal: 1003600015231 })).toBe(company.idno);
	expect(idnoOf({ code: '1003600015231' })).toBeUndefined();
	expect(idnoOf({ updated: '1760000000000', phone: '0037369123456' })).toBeUndefined();
	expect(idnoOf({ idno: null, parent_idno: company.idno })).toBeUndefined();
	expect(idnoOf({ name: 'X' })).toBeUndefined();
	expect(nameOf({ denumire: 'Vălmora' })).toBe('Vălmora');
	expect(nameOf({ idno: company.idno })).toBeUndefined();
});

it.each(linesOf('names.txt', 'branches'))('takes "$left" for $right', ({ left, right }) => {
	expect(isBranch({ name: left })).toBe(right === 'a branch');
});

describe('the fields of a record', () => {
	const founders = [{ name: 'A', share: 1 }, { name: 'B' }];
	const fields = fieldsOf({
		scoring: { rating: null, model: { version: { minor: 2 } } },
		trade_credit_recommendation: null,
		founders,
		licenses: [],
	});

	it('a field that is null isn’t one that the record lacks, even in a group', () => {
		expect(fieldIn(fields, 'rating')).toBeNull();
		expect(fieldIn(fields, 'score')).toBeUndefined();
		expect(fieldIn(fields, 'recommended_limit_mdl')).toBeUndefined();
	});

	it('lists and deeply nested groups are kept as they are', () => {
		expect(fields.get('founders')).toBe(founders);
		expect(fields.get('founders_count')).toBe(2);
		expect(fields.get('licenses')).toEqual([]);
		expect(fields.get('scoring_model_version')).toEqual({ minor: 2 });
	});
});

describe('readCompany', () => {
	const read = {
		...{ idno: company.idno, name: company.name, legal_form: 'SRL' },
		...{ status: 'active', city: 'Orhei', region: 'Orhei', address: 'str. Morii 3' },
	};
	const { legal_form, ...rest } = read;
	const { idno, name, address, ...registry } = read;

	it.each<[string, Record<string, unknown>]>([
		['under their documented names', read],
		['in camel case', { ...rest, legalForm: legal_form }],
		['in capitals', Object.fromEntries(Object.entries(read).map(([k, v]) => [k.toUpperCase(), v]))],
		['with capital initials and spaces', { ...rest, ' Legal Form ': legal_form }],
		['with dashes', { ...rest, 'legal-form': legal_form }],
		['with dots', { ...rest, 'legal.form': legal_form }],
		['with several signs', { ...rest, 'Legal - Form': legal_form }],
		['in nested groups', { company: { idno, name }, registry, adresa: address }],
		['under "data"', { data: { general: read } }],
		['among the official data', { official_data: read, contacts: { city: 'Cahul' } }],
		['under a similar name if the documented one is empty', { ...read, name: '', denumire: name }],
		['in a group if the top level has null', { ...read, city: null, registry: { city: 'Orhei' } }],
	])('finds a company’s fields %s', (_how, record) => {
		expect(readCompany(record)).toEqual(read);
	});

	it('leaves out fields that the company doesn’t have', () => {
		const others = { parent: read, scoring: { status: 'final' } };
		expect(readCompany({ denumire: 'X', city: '', ...others })).toEqual({ name: 'X' });
	});

	it('keeps a long company name unchanged', () => {
		const long = 'Asociația '.repeat(50);
		expect(readCompany({ company: { name: long } }).name).toBe(long);
	});
});

const IDNO = '1003600015231';
const scoring = { rating: 'B', score: 71 };

describe('A simplified record', () => {
	it.each<[Json]>([
		[{ data: { general: { idno: IDNO, name: 'X' }, scoring } }],
		[{ cod_fiscal: Number(IDNO), denumire: 'X', creditworthiness: scoring }],
		[{ company: { idno: IDNO, companyName: 'X' }, creditScore: scoring }],
	])(
		'a simplified record has the documented fields of %j wherever they are, and null for the rest',
		(record) => {
			const none = Object.fromEntries(DOSSIER_FIELDS.map((name) => [name, null]));
			expect(simplify(record, DOSSIER_FIELDS)).toEqual({
				...none,
				idno: IDNO,
				name: 'X',
				...scoring,
			});
		},
	);

	it('a simplified recommendation begins with its documented fields, without groups, even a limit of 0', () => {
		const company = { idno: IDNO, name: 'X', status: 'active' };
		const risk = { ...scoring, insolvency_risk: 'low' };
		const terms = { recommended_payment_terms_days: 30, advisory_notes: 'None.' };
		const advice = { recommended_limit_mdl: 0, currency: 'MDL', ...terms };
		const record = { ...company, scoring: risk, trade_credit_recommendation: advice };
		expect(Object.entries(simplify({ ...record, credit_limit: 5 }, CREDIT_FIELDS))).toEqual(
			Object.entries({ ...company, ...risk, ...advice, credit_limit: 5 }),
		);
	});

	const founders = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => ({ name, share: 10 }));
	const years = [
		{ year: 2023, revenueMdl: 3 },
		{ year: '2024', revenueMdl: 4 },
		{ year: 2022, revenueMdl: 2 },
	];
	const factory = `${'x'.repeat(298)}${'🏭'.repeat(9)}`;

	it.each<[what: string, record: Json, simple: Json]>([
		[
			'prefers a nested value to a null at the top level',
			{ status: null, registry_data: { status: 'dissolved' } },
			{ status: 'dissolved' },
		],
		[
			'keeps a person’s name and a group’s status apart from the company’s',
			{ administrator: { name: 'Ion', idno: '2' }, scoring: { status: 'final' } },
			{ administrator_name: 'Ion', administrator_idno: '2', scoring_status: 'final' },
		],
		[
			'has the first five names of a list and the number of its entries',
			{ founders, licenses: [], phones: ['1', '2'], odd: [{}] },
			{
				...{ founders: 'A, B, C, D, E, …', founders_count: 6, licenses_count: 0 },
				...{ phones: '1, 2', phones_count: 2, odd_count: 1 },
			},
		],
		[
			'has the figures of the latest year, whatever the order of the years',
			{ financials: years },
			{
				...{ financials_count: 3, financials_latest_year: '2024' },
				financials_latest_revenue_mdl: 4,
			},
		],
		[
			'lists five entries without an ellipsis, even if they are numbers',
			{ five: [1, 2, 3, 4, 5] },
			{ five: '1, 2, 3, 4, 5', five_count: 5 },
		],
		[
			'has the first value if several groups have the same field',
			{ registry: { city: 'Cahul' }, general: { city: 'Orhei' } },
			{ city: 'Cahul' },
		],
		[
			'keeps the group of a group that is the company’s elsewhere',
			{ administrator: { registry: { since: 2020 } } },
			{ administrator_since: 2020 },
		],
		[
			'has no latest entry of a list without years',
			{
				reports: [
					{ period: 'Q1', revenueMdl: 1 },
					{ period: 'Q2', revenueMdl: 2 },
				],
			},
			{ reports_count: 2 },
		],
		['separates words after a digit', { revenue2024Mdl: 4 }, { revenue2024_mdl: 4 }],
		['never cuts a character in half', { notes: factory }, { notes: `${'x'.repeat(298)}…` }],
		[
			'counts the groups that are nested too deeply',
			{ a: { b: { c: { d: 1 }, e: 2 } } },
			{ a_b_e: 2, omitted_fields: 1 },
		],
	])('%s', (_what, record, simple) => {
		expect(simplify(record, [])).toEqual(simple);
	});

	it('a simplified record is flat and of limited size, and the original stays unchanged', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
				const before = JSON.stringify(record);
				const simple = simplify(record as Json, DOSSIER_FIELDS);
				for (const value of Object.values(simple))
					expect(typeof value === 'object').toBe(value === null);
				expect(Object.keys(simple)).toEqual(expect.arrayContaining(DOSSIER_FIELDS));
				expect(JSON.stringify(simple).length).toBeLessThan(12_000);
				expect(JSON.stringify(record)).toBe(before);
			}),
		);
	});
});

/** For each name, a record that has it and those after it, in reverse order. The values are the names. */
const recordsWith = (names: string) =>
	names.split(' ').map((first, index, all): [string, Json] => {
		const entries = all.slice(index).map((name) => [name, name] as const);
		return [first, Object.fromEntries(entries.reverse())];
	});

describe('Alternative names of a field, in any order', () => {
	it.each(recordsWith('name company_name full_name denumire title'))(
		'a company’s name is its "%s" rather than a field that says it less clearly',
		(first, record) => expect(nameOf(record)).toBe(first),
	);

	it.each(recordsWith('address legal_address full_address adresa sediu'))(
		'a company’s address is its "%s" rather than a field that says it less clearly',
		(first, record) => expect(readCompany(record).address).toBe(first),
	);

	it('a company’s IDNO is its "idno", then its "fiscal_code", then its "cod_fiscal"', () => {
		const [cod_fiscal, fiscal_code, idno] = ['1002600005897', '1008600038413', IDNO];
		expect(idnoOf({ cod_fiscal, fiscal_code, idno })).toBe(idno);
		expect(idnoOf({ cod_fiscal, fiscal_code })).toBe(fiscal_code);
		expect(idnoOf({ cod_fiscal })).toBe(cod_fiscal);
	});

	it.each(
		recordsWith(
			'recommended_limit_mdl credit_limit_mdl credit_limit credit_ceiling commercial_credit_ceiling',
		),
	)(
		'the recommended limit is the "%s" rather than a field that says it less clearly',
		(first, record) => {
			expect(simplify(record, CREDIT_FIELDS).recommended_limit_mdl).toBe(first);
		},
	);

	it.each(recordsWith('scoring trade_credit_recommendation credit credit_score creditworthiness'))(
		'the rating is that in "%s" rather than in a group that says it less clearly',
		(first, record) => {
			const groups = Object.entries(record).map(([name, rating]) => [name, { rating }]);
			expect(simplify(Object.fromEntries(groups) as Json, CREDIT_FIELDS).rating).toBe(first);
		},
	);

	it.each(recordsWith('name full_name denumire title activity type number'))(
		'an entry of a list is shown by its "%s" rather than a field that says less',
		(first, record) => expect(simplify({ list: [record] }, []).list).toBe(first),
	);

	it.each(recordsWith('year an fiscal_year period date'))(
		'the latest entry of a list is the one with the latest "%s", even if less clear fields say otherwise',
		(first, record) => {
			const later = { ...record, ...Object.fromEntries(Object.keys(record).map((k) => [k, 2023])) };
			const list = [
				{ ...later, [first]: '1999-12-31', revenue: 1 },
				{ ...later, [first]: '2021-12-31', revenue: 2 },
				{ ...later, [first]: '2020-12-31', revenue: 3 },
			];
			expect(simplify({ list }, []).list_latest_revenue).toBe(2);
		},
	);
});

it.each(['company', 'data', 'dossier', 'general', 'registry', 'registry_data'])(
	'fields of the group "%s" are the company’s own',
	(group) => expect(simplify({ [group]: { founded: 1999 } }, [])).toEqual({ founded: 1999 }),
);

it('a list has no latest entry if one of its entries has no year', () => {
	const list = [{ year: 2023, revenue: 1 }, { revenue: 2 }];
	expect(simplify({ list }, [])).toEqual({ list_count: 2 });
});

it('a field that was sent empty counts as sent, whatever its name', () => {
	expect(sentFields({ denumire: null }, ['name', 'city'])).toStrictEqual({ name: null });
});

it('a simplified record keeps up to 300 characters of each value and 4,000 of all fields together', () => {
	const texts = { whole: 'x'.repeat(300), cut: 'x'.repeat(301) };
	expect(simplify(texts, [])).toEqual({ ...texts, cut: `${'x'.repeat(299)}…` });
	expect(simplify({ name: texts.cut }, ['name'])).toEqual({ name: `${'x'.repeat(299)}…` });
	const many = Array.from({ length: 20 }, (_, index) => [`field_${10 + index}`, texts.whole]);
	const simple = simplify(Object.fromEntries(many) as Json, []);
	expect(simple.omitted_fields).toBe(8);
	expect(Object.keys(simple)).toHaveLength(13);
});

it.each([
	['active', undefined],
	[' Active ', undefined],
	[undefined, undefined],
	['inactive', 'inactive'],
	['in_process_of_liquidation', 'in process of liquidation'],
])('in a list of companies, the status %j is shown as %j', (status, shown) => {
	expect(unlessActive(status)).toBe(shown);
});
