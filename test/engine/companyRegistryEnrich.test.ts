import { jsonOf } from './harness';

import type { INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../nodes/CompanyRegistry/service';
import { parseName } from '../../nodes/CompanyRegistry/enrich/companyName';
import { fold } from '../../nodes/CompanyRegistry/enrich/words';
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

/** The fields of the company in the output, with the usual prefix. */
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
	it('adds the company to the row’s columns, by IDNO or name', async () => {
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
		const found = {
			...{ found: true, matchScore: 1, matchQuality: 'exact', reason: null, ambiguous: false },
			...{ candidates: expect.any(Number) as unknown, alternatives: expect.any(Array) as unknown },
		};
		expect(jsonOf(items)).toEqual([
			{ id: 1, idno: one.idno, status: 'lead', ...found, matchedBy: 'idno', ...fieldsOf(one) },
			{ id: 2, name: fold(other.name), ...found, matchedBy: 'name', ...fieldsOf(other) },
			{ id: 3, name: other.idno, ...found, matchedBy: 'idno', ...fieldsOf(other) },
		]);
		expect(pairedWith(items)).toEqual([0, 1, 2]);
	});

	it('returns a reason for a row that is not found, instead of failing', async () => {
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
				[false, null, 'The last digit is 2, but the check digit should be 1.'],
				[false, null, 'The search has no results for the name.'],
				[false, null, 'The name has neither letters nor digits.'],
				[false, null, 'The row has neither an IDNO nor a name.'],
				[false, null, 'The row has neither an IDNO nor a name.'],
			],
		);
		expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4, 5]);
		expect(requests).toHaveLength(3);
	});

	it('rejects companies without a sufficiently similar name, and lists the most similar ones', async () => {
		const { run, sandbox } = await bench(variant);
		const [one, other] = [withCheckDigit('100000000001'), withCheckDigit('100000000002')];
		sandbox.registry.v1.state.add({
			idno: one,
			name: 'Zefirul Unu SRL',
			city: 'Orhei',
			region: 'Orhei',
		});
		sandbox.registry.v1.state.add({
			idno: other,
			name: 'Zefirul Doi SRL',
			city: 'Soroca',
			region: 'Soroca',
		});
		const items = itemsOf({ name: 'Zefirul' });
		const strict = await run(enrich(), { items });
		const matchScore = 0.5;
		expect(jsonOf(strict.items)).toEqual([
			{
				name: 'Zefirul',
				found: false,
				matchScore,
				matchedBy: null,
				candidates: 2,
				reason:
					'No sufficiently similar name found. The most similar is Zefirul Unu SRL. The row does not have "Unu".',
				ambiguous: false,
				alternatives: [
					{ idno: one, name: 'Zefirul Unu SRL', city: 'Orhei', matchScore },
					{ idno: other, name: 'Zefirul Doi SRL', city: 'Soroca', matchScore },
				],
				matchQuality: 'none',
			},
		]);
		const loose = await run(enrich({ options: { minMatchScore: matchScore } }), { items });
		expect(loose.items[0]!.json).toMatchObject({ found: false, ambiguous: true, candidates: 2 });
		const decided = await run(enrich({ minScore: matchScore, companyCity: 'or. Soroca' }), {
			items,
		});
		expect(decided.items[0]!.json).toMatchObject({
			found: true,
			candidates: 1,
			company_name: 'Zefirul Doi SRL',
		});
	});

	it('marks a name that several companies have, unless place or legal form decides', async () => {
		const { run, sandbox } = await bench(variant);
		const add = (twelve: string, name: string, legalForm: string, city: string) =>
			sandbox.registry.v1.state.add({
				...{ idno: withCheckDigit(twelve), name, legalForm, city, region: city },
				status: twelve.endsWith('1') ? 'active' : 'suspended',
			});
		add('100000000001', 'Zefirul SRL', 'SRL', 'Cahul');
		add('100000000002', 'ZEFIRUL S.A.', 'SA', 'Cahul');
		add('100000000003', '„Zefirul” S.R.L.', 'SRL', 'Bălți');
		const rows = [
			{ name: 'zefirul' },
			{ name: 'zefirul', city: 'mun. Balti, str. Livezilor 3' },
			{ name: 'Zefirul', city: 'Soroca' },
			{ name: 'Zefirul', form: 'Societate pe acțiuni' },
			{ name: 'Zefirul S.A.' },
			{ name: 'Zefirul SRL' },
			{ name: 'Zefirul SRL, Cahul' },
		];
		const { items, run: execution } = await run(
			enrich({ companyCity: '={{ $json.city }}', companyLegalForm: '={{ $json.form }}' }),
			{ items: itemsOf(...rows) },
		);
		expect(jsonOf(items).map(({ found, ambiguous }) => [found, ambiguous])).toEqual([
			[false, true],
			[true, false],
			[false, true],
			[true, false],
			[true, false],
			[false, true],
			[true, false],
		]);
		expect(jsonOf(items).map(({ company_name }) => company_name)).toEqual([
			...[undefined, '„Zefirul” S.R.L.', undefined, 'ZEFIRUL S.A.', 'ZEFIRUL S.A.', undefined],
			'Zefirul SRL',
		]);
		expect(items[0]!.json).toMatchObject({ matchScore: 1, matchQuality: 'exact', matchedBy: null });
		expect(items[0]!.json.alternatives).toHaveLength(3);
		expect(items[0]!.json.reason).toMatch(/^3 companies match equally well\./);
		const hints = execution.data.resultData.runData.Subject?.at(-1)?.hints ?? [];
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Some rows match several companies equally well/),
		]);
	});

	it('never lets place or legal form exclude the only company of exactly this name', async () => {
		const { run, sandbox } = await bench(variant);
		const idno = withCheckDigit('100000000001');
		sandbox.registry.v1.state.add({ idno, name: 'Zefirul SRL', city: 'Cahul', region: 'Cahul' });
		const { items } = await run(enrich({ companyCity: 'Bălți', companyLegalForm: 'SA' }), {
			items: itemsOf({ name: 'Zefirul' }, { name: 'Zefirrul' }),
		});
		expect(jsonOf(items)).toMatchObject([
			{ found: true, matchQuality: 'exact' },
			{ found: false, reason: expect.stringContaining('in another place') as unknown },
		]);
	});

	it('finds a misspelled name with a second search, and says what differs', async () => {
		const { run, sandbox, requests } = await bench(variant);
		const idno = withCheckDigit('100000000001');
		sandbox.registry.v1.state.add({ idno, name: 'Zefirul de Primăvară SRL' });
		const items = itemsOf({ name: 'Zefirrul de Primăvară' });
		const single = await run(enrich({ options: { requestsPerRow: 1 } }), { items });
		expect(jsonOf(single.items)).toMatchObject([{ found: false }]);
		const { items: found } = await run(enrich(), { items });
		expect(jsonOf(found)).toMatchObject([
			{
				found: true,
				company_idno: idno,
				matchQuality: 'strong',
				reason: '"Zefirrul" is spelled "Zefirul" in the register.',
			},
		]);
		expect(requests.map(({ query }) => query.q)).toEqual([
			'zefirrul de primăvară',
			'zefirrul de primăvară',
			'prim',
		]);
		const exact = await run(enrich({ minScore: 'exact' }), { items });
		expect(jsonOf(exact.items)).toMatchObject([{ found: false, matchQuality: 'strong' }]);
	});

	it('reads further pages for a name that many others contain', async () => {
		const { run, sandbox, requests } = await bench(variant);
		for (let index = 0; index < 119; index++) {
			const idno = withCheckDigit(String(100_000_000_000 + index));
			sandbox.registry.v1.state.add({ idno, name: `Zefirul ${index} SRL` });
		}
		const idno = withCheckDigit('199000000000');
		sandbox.registry.v1.state.add({ idno, name: 'Zefirul SRL' });
		const { items } = await run(enrich({ options: { requestsPerRow: 3 } }), {
			items: itemsOf({ name: 'Zefirul' }),
		});
		if (variant === 'unversioned') {
			expect(items[0]!.json).toMatchObject({ found: true, company_idno: idno, candidates: 119 });
			expect(requests.map(({ query }) => query.page)).toEqual(['1', '2', '3']);
		} else {
			expect(items[0]!.json).toMatchObject({
				found: false,
				reason: expect.stringContaining('more results than were read') as unknown,
			});
		}
	});

	it('keeps the fields of a row, whatever their names', async () => {
		const { run, companies } = await bench(variant);
		const { idno, name } = companies[4]!;
		const row = { idno, found: 'at a fair', reason: 'call back', candidates: 3 };
		const { items } = await run(enrich(), { items: itemsOf(row) });
		expect(items[0]!.json).toMatchObject({
			...row,
			matchScore: 1,
			company_found: true,
			company_reason: null,
			company_candidates: 0,
			company_name: name,
		});
		const replaced = await run(enrich({ options: { replaceInputFields: true } }), {
			items: itemsOf(row),
		});
		expect(replaced.items[0]!.json).toMatchObject({ found: true, reason: null, candidates: 0 });
	});

	it('fails when no column is mapped', async () => {
		const { run, requests } = await bench(variant);
		const { error } = await run(enrich({ companyIdno: '', companyName: '' }), {
			items: itemsOf({ name: 'Vălmora' }),
		});
		expect(error?.message).toContain('The parameters "IDNO" and "Name" are both empty');
		expect(requests).toHaveLength(0);
	});

	it.each(['Abonamentul a expirat', 'Database connection failed', 'Compania nu a fost găsită'])(
		'fails when the service reports a failure with status 200: %s',
		async (message) => {
			const { run, registry } = await bench(variant);
			registry.inject({ status: 200, body: { success: false, message }, times: 'always' });
			const { error } = await run(enrich(), { items: itemsOf({ name: 'Vălmora' }) });
			expect(error?.message).toContain(message);
		},
	);

	it('ignores results without a name', async () => {
		const { run, registry } = await bench(variant);
		const idno = withCheckDigit('100000000001');
		const data = [{ idno, name: null }, { idno: '1003600015231', name: 'Zefirul SRL' }, {}];
		registry.inject({ status: 200, body: { success: true, data } });
		const { items } = await run(enrich(), { items: itemsOf({ name: 'Zefirul' }) });
		expect(items[0]!.json).toMatchObject({ found: true, company_idno: '1003600015231' });
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
			...['ambiguous', 'alternatives', 'matchQuality'],
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

	it('needs at most 200 searches for 1,000 rows of 200 companies', async () => {
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
		expect(sent('/search')).toBeLessThanOrEqual(200);
		expect(sent('/credit/')).toBe(variant === 'v1' ? 200 : 0);
	});

	it('searches once for a company that one row names and another gives by IDNO', async () => {
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
			expect(error?.message).toContain(
				'"Minimum Match" must be exact, strong or a number from 0 to 1',
			);
			expect(requests).toHaveLength(0);
		},
	);

	it('is an error when the service is unavailable', async () => {
		const { run, registry } = await bench(variant);
		registry.inject({ status: 500, times: 'always' });
		const { error } = await run(enrich(), { items: itemsOf({ name: 'Vălmora' }) });
		expect(error?.message).toContain('is not working right now');
	});
});

/** Companies whose names no other company has, however spelled. */
function distinctlyNamed(companies: ReadonlyArray<Readonly<Company>>) {
	const keyOf = (name: string) =>
		parseName(name)
			.words.map(({ spellings }) => spellings[0])
			.sort()
			.join('');
	const counts = new Map<string, number>();
	for (const { name } of companies) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1);
	return companies.filter(({ name }) => counts.get(keyOf(name)) === 1);
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
		expect(error?.message).toContain('The credit recommendation is only available in the V1 API');
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

	it('may use other field names', async () => {
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

	it('may return 404 for an unknown company', async () => {
		const { run, registry } = await bench('v1');
		registry.inject({ status: 404, body: { success: false, error: 'Nothing found' } });
		const { items } = await run(enrich(), { items: itemsOf({ name: 'valmora' }) });
		expect(jsonOf(items)).toMatchObject([{ found: false }]);
	});
});
