import { callAsTool } from './contexts';
import type { NodeOutcome, NodeRun } from './harness';
import { byId, jsonOf, runNode } from './harness';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { fakeService } from '../fakeService';
import type { Respond, ServiceUnderTest } from './jsonService';
import { jsonService } from './jsonService';
import type { LinkManagementBench } from './linkManagementSupport';
import { bench, itemsOf, pairedWith } from './linkManagementSupport';

const byName = (value: string) => ({ __rl: true, mode: 'name', value });

/** Requests that read lists, and those that write. */
function countsOf(requests: ReadonlyArray<{ method: string }>) {
	const reads = requests.filter(({ method }) => method === 'GET').length;
	return { reads, writes: requests.length - reads };
}

const campaignUpsert = {
	resource: 'campaign',
	operation: 'upsert',
	campaignName: '={{ $json.name }}',
	campaignFields: { public: '={{ $json.public }}' },
};

describe.each([
	['in the node’s own pass', false],
	['through n8n’s routing', true],
])('Create or Update, %s', (_, routed) => {
	let service: LinkManagementBench;
	beforeEach(async () => {
		service = await bench();
	});

	async function run(
		parameters: INodeParameters,
		records: IDataObject[],
		more: Partial<NodeRun> = {},
	) {
		return await service.run(parameters, { items: itemsOf(...records), routed, ...more });
	}

	it('costs a sweep of the list and at most one write per name', async () => {
		const rows = Array.from({ length: 500 }, (__, index) => ({
			name: `Wave ${index % 40}`,
			public: index % 2 === 0,
		}));
		const { items, error } = await run(campaignUpsert, rows);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(500);
		// 75 campaigns, 50 per page.
		expect(countsOf(service.requests)).toEqual({ reads: 2, writes: 40 });
		const idByName = new Map(jsonOf(items).map(({ name, id }) => [name, id]));
		expect(idByName.size).toBe(40);
		for (const { name, id } of jsonOf(items)) expect(id).toBe(idByName.get(name));
		expect(pairedWith(items)).toEqual(rows.map((__, index) => index));
		// Now all exist, with the same values: 115 campaigns on three pages, and nothing to write.
		const again = await run(campaignUpsert, rows);
		expect(again.items).toHaveLength(500);
		expect(countsOf(service.requests)).toEqual({ reads: 5, writes: 40 });
	});

	it('writes the rows of one name in the order of the items', async () => {
		const rows = [true, false, false, true].map((isPublic) => ({ name: 'One', public: isPublic }));
		const { items } = await run(campaignUpsert, rows);
		expect(jsonOf(items).map((record) => record.public)).toEqual([true, false, false, true]);
		const writes = service.requests.filter(({ method }) => method !== 'GET');
		expect(writes.map(({ method, body }) => [method, (body as IDataObject).public])).toEqual([
			['POST', true],
			['PUT', false],
			['PUT', true],
		]);
		expect(new Set(jsonOf(items).map(({ id }) => id)).size).toBe(1);
	});

	it.each([
		[
			'channel',
			{ name: '={{ $json.name }}', channelFields: { starred: true } },
			{ name: 'New one' },
			{
				id: 61,
				name: 'New one',
				starred: true,
				description: '',
				color: expect.any(String) as string,
			},
		],
		[
			'domain',
			{ domain: '={{ $json.name }}', domainFields: { redirectroot: 'https://example.com/x' } },
			{ name: 'https://GO.new.example/' },
			{ id: 56, domain: 'https://GO.new.example/', redirectroot: 'https://example.com/x' },
		],
		[
			'pixel',
			{ type: 'bing', tag: '={{ $json.name }}', name: 'Shop' },
			{ name: 'T-900' },
			{ id: 71, name: 'Shop', type: 'bing', tag: 'T-900' },
		],
	])(
		'creates a %s that does not exist, then updates it',
		async (resource, parameters, row, record) => {
			const upsert = { resource, operation: 'upsert', ...parameters };
			const first = await run(upsert, [row, row]);
			expect(first.error).toBeUndefined();
			expect(jsonOf(first.items)).toEqual([
				{ ...record, created: true },
				{ ...record, created: false },
			]);
			expect(countsOf(service.requests).writes).toBe(1);
			const changed = {
				...upsert,
				channelFields: { starred: false },
				domainFields: { redirectroot: 'https://example.com/y' },
				name: resource === 'pixel' ? 'Shop 2' : '={{ $json.name }}',
			};
			const second = await run(changed, [{ name: row.name.replace('GO', 'go') }]);
			expect(second.error).toBeUndefined();
			expect(second.items[0]!.json).toMatchObject({ id: record.id });
			expect(service.requests.at(-1)).toMatchObject({
				method: 'PUT',
				path: expect.stringContaining(`/${record.id}/update`) as string,
			});
			expect(countsOf(service.requests).writes).toBe(2);
		},
	);

	it('updates the record that has the name, whatever spaces are around it', async () => {
		const { items } = await run(campaignUpsert, [
			{ name: `  ${service.links.state.campaigns.get(3)!.name} `, public: null },
		]);
		expect(items[0]!.json).toMatchObject({ id: 3 });
		expect(countsOf(service.requests).writes).toBe(0);
	});

	it('does not guess when several records have the name', async () => {
		const create = { resource: 'campaign', operation: 'create', campaignName: 'Twin' };
		await service.run(create, { items: itemsOf({}, {}) });
		const { items } = await run(campaignUpsert, [{ name: 'Twin' }, { name: 'Single' }], {
			settings: { onError: 'continueRegularOutput' },
		});
		expect(jsonOf(items)).toEqual([
			{ error: expect.stringContaining('2 campaigns have the name "Twin": IDs 77, 76') as string },
			expect.objectContaining({ name: 'Single' }),
		]);
		expect(pairedWith(items)).toEqual([0, 1]);
	});

	it('needs the name', async () => {
		const { error } = await run(campaignUpsert, [{ name: 'A' }, { name: '' }]);
		expect(error?.message).toBe('The parameter "Name" is empty [item 1]');
		expect(service.requests).toEqual([]);
	});
});

