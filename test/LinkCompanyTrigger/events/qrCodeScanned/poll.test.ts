import fc from 'fast-check';

import type { QrOptions } from '../../../../nodes/LinkCompanyTrigger/events/qrCodeScanned/poll';
import { pollQrCodes } from '../../../../nodes/LinkCompanyTrigger/events/qrCodeScanned/poll';
import {
	decodeCodes,
	encodeCodes,
	qrStateSchema,
	storedCodes,
} from '../../../../nodes/LinkCompanyTrigger/events/qrCodeScanned/state';
import { PageReader } from '../../../../nodes/LinkCompanyTrigger/pageReader';
import { systemClock } from '../../../../nodes/shared/http/clock';
import { HostileList, type Habits } from '../../hostileList';

const HABITS: Habits = {
	order: 'newestFirst',
	shuffles: false,
	pageSize: 100,
	perSecond: 1,
	counters: 'told',
};
const ALL: QrOptions = { emitExisting: false, minimum: 1 };
const DAY = 86_400_000;

let now = Date.UTC(2025, 0, 1);
beforeEach(() => {
	jest.spyOn(systemClock, 'now').mockImplementation(() => now);
});
afterEach(() => {
	jest.restoreAllMocks();
});

interface Event {
	id: number;
	scans: number;
	previousScans: number;
	newScans: number;
}

/** A trigger over a list, with what n8n stores of it. */
class Watch {
	/** Scans that were emitted, by code. */
	readonly emitted = new Map<number, number>();
	requests = 0;
	private text?: string;
	private persisted?: string;

	constructor(
		readonly list: HostileList,
		private readonly scheduler: 'classic' | 'durable' = 'classic',
		public options = ALL,
	) {}

	/** @param requests that the poll has time for */
	async poll(requests = Infinity): Promise<Event[]> {
		const { list } = this;
		const before = list.requests;
		const reader = new PageReader({
			get over() {
				return list.requests - before >= requests;
			},
		});
		const stored =
			this.text === undefined ? undefined : qrStateSchema().parse(JSON.parse(this.text));
		const source = { page: async (number: number) => await list.page(number) };
		const { state, events } = await pollQrCodes(stored, source, reader, this.options);
		this.requests = list.requests - before;
		const first = this.text === undefined;
		if (first && reader.failure) return [];
		if (state) this.text = JSON.stringify(storedCodes(state));
		const typed = events as unknown as Event[];
		for (const { id, newScans } of typed) {
			this.emitted.set(id, (this.emitted.get(id) ?? 0) + newScans);
		}
		if (first || events.length > 0 || this.scheduler === 'durable') this.persisted = this.text;
		return typed;
	}

	restart(): void {
		this.text = this.persisted;
	}

	/** Codes that turn up are new from when the first reading is complete. */
	get isWatching(): boolean {
		return this.text !== undefined && !(JSON.parse(this.text) as { beginning: boolean }).beginning;
	}

	get codes() {
		const { codes } = JSON.parse(this.text ?? '{}') as { codes?: string };
		return decodeCodes(codes ?? '')!;
	}

	get bytes(): number {
		return Buffer.byteLength(this.text ?? '');
	}
}

function listOf(count: number, scans = 0, habits: Partial<Habits> = {}): HostileList {
	const list = new HostileList({ ...HABITS, ...habits });
	list.add(count);
	for (const row of list.rows) row.scans = scans;
	return list;
}

function scan(list: HostileList, id: number, scans: number): void {
	list.rows.find((row) => row.id === id)!.scans += scans;
}

describe('scans', () => {
	it('that existed at the first poll are not emitted, and later ones are, once', async () => {
		const watch = new Watch(listOf(120, 50));
		expect(await watch.poll()).toEqual([]);
		scan(watch.list, 7, 3);
		expect(await watch.poll()).toMatchObject([
			{ id: 7, scans: 53, previousScans: 50, newScans: 3 },
		]);
		expect(await watch.poll()).toEqual([]);
	});

	it('that exist are emitted at the first poll if the option is on', async () => {
		const watch = new Watch(listOf(3, 5), 'classic', { ...ALL, emitExisting: true });
		expect(await watch.poll()).toMatchObject([{ newScans: 5 }, { newScans: 5 }, { newScans: 5 }]);
		expect(await watch.poll()).toEqual([]);
	});

	it('of a code that was created later count from 0', async () => {
		const watch = new Watch(listOf(120, 50));
		await watch.poll();
		const [id] = watch.list.add();
		scan(watch.list, id!, 2);
		expect(await watch.poll()).toMatchObject([{ id, previousScans: 0, newScans: 2 }]);
	});

	it('accumulate until the minimum is reached, also over restarts', async () => {
		const watch = new Watch(listOf(3, 50), 'classic', { ...ALL, minimum: 5 });
		await watch.poll();
		for (const expected of [[], [], [{ id: 2, previousScans: 50, newScans: 6 }]]) {
			scan(watch.list, 2, 2);
			expect(await watch.poll()).toMatchObject(expected);
			watch.restart();
		}
	});

	it('are kept when the minimum changes', async () => {
		const watch = new Watch(listOf(3, 50), 'classic', { ...ALL, minimum: 5 });
		await watch.poll();
		scan(watch.list, 2, 2);
		await watch.poll();
		watch.options = ALL;
		expect(await watch.poll()).toMatchObject([{ id: 2, newScans: 2 }]);
	});
});

