import type { IDataObject } from 'n8n-workflow';

import { isReady, survivesHistories } from './histories';
import { HostileList } from './hostileList';
import type { Habits } from './hostileList';
import { clock, HOUR, hours } from './pollModel';
import { Watch, watching as watchingEvent } from './watch';

const EVENT = { event: 'fileCreated' };

const watching = async (habits: Partial<Habits>, count: number) =>
	await watchingEvent({ ...EVENT }, count, habits);

const newFiles = async (watch: Watch) => idsOf(await watch.poll());

const idsOf = (events: IDataObject[]) => events.map(({ id }) => Number(id));

const inOrder = (ids: number[]) => ids.sort((a, b) => a - b);

const bytesOf = ({ data }: Watch) => Buffer.byteLength(JSON.stringify(data));

describe('Quiet poll', () => {
	it('a quiet poll of 100,000 files, newest first, takes one request and stores a few numbers', async () => {
		const watch = await watching({}, 100_000);
		await watch.poll();
		expect(watch.requests).toBe(1);
		expect(bytesOf(watch)).toBeLessThan(600);
		const added = watch.list.add(5);
		expect(await newFiles(watch)).toEqual(added);
		await watch.poll();
		expect(watch.requests).toBe(1);
	});

	it('a quiet poll of a list in any other order takes one request per page', async () => {
		const watch = await watching({ order: 'none' }, 10_000);
		await watch.poll();
		expect(watch.requests).toBe(100);
		expect(bytesOf(watch)).toBeLessThan(400_000);
		const added = watch.list.add(5);
		expect(await newFiles(watch)).toEqual(added);
	});
});

describe('Busy list, newest first', () => {
	const requestsOf = async (watch: Watch, polls: number, happens: () => unknown) => {
		const requests: number[] = [];
		for (let poll = 0; poll < polls; poll++) {
			happens();
			await watch.poll();
			requests.push(watch.requests);
		}
		return requests;
	};

	it.each([
		[120, 100, 4],
		[20, 15, 4],
		[1, 100, 1],
	])(
		'emits %s new files per poll with pages of %s rows in at most %s requests',
		async (perPoll, pageSize, most) => {
			const watch = await watching({ pageSize, idStep: 3 }, 3_000);
			const requests = await requestsOf(watch, 20, () => watch.list.add(perPoll));
			expect(Math.max(...requests)).toBeLessThanOrEqual(most);
			expect(watch.events).toHaveLength(20 * perPoll);
			await watch.poll();
			await watch.poll();
			expect(watch.requests).toBe(1);
		},
	);

	it('reads the whole list for only a few polls after one response in another order', async () => {
		const watch = await watching({ idStep: 3 }, 3_000);
		watch.list.habits.order = 'oldestFirst';
		let answers = 0;
		watch.list.before = () => {
			if (++answers > 1) watch.list.habits.order = 'newestFirst';
			return undefined;
		};
		const requests = await requestsOf(watch, 20, () => watch.list.add(1));
		expect(requests.slice(6)).toEqual(Array<number>(14).fill(1));
		expect(watch.events).toHaveLength(20);
	});

	it('emits a file that a deletion moved to a page already read in the next poll', async () => {
		const watch = await watching({ pageSize: 10, idStep: 3 }, 100);
		const added = watch.list.add(25);
		let answers = 0;
		watch.list.before = () => {
			// The first row of the second page becomes the last one of the first page.
			if (++answers === 2) watch.list.deleteAt(0);
			return undefined;
		};
		const first = await newFiles(watch);
		expect(first).toHaveLength(24);
		const [skipped] = added.filter((id) => !first.includes(id));
		expect(await newFiles(watch)).toEqual([skipped]);
	});

	it('emits a file that appears a poll later than one with a higher ID', async () => {
		const watch = await watching({ idStep: 3 }, 300);
		const [first] = watch.list.add(3);
		const late = watch.list.rows.find(({ id }) => id === first)!;
		const rows = [...watch.list.rows];
		watch.list.rows = rows.filter((row) => row !== late);
		expect(await newFiles(watch)).toHaveLength(2);
		watch.list.rows = rows;
		expect(await newFiles(watch)).toEqual([first]);
		await watch.poll();
		expect(watch.requests).toBe(1);
		expect(bytesOf(watch)).toBeLessThan(600);
	});

	it('loses no file if the pages beyond the second are missing for a day', async () => {
		const watch = await watching({ pageSize: 10, idStep: 3 }, 100);
		const answer = watch.list.answer.bind(watch.list);
		watch.list.answer = (path, query) =>
			Number(query.page) > 2
				? { status: 404, body: { error: 1, message: 'gone' } }
				: answer(path, query);
		const added = watch.list.add(35);
		await hours(30, watch);
		watch.list.answer = answer;
		await hours(2, watch);
		expect(inOrder(idsOf(watch.events))).toEqual(added);
	});
});

