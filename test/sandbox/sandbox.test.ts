import fc from 'fast-check';
import { startSandbox } from '../../sandbox';
import { OPERATIONS } from '../../sandbox/control/operations';
import { RowStore } from '../../sandbox/links/rowStore';

test('the sandbox rejects requests over the rate limit or the daily quota, and says when to try again', async () => {
	let now = Date.UTC(2026, 0, 15, 12, 0, 0);
	const v1 = { rateLimit: { limit: 2 }, dailyQuota: { limit: 3 } };
	const sandbox = await startSandbox({ clock: () => now, registry: { v1 } });
	const { apiKey, baseUrl } = sandbox.registry.v1;
	const search = async () => {
		const headers = { 'X-API-Key': apiKey };
		const response = await fetch(`${baseUrl}/api/v1/search?q=a`, { headers });
		const names = ['X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'];
		return [response.status, ...names.map((name) => response.headers.get(name))];
	};
	try {
		expect(await search()).toEqual([200, '1', '1768478460', null]);
		expect(await search()).toEqual([200, '0', '1768478460', null]);
		expect(await search()).toEqual([429, '0', '1768478460', '60']);
		now += 60_000;
		// The rejected request didn't count.
		expect((await search())[0]).toBe(200);
		expect(await search()).toEqual([429, '0', '1768478520', String(12 * 3600 - 60)]);
		now += 12 * 3_600_000;
		expect((await search())[0]).toBe(200);
	} finally {
		await sandbox.close();
	}
});

test('RowStore contains the rows that were inserted and not deleted', () => {
	const step = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 30 }));
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 12 }), fc.array(step), (count, steps) => {
			const store = new RowStore(count, (id) => ({ id }));
			const expected = new Set(store.all().map(({ id }) => id));
			let last = count;
			for (const id of steps) {
				if (id === null) expected.add(store.insert((next) => ({ id: next })).id);
				else expect(store.delete(id)).toBe(expected.delete(id));
				if (id === null) expect(store.has(++last)).toBe(true);
			}
			const ids = [...expected].sort((a, b) => a - b);
			expect(store.all().map(({ id }) => id)).toEqual(ids);
			expect(store.newest(1, 3).map(({ id }) => id)).toEqual([...ids].reverse().slice(1, 4));
		}),
	);
});

test('every button of the control page calls an operation of the sandbox', async () => {
	const sandbox = await startSandbox();
	const page = await (await fetch(sandbox.url)).text();
	await sandbox.close();
	const calls = [...page.matchAll(/data-call="([^"]+)"/g)].map(([, call]) => call);
	// One for each of the triggers' seven events, and three resets.
	expect(calls).toHaveLength(10);
	expect(Object.keys(OPERATIONS)).toEqual(expect.arrayContaining(calls));
});
