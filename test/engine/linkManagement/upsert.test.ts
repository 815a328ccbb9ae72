import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { fakeService, type Respond } from '../../fakeService';
import { linesOf } from '../../pairs';
import { byId, jsonOf, type NodeRun } from '../harness';
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
} from '../support';

const isWrite = ({ method }: { method: string }) => method !== 'GET';

/** The number of requests that read lists, and of those that write. */
function countsOf(requests: ReadonlyArray<{ method: string }>) {
	const writes = requests.filter(isWrite).length;
	return { reads: requests.length - writes, writes };
}

const campaignUpsert = {
	resource: 'campaign',
	operation: 'upsert',
	campaignName: '={{ $json.name }}',
	campaignFields: { public: '={{ $json.public }}' },
};

/** Rows for {@link campaignUpsert}. */
const rowsOf = (...values: Array<[name: string, isPublic?: boolean]>) => ({
	items: itemsOf(...values.map(([name, isPublic]) => ({ name, public: isPublic }))),
});

/** A service with a list, and with one answer to all writes. */
async function listing(resource: string, rows: IDataObject[], answer: unknown = { error: 0 }) {
	const service = await fakeService(({ method }) =>
		method === 'GET' ? listOf(resource, rows) : answer,
	);
	const written = () =>
		service.requests.filter(isWrite).map(({ method, url, json }) => [`${method} ${url}`, json]);
	return { ...service, written };
}

it.each([
	['sends a create again if the list doesn’t show it after its gateway timed out', false, 2],
	['doesn’t send a create again that the list shows after its gateway timed out', true, 1],
])('with Retry On Fail, %s', async (_, isCarriedOut, posts) => {
	const rows: IDataObject[] = [];
	const service = await fakeService(({ method, json }) => {
		if (method === 'GET') return listOf('campaigns', rows);
		const isFirst = service.requests.filter(isWrite).length === 1;
		if (!isFirst || isCarriedOut) rows.push({ id: 9, ...(json as IDataObject) });
		return isFirst ? { status: 504, body: 'Gateway Timeout' } : { error: 0, id: 9 };
	});
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const { items } = await runAt(service, campaignUpsert, { ...rowsOf(['Wave 1']), settings });
	expect(jsonOf(items)).toMatchObject([{ id: 9, name: 'Wave 1', created: true }]);
	expect(service.requests.filter(isWrite)).toHaveLength(posts);
});

describe('Create or Update of many rows', () => {
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
			const given = rowsOf(['One', true], ['One', false], ['One', false], ['One', true]);
			const { items } = await run(campaignUpsert, { ...given, routed });
			expect(jsonOf(items).map((record) => record.public)).toEqual([true, false, false, true]);
			const writes = requests.filter(isWrite);
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
	// Nothing is sent if the record has the values already, however they're written. The API requires the
	// tag of a pixel and the name of a campaign in every update.
	it.each(linesOf('updates.txt'))(
		'Create or Update of the $section $left with $right sends only what changes or is required: $more',
		async ({ section: resource, left, right, more }) => {
			const [record, given, sent] = [left, right, more].map(
				(text) => JSON.parse(text) as IDataObject | null,
			);
			// The ID is that of the listed record, whatever the service returns.
			const service = await listing(resource, [record!], { error: 0, id: 99, message: 'Done' });
			const parameters = { resource, operation: 'upsert', ...given } as INodeParameters;
			const outcome = await runAt(service, parameters);
			expect(service.written()).toEqual(sent ? [[`PUT /api/${resource}/3/update`, sent]] : []);
			expect(recordsOf(outcome)).toEqual([{ ...record, ...sent, created: false }]);
		},
	);

	it('a record has the same columns in the same order in the run that creates it and in later ones', async () => {
		const service = await bench();
		const parameters = { ...campaignUpsert, campaignFields: { slug: 'spring', public: true } };
		const columns = async () => {
			const { items } = await service.run(parameters, { items: itemsOf({ name: 'Spring' }) });
			return Object.keys(jsonOf(items)[0]!);
		};
		expect(await columns()).toEqual(await columns());
	});

	it('writes a field that the list doesn’t show, but not again for a row with the same value', async () => {
		const service = await listing('campaign', [{ id: 3, name: 'News', public: false }]);
		const given = { ...campaignUpsert, campaignFields: { slug: '={{ $json.slug }}' } };
		const items = itemsOf(...['a', 'a', 'b'].map((slug) => ({ name: 'News', slug })));
		const records = recordsOf(await runAt(service, given, { items }));
		expect(records.map(({ slug }) => slug)).toEqual(['a', 'a', 'b']);
		// Where a table shows it without scrolling.
		expect(Object.keys(records[0]!).slice(0, 3)).toEqual(['id', 'name', 'created']);
		expect(service.written().map(([, body]) => body)).toEqual([
			{ name: 'News', slug: 'a' },
			{ name: 'News', slug: 'b' },
		]);
	});

	it('warns if the service stores a different name, which the next run wouldn’t find', async () => {
		const service = await listing('campaign', [], { error: 0, id: 1, name: 'Spring' });
		const outcome = await runAt(service, campaignUpsert, rowsOf(['Spring sale']));
		expect(hintsOf(outcome)).toMatchObject([
			{ type: 'warning', message: expect.stringContaining('"Spring sale"') as string },
		]);
	});

	it('never updates a record without an ID', async () => {
		const service = await listing('campaign', [{ name: 'News', public: false }]);
		const { error } = await runAt(service, campaignUpsert, rowsOf(['News', true]));
		expect(error?.message).toContain('unexpected format');
		expect(service.written()).toEqual([]);
	});
});

