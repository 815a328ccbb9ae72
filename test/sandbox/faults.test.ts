import { linkCaller, sandboxFor } from './support';

describe('Sandbox faults', () => {
	test('a fault returns a status instead of processing the request', async () => {
		const sandbox = await sandboxFor({ links: { rateLimit: { limit: 30 } } });
		const call = linkCaller(sandbox);
		sandbox.links.inject({ status: 503, headers: { 'Retry-After': '2' }, body: { error: 1 } });
		const failed = await call('POST', '/api/channel/add', { name: 'x' });
		expect([failed.status, failed.json]).toEqual([503, { error: 1 }]);
		expect(failed.headers.get('Retry-After')).toBe('2');
		expect(sandbox.links.state.channels.size).toBe(60);
		const next = await call('GET', '/api/account');
		expect(next.headers.get('X-RateLimit-Remaining')).toBe('29');
	});

	test('a fault skips the first matching requests, and ends after a number of them', async () => {
		const sandbox = await sandboxFor();
		const call = linkCaller(sandbox);
		sandbox.links.inject({
			method: 'get',
			path: /^\/api\/qr\/\d+$/g,
			after: 1,
			times: 2,
			status: 500,
		});
		const statuses = [];
		for (const path of ['/api/account', '/api/qr/1', '/api/qr/1', '/api/qr/2', '/api/qr/3']) {
			statuses.push((await call('GET', path)).status);
		}
		expect(statuses).toEqual([200, 200, 500, 500, 200]);
	});

	test.each([
		[{ cut: 'before-any-byte' }, 60, 0],
		[{ cut: 'before-any-byte', carryOut: true }, 61, 0],
		[{ cut: 'mid-body' }, 61, 200],
	] as const)('the fault %j closes the connection', async (fault, channels, status) => {
		const sandbox = await sandboxFor();
		sandbox.links.inject(fault);
		await expect(linkCaller(sandbox)('POST', '/api/channel/add', { name: 'x' })).rejects.toThrow();
		expect(sandbox.links.state.channels.size).toBe(channels);
		expect(sandbox.links.requests).toMatchObject([{ status, body: { name: 'x' } }]);
	});

	test.each([
		['html', (text: string) => text.startsWith('<!doctype html>')],
		['empty', (text: string) => text === ''],
		['cut-off-json', (text: string) => text.startsWith('{"error"') && !text.endsWith('}')],
		['wrong-shape', (text: string) => JSON.parse(text).data === 'unexpected'],
	] as const)('a fault returns a malformed body (%s)', async (malformed, looksRight) => {
		const sandbox = await sandboxFor();
		sandbox.links.inject({ malformed });
		const { status, text } = await linkCaller(sandbox)('GET', '/api/qr');
		expect(status).toBe(200);
		expect(looksRight(text)).toBe(true);
	});

	test('a fault repeats rows from the previous page', async () => {
		const sandbox = await sandboxFor();
		sandbox.links.inject({ path: '/api/qr', after: 1, repeatRows: 2 });
		const call = linkCaller(sandbox);
		const idsOf = async (page: number) =>
			(await call('GET', `/api/qr?limit=5&page=${page}`)).json.data.qrs.map(
				({ id }: { id: number }) => id,
			);
		expect(await idsOf(1)).toEqual([90, 89, 88, 87, 86]);
		expect(await idsOf(2)).toEqual([87, 86, 85, 84, 83, 82, 81]);
		expect(await idsOf(3)).toEqual([80, 79, 78, 77, 76]);
	});

	test('rejects a fault with an unknown field', async () => {
		const { links } = await sandboxFor();
		expect(() => links.inject({ stauts: 500 } as object)).toThrow("Unknown fault field 'stauts'");
	});
});
