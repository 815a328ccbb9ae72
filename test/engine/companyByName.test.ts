import { runNode } from './harness';
import type { NodeRun } from './harness';
import { callAsTool } from './contexts';

import { fakeService } from '../fakeService';
import { itemsOf, pairedWith } from './support';

describe('a company by its name', () => {
	const named = (value: string) => ({ __rl: true, mode: 'name', value });
	const [SALCIA, CAHUL, SOROCA] = ['1003600015231', '1008600038413', '1002600005897'];
	const COMPANIES = [
		{
			idno: SALCIA,
			name: '„SALCIA” S.R.L.',
			legal_form: 'S.R.L.',
			status: 'active',
			city: 'Orhei',
		},
		{ idno: CAHUL, name: 'Înfrățirea SRL', status: 'active', city: 'Cahul' },
		{ idno: SOROCA, name: 'Salcia Mare SRL', status: 'liquidated', city: 'Soroca' },
		{ idno: '1000600900002', name: 'Doi', legal_form: 'SRL', status: 'active', city: 'Bălți' },
		{ idno: '1004600000006', name: 'Doi', legal_form: 'SA', status: 'in_liquidation' },
	];

	async function registryOf(companies = COMPANIES) {
		const service = await fakeService(({ path, query }) => {
			const [, idno] = /(?:company|credit)\/(\d+)/.exec(path) ?? [];
			if (idno) return { success: true, ...companies.find((one) => one.idno === idno) };
			const words = fold(query.get('q') ?? '').split(' ');
			const data = companies.filter(({ name }) => words.every((word) => fold(name).includes(word)));
			return { success: true, total: data.length, data };
		});
		const get = async (value: string, more: Partial<NodeRun> = {}) =>
			await runNode({
				type: 'companyRegistry',
				parameters: { resource: 'company', operation: 'get', idno: named(value) },
				credentials: { companyRegistryApi: { ...service.credential, variant: 'v1' } },
				...more,
			});
		return { ...service, get, lines: service.lines };
	}

	const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

	it.each([
		['Salcia SRL', SALCIA],
		['SALCIA', SALCIA],
		['s.r.l. "Salcia"', SALCIA],
		['infratirea', CAHUL],
		['doi s.a.', '1004600000006'],
	])('is found as "%s", for one extra request', async (name, idno) => {
		const { get, lines } = await registryOf();
		const { items, error } = await get(name);
		expect(error).toBeUndefined();
		expect(items[0]!.json.idno).toBe(idno);
		expect(lines()).toHaveLength(2);
	});

	it.each([`${SALCIA}`, '1003 6000 15231'])('may be its IDNO: %s', async (idno) => {
		const { get, lines } = await registryOf();
		expect((await get(idno)).items[0]!.json.idno).toBe(SALCIA);
		expect(lines()).toEqual([`GET /api/v1/company/${SALCIA}`]);
	});

	it.each([
		[
			'Doi',
			/^2 companies have the name "Doi": Doi \(1000600900002, Bălți, active\); Doi \(1004600000006, in liquidation\)/,
			'IDNO',
		],
		['Doi ÎI', /^No company has exactly the name "Doi ÎI"/, 'Search'],
		['Salci', /^No company has exactly the name "Salci"/, 'Enrich'],
		['„”', /has neither letters nor digits/, 'name'],
	])('is an error where it is none or several: %s', async (name, message, remedy) => {
		const { get, lines } = await registryOf();
		const { error, items } = await get(name);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain(remedy);
		expect(lines().every((line) => line.includes('/search'))).toBe(true);
	});

	it('is searched once for all items that have it', async () => {
		const { get, lines } = await registryOf();
		const { items } = await get('={{ $json.name }}', {
			items: itemsOf({ name: 'Salcia' }, { name: 'salcia srl' }, { name: 'SALCIA' }),
		});
		expect(pairedWith(items)).toEqual([0, 1, 2]);
		expect(lines()).toHaveLength(2);
	});

	it('gives an agent a credit rating with one tool, and says what to do otherwise', async () => {
		const { credential } = await registryOf();
		const { answers } = await callAsTool(
			'companyRegistry',
			{
				resource: 'creditRecommendation',
				operation: 'get',
				idno: named("={{ $fromAI('company') }}"),
			},
			{ companyRegistryApi: { ...credential, variant: 'v1' } },
			[{ company: 'Salcia' }, { company: SALCIA }, { company: 'Doi' }],
		);
		expect(JSON.parse(answers[0]!)).toMatchObject([{ idno: SALCIA }]);
		expect(answers[1]).toBe(answers[0]);
		expect(answers[2]).toContain('1004600000006');
	});
});