describe('Create or Update of a record that differs only in its writing', () => {
	async function run(
		resource: string,
		rows: IDataObject[],
		parameters: INodeParameters,
		more: Partial<NodeRun> = {},
	) {
		const service = await fakeService(({ method }) => {
			const key = `${resource}s`;
			if (method !== 'GET') return { error: 0, message: 'Done' };
			return { error: 0, data: { result: rows.length, maxpage: 1, nextpage: null, [key]: rows } };
		});
		const { items, error } = await runNode({
			type: 'linkManagement',
			parameters: { resource, operation: 'upsert', ...parameters },
			credentials: { linkManagementApi: service.credential },
			...more,
		});
		expect(error).toBeUndefined();
		const writes = service.requests.filter(({ method }) => method !== 'GET');
		return { items: jsonOf(items), writes: writes.map(({ method, json }) => ({ method, json })) };
	}

	const channel = { id: 3, name: '2030', description: 'Caf\u00e9', color: '#3b82f6', starred: '1' };

	it.each([
		['channel', channel, { name: ' 2030 ', channelFields: { starred: true } }],
		['channel', { ...channel, name: 2030 }, { name: '2030', channelFields: { starred: 'TRUE' } }],
		['channel', channel, { name: '2030', channelFields: { color: '#3B82F6' } }],
		['channel', channel, { name: '2030', channelFields: { description: 'Cafe\u0301 ' } }],
		[
			'channel',
			{ ...channel, description: null },
			{ name: '2030', channelFields: { description: '' } },
		],
		[
			'campaign',
			{ id: 3, name: 'A', public: 1 },
			{ campaignName: 'A', campaignFields: { public: true } },
		],
		[
			'domain',
			{ id: 3, domain: 'https://go.example.com', redirectroot: 'https://example.com/' },
			{ domain: 'https://GO.example.com/', domainFields: { redirectroot: 'https://example.com' } },
		],
	])('sends nothing for %s %j and %j', async (resource, row, parameters) => {
		const { items, writes } = await run(resource, [row], parameters);
		expect(writes).toEqual([]);
		expect(items).toEqual([{ ...row, created: false }]);
	});

	it.each([
		['Spring sale', ' Spring sale '],
		['Café', 'Cafe\u0301'],
	])('never renames the record "%s"', async (name, written) => {
		const { items, writes } = await run('campaign', [{ id: 3, name, public: false }], {
			campaignName: written,
			campaignFields: { public: true },
		});
		expect(writes).toEqual([{ method: 'PUT', json: { name, public: true } }]);
		expect(items).toEqual([{ id: 3, name, public: true, created: false }]);
	});

	it('creates a record whose name differs in its case', async () => {
		const { writes } = await run('campaign', [{ id: 3, name: 'Spring' }], {
			campaignName: 'spring',
		});
		expect(writes).toEqual([{ method: 'POST', json: { name: 'spring' } }]);
	});

	it('returns the columns in one order, whether the record is created or updated', async () => {
		const parameters = { name: '={{ $json.name }}', channelFields: { starred: false } };
		const { items } = await run(
			'channel',
			[{ starred: 1, id: 3, extra: 5, name: 'A' }],
			parameters,
			{
				items: itemsOf({ name: 'A' }, { name: 'B' }),
			},
		);
		expect(items.map((item) => Object.keys(item))).toEqual([
			['id', 'name', 'starred', 'created', 'extra'],
			['name', 'starred', 'created'],
		]);
	});
});