it.each([
	['missing', { status: 404, body: { error: 1, message: 'no such page' } }],
	['empty', undefined],
])('emits no file again after pages were %s for a day', async (_, fault) => {
	const watch = await watching({ order: 'none', pageSize: 10 }, 100);
	const answer = watch.list.answer.bind(watch.list);
	watch.list.answer = (path, query) => {
		if (Number(query.page) <= 2) return answer(path, query);
		if (fault) return fault;
		const { body } = answer(path, query);
		return { body: { ...(body as object), list: [] } };
	};
	await hours(30, watch);
	watch.list.answer = answer;
	expect(await hours(3, watch)).toEqual([]);
});

it('reads a list whose last page has only a row without an ID', async () => {
	const watch = await watching({ order: 'none', pageSize: 10 }, 20);
	const answer = watch.list.answer.bind(watch.list);
	watch.list.answer = (path, query) => {
		const { body } = answer(path, query);
		const page = body as { list: object[]; result: number; maxpage: number; nextpage: unknown };
		const isLast = Number(query.page) === 3;
		const list = isLast ? [{ name: 'without an ID' }] : page.list;
		const nextpage = isLast ? null : Number(query.page) + 1;
		return { body: { ...page, list, result: 21, maxpage: 3, nextpage } };
	};
	await hours(2, watch);
	expect(watch.errors).toEqual([]);
	watch.list.answer = () => ({ body: { error: 0, list: [{ name: 'a' }, { name: 'b' }] } });
	await hours(1, watch);
	expect(watch.errors).toMatchObject([{ message: 'File Created: The records have no ID' }]);
});

it('stores each key once, so 10,000 files with UUIDs take less than 500 kB', async () => {
	const watch = await watching({ order: 'none' }, 10_000);
	const answer = watch.list.answer.bind(watch.list);
	watch.list.answer = (path, query) => {
		const { body } = answer(path, query);
		const page = body as { list: Array<{ id: number }> };
		const uuid = (id: number) => `0195f3a2-7c1d-7e4b-9a60-${String(id).padStart(12, '0')}`;
		return { body: { ...page, list: page.list?.map((row) => ({ ...row, id: uuid(row.id) })) } };
	};
	await hours(1, watch);
	await watch.poll(50);
	expect(bytesOf(watch)).toBeLessThan(500_000);
	expect(watch.events).toHaveLength(10_000);
});

it('rejects an unordered list of more than 500,000 files', async () => {
	const list = new HostileList();
	const half = 250_001;
	// Without the fields and the sorting of a whole list, which take seconds.
	list.answer = (_, { page }) => {
		const rows = Array.from({ length: half }, (_, at) => ({ id: Number(page) * half + at }));
		return { body: { error: 0, maxpage: 2, list: rows } };
	};
	const publishing = new Watch(list, EVENT).publish();
	await expect(publishing).rejects.toThrow('There are more than 500,000 records');
});

it('takes a new baseline after the channel changes', async () => {
	const watch = await watchingEvent({ event: 'channelItemAdded', channelId: '7' }, 20);
	const answer = watch.list.answer.bind(watch.list);
	const ofChannel = { 7: [1, 2, 3], 8: [4, 5] };
	watch.list.answer = (path, query) => {
		if (!path.includes('/channel/')) return answer(path, query);
		const ids = ofChannel[path.endsWith('8') ? 8 : 7];
		return {
			body: { error: 0, data: { result: 0, items: ids.map((id) => ({ id, type: 'qr' })) } },
		};
	};
	await hours(2, watch);
	watch.events.length = 0;
	watch.setting.parameters.channelId = '8';
	expect(await watch.publish()).toEqual([]);
	expect(await hours(2, watch)).toEqual([]);
	ofChannel[8].push(3);
	expect(await hours(1, watch)).toMatchObject([{ id: 3 }]);
});

