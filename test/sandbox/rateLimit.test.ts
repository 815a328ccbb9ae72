import type { LinkSettings } from '../../sandbox';
import { linkCaller, manualClock, sandboxFor } from './support';

const MINUTE = 60_000;

async function limited(rateLimit: Partial<LinkSettings['rateLimit']> = {}) {
	const clock = manualClock();
	const sandbox = await sandboxFor({ clock: clock.now, links: { rateLimit } });
	return { clock, sandbox, call: linkCaller(sandbox) };
}

describe('Sandbox rate limit', () => {
	test('the sandbox rejects the 31st request in a window and doesn’t carry it out', async () => {
		const { sandbox, call } = await limited();
		for (let i = 0; i < 30; i++) {
			expect((await call('POST', '/api/channel/add', { name: 'x' })).status).toBe(200);
		}
		const refused = await call('POST', '/api/channel/add', { name: 'x' });
		expect(refused.status).toBe(429);
		expect(refused.json).toEqual({ error: 1, message: expect.any(String) });
		expect(sandbox.links.state.channels.size).toBe(60 + 30);
	});

	// Each row lists the pause before each request, and the status of each.
	test.each<[string, Partial<LinkSettings['rateLimit']>, pauses: number[], statuses: number[]]>([
		[
			'fixed windows',
			{ limit: 2 },
			[1_234, MINUTE - 1, 0, 1, 0, 0],
			[200, 200, 429, 200, 200, 429],
		],
		[
			'windows aligned to the clock',
			{ limit: 1, alignment: 'clock' },
			[45_000, 14_999, 1],
			[200, 429, 200],
		],
		[
			'a sliding window',
			{ limit: 2, kind: 'sliding' },
			[0, 30_000, 30_000, 0],
			[200, 200, 200, 429],
		],
	])('the sandbox can count requests in %s', async (_, settings, pauses, statuses) => {
		const { clock, call } = await limited(settings);
		const received: number[] = [];
		for (const ms of pauses) {
			clock.advance(ms);
			received.push((await call('GET', '/api/account')).status);
		}
		expect(received).toEqual(statuses);
	});

	test.each([
		['x-ratelimit', ['29', null]],
		['ratelimit', [null, '29']],
		['none', [null, null]],
	] as const)(
		'the sandbox sends rate-limit headers of the family "%s"',
		async (family, remaining) => {
			const { call } = await limited({ family });
			const { headers } = await call('GET', '/api/qr/9999');
			const names = ['X-RateLimit-Remaining', 'RateLimit-Remaining'];
			expect(names.map((name) => headers.get(name))).toEqual(remaining);
		},
	);

	test.each([
		['epochSeconds', '1768478460'],
		['epochMs', '1768478460000'],
		['secondsFromNow', '60'],
		['httpDate', 'Thu, 15 Jan 2026 12:01:00 GMT'],
		['isoDate', '2026-01-15T12:01:00.000Z'],
	] as const)('the sandbox can write the reset as %s', async (reset, text) => {
		const { call } = await limited({ reset });
		expect((await call('GET', '/api/account')).headers.get('X-RateLimit-Reset')).toBe(text);
	});

	test.each([
		['429', 429, null, 'application/json'],
		['429-retry-after-seconds', 429, '60', 'application/json'],
		['429-retry-after-date', 429, 'Thu, 15 Jan 2026 12:01:00 GMT', 'application/json'],
		['ok-error', 200, null, 'application/json'],
		['403-text', 403, null, 'text/plain'],
		['403-text-retry-after-seconds', 403, '60', 'text/plain'],
	] as const)(
		'the sandbox can reject requests with the response "%s"',
		async (refusal, status, retryAfter, type) => {
			const { call } = await limited({ limit: 1, refusal });
			await call('GET', '/api/account');
			const refused = await call('GET', '/api/account');
			expect(refused.status).toBe(status);
			expect(refused.headers.get('Retry-After')).toBe(retryAfter);
			expect(refused.headers.get('content-type')).toContain(type);
			expect(refused.headers.get('X-RateLimit-Remaining')).toBe('0');
			if (refused.json) expect(refused.json).toMatchObject({ error: 1 });
			else expect(refused.text).toMatch(/exceeded/);
		},
	);

	test('the sandbox gives each key its own window', async () => {
		const clock = manualClock();
		const links = { rateLimit: { limit: 1 }, otherApiKeys: ['second'] };
		const sandbox = await sandboxFor({ clock: clock.now, links });
		expect((await linkCaller(sandbox)('GET', '/api/account')).status).toBe(200);
		expect((await linkCaller(sandbox, 'second')('GET', '/api/account')).status).toBe(200);
		expect((await linkCaller(sandbox, 'second')('GET', '/api/account')).status).toBe(429);
		// Requests with a wrong key don't count.
		expect((await linkCaller(sandbox, 'wrong')('GET', '/api/account')).status).toBe(401);
	});
});
