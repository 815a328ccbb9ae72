import { callAsTool } from './contexts';
import type { NodeOutcome, NodeRun } from './harness';
import { jsonOf, runNode } from './harness';

import type { INodeParameters } from 'n8n-workflow';

import { fakeService } from '../fakeService';
import type { ServiceUnderTest } from './jsonService';
import { jsonService } from './jsonService';

const pages = (page: number) => ({
	error: 0,
	data: {
		urls: [{ id: page * 2 - 1 }, { id: page * 2 }],
		result: 6,
		perpage: 2,
		currentpage: page,
		nextpage: page < 3 ? page + 1 : null,
		maxpage: 3,
	},
});

describe.each([
	['linkManagement', 'linkManagementApi', 'authorization', false],
	['linkManagement', 'linkManagementApi', 'authorization', true],
	['companyRegistry', 'companyRegistryApi', 'x-api-key', false],
	['companyRegistry', 'companyRegistryApi', 'x-api-key', true],
] as const)('an API request of %s (%s, %s, routed: %s)', (type, credential, keyHeader, routed) => {
	let service: ServiceUnderTest;
	let credentials: NonNullable<NodeRun['credentials']>;

	async function serve(...args: Parameters<typeof jsonService>): Promise<void> {
		service = await jsonService(...args);
		credentials = {
			[credential]: { baseUrl: `${service.baseUrl}/links`, apiKey: service.apiKey, variant: 'v1' },
		};
	}

	async function send(
		parameters: INodeParameters,
		more: Partial<NodeRun> = {},
	): Promise<NodeOutcome> {
		return await runNode({
			type,
			parameters: { resource: 'apiRequest', operation: 'send', ...parameters },
			credentials,
			routed,
			...more,
		});
	}

	it('sends method, path, query and body with the key of the credential', async () => {
		await serve(() => ({ body: { error: 0, id: 7 } }));
		const { items, error } = await send(
			{
				method: 'POST',
				path: '/api/url/add?source=n8n',
				queryParameters: { parameters: [{ name: 'dry', value: '={{ $json.dry }}' }] },
				jsonBody: '={{ { url: $json.url } }}',
			},
			{ items: [{ json: { dry: 1, url: 'https://example.com/ă' } }] },
		);
		expect(error).toBeUndefined();
		expect(service.requests).toEqual([
			{
				method: 'POST',
				url: '/links/api/url/add?source=n8n&dry=1',
				body: '{"url":"https://example.com/ă"}',
				headers: expect.objectContaining({
					[keyHeader]: expect.stringContaining(service.apiKey) as string,
					'content-type': 'application/json',
				}) as object,
			},
		]);
		expect(items).toEqual([{ json: { id: 7 }, pairedItem: { item: 0 } }]);
	});

	it('accepts a method and its body from an expression', async () => {
		await serve(() => ({ body: { id: 1 } }));
		const { error } = await send(
			{ method: '={{ $json.method }}', path: '/api/thing', jsonBody: '{"a":1}' },
			{ items: [{ json: { method: 'PUT' } }, { json: { method: 'GET' } }] },
		);
		expect(error).toBeUndefined();
		expect(service.requests.map(({ method, body }) => `${method} ${body}`).sort()).toEqual([
			'GET ',
			'PUT {"a":1}',
		]);
	});

	it('accepts query and body as JSON text, and leaves out null values', async () => {
		await serve(() => ({ body: { ok: true } }));
		await send({
			method: 'PUT',
			path: 'api/thing',
			specifyQuery: 'json',
			jsonQuery: '{"a": [1, "b"], "none": null, "on": true}',
			jsonBody: '{"name": null}',
		});
		expect(service.requests[0]).toMatchObject({
			url: '/links/api/thing?a=1&a=b&on=true',
			body: '{"name":null}',
		});
	});

	it('sends no body where none is entered, and none with GET', async () => {
		await serve(() => ({ body: {} }));
		await send({ method: 'DELETE', path: '/api/thing/3' });
		await send({ method: 'GET', path: '/api/thing/3' });
		expect(service.requests.map(({ method, body }) => [method, body])).toEqual([
			['DELETE', ''],
			['GET', ''],
		]);
	});

	it.each([
		[{ path: 'https://elsewhere.example/api' }, /"Path" must be a path below the Base URL/],
		[{ path: '/api/../../admin' }, /"Path" must be a path below the Base URL/],
		[{ path: '={{ "" }}' }, /"Path" must be a path below the Base URL/],
		[{ path: '/x', method: 'TRACE' }, /"Method" must be one of/],
		[{ path: '/x', method: 'POST', jsonBody: '{"a":' }, /"JSON Body" must be a JSON object/],
		[{ path: '/x', method: 'POST', jsonBody: '[1]' }, /"JSON Body" must be a JSON object/],
		[{ path: '/x', specifyQuery: 'json', jsonQuery: 'x' }, /"JSON Query" must be a JSON object/],
		[
			{ path: '/x', specifyQuery: 'json', jsonQuery: '{"filter":{"a":1}}' },
			/"JSON Query: filter" must be text/,
		],
	])('rejects %j before anything is sent', async (parameters, message) => {
		await serve(() => ({ body: {} }));
		const items = [{ json: {} }, { json: {} }];
		const failed = await send(parameters, { items });
		expect(failed.error?.message).toMatch(message);
		const { items: errors } = await send(parameters, {
			items,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(errors.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		for (const { error } of jsonOf(errors)) expect(error).toMatch(message);
		expect(service.requests).toEqual([]);
	});

	it('reads all pages of a list, found or named, and returns an item for each record', async () => {
		await serve(({ url }) => ({ body: pages(Number(url.searchParams.get('page'))) }));
		for (const listKey of ['', 'urls', 'data.urls']) {
			const { items, error } = await send({
				path: '/api/urls',
				queryParameters: { parameters: [{ name: 'limit', value: '2' }] },
				returnAllPages: true,
				listKey,
			});
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toEqual([1, 2, 3, 4, 5, 6].map((id) => ({ id })));
			expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(
				true,
			);
		}
		const first = service.requests[0]!.url;
		expect(first).toBe('/links/api/urls?limit=2&page=1');
	});

	it('returns the response as one item, or one item per record when split', async () => {
		await serve(() => ({ body: pages(1) }));
		const whole = await send({ path: '/api/urls' });
		expect(jsonOf(whole.items)).toEqual([{ data: pages(1).data }]);
		const split = await send({ path: '/api/urls', splitIntoItems: true });
		expect(jsonOf(split.items)).toEqual([{ id: 1 }, { id: 2 }]);
		expect(service.requests.map(({ url }) => url)).toEqual(['/links/api/urls', '/links/api/urls']);
	});

	it('reports that there is no list, or lists the candidates', async () => {
		await serve(({ url }) => ({
			body: url.pathname.endsWith('one') ? { id: 1 } : { a: [{ id: 1 }], b: [] },
		}));
		const one = await send({ path: '/api/one', splitIntoItems: true });
		expect(one.error?.message).toContain('The response has no list of records');
		const two = await send({ path: '/api/two', returnAllPages: true });
		expect(two.error?.message).toContain('The response has several lists: a, b');
	});

	it('returns an empty item for a 204, for a write and a read', async () => {
		await serve(() => ({ status: 204, body: '' }));
		for (const method of ['GET', 'DELETE', 'POST']) {
			const { items, error } = await send({ path: '/api/thing', method });
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toEqual([{}]);
		}
	});

	it('sends the query as it was typed', async () => {
		await serve(() => ({ body: {} }));
		await send({
			path: '/api/thing?id=1&id=2&tag[]=a',
			queryParameters: { parameters: [{ name: 'tag[]', value: 'b' }] },
		});
		expect(service.requests[0]!.url).toBe('/links/api/thing?id=1&id=2&tag[]=a&tag[]=b');
	});

	it('keeps rows of one page that share an id', async () => {
		const rows = [
			{ id: 1, a: 1 },
			{ id: 1, a: 2 },
			{ id: 1, a: 3 },
		];
		await serve(() => ({
			body: { error: 0, data: { result: 3, maxpage: 1, nextpage: null, rows } },
		}));
		const { items } = await send({ path: '/api/thing', returnAllPages: 'TRUE' });
		expect(jsonOf(items)).toEqual(rows);
	});

	it('blames a mistyped path', async () => {
		const web = await fakeService(() => ({ status: 404, body: '<html>404 Not Found</html>' }));
		const { error } = await send(
			{ path: '/api/none?a=1' },
			{ credentials: { [credential]: { ...web.credential, variant: 'v1' } } },
		);
		expect(error?.message).toBe('No endpoint at /api/none. Check the Path. [item 0]');
		expect(error?.description).toContain('Check the Base URL');
	});

	it('sends identical GETs of a run once, and every write', async () => {
		await serve(() => ({ body: {} }));
		const items = [{ json: {} }, { json: {} }, { json: {} }];
		await send({ path: '/api/thing' }, { items });
		await send({ path: '/api/thing', method: 'POST' }, { items });
		expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'POST']);
	});

	it('does not repeat a POST after a failure that may have had an effect', async () => {
		await serve(() => ({ status: 503, body: { message: 'Busy' } }));
		const { error } = await send({ path: '/api/thing', method: 'POST', jsonBody: '{}' });
		expect(error?.httpCode).toBe('503');
		expect(service.requests).toHaveLength(1);
	});

	it('fails with the message of the service despite status 200', async () => {
		await serve(() => ({ body: { error: 1, message: 'No such thing' } }));
		const { items, error } = await send(
			{ path: '/api/thing', method: 'PATCH' },
			{ settings: { onError: 'continueRegularOutput' } },
		);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([
			{
				json: { error: expect.stringContaining('No such thing') as string },
				pairedItem: { item: 0 },
			},
		]);
	});

	it('never returns the key of the credential', async () => {
		await serve(() => ({ body: { key: service.apiKey, all: [{ url: `?k=${service.apiKey}` }] } }));
		const { items } = await send({ path: '/api/v1/status' });
		expect(jsonOf(items)).toEqual([{ key: '***', all: [{ url: '?k=***' }] }]);
	});

	it('sends a write again with "Retry On Fail" only for the items that failed', async () => {
		let failures = 1;
		await serve(({ body }) =>
			body === '{"n":2}' && failures-- > 0
				? { status: 400, body: { message: 'Not yet' } }
				: { body: { id: 1 } },
		);
		const { error, items } = await send(
			{ path: '/api/thing', method: 'POST', jsonBody: '={{ { n: $json.n } }}' },
			{
				items: [1, 2].map((n) => ({ json: { n } })),
				settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
			},
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(2);
		expect(service.requests.map(({ body }) => body).sort()).toEqual([
			'{"n":1}',
			'{"n":2}',
			'{"n":2}',
		]);
	});

	it('can be sent by an agent', async () => {
		await serve(() => ({ body: { data: { clicks: 3 } } }));
		const { answers } = await callAsTool(
			type,
			{ resource: 'apiRequest', operation: 'send', path: "={{ $fromAI('path') }}" },
			credentials as never,
			[{ path: '/api/qr/3' }, { path: 'https://elsewhere.example' }],
		);
		expect(JSON.parse(answers[0]!)).toEqual([{ data: { clicks: 3 } }]);
		expect(answers[1]).toMatch(/below the Base URL/);
		expect(service.requests.map(({ url }) => url)).toEqual(['/links/api/qr/3']);
	});
});
