import type { IDataObject } from 'n8n-workflow';

import { isReady, survivesHistories } from './histories';
import { HostileList, type Habits } from './hostileList';
import { clock, hours, type Answer } from './pollModel';
import { Watch, watching as watchingEvent } from './watch';

const EVENT = { event: 'fileCreated' };

const watching = async (habits: Partial<Habits>, count: number) =>
	await watchingEvent({ ...EVENT }, count, habits);

const idsOf = (events: IDataObject[]) => events.map(({ id }) => Number(id));

const newFiles = async (watch: Watch) => idsOf(await watch.poll());

const inOrder = (ids: number[]) => ids.sort((a, b) => a - b);

const stateOf = ({ data }: Watch) => JSON.stringify(data);

/** Changes some pages of a list, until the returned function is called. */
function answering({ list }: Watch, instead: (page: number, answer: () => Answer) => Answer) {
	const page = list.page.bind(list);
	list.page = (number, ...more) => instead(number, () => page(number, ...more));
	return () => (list.page = page);
}

const MISSING = { status: 404, body: { error: 1, message: 'no such page' } };
const EMPTY = { body: { error: 0, list: [] } };

describe('Requests of a poll', () => {
	it('a quiet poll of 100,000 files, newest first, takes one request and stores less than 1 kB', async () => {
		const watch = await watching({}, 100_000);
		await watch.poll();
		expect(watch.requests).toBe(1);
		expect(stateOf(watch).length).toBeLessThan(1_000);
		const added = watch.list.add(5);
		expect(await newFiles(watch)).toEqual(added);
		await watch.poll();
		const quiet = stateOf(watch);
		await watch.poll();
		expect(watch.requests).toBe(1);
		expect(stateOf(watch)).toBe(quiet);
	});

	it('a quiet poll of a list in any other order takes one request per page', async () => {
		const watch = await watching({ order: 'none' }, 10_000);
		// A counted list is read once when it's published.
		expect(watch.list.requests).toBe(100);
		await watch.poll();
		expect(watch.requests).toBe(100);
		const added = watch.list.add(5);
		expect(await newFiles(watch)).toEqual(added);
	});

	it.each([
		[120, 100, 4],
		[20, 15, 4],
		[30, 20, 5],
		[1, 100, 2],
	])(
		'emits %s files in each poll, with pages of %s rows, in up to %s requests',
		async (perPoll, pageSize, most) => {
			const watch = await watching({ pageSize, idStep: 3 }, 3_000);
			for (let poll = 0; poll < 20; poll++) {
				watch.list.add(perPoll);
				await watch.poll();
				expect(watch.requests).toBeLessThanOrEqual(most);
			}
			expect(watch.events).toHaveLength(20 * perPoll);
			for (let poll = 0; poll < 3; poll++) await watch.poll();
			expect(watch.requests).toBe(1);
		},
	);
});

