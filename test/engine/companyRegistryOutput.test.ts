import { jsonOf } from './harness';
import { callAsTool } from './contexts';

import type { INodeParameters, NodeExecutionHint } from 'n8n-workflow';

import { CREDIT_FIELDS, DOSSIER_FIELDS } from '../../nodes/CompanyRegistry/simplify';
import { bench } from './companyRegistrySupport';
import { itemsOf } from './linkManagementSupport';
import type { NodeOutcome } from './harness';

const IDNO = '1003600015231';

/** A dossier of 40 kB, as a company with many years, founders and licenses has. */
const LARGE_DOSSIER = {
	success: true,
	company: { idno: IDNO, name: 'Vălmora SRL', status: 'active', address: 'str. Morii 78' },
	administrators: people(8),
	founders: people(140),
	licenses: Array.from({ length: 120 }, (_, index) => ({
		number: `A MMII ${index}`,
		activity: 'Transport rutier de mărfuri',
		issued: '2020-01-01',
		status: 'valid',
	})),
	financials: Array.from({ length: 25 }, (_, index) => ({
		year: 2000 + index,
		...Object.fromEntries(
			Array.from({ length: 30 }, (_each, line) => [`line_${line}`, 1e6 + line]),
		),
	})),
	scoring: { rating: 'B', score: 71, insolvency_risk: 'low' },
	credit_limit_mdl: 250000,
};

function people(count: number) {
	return Array.from({ length: count }, (_, index) => ({
		name: `Persoana ${index}`,
		role: 'asociat',
		since: '2001-02-03',
		citizenship: 'Republica Moldova',
	}));
}

const dossier = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'company',
	operation: 'get',
	idno: IDNO,
	...more,
});

async function withDossier(body: object = LARGE_DOSSIER) {
	const subject = await bench('v1');
	subject.registry.inject({ status: 200, body, times: 'always' });
	return subject;
}

const sizeOf = (value: unknown) => JSON.stringify(value).length;

