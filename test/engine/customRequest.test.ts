import type { INodeParameters } from 'n8n-workflow';

import { fakeService } from '../fakeService';
import type { FakeService, Respond } from '../fakeService';
import { callAsTool } from './contexts';
import type { NodeOutcome, NodeRun } from './harness';
import { jsonOf } from './harness';
import { itemsOf, runAt } from './support';

// test/shared/node/customRequest.test.ts covers paths and queries, test/contract/documents.txt requests and
// responses.

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
