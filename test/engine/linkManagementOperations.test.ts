import { byId, jsonOf } from './harness';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { bench, itemsOf, pairedWith } from './linkManagementSupport';

/** One run of an operation with two input items, and everything that must come of it. */
interface Case {
	parameters: INodeParameters;
	items: INodeExecutionData[];
	/** `METHOD path?query` of each request, in the order of the items. */
	requests: string[];
	bodies?: unknown[];
	output: Array<Record<string, unknown>>;
	/** Input item of each output item; default: one for each input item. */
	paired?: number[];
}

const id = '={{ $json.id }}';
const locator = { __rl: true, mode: 'id', value: id };
const date = expect.stringMatching(/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/) as string;
const link = expect.stringMatching(/^https:\/\//) as string;
const done = expect.stringMatching(/success/) as string;
const number = expect.any(Number) as number;
const text = expect.any(String) as string;
const flag = expect.any(Boolean) as boolean;

/** A list of two rows for each of two items; the second item asks for one row less. */
function listCase(
	resource: string,
	path: string,
	row: IDataObject,
	more: INodeParameters = {},
): Omit<Case, 'items'> & { items: INodeExecutionData[] } {
	return {
		parameters: {
			resource,
			operation: 'getAll',
			returnAll: false,
			limit: '={{ $json.limit }}',
			...more,
		},
		items: itemsOf({ limit: 2 }, { limit: 1 }),
		requests: [`GET ${path}?limit=2&page=1`, `GET ${path}?limit=1&page=1`],
		output: [row, row, row],
		paired: [0, 0, 1],
	};
}

/** All pages of a list. */
function sweepOf(path: string, pages: number): string[] {
	return Array.from({ length: pages }, (_, index) => `GET ${path}?limit=100&page=${index + 1}`);
}

/** Two records of a list of two pages. */
function getCase(resource: string, path: string, row: IDataObject): Case {
	return {
		parameters: { resource, operation: 'get', [`${resource}Id`]: locator },
		items: itemsOf({ id: 3 }, { id: 4 }),
		requests: sweepOf(path, 2),
		output: [
			{ id: 3, ...row },
			{ id: 4, ...row },
		],
	};
}

const file = (fileName: string): INodeExecutionData['binary'] => ({
	data: { data: 'aGVsbG8=', mimeType: 'text/plain', fileName },
});

const cases: Record<string, Case> = {
	'account get': {
		parameters: { resource: 'account', operation: 'get' },
		items: itemsOf({}),
		requests: ['GET /api/account'],
		output: [
			{
				id: 1,
				email: 'demo@link-company.example',
				username: 'demo',
				avatar: link,
				status: 'pro',
				expires: date,
				registered: date,
			},
		],
	},
	'account update': {
		parameters: {
			resource: 'account',
			operation: 'update',
			accountFields: { email: '={{ $json.mail }}' },
		},
		items: itemsOf({ mail: 'a@example.org' }, { mail: 'b@example.org' }),
		requests: ['PUT /api/account/update', 'PUT /api/account/update'],
		bodies: [{ email: 'a@example.org' }, { email: 'b@example.org' }],
		output: [{ message: done }, { message: done }],
	},
	'apiRequest send': {
		parameters: {
			resource: 'apiRequest',
			operation: 'send',
			path: '={{ "/api/qr/" + $json.id }}',
		},
		items: itemsOf({ id: 3 }, { id: 4 }),
		requests: ['GET /api/qr/3', 'GET /api/qr/4'],
		output: [
			{ data: { id: 3, link, scans: number, name: text, date } },
			{ data: { id: 4, link, scans: number, name: text, date } },
		],
	},
	'campaign addLink': {
		parameters: {
			resource: 'campaign',
			operation: 'addLink',
			campaignId: locator,
			linkId: '={{ $json.link }}',
		},
		items: itemsOf({ id: 3, link: 11 }, { id: '4', link: '12' }),
		requests: ['POST /api/campaign/3/assign/11', 'POST /api/campaign/4/assign/12'],
		bodies: [undefined, undefined],
		output: [
			{ campaignId: 3, linkId: 11, message: done },
			{ campaignId: 4, linkId: 12, message: done },
		],
	},
	'campaign create': {
		parameters: {
			resource: 'campaign',
			operation: 'create',
			campaignFields: { name: '={{ $json.name }}', public: true, slug: '={{ $json.slug }}' },
		},
		items: itemsOf({ name: 'Spring „1“', slug: 'spring' }, { name: 'Ünder 2', slug: '' }),
		requests: ['POST /api/campaign/add', 'POST /api/campaign/add'],
		bodies: [
			{ name: 'Spring „1“', public: true, slug: 'spring' },
			{ name: 'Ünder 2', public: true },
		],
		output: [
			{ id: 76, name: 'Spring „1“', public: true, rotator: link, list: link },
			{ id: 77, name: 'Ünder 2', public: true, rotator: false, list: link },
		],
	},
	'campaign delete': {
		parameters: { resource: 'campaign', operation: 'delete', campaignId: locator },
		items: itemsOf({ id: 3 }, { id: 4 }),
		requests: ['DELETE /api/campaign/3/delete', 'DELETE /api/campaign/4/delete'],
		bodies: [undefined, undefined],
		output: [
			{ deleted: true, id: 3 },
			{ deleted: true, id: 4 },
		],
	},
	'campaign get': getCase('campaign', '/api/campaigns', {
		name: text,
		public: flag,
		rotator: expect.anything() as string,
		list: link,
	}),
	'campaign getAll': listCase('campaign', '/api/campaigns', {
		id: number,
		name: text,
		public: flag,
		rotator: expect.anything() as string,
		list: link,
	}),
	'campaign update': {
		parameters: {
			resource: 'campaign',
			operation: 'update',
			campaignId: locator,
			campaignName: '={{ $json.name }}',
			campaignFields: { public: false },
		},
		items: itemsOf({ id: 3, name: 'One' }, { id: 4, name: 2 }),
		requests: ['PUT /api/campaign/3/update', 'PUT /api/campaign/4/update'],
		bodies: [
			{ name: 'One', public: false },
			{ name: '2', public: false },
		],
		output: [
			{ id: 3, name: 'One', public: false, rotator: expect.anything(), list: link },
			{ id: 4, name: '2', public: false, rotator: expect.anything(), list: link },
		],
	},
	'campaign upsert': {
		parameters: {
			resource: 'campaign',
			operation: 'upsert',
			campaignName: '={{ $json.name }}',
			campaignFields: { public: true },
		},
		items: itemsOf({ name: 'One' }, { name: 'One' }),
		requests: [...sweepOf('/api/campaigns', 2), 'POST /api/campaign/add'],
		output: [
			{ id: 76, name: 'One', public: true, rotator: false, list: link },
			{ id: 76, name: 'One', public: true, rotator: false, list: link },
		],
	},
	'channel addItem': {
		parameters: {
			resource: 'channel',
			operation: 'addItem',
			channelId: locator,
			itemType: '={{ $json.type }}',
			itemId: '={{ $json.item }}',
		},
		items: itemsOf({ id: 3, type: 'links', item: 5 }, { id: 4, type: 'qr', item: 6 }),
		requests: ['POST /api/channel/3/assign/links/5', 'POST /api/channel/4/assign/qr/6'],
		bodies: [undefined, undefined],
		output: [
			{ channelId: 3, itemType: 'links', itemId: 5, message: done },
			{ channelId: 4, itemType: 'qr', itemId: 6, message: done },
		],
	},
	'channel create': {
		parameters: {
			resource: 'channel',
			operation: 'create',
			name: '={{ $json.name }}',
			channelFields: { color: '#00ff7F', description: '', starred: '={{ $json.starred }}' },
		},
		items: itemsOf({ name: 'One', starred: true }, { name: 'Two', starred: false }),
		requests: ['POST /api/channel/add', 'POST /api/channel/add'],
		bodies: [
			{ name: 'One', color: '#00ff7F', starred: true },
			{ name: 'Two', color: '#00ff7F', starred: false },
		],
		output: [
			{ id: 61, name: 'One', description: '', color: '#00ff7F', starred: true },
			{ id: 62, name: 'Two', description: '', color: '#00ff7F', starred: false },
		],
	},
	'channel delete': {
		parameters: { resource: 'channel', operation: 'delete', channelId: locator },
		items: itemsOf({ id: 3 }, { id: 4 }),
		requests: ['DELETE /api/channel/3/delete', 'DELETE /api/channel/4/delete'],
		output: [
			{ deleted: true, id: 3 },
			{ deleted: true, id: 4 },
		],
	},
	'channel get': getCase('channel', '/api/channels', {
		name: text,
		description: text,
		color: text,
		starred: flag,
	}),
	'channel getAll': listCase('channel', '/api/channels', {
		id: number,
		name: text,
		description: text,
		color: expect.stringMatching(/^#/) as string,
		starred: flag,
	}),
	'channel getItems': {
		parameters: {
			resource: 'channel',
			operation: 'getItems',
			channelId: locator,
			returnAll: false,
			limit: 2,
		},
		items: itemsOf({ id: 1 }, { id: 2 }),
		requests: ['GET /api/channel/1?limit=2&page=1', 'GET /api/channel/2?limit=2&page=1'],
		output: [
			{ type: text, id: number, title: text, preview: link, link, date },
			{ type: text, id: number, title: text, preview: link, link, date },
		],
		// The second channel has no items.
		paired: [0, 0],
	},
	'channel update': {
		parameters: {
			resource: 'channel',
			operation: 'update',
			channelId: locator,
			channelFields: { name: '={{ $json.name }}', starred: true },
		},
		items: itemsOf({ id: 3, name: 'One' }, { id: 4, name: '' }),
		requests: ['PUT /api/channel/3/update', 'PUT /api/channel/4/update'],
		bodies: [{ name: 'One', starred: true }, { starred: true }],
		output: [
			{ id: 3, message: done },
			{ id: 4, message: done },
		],
	},
	'channel upsert': {
		parameters: {
			resource: 'channel',
			operation: 'upsert',
			name: '={{ $json.name }}',
			channelFields: { starred: true },
		},
		items: itemsOf({ name: 'One' }, { name: 'One' }),
		requests: [...sweepOf('/api/channels', 2), 'POST /api/channel/add'],
		output: [61, 61].map((id) => ({
			id,
			name: 'One',
			description: '',
			color: text,
			starred: true,
		})),
	},
	'ctaOverlay getAll': listCase('ctaOverlay', '/api/overlay', {
		id: number,
		type: expect.stringMatching(/^(message|contact)$/) as string,
		name: text,
		date,
	}),
	'domain create': {
		parameters: {
			resource: 'domain',
			operation: 'create',
			domain: '={{ $json.domain }}',
			domainFields: { redirectroot: 'https://example.com', redirect404: '' },
		},
		items: itemsOf({ domain: 'https://go.one.example' }, { domain: 'http://go.two.example' }),
		requests: ['POST /api/domain/add', 'POST /api/domain/add'],
		bodies: [
			{ domain: 'https://go.one.example', redirectroot: 'https://example.com' },
			{ domain: 'http://go.two.example', redirectroot: 'https://example.com' },
		],
		output: [{ id: 56 }, { id: 57 }],
	},
	'domain delete': {
		parameters: { resource: 'domain', operation: 'delete', domainId: locator },
		items: itemsOf({ id: 3 }, { id: 4 }),
		requests: ['DELETE /api/domain/3/delete', 'DELETE /api/domain/4/delete'],
		output: [
			{ deleted: true, id: 3 },
			{ deleted: true, id: 4 },
		],
	},
	'domain get': getCase('domain', '/api/domains', {
		domain: link,
		redirectroot: link,
		redirect404: text,
	}),
	'domain getAll': listCase('domain', '/api/domains', {
		id: number,
		domain: expect.stringMatching(/^https?:/) as string,
		redirectroot: link,
		redirect404: text,
	}),
	'domain update': {
		parameters: {
			resource: 'domain',
			operation: 'update',
			domainId: locator,
			domainFields: { redirect404: '={{ $json.url }}' },
		},
		items: itemsOf({ id: 3, url: 'https://a.example/?q=ă b' }, { id: 4, url: 'https://b.example' }),
		requests: ['PUT /api/domain/3/update', 'PUT /api/domain/4/update'],
		bodies: [{ redirect404: 'https://a.example/?q=ă b' }, { redirect404: 'https://b.example' }],
		output: [
			{ id: 3, message: done },
			{ id: 4, message: done },
		],
	},
	'domain upsert': {
		parameters: {
			resource: 'domain',
			operation: 'upsert',
			domain: '={{ $json.domain }}',
			domainFields: { redirectroot: 'https://example.com' },
		},
		items: itemsOf({ domain: 'https://go.one.example' }, { domain: 'https://go.one.example' }),
		requests: [...sweepOf('/api/domains', 2), 'POST /api/domain/add'],
		output: [56, 56].map((id) => ({
			id,
			domain: 'https://go.one.example',
			redirectroot: 'https://example.com',
		})),
	},
	'file getAll': listCase('file', '/api/files', {
		id: number,
		name: text,
		downloads: number,
		shorturl: link,
		date,
	}),
	'file upload': {
		parameters: {
			resource: 'file',
			operation: 'upload',
			binaryPropertyName: 'data',
			fileFields: { maxdownloads: 3 },
		},
		items: [
			{ json: {}, binary: file('one.txt') },
			{ json: {}, binary: file('two/50% ă?.txt') },
		],
		requests: [
			'POST /api/files/upload/one.txt?maxdownloads=3',
			'POST /api/files/upload/two%2F50%25%20%C4%83%3F.txt?maxdownloads=3',
		],
		output: [
			{ id: 181, shorturl: link },
			{ id: 182, shorturl: link },
		],
	},
	'pixel create': {
		parameters: {
			resource: 'pixel',
			operation: 'create',
			type: '={{ $json.type }}',
			name: '={{ $json.name }}',
			tag: 'T-1',
		},
		items: itemsOf({ type: 'tiktok', name: 'One' }, { type: 'bing', name: 'Two' }),
		requests: ['POST /api/pixel/add', 'POST /api/pixel/add'],
		bodies: [
			{ type: 'tiktok', name: 'One', tag: 'T-1' },
			{ type: 'bing', name: 'Two', tag: 'T-1' },
		],
		output: [{ id: 71 }, { id: 72 }],
	},
	'pixel delete': {
		parameters: { resource: 'pixel', operation: 'delete', pixelId: locator },
		items: itemsOf({ id: 3 }, { id: 4 }),
		requests: ['DELETE /api/pixel/3/delete', 'DELETE /api/pixel/4/delete'],
		output: [
			{ deleted: true, id: 3 },
			{ deleted: true, id: 4 },
		],
	},
	'pixel get': getCase('pixel', '/api/pixels', { name: text, type: text, tag: text, date }),
	'pixel getAll': listCase('pixel', '/api/pixels', {
		id: number,
		type: text,
		name: text,
		tag: text,
		date,
	}),
	'pixel update': {
		parameters: {
			resource: 'pixel',
			operation: 'update',
			pixelId: locator,
			tag: '={{ $json.tag }}',
			pixelFields: {},
		},
		items: itemsOf({ id: 3, tag: 'T-3' }, { id: 4, tag: 44 }),
		requests: ['PUT /api/pixel/3/update', 'PUT /api/pixel/4/update'],
		bodies: [{ tag: 'T-3' }, { tag: '44' }],
		output: [
			{ id: 3, message: done },
			{ id: 4, message: done },
		],
	},
	'pixel upsert': {
		parameters: {
			resource: 'pixel',
			operation: 'upsert',
			type: 'bing',
			name: 'One',
			tag: '={{ $json.tag }}',
		},
		items: itemsOf({ tag: 'T-1' }, { tag: 'T-1' }),
		requests: [...sweepOf('/api/pixels', 2), 'POST /api/pixel/add'],
		output: [71, 71].map((id) => ({ id, name: 'One', type: 'bing', tag: 'T-1' })),
	},
	'qrCode get': {
		parameters: { resource: 'qrCode', operation: 'get', qrCodeId: locator },
		items: itemsOf({ id: 3 }, { id: 4 }),
		requests: ['GET /api/qr/3', 'GET /api/qr/4'],
		output: [
			{ id: 3, link, scans: number, name: text, date },
			{ id: 4, link, scans: number, name: text, date },
		],
	},
	'qrCode getAll': listCase('qrCode', '/api/qr', {
		id: number,
		link,
		scans: number,
		name: text,
		date,
	}),
	'splashPage getAll': listCase('splashPage', '/api/splash', { id: number, name: text, date }),
};

describe.each([
	['the node’s own pass', false],
	['n8n’s routing', true],
])('every operation, through the engine and over HTTP', () => {
	test('has a case here', () => {
		expect(Object.keys(cases)).toHaveLength(36);
	});

	const ways = Object.entries(cases).flatMap(([name, spec]) => [
		{ name, way: 'in the node’s own pass', spec, routed: false },
		{ name, way: 'through n8n’s routing', spec, routed: true },
	]);

	test.each(ways)('$name, $way', async ({ spec, routed }) => {
		const { parameters, items, ...expected } = spec;
		const { credential, links, run, requests } = await bench();
		const outcome = await run(parameters, { items, routed });

		expect(outcome.error).toBeUndefined();
		expect(sorted(requests.map(({ method, rawPath }) => `${method} ${rawPath}`))).toEqual(
			sorted(expected.requests.map((request) => request.replace(' ', ' /links'))),
		);
		for (const { headers, status } of requests) {
			expect(status).toBe(200);
			expect(headers.authorization).toBe(`Bearer ${credential.apiKey}`);
			expect(headers.accept).toBe('application/json');
		}
		if (expected.bodies) {
			expect(requests).toHaveLength(expected.bodies.length);
			const bodies = requests.map(({ body }) => body);
			expect(bodies).toEqual(expect.arrayContaining(expected.bodies));
			expect(expected.bodies).toEqual(expect.arrayContaining(bodies));
			for (const { body, headers } of requests) {
				expect(headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
			}
		}
		expect(jsonOf(outcome.items)).toEqual(expected.output);
		expect(pairedWith(outcome.items)).toEqual(expected.paired ?? items.map((__, index) => index));
		expect(links.requests).toHaveLength(expected.requests.length);
	});
});

/** Requests of different items run side by side, so they arrive in any order. */
function sorted(lines: Array<string | undefined>): string[] {
	return lines.map(String).sort();
}

describe('what was written is there', () => {
	test('a channel, its items and their absence', async () => {
		const { run } = await bench();
		const [channel] = jsonOf(
			(await run({ resource: 'channel', operation: 'create', name: 'Mine' })).items,
		);
		const channelId = byId(Number(channel!.id));
		const put = (itemType: string, itemId: string) =>
			run({ resource: 'channel', operation: 'addItem', channelId, itemType, itemId });
		for (const type of ['links', 'bio', 'qr']) await put(type, '2');
		const { items } = await run({
			resource: 'channel',
			operation: 'getItems',
			channelId,
			returnAll: true,
		});
		// Three items of the same id: they differ in type.
		expect(
			jsonOf(items)
				.map(({ type, id: itemId }) => `${type} ${itemId}`)
				.sort(),
		).toEqual(['bio 2', 'links 2', 'qr 2']);
		expect(pairedWith(items)).toEqual([0, 0, 0]);
		await run({ resource: 'channel', operation: 'delete', channelId });
		const gone = await run({ resource: 'channel', operation: 'getItems', channelId });
		expect(gone.error).toMatchObject({ httpCode: '404' });
	});

	test('a password, and nothing of it in what comes out', async () => {
		const { run, links, requests } = await bench();
		const outcome = await run({
			resource: 'account',
			operation: 'update',
			accountFields: { email: 'me@example.org', password: ' pass word ' },
		});
		expect(requests[0]!.body).toEqual({ email: 'me@example.org', password: ' pass word ' });
		expect(links.state.password).toBe(' pass word ');
		expect(JSON.stringify(outcome.items)).not.toContain('pass word');
	});
});

describe('lists', () => {
	test('"Return All" brings every row once, in the order of the service', async () => {
		const { run, lines } = await bench();
		const { items } = await run({ resource: 'campaign', operation: 'getAll', returnAll: true });
		expect(jsonOf(items).map((row) => row.id)).toEqual(
			Array.from({ length: 75 }, (_, index) => 75 - index),
		);
		expect(lines()).toHaveLength(2);
	});

	test('"Limit" asks for no page and no row that it does not need', async () => {
		const { run, requests } = await bench();
		const { items } = await run({ resource: 'file', operation: 'getAll', limit: 70 });
		expect(items).toHaveLength(70);
		// The service gives 50 at most; it was asked for 70, twice.
		expect(requests.map(({ query }) => query)).toEqual([
			{ limit: '70', page: '1' },
			{ limit: '70', page: '2' },
		]);
	});

	test('the counters of the file list are read at the top level, and its filter is sent', async () => {
		const { run, requests, links } = await bench();
		for (let i = 0; i < 60; i++) links.control.addFile({ name: `zebra & co ${i}.txt` });
		const { items } = await run({
			resource: 'file',
			operation: 'getAll',
			returnAll: true,
			fileFilters: { name: 'ZEBRA & co' },
		});
		expect(items).toHaveLength(60);
		expect(requests.map(({ query }) => query)).toEqual([
			{ name: 'ZEBRA & co', limit: '100', page: '1' },
			{ name: 'ZEBRA & co', limit: '100', page: '2' },
		]);
	});

	test.each(['mixed', 'name', 'domain'] as const)(
		'a campaign has its name under "name", when the list says %s',
		async (campaignNameKey) => {
			const { run } = await bench({ campaignNameKey });
			const { items } = await run({ resource: 'campaign', operation: 'getAll', returnAll: true });
			for (const { name, domain } of jsonOf(items)) {
				expect(name).toEqual(expect.any(String));
				expect(domain).toBeUndefined();
			}
		},
	);

	test.each(['number', 'string'] as const)('an "error" of 0 as %s is a success', async (kind) => {
		const { run } = await bench({ zeroAs: { splash: kind, files: kind } });
		for (const resource of ['splashPage', 'file']) {
			const { items, error } = await run({ resource, operation: 'getAll', limit: 1 });
			expect({ resource, error, count: items.length }).toEqual({
				resource,
				error: undefined,
				count: 1,
			});
		}
	});

	test('an empty list is no item, and the node still succeeds', async () => {
		const { run } = await bench({ counts: { pixels: 0 } });
		const outcome = await run({ resource: 'pixel', operation: 'getAll', returnAll: true });
		expect(outcome).toMatchObject({ items: [], error: undefined });
	});

	test('fields that the document does not know pass through', async () => {
		const { run, links } = await bench();
		links.inject({
			status: 200,
			body: { error: '0', data: { maxpage: 1, pixels: [{ id: 1, extra: { deep: [null] } }] } },
		});
		const { items } = await run({ resource: 'pixel', operation: 'getAll' });
		expect(jsonOf(items)).toEqual([{ id: 1, extra: { deep: [null] } }]);
	});
});

describe('the single QR code', () => {
	test.each(['data', 'details', 'top'] as const)('is found under %s', async (singleQr) => {
		for (const singleQrNameKey of ['name', 'title'] as const) {
			const { run } = await bench({ singleQr, singleQrNameKey });
			const { items } = await run({ resource: 'qrCode', operation: 'get', qrCodeId: byId(7) });
			expect(jsonOf(items)).toMatchObject([{ id: 7, link, scans: number, name: text, date }]);
			expect(items[0]!.json).not.toHaveProperty('error');
			expect('statistics' in items[0]!.json).toBe(singleQr === 'details');
		}
	});
});

describe('expressions', () => {
	test('may give the whole of a record field, as a number or a locator', async () => {
		const { run, lines } = await bench();
		const outcome = await run(
			{ resource: 'qrCode', operation: 'get', qrCodeId: '={{ $json.which }}' },
			{ items: itemsOf({ which: 5 }, { which: '6' }, { which: byId(7) }) },
		);
		expect(outcome.error).toBeUndefined();
		expect(lines().sort()).toEqual([5, 6, 7].map((which) => `GET /api/qr/${which} 200`));
	});

	test('choose values that the editor would not: text for switches and numbers', async () => {
		const { run, requests } = await bench();
		await run(
			{
				resource: 'channel',
				operation: 'create',
				name: '={{ $json.name }}',
				channelFields: { starred: '={{ $json.starred }}' },
			},
			{ items: itemsOf({ name: 2030, starred: 'true' }) },
		);
		expect(requests[0]!.body).toEqual({ name: '2030', starred: true });
	});

	test('give dates: an ISO date with time, and a date object', async () => {
		const { run, requests } = await bench();
		const outcome = await run(
			{
				resource: 'file',
				operation: 'upload',
				binaryPropertyName: 'data',
				fileFields: { expiry: '={{ $json.object ? DateTime.fromISO("2031-05-06") : $json.date }}' },
			},
			{
				items: [{ object: true }, { date: '2030-12-31T00:00:00' }].map((json) => ({
					json: json as IDataObject,
					binary: file('a.txt'),
				})),
			},
		);
		expect(outcome.error).toBeUndefined();
		expect(requests.map(({ query }) => query.expiry).sort()).toEqual(['2030-12-31', '2031-05-06']);
	});
});

describe('identical look-ups', () => {
	const get = { resource: 'qrCode', operation: 'get', qrCodeId: locator };

	test('are sent once for all items that ask for the same', async () => {
		const { run, lines } = await bench();
		const { items } = await run(get, {
			items: itemsOf({ id: 1 }, { id: 2 }, { id: 1 }, { id: 1 }),
		});
		expect(lines().sort()).toEqual(['GET /api/qr/1 200', 'GET /api/qr/2 200']);
		expect(jsonOf(items).map((record) => record.id)).toEqual([1, 2, 1, 1]);
		expect(pairedWith(items)).toEqual([0, 1, 2, 3]);
	});

	test('give every item a record of its own', async () => {
		const { run } = await bench({ singleQr: 'details' });
		const { items } = await run(get, { items: itemsOf({ id: 1 }, { id: 1 }) });
		expect(items[0]!.json).toEqual(items[1]!.json);
		expect(items[0]!.json.statistics).not.toBe(items[1]!.json.statistics);
	});

	test('are sent for each item when the option is off', async () => {
		const { run, lines } = await bench();
		await run(
			{ ...get, options: { reuseIdentical: false } },
			{ items: itemsOf({ id: 1 }, { id: 1 }, { id: 1 }) },
		);
		expect(lines()).toHaveLength(3);
	});

	test('share a failure, too', async () => {
		const { run, lines } = await bench();
		const { items } = await run(get, {
			items: itemsOf({ id: 9999 }, { id: 9999 }),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(lines()).toHaveLength(1);
		expect(pairedWith(items)).toEqual([0, 1]);
		for (const { error } of jsonOf(items)) expect(error).toMatch(/QR code does not exist/);
	});

	test('writes are never taken for identical', async () => {
		const { run, lines } = await bench();
		await run(
			{ resource: 'campaign', operation: 'create', campaignFields: { name: 'Same' } },
			{ items: itemsOf({}, {}, {}) },
		);
		expect(lines()).toHaveLength(3);
	});
});