describe('Output', () => {
	it('is the whole record in a workflow', async () => {
		const { run } = await withDossier();
		const [json] = jsonOf((await run(dossier())).items);
		expect(sizeOf(json)).toBeGreaterThan(40_000);
		expect(json).toMatchObject({ company: { idno: IDNO }, founders: LARGE_DOSSIER.founders });
	});

	it('is simplified in the tool of an agent, unless the user chooses another', async () => {
		const { credential } = await withDossier();
		const credentials = { companyRegistryApi: credential };
		const answer = async (parameters: INodeParameters) => {
			const { answers } = await callAsTool('companyRegistry', parameters, credentials, [{}]);
			return JSON.parse(answers[0]!) as object[];
		};
		const [simple] = await answer(dossier());
		expect(sizeOf(simple)).toBeLessThan(2_500);
		expect(simple).toMatchObject({ idno: IDNO, rating: 'B', founders_count: 140 });
		const [raw] = await answer(dossier({ output: 'raw' }));
		expect(sizeOf(raw)).toBeGreaterThan(40_000);
	});

	it.each([false, true])('simplifies a dossier where asked (by routing: %s)', async (routed) => {
		const { run } = await withDossier();
		const { items } = await run(dossier({ output: 'simple' }), { routed });
		const [json] = jsonOf(items) as [object];
		expect(Object.keys(json).slice(0, DOSSIER_FIELDS.length)).toEqual(DOSSIER_FIELDS);
		expect(json).toMatchObject({
			...{ idno: IDNO, name: 'Vălmora SRL', status: 'active', address: 'str. Morii 78' },
			...{ rating: 'B', score: 71, insolvency_risk: 'low', credit_limit_mdl: 250000 },
			...{ administrators_count: 8, licenses_count: 120, financials_latest_year: 2024 },
		});
	});

	it('selects fields of the raw and of the simplified record', async () => {
		const { run } = await withDossier();
		const fields = ' idno, scoring.rating, founders_count, administrators.0.name, missing,, ';
		const { items } = await run(dossier({ output: 'fields', fields }));
		expect(jsonOf(items)).toEqual([
			{
				idno: IDNO,
				scoring_rating: 'B',
				founders_count: 140,
				administrators_0_name: 'Persoana 0',
				missing: null,
			},
		]);
	});

	it.each([
		[{ output: 'fields', fields: ' , ' }, 'The parameter "Fields" is empty'],
		[{ output: '={{ "all" }}' }, 'The parameter "Output" must be one of'],
	])('says what is wrong with %j', async (parameters, message) => {
		const { run } = await withDossier();
		const { items, error } = await run(dossier(parameters));
		expect(error?.message).toContain(message);
		const settings = { onError: 'continueRegularOutput' as const };
		const continued = await run(dossier(parameters), { settings });
		expect(items).toEqual([]);
		expect(jsonOf(continued.items)).toEqual([{ error: expect.stringContaining(message) }]);
	});

	it('puts IDNO and name first, regardless of the service’s order', async () => {
		const row = { status: 'active', zone: 1, name: 'X', idno: IDNO };
		const { run } = await withDossier({ success: true, data: [row] });
		const { items } = await run({ resource: 'company', operation: 'search', q: 'x' });
		expect(jsonOf(items).map((json) => Object.keys(json))).toEqual([
			['idno', 'name', 'status', 'zone'],
		]);
	});

	it('simplifies the rows of a search', async () => {
		const row = { idno: IDNO, name: 'X', contacts: { phones: ['1'], email: 'a@example.com' } };
		const { run } = await withDossier({ success: true, data: [row] });
		const { items } = await run({
			resource: 'company',
			operation: 'search',
			q: 'x',
			output: 'simple',
		});
		expect(jsonOf(items)).toEqual([
			expect.objectContaining({
				...{ idno: IDNO, name: 'X', city: null },
				...{ contacts_email: 'a@example.com', contacts_phones: '1', contacts_phones_count: 1 },
			}),
		]);
	});

	it('simplifies a credit recommendation, with Output and with Simplify', async () => {
		const { run, companies } = await bench('v1');
		const credit = { resource: 'creditRecommendation', operation: 'get', idno: companies[7]!.idno };
		const [simple] = jsonOf((await run({ ...credit, output: 'simple' })).items);
		const [before] = jsonOf((await run({ ...credit, simplify: true })).items);
		expect(Object.keys(simple!)).toEqual(CREDIT_FIELDS);
		expect(before).toEqual(simple);
	});

	it('applies to the company fields of an enriched row', async () => {
		const row = { idno: IDNO, name: 'X', contacts: { email: 'a@example.com' }, notes: [] };
		const { run } = await withDossier({ success: true, data: [row] });
		const enrich = { resource: 'company', operation: 'enrich', companyIdno: IDNO };
		const items = itemsOf({ customer: 7 });
		const [simple] = jsonOf((await run({ ...enrich, output: 'simple' }, { items })).items);
		expect(simple).toMatchObject({
			...{ customer: 7, found: true, company_idno: IDNO, company_city: null },
			...{ company_contacts_email: 'a@example.com', company_notes_count: 0 },
		});
		const selected = { output: 'fields', fields: 'name, contacts.email' };
		const [named] = jsonOf((await run({ ...enrich, ...selected }, { items })).items);
		expect(Object.keys(named!).filter((key) => key.startsWith('company_'))).toEqual([
			'company_name',
			'company_contacts_email',
		]);
	});
});

const hintsOf = ({ run }: NodeOutcome): NodeExecutionHint[] =>
	run.data.resultData.runData.Subject?.at(-1)?.hints ?? [];

