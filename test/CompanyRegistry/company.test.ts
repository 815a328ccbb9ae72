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
	simplify,
} from '../../nodes/CompanyRegistry/company';
import { linesOf } from '../pairs';
import type { Json } from '../../nodes/shared/http/json';

const company = { idno: '1003600015231', name: 'Vălmora SRL' };

const parts = { company, administrators: [{ name: 'Ion' }] };
const suggestion = { name: 'Vălmora' };

// How lists and records are found in a response: test/shared/http/envelope.test.ts.
it.each<[what: string, read: (body: unknown) => unknown, found: unknown, bodies: object[]]>([
	['a company', companyIn, company, [{ data: company }, { company, at: 'now' }]],
	['a company in a list', companyIn, company, [{ total: 1, data: [company] }]],
	[
		'a company with a number as its IDNO',
		companyIn,
		company,
		[{ ...company, idno: +company.idno }],
	],
	['a company of several parts', companyIn, parts, [parts]],
	['names', suggestionsIn, [suggestion], [{ data: ['Vălmora'] }, { suggestions: ['Vălmora'] }]],
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
		['with capital initials and spaces', { ...rest, 'Legal Form': legal_form }],
		['in nested groups', { company: { idno, name }, registry, adresa: address }],
		['under "data"', { data: { general: read } }],
		['under a similar name if the documented one is empty', { ...read, name: '', denumire: name }],
		['in a group if the top level has null', { ...read, city: null, registry: { city: 'Orhei' } }],
	])('finds a company’s fields %s', (_how, record) => {
		expect(readCompany(record)).toEqual(read);
	});

	it('leaves out fields that the company doesn’t have', () => {
		expect(readCompany({ denumire: 'X', city: '', parent: read })).toEqual({ name: 'X' });
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

it('a name comes before a title or a type, whichever is sent first', () => {
	expect(readCompany({ title: 'Fișa', name: 'Zefirul SRL' }).name).toBe('Zefirul SRL');
	const founders = [{ type: 'asociat', name: 'Ana Rusu' }];
	expect(simplify({ founders }, [])).toMatchObject({ founders: 'Ana Rusu' });
});
