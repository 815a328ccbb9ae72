import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { callAsTool } from './contexts';
import { fakeService } from '../fakeService';
import type { Respond } from '../fakeService';
import type { NodeRun } from './harness';
import { byId, jsonOf } from './harness';
import {
	bench,
	byName,
	campaignService,
	continuing,
	ENTRY_POINTS,
	hintsOf,
	itemsOf,
	listOf,
	pairedWith,
	recordsOf,
	runAt,
} from './support';

/** The number of requests that read lists, and of those that write. */
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

describe('Create or Update', () => {
	it('reads the list once and writes each name once for 500 rows with 40 names', async () => {
		const service = await bench();
		const rows = Array.from({ length: 500 }, (_, index) => ({
			name: `Wave ${index % 40}`,
			public: index % 2 === 0,
		}));
		const { items, error } = await service.run(campaignUpsert, { items: itemsOf(...rows) });
		expect(error).toBeUndefined();
		// 75 campaigns, 50 per page.
		expect(countsOf(service.requests)).toEqual({ reads: 2, writes: 40 });
		const idByName = new Map(jsonOf(items).map(({ name, id }) => [name, id]));
		expect(idByName.size).toBe(40);
		for (const { name, id } of jsonOf(items)) expect(id).toBe(idByName.get(name));
		expect(pairedWith(items)).toEqual(rows.map((_, index) => index));
		// The second run reads 115 campaigns on three pages, and has nothing to change.
		await service.run(campaignUpsert, { items: itemsOf(...rows) });
		expect(countsOf(service.requests)).toEqual({ reads: 5, writes: 40 });
	});

	it.each(ENTRY_POINTS)(
		'writes rows with the same name in the order of the items, through %s',
		async (_, routed) => {
			const { run, requests } = await bench();
			const rows = [true, false, false, true].map((isPublic) => ({
				name: 'One',
				public: isPublic,
			}));
			const { items } = await run(campaignUpsert, { items: itemsOf(...rows), routed });
			expect(jsonOf(items).map((record) => record.public)).toEqual([true, false, false, true]);
			const writes = requests.filter(({ method }) => method !== 'GET');
			expect(writes.map(({ method, body }) => [method, (body as IDataObject).public])).toEqual([
				['POST', true],
				['PUT', false],
				['PUT', true],
			]);
			expect(new Set(jsonOf(items).map(({ id }) => id)).size).toBe(1);
		},
	);
});