describe('Many new files', () => {
	it.each(['newestFirst', 'oldestFirst', 'none'] as const)(
		'emits 5,000 files once each, the oldest first, in polls of 18 pages (%s)',
		async (order) => {
			const watch = await watching({ order }, 300);
			const added = watch.list.add(5_000);
			const polls: number[][] = [];
			for (let poll = 0; poll < 12; poll++) polls.push(idsOf(await watch.poll(18)));
			expect(inOrder(polls.flat())).toEqual(added);
			for (const ids of polls) expect(ids).toEqual(inOrder([...ids]));
		},
	);

	it.each([
		[120, 'told'],
		[102, 'told'],
		[102, 'silent'],
	] as const)(
		'emits %s new files of which two slip up a page, then 110 more, once each (counters: %s)',
		async (count, counters) => {
			const watch = await watching({ counters, idStep: 3 }, 500);
			const added = watch.list.add(count);
			let answers = 0;
			// Two files of the first page are deleted before the second page is read.
			watch.list.before = () => {
				if (++answers === 2) for (const place of [0.001, 0.002]) watch.list.deleteAt(place);
				return undefined;
			};
			await watch.poll();
			watch.list.before = () => undefined;
			added.push(...watch.list.add(110));
			for (let poll = 0; poll < 3; poll++) await watch.poll();
			const emitted = idsOf(watch.events);
			expect(new Set(emitted).size).toBe(emitted.length);
			const there = watch.list.rows.map(({ id }) => id).filter((id) => added.includes(id));
			expect(emitted).toEqual(expect.arrayContaining(there));
		},
	);

	it.each([0, 300])('of %d files, emits one that appears after a higher ID', async (existing) => {
		const watch = await watching({ idStep: 3 }, existing);
		const [first] = watch.list.add(3);
		const rows = [...watch.list.rows];
		watch.list.rows = rows.filter(({ id }) => id !== first);
		expect(await newFiles(watch)).toHaveLength(2);
		watch.list.rows = rows;
		expect(await newFiles(watch)).toEqual([first]);
	});

	it('finds new files behind a page of which only the end shows the newest first', async () => {
		const list = new HostileList({ counters: 'silent' });
		list.add(220);
		for (const row of list.rows.slice(200)) row.second = 1_000 - row.id;
		const watch = new Watch(list, { ...EVENT });
		await watch.publish();
		const added = list.add(1);
		list.rows.at(-1)!.second = 100.5;
		expect(await newFiles(watch)).toEqual(added);
	});

	it('finds new files behind pinned ones on the first page', async () => {
		const watch = await watching({}, 300);
		const pinned = watch.list.page(1, 'list').body as { result: number };
		const page = watch.list.page.bind(watch.list);
		watch.list.page = (number, key) => (number === 1 ? { body: pinned } : page(number - 1, key));
		const added = watch.list.add(3);
		pinned.result = 303;
		expect(await newFiles(watch)).toEqual(added);
	});
});

describe('Pages that fail', () => {
	it.each(['newestFirst', 'none'] as const)(
		'loses no file if all but two pages are missing for a day (%s)',
		async (order) => {
			const watch = await watching({ order, pageSize: 10, idStep: 3 }, 100);
			const mend = answering(watch, (page, answer) => (page > 2 ? MISSING : answer()));
			const added = watch.list.add(35);
			await hours(30, watch);
			mend();
			await hours(3, watch);
			expect(inOrder(idsOf(watch.events))).toEqual(added);
		},
	);

	const emptyOf = (result: number) => ({
		body: { ...EMPTY.body, result, maxpage: Math.ceil(result / 10) },
	});
	it.each<[string, number, (page: number, request: number) => boolean, Answer]>([
		['the only page is empty', 1, (page) => page === 1, emptyOf(1)],
		['page 1 of 20 is empty', 200, (page) => page === 1, emptyOf(200)],
		['page 7 of 20 is empty', 200, (page) => page === 7, EMPTY],
		['page 7 of 20 is missing', 200, (page) => page === 7, MISSING],
		['the list becomes empty after page 6', 200, (_, request) => request > 6, EMPTY],
	])('emits no existing file if %s in the first readings', async (_, count, isFaulty, fault) => {
		for (const order of ['newestFirst', 'oldestFirst'] as const) {
			const list = new HostileList({ order, pageSize: 10 });
			list.add(count);
			const watch = new Watch(list, { ...EVENT });
			const mend = answering(watch, (page, answer) =>
				isFaulty(page, list.requests) ? fault : answer(),
			);
			await watch.publish().catch(() => {});
			await hours(4, watch);
			mend();
			expect([...watch.events, ...(await hours(4, watch))]).toEqual([]);
			const added = list.add(1);
			expect(idsOf(await hours(2, watch))).toEqual(added);
		}
	});

	it('completes the baseline within a day even if a page is always empty', async () => {
		const list = new HostileList({ order: 'oldestFirst', pageSize: 10 });
		list.add(100);
		const watch = new Watch(list, { ...EVENT });
		answering(watch, (page, answer) => (page === 7 ? EMPTY : answer()));
		await watch.publish();
		expect(await hours(24, watch)).toEqual([]);
		expect(isReady(watch.data)).toBe(true);
	});

	it('loses no file if a page was empty by a fault when the poll before ended', async () => {
		const watch = await watching({ pageSize: 20 }, 100);
		const added = watch.list.add(50);
		const mend = answering(watch, (page, answer) =>
			page === 2 ? { body: { ...(answer().body as object), list: [] } } : answer(),
		);
		await watch.poll(2);
		mend();
		await hours(3, watch);
		expect(inOrder(idsOf(watch.events))).toEqual(added);
	});

	it('sends a rejected key only once, even if the last poll stopped on a later page', async () => {
		const watch = await watching({ order: 'oldestFirst', pageSize: 10 }, 100);
		await watch.poll(8);
		const rejected = { status: 401, body: { error: 1, message: 'Invalid key' } };
		let asked = 0;
		answering(watch, () => (asked++, rejected));
		await watch.poll();
		expect(asked).toBe(1);
		expect(watch.errors).toMatchObject([{ failure: { cause: 'credential-invalid' } }]);
	});

	it.each(['empty', 404] as const)(
		'goes on with page 1 if the page where a poll stopped is gone (%s)',
		async (beyond) => {
			const watch = await watching({ order: 'oldestFirst', pageSize: 10, beyond }, 100);
			await watch.poll(8);
			watch.list.rows = watch.list.rows.slice(60);
			const added = watch.list.add(2);
			expect(await newFiles(watch)).toEqual(added);
			expect([watch.errors, watch.warnings]).toEqual([[], []]);
		},
	);
});

