import type { INodeParameters } from 'n8n-workflow';

import { fakeService } from '../fakeService';
import type { FakeService, Respond } from '../fakeService';
import { callAsTool } from './contexts';
import type { NodeOutcome, NodeRun } from './harness';
import { jsonOf } from './harness';
import { continuing, runAt } from './support';

// Paths and queries: test/shared/apiRequest.test.ts.

let service: FakeService;

async function serve(respond: Respond): Promise<void> {
	service = await fakeService(respond);
}

async function send(
	parameters: INodeParameters,
	more: Partial<NodeRun> = {},
): Promise<NodeOutcome> {
	return await runAt(service, { resource: 'apiRequest', operation: 'send', ...parameters }, more);
}

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

describe('an API request', () => {
	it.each([
		['linkManagement', 'linkManagementApi', 'authorization', false],
		['linkManagement', 'linkManagementApi', 'authorization', true],
		['companyRegistry', 'companyRegistryApi', 'x-api-key', false],
		['companyRegistry', 'companyRegistryApi', 'x-api-key', true],
	] as const)(
		'of %s (%s) sends what was entered with the key in "%s" (routed: %s)',
		async (type, credential, keyHeader, routed) => {
			await serve(() => ({ error: 0, id: 7 }));
			const { apiKey, baseUrl } = service;
			const { items, error } = await send(
				{
					method: 'POST',
					path: '/api/url/add?source=n8n',
					queryParameters: { parameters: [{ name: 'dry', value: '={{ $json.dry }}' }] },
					jsonBody: '={{ { url: $json.url } }}',
				},
				{
					type,
					credentials: { [credential]: { baseUrl: `${baseUrl}/links`, apiKey, variant: 'v1' } },
					items: [{ json: { dry: 1, url: 'https://example.com/ă' } }],
					routed,
				},
			);
			expect(error).toBeUndefined();
			expect(service.lines()).toEqual(['POST /links/api/url/add?source=n8n&dry=1']);
			const [{ text, headers }] = service.requests as [FakeService['requests'][0]];
			expect(text).toBe('{"url":"https://example.com/ă"}');
			expect(headers['content-type']).toBe('application/json');
			expect(headers[keyHeader]).toContain(apiKey);
			expect(items).toEqual([{ json: { id: 7 }, pairedItem: { item: 0 } }]);
		},
	);

	it('takes the method from an expression, and sends a body only if one is entered', async () => {
		await serve(() => ({ id: 1 }));
		const items = ['PUT', 'GET', 'DELETE'].map((method) => ({ json: { method } }));
		const jsonBody = '={{ $json.method === "DELETE" ? "" : { a: null } }}';
		await send({ method: '={{ $json.method }}', path: '/api/thing', jsonBody }, { items });
		expect(service.requests.map(({ method, text }) => `${method} ${text}`).sort()).toEqual([
			'DELETE ',
			'GET ',
			'PUT {"a":null}',
		]);
	});

	it.each([
		[{ path: 'https://elsewhere.example/api' }, /"Path" must be a path below the Base URL/],
		[{ path: '={{ "" }}' }, /"Path" must be a path below the Base URL/],
		[{ path: '/x', method: 'TRACE' }, /"Method" must be one of/],
		[{ path: '/x', method: 'POST', jsonBody: '{"a":' }, /"JSON Body" must be a JSON object/],
		[{ path: '/x', method: 'POST', jsonBody: '[1]' }, /"JSON Body" must be a JSON object/],
		[{ path: '/x', specifyQuery: 'json', jsonQuery: 'x' }, /"JSON Query" must be a JSON object/],
		[{ path: '/x', specifyQuery: 'json', jsonQuery: '{"a":{}}' }, /"JSON Query: a" must be text/],
	])('is rejected before anything is sent: %j', async (parameters, message) => {
		await serve(() => ({}));
		const { items } = await send(parameters, {
			items: [{ json: {} }, { json: {} }],
			...continuing,
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		for (const { error } of jsonOf(items)) expect(error).toMatch(message);
		expect(service.requests).toEqual([]);
	});

	it.each([[''], ['urls'], ['data.urls']])('reads all pages of the list "%s"', async (listKey) => {
		await serve(({ query }) => pages(Number(query.get('page'))));
		const { items } = await send({
			path: '/api/urls',
			queryParameters: { parameters: [{ name: 'limit', value: '2' }] },
			returnAllPages: 'TRUE',
			listKey,
		});
		expect(items).toEqual(
			[1, 2, 3, 4, 5, 6].map((id) => ({ json: { id }, pairedItem: { item: 0 } })),
		);
		expect(service.lines()[0]).toBe('GET /api/urls?limit=2&page=1');
	});

	it('returns the response as one item, or one item per record when split', async () => {
		await serve(() => pages(1));
		const whole = await send({ path: '/api/urls' });
		expect(jsonOf(whole.items)).toEqual([{ data: pages(1).data }]);
		const split = await send({ path: '/api/urls', splitIntoItems: true });
		expect(jsonOf(split.items)).toEqual([{ id: 1 }, { id: 2 }]);
		expect(service.lines()).toEqual(['GET /api/urls', 'GET /api/urls']);
	});

	it.each([
		['says that there is no list', { id: 1 }, 'The response has no list of records'],
		['names the lists', { a: [{ id: 1 }], b: [] }, 'The response has several lists: a, b'],
	])('%s', async (_, body, message) => {
		await serve(() => ({ body }));
		const { error } = await send({ path: '/api/one', splitIntoItems: true });
		expect(error?.message).toContain(message);
	});

	it.each(['GET', 'POST', 'DELETE'])('returns an empty item for a 204: %s', async (method) => {
		await serve(() => ({ status: 204, body: '' }));
		expect(jsonOf((await send({ path: '/api/thing', method })).items)).toEqual([{}]);
	});

	it.each([
		['', {}],
		['OK', { data: 'OK' }],
		['Link was created', { data: 'Link was created' }],
	])('takes any success for the confirmation of a write: "%s"', async (body, item) => {
		await serve(() => ({ body }));
		const { items } = await send({ path: '/api/thing', method: 'POST' });
		expect(jsonOf(items)).toEqual([item]);
		expect((await send({ path: '/api/thing' })).error).toBeDefined();
	});

	it('says that it reads no files, but takes one for the confirmation of a write', async () => {
		await serve(() => ({ body: 'name,clicks', headers: { 'content-type': 'text/csv' } }));
		const { error } = await send({ path: '/api/export' });
		expect(error?.message).toContain('returned a file (text/csv)');
		expect(error?.description).toContain('HTTP Request node');
		const { items } = await send({ path: '/api/export', method: 'POST' });
		expect(jsonOf(items)).toEqual([{}]);
	});

	it('blames a mistyped path', async () => {
		await serve(() => ({ status: 404, body: '<html>404 Not Found</html>' }));
		const { error } = await send({ path: '/api/none?a=1' });
		expect(error?.message).toBe('No endpoint at /api/none. Check "Path". [item 0]');
	});

	it('never returns the key of the credential', async () => {
		await serve(() => ({ key: service.apiKey, all: [{ url: `?k=${service.apiKey}` }] }));
		const { items } = await send({ path: '/api/v1/status' });
		expect(jsonOf(items)).toEqual([{ key: '***', all: [{ url: '?k=***' }] }]);
		const pasted = await send({ path: `/api/../${service.apiKey}` });
		expect(pasted.error?.message).toContain('"/api/../***"');
	});

	it('can be sent by an agent', async () => {
		await serve(() => ({ data: { clicks: 3 } }));
		const { answers } = await callAsTool(
			'linkManagement',
			{ resource: 'apiRequest', operation: 'send', path: "={{ $fromAI('path') }}" },
			{ linkManagementApi: service.credential },
			[{ path: '/api/qr/3' }, { path: 'https://elsewhere.example' }],
		);
		expect(JSON.parse(answers[0]!)).toEqual([{ data: { clicks: 3 } }]);
		expect(answers[1]).toMatch(/below the Base URL/);
		expect(service.lines()).toEqual(['GET /api/qr/3']);
	});
});