describe('Create or Update of an existing record', () => {
	async function upsert(
		resource: string,
		rows: IDataObject[],
		parameters: INodeParameters,
		more: Partial<NodeRun> = {},
	) {
		const service = await fakeService(({ method }) =>
			method === 'GET' ? listOf(resource, rows) : { error: 0, message: 'Done' },
		);
		const all = { resource, operation: 'upsert', ...parameters };
		const items = recordsOf(await runAt(service, all, more));
		const writes = service.requests.filter(({ method }) => method !== 'GET');
		return { items, writes: writes.map(({ method, url, json }) => [`${method} ${url}`, json]) };
	}

	const channel = { id: 3, name: '2030', description: 'Caf\u00e9', color: '#3b82f6', starred: '1' };
	const domain = { id: 3, domain: 'https://go.example.com', redirectroot: 'https://example.com/' };

	// validators.test.ts covers which spellings count as equal.
	it.each([
		['channel', channel, { name: ' 2030 ', channelFields: { starred: true } }],
		['channel', { ...channel, name: 2030 }, { name: '2030', channelFields: { color: '#3B82F6' } }],
		[
			'channel',
			{ ...channel, description: null },
			{ name: '2030', channelFields: { description: '' } },
		],
		[
			'domain',
			domain,
			{ domain: 'https://GO.example.com/', domainFields: { redirectroot: 'https://example.com' } },
		],
	])(
		'writes nothing if the %s %j already has the values in %j',
		async (resource, row, parameters) => {
			const { items, writes } = await upsert(resource, [row], parameters);
			expect(writes).toEqual([]);
			expect(items).toEqual([{ ...row, created: false }]);
		},
	);

	// The API requires the tag of a pixel and the name of a campaign in every update.
	it.each([
		['channel', channel, { name: '2030', channelFields: { starred: false } }, { starred: false }],
		[
			'domain',
			domain,
			{ domain: 'https://GO.example.com/', domainFields: { redirectroot: 'https://b.example' } },
			{ redirectroot: 'https://b.example' },
		],
		[
			'pixel',
			{ id: 3, type: 'bing', tag: 'T-9', name: 'Shop' },
			{ type: 'bing', tag: 'T-9', name: 'New' },
			{ tag: 'T-9', name: 'New' },
		],
		[
			'campaign',
			{ id: 3, name: 'Café', public: false },
			{ campaignName: ' Cafe\u0301 ', campaignFields: { public: true } },
			{ name: 'Cafe\u0301', public: true },
		],
	])(
		'updates the %s %j, and sends unchanged fields only if the API requires them',
		async (...row) => {
			const [resource, record, parameters, sent] = row;
			const { items, writes } = await upsert(resource, [record], parameters);
			expect(writes).toEqual([[`PUT /api/${resource}/3/update`, sent]]);
			expect(items).toEqual([{ ...record, ...sent, created: false }]);
		},
	);

	it('writes a field that the list doesn’t show, but not again for a row with the same value', async () => {
		const service = await fakeService(({ method }) =>
			method === 'GET'
				? listOf('campaign', [{ id: 3, name: 'News', public: false }])
				: { error: 0, message: 'Done' },
		);
		const given = { ...campaignUpsert, campaignFields: { slug: '={{ $json.slug }}' } };
		const items = itemsOf(...['a', 'a', 'b'].map((slug) => ({ name: 'News', slug })));
		const records = recordsOf(await runAt(service, given, { items }));
		expect(records.map(({ slug }) => slug)).toEqual(['a', 'a', 'b']);
		const writes = service.requests.filter(({ method }) => method !== 'GET');
		expect(writes.map(({ json }) => json)).toEqual([
			{ name: 'News', slug: 'a' },
			{ name: 'News', slug: 'b' },
		]);
	});

	it.each(['Tom &amp; Jerry', 'Tom &amp;amp; Jerry', 'Tom &#38; Jerry'])(
		'neither renames nor duplicates "Tom & Jerry" in three runs if the list shows %j',
		async (shown) => {
			const service = await fakeService(({ method }) =>
				method === 'GET'
					? listOf('campaign', [{ id: 3, name: shown, public: false }])
					: { error: 0, id: 3 },
			);
			const items = itemsOf({ name: 'Tom & Jerry', public: true });
			for (let run = 0; run < 3; run++) await runAt(service, campaignUpsert, { items });
			const writes = service.requests.filter(({ method }) => method !== 'GET');
			expect(writes.map(({ method, json }) => [method, json])).toEqual(
				Array.from({ length: 3 }, () => ['PUT', { name: 'Tom & Jerry', public: true }]),
			);
		},
	);

	it('treats a record listed twice as one, but rejects two records with the same name', async () => {
		const record = { id: 3, name: 'News', public: false };
		const twice = async (rows: IDataObject[]) => {
			const service = await fakeService(({ method }) =>
				method === 'GET' ? listOf('campaign', rows) : { error: 0, id: 3 },
			);
			const get = { resource: 'campaign', operation: 'get', campaignId: byName('News') };
			const item = { items: itemsOf({ name: 'News', public: true }) };
			return [await runAt(service, get), await runAt(service, campaignUpsert, item)];
		};
		for (const { items } of await twice([record, { ...record }])) {
			expect(jsonOf(items)).toMatchObject([{ id: 3, name: 'News' }]);
		}
		for (const { error } of await twice([record, { ...record, id: 4 }])) {
			expect(error?.message).toContain('2 campaigns have the name "News": IDs 3, 4');
		}
	});

	it('creates a new record if the name differs in case', async () => {
		const rows = [{ id: 3, name: 'Spring' }];
		const { writes } = await upsert('campaign', rows, { campaignName: 'spring' });
		expect(writes).toEqual([['POST /api/campaign/add', { name: 'spring' }]]);
	});

	it('warns if the service stores a different name, which the next run wouldn’t find', async () => {
		const service = await fakeService(({ method }) =>
			method === 'GET' ? listOf('campaign', []) : { error: 0, id: 1, name: 'Spring' },
		);
		const outcome = await runAt(service, { ...campaignUpsert, campaignName: 'Spring sale' });
		expect(hintsOf(outcome)).toMatchObject([
			{ type: 'warning', message: expect.stringContaining('"Spring sale"') as string },
		]);
	});

	it('returns fields in the same order whether it creates or updates the record', async () => {
		const { items } = await upsert(
			'channel',
			[{ starred: 1, id: 3, extra: 5, name: 'A' }],
			{ name: '={{ $json.name }}', channelFields: { starred: false } },
			{ items: itemsOf({ name: 'A' }, { name: 'B' }) },
		);
		expect(items.map((item) => Object.keys(item))).toEqual([
			['id', 'name', 'created', 'starred', 'extra'],
			['name', 'created', 'starred'],
		]);
	});
});

