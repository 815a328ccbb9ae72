import fc from 'fast-check';

import { pollFiles } from '../../../../nodes/LinkCompanyTrigger/events/fileCreated/poll';
import {
	fileStateSchema,
	storedFiles,
} from '../../../../nodes/LinkCompanyTrigger/events/fileCreated/state';
import { PageReader } from '../../../../nodes/LinkCompanyTrigger/pageReader';
import { HostileList, type Habits } from '../../hostileList';

const HABITS: Habits = {
	order: 'newestFirst',
	shuffles: false,
	pageSize: 100,
	perSecond: 1,
	counters: 'told',
};

/** A trigger over a list, with what n8n stores of it. */
class Watch {
	readonly emitted: number[] = [];
	readonly warnings: string[] = [];
	/** As JSON, the state in memory and the one that survives a restart. */
	private text?: string;
	private persisted?: string;
	/** Requests of the last poll. */
	requests = 0;

	constructor(
		readonly list: HostileList,
		private readonly scheduler: 'classic' | 'durable' = 'classic',
		private readonly emitExisting = false,
	) {}

	/** @param requests that the poll has time for */
	async poll(requests = Infinity): Promise<number[]> {
		const before = this.list.requests;
		const list = this.list;
		const reader = new PageReader({
			get over() {
				return list.requests - before >= requests;
			},
		});
		const stored =
			this.text === undefined ? undefined : fileStateSchema().parse(JSON.parse(this.text));
		const options = { emitExisting: this.emitExisting };
		const source = {
			page: async (number: number) => await this.list.page(number),
			warn: (message: string) => this.warnings.push(message),
		};
		const { state, events } = await pollFiles(stored, source, reader, options);
		this.requests = this.list.requests - before;
		const first = this.text === undefined;
		if (first && reader.failure) return [];
		if (state) this.text = JSON.stringify(storedFiles(state));
		const ids = events.map(({ id }) => Number(id));
		this.emitted.push(...ids);
		if (first || ids.length > 0 || this.scheduler === 'durable') this.persisted = this.text;
		return ids;
	}

	restart(): void {
		this.text = this.persisted;
	}

	/** New files count from when the first reading is complete. */
	get isWatching(): boolean {
		return this.text !== undefined && !(JSON.parse(this.text) as { beginning: boolean }).beginning;
	}

	get bytes(): number {
		return Buffer.byteLength(this.text ?? '');
	}
}

async function watching(habits: Partial<Habits>, count: number): Promise<Watch> {
	const list = new HostileList({ ...HABITS, ...habits });
	list.add(count);
	const watch = new Watch(list);
	await watch.poll();
	await watch.poll();
	return watch;
}

describe('a quiet poll', () => {
	it.each(['newestFirst', 'oldestFirst'] as const)(
		'of 100,000 files, %s, is one request, and the state is a few numbers',
		async (order) => {
			const watch = await watching({ order }, 100_000);
			expect(watch.requests).toBe(1);
			expect(watch.bytes).toBeLessThan(500);
			const added = watch.list.add(5);
			expect(await watch.poll()).toEqual(added);
			expect(watch.requests).toBeLessThanOrEqual(5);
			await watch.poll();
			expect(await watch.poll()).toEqual([]);
			expect(watch.requests).toBe(1);
			expect(watch.warnings).toEqual([]);
		},
	);

	it('of a list without an order reads all of it, and the state needs few bytes per file', async () => {
		const watch = await watching({ order: 'none' }, 10_000);
		expect(watch.requests).toBe(100);
		expect(watch.bytes / 10_000).toBeLessThanOrEqual(16);
		const added = watch.list.add(5);
		expect(await watch.poll()).toEqual(added);
	});
});

describe('files of one second', () => {
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
			let most = 0;
			for (let poll = 0; poll < 14; poll++) {
				expected.push(...watch.list.add(5));
				await watch.poll();
				most = Math.max(most, watch.requests);
			}
			for (let poll = 0; poll < 20; poll++) await watch.poll();
			expect([...watch.emitted].sort((a, b) => a - b)).toEqual(expected);
			expect(most).toBeLessThanOrEqual(10);
		},
	);
});

describe('a list that breaks its order', () => {
	it('is read from the first page to the last when pinned files come before the new ones', async () => {
		const watch = await watching({}, 300);
		const pages = watch.list.page.bind(watch.list);
		const pinned = await pages(1);
		watch.list.page = async (number) => (number === 1 ? pinned : await pages(number - 1));
		const added = watch.list.add(3);
		pinned.total = 303;
		expect(await watch.poll()).toEqual(added);
		expect(watch.warnings[0]).toMatch(/read from the first page to the last, since it has more/);
	});

	it.each(['newestFirst', 'oldestFirst'] as const)(
		'loses no file when %s becomes another order',
		async (order) => {
			const watch = await watching({ order }, 350);
			watch.list.habits.order = order === 'newestFirst' ? 'oldestFirst' : 'newestFirst';
			const added = watch.list.add(5);
			expect(await watch.poll()).toEqual(added);
			expect(watch.warnings).toHaveLength(1);
			for (let poll = 0; poll < 3; poll++) await watch.poll();
			expect(watch.requests).toBe(1);
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

	it('of an empty list: the first file that is uploaded is an event', async () => {
		const watch = await watching({}, 0);
		const ids = watch.list.add(1);
		expect(await watch.poll()).toEqual(ids);
	});

	it('are not emitted again when the list is empty for a moment', async () => {
		const list = new HostileList(HABITS);
		list.add(250);
		const watch = new Watch(list);
		let answers = 0;
		list.before = () => (++answers === 1 ? 'empty' : undefined);
		await watch.poll();
		list.before = () => 'empty';
		for (let poll = 0; poll < 3; poll++) await watch.poll();
		list.before = () => undefined;
		await watch.poll();
		expect(watch.emitted).toEqual([]);
	});
});

const step = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('add' as const),
			count: fc.integer({ min: 1, max: 9 }),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('delete' as const),
			place: fc.double({ min: 0, max: 0.999, noNaN: true }),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('poll' as const),
			requests: fc.constantFrom(1, 2, 3, 8, 50),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

/** What happens before a request: mostly nothing. */
const between = fc.constantFrom<Array<'add' | 'delete' | 'empty' | 'fail' | undefined>>(
	undefined,
	undefined,
	undefined,
	undefined,
	'add',
	'delete',
	'delete',
	'empty',
	'fail',
);

const habits: fc.Arbitrary<Habits> = fc.record({
	order: fc.constantFrom('newestFirst', 'oldestFirst', 'none'),
	shuffles: fc.boolean(),
	pageSize: fc.constantFrom(3, 4, 7, 20),
	perSecond: fc.constantFrom(1, 1, 2, 6),
	counters: fc.constantFrom('told', 'told', 'silent', 'promising'),
});

const figures = {
	runs: 0,
	created: 0,
	emitted: 0,
	lost: 0,
	doubled: 0,
	false: 0,
	requests: 0,
};
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
						if (count % 2 === 0) for (let poll = 0; poll < 2; poll++) await watch.poll();
						list.before = hostile;
						for (const next of steps) {
							if (next.kind === 'add') add(next.count);
							if (next.kind === 'delete') drop();
							if (next.kind === 'restart') {
								watch.restart();
								if (!watch.isWatching) expected = new Set();
							}
							if (next.kind === 'poll') await watch.poll(next.requests);
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
				{ numRuns: Number(process.env.RUNS ?? 150) },
			);
		},
	);
});
