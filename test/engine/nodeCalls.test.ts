import { callAsTool } from './contexts';
import { byId, jsonOf } from './harness';

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { systemClock } from '../../nodes/shared/http/clock';
import { fakeService } from '../fakeService';
import { selfSigned } from '../selfSigned';
import {
	bench,
	continuing,
	ENTRY_POINTS,
	itemsOf,
	listOf,
	numbered,
	pairedWith,
	runAt,
} from './support';

afterEach(() => jest.restoreAllMocks());

const getAccount = { resource: 'account', operation: 'get' };

const getQr = (requestOptions: INodeParameters = {}): INodeParameters => ({
	resource: 'qrCode',
	operation: 'get',
	qrCodeId: byId('={{ $json.id }}'),
	requestOptions,
});

test.each(ENTRY_POINTS)(
	'evaluates a credential’s expressions for each item, through %s',
	async (_entryPoint, routed) => {
		const accounts = [await bench(), await bench()];
		const { items, error } = await accounts[0]!.run(getAccount, {
			items: itemsOf({}, {}, {}, {}),
			credentials: { linkManagementApi: (index: number) => accounts[index % 2]!.credential },
			routed,
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(4);
		for (const { requests, credential } of accounts) {
			const keys = requests.map(({ headers }) => headers.authorization);
			expect(new Set(keys)).toEqual(new Set([`Bearer ${credential.apiKey}`]));
		}
	},
);

test.each([
	['doesn’t send a credential to a service outside its allowed domains', 'example.com', 0],
	['sends a credential to a service among its allowed domains', 'example.com, 127.0.0.1', 1],
])('%s', async (_, allowedDomains, sent) => {
	const { run, credential, requests } = await bench();
	const restricted = { ...credential, allowedHttpRequestDomains: 'domains', allowedDomains };
	const { error } = await run(getAccount, { credentials: { linkManagementApi: restricted } });
	expect(requests).toHaveLength(sent);
	expect(error === undefined).toBe(sent === 1);
	if (error) expect(`${error.message} ${error.description}`).toContain('Domain not allowed');
});

const PAUSE_MS = 59_999;

/** Skips the pauses between batches, but no other sleeps. The returned list collects them. */
function withoutPauses(): number[] {
	const pauses: number[] = [];
	const { sleep } = systemClock;
	jest.spyOn(systemClock, 'sleep').mockImplementation(async (ms, signal) => {
		if (ms !== PAUSE_MS) return await sleep(ms, signal);
		pauses.push(ms);
		await new Promise((resolve) => setImmediate(resolve));
	});
	return pauses;
}

describe('Request Options', () => {
	test.each([
		[{ batchSize: 2, batchInterval: PAUSE_MS }, 2],
		// In n8n's routing, -1 means no batches, and 0 batches of one item.
		[{ batchSize: -1, batchInterval: PAUSE_MS }, 0],
		[{ batchSize: 0, batchInterval: PAUSE_MS }, 4],
	])('sends five items with the batch settings %j and pauses %d times', async (batch, pauses) => {
		const pausesMade = withoutPauses();
		const { run } = await bench();
		const { items } = await run(getQr({ batching: { batch } }), { items: numbered(5) });
		expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4]);
		expect(pausesMade).toHaveLength(pauses);
	});

	test('canceling the execution ends the pause between two batches', async () => {
		const { run, requests } = await bench();
		const cancel = new AbortController();
		const { sleep } = systemClock;
		const pauses: unknown[] = [];
		// The pause itself is skipped. What counts is whether canceling would end it.
		jest.spyOn(systemClock, 'sleep').mockImplementation(async (ms, signal) => {
			if (ms !== PAUSE_MS) return await sleep(ms, signal);
			cancel.abort();
			pauses.push(signal?.aborted);
		});
		const { run: outcome } = await run(
			getQr({ batching: { batch: { batchSize: 1, batchInterval: PAUSE_MS } } }),
			{ items: numbered(2), cancel: cancel.signal },
		);
		expect(pauses).toEqual([true]);
		expect(outcome.status).toBe('canceled');
		expect(requests).toHaveLength(1);
	});

	test('fails a request that takes longer than the timeout', async () => {
		const { run } = await bench({ latencyMs: 600_000 });
		const { error } = await run({ ...getAccount, requestOptions: { timeout: 100 } });
		expect(error?.description).toContain("didn't respond in time");
	});

	test.each(ENTRY_POINTS)(
		'accepts a self-signed certificate only with Ignore SSL Issues, through %s',
		async (_entryPoint, routed) => {
			const server = createServer(selfSigned(), (_, response) => {
				response.end('{"error":0,"data":{"id":5}}');
			});
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			const { port } = server.address() as AddressInfo;
			const credential = { baseUrl: `https://127.0.0.1:${port}`, apiKey: `tls-key-${port}` };
			const outcomes = [false, true].map(async (allowUnauthorizedCerts) => {
				const requestOptions = { allowUnauthorizedCerts };
				return await runAt({ credential }, { ...getAccount, requestOptions }, { routed });
			});
			const [checked, unchecked] = await Promise.all(outcomes);
			server.close();
			expect(checked!.error?.description).toContain("The server's certificate isn't valid");
			expect(jsonOf(unchecked!.items)).toEqual([{ id: 5 }]);
		},
	);

	test('sends requests through the proxy, with its username and password', async () => {
		const proxy = await fakeService(() => ({ error: 0, data: { id: 5 } }));
		const url = proxy.baseUrl.replace('http://', 'http://us%65r:pa%20ss@');
		const { run } = await bench();
		const { items } = await run(
			{ ...getAccount, requestOptions: { proxy: url } },
			{ credentials: { linkManagementApi: { baseUrl: 'http://links.example', apiKey: 'key' } } },
		);
		expect(jsonOf(items)).toEqual([{ id: 5 }]);
		expect(proxy.lines()).toEqual(['GET http://links.example/api/account']);
		const credential = Buffer.from('user:pa ss').toString('base64');
		expect(proxy.requests[0]!.headers['proxy-authorization']).toBe(`Basic ${credential}`);
	});
});

