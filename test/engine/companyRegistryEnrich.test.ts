import { jsonOf } from './harness';

import type { INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../nodes/CompanyRegistry/service';
import { fold, searchWords } from '../../nodes/CompanyRegistry/enrich/nameMatch';
import type { Company } from '../../sandbox';
import { bench, VARIANTS, withCheckDigit } from './companyRegistrySupport';
import { itemsOf, pairedWith } from './linkManagementSupport';

const BOTH: Array<[Variant]> = VARIANTS.map((variant) => [variant]);

const enrich = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'company',
	operation: 'enrich',
	companyIdno: '={{ $json.idno }}',
	companyName: '={{ $json.name }}',
	...more,
});

/** The company as it comes out, under the usual prefix. */
const fieldsOf = (company: Readonly<Company>) => ({
	company_idno: company.idno,
	company_name: company.name,
	company_legal_form: company.legalForm,
	company_status: company.status,
	company_city: company.city,
	company_region: company.region,
	company_caen_code: company.caenCode,
	company_caen_description: company.caenDescription,
});

const unknownIdno = withCheckDigit('199999999999');

describe.each(BOTH)('enriching rows (%s)', (variant) => {
	it('puts the company beside the row’s own columns, by IDNO or by name', async () => {
		const { run, companies } = await bench(variant);
		const [one, other] = [companies[5]!, companies[9]!];
		const { items, error } = await run(enrich(), {
			items: itemsOf(
				{ id: 1, idno: one.idno, status: 'lead' },
				{ id: 2, name: fold(other.name) },
				{ id: 3, name: other.idno },
			),
		});
		expect(error).toBeUndefined();
		const found = { found: true, matchScore: 1, candidates: 0, reason: null };
		expect(jsonOf(items)).toEqual([
			{ id: 1, idno: one.idno, status: 'lead', ...found, matchedBy: 'idno', ...fieldsOf(one) },
			{ id: 2, name: fold(other.name), ...found, matchedBy: 'name', ...fieldsOf(other) },
			{ id: 3, name: other.idno, ...found, matchedBy: 'idno', ...fieldsOf(other) },
		]);
		expect(pairedWith(items)).toEqual([0, 1, 2]);
	});

	it('says that a row is not found, and why, instead of failing', async () => {
		const { run, requests } = await bench(variant);
		const { items, error } = await run(enrich(), {
			items: itemsOf(
				{ idno: unknownIdno },
				{ idno: '1003600015232' },
				{ name: 'Nimeni Nicăieri SRL' },
				{ name: '„”' },
				{ idno: '', name: null },
				{},
			),
		});
		expect(error).toBeUndefined();
		expect(jsonOf(items).map(({ found, matchedBy, reason }) => [found, matchedBy, reason])).toEqual(
			[
				[false, null, `No company has the IDNO ${unknownIdno}.`],
				[false, null, 'The last digit is 2, but the check digit of the first twelve is 1.'],
				[false, null, 'The search has no results for the name.'],
				[false, null, 'The name has neither letters nor digits.'],
				[false, null, 'The row has neither an IDNO nor a name.'],
				[false, null, 'The row has neither an IDNO nor a name.'],
			],
		);
		expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4, 5]);
		expect(requests).toHaveLength(2);
	});

	it('takes no company whose name is not alike enough, and says how alike the best one is', async () => {
		const { run, sandbox } = await bench(variant);
		sandbox.registry.v1.state.add({
			idno: withCheckDigit('100000000001'),
			name: 'Zefirul Unu SRL',
		});
		sandbox.registry.v1.state.add({
			idno: withCheckDigit('100000000002'),
			name: 'Zefirul Doi SRL',
		});
		const items = itemsOf({ name: 'Zefirul' });
		const strict = await run(enrich(), { items });
		expect(jsonOf(strict.items)).toEqual([
			{
				name: 'Zefirul',
				found: false,
				matchScore: expect.any(Number) as unknown,
				matchedBy: null,
				candidates: 2,
				reason: 'No name is like it enough; the most similar is Zefirul Unu SRL.',
			},
		]);
		const score = strict.items[0]!.json.matchScore as number;
		expect(score).toBeLessThan(0.8);
		const loose = await run(enrich({ minScore: score }), { items });
		expect(loose.items[0]!.json).toMatchObject({
			found: true,
			matchScore: score,
			candidates: 1,
			company_name: 'Zefirul Unu SRL',
		});
	});

	it('prefers the active one of two companies of the same name', async () => {
		const { run, sandbox } = await bench(variant);
		const { state } = sandbox.registry.v1;
		state.add({ idno: withCheckDigit('100000000001'), name: 'Zefirul SRL', status: 'suspended' });
		state.add({ idno: withCheckDigit('100000000002'), name: 'ZEFIRUL SRL', status: 'active' });
		const { items } = await run(enrich(), { items: itemsOf({ name: 'zefirul' }) });
		expect(items[0]!.json).toMatchObject({ candidates: 1, company_status: 'active' });
	});

	it('searches a misspelled name by its longest word when asked to', async () => {
		const { run, sandbox, requests } = await bench(variant);
		const idno = withCheckDigit('100000000001');
		sandbox.registry.v1.state.add({ idno, name: 'Zefirul de Primăvară SRL' });
		const items = itemsOf({ name: 'Zefirrul de Primăvară' });
		expect(jsonOf((await run(enrich(), { items })).items)).toMatchObject([{ found: false }]);
		const again = await run(enrich({ options: { searchAgain: true } }), { items });
		expect(jsonOf(again.items)).toMatchObject([{ found: true, company_idno: idno }]);
		expect(requests.map(({ query }) => query.q)).toEqual([
			'zefirrul de primavara',
			'zefirrul de primavara',
			'Primăvară',
		]);
	});

	it('falls back to the name of a row with a wrong IDNO only when asked to', async () => {
		const { run, companies } = await bench(variant);
		const { name, idno } = companies[4]!;
		const items = itemsOf({ idno: '1003600015232', name }, { idno: unknownIdno, name });
		expect(jsonOf((await run(enrich(), { items })).items)).toMatchObject([
			{ found: false },
			{ found: false },
		]);
		const { items: found } = await run(enrich({ options: { nameAsFallback: true } }), { items });
		expect(jsonOf(found)).toMatchObject([
			{ found: true, matchedBy: 'name', company_idno: idno },
			{ found: true, matchedBy: 'name', company_idno: idno },
		]);
	});

	it('leaves the row out, and changes the prefix, when asked to', async () => {
		const { run, companies } = await bench(variant);
		const one = companies[4]!;
		const { items } = await run(enrich({ options: { includeInputFields: false, prefix: '' } }), {
			items: itemsOf({ id: 7, idno: one.idno }),
		});
		expect(Object.keys(items[0]!.json)).toEqual([
			...['found', 'matchScore', 'matchedBy', 'candidates', 'reason'],
			...[
				'idno',
				'name',
				'legal_form',
				'status',
				'city',
				'region',
				'caen_code',
				'caen_description',
			],
		]);
	});

	it('takes 1,000 rows over 200 companies for at most 200 searches', async () => {
		const { run, companies, requests } = await bench(variant);
		const chosen = distinctlyNamed(companies).slice(0, 200);
		const rows = Array.from({ length: 1000 }, (_, index) => {
			const company = chosen[index % 200]!;
			return index % 2 === 0 ? { idno: company.idno } : { name: spelling(company, index) };
		});
		const { items, error } = await run(enrich({ addCredit: variant === 'v1' }), {
			items: itemsOf(...rows),
		});
		expect(error).toBeUndefined();
		expect(pairedWith(items)).toEqual(rows.map((_, index) => index));
		expect(jsonOf(items).map(({ company_idno }) => company_idno)).toEqual(
			rows.map((_, index) => chosen[index % 200]!.idno),
		);
		const sent = (kind: string) => requests.filter(({ path }) => path.includes(kind)).length;
		expect(sent('/search')).toBe(200);
		expect(sent('/credit/')).toBe(variant === 'v1' ? 200 : 0);
		expect(requests).toHaveLength(variant === 'v1' ? 400 : 200);
	}, 30_000);

	it('searches once for a company that stands in one row by name and in another by IDNO', async () => {
		const { run, companies, requests } = await bench(variant);
		const chosen = distinctlyNamed(companies).slice(0, 40);
		const rows = chosen.flatMap(({ idno, name }) => [{ idno }, { name }, { idno, name }]);
		const { items } = await run(enrich(), { items: itemsOf(...rows) });
		expect(jsonOf(items).map(({ company_idno }) => company_idno)).toEqual(
			chosen.flatMap(({ idno }) => [idno, idno, idno]),
		);
		expect(jsonOf(items).map(({ matchedBy }) => matchedBy)).toEqual(
			chosen.flatMap(() => ['idno', 'name', 'idno']),
		);
		expect(requests).toHaveLength(40);
	});

	it('still looks up by IDNO when a search by name fails', async () => {
		const { run, companies, registry } = await bench(variant);
		const [first, second] = distinctlyNamed(companies);
		registry.inject({ status: 500, path: /search/ });
		const { items } = await run(enrich(), {
			items: itemsOf({ name: first!.name }, { idno: second!.idno }),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(items[0]?.json.error).toMatch(/not working right now/);
		expect(items[1]?.json).toMatchObject({ found: true, company_idno: second!.idno });
	});

	it('sends nothing for 100 numbers that cannot be IDNOs', async () => {
		const { run, requests } = await bench(variant);
		const rows = Array.from({ length: 100 }, (_, index) => ({
			idno: withCheckDigit(String(100_000_000_000 + index * 37), 1 + (index % 9)),
		}));
		const { items } = await run(enrich(), { items: itemsOf(...rows) });
		expect(items).toHaveLength(100);
		for (const { json } of items) {
			expect(json).toMatchObject({ found: false, reason: expect.stringContaining('check digit') });
		}
		expect(requests).toHaveLength(0);
	});

	it.each(['two', '', 1.5, -0.1])(
		'refuses a minimum score of %p before anything is sent',
		async (minScore) => {
			const { run, requests } = await bench(variant);
			const { error } = await run(enrich({ minScore: `={{ ${JSON.stringify(minScore)} }}` }), {
				items: itemsOf({ name: 'Vălmora' }),
			});
			expect(error?.message).toContain('"Minimum Match Score" must be a number from 0 to 1');
			expect(requests).toHaveLength(0);
		},
	);

	it('is an error when the service cannot be asked', async () => {
		const { run, registry } = await bench(variant);
		registry.inject({ status: 500, times: 'always' });
		const { error } = await run(enrich(), { items: itemsOf({ name: 'Vălmora' }) });
		expect(error?.message).toContain('is not working right now');
	});
});