it('logs how many files are recorded, and when new files start the workflow', async () => {
	const list = new HostileList({ order: 'oldestFirst', pageSize: 10 });
	list.add(120);
	const watch = new Watch(list, EVENT);
	for (let poll = 0; poll < 4; poll++) await watch.poll(10);
	expect(watch.infos).toEqual([
		'Trigger (File Created): 90 recorded so far; the next poll continues',
		'Trigger (File Created): 120 recorded so far; the next poll continues',
		'Trigger (File Created): 120 recorded; anything new starts the workflow from now on',
	]);
	expect((await watching({}, 3_000)).infos).toEqual([
		'Trigger (File Created): 3,000 recorded; anything new starts the workflow from now on',
	]);
});

it('recognizes a channel item whose type is in capitals as the same item', async () => {
	const watch = await watchingEvent({ event: 'channelItemAdded', channelId: '7' }, 0);
	let type = 'links';
	watch.list.answer = (path) =>
		path.endsWith('/account')
			? { body: { error: 0, data: { id: 1 } } }
			: { body: { error: 0, data: { result: 1, items: [{ id: 5, type }] } } };
	await watch.publish();
	await hours(1, watch);
	watch.events.length = 0;
	type = 'LINKS';
	expect(await hours(1, watch)).toEqual([]);
});

describe('Test event for files', () => {
	it('finds a test event by name beyond the first page, ignoring case and a page that doesn’t exist', async () => {
		const watch = await watching({ counters: 'promising', beyond: 404, pageSize: 10 }, 50);
		watch.list.rows[3]!.id = 4;
		watch.setting.parameters.name = 'RECORD 4';
		expect(await watch.test()).toMatchObject({ id: 49 });
		watch.setting.parameters.name = 'record 3';
		expect(await watch.test()).toMatchObject({ id: 39 });
		watch.setting.parameters.name = 'nothing';
		await expect(watch.test()).rejects.toThrow('No file has a name that contains "nothing"');
	});

	it('says that no test event was found in time if the file isn’t reached', async () => {
		const watch = await watching({ pageSize: 10 }, 5_000);
		watch.setting.parameters.name = 'record 1 ';
		await expect(watch.test()).rejects.toThrow('No test event was found in time');
	});
});

it.each<[string, object]>([
	['base URL', { baseUrl: 'https://other.example' }],
	['account', { apiKey: 'key of another account' }],
])('takes a new baseline for another %s', async (_, credentials) => {
	const watch = await watching({}, 20);
	watch.list.add(1);
	Object.assign(watch.setting.credentials, credentials);
	const answer = watch.list.answer.bind(watch.list);
	watch.list.answer = (path, query) =>
		path.endsWith('/account') ? { body: { error: 0, data: { id: 2 } } } : answer(path, query);
	expect(await watch.publish()).toEqual([]);
	const added = watch.list.add(1);
	expect(await newFiles(watch)).toEqual(added);
});

describe('List that breaks its order', () => {
	it('finds new files behind pinned ones on the first page', async () => {
		const watch = await watching({}, 300);
		const answer = watch.list.answer.bind(watch.list);
		const pinned = answer('/api/files', { page: 1 }).body as { result: number };
		watch.list.answer = (path, query) => {
			const page = Number(query.page);
			return page === 1 ? { body: pinned } : answer(path, { page: page - 1 });
		};
		const added = watch.list.add(3);
		pinned.result = 303;
		expect(await newFiles(watch)).toEqual(added);
	});

	it.each(['newestFirst', 'oldestFirst'] as const)(
		'loses no file if a list sorted by %s changes its order',
		async (order) => {
			const watch = await watching({ order }, 350);
			watch.list.habits.order = order === 'newestFirst' ? 'oldestFirst' : 'newestFirst';
			const added = watch.list.add(5);
			expect(await newFiles(watch)).toEqual(added);
			await watch.poll();
			const more = watch.list.add(5);
			await watch.poll();
			expect(idsOf(watch.events)).toEqual([...added, ...more]);
		},
	);
});

