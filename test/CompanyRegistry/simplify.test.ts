import fc from 'fast-check';

import {
	COMPANY_FIELDS,
	CREDIT_FIELDS,
	DOSSIER_FIELDS,
	simplify,
} from '../../nodes/CompanyRegistry/company';
import type { Json } from '../../nodes/shared/http/envelope';

const IDNO = '1003600015231';
const scoring = { rating: 'B', score: 71 };

describe('A simplified record', () => {
	it('starts with the documented fields, as null if the record doesn’t have them', () => {
		const simple = simplify({ extra: 1, name: 'Vălmora SRL', idno: IDNO }, COMPANY_FIELDS);
		expect(Object.keys(simple)).toEqual([...COMPANY_FIELDS, 'extra']);
		expect(simple).toMatchObject({ idno: IDNO, name: 'Vălmora SRL', city: null, extra: 1 });
	});

	it.each<[Json]>([
		[{ data: { general: { idno: IDNO, name: 'X' }, scoring } }],
		[{ cod_fiscal: Number(IDNO), denumire: 'X', creditworthiness: scoring }],
		[{ company: { idno: IDNO, companyName: 'X' }, creditScore: scoring }],
	])('has the documented fields of %j, wherever they are', (record) => {
		const none = Object.fromEntries(DOSSIER_FIELDS.map((name) => [name, null]));
		expect(simplify(record, DOSSIER_FIELDS)).toEqual({
			...none,
			idno: IDNO,
			name: 'X',
			...scoring,
		});
	});

	it('has the fields of a credit recommendation without groups, even a limit of 0', () => {
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

	it('is flat and of limited size for any record, which stays unchanged', () => {
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