/** Companies whose names no other company has, however spelled. */
function distinctlyNamed(companies: ReadonlyArray<Readonly<Company>>) {
	const counts = new Map<string, number>();
	for (const { name } of companies) {
		counts.set(searchWords(name), (counts.get(searchWords(name)) ?? 0) + 1);
	}
	return companies.filter(({ name }) => counts.get(searchWords(name)) === 1);
}

/** The name as people type it: each row differently. */
function spelling({ name }: Readonly<Company>, index: number): string {
	const ways = [
		(text: string) => text,
		(text: string) => text.toLocaleUpperCase('ro'),
		(text: string) => text.normalize('NFD').replace(/\p{M}/gu, ''),
		(text: string) => text.replace(/ș/g, 'ş').replace(/ț/g, 'ţ').replace(/[„”]/g, '"'),
		(text: string) => `«${text}»`,
	];
	return ways[Math.floor(index / 200) % ways.length]!(name);
}

describe('the credit recommendation of enriched rows', () => {
	it('is added flat, beside the company', async () => {
		const { run, companies } = await bench('v1');
		const one = companies[5]!;
		const { items } = await run(enrich({ addCredit: true }), {
			items: itemsOf({ idno: one.idno }),
		});
		expect(jsonOf(items)).toEqual([
			expect.objectContaining({
				...fieldsOf(one),
				company_rating: one.rating,
				company_score: one.score,
				company_insolvency_risk: one.insolvencyRisk,
				company_recommended_limit_mdl: one.limit,
				company_currency: 'MDL',
				company_recommended_payment_terms_days: one.paymentTermsDays,
				company_advisory_notes: one.advisoryNotes,
			}),
		]);
	});

	it('stays empty for a company that has none', async () => {
		const { run, registry, companies } = await bench('v1');
		registry.inject({
			path: `/api/v1/credit/${companies[5]!.idno}`,
			status: 404,
			body: { success: false, error: 'No recommendation for this company' },
		});
		const { items, error } = await run(enrich({ addCredit: true }), {
			items: itemsOf({ idno: companies[5]!.idno }),
		});
		expect(error).toBeUndefined();
		expect(items[0]!.json).toMatchObject({
			found: true,
			company_rating: null,
			company_score: null,
		});
	});

	it('is refused with an unversioned credential before anything is sent', async () => {
		const { run, companies, requests } = await bench('unversioned');
		const { error } = await run(enrich({ addCredit: true }), {
			items: itemsOf({ idno: companies[5]!.idno }),
		});
		expect(error?.message).toContain('The credit recommendation exists in the V1 API only');
		expect(requests).toHaveLength(0);
	});
});

