import type { IDataObject } from 'n8n-workflow';

import { isReady, survivesHistories } from './histories';
import { HostileList } from './hostileList';
import type { Habits } from './hostileList';
import { clock, HOUR, hours } from './pollModel';
import { Watch, watching as watchingEvent } from './watch';

const EVENT = { event: 'fileCreated' };

const watching = async (habits: Partial<Habits>, count: number) =>
	await watchingEvent(EVENT, count, habits);

const newFiles = async (watch: Watch) => idsOf(await watch.poll());

const idsOf = (events: IDataObject[]) => events.map(({ id }) => Number(id));

const inOrder = (ids: number[]) => ids.sort((a, b) => a - b);

const bytesOf = ({ data }: Watch) => Buffer.byteLength(JSON.stringify(data));

describe('a quiet poll', () => {
	it('of 100,000 files with the newest first is one request and stores a few numbers', async () => {
		const watch = await watching({}, 100_000);
		await watch.poll();
		expect(watch.requests).toBe(1);
		expect(bytesOf(watch)).toBeLessThan(600);
		const added = watch.list.add(5);
		expect(await newFiles(watch)).toEqual(added);
		await watch.poll();
		expect(watch.requests).toBe(1);
	});

	it('of a list in any other order is one request per page', async () => {
		const watch = await watching({ order: 'none' }, 10_000);
		await watch.poll();
		expect(watch.requests).toBe(100);
		expect(bytesOf(watch)).toBeLessThan(400_000);
		const added = watch.list.add(5);
		expect(await newFiles(watch)).toEqual(added);
	});
});

describe('a list that breaks its order', () => {
	it('is read to its end when pinned files come before the new ones', async () => {
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
		'loses no file when %s becomes another order',
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

describe('existing files', () => {
	it('are emitted once at the first polls if the option is on', async () => {
		const list = new HostileList();
		const ids = list.add(1_234);
		const watch = new Watch(list, { ...EVENT, options: { emitExisting: true } }, 'durable');
		for (let poll = 0; poll < 10; poll++) await watch.poll(4);
		expect(inOrder(idsOf(watch.events))).toEqual(ids);
	});

	it('are not assumed in an empty list: the first upload is an event', async () => {
		const watch = await watching({}, 0);
		const ids = watch.list.add(1);
		expect(await newFiles(watch)).toEqual(ids);
	});

	it('are not emitted again when the list is empty for a moment', async () => {
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
	['for 20 hours is not new', Array<number>(20).fill(HOUR), []],
	['for a day and in two laps is not new', [12 * HOUR, 12 * HOUR], []],
	['for a day and in three laps is new', [12 * HOUR, 12 * HOUR, HOUR], [1]],
])('a file that was missing %s', async (_, waits, expected) => {
	const watch = await watching({ order: 'none', pageSize: 10 }, 25);
	const pollAfter = async (ms: number) => {
		clock.now += ms;
		return await newFiles(watch);
	};
	// From here on, the day and the laps count.
	for (const ms of [12 * HOUR, 12 * HOUR]) await pollAfter(ms);
	const { rows } = watch.list;
	watch.list.rows = rows.slice(1);
	for (const ms of waits) await pollAfter(ms);
	watch.list.rows = rows;
	expect(await pollAfter(HOUR)).toEqual(expected);
});

it.each(['classic', 'durable'] as const)(
	'loses, doubles or invents no file under a hostile but legal service (%s scheduler)',
	async (scheduler) => {
		await survivesHistories({
			...EVENT,
			scheduler,
			numRuns: 60,
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
