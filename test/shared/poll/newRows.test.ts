import fc from 'fast-check';

import { LinkManagementTrigger } from '../../../nodes/LinkManagement/LinkManagementTrigger.node';
import { HostileList, type Habits } from './hostileList';
import { between, habits, step } from './hostileRun';
import { clock, DAY, HOUR, PollModel, type Scheduler } from './pollModel';

const HABITS: Habits = {
	order: 'newestFirst',
	shuffles: false,
	pageSize: 100,
	perSecond: 1,
	counters: 'told',
	beyond: 'empty',
};

const REQUEST_MS = 1_000;

/** The event "File Created" over a list. */
class Watch {
	readonly emitted: number[] = [];
	readonly model: PollModel;

	constructor(
		readonly list: HostileList,
		scheduler: Scheduler = 'classic',
		emitExisting = false,
	) {
		this.model = new PollModel(new LinkManagementTrigger(), {
			scheduler,
			parameters: { event: 'fileCreated', options: { emitExisting } },
			credentials: { baseUrl: 'https://links.example', apiKey: `key ${Math.random()}` },
			answer: (path, query) => {
				clock.now += REQUEST_MS;
				return list.answer(path, query);
			},
		});
	}

	async publish(): Promise<void> {
		await this.model.publish();
		this.note();
	}

	/** @param requests that the poll has time for */
	async poll(requests = 10_000): Promise<number[]> {
		this.model.setting.budgetMs = (requests * REQUEST_MS) / 0.8;
		const before = this.list.requests;
		await this.model.tick();
		this.requests = this.list.requests - before;
		return this.note();
	}

	/** Requests of the last poll. */
	requests = 0;

	async restart(): Promise<void> {
		await this.model.restart();
		this.note();
	}

	/** New files count from when the baseline is complete. */
	get isWatching(): boolean {
		return this.model.data?.ready === true;
	}

	get bytes(): number {
		return Buffer.byteLength(JSON.stringify(this.model.data));
	}

	private note(): number[] {
		const ids = this.model.take().map(({ id }) => Number(id));
		this.emitted.push(...ids);
		return ids;
	}
}

async function watching(some: Partial<Habits>, count: number): Promise<Watch> {
	const list = new HostileList({ ...HABITS, ...some });
	list.add(count);
	const watch = new Watch(list);
	watch.model.setting.budgetMs = DAY;
	await watch.publish();
	return watch;
}

describe('a quiet poll', () => {
	it('of 100,000 files with the newest first is one request and stores a few numbers', async () => {
		const watch = await watching({}, 100_000);
		await watch.poll();
		expect(watch.requests).toBe(1);
		expect(watch.bytes).toBeLessThan(600);
		const added = watch.list.add(5);
		expect(await watch.poll()).toEqual(added);
		await watch.poll();
		expect(watch.requests).toBe(1);
	});

	it('of a list in any other order is one request per page', async () => {
		const watch = await watching({ order: 'none' }, 10_000);
		await watch.poll();
		expect(watch.requests).toBe(100);
		expect(watch.bytes).toBeLessThan(400_000);
		const added = watch.list.add(5);
		expect(await watch.poll()).toEqual(added);
	});
});

describe('files created in the same second', () => {
	it.each([
		['newestFirst', false],
		['newestFirst', true],
		['oldestFirst', false],
		['oldestFirst', true],
		['none', false],
	] as const)(
		'are emitted wherever the service puts them: %s, shuffled: %s',
		async (order, shuffles) => {
			const watch = await watching({ order, shuffles, perSecond: 300 }, 299);
			const expected: number[] = [];
			for (let poll = 0; poll < 14; poll++) {
				expected.push(...watch.list.add(5));
				await watch.poll();
				expect(watch.requests).toBeLessThanOrEqual(5);
			}
			for (let poll = 0; poll < 20; poll++) await watch.poll();
			expect([...watch.emitted].sort((a, b) => a - b)).toEqual(expected);
		},
	);
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
		expect(await watch.poll()).toEqual(added);
	});

	it.each(['newestFirst', 'oldestFirst'] as const)(
		'loses no file when %s becomes another order',
		async (order) => {
			const watch = await watching({ order }, 350);
			watch.list.habits.order = order === 'newestFirst' ? 'oldestFirst' : 'newestFirst';
			const added = watch.list.add(5);
			expect(await watch.poll()).toEqual(added);
			await watch.poll();
			const more = watch.list.add(5);
			await watch.poll();
			expect(watch.emitted).toEqual([...added, ...more]);
		},
	);
});

