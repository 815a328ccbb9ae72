import {
	companiesIn,
	companyIn,
	idnoOf,
	nameOf,
	suggestionsIn,
} from '../../nodes/CompanyRegistry/api';

const company = { idno: '1003600015231', name: 'Vălmora SRL' };

const parts = { company, administrators: [{ name: 'Ion' }] };
const suggestion = { name: 'Vălmora' };

// How lists and records are found in a response: test/shared/http/envelope.test.ts.
describe.each<
	[string, (body: unknown) => unknown, found: Array<[unknown, unknown]>, missed: unknown]
>([
	[
		'the list of companies',
		(body) => companiesIn(body).rows,
		[
			[{ success: true, results: [company], others: [{}] }, [company]],
			[{ success: true, companies: [company], others: [{}] }, [company]],
			[{ success: true, items: [company], others: [{}] }, [company]],
		],
		{ success: true, data: 'none' },
	],
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
	it.each(found)('is found in %j', (body, expected) => {
		expect(read(body)).toEqual(expected);
	});

	it('is missed clearly', () => {
		expect(() => read(missed)).toThrow('unexpected shape');
	});
});

it('an IDNO that is sent as a number is text', () => {
	const sent = { ...company, idno: Number(company.idno) };
	expect(companyIn({ success: true, data: sent })).toEqual(company);
	expect(companiesIn({ data: [sent] }).rows).toEqual([company]);
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
