import { fakeService } from '../../fakeService';
import { callAsTool } from '../contexts';
import { byId } from '../harness';
import { bench, byName, itemsOf, listOf, runAt } from '../support';

it('updates one record in the order of the items, whatever each update takes', async () => {
	const arrived: unknown[] = [];
	const service = await fakeService(async ({ method, json, number }) => {
		if (method === 'GET') return listOf('channels', [{ id: 7, name: 'News' }]);
		await new Promise((resolve) => setTimeout(resolve, 30 - 5 * number));
		arrived.push((json as { description: string }).description);
		return { error: 0 };
	});
	const update = {
		resource: 'channel',
		operation: 'update',
		channelFields: { description: '={{ $json.text }}' },
	};
	const items = itemsOf({ text: 'first' }, { text: 'second' }, { text: 'third' });
	const custom = {
		...{ resource: 'apiRequest', operation: 'send', method: 'PUT', path: '/api/channel/7/update' },
		jsonBody: '={{ JSON.stringify({ description: $json.text }) }}',
	};
	const spelled = byName('={{ $json.text === "first" ? "News\u200b" : "News" }}');
	const updates = [byId(7), byName('News'), spelled].map((channelId) => ({ ...update, channelId }));
	for (const parameters of [...updates, custom]) {
		await runAt(service, parameters, { items });
		expect(arrived.splice(0)).toEqual(['first', 'second', 'third']);
	}
});

describe('A field that a model leaves empty', () => {
	test('a field that a model leaves empty keeps its value in an update', async () => {
		const service = await fakeService(() => ({ error: 0 }));
		const { answers } = await callAsTool(
			'linkManagement',
			{
				resource: 'channel',
				operation: 'update',
				channelId: byId(7),
				channelFields: { color: "={{ $fromAI('color') }}", description: "={{ $fromAI('left') }}" },
			},
			{ linkManagementApi: service.credential },
			['', 'null', ' NULL '].map((left) => ({ color: '#112233', left })),
		);
		expect(answers).toHaveLength(3);
		expect(service.requests.map(({ json }) => json)).toEqual(Array(3).fill({ color: '#112233' }));
	});

	test('a setting or query parameter that a model leaves empty is as if it weren’t there', async () => {
		const service = await fakeService(() => ({ error: 0, data: { pixels: [{ id: 1 }] } }));
		const credentials = { linkManagementApi: service.credential };
		const model = "={{ $fromAI('left') }}";
		const list = { resource: 'pixel', operation: 'getAll', returnAll: model };
		const parameters = [{ name: 'name', value: model }];
		const typed = { resource: 'apiRequest', operation: 'send', path: '/api/pixels' };
		const query = { ...typed, queryParameters: { parameters } };
		const { answers } = await callAsTool('linkManagement', list, credentials, [{ left: 'null' }]);
		expect(JSON.parse(answers[0]!)).toEqual([{ id: 1 }]);
		await callAsTool('linkManagement', query, credentials, [{ left: 'null' }]);
		expect(service.requests.at(-1)?.url).toBe('/api/pixels');
	});

	test('a required field that a model leaves empty is an error', async () => {
		const service = await fakeService(() => ({ error: 0 }));
		const { answers } = await callAsTool(
			'linkManagement',
			{ resource: 'channel', operation: 'create', name: "={{ $fromAI('name') }}" },
			{ linkManagementApi: service.credential },
			[{ name: 'null' }],
		);
		expect(answers[0]).toContain('The parameter "Name" is empty');
		expect(service.requests).toEqual([]);
	});
});

describe('Expressions', () => {
	test('an expression can return a record’s ID as a number, text, list of one or resource locator', async () => {
		const { run, lines } = await bench();
		const get = { resource: 'qrCode', operation: 'get', qrCodeId: '={{ $json.which }}' };
		const ids = [5, '6', byId(7), { ...byId(8), mode: 'list' }, { ...byId(9), value: [9] }];
		const { error } = await run(get, { items: itemsOf(...ids.map((which) => ({ which }))) });
		expect(error).toBeUndefined();
		expect(lines().sort()).toEqual([5, 6, 7, 8, 9].map((which) => `GET /api/qr/${which} 200`));
	});

	test('an expression can return a Luxon date', async () => {
		const { run, requests } = await bench();
		const expiry = '={{ DateTime.fromISO("2031-05-06") }}';
		const upload = { resource: 'file', operation: 'upload', binaryPropertyName: 'data' };
		const { error } = await run(
			{ ...upload, fileFields: { expiry } },
			{ items: [{ json: {}, binary: { data: { data: 'YQ==', mimeType: 'text/plain' } } }] },
		);
		expect(error).toBeUndefined();
		expect(requests.map(({ query }) => query.expiry)).toEqual(['2031-05-06']);
	});

	test('a date with a zone is the day that it is in the workflow’s zone', async () => {
		const { run, requests } = await bench();
		const fileFields = { expiry: '={{ $json.at }}' };
		const upload = {
			resource: 'file',
			operation: 'upload',
			binaryPropertyName: 'data',
			fileFields,
		};
		const binary = { data: { data: 'YQ==', mimeType: 'text/plain' } };
		const { error } = await run(upload, {
			items: [{ json: { at: '2030-12-31T20:00:00Z' }, binary }],
			workflowSettings: { timezone: 'Asia/Tokyo' },
		});
		expect(error).toBeUndefined();
		expect(requests.map(({ query }) => query.expiry)).toEqual(['2031-01-01']);
	});
});