describe('existing files', () => {
	it('are emitted once at the first polls if the option is on', async () => {
		const list = new HostileList(HABITS);
		const ids = list.add(1_234);
		const watch = new Watch(list, 'durable', true);
		for (let poll = 0; poll < 10; poll++) await watch.poll(4);
		expect([...watch.emitted].sort((a, b) => a - b)).toEqual(ids);
	});

	it('are not assumed in an empty list: the first upload is an event', async () => {
		const watch = await watching({}, 0);
		const ids = watch.list.add(1);
		expect(await watch.poll()).toEqual(ids);
	});

	it('are not emitted again when the list is empty for a moment', async () => {
		const list = new HostileList({ ...HABITS, order: 'none' });
		list.add(250);
		const watch = new Watch(list);
		let answers = 0;
		list.before = () => (++answers === 1 ? 'empty' : undefined);
		await watch.publish();
		list.before = () => 'empty';
		for (let poll = 0; poll < 60; poll++) {
			clock.now += HOUR;
			await watch.poll();
		}
		list.before = () => undefined;
		await watch.poll();
		expect(watch.emitted).toEqual([]);
	});
});

describe('a file that is missing', () => {
	it('is new again after a day and three laps, but not earlier', async () => {
		const watch = await watching({ order: 'none', pageSize: 10 }, 25);
		const { rows } = watch.list;
		const absent = async (hours: number) => {
			watch.list.rows = rows.slice(1);
			for (let hour = 0; hour < hours; hour++) {
				clock.now += HOUR;
				await watch.poll();
			}
			watch.list.rows = rows;
			clock.now += HOUR;
			return await watch.poll();
		};
		expect(await absent(20)).toEqual([]);
		expect(await absent(60)).toEqual([1]);
	});
});

const figures = { runs: 0, created: 0, emitted: 0, lost: 0, doubled: 0, false: 0, requests: 0 };
afterAll(() => {
	if (process.env.VERBOSE) console.table(figures);
});

describe('under a hostile but legal service', () => {
	it.each(['classic', 'durable'] as const)(
		'no file is lost, doubled or invented with the %s scheduler',
		async (scheduler) => {
			await fc.assert(
				fc.asyncProperty(
					habits,
					fc.integer({ min: 0, max: 60 }),
					fc.array(step, { minLength: 1, maxLength: 30 }),
					fc.infiniteStream(between),
					fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
					async (settings, count, steps, faults, places) => {
						const list = new HostileList(settings);
						const existing = new Set(list.add(count));
						const watch = new Watch(list, scheduler);
						/** Files that were created while the trigger was watching. */
						let expected = new Set<number>();
						const gone = new Set<number | undefined>();
						const add = (number: number) => {
							for (const id of list.add(number)) if (watch.isWatching) expected.add(id);
						};
						const drop = () => gone.add(list.deleteAt(places.next().value!));
						const hostile = () => {
							const fault = faults.next().value;
							if (fault === 'add') add(1);
							if (fault === 'delete') drop();
							return fault === 'empty' || fault === 'fail' ? fault : undefined;
						};
						// Half of the runs begin in peace, so that they are about what follows.
						if (count % 2 === 0) await watch.publish();
						list.before = hostile;
						if (count % 2 === 1) await watch.publish().catch(() => {});
						for (const next of steps) {
							if (next.kind === 'add') add(next.count);
							if (next.kind === 'delete') drop();
							if (next.kind === 'wait') clock.now += next.hours * HOUR;
							if (next.kind === 'poll') await watch.poll(next.requests);
							if (next.kind === 'publish') await watch.publish().catch(() => {});
							if (next.kind === 'restart') {
								await watch.restart();
								if (!watch.isWatching) expected = new Set();
							}
						}
						list.before = () => undefined;
						for (let poll = 0; poll < 30; poll++) await watch.poll();

						const emitted = new Set(watch.emitted);
						const lost = [...expected].filter((id) => !emitted.has(id) && !gone.has(id));
						const wrong = watch.emitted.filter((id) => existing.has(id));
						figures.runs++;
						figures.created += expected.size;
						figures.emitted += emitted.size;
						figures.lost += lost.length;
						figures.doubled += watch.emitted.length - emitted.size;
						figures.false += wrong.length;
						figures.requests += list.requests;
						expect({ lost, wrong }).toEqual({ lost: [], wrong: [] });
						expect(watch.emitted).toHaveLength(emitted.size);
					},
				),
				{ numRuns: Number(process.env.RUNS ?? 60) },
			);
		},
		600_000,
	);
});