describe('Create or Update with a failing service', () => {
	const rows = (...values: Array<[name: string, isPublic?: boolean]>) => ({
		items: itemsOf(...values.map(([name, isPublic]) => ({ name, public: isPublic }))),
	});
	const trying = (maxTries: number) => ({
		settings: { retryOnFail: true, maxTries, waitBetweenTries: 1 },
	});

	it.each([
		['an error', { status: 500, body: 'Oops' }],
		['truncated JSON', { status: 200, body: '{"error":0,' }],
		['no confirmation', { status: 200, body: { message: 'Under maintenance' } }],
	])('reads the list again after a create that the service answers with %s', async (_, broken) => {
		const service = await campaignService([], (_, write) => (write === 1 ? broken : undefined));
		const given = { ...rows(['A'], ['A'], ['A']), ...continuing };
		const { items } = await runAt(service, campaignUpsert, given);
		expect(service.campaigns).toEqual([{ id: 1, name: 'A' }]);
		expect(jsonOf(items)).toEqual([
			{ error: expect.any(String) as string },
			{ id: 1, name: 'A', created: false },
			{ id: 1, name: 'A', created: false },
		]);
	});

	it('creates no second record if "Retry On Fail" repeats a create that succeeded', async () => {
		const broken = { status: 502, body: 'Bad gateway' };
		const service = await campaignService([], (_, write) => (write === 1 ? broken : undefined));
		const given = { ...rows(['A', true], ['B', true]), ...trying(3) };
		const records = recordsOf(await runAt(service, campaignUpsert, given));
		expect(records.map(({ name, created }) => [name, created])).toEqual([
			['A', true],
			['B', true],
		]);
		expect(service.campaigns.map(({ name }) => name).sort()).toEqual(['A', 'B']);
	});

	it('leaves the last row’s values in the record even if "Retry On Fail" repeats an earlier row', async () => {
		const existing = [{ id: 1, name: 'A', public: null }];
		const no = { status: 400, body: { message: 'No' } };
		const service = await campaignService(existing, (_, write) => (write === 1 ? no : undefined));
		const settings = { ...trying(2).settings, ...continuing.settings };
		await runAt(service, campaignUpsert, { ...rows(['A', true], ['A', false]), settings });
		expect(service.campaigns).toEqual([{ id: 1, name: 'A', public: false }]);
		expect(countsOf(service.requests).writes).toBe(4);
	});

	it('tries every row with the same name if the service rejects one, without reading the list again', async () => {
		const no = { error: 1, message: 'Not public' };
		const service = await campaignService([], ({ public: isPublic }) =>
			isPublic ? no : undefined,
		);
		const given = { ...rows(['A', true], ['A', true], ['A', false]), ...continuing };
		const { items } = await runAt(service, campaignUpsert, given);
		expect(jsonOf(items).map(({ error, id }) => error ?? id)).toEqual([
			expect.stringContaining('Not public'),
			expect.stringContaining('Not public'),
			3,
		]);
		expect(countsOf(service.requests)).toEqual({ reads: 1, writes: 3 });
	});

	it('reports a record as not created if another user created it before the retry', async () => {
		// The service rejects the create, but then has the record, as if another user had created it.
		const no = { status: 400, body: { error: 1, message: 'Try again' } };
		const service = await campaignService([], (_, write) => (write === 1 ? no : undefined));
		const { items } = await runAt(service, campaignUpsert, { ...rows(['A', true]), ...trying(2) });
		expect(jsonOf(items)).toEqual([{ id: 1, name: 'A', public: true, created: false }]);
	});

	it('finds a record that the service created without returning its ID', async () => {
		const service = await campaignService([], () => ({ error: 0, message: 'Done' }));
		const given = rows(['A', true], ['A', false]);
		const records = recordsOf(await runAt(service, campaignUpsert, given));
		expect(records).toEqual([
			{ name: 'A', public: true, created: true },
			{ id: 1, name: 'A', public: false, created: false },
		]);
		expect(service.campaigns).toEqual([{ id: 1, name: 'A', public: false }]);
	});
});