describe('a V1 search with more results than it returns', () => {
	const rows = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ idno: `${1000000000000 + index}`, name: 'X' }));
	const search = { resource: 'company', operation: 'search', q: 'x' };

	it.each([{ returnAll: true }, { limit: 50 }, { limit: 200 }])(
		'returns what there is and says so once per run: %j',
		async (wanted) => {
			const { run, requests } = await withDossier({ success: true, total: 126, data: rows(50) });
			const outcome = await run({ ...search, ...wanted }, { items: itemsOf({}, {}, {}) });
			expect(outcome.items).toHaveLength(150);
			expect(hintsOf(outcome).map(({ message, type }) => [message, type])).toEqual([
				[expect.stringMatching(/^A search returned 50 of 126 companies.*narrow/), 'warning'],
			]);
			expect(requests.map(({ query }) => query.limit)).toEqual(['50']);
		},
	);

	it('shows a notice even if the service does not return the total', async () => {
		const { run } = await withDossier({ success: true, data: rows(50) });
		const outcome = await run({ ...search, returnAll: true });
		expect(hintsOf(outcome).map(({ message }) => message)).toEqual([
			expect.stringMatching(/^A search returned 50 companies/),
		]);
	});

	it.each([
		['all came', { returnAll: true }, { total: 50, data: rows(50) }, 50],
		['few were wanted', { limit: 10 }, { total: 126, data: rows(10) }, 10],
		['the service returns more than asked', { returnAll: true }, { total: 80, data: rows(80) }, 80],
		['nothing was found', { returnAll: true }, { total: 0, data: [] }, 0],
	])('says nothing where %s', async (_case, wanted, body, count) => {
		const { run } = await withDossier({ success: true, ...body });
		const outcome = await run({ ...search, ...wanted });
		expect(outcome.items).toHaveLength(count);
		expect(hintsOf(outcome)).toEqual([]);
	});
});

describe('a daily quota that runs low', () => {
	const search = { resource: 'company', operation: 'search', q: '={{ $json.q }}' };
	const quota = { headersDescribe: 'day', dailyQuota: { limit: 20 } } as const;
	const run = async (count: number) => {
		const subject = await bench('v1', { ...quota, rateLimit: { limit: null } });
		const items = itemsOf(...Array.from({ length: count }, (_, index) => ({ q: `agro${index}` })));
		return hintsOf(await subject.run(search, { items })).map(({ message }) => message);
	};

	it('is reported below a tenth, with the requests left at the end', async () => {
		expect(await run(19)).toEqual(['1 of 20 requests of the daily quota are left']);
	});

	it('is not reported before', async () => {
		expect(await run(10)).toEqual([]);
	});
});

describe('the state of a key whose daily quota is exhausted', () => {
	it('is returned, since the status call is outside the quota', async () => {
		const quota = { dailyQuota: { limit: 1 }, rateLimit: { limit: null } };
		const { run } = await bench('v1', quota);
		const search = { resource: 'company', operation: 'search', q: '={{ $json.q }}' };
		const { error } = await run(search, { items: itemsOf({ q: 'agro' }, { q: 'vin' }) });
		expect(error?.message).toMatch(/quota/);
		const status = await run({ resource: 'apiKey', operation: 'getStatus' });
		expect(jsonOf(status.items)).toEqual([expect.objectContaining({ daily_remaining: 0 })]);
	});
});

describe('the state of a key that is a number', () => {
	it.each([
		['100', { daily_limit: 100, plan: 'Free' }, { daily_limit: 100, plan: 'Free' }],
		['12345678901', { key: 12345678901, limit: 100 }, { key: '***', limit: 100 }],
		[
			'se"cret\\key',
			{ key: 'se"cret\\key', rest: ['a se"cret\\key'] },
			{ key: '***', rest: ['a ***'] },
		],
	])('is readable, without the key: %s', async (apiKey, body, expected) => {
		const { run, registry, credential } = await bench('v1');
		registry.inject({ status: 200, body: { success: true, ...body } });
		const credentials = { companyRegistryApi: { ...credential, apiKey } };
		const { items, error } = await run(
			{ resource: 'apiKey', operation: 'getStatus' },
			{ credentials },
		);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([expected]);
	});
});
