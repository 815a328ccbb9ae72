import {
	companiesIn,
	companyIn,
	idnoOf,
	nameOf,
	suggestionsIn,
} from '../../nodes/CompanyRegistry/records';

const company = { idno: '1003600015231', name: 'Vălmora SRL' };

// How lists and records are found in a response: test/shared/http/envelope.test.ts.

describe('the list of companies', () => {
	it.each([
		['the root', [company]],
		['data', { success: true, data: [company] }],
		['results', { success: true, results: [company] }],
		['companies', { success: true, companies: [company] }],
		['items', { success: true, items: [company] }],
		['results inside data', { success: true, data: { results: [company] } }],
	])('is found at %s', (_place, body) => {
		expect(companiesIn(body).rows).toEqual([company]);
	});

	it('is missed clearly', () => {
		expect(() => companiesIn({ success: true, data: 'none' })).toThrow('unexpected shape');
	});
});

describe('the record', () => {
	const parts = { company, administrators: [{ name: 'Ion' }] };

	it.each<[string, object, object]>([
		['flat', { success: true, ...company }, company],
		['in data', { success: true, data: company }, company],
		['in company', { success: true, company }, company],
		['in a list of one', { success: true, data: [company] }, company],
		['with all its parts', { success: true, ...parts }, parts],
	])('is found %s', (_place, body, record) => {
		expect(companyIn(body)).toEqual(record);
	});

	it('is missed clearly', () => {
		expect(() => companyIn({ data: [company, company] })).toThrow('unexpected shape');
	});
});

describe('the suggestions', () => {
	it.each([
		['the root', ['Vălmora']],
		['data', { success: true, data: ['Vălmora'] }],
		['suggestions', { success: true, suggestions: ['Vălmora'] }],
		['suggestions inside data', { success: true, data: { suggestions: [{ name: 'Vălmora' }] } }],
	])('are found at %s, and text becomes a record', (_place, body) => {
		expect(suggestionsIn(body)).toEqual([{ name: 'Vălmora' }]);
	});

	it('are missed clearly', () => {
		expect(() => suggestionsIn({ data: 'none' })).toThrow('unexpected shape');
	});
});

it('a company is identified by the documented fields, or by what looks like them', () => {
	expect(idnoOf({ code: '1008600038413', ...company })).toBe(company.idno);
	expect(idnoOf({ name: 'X', cod_fiscal: 1003600015231 })).toBe(company.idno);
	expect(idnoOf({ updated: 1760000000000, code: '1003600015231' })).toBe(company.idno);
	expect(idnoOf({ updated: '1760000000000', phone: '0037369123456' })).toBeUndefined();
	expect(idnoOf({ idno: null, parent_idno: company.idno })).toBeUndefined();
	expect(idnoOf({ name: 'X' })).toBeUndefined();
	expect(nameOf({ denumire: 'Vălmora' })).toBe('Vălmora');
	expect(nameOf({ idno: company.idno })).toBeUndefined();
});