it('creates a record once if an agent asks for it in two parallel calls', async () => {
	const service = await campaignService([]);
	const { answers } = await callAsTool(
		'linkManagement',
		{ ...campaignUpsert, campaignName: "={{ $fromAI('name') }}", campaignFields: {} },
		{ linkManagementApi: service.credential },
		[{ name: 'Spring' }, { name: 'Spring' }, { name: 'Autumn' }],
		{},
		{ atOnce: true },
	);
	expect(service.campaigns.map(({ name }) => name).sort()).toEqual(['Autumn', 'Spring']);
	const created = answers.map((answer) => (JSON.parse(answer) as IDataObject[])[0]!.created);
	expect(created.filter(Boolean)).toHaveLength(2);
});

describe('Create or Update in two runs at once', () => {
	const rows = (from: number) =>
		itemsOf(...Array.from({ length: 30 }, (_, at) => ({ name: `C${(at + from) % 10}` })));
	const upsertNames = { ...campaignUpsert, campaignFields: {} };

	it('two parallel runs create each record once, even if both have already read the list', async () => {
		const service = await campaignService([]);
		const runs = [0, 5].map(async (from) =>
			recordsOf(await runAt(service, upsertNames, { items: rows(from) })),
		);
		const records = (await Promise.all(runs)).flat();
		expect(service.campaigns).toHaveLength(10);
		expect(countsOf(service.requests).writes).toBe(10);
		expect(records.filter(({ created }) => created)).toHaveLength(10);
		for (const { id, name } of records) {
			expect(service.campaigns).toContainEqual({ id, name });
		}
	});

	it('two parallel runs create each record once, even if the creates are answered with errors', async () => {
		// Carried out, but answered with an error.
		const service = await campaignService([], (_, write) =>
			write <= 10 ? { status: 500, body: '' } : undefined,
		);
		const runs = [0, 5].map(
			async (from) => await runAt(service, upsertNames, { items: rows(from), ...continuing }),
		);
		const outcomes = await Promise.all(runs);
		expect(service.campaigns.map(({ name }) => name).sort()).toEqual(
			Array.from({ length: 10 }, (_, at) => `C${at}`),
		);
		const records = outcomes.flatMap(({ items }) => jsonOf(items));
		expect(records.filter(({ error }) => error)).toHaveLength(10);
		expect(records.filter(({ id }) => id)).toHaveLength(50);
	});

	it('a later run trusts the list, because the record may have been deleted', async () => {
		const service = await campaignService([]);
		const items = itemsOf({ name: 'Spring' });
		await runAt(service, upsertNames, { items });
		service.campaigns.pop();
		const [record] = recordsOf(await runAt(service, upsertNames, { items }));
		expect(record).toMatchObject({ created: true });
	});
});

