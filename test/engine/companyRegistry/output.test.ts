import { callAsTool } from '../contexts';
import { jsonOf } from '../harness';

import type { INodeParameters } from 'n8n-workflow';

import { DOSSIER_FIELDS } from '../../../nodes/CompanyRegistry/company';
import { hintsOf, itemsOf, registryBench } from '../support';

const IDNO = '1003600015231';

/** A full record of 40 kB, like that of a company with many founders. */
const LARGE_DOSSIER = {
	success: true,
	company: { idno: IDNO, name: 'Vălmora SRL', status: 'active', address: 'str. Morii 78' },
	administrators: people(8),
	founders: people(400),
	financials: Array.from({ length: 25 }, (_, index) => ({ year: 2000 + index, sales: 1e6 })),
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
	const subject = await registryBench('v1');
	subject.registry.inject({ status: 200, body, times: 'always' });
	return subject;
}

describe('Output', () => {
	it.each([false, true])('returns a simplified company by default (routed: %s)', async (routed) => {
		const { run } = await withDossier();
		const [json] = jsonOf((await run(dossier(), { routed })).items);
		expect(Object.keys(json!).slice(0, DOSSIER_FIELDS.length)).toEqual(DOSSIER_FIELDS);
		expect(json).toMatchObject({
			...{ idno: IDNO, name: 'Vălmora SRL', status: 'active', address: 'str. Morii 78' },
			...{ rating: 'B', score: 71, insolvency_risk: 'low', recommended_limit_mdl: 250000 },
			...{ administrators_count: 8, founders_count: 400, financials_latest_year: 2024 },
		});
	});

	it('returns a selected field as the service sends it, even if the simplified output sums it up', async () => {
		const { run } = await withDossier();
		const parameters = dossier({ output: 'fields', otherFields: 'administrators, founders_count' });
		const { administrators } = LARGE_DOSSIER;
		const [json] = jsonOf((await run(parameters)).items);
		expect(json).toEqual({ idno: IDNO, administrators, founders_count: 400 });
		expect(Object.keys(json!)[0]).toBe('idno');
	});

	it.each(['name, status', 'name; status', 'name\nstatus', '["name", "status"]'])(
		'reads the names of selected fields from a list in any form: %j',
		async (otherFields) => {
			const { run } = await withDossier();
			const [json] = jsonOf((await run(dossier({ output: 'fields', otherFields }))).items);
			expect(json).toEqual({ idno: IDNO, name: 'Vălmora SRL', status: 'active' });
		},
	);

	const ROW = { zone: 1, name: 'X', idno: IDNO, contacts: { email: 'a@example.com' }, notes: [] };
	const SIMPLE_ROW = {
		...{ idno: IDNO, name: 'X', city: null },
		...{ contacts_email: 'a@example.com', notes_count: 0, zone: 1 },
	};

	it.each([
		[{}, ['idno', 'name', 'zone', 'contacts', 'notes'], ROW],
		[{ output: 'simple' }, undefined, SIMPLE_ROW],
	])(
		'returns raw search results by default, with IDNO and name first, or simplified ones (%j)',
		async (output, keys, row) => {
			const { run } = await withDossier({ success: true, data: [ROW] });
			const { items } = await run({ resource: 'company', operation: 'search', q: 'x', ...output });
			expect(jsonOf(items)).toMatchObject([row]);
			if (keys) expect(Object.keys(items[0]!.json)).toEqual(keys);
		},
	);
});

describe('Notice about incomplete V1 searches', () => {
	const rows = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ idno: `${1000000000000 + index}`, name: 'X' }));
	const search = { resource: 'company', operation: 'search', q: 'x' };
	const all = { returnAll: true };
	const of126 = { total: 126, data: rows(50) };

	// test/CompanyRegistry/search.test.ts covers when a response leaves companies out.
	it.each<[string, INodeParameters, object, number, string?]>([
		['50 of 126 companies', all, of126, 50, '50 of 126'],
		['50 companies with a Limit above', { limit: 200 }, of126, 50, '50 of 126'],
		['50 of 126 companies, the Limit', { limit: 50 }, of126, 50, '50 of 126'],
		['10 of 126 companies, a lower Limit', { limit: 10 }, { total: 126, data: rows(10) }, 10],
		['a full page without a total', all, { data: rows(50) }, 50, '50 companies'],
		['all companies', all, { total: 50, data: rows(50) }, 50],
		['more companies than Limit', { limit: 7 }, { data: rows(50) }, 7],
	])(
		'a notice appears once per run, and only if a V1 search leaves companies out (V1 returns %s)',
		async (...row) => {
			const [, wanted, body, count, said] = row;
			const { run, requests } = await withDossier({ success: true, ...body });
			const outcome = await run({ ...search, ...wanted }, { items: itemsOf({}, {}) });
			expect(outcome.items).toHaveLength(2 * count);
			const { limit = 50 } = wanted as { limit?: number };
			expect(requests.map(({ query }) => query.limit)).toEqual([String(Math.min(limit, 50))]);
			const notice = [`A search returned ${said}`, 'narrow the search'].map(
				(each) => expect.stringContaining(each) as string,
			);
			expect(hintsOf(outcome).map(({ message, type }) => [message, message, type])).toEqual(
				said ? [[...notice, 'warning']] : [],
			);
		},
	);

	it('an agent learns how many companies the registry has, if a V1 search leaves some out', async () => {
		const { credential } = await withDossier({ success: true, ...of126 });
		const { answers } = await callAsTool(
			'companyRegistry',
			{ ...search, q: "={{ $fromAI('q') }}", ...all },
			{ companyRegistryApi: credential },
			[{ q: 'x' }],
		);
		const found = JSON.parse(answers[0]!) as object[];
		expect(found.at(-1)).toEqual({ truncated: true, returned: 50, total: 126 });
	});
});
