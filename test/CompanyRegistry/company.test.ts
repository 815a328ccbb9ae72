import { companyIn, suggestionsIn } from '../../nodes/CompanyRegistry/search';
import {
	fieldIn,
	fieldsOf,
	idnoOf,
	isBranch,
	nameOf,
	readCompany,
} from '../../nodes/CompanyRegistry/company';
import { linesOf } from '../pairs';

const company = { idno: '1003600015231', name: 'Vălmora SRL' };

const parts = { company, administrators: [{ name: 'Ion' }] };
const suggestion = { name: 'Vălmora' };

// How lists and records are found in a response: test/shared/http/envelope.test.ts.
it.each<[what: string, read: (body: unknown) => unknown, found: unknown, bodies: object[]]>([
	['a company', companyIn, company, [{ data: company }, { company, at: 'now' }]],
	['a company in a list', companyIn, company, [{ total: 1, data: [company] }]],
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

it('converts a numeric IDNO to text', () => {
	const sent = { ...company, idno: Number(company.idno) };
	expect(companyIn({ success: true, data: sent })).toEqual(company);
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

	it('tell null from a field that the record lacks, even in a group', () => {
		expect(fieldIn(fields, 'rating')).toBeNull();
		expect(fieldIn(fields, 'score')).toBeUndefined();
		expect(fieldIn(fields, 'recommended_limit_mdl')).toBeUndefined();
	});

	it('give lists and deeply nested groups whole', () => {
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