describe('Create or Update in a list that changes while it is read', () => {
	/** Pages of two channels. `between` runs before each page after the first. */
	async function movingChannels(rows: IDataObject[], between: (rows: IDataObject[]) => void) {
		let nextId = 100;
		const service = await fakeService(({ method, query, json }) => {
			if (method !== 'GET') {
				const id = ++nextId;
				rows.push({ id, ...(json as IDataObject) });
				return { error: 0, id };
			}
			const page = Number(query.get('page'));
			if (page > 1) between(rows);
			const channels = rows.slice(2 * page - 2, 2 * page);
			const maxpage = Math.ceil(rows.length / 2);
			const counters = { perpage: 2, currentpage: page, maxpage, total: rows.length };
			return { error: 0, data: { ...counters, channels } };
		});
		return { ...service, rows };
	}

	const upsert = { resource: 'channel', operation: 'upsert', name: '={{ $json.name }}' };
	const list = () => ['A', 'B', 'C', 'D', 'E'].map((name, id) => ({ id: id + 1, name }));
	const once = (change: (rows: IDataObject[]) => void) => {
		let isDone = false;
		return (rows: IDataObject[]) => {
			if (!isDone) change(rows);
			isDone = true;
		};
	};

	it.each<[string, (rows: IDataObject[]) => void]>([
		['another record is deleted', (rows) => void rows.splice(0, 1)],
		[
			'another record is moved to the end of the list',
			(rows) => void rows.splice(3, 0, ...rows.splice(0, 1)),
		],
	])('finds a record that slips to an earlier page because %s', async (_, change) => {
		const { rows, ...service } = await movingChannels(list(), once(change));
		const outcome = await runAt(service, upsert, { items: itemsOf({ name: 'C' }) });
		expect(recordsOf(outcome)).toEqual([{ id: 3, name: 'C', created: false }]);
		expect(rows.filter(({ name }) => name === 'C')).toHaveLength(1);
	});

	const names = fc.array(fc.constantFrom('A', 'C', 'E', 'New', 'Newer'), { minLength: 1 });
	const answers = fc.infiniteStream(
		fc.constantFrom('ok', 'ok', 'message only', 'error page', 'half a body', 'rejected'),
	);

	it('never creates a second record with a name, whatever two runs at once meet', async () => {
		const property = fc.asyncProperty(names, names, answers, async (first, second, failures) => {
			const remove = once((rows) => void rows.splice(1, 1));
			const rows: IDataObject[] = list();
			const service = await movingChannels(rows, remove);
			const flaky = await fakeService(async ({ method, url, json }) => {
				const answer = method === 'GET' ? 'ok' : failures.next().value;
				if (answer === 'rejected') return { error: 1, message: 'Not now' };
				const response = await fetch(service.baseUrl + url, {
					method,
					...(method !== 'GET' && { body: JSON.stringify(json) }),
				});
				if (answer === 'ok') return await response.json();
				if (answer === 'message only') return { error: 0, message: 'Done' };
				return answer === 'error page'
					? { status: 502, body: 'Bad gateway' }
					: { body: '{"error":0,' };
			});
			const given = [first, second].map((all) => itemsOf(...all.map((name) => ({ name }))));
			const outcomes = await Promise.all(
				given.map(async (items) => await runAt(flaky, upsert, { items, ...continuing })),
			);
			const stored = rows.map(({ name }) => name);
			expect(new Set(stored).size).toBe(stored.length);
			for (const { items } of outcomes) {
				for (const { json } of items) {
					if (!json.error) expect(stored).toContain(json.name);
				}
			}
			await Promise.all([service.close(), flaky.close()]);
		});
		await fc.assert(property, { numRuns: 30 });
	});
});

describe('Record selected by name', () => {
	const getChannel = { resource: 'channel', operation: 'get', channelId: '={{ $json.record }}' };
	const records = (...all: IDataObject[]) => ({
		items: itemsOf(...all.map((record) => ({ record }))),
	});

	it('finds a record by name and reads the list only once per run', async () => {
		const { run, requests, links } = await bench();
		const name = String(links.state.channels.get(7)!.name);
		const { items } = await run(getChannel, records(byId(7), byName(name), byId(8)));
		expect(jsonOf(items).map(({ id }) => id)).toEqual([7, 7, 8]);
		expect(Object.keys(items[0]!.json)[0]).toBe('id');
		expect(pairedWith(items)).toEqual([0, 1, 2]);
		expect(countsOf(requests)).toEqual({ reads: 2, writes: 0 });
	});

	it('fails an item if no record or several records have the name', async () => {
		const { run } = await bench();
		const create = { resource: 'channel', operation: 'create', name: 'Twin' };
		await run(create, { items: itemsOf({}, {}) });
		const given = records(byName('Nobody'), byId(9999), byName('Twin'));
		const { items } = await run(getChannel, { ...given, ...continuing });
		expect(jsonOf(items)).toEqual([
			{ error: expect.stringMatching(/^No channel has the name "Nobody"/) as string },
			{ error: expect.stringMatching(/^No channel has the ID 9999/) as string },
			{ error: expect.stringMatching(/^2 channels have the name "Twin": IDs \d+, \d+/) as string },
		]);
		const twin = { resource: 'channel', operation: 'upsert', name: 'Twin' };
		expect((await run(twin)).error?.message).toMatch(/^2 channels have the name "Twin"/);
	});

	it.each([
		['campaign', { campaignId: byName('Spring') }, { id: 4, name: 'Spring' }],
		['pixel', { pixelId: byName('Shop') }, { id: 4, name: 'Shop' }],
		...[
			...['https://go.brand.example', 'go.brand.example', 'HTTPS://Go.Brand.example/'],
			...['http://go.brand.example', 'http://go.brand.example//'],
		].map((address): [string, INodeParameters, IDataObject] => [
			'domain',
			{ domainId: byName(address) },
			{ id: 4, domain: 'https://go.brand.example' },
		]),
	])('finds a %s by the name in %j', async (resource, given, row) => {
		const service = await fakeService(() =>
			listOf(resource, [{ ...row, id: 3, name: 'X', domain: 'x' }, row]),
		);
		const { items } = await runAt(service, { resource, operation: 'get', ...given });
		expect(jsonOf(items)).toEqual([row]);
	});

	it('finds and deletes a record whose ID is larger than a number can hold', async () => {
		const body =
			'{"error":0,"data":{"result":1,"maxpage":1,"channels":[{"id":9007199254740993,"name":"A"}]}}';
		const service = await fakeService(({ method }) =>
			method === 'GET' ? { body } : { error: 0, message: 'Done' },
		);
		const { items } = await runAt(service, {
			...{ resource: 'channel', operation: 'delete', channelId: byName('A') },
		});
		expect(service.lines().at(-1)).toBe('DELETE /api/channel/9007199254740993/delete');
		expect(jsonOf(items)).toEqual([{ deleted: true, id: '9007199254740993' }]);
	});

	it('accepts a campaign’s name in Add Link and Delete, and returns its ID', async () => {
		const { run, links } = await bench();
		const campaignId = byName(String(links.state.campaigns.get(3)!.name));
		const add = { resource: 'campaign', operation: 'addLink', campaignId, linkId: '11' };
		const { items } = await run(add);
		expect(jsonOf(items)).toMatchObject([{ campaignId: 3, linkId: 11 }]);
		expect(Object.keys(items[0]!.json)).toEqual(['campaignId', 'linkId', 'message']);
		const deleted = await run({ resource: 'campaign', operation: 'delete', campaignId });
		expect(jsonOf(deleted.items)).toEqual([{ deleted: true, id: 3 }]);
	});
});

