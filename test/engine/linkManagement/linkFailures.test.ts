import type { INodeParameters } from 'n8n-workflow';

import type { FaultInput } from '../../../sandbox';
import { fakeService } from '../../fakeService';
import { byId, jsonOf } from '../harness';
import { bench, continuing, itemsOf, numbered, pairedWith, runAt } from '../support';

// test/shared/http covers what a response means. This file covers n8n's HTTP client and engine.

const get = { resource: 'account', operation: 'get' };
const getQr = { resource: 'qrCode', operation: 'get', qrCodeId: byId('={{ $json.id }}') };
const put = {
	resource: 'channel',
	operation: 'update',
	channelId: byId(1),
	channelFields: { name: 'N' },
};
const post = {
	resource: 'campaign',
	operation: 'create',
	campaignName: '={{ "Campaign no. " + $json.id }}',
};

/** A window that no test outlasts. */
const AN_HOUR = { windowMs: 3_600_000, reset: 'epochMs' } as const;

afterEach(() => jest.restoreAllMocks());

// test/shared/http/retry.test.ts covers which requests are retried.
test.each<[string, number, FaultInput['cut'], INodeParameters]>([
	['PUT', 2, 'before-any-byte', put],
	['PUT', 2, 'mid-body', put],
	['POST', 1, 'before-any-byte', post],
	['POST', 1, 'mid-body', post],
])('a %s is sent %d times if the connection is cut %s', async (...row) => {
	const [, attempts, cut, parameters] = row;
	// Makes the pause as short as possible.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	const { run, links, requests } = await bench();
	links.inject({ cut, carryOut: true });
	const { error } = await run(parameters, { items: numbered(1) });
	expect(error === undefined).toBe(attempts > 1);
	expect(requests).toHaveLength(attempts);
	expect(requests.at(-1)!.body).toEqual(requests[0]!.body);
});

test('an error quotes the service’s explanation and names the parameter', async () => {
	const { run, requests } = await bench();
	const { error } = await run(getQr, { items: itemsOf({ id: 1 }, { id: 9999 }) });
	expect(error).toMatchObject({
		message: 'QR code does not exist [item 1]',
		description: expect.stringContaining('"QR Code" (9999)') as string,
		httpCode: '404',
		context: { itemIndex: 1 },
	});
	expect(requests).toHaveLength(2);
});

test('a rejected key isn’t sent again for the remaining items', async () => {
	const service = await fakeService(() => ({ status: 401, body: { error: 1 } }));
	const { items } = await runAt(service, getQr, { items: numbered(500), ...continuing });
	expect(pairedWith(items)).toEqual(numbered(500).map((_, index) => index));
	for (const { error } of jsonOf(items)) expect(error).toMatch(/didn't accept the API key/);
	expect(service.requests).toHaveLength(1);
});

test('doesn’t follow a redirect of the Base URL, so the key never reaches another host', async () => {
	const elsewhere = await fakeService(() => ({ error: 0 }));
	const location = `${elsewhere.baseUrl}/api/account?token=1`;
	const moved = await fakeService(() => ({ status: 301, headers: { location } }));
	const { error } = await runAt(moved, get);
	expect(error!.message).toContain(`redirects to ${elsewhere.baseUrl}/api/account`);
	expect(elsewhere.requests).toEqual([]);
});

test('a failed item stops the run, which sends nothing more and reports the item’s index', async () => {
	const { run, links, requests } = await bench({ rateLimit: { limit: 4, ...AN_HOUR } });
	links.inject({ path: '/api/qr/3', status: 500 });
	const { error, items } = await run(getQr, { items: numbered(40) });
	expect(error!.message).toContain('(HTTP 500) [item 2]');
	expect(error!.context.itemIndex).toBe(2);
	expect(items).toEqual([]);
	expect(requests).toHaveLength(4);
});

test.each<[string, INodeParameters, Parameters<typeof bench>[0], number]>([
	['the wait for the rate limit', post, { rateLimit: { limit: 2, ...AN_HOUR } }, 2],
	['a request before its response', get, { latencyMs: 600_000 }, 1],
])('canceling the execution ends %s', async (_, parameters, settings, sent) => {
	const { run, requests } = await bench(settings);
	const cancel = new AbortController();
	const timer = setInterval(() => requests.length >= sent && cancel.abort(), 5);
	const { run: outcome } = await run(parameters, { items: numbered(10), cancel: cancel.signal });
	clearInterval(timer);
	// Not "error", which would start the error workflow.
	expect(outcome.status).toBe('canceled');
	expect(requests).toHaveLength(sent);
});