describe('Create or Update against a service that fails', () => {
	let service: ServiceUnderTest;
	let campaigns: IDataObject[];

	/** A service that carries out writes, and answers as the test has it. */
	async function serve(answer: Respond): Promise<void> {
		campaigns = [];
		service = await jsonService((request) => {
			const { method, url, body } = request;
			const given = body === '' ? {} : (JSON.parse(body) as IDataObject);
			if (method === 'POST') campaigns.push({ id: campaigns.length + 1, ...given });
			if (method === 'PUT')
				Object.assign(campaigns[Number(url.pathname.split('/')[3]) - 1]!, given);
			if (method !== 'GET') return answer(request);
			return { body: { error: '0', data: { result: campaigns.length, maxpage: 1, campaigns } } };
		});
	}

	async function upsert(records: IDataObject[], more: Partial<NodeRun> = {}): Promise<NodeOutcome> {
		return await runNode({
			type: 'linkManagement',
			parameters: campaignUpsert,
			credentials: { linkManagementApi: { baseUrl: service.baseUrl, apiKey: service.apiKey } },
			items: itemsOf(...records),
			...more,
		});
	}

	const continuing = { settings: { onError: 'continueRegularOutput' as const } };
	const created = () => ({ body: { error: 0, id: campaigns.length } });

	it('looks again before it creates a record whose creation may have had an effect', async () => {
		let creations = 0;
		await serve(() => (++creations === 1 ? { status: 500, body: { message: 'Oops' } } : created()));
		const { items } = await upsert([{ name: 'A' }, { name: 'A' }, { name: 'A' }], continuing);
		expect(campaigns).toEqual([{ id: 1, name: 'A' }]);
		expect(jsonOf(items)).toEqual([
			{ error: expect.any(String) as string },
			{ id: 1, name: 'A', created: false },
			{ id: 1, name: 'A', created: false },
		]);
	});

	it('creates no second record with "Retry On Fail" either', async () => {
		let creations = 0;
		await serve(() => (++creations === 1 ? { status: 502, body: 'Bad gateway' } : created()));
		const { items, error } = await upsert(
			[
				{ name: 'A', public: true },
				{ name: 'B', public: true },
			],
			{
				settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
			},
		);
		expect(error).toBeUndefined();
		expect(jsonOf(items).map(({ name, created: isNew }) => [name, isNew])).toEqual([
			['A', true],
			['B', true],
		]);
		expect(campaigns.map(({ name }) => name).sort()).toEqual(['A', 'B']);
	});

	it('ends with the values of the last row when "Retry On Fail" repeats the items', async () => {
		let writes = 0;
		await serve(() => (++writes === 3 ? { status: 400, body: { message: 'No' } } : created()));
		await upsert(
			[
				{ name: 'A', public: true },
				{ name: 'A', public: false },
				{ name: 'B', public: true },
			],
			{ settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 } },
		);
		expect(campaigns.find(({ name }) => name === 'A')).toMatchObject({ public: false });
		expect(campaigns.filter(({ name }) => name === 'A')).toHaveLength(1);
	});

	it('tries each row of a name when the service rejects one, without reading the list again', async () => {
		await serve(({ body }) =>
			body.includes('true') ? { body: { error: 1, message: 'Not public' } } : created(),
		);
		const { items } = await upsert(
			[
				{ name: 'A', public: true },
				{ name: 'A', public: true },
				{ name: 'A', public: false },
			],
			continuing,
		);
		expect(jsonOf(items).map(({ error, id }) => error ?? id)).toEqual([
			expect.stringContaining('Not public'),
			expect.stringContaining('Not public'),
			3,
		]);
		expect(countsOf(service.requests)).toEqual({ reads: 1, writes: 3 });
	});

	it('finds the record that the service created without returning its id', async () => {
		await serve(() => ({ body: { error: 0, message: 'Done' } }));
		const { items, error } = await upsert([
			{ name: 'A', public: true },
			{ name: 'A', public: false },
		]);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([
			{ name: 'A', public: true, created: true },
			{ id: 1, name: 'A', public: false, created: false },
		]);
		expect(campaigns).toEqual([{ id: 1, name: 'A', public: false }]);
	});
});

