import fc from 'fast-check';

import {
	COMPANY_FIELDS,
	CREDIT_FIELDS,
	DOSSIER_FIELDS,
	simplify,
} from '../../nodes/CompanyRegistry/company';
import type { Json } from '../../nodes/shared/http/envelope';

const IDNO = '1003600015231';

describe('simplify', () => {
	it('puts the leading fields first, as null if the record doesn’t have them', () => {
		const simple = simplify({ extra: 1, name: 'Vălmora SRL', idno: IDNO }, COMPANY_FIELDS);
		expect(Object.keys(simple)).toEqual([...COMPANY_FIELDS, 'extra']);
		expect(simple).toMatchObject({ idno: IDNO, name: 'Vălmora SRL', city: null, extra: 1 });
	});

	it.each([
		['a flat record', { idno: IDNO, name: 'X', rating: 'B', score: 71 }],
		[
			'a record with groups',
			{ company: { idno: IDNO, name: 'X' }, scoring: { rating: 'B', score: 71 } },
		],
		[
			'a record under "data"',
			{ data: { general: { idno: IDNO, name: 'X' }, scoring: { rating: 'B', score: 71 } } },
		],
		[
			'a record with other field names',
			{ cod_fiscal: IDNO, denumire: 'X', creditworthiness: { rating: 'B', score: 71 } },
		],
		[
			'a record in camel case',
			{ company: { idno: IDNO, companyName: 'X' }, creditScore: { rating: 'B', score: 71 } },
		],
	])('finds the known fields of %s', (_where, record) => {
		expect(simplify(record, DOSSIER_FIELDS)).toEqual({
			...{ idno: IDNO, name: 'X', legal_form: null, status: null, city: null, region: null },
			...{ caen_code: null, caen_description: null },
			...{ rating: 'B', score: 71, insolvency_risk: null, recommended_limit_mdl: null },
		});
	});

	it('flattens the documented credit recommendation, and keeps a limit of 0', () => {
		const company = { idno: IDNO, name: 'X', status: 'active' };
		const scoring = { rating: 'B', score: 71, insolvency_risk: 'low' };
		const terms = { recommended_payment_terms_days: 30, advisory_notes: 'None.' };
		const advice = { recommended_limit_mdl: 0, currency: 'MDL', ...terms };
		const record = { ...company, scoring, trade_credit_recommendation: advice, credit_limit: 5 };
		expect(Object.entries(simplify(record, CREDIT_FIELDS))).toEqual(
			Object.entries({ ...company, ...scoring, ...advice, credit_limit: 5 }),
		);
	});

	it('prefers a nested value to a null at the top level', () => {
		const record = { status: null, registry_data: { status: 'dissolved' } };
		expect(simplify(record, ['status'])).toEqual({ status: 'dissolved' });
	});

	it('doesn’t mistake a person’s name or a group’s status for the company’s', () => {
		const simple = simplify(
			{ administrator: { name: 'Ion', idno: '2000000000000' }, scoring: { status: 'final' } },
			DOSSIER_FIELDS,
		);
		expect(simple).toMatchObject({ idno: null, name: null, status: null });
		expect(simple).toMatchObject({ administrator_name: 'Ion', scoring_status: 'final' });
	});

	it('shows the first five entries of a list and the number of all entries', () => {
		const founders = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => ({ name, share: 10 }));
		expect(simplify({ founders, licenses: [], phones: ['1', '2'], odd: [{}] }, [])).toEqual({
			...{ founders: 'A, B, C, D, E, …', founders_count: 6 },
			licenses_count: 0,
			...{ phones: '1, 2', phones_count: 2 },
			odd_count: 1,
		});
	});

	it('shows the figures of the latest year, whatever the order of the years', () => {
		const financials = [
			{ year: 2023, revenueMdl: 3 },
			{ year: '2024', revenueMdl: 4 },
			{ year: 2022, revenueMdl: 2 },
		];
		expect(simplify({ financials }, [])).toEqual({
			financials_count: 3,
			financials_latest_year: '2024',
			financials_latest_revenue_mdl: 4,
		});
	});

	it('shortens long texts and counts the fields it leaves out', () => {
		const many = Object.fromEntries(
			Array.from({ length: 200 }, (_, index) => [`field_${index}`, 'x'.repeat(1000)]),
		);
		const simple = simplify({ idno: IDNO, ...many }, ['idno']);
		const { omitted_fields: omitted, ...fields } = simple;
		expect(String(fields.field_0)).toHaveLength(300);
		expect(Object.keys(fields).length + Number(omitted)).toBe(201);
		expect(JSON.stringify(simple).length).toBeLessThan(5_000);
	});

	it('never cuts a character in half', () => {
		const notes = `${'x'.repeat(298)}${'🏭'.repeat(9)}`;
		expect(simplify({ notes }, [])).toEqual({ notes: `${'x'.repeat(298)}…` });
	});

	it('returns a flat object of limited size for any record, which stays unchanged', () => {
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
