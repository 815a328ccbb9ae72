import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { systemClock } from '../../../nodes/shared/http/clock';
import { type FakeResponse, fakeService } from '../../fakeService';
import { callAsTool } from '../contexts';
import { jsonOf } from '../harness';
import { bench, continuing, numbered, pairedWith, runAt } from '../support';

const create = {
	resource: 'campaign',
	operation: 'create',
	campaignName: '={{ "Campaign no. " + $json.id }}',
};

/** A rejection by the rate limit. */
const REJECTION: FakeResponse = {
	status: 429,
	headers: { 'x-ratelimit-limit': 30, 'x-ratelimit-remaining': 0, 'retry-after': 12 },
	body: { error: 1, message: 'Too many requests' },
};

/** Lets waits pass in an instant. */
function skipWaits(): void {
	let skipped = 0;
	jest.spyOn(systemClock, 'now').mockImplementation(() => Date.now() + skipped);
	jest.spyOn(systemClock, 'sleep').mockImplementation(async (ms) => {
		// Long enough for a response that's on its way.
		await sleep(20);
		skipped += ms;
	});
}
afterEach(() => jest.restoreAllMocks());

// test/shared/http covers what a rejection is, how long it blocks, and how runs take turns.
test('carries out each write once, even if the rate limit rejects it at first', async () => {
	skipWaits();
	const rejected = [1, 3, 4];
	const service = await fakeService(({ number }) =>
		rejected.includes(number) ? REJECTION : { error: 0, id: number },
	);
	const { items, error } = await runAt(service, create, { items: numbered(6) });
	expect(error).toBeUndefined();
	expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4, 5]);
	const done = service.requests.filter(({ number }) => !rejected.includes(number));
	const names = done.map(({ json }) => (json as { name: string }).name);
	expect(names.sort()).toEqual([1, 2, 3, 4, 5, 6].map((id) => `Campaign no. ${id}`));
});

test('"On Rate Limit: Fail" sends what the window allows, then says when to try again', async () => {
	const { run, requests } = await bench({
		rateLimit: { limit: 2, windowMs: 60_000, reset: 'epochMs' },
	});
	const failing = { ...create, options: { onRateLimit: 'fail' } };
	const { items } = await run(failing, { items: numbered(5), ...continuing });
	expect(requests.map(({ status }) => status)).toEqual([200, 200]);
	expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4]);
	const message = "You've reached the rate limit of the Link Management API key";
	expect(jsonOf(items).filter((json) => 'error' in json)).toEqual(
		Array.from({ length: 3 }, () => ({ error: expect.stringContaining(message) as string })),
	);
	const { error } = await run(failing, { items: numbered(1) });
	expect(error).toMatchObject({
		httpCode: '429',
		description: expect.stringMatching(
			/^Try again in (\d+ s|1 min)\. To wait automatically, set "On Rate Limit" to Wait\.$/,
		),
		failure: { cause: 'rate-limited', retryAfterMs: expect.any(Number) },
	});
	expect(requests).toHaveLength(2);
});

test.each<[string, INodeParameters, sent: number, RegExp]>([
	[
		'says when to try again instead of waiting for the rate limit',
		{},
		1,
		/^You've reached the rate limit of the Link Management API key.* Try again in 12 s\./,
	],
	['waits if "On Rate Limit" is set to Wait', { onRateLimit: 'wait' }, 2, /"id":\s*2\b/],
])('an agent’s tool %s', async (_, options, sent, answer) => {
	skipWaits();
	const service = await fakeService(({ number }) =>
		number === 1 ? REJECTION : { error: 0, id: number },
	);
	const credentials = { linkManagementApi: service.credential };
	const parameters = { ...create, options };
	const { answers } = await callAsTool('linkManagement', parameters, credentials, [{}]);
	expect(answers[0]).toMatch(answer);
	expect(service.requests).toHaveLength(sent);
});