it('creates one domain for an address with and without https, a slash or capitals', async () => {
	const { run, lines } = await bench();
	const { items } = await run(
		{
			...{ resource: 'domain', operation: 'upsert', domain: '={{ $json.address }}' },
			domainFields: { redirectroot: 'https://brand.example' },
		},
		{
			items: itemsOf(
				...['http://go.new.example', 'https://go.new.example/', 'HTTPS://GO.New.example'].map(
					(address) => ({ address }),
				),
			),
		},
	);
	expect(lines().filter((line) => !line.startsWith('GET'))).toEqual(['POST /api/domain/add 200']);
	expect(jsonOf(items).map(({ id, domain }) => ({ id, domain }))).toEqual(
		Array(3).fill({ id: jsonOf(items)[0]!.id, domain: 'http://go.new.example' }),
	);
	const again = { resource: 'domain', operation: 'upsert', domain: 'https://go.new.example' };
	expect(jsonOf((await run(again)).items)).toMatchObject([{ created: false }]);
});

describe('Undocumented list', () => {
	const rows = [{ id: '007', name: 2030 }, { id: 8, name: null }, { id: 9 }, { name: 'No ID' }];
	const upsert = (name: string) => ({
		resource: 'channel',
		operation: 'upsert',
		name,
		channelFields: { starred: true },
	});
	const respond: Respond = ({ method }) =>
		method === 'GET' ? listOf('channel', rows) : { error: 0, message: 'Done' };

	it.each([
		[byId(7), { id: '007', name: 2030 }],
		[byName('2030'), { id: '007', name: 2030 }],
		[byId(9), { id: 9 }],
		[
			byName('null'),
			{ error: expect.stringMatching(/^No channel has the name "null" \[item 0\]\. /) as string },
		],
	])('looks up %j in a list with undocumented IDs and names', async (channelId, record) => {
		const service = await fakeService(respond);
		const get = { resource: 'channel', operation: 'get', channelId };
		expect(jsonOf((await runAt(service, get, continuing)).items)).toEqual([record]);
	});

	it('updates a record whose ID is text, but never a record without an ID', async () => {
		const service = await fakeService(respond);
		await runAt(service, upsert('2030'));
		expect(service.lines().at(-1)).toBe('PUT /api/channel/7/update');
		const { error } = await runAt(service, upsert('No ID'));
		expect(error?.message).toContain('unexpected format');
		expect(countsOf(service.requests).writes).toBe(1);
	});

	it('fails every item and creates nothing if the list can’t be read', async () => {
		const service = await fakeService(() => ({ error: 1, message: 'No list for you' }));
		const items = itemsOf({}, {}, {});
		const outcome = await runAt(service, upsert('A'), { items, ...continuing });
		expect(jsonOf(outcome.items).map(({ error }) => error)).toEqual(
			[0, 1, 2].map(() => expect.stringMatching(/^No list for you \[item \d\]\. /) as string),
		);
		expect(service.requests).toHaveLength(1);
	});
});
