import type { INodeParameters } from 'n8n-workflow';

import { fakeService } from '../fakeService';
import type { FakeService, Respond } from '../fakeService';
import { callAsTool } from './contexts';
import type { NodeOutcome, NodeRun } from './harness';
import { jsonOf } from './harness';
import { continuing, itemsOf, pairedWith, runAt } from './support';

// test/shared/node/customRequest.test.ts covers paths and queries.

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

describe('API Request', () => {
	it.each([
		['linkManagement', 'authorization', false],
		['linkManagement', 'authorization', true],
		['companyRegistry', 'x-api-key', false],
		['companyRegistry', 'x-api-key', true],
	] as const)(
		'%s sends path, query and body as entered, with the key in "%s" (routed: %s)',
		async (type, keyHeader, routed) => {
			await serve(() => ({ error: 0, id: 7 }));
			const { apiKey, baseUrl } = service;
			const credential = { baseUrl: `${baseUrl}/links`, apiKey, variant: 'v1' };
			const { items, error } = await send(
				{
					method: 'POST',
					path: '/api/url/add?source=n8n',
					queryParameters: { parameters: [{ name: 'dry', value: '={{ $json.dry }}' }] },
					jsonBody: '={{ { url: $json.url } }}',
				},
				{
					...{ type, routed, credentials: { [`${type}Api`]: credential } },
					items: itemsOf({ dry: 1, url: 'https://example.com/ă' }),
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

	it('takes the method from an expression, and sends no body with GET or if it’s empty', async () => {
		await serve(() => ({ id: 1 }));
		const items = ['PUT', 'GET', 'DELETE', 'PATCH'].map((method) => ({ json: { method } }));
		const bodies = '{ PUT: { a: null }, GET: { a: 1 }, DELETE: "", PATCH: {} }';
		const jsonBody = `={{ (${bodies})[$json.method] }}`;
		await send({ method: '={{ $json.method }}', path: '/api/thing', jsonBody }, { items });
		expect(service.requests.map(({ method, text }) => `${method} ${text}`).sort()).toEqual([
			'DELETE ',
			'GET ',
			'PATCH ',
			'PUT {"a":null}',
		]);
	});

	it.each([
		[{ path: 'https://elsewhere.example/api' }, /"Path" must be a path below the Base URL/],
		[{ path: '={{ "" }}' }, /"Path" must be a path below the Base URL/],
		[{ path: '/x', method: 'TRACE' }, /"Method" must be one of/],
		[{ path: '/x', method: 'POST', jsonBody: '{"a":' }, /"JSON Body" must be a JSON object/],
		[{ path: '/x', method: 'POST', jsonBody: '[1]' }, /"JSON Body" must be a JSON object/],
		[
			{ path: '/x', queryParameters: { parameters: [{ name: 'a', value: '={{ {} }}' }] } },
			/"Query Parameters: a" must be text/,
		],
	])('rejects %j before sending anything', async (parameters, message) => {
		await serve(() => ({}));
		const { items } = await send(parameters, { items: itemsOf({}, {}), ...continuing });
		expect(pairedWith(items)).toEqual([0, 1]);
		for (const { error } of jsonOf(items)) expect(error).toMatch(message);
		expect(service.requests).toEqual([]);
	});

	it.each([
		['linkManagement', '100'],
		['companyRegistry', '50'],
	] as const)(
		'%s reads all pages with a limit of %s with Return All, whatever page and limit were entered',
		async (type, size) => {
			await serve(({ query }) => ({ success: true, ...pages(Number(query.get('page'))) }));
			const credentials = { [`${type}Api`]: { ...service.credential, variant: 'v1' } };
			const { items } = await send(
				{ path: '/api/urls?limit=10&page=2', returnAllPages: true },
				{ type, credentials },
			);
			expect(jsonOf(items).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
			expect(service.requests.map(({ query }) => query.get('limit'))).toEqual([size, size, size]);
		},
	);

	it.each<[string, unknown, unknown]>([
		['a record', { id: 7, items: [{ id: 1 }] }, { id: 7, items: [{ id: 1 }] }],
		['a list with counters', pages(1), { data: pages(1).data }],
		['a bare list', [{ id: 1 }], { data: [{ id: 1 }] }],
	])('returns %s as one item unless Return All is on', async (_, body, item) => {
		await serve(() => ({ body }));
		for (const method of ['GET', 'POST']) {
			expect(jsonOf((await send({ path: '/api/urls', method })).items)).toEqual([item]);
		}
	});

	it.each([
		['no list', { id: 1 }],
		['several lists', { a: [{ id: 1 }], b: [] }],
	])('says what to do if Return All finds %s', async (_, body) => {
		await serve(() => ({ body }));
		const { error } = await send({ path: '/api/one', returnAllPages: true });
		expect(error?.message).toContain('exactly one list of records');
		expect(error?.description).toContain('Split Out');
	});

	it('says to check "Path" if the service has no such endpoint', async () => {
		await serve(() => ({ status: 404, body: '<html>404 Not Found</html>' }));
		const { error } = await send({ path: '/api/none?a=1' });
		expect(error?.message).toMatch(/^There is no Link Management API at .*\/api\/none \[item 0\]$/);
		expect(error?.description).toMatch(/^Check "Path" or the credential's Base URL\./);
	});

	it('masks the API key in errors, while output stays as the service sent it', async () => {
		await serve(() => ({ key: service.apiKey, all: [{ url: `?k=${service.apiKey}` }] }));
		const { items } = await send({ path: '/api/v1/status' });
		const { apiKey } = service;
		expect(jsonOf(items)).toEqual([{ key: apiKey, all: [{ url: `?k=${apiKey}` }] }]);
		const pasted = await send({ path: `/api/../${service.apiKey}` });
		expect(pasted.error?.message).toContain('"/api/../***"');
	});

	it('lets an agent send requests, but only below the Base URL', async () => {
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