describe('Create or Update with a failing service', () => {
	const trying = (maxTries: number, more: Partial<NodeRun> = {}) => ({
		settings: { ...more.settings, retryOnFail: true, maxTries, waitBetweenTries: 1 },
	});
	const no = { status: 400, body: { error: 1, message: 'No' } };
	/** A service whose first write is answered with this. It's carried out nevertheless. */
	const failingFirst = async (answer: unknown, campaigns: IDataObject[] = []) =>
		await campaignService(campaigns, (_, write) => (write === 1 ? answer : undefined));

	it('leaves the last row’s values in the record even if "Retry On Fail" repeats an earlier row', async () => {
		const service = await failingFirst(no, [{ id: 1, name: 'A', public: null }]);
		const given = { ...rowsOf(['A', true], ['A', false]), ...trying(2, continuing) };
		await runAt(service, campaignUpsert, given);
		expect(service.campaigns).toEqual([{ id: 1, name: 'A', public: false }]);
		expect(countsOf(service.requests).writes).toBe(4);
	});

	it('creates a record again that was deleted while the run knew it', async () => {
		const campaigns: IDataObject[] = [];
		const service = await campaignService(campaigns, (_, write) =>
			write === 2 ? campaigns.pop() && { status: 404, body: { error: 1 } } : undefined,
		);
		const given = { ...rowsOf(['A', true], ['A', false], ['A', false]), ...continuing };
		const { items } = await runAt(service, campaignUpsert, given);
		expect(jsonOf(items).map(({ created }) => created)).toEqual([true, undefined, true]);
		expect(campaigns).toEqual([{ id: 1, name: 'A', public: false }]);
	});

	it('reports a record as not created if another user created it before the retry', async () => {
		const service = await failingFirst(no);
		const given = { ...rowsOf(['A', true]), ...trying(2) };
		const records = recordsOf(await runAt(service, campaignUpsert, given));
		expect(records).toEqual([{ id: 1, name: 'A', public: true, created: false }]);
	});

	it('creates a record without an ID only once, even if the list doesn’t show it yet', async () => {
		const given = rowsOf(['A', true], ['A', true], ['A', false]);
		const service = await campaignService([], () => ({ error: 0, message: 'Done' }));
		expect(recordsOf(await runAt(service, campaignUpsert, given))).toEqual([
			{ name: 'A', public: true, created: true },
			{ id: 1, name: 'A', public: true, created: false },
			{ id: 1, name: 'A', public: false, created: false },
		]);
		const late = await listing('campaign', [], { error: 0, message: 'Done' });
		const twice = { items: given.items.slice(0, 2) };
		expect(recordsOf(await runAt(late, campaignUpsert, twice))).toEqual(
			[true, false].map((created) => ({ name: 'A', public: true, created })),
		);
		expect(late.written()).toHaveLength(1);
	});
});