describe('a record given by its name', () => {
	let service: LinkManagementBench;
	beforeEach(async () => {
		service = await bench();
	});

	it.each([
		[
			'campaign',
			'campaignId',
			(links: LinkManagementBench['links']) => links.state.campaigns.get(7)!.name,
		],
		[
			'channel',
			'channelId',
			(links: LinkManagementBench['links']) => links.state.channels.get(7)!.name,
		],
		[
			'domain',
			'domainId',
			(links: LinkManagementBench['links']) => links.state.domains.get(7)!.domain,
		],
		['pixel', 'pixelId', (links: LinkManagementBench['links']) => links.state.pixels.get(7)!.name],
	])(
		'is got by ID and by name, with one sweep per run: %s',
		async (resource, parameter, nameIn) => {
			const name = String(nameIn(service.links));
			for (const routed of [false, true]) {
				const before = service.requests.length;
				const { items, error } = await service.run(
					{ resource, operation: 'get', [parameter]: '={{ $json.record }}' },
					{
						items: itemsOf(...[byId(7), byName(name), byId(8)].map((record) => ({ record }))),
						routed,
					},
				);
				expect(error).toBeUndefined();
				expect(jsonOf(items).map(({ id }) => id)).toEqual([7, 7, 8]);
				expect(Object.keys(items[0]!.json)[0]).toBe('id');
				expect(pairedWith(items)).toEqual([0, 1, 2]);
				expect(countsOf(service.requests.slice(before))).toEqual({ reads: 2, writes: 0 });
			}
		},
	);

	it('is an error of its item when there is none, or several', async () => {
		await service.run(
			{ resource: 'channel', operation: 'create', name: 'Twin' },
			{ items: itemsOf({}, {}) },
		);
		const { items } = await service.run(
			{ resource: 'channel', operation: 'get', channelId: '={{ $json.record }}' },
			{
				items: itemsOf(
					...[byName('Nobody'), byId(9999), byName('Twin')].map((record) => ({ record })),
				),
				settings: { onError: 'continueRegularOutput' },
			},
		);
		expect(jsonOf(items)).toEqual([
			{ error: expect.stringMatching(/^No channel has the name "Nobody"/) as string },
			{ error: expect.stringMatching(/^No channel has the ID 9999/) as string },
			{ error: expect.stringMatching(/^2 channels have the name "Twin": IDs \d+, \d+/) as string },
		]);
		expect(pairedWith(items)).toEqual([0, 1, 2]);
	});

	it.each(['https://go.brand.example', 'go.brand.example', 'HTTPS://Go.Brand.example/'])(
		'may be a domain written as %s',
		async (address) => {
			await service.run({
				resource: 'domain',
				operation: 'create',
				domain: 'https://go.brand.example',
			});
			const { items } = await service.run({
				resource: 'domain',
				operation: 'get',
				domainId: byName(address),
			});
			expect(items[0]?.json).toMatchObject({ domain: 'https://go.brand.example' });
		},
	);

	it('is accepted instead of its ID in every other operation', async () => {
		const name = String(service.links.state.campaigns.get(3)!.name);
		const { items } = await service.run(
			{
				resource: 'campaign',
				operation: 'addLink',
				campaignId: byName(name),
				linkId: '={{ $json.link }}',
			},
			{ items: itemsOf({ link: 11 }, { link: 12 }) },
		);
		expect(jsonOf(items)).toMatchObject([
			{ campaignId: 3, linkId: 11 },
			{ campaignId: 3, linkId: 12 },
		]);
		expect(Object.keys(items[0]!.json)).toEqual(['campaignId', 'linkId', 'message']);
		const deleted = await service.run({
			resource: 'campaign',
			operation: 'delete',
			campaignId: byName(name),
		});
		expect(jsonOf(deleted.items)).toEqual([{ deleted: true, id: 3 }]);
		expect(service.links.state.campaigns.get(3)).toBeUndefined();
	});

	it('can be asked for by an agent', async () => {
		const { answers } = await callAsTool(
			'linkManagement',
			{
				resource: 'channel',
				operation: 'get',
				channelId: { __rl: true, mode: 'name', value: "={{ $fromAI('name') }}" },
			},
			{ linkManagementApi: service.credential },
			[{ name: service.links.state.channels.get(5)!.name }, { name: 'Nobody' }],
		);
		expect(JSON.parse(answers[0]!)).toMatchObject([{ id: 5 }]);
		expect(answers[1]).toContain('No channel has the name "Nobody"');
	});
});

