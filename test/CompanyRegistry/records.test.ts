import {
	companiesIn,
	idnoOf,
	nameOf,
	companyIn,
	suggestionsIn,
} from '../../nodes/CompanyRegistry/records';

const company = { idno: '1003600015231', name: 'Vălmora SRL' };

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

	it.each([
		[{ success: true }],
		[{ success: true, data: 'none' }],
		[{ data: ['text'] }],
		['text'],
		[null],
	])('is missed clearly in %j', (body) => {
		expect(() => companiesIn(body)).toThrow('unexpected shape');
	});
});

describe('the record', () => {
	it.each([
		['flat', { success: true, ...company }],
		['in data', { success: true, data: company }],
		['in company', { success: true, company }],
		['in a list of one', { success: true, data: [company] }],
		['in data beside a message', { success: true, error: 0, message: 'OK', data: company }],
	])('is found %s', (_place, body) => {
		expect(companyIn(body)).toEqual(company);
	});

	it('keeps all parts if there are several', () => {
		const parts = { company, administrators: [{ name: 'Ion' }] };
		expect(companyIn({ success: true, ...parts })).toEqual(parts);
	});

	it.each([
		[{ success: true }],
		[{ success: true, data: 'none' }],
		[{ data: null }],
		[{ data: [] }],
		[{ data: [company, company] }],
		[[company]],
		['text'],
	])('is missed clearly in %j', (body) => {
		expect(() => companyIn(body)).toThrow('unexpected shape');
	});
});

describe('the suggestions', () => {
	it.each([
		['the root', ['Vălmora']],
		['data', { success: true, data: ['Vălmora'] }],
		['suggestions', { success: true, suggestions: ['Vălmora'] }],
		['suggestions inside data', { success: true, data: { suggestions: ['Vălmora'] } }],
	])('are found at %s, and text becomes a record', (_place, body) => {
		expect(suggestionsIn(body)).toEqual([{ name: 'Vălmora' }]);
	});

	it('pass unchanged if they are records', () => {
		expect(suggestionsIn({ data: [company] })).toEqual([company]);
	});

	it.each([[{ success: true }], [{ data: 'none' }], [[1]], [null]])(
		'are missed clearly in %j',
		(body) => {
			expect(() => suggestionsIn(body)).toThrow('unexpected shape');
		},
	);
});

describe('the identity of a company', () => {
	it('is its IDNO under the documented name, or the value that looks like one', () => {
		expect(idnoOf({ code: '1008600038413', ...company })).toBe(company.idno);
		expect(idnoOf({ name: 'X', cod_fiscal: 1003600015231 })).toBe(company.idno);
		expect(idnoOf({ name: 'X' })).toBeUndefined();
	});

	it('is its name under one of the likely names', () => {
		expect(nameOf({ denumire: 'Vălmora' })).toBe('Vălmora');
		expect(nameOf({ idno: company.idno })).toBeUndefined();
	});
});