describe('Create or Update in several runs', () => {
	it('writes a value again that another run has changed in the meantime', async () => {
		const record: IDataObject = { id: 1, name: 'A', public: null };
		let other: Promise<unknown> | undefined;
		const service = await fakeService(async ({ method, json }) => {
			if (method === 'GET') return listOf('campaign', [record]);
			if (method === 'PUT') Object.assign(record, json);
			other ??= runAt(service, campaignUpsert, rowsOf(['A', false]));
			// All places of the run are taken until the other one has ended.
			if (method === 'POST') await other;
			return { error: 0, ...(json as IDataObject) };
		});
		const between = Array.from({ length: 10 }, (_, at): [string] => [`New ${at}`]);
		const given = rowsOf(['A', true], ...between, ['A', true]);
		expect((await runAt(service, campaignUpsert, given)).error).toBeUndefined();
		const writes = service.requests.filter(({ method }) => method === 'PUT');
		expect(writes.map(({ json }) => (json as IDataObject).public)).toEqual([true, false, true]);
	});

	it('looks each row up in the account of its own credential, and writes it there', async () => {
		const accounts = [
			await campaignService([{ id: 1, name: 'Other' }]),
			await campaignService([{ id: 1, name: 'A', public: false }]),
		];
		const credentials = { linkManagementApi: (index: number) => accounts[index]!.credential };
		const given = { ...rowsOf(['A', true], ['A', true]), credentials };
		const records = recordsOf(await runAt(accounts[0]!, campaignUpsert, given));
		expect(records.map(({ id, created }) => [id, created])).toEqual([
			[2, true],
			[1, false],
		]);
		expect(accounts.map(({ campaigns }) => campaigns.at(-1))).toEqual([
			{ id: 2, name: 'A', public: true },
			{ id: 1, name: 'A', public: true },
		]);
	});

	it('trusts the list in a later run, because the record may have been deleted', async () => {
		const service = await campaignService([]);
		await runAt(service, campaignUpsert, rowsOf(['Spring']));
		service.campaigns.pop();
		const outcome = await runAt(service, campaignUpsert, rowsOf(['Spring']));
		expect(recordsOf(outcome)).toMatchObject([{ created: true }]);
	});
});