describe('a list that is not as documented', () => {
	const rows = [{ id: '007', name: 2030 }, { id: 8, name: null }, { id: 9 }, { name: 'No ID' }];
	const upsert = (name: string) => ({
		resource: 'channel',
		operation: 'upsert',
		name,
		channelFields: { starred: true },
	});

	async function run(respond: Respond, parameters: INodeParameters, count = 1) {
		const service = await jsonService(respond);
		const outcome = await runNode({
			type: 'linkManagement',
			parameters,
			credentials: { linkManagementApi: { baseUrl: service.baseUrl, apiKey: service.apiKey } },
			items: Array.from({ length: count }, () => ({ json: {} })),
			settings: { onError: 'continueRegularOutput' },
		});
		return { ...outcome, requests: service.requests };
	}

	const listing: Respond = () => ({ body: { error: '0', data: { maxpage: 1, channels: rows } } });

	it.each([
		[byId(7), { id: '007', name: 2030 }],
		[byName('2030'), { id: '007', name: 2030 }],
		[byId(9), { id: 9 }],
		[byName('null'), { error: 'No channel has the name "null" [item 0]' }],
	])('finds %j in it', async (channelId, record) => {
		const { items } = await run(listing, { resource: 'channel', operation: 'get', channelId });
		expect(jsonOf(items)).toEqual([record]);
	});

	it('updates a record whose ID is text, and none that has no ID', async () => {
		const respond: Respond = (request) =>
			request.method === 'GET' ? listing(request) : { body: { error: 0, message: 'Done' } };
		const found = await run(respond, upsert('2030'));
		expect(found.requests.at(-1)).toMatchObject({ method: 'PUT', url: '/api/channel/7/update' });
		const nameless = await run(respond, upsert('No ID'));
		expect(jsonOf(nameless.items)).toEqual([
			{ error: expect.stringContaining('unexpected shape') as string },
		]);
		expect(countsOf(nameless.requests).writes).toBe(0);
	});

	it.each([
		[{ error: 1, message: 'No list for you' }, 'No list for you'],
		[{ error: 0, data: { things: 3 } }, 'The response has an unexpected shape'],
	])('%j fails every item and creates nothing', async (body, message) => {
		const { items, requests } = await run(() => ({ body }), upsert('A'), 3);
		expect(jsonOf(items).map(({ error }) => error)).toEqual(
			[0, 1, 2].map((index) => `${message} [item ${index}]`),
		);
		expect(requests).toHaveLength(1);
	});
});