describe('customOperations', () => {
	test.each(['proxy.example', 'http://'])('rejects "%s" as a proxy URL', async (proxy) => {
		const { run, requests } = await bench();
		const { error } = await run({ ...getAccount, requestOptions: { proxy } });
		expect(error?.message).toContain('The request option "Proxy" isn\'t a valid proxy URL');
		expect(error?.description).toContain('e.g. http://proxy.example:3128');
		expect(requests).toHaveLength(0);
	});

	test('reports an operation that the node doesn’t have', async () => {
		const { run, requests } = await bench();
		const { error } = await run({ resource: 'campaign', operation: 'rename' });
		expect(error?.message).toBe('The resource "campaign" has no operation "rename" [item 0]');
		expect(error?.description).toMatch(
			/^It has (\w+, )*getAll(, \w+)*\. If the workflow comes from/,
		);
		expect(error?.description).not.toContain('getItems');
		expect(requests).toHaveLength(0);
	});

	test('reports a resource that the node doesn’t have', async () => {
		const { run, requests } = await bench();
		const { error } = await run({ resource: 'links', operation: 'getAll' });
		expect(error?.message).toBe('The node has no resource "links" [item 0]');
		expect(error?.description).toMatch(/^It has (\w+, )*channel(, \w+)*\./);
		expect(requests).toHaveLength(0);
	});

	test.each([
		{ resource: '__CUSTOM_API_CALL__', operation: 'getAll' },
		{ resource: 'campaign', operation: '__CUSTOM_API_CALL__' },
	])('says what to use instead of n8n’s entry "Custom API Call": %j', async (selected) => {
		const { run, requests } = await bench();
		const { error } = await run(selected);
		expect(error?.message).toContain('The node has no operation "Custom API Call"');
		expect(error?.description).toMatch(
			/^Select the resource "Custom API Request" instead.*HTTP Request.*Predefined Credential Type/,
		);
		expect(requests).toHaveLength(0);
	});

	test('a whole response has no `error` of 0, which n8n would take for a failed item', async () => {
		const { run } = await bench();
		const account = { resource: 'apiRequest', operation: 'send', path: '/api/account' };
		const { items } = await run(account);
		expect(Object.keys(items[0]!.json)).toEqual(['data']);
	});

	const typed: INodeParameters = {
		resource: 'apiRequest',
		operation: 'send',
		method: 'POST',
		path: '/api/campaign/add',
		jsonBody: '={{ $json.body }}',
	};
	const batch = { batching: { batch: { batchSize: 1, batchInterval: PAUSE_MS } } };
	const upsert = { resource: 'channel', operation: 'upsert', name: '={{ $json.name }}' };

	test.each<[string, INodeParameters, invalidAt: number]>([
		['Get', getQr(), 40],
		['Get in batches', getQr(batch), 40],
		['Get in batches', getQr(batch), 0],
		['Create or Update', upsert, 40],
		['API Request', typed, 40],
		['Upload', { resource: 'file', operation: 'upload', binaryPropertyName: 'data' }, 40],
	])('%s sends nothing if one of many items has invalid input', async (...row) => {
		const [, parameters, invalidAt] = row;
		withoutPauses();
		const { run, requests } = await bench();
		const binary = { data: { data: 'eA==', mimeType: 'text/plain', fileName: 'a.txt' } };
		const items: INodeExecutionData[] = numbered(41).map(({ json: { id } }) => ({
			...{ json: { id, name: `n${String(id)}`, body: { name: 'n' } }, binary },
		}));
		items[invalidAt] = { json: { id: 'x', name: '', body: 'no JSON' } };
		const { error } = await run(parameters, { items });
		expect(error?.context.itemIndex).toBe(invalidAt);
		expect(requests).toEqual([]);
	});

	test('returns an error item for an item whose expression fails', async () => {
		const { run } = await bench();
		const { items } = await run(
			{ ...getQr(), qrCodeId: byId('={{ $json.url.split("/")[1] }}') },
			{ items: itemsOf({ url: 'qr/1' }, {}, { url: 'qr/2' }), ...continuing },
		);
		expect(pairedWith(items)).toEqual([0, 1, 2]);
		expect(jsonOf(items)[1]).toEqual({ error: expect.any(String) as string });
	});
});