describe('a counter that falls', () => {
	it('is counted from its new value, without an event', async () => {
		const watch = new Watch(listOf(3, 100));
		await watch.poll();
		watch.list.rows[1]!.scans = 0;
		expect(await watch.poll()).toEqual([]);
		scan(watch.list, 2, 120);
		expect(await watch.poll()).toMatchObject([{ scans: 120, previousScans: 0, newScans: 120 }]);
	});

	it('keeps the scans that wait for the minimum', async () => {
		const watch = new Watch(listOf(3, 100), 'classic', { ...ALL, minimum: 50 });
		await watch.poll();
		scan(watch.list, 2, 30);
		await watch.poll();
		watch.list.rows[1]!.scans = 10;
		await watch.poll();
		scan(watch.list, 2, 25);
		expect(await watch.poll()).toMatchObject([{ id: 2, scans: 35, newScans: 55 }]);
	});
});

describe('the first reading', () => {
	it('does not make old scans new when a code is deleted while it reads', async () => {
		const list = listOf(301, 1_100, { order: 'oldestFirst' });
		const watch = new Watch(list);
		let answers = 0;
		list.before = () => {
			if (++answers === 2 || answers === 6) list.deleteAt(0);
			return undefined;
		};
		await watch.poll();
		for (let poll = 0; poll < 3; poll++) expect(await watch.poll()).toEqual([]);
		expect(watch.codes.size).toBeGreaterThanOrEqual(299);
	});

	it('continues in later polls and counts the scans of the codes that it has shown', async () => {
		const watch = new Watch(listOf(500, 10), 'durable');
		await watch.poll(3);
		scan(watch.list, 500, 2);
		for (let poll = 0; poll < 5; poll++) await watch.poll(3);
		expect([...watch.emitted]).toEqual([[500, 2]]);
		expect(watch.isWatching).toBe(true);
	});
});

describe('a code that is missing', () => {
	it('is not forgotten while the list is empty for some polls', async () => {
		const watch = new Watch(listOf(57, 100));
		await watch.poll();
		const { rows } = watch.list;
		watch.list.rows = [];
		for (let poll = 0; poll < 5; poll++) expect(await watch.poll()).toEqual([]);
		watch.list.rows = rows;
		expect(await watch.poll()).toEqual([]);
		scan(watch.list, 3, 1);
		expect(await watch.poll()).toMatchObject([{ id: 3, newScans: 1 }]);
	});

	it('is forgotten after it was missing for a day', async () => {
		const watch = new Watch(listOf(57, 100));
		await watch.poll();
		watch.list.deleteAt(0.5);
		for (let hour = 0; hour < 23; hour++) {
			now += DAY / 24;
			await watch.poll();
		}
		expect(watch.codes.size).toBe(57);
		for (let hour = 0; hour < 26; hour++) {
			now += DAY / 24;
			await watch.poll();
		}
		expect(watch.codes.size).toBe(56);
	});

	it('is not forgotten because a clock jumps', async () => {
		const watch = new Watch(listOf(57, 100));
		await watch.poll();
		const { rows } = watch.list;
		watch.list.rows = [];
		for (const jump of [2 * DAY, -3 * DAY]) {
			now += jump;
			await watch.poll();
		}
		expect(watch.codes.size).toBe(57);
		watch.list.rows = rows;
		expect(await watch.poll()).toEqual([]);
	});
});

describe('chosen codes', () => {
	const choose = (...ids: number[]): QrOptions => ({ ...ALL, chosen: new Set(ids) });

	it('are read until all of them were seen', async () => {
		const watch = new Watch(listOf(1_000, 5), 'classic', choose(950, 850));
		await watch.poll();
		expect(watch.requests).toBe(2);
		scan(watch.list, 850, 1);
		scan(watch.list, 851, 1);
		expect(await watch.poll()).toMatchObject([{ id: 850, newScans: 1 }]);
	});

	it('start with their current count when they are added, and the others keep theirs', async () => {
		const watch = new Watch(listOf(10, 5), 'classic', choose(3));
		await watch.poll();
		scan(watch.list, 3, 2);
		watch.options = choose(3, 4);
		expect(await watch.poll()).toMatchObject([{ id: 3, newScans: 2 }]);
		scan(watch.list, 4, 1);
		expect(await watch.poll()).toMatchObject([{ id: 4, newScans: 1 }]);
	});

	it('do not make the scans of all others new when all are watched', async () => {
		const watch = new Watch(listOf(250, 5), 'classic', choose(3));
		await watch.poll();
		scan(watch.list, 3, 2);
		watch.options = ALL;
		expect(await watch.poll()).toMatchObject([{ id: 3, newScans: 2 }]);
		scan(watch.list, 200, 1);
		expect(await watch.poll()).toMatchObject([{ id: 200, newScans: 1 }]);
		watch.options = choose(200);
		scan(watch.list, 200, 4);
		expect(await watch.poll()).toMatchObject([{ id: 200, newScans: 4 }]);
	});
});