describe('Create or Update in a list that changes while it is read', () => {
	const upsert = { resource: 'channel', operation: 'upsert', name: '={{ $json.name }}' };

	/** A service with five channels, two per page, which change once before a page after the first. */
	function movingChannels(change: (rows: IDataObject[]) => void) {
		const rows: IDataObject[] = ['A', 'B', 'C', 'D', 'E'].map((name, at) => ({ id: at + 1, name }));
		let isChanged = false;
		const respond: Respond = ({ method, query, json }) => {
			if (method !== 'GET') {
				rows.push({ id: rows.length + 100, ...(json as IDataObject) });
				return { error: 0, id: rows.length + 99 };
			}
			const page = Number(query.get('page'));
			if (page > 1 && !isChanged) change(rows);
			isChanged ||= page > 1;
			const channels = rows.slice(2 * page - 2, 2 * page);
			const maxpage = Math.ceil(rows.length / 2);
			const counters = { perpage: 2, currentpage: page, maxpage, total: rows.length };
			return { error: 0, data: { ...counters, channels } };
		};
		return { rows, respond };
	}

	it('reads a list whose pages overlap three times, and goes by the last reading', async () => {
		const pages = [
			['A', 'B'],
			['B', 'C'],
		];
		const service = await fakeService(({ query }) => {
			const page = Number(query.get('page'));
			const channels = pages[page - 1]!.map((name) => ({ id: name.charCodeAt(0), name }));
			return { error: 0, data: { currentpage: page, maxpage: 2, channels } };
		});
		const outcome = await runAt(service, upsert, rowsOf(['C']));
		expect(recordsOf(outcome)).toMatchObject([{ id: 67, created: false }]);
		expect(countsOf(service.requests)).toEqual({ reads: 6, writes: 0 });
	});

	/** A service with 250 campaigns, of which it shows these on its pages. */
	async function countingMore(shownOn: (page: number, size: number) => number[]) {
		const service = await fakeService(({ method, query }) => {
			if (method !== 'GET') return { error: 0, id: 251 };
			const [page, size] = ['page', 'limit'].map((name) => Number(query.get(name) ?? 100));
			const campaigns = shownOn(page!, size!).map((id) => ({ id, name: `C${id}` }));
			const nextpage = page! < 250 / size! ? page! + 1 : null;
			return { error: 0, data: { result: 250, currentpage: page, nextpage, campaigns } };
		});
		const upsertOf = async (name: string) =>
			await runAt(service, campaignUpsert, { ...rowsOf([name]), ...continuing });
		return { ...service, upsertOf };
	}
	const from = (first: number, count: number) =>
		Array.from({ length: Math.max(0, count) }, (_, at) => first + at);
	const pageOf = (page: number, size: number) => {
		const first = (page - 1) * size + 1;
		return from(first, Math.min(size, 251 - first));
	};

	it.each<[string, (page: number, size: number) => number[]]>([
		['whose second page is always empty', (...page) => (page[0] === 2 ? [] : pageOf(...page))],
		['whose pages are all the first one', (_, size) => pageOf(1, size)],
	])('creates nothing that a list %s doesn’t show, and says why', async (_, shownOn) => {
		const { upsertOf, requests } = await countingMore(shownOn);
		const outcome = await upsertOf('C105');
		expect(jsonOf(outcome.items)).toMatchObject([
			{ error: expect.stringContaining('The list of campaigns is incomplete') as string },
		]);
		expect(requests.filter(isWrite)).toEqual([]);
		expect(recordsOf(await upsertOf('C7'))).toMatchObject([{ id: 7, created: false }]);
	});

	it('finds a record that slips past between two pages in pages of another size', async () => {
		const swapped = (page: number, size: number) =>
			pageOf(page, size).map((id) => (page > 1 && [100, 101].includes(id) ? 201 - id : id));
		const { upsertOf } = await countingMore(swapped);
		expect(recordsOf(await upsertOf('C101'))).toMatchObject([{ id: 101, created: false }]);
	});

	it('says that a list counts more records than it shows before it creates one', async () => {
		const { upsertOf } = await countingMore((page, size) =>
			pageOf(page, size).filter((id) => id <= 245),
		);
		const outcome = await upsertOf('New');
		expect(recordsOf(outcome)).toMatchObject([{ id: 251, created: true }]);
		expect(hintsOf(outcome)).toMatchObject([
			{
				message: expect.stringContaining(
					'counts 250 campaigns, but its pages only show 245',
				) as string,
			},
		]);
	});

	it('Return All says that a list counts more records than it shows', async () => {
		const service = await countingMore((page, size) =>
			pageOf(page, size).filter((id) => id <= 245),
		);
		const getAll = { resource: 'campaign', operation: 'getAll', returnAll: true };
		const outcome = await runAt(service, getAll);
		expect(outcome.items).toHaveLength(245);
		expect(hintsOf(outcome)).toMatchObject([
			{
				message: expect.stringContaining(
					'counts 250 records, but its pages only show 245',
				) as string,
			},
		]);
	});

	const names = fc.array(fc.constantFrom('A', 'C', 'E', 'New', 'Newer'), { minLength: 1 });
	const changes = fc.constantFrom(
		(rows: IDataObject[]) => void rows.splice(1, 1),
		(rows: IDataObject[]) => void rows.splice(3, 0, ...rows.splice(0, 1)),
	);
	const answers = fc.infiniteStream(
		fc.constantFrom('ok', 'ok', 'message only', 'error page', 'half a body', 'rejected'),
	);

	it('never creates a second record with a name, whatever two runs at once meet', async () => {
		const property = fc.asyncProperty(names, names, changes, answers, async (...meeting) => {
			const [first, second, change, failures] = meeting;
			const { rows, respond } = movingChannels(change);
			const service = await fakeService((request) => {
				const answer = isWrite(request) ? failures.next().value : 'ok';
				if (answer === 'rejected') return { error: 1, message: 'Not now' };
				const response = respond(request);
				if (answer === 'ok') return response;
				if (answer === 'message only') return { error: 0, message: 'Done' };
				return answer === 'error page' ? { status: 502, body: 'Down' } : { body: '{"error":0,' };
			});
			const runs = [first, second].map(async (all) => {
				const given = rowsOf(...all.map((name): [string] => [name]));
				return await runAt(service, upsert, { ...given, ...continuing });
			});
			const outputs = (await Promise.all(runs)).flatMap(({ items }) => jsonOf(items));
			await service.close();
			const stored = rows.map(({ name }) => name);
			expect(new Set(stored).size).toBe(stored.length);
			expect(outputs).toHaveLength(first.length + second.length);
			for (const { error, name } of outputs) if (!error) expect(stored).toContain(name);
			const created = outputs.filter((output) => output.created).map(({ name }) => name);
			expect(new Set(created).size).toBe(created.length);
		});
		await fc.assert(property, { numRuns: 30 });
	});
});

it('finds a record by name, and reads the list only once per run', async () => {
	const { run, requests, links } = await bench();
	const getChannel = { resource: 'channel', operation: 'get', channelId: '={{ $json.record }}' };
	const name = String(links.state.channels.get(7)!.name);
	const chosen = { ...byId(8), mode: 'list' };
	const records = [byId(7), byName(name), chosen].map((record) => ({ record }));
	const { items } = await run(getChannel, { items: itemsOf(...records) });
	expect(jsonOf(items).map(({ id }) => id)).toEqual([7, 7, 8]);
	// A Code node that changes one item must not change the other.
	expect(items[1]!.json).not.toBe(items[0]!.json);
	expect(Object.keys(items[0]!.json)[0]).toBe('id');
	expect(pairedWith(items)).toEqual([0, 1, 2]);
	expect(countsOf(requests)).toEqual({ reads: 2, writes: 0 });
});