it('completes the baseline in the second poll even if the page where the first one stopped is gone', async () => {
	const list = new HostileList({ counters: 'silent', order: 'oldestFirst', pageSize: 10 });
	list.add(95);
	const watch = new Watch(list, { ...EVENT });
	watch.setting.budgetMs = 8 * 1_250;
	await watch.publish();
	list.rows = list.rows.slice(60);
	await watch.poll();
	expect(isReady(watch.data)).toBe(true);
});

describe('First poll', () => {
	const orders = ['newestFirst', 'oldestFirst', 'none'] as const;
	const counted = ['told', 'silent', 'promising', 'ofPage', 'inflated'] as const;

	it.each(counted)(
		'completes the baseline in the poll that stores it, so a restart after quiet polls loses no file (counters: %s)',
		async (counters) => {
			for (const event of ['fileCreated', 'qrCodeScanned']) {
				for (const order of orders) {
					const habits = { counters, order, pageSize: 10, perSecond: 6 };
					const watch = await watchingEvent({ event }, 95, { ...habits, counter: 3 });
					await hours(21, watch);
					const [id] = watch.list.add(1, 2);
					await watch.restart();
					await hours(2, watch);
					expect(watch.events.map((row) => row.id)).toEqual([id]);
					expect(watch.warnings).toEqual([]);
				}
			}
		},
	);

	it.each(orders)(
		'a first poll that is too short for a second reading says so, and the next polls lose no file (%s)',
		async (order) => {
			for (const pages of [12, 15]) {
				const list = new HostileList({ counters: 'ofPage', order, pageSize: 10, perSecond: 6 });
				list.add(95);
				const watch = new Watch(list, { ...EVENT });
				watch.setting.budgetMs = pages * 1_250;
				await watch.publish();
				expect(watch.warnings).toEqual([expect.stringContaining('could be recorded')]);
				const added = list.add(2);
				await watch.restart();
				added.push(...list.add(1));
				await hours(4, watch);
				expect(inOrder(idsOf(watch.events))).toEqual(added);
			}
		},
	);

	it.each([
		['silent', 'oldestFirst'],
		['told', 'none'],
	] as const)(
		'never emits an existing file that slips up a page during the first reading (counters: %s, order: %s)',
		async (counters, order) => {
			for (let count = 21; count < 60; count++) {
				const list = new HostileList({ counters, order, pageSize: 10 });
				list.add(count);
				const watch = new Watch(list, { ...EVENT });
				let requests = 0;
				list.before = () => void (++requests === 2 && list.deleteAt(0));
				await watch.publish();
				await hours(3, watch);
				const added = list.add(1);
				await watch.poll();
				expect(idsOf(watch.events)).toEqual(added);
			}
		},
	);

	it.each(['pinned', 'none'] as const)(
		'doesn’t end early in a list that only seems to show the newest first (%s)',
		async (order) => {
			for (let count = 20; count < 60; count++) {
				const watch = await watching({ order, pageSize: 3 }, count);
				const added = watch.list.add(2);
				expect(await newFiles(watch)).toEqual(added);
			}
		},
	);

	it('stores 10,000 files with UUIDs in less than 500 kB', async () => {
		const watch = await watching({ order: 'none' }, 10_000);
		const uuid = (id: number) => `0195f3a2-7c1d-7e4b-9a60-${String(id).padStart(12, '0')}`;
		answering(watch, (_page, answer) => {
			const page = answer().body as { list: Array<{ id: number }> };
			return { body: { ...page, list: page.list.map((row) => ({ ...row, id: uuid(row.id) })) } };
		});
		await hours(2, watch);
		expect(stateOf(watch).length).toBeLessThan(500_000);
		expect(watch.events).toHaveLength(10_000);
	});
});

