import { callAsTool } from './contexts';
import { byId, jsonOf } from './harness';

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { bench, itemsOf, numbered, pairedWith } from './linkManagementSupport';
import { timeLimit } from '../../tools/timeLimits';

const ENTRY_POINTS: Array<[string, boolean]> = [
	['customOperations', false],
	['n8n’s routing', true],
];

const getQr = (requestOptions: INodeParameters = {}): INodeParameters => ({
	resource: 'qrCode',
	operation: 'get',
	qrCodeId: byId('={{ $json.id }}'),
	requestOptions,
});

describe.each(ENTRY_POINTS)('a credential with expressions, by %s', (_entryPoint, routed) => {
	test('gives every item its own key and its own response', async () => {
		const { run, links, requests } = await bench();
		const other = await bench();
		const keys = [links.apiKey, other.links.apiKey];
		const benches = [links, other.links];
		const credential = (index: number): ICredentialDataDecryptedObject => ({
			baseUrl: benches[index % 2]!.baseUrl,
			apiKey: keys[index % 2]!,
		});
		const { items, error } = await run(
			{ resource: 'account', operation: 'get' },
			{ items: itemsOf({}, {}, {}, {}), credentials: { linkManagementApi: credential }, routed },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(4);
		for (const [index, asked] of [requests, other.requests].entries()) {
			expect(asked).toHaveLength(1);
			expect(asked[0]!.headers.authorization).toBe(`Bearer ${keys[index]}`);
		}
	});
});

describe.each(ENTRY_POINTS)('a credential restricted to domains, by %s', (_entryPoint, routed) => {
	const restricted = async (allowedDomains: string) => {
		const { run, credential, requests } = await bench();
		const outcome = await run(
			{ resource: 'account', operation: 'get' },
			{
				credentials: {
					linkManagementApi: {
						...credential,
						allowedHttpRequestDomains: 'domains',
						allowedDomains,
					},
				},
				routed,
			},
		);
		return { ...outcome, requests };
	};

	test('is not sent to other domains', async () => {
		const { error, requests } = await restricted('example.com');
		expect(`${error?.message} ${error?.description}`).toContain('Domain not allowed');
		expect(requests).toHaveLength(0);
	});

	test('works if its service is among them', async () => {
		const { error, requests } = await restricted('example.com, 127.0.0.1');
		expect(error).toBeUndefined();
		expect(requests).toHaveLength(1);
	});
});

describe.each(ENTRY_POINTS)('Request Options, by %s', (_entryPoint, routed) => {
	test('batch the items', async () => {
		const { run, requests } = await bench();
		const batchInterval = timeLimit(300);
		const batch = { batchSize: 2, batchInterval };
		const { items } = await run(getQr({ batching: { batch } }), { items: numbered(5), routed });
		expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4]);
		const gaps = requests.slice(1).map(({ at }, index) => at - requests[index]!.at);
		expect(gaps.filter((gap) => gap >= batchInterval / 2)).toHaveLength(2);
	});

	test.each([-1, 0])('treat a batch size of %d as n8n does', async (batchSize) => {
		const { run } = await bench();
		const batch = { batchSize, batchInterval: 20 };
		const { items } = await run(getQr({ batching: { batch } }), { items: numbered(3), routed });
		expect(pairedWith(items)).toEqual([0, 1, 2]);
	});

	test('limit how long a response may take', async () => {
		const { run } = await bench({ latencyMs: 2_000 });
		const { error } = await run(
			{
				resource: 'campaign',
				operation: 'create',
				campaignName: 'A',
				requestOptions: { timeout: 50 },
			},
			{ routed },
		);
		expect(error?.description).toContain('did not respond in time');
	});

	test('send requests through a proxy', async () => {
		const seen: IncomingMessage[] = [];
		const proxy = createServer((request, response) => {
			seen.push(request);
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify({ error: 0, data: { id: 5 } }));
		});
		await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
		try {
			const { port } = proxy.address() as AddressInfo;
			const { run, requests } = await bench();
			const { items, error } = await run(
				{
					resource: 'account',
					operation: 'get',
					requestOptions: { proxy: `http://us%65r:pa%20ss@127.0.0.1:${port}` },
				},
				{ credentials: credentialOf('http://links.example'), routed },
			);
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toEqual([{ id: 5 }]);
			expect(requests).toHaveLength(0);
			expect(seen[0]!.url).toBe('http://links.example/api/account');
			expect(seen[0]!.headers['proxy-authorization']).toBe(
				`Basic ${Buffer.from('user:pa ss').toString('base64')}`,
			);
		} finally {
			proxy.close();
		}
	});
});

const credentialOf = (baseUrl: string) => ({ linkManagementApi: { baseUrl, apiKey: 'key' } });

describe('customOperations', () => {
	test.each(['proxy.example', 'http://'])('rejects "%s" as a proxy', async (proxy) => {
		const { run, requests } = await bench();
		const { error } = await run(getQr({ proxy }), { items: numbered(1) });
		expect(error?.message).toContain('The request option "Proxy" is not a valid proxy URL');
		expect(error?.description).toContain('e.g. http://proxy.example:3128');
		expect(requests).toHaveLength(0);
	});

	test('says when the node has no such operation', async () => {
		const { run, requests } = await bench();
		const { error } = await run({ resource: 'campaign', operation: 'rename' });
		expect(error?.message).toBe('The node has no operation "campaign.rename" [item 0]');
		expect(requests).toHaveLength(0);
	});

	test('starts no further batch after an item has failed', async () => {
		const { run, requests } = await bench();
		const batch = { batchSize: 1, batchInterval: 30 };
		const { error } = await run(getQr({ batching: { batch } }), {
			items: itemsOf({ id: 9999 }, { id: 1 }, { id: 2 }, { id: 3 }),
		});
		expect(error?.message).toContain('QR code does not exist');
		expect(requests.length).toBeLessThan(4);
	});

	test('returns a paired error item if an expression fails', async () => {
		const { run } = await bench();
		const { items } = await run(
			{ resource: 'qrCode', operation: 'get', qrCodeId: byId('={{ $json.url.split("/")[1] }}') },
			{
				items: itemsOf({ url: 'qr/1' }, {}, { url: 'qr/2' }),
				settings: { onError: 'continueRegularOutput' },
			},
		);
		expect(pairedWith(items)).toEqual([0, 1, 2]);
		expect(jsonOf(items)[1]).toEqual({ error: expect.any(String) as string });
	});
});

describe('a list that continues', () => {
	const campaigns = { resource: 'campaign', operation: 'getAll' };
	const asTool = async (parameters: INodeParameters) => {
		const { credential } = await bench();
		const all = { ...campaigns, ...parameters };
		const { answers } = await callAsTool('linkManagement', all, { linkManagementApi: credential }, [
			{},
		]);
		return JSON.parse(answers[0]!) as object[];
	};

	test('says so to an agent, which sees no parameters', async () => {
		const records = await asTool({ limit: 2 });
		expect(records).toHaveLength(3);
		expect(records.at(-1)).toEqual({ truncated: true, returned: 2, total: 75 });
	});

	test('says nothing if all records came, or to an ordinary run', async () => {
		expect(await asTool({ returnAll: true })).toHaveLength(75);
		expect(await asTool({ limit: 75 })).toHaveLength(75);
		const { run } = await bench();
		expect((await run({ ...campaigns, limit: 2 })).items).toHaveLength(2);
	});
});