describe('an update of a campaign', () => {
	const update = {
		resource: 'campaign',
		operation: 'update',
		campaignId: '={{ { __rl: true, mode: "id", value: $json.id } }}',
		campaignName: '={{ $json.name }}',
		campaignFields: { public: true },
	};

	it('without a name sends the present one, read once per run', async () => {
		const { run, requests, links } = await bench();
		const names = [3, 4].map((id) => links.state.campaigns.get(id)!.name);
		const { error } = await run(update, { items: itemsOf({ id: 3 }, { id: 4 }) });
		expect(error).toBeUndefined();
		expect(countsOf(requests)).toEqual({ reads: 2, writes: 2 });
		expect([3, 4].map((id) => links.state.campaigns.get(id)!.name)).toEqual(names);
		expect([3, 4].map((id) => links.state.campaigns.get(id)!.public)).toEqual([true, true]);
	});

	it('keeps the name that an earlier item has given', async () => {
		const { run, links } = await bench();
		await run(update, { items: itemsOf({ id: 3, name: 'Renamed' }, { id: 3, name: '' }) });
		expect(links.state.campaigns.get(3)).toMatchObject({ name: 'Renamed', public: true });
	});

	it('of a campaign that is not there is an error before anything is changed', async () => {
		const { run, requests } = await bench();
		const { error } = await run(update, { items: itemsOf({ id: 9999 }) });
		expect(error?.message).toContain('No campaign has the ID 9999');
		expect(countsOf(requests).writes).toBe(0);
	});
});

describe('a text that an update can clear', () => {
	it.each([
		['channel', { channelId: byId(3) }, 'channelFields', 'description'],
		['domain', { domainId: byId(3) }, 'domainFields', 'redirect404'],
		['domain', { domainId: byId(3) }, 'domainFields', 'redirectroot'],
		['campaign', { campaignId: byId(3), campaignName: 'N' }, 'campaignFields', 'slug'],
	])('is sent empty if it is empty, and not if it is null: %s %s %s %s', async (...row) => {
		const [resource, record, collection, field] = row;
		const { run, requests } = await bench();
		const { error } = await run({
			resource,
			operation: 'update',
			...record,
			[collection]: { [field]: '' },
		});
		expect(error).toBeUndefined();
		expect(requests[0]!.body).toMatchObject({ [field]: '' });
		for (const nothing of ['null', 'undefined']) {
			const kept = await run({
				resource,
				operation: 'update',
				...record,
				[collection]: {
					[field]: `={{ ${nothing} }}`,
					...(resource === 'campaign' && { public: true }),
				},
			});
			const sent = requests.at(-1)!.body as IDataObject;
			if (resource === 'campaign') expect(sent).toEqual({ name: 'N', public: true });
			else expect(kept.error?.message).toContain('There is nothing to update');
		}
	});

	it('is left out of a new record', async () => {
		const { run, requests } = await bench();
		await run({
			resource: 'channel',
			operation: 'create',
			name: 'N',
			channelFields: { description: '' },
		});
		expect(requests[0]!.body).toEqual({ name: 'N' });
	});

	it('does not clear a name or a color', async () => {
		const { run, requests } = await bench();
		await run({
			resource: 'channel',
			operation: 'update',
			channelId: byId(3),
			channelFields: { name: '', color: '', starred: true },
		});
		expect(requests[0]!.body).toEqual({ starred: true });
	});
});

describe('the name of a new campaign', () => {
	it.each([
		[{ campaignName: 'Top' }, { name: 'Top' }],
		[{}, {}],
	])('%j is sent as %j', async (parameters, body) => {
		const { run, requests } = await bench();
		const { error } = await run({ resource: 'campaign', operation: 'create', ...parameters });
		expect(error).toBeUndefined();
		expect(requests[0]!.body).toEqual(body);
	});
});

describe('Start at Page', () => {
	it.each([
		[{ limit: 10, options: { startAtPage: 3 } }, 10, 55],
		[{ limit: 30, options: { startAtPage: 3 } }, 15, 15],
		[{ returnAll: true, options: { startAtPage: 2 } }, 25, 25],
		[{ returnAll: true, options: { startAtPage: 9 } }, 0, undefined],
	])('reads a list from there on: %j', async (parameters, count, firstId) => {
		const { run, requests } = await bench();
		const { items, error } = await run({
			resource: 'campaign',
			operation: 'getAll',
			...parameters,
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(count);
		expect(items[0]?.json.id).toBe(firstId);
		expect(requests).toHaveLength(1);
	});

	it('has to be a page', async () => {
		const { run, requests } = await bench();
		const { error } = await run({
			resource: 'pixel',
			operation: 'getAll',
			options: { startAtPage: 0 },
		});
		expect(error?.message).toContain('"Start at Page" must be a whole number of at least 1');
		expect(requests).toEqual([]);
	});
});