it('recognizes a channel item by its type and ID, even if the type is in capitals', async () => {
	let items = [{ id: 5, type: 'links' }];
	const list = new HostileList();
	list.page = () => ({ body: { error: 0, data: { result: 1, items } } });
	const watch = new Watch(list, { event: 'channelItemAdded', channelId: '7' });
	await watch.publish();
	items = [{ id: 5, type: 'LINKS' }];
	expect(await hours(1, watch)).toEqual([]);
	items.push({ id: 5, type: 'qr' });
	expect(await hours(1, watch)).toMatchObject([{ id: 5, type: 'qr' }]);
});

it('marks a sample event in its title if the record has no name', async () => {
	const list = new HostileList();
	const items = [{ id: 5, type: 'links', name: null, title: 'Promo' }];
	list.page = () => ({ body: { error: 0, data: { result: 1, items } } });
	const watch = new Watch(list, { event: 'channelItemAdded', channelId: '7' });
	expect(await watch.test()).toMatchObject({ id: 5, name: null, title: 'Sample: Promo' });
});

it('emits only files whose names match, and never the others after the filter is removed', async () => {
	const watch = await watchingEvent({ ...EVENT, name: 'record 1' }, 8);
	watch.list.add(3);
	expect(await newFiles(watch)).toEqual([10, 11]);
	watch.setting.parameters.name = '';
	expect(await newFiles(watch)).toEqual([]);
});

it.each(['fileCreated', 'fileDownloaded'])('%s ignores files without an ID', async (event) => {
	const watch = await watchingEvent({ event }, 3);
	let downloads = 1;
	answering(watch, (_page, answer) => {
		const page = answer().body as { list: object[] };
		return { body: { ...page, list: [{ name: 'no ID', downloads: downloads++ }, ...page.list] } };
	});
	expect(await hours(3, watch)).toEqual([]);
});

it('names a QR code by its title if the list has no names, as the actions do', async () => {
	const list = new HostileList();
	const qrs = [{ id: 1, title: 'Menu' }];
	list.page = () => ({ body: { error: 0, data: { maxpage: 1, qrs } } });
	const watch = new Watch(list, { event: 'qrCodeCreated' });
	await watch.publish();
	qrs.unshift({ id: 2, title: 'Poster' });
	expect(await hours(1, watch)).toMatchObject([{ id: 2, name: 'Poster' }]);
	const sample = { id: 2, name: 'Sample: Poster', title: 'Poster' };
	expect(await watch.test()).toMatchObject(sample);
});

describe('Sample event for files', () => {
	it('finds a file by name beyond the first page, ignoring case and a page that doesn’t exist', async () => {
		const watch = await watching({ counters: 'promising', beyond: 404, pageSize: 10 }, 50);
		watch.setting.parameters.name = 'RECORD 4';
		expect(await watch.test()).toMatchObject({ id: 49, name: 'Sample: record 49' });
		watch.setting.parameters.name = 'record 3';
		expect(await watch.test()).toMatchObject({ id: 39 });
		watch.setting.parameters.name = 'nothing';
		await expect(watch.test()).rejects.toThrow('No file has a name that contains "nothing"');
	});

	it('says that no sample event was found in time if the file isn’t reached within half a minute', async () => {
		const watch = await watching({ pageSize: 10 }, 5_000);
		watch.setting.parameters.name = 'record 1 ';
		const before = clock.now;
		await expect(watch.test()).rejects.toThrow('No sample event was found in time');
		expect(clock.now - before).toBe(30_000);
		// A sample has no baseline.
		expect(watch.warnings).toEqual([]);
	});
});

it.each(['classic', 'durable'] as const)(
	'never loses, repeats or invents a file, however the service behaves (%s scheduler)',
	async (scheduler) => {
		await survivesHistories({
			...EVENT,
			scheduler,
			numRuns: 8,
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