it.each([
	['missing', { status: 404, body: { error: 1, message: 'no such page' } }],
	['empty', { body: { error: 0, list: [] } }],
])(
	'records files whose pages were %s when the workflow was published, instead of emitting them',
	async (_, fault) => {
		const list = new HostileList({ order: 'oldestFirst', pageSize: 10 });
		list.add(40);
		const watch = new Watch(list, EVENT);
		const answer = list.answer.bind(list);
		list.answer = (path, query) => (Number(query.page) > 1 ? fault : answer(path, query));
		await watch.publish();
		await hours(3, watch);
		list.answer = answer;
		expect(await hours(3, watch)).toEqual([]);
		const added = list.add(1);
		expect(idsOf(await hours(1, watch))).toEqual(added);
	},
);

describe('Existing files', () => {
	it('emits existing files once with "Emit Existing Records"', async () => {
		const list = new HostileList();
		const ids = list.add(1_234);
		const watch = new Watch(list, { ...EVENT, options: { emitExisting: true } }, 'durable');
		for (let poll = 0; poll < 10; poll++) await watch.poll(4);
		expect(inOrder(idsOf(watch.events))).toEqual(ids);
	});

	it('emits existing files on pages that were missing at first', async () => {
		const list = new HostileList({ pageSize: 40 });
		const ids = list.add(200);
		const watch = new Watch(list, { ...EVENT, options: { emitExisting: true } }, 'durable');
		const answer = list.answer.bind(list);
		list.answer = (path, query) =>
			Number(query.page) > 2
				? { status: 404, body: { error: 1, message: 'no such page' } }
				: answer(path, query);
		await hours(2, watch);
		list.answer = answer;
		await hours(2, watch);
		expect(inOrder(idsOf(watch.events))).toEqual(ids);
	});

	it('emits the first upload to an empty list', async () => {
		const watch = await watching({}, 0);
		const ids = watch.list.add(1);
		expect(await newFiles(watch)).toEqual(ids);
	});

	it('doesn’t emit files again after the list was empty for a while', async () => {
		const list = new HostileList({ order: 'none' });
		list.add(250);
		const watch = new Watch(list, EVENT);
		let answers = 0;
		list.before = () => (++answers === 1 ? 'empty' : undefined);
		await watch.publish();
		list.before = () => 'empty';
		await hours(60, watch);
		list.before = () => undefined;
		await watch.poll();
		expect(idsOf(watch.events)).toEqual([]);
	});
});

it.each([
	['emits no file that was missing for 20 hours', Array<number>(20).fill(HOUR), []],
	['emits no file that was missing for a day in two laps', [12 * HOUR, 12 * HOUR], []],
	['emits a file that was missing for a day in three laps', [12 * HOUR, 12 * HOUR, HOUR], [1]],
])('%s', async (_, waits, expected) => {
	const watch = await watching({ order: 'none', pageSize: 10 }, 25);
	const pollAfter = async (ms: number) => {
		clock.now += ms;
		return await newFiles(watch);
	};
	// The day and the laps count from here on.
	for (const ms of [12 * HOUR, 12 * HOUR]) await pollAfter(ms);
	const { rows } = watch.list;
	watch.list.rows = rows.slice(1);
	for (const ms of waits) await pollAfter(ms);
	watch.list.rows = rows;
	expect(await pollAfter(HOUR)).toEqual(expected);
});

it.each(['classic', 'durable'] as const)(
	'never loses, repeats or invents a file, however the service behaves (%s scheduler)',
	async (scheduler) => {
		await survivesHistories({
			...EVENT,
			scheduler,
			numRuns: 30,
			ledgerOf(watch, existing) {
				/** Files that were created while the trigger was watching. */
				const expected = new Set<number>();
				const gone = new Set<number | undefined>();
				return {
					added: (id) => isReady(watch.data) && expected.add(id),
					deleted: (id) => gone.add(id),
					restarted: (wasReady) => wasReady || expected.clear(),
					ended() {
						const emitted = idsOf(watch.events);
						const lost = [...expected].filter((id) => !emitted.includes(id) && !gone.has(id));
						const wrong = emitted.filter((id) => existing.includes(id));
						expect({ lost, wrong }).toEqual({ lost: [], wrong: [] });
						expect(new Set(emitted).size).toBe(emitted.length);
					},
				};
			},
		});
	},
	600_000,
);