describe('Agent tool', () => {
	const called = async (parameters: INodeParameters, ...calls: Array<Record<string, unknown>>) => {
		const subject = await bench();
		const credentials = { linkManagementApi: subject.credential };
		const { answers } = await callAsTool('linkManagement', parameters, credentials, calls);
		return { ...subject, answers };
	};

	// A tool can't show notices.
	test.each([
		[{ limit: 2 }, 2, [{ truncated: true, returned: 2, total: 75 }]],
		[{ limit: 75 }, 75, []],
		[{ returnAll: true }, 75, []],
	])('tells an agent whether a list continues (%j)', async (limit, count, notices) => {
		const list = { resource: 'campaign', operation: 'getAll', ...limit };
		const { answers, run } = await called(list, {});
		const records = JSON.parse(answers[0]!) as object[];
		expect(records.slice(count)).toEqual(notices);
		expect((await run(list)).items).toHaveLength(count);
	});

	test('tells an agent that a list continues even if the service ignores its limit', async () => {
		const { credential } = await fakeService(() => listOf('pixel', numbered(3)));
		const list = { resource: 'pixel', operation: 'getAll', limit: 2 };
		const credentials = { linkManagementApi: credential };
		const { answers } = await callAsTool('linkManagement', list, credentials, [{}]);
		expect(JSON.parse(answers[0]!)).toHaveLength(3);
	});

	// Between its calls, the agent may have changed something.
	test.each([false, true])(
		'repeats a lookup for each call (Retry On Fail: %p)',
		async (retryOnFail) => {
			const { credential: linkManagementApi, lines } = await bench();
			const get = { ...getQr(), qrCodeId: byId("={{ $fromAI('id', '', 'number') }}") };
			const calls = [{ id: 3 }, { id: 3 }];
			await callAsTool('linkManagement', get, { linkManagementApi }, calls, { retryOnFail });
			expect(lines()).toEqual(['GET /api/qr/3 200', 'GET /api/qr/3 200']);
		},
	);

	test('with Retry On Fail, sends an agent’s write only once if it may have been carried out', async () => {
		const service = await fakeService(() => ({ status: 504, body: 'Gateway Timeout' }));
		const create = { resource: 'channel', operation: 'create', name: "={{ $fromAI('name') }}" };
		const credentials = { linkManagementApi: service.credential };
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		await callAsTool('linkManagement', create, credentials, [{ name: 'News' }], settings);
		expect(service.lines()).toEqual(['POST /api/channel/add']);
	});

	test('tells an agent what was wrong with its arguments', async () => {
		const channelId = byId("={{ $fromAI('id', '', 'string') }}");
		const remove = { resource: 'channel', operation: 'delete', channelId };
		const calls = ['the first one', '9999', '5'].map((id) => ({ id }));
		const { answers, requests } = await called(remove, ...calls);
		expect(answers[0]).toMatch(
			/The parameter "Channel" must be a positive whole number, but it is "the first one"/,
		);
		expect(answers[1]).toMatch(/Channel does not exist/);
		expect(JSON.parse(answers[2]!)).toEqual([{ deleted: true, id: 5 }]);
		expect(requests).toHaveLength(2);
	});
});
