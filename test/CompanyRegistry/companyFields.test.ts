import { companyIn, suggestionsIn } from '../../nodes/CompanyRegistry/api';
import { idnoOf, nameOf, readCompany } from '../../nodes/CompanyRegistry/companyFields';

const company = { idno: '1003600015231', name: 'Vălmora SRL' };

const parts = { company, administrators: [{ name: 'Ion' }] };
const suggestion = { name: 'Vălmora' };

// How lists and records are found in a response: test/shared/http/envelope.test.ts.
describe.each<
	[string, (body: unknown) => unknown, found: Array<[unknown, unknown]>, missed: unknown]
>([
	[
		'the record',
		companyIn,
		[
			[{ success: true, data: company }, company],
			[{ success: true, at: 'now', company }, company],
			[{ success: true, ...parts }, parts],
		],
		{ data: [company, company] },
	],
	[
		'the suggestions',
		suggestionsIn,
		[
			[['Vălmora'], [suggestion]],
			[{ success: true, data: ['Vălmora'] }, [suggestion]],
			[{ success: true, suggestions: ['Vălmora'] }, [suggestion]],
			[{ success: true, data: { suggestions: [suggestion] } }, [suggestion]],
		],
		{ data: 'none' },
	],
])('%s', (_what, read, found, missed) => {
	it.each(found)('finds the record in %j', (body, expected) => {
		expect(read(body)).toEqual(expected);
	});

	it('reports a missing record with a clear error', () => {
		expect(() => read(missed)).toThrow('unexpected format');
	});
});

it('turns an IDNO sent as a number into text', () => {
	const sent = { ...company, idno: Number(company.idno) };
	expect(companyIn({ success: true, data: sent })).toEqual(company);
});

it('identifies a company by the documented fields, or by fields that look like them', () => {
	expect(idnoOf({ code: '1008600038413', ...company })).toBe(company.idno);
	expect(idnoOf({ name: 'X', cod_fiscal: 1003600015231 })).toBe(company.idno);
	expect(idnoOf({ updated: 1760000000000, code: '1003600015231' })).toBe(company.idno);
	expect(idnoOf({ updated: '1760000000000', phone: '0037369123456' })).toBeUndefined();
	expect(idnoOf({ idno: null, parent_idno: company.idno })).toBeUndefined();
	expect(idnoOf({ name: 'X' })).toBeUndefined();
	expect(nameOf({ denumire: 'Vălmora' })).toBe('Vălmora');
	expect(nameOf({ idno: company.idno })).toBeUndefined();
});

describe('a company is read', () => {
	const read = {
		...{ idno: company.idno, name: company.name, legal_form: 'SRL' },
		...{ status: 'active', city: 'Orhei', region: 'Orhei', address: 'str. Morii 3' },
	};
	const { legal_form, ...rest } = read;
	const { idno, name, address, ...registry } = read;

	it.each<[string, Record<string, unknown>]>([
		['by the documented names', read],
		['in camel case', { ...rest, legalForm: legal_form }],
		['in capitals', Object.fromEntries(Object.entries(read).map(([k, v]) => [k.toUpperCase(), v]))],
		['with capital initials', { ...rest, 'Legal Form': legal_form }],
		['in groups', { company: { idno, name }, registry, adresa: address }],
		['below data', { data: { general: read } }],
		['from a null and a group', { ...read, city: null, registry: { city: 'Orhei' } }],
	])('%s', (_how, record) => {
		expect(readCompany(record)).toEqual(read);
	});

	it('leaves out fields the company does not have', () => {
		expect(readCompany({ denumire: 'X', city: '', parent: read })).toEqual({ name: 'X' });
	});

	it('keeps a long name unchanged', () => {
		const long = 'Asociația '.repeat(50);
		expect(readCompany({ company: { name: long } }).name).toBe(long);
	});
});
