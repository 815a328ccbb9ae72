import { jsonOf, type NodeRun } from '../harness';
import { callAsTool } from '../contexts';

import { byName, hintsOf, registryAt, registryOf } from '../support';

describe('Company by name', () => {
	const [SALCIA, CAHUL, SOROCA] = ['1003600015231', '1008600038413', '1002600005897'];
	const COMPANIES = [
		{ idno: SALCIA, name: '„SALCIA” S.R.L.', status: 'active', city: 'Orhei' },
		{ idno: CAHUL, name: 'Înfrățirea SRL', status: 'active', city: 'Cahul' },
		{ idno: SOROCA, name: 'Salcia Mare SRL', status: 'liquidated', city: 'Soroca' },
		{ idno: '1000600900002', name: 'Doi', legal_form: 'SRL', status: 'active', city: 'Bălți' },
		{ idno: '1004600000006', name: 'Doi', legal_form: 'SA', status: 'in_liquidation' },
	];

	const registry = async () => {
		const { run, ...service } = await registryAt(registryOf(COMPANIES), 'v1');
		const get = async (value: string, more: Partial<NodeRun> = {}) =>
			await run({ resource: 'company', operation: 'get', idno: byName(value) }, more);
		return { ...service, run, get };
	};

	it.each([
		['Salcia SRL', SALCIA],
		['SALCIA', SALCIA],
		['s.r.l. "Salcia"', SALCIA],
		['infratirea', CAHUL],
		['doi s.a.', '1004600000006'],
	])('finds a company by the name "%s" with one extra request', async (name, idno) => {
		const { get, lines } = await registry();
		const { items, error } = await get(name);
		expect(error).toBeUndefined();
		expect(items[0]!.json.idno).toBe(idno);
		expect(lines()).toHaveLength(2);
	});

	it.each([SALCIA, '1003 6000 15231'])('accepts the IDNO "%s" instead of a name', async (idno) => {
		const { get, lines } = await registry();
		expect((await get(idno)).items[0]!.json.idno).toBe(SALCIA);
		expect(lines()).toEqual([`GET /api/v1/company/${SALCIA}`]);
	});

	it.each([
		'Înfrățirea SRL (1008600038413)',
		'Înfrățirea SRL, IDNO: 1008600038413',
		'Înfrățirea SRL, Cahul, active, 1008600038413',
	])('takes the IDNO from "%s", which can be one of the companies to choose from', async (text) => {
		const { get, run, lines } = await registry();
		expect((await get(text)).items[0]!.json.idno).toBe(CAHUL);
		const idno = { __rl: true, mode: 'idno', value: text };
		const typed = await run({ resource: 'company', operation: 'get', idno });
		expect(typed.items[0]!.json.idno).toBe(CAHUL);
		expect(new Set(lines())).toEqual(new Set([`GET /api/v1/company/${CAHUL}`]));
	});

	it.each([
		[
			'Doi',
			/^2 companies have the name "Doi": Doi, Bălți, 1000600900002; Doi, in liquidation, 1004600000006/,
			'IDNO',
		],
		['Doi ÎI', /^No company is named exactly "Doi ÎI"/, 'Search'],
		['Salci', /^No company is named exactly "Salci"/, 'Search'],
		['Salcia SRL, tel. 022 123456', /^No company (is|was found that is) named exactly/, 'Search'],
		['„”', /^No company (is|was found that is) named exactly/, 'Search'],
	])('says why "%s" names no single company, and what to do', async (name, message, remedy) => {
		const { get, lines } = await registry();
		const { error, items } = await get(name);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain(remedy);
		expect(lines().every((line) => line.includes('/search'))).toBe(true);
	});

	it('mentions possible namesakes if the search returns a full page', async () => {
		const cutOff = async (last: object) => {
			const others = Array.from({ length: 49 }, (_row, index) => ({
				...{ idno: String(1_000_000_000_000 + index), name: `Salcia ${index}` },
			}));
			const found = { data: [...others, last] };
			const { run } = await registryAt(
				({ path }) => ({ success: true, ...(path.includes('search') ? found : last) }),
				'v1',
			);
			return await run({ resource: 'company', operation: 'get', idno: byName('Salcia') });
		};
		const found = await cutOff(COMPANIES[0]!);
		expect(jsonOf(found.items)).toMatchObject([{ idno: SALCIA }]);
		expect(hintsOf(found)).toMatchObject([
			{ message: expect.stringContaining('another company with this name') as string },
		]);
		const { error } = await cutOff(COMPANIES[2]!);
		expect(error?.description).toContain('more results than the node read');
	});

	it('gives an agent a credit rating by name or IDNO, and the IDNOs to choose from if a name is ambiguous', async () => {
		const { credential } = await registry();
		const idno = byName("={{ $fromAI('company') }}");
		const { answers } = await callAsTool(
			'companyRegistry',
			{ resource: 'creditRecommendation', operation: 'get', idno },
			{ companyRegistryApi: credential },
			[{ company: 'Salcia' }, { company: SALCIA }, { company: 'Doi' }],
		);
		expect(JSON.parse(answers[0]!)).toMatchObject([{ idno: SALCIA }]);
		expect(answers[1]).toBe(answers[0]);
		expect(answers[2]).toContain('1004600000006');
	});
});