describe('the state', () => {
	it.each([
		['small ids', 1, 3],
		['ids with gaps and many scans', 99_991, 1_000_000],
	])('takes at most 16 bytes for a code: %s', async (_, gap, scans) => {
		const list = listOf(10_000, scans);
		list.rows = list.rows.map((row) => ({ ...row, id: row.id * gap }));
		const watch = new Watch(list);
		await watch.poll();
		await watch.poll();
		expect(watch.requests).toBe(100);
		expect(watch.bytes / 10_000).toBeLessThanOrEqual(16);
	});

	it('is read as it was written', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.record({
						id: fc.nat(),
						scans: fc.maxSafeNat(),
						pending: fc.maxSafeNat(),
						seen: fc.boolean(),
					}),
				),
				(entries) => {
					const codes = new Map(entries.map(({ id, ...code }) => [id, code] as const));
					const sorted = [...codes].sort(([a], [b]) => a - b);
					expect([...decodeCodes(encodeCodes(codes))!]).toEqual(sorted);
				},
			),
		);
	});

	it.each(['1', '1.', '1.2.3.4;', '1.x y;', 'zzzzzzzzzzzzzzz.1;', '1.1;2'])(
		'is refused when it is damaged: %s',
		(text) => {
			expect(decodeCodes(text)).toBeUndefined();
		},
	);
});

const step = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('scan' as const),
			place: fc.double({ min: 0, max: 0.999, noNaN: true }),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('add' as const) }) },
	{
		weight: 1,
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

const between = fc.constantFrom<'add' | 'delete' | 'scan' | 'empty' | 'fail' | undefined>(
	undefined,
	undefined,
	undefined,
	undefined,
	'scan',
	'add',
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

const figures = { runs: 0, scans: 0, emitted: 0, lost: 0, false: 0, requests: 0 };
afterAll(() => {
	if (process.env.VERBOSE) console.table(figures);
});

describe('under a hostile but legal service', () => {
	it.each(['classic', 'durable'] as const)(
		'no scan is lost, doubled or invented with the %s scheduler',
		async (scheduler) => {
			await fc.assert(
				fc.asyncProperty(
					habits,
					fc.integer({ min: 0, max: 40 }),
					fc.array(step, { minLength: 1, maxLength: 30 }),
					fc.infiniteStream(between),
					fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
					async (settings, count, steps, faults, places) => {
						const list = new HostileList(settings);
						list.add(count);
						for (const row of list.rows) row.scans = 1_000;
						const watch = new Watch(list, scheduler);
						/** Scans that were made while the trigger was watching, and at any time. */
						let expected = new Map<number, number>();
						const made = new Map<number, number>();
						const deleted = new Set<number>();
						const scanAt = (place: number) => {
							const row = list.rows[Math.floor(place * list.rows.length)];
							if (!row) return;
							row.scans++;
							made.set(row.id, (made.get(row.id) ?? 0) + 1);
							if (watch.isWatching) expected.set(row.id, (expected.get(row.id) ?? 0) + 1);
						};
						const drop = (place: number) => deleted.add(list.deleteAt(place) ?? 0);
						list.before = () => undefined;
						if (count % 2 === 0) for (let poll = 0; poll < 2; poll++) await watch.poll();
						list.before = () => {
							const fault = faults.next().value!;
							if (fault === 'add') list.add();
							if (fault === 'delete') drop(places.next().value!);
							if (fault === 'scan') scanAt(places.next().value!);
							return fault === 'empty' || fault === 'fail' ? fault : undefined;
						};
						for (const next of steps) {
							if (next.kind === 'add') list.add();
							if (next.kind === 'scan') scanAt(next.place);
							if (next.kind === 'delete') drop(next.place);
							if (next.kind === 'poll') await watch.poll(next.requests);
							if (next.kind === 'restart') {
								watch.restart();
								if (!watch.isWatching) expected = new Map();
							}
						}
						list.before = () => undefined;
						for (let poll = 0; poll < 30; poll++) await watch.poll();

						const lost = [...expected].filter(
							([id, scans]) => (watch.emitted.get(id) ?? 0) < scans && !deleted.has(id),
						);
						const wrong = [...watch.emitted].filter(([id, scans]) => scans > (made.get(id) ?? 0));
						figures.runs++;
						figures.scans += [...expected.values()].reduce((sum, scans) => sum + scans, 0);
						figures.emitted += [...watch.emitted.values()].reduce((sum, scans) => sum + scans, 0);
						figures.lost += lost.length;
						figures.false += wrong.length;
						figures.requests += list.requests;
						expect({ lost, wrong }).toEqual({ lost: [], wrong: [] });
					},
				),
				{ numRuns: Number(process.env.RUNS ?? 100) },
			);
		},
	);
});