describe('the undocumented shapes of the V1 search', () => {
	it.each(['root', 'data', 'results', 'companies', 'items'] as const)(
		'are enriched from alike: %s',
		async (searchShape) => {
			const { run, companies } = await bench('v1', {
				searchShape,
				rateLimit: { limit: null },
				dailyQuota: { limit: null },
			});
			const { items } = await run(enrich(), {
				items: itemsOf({ idno: companies[1]!.idno }, { name: 'agro' }),
			});
			expect(jsonOf(items)).toMatchObject([{ found: true }, { found: false }]);
			expect(items[1]!.json.candidates).toBeGreaterThan(1);
		},
	);

	it('may call the fields otherwise', async () => {
		const { run, registry } = await bench('v1');
		const record = { cod_fiscal: 1003600015231, denumire: 'Vălmora SRL' };
		registry.inject({ status: 200, body: { success: true, results: [record] }, times: 2 });
		const { items } = await run(enrich(), {
			items: itemsOf({ idno: '1003600015231' }, { name: 'valmora' }),
		});
		expect(jsonOf(items)).toMatchObject([
			{ found: true, matchedBy: 'idno', company_denumire: 'Vălmora SRL' },
			{ found: true, matchedBy: 'name', company_cod_fiscal: 1003600015231 },
		]);
	});

	it('are an error where companies have no name to match by', async () => {
		const { run, registry } = await bench('v1');
		registry.inject({ status: 200, body: { success: true, data: [{ x: 1 }] } });
		const { error } = await run(enrich(), { items: itemsOf({ name: 'valmora' }) });
		expect(error?.description).toContain('Expected companies with a "name"');
	});

	it('may answer an unknown company with 404', async () => {
		const { run, registry } = await bench('v1');
		registry.inject({ status: 404, body: { success: false, error: 'Nothing found' } });
		const { items } = await run(enrich(), { items: itemsOf({ name: 'valmora' }) });
		expect(jsonOf(items)).toMatchObject([{ found: false }]);
	});
});
