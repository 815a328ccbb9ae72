import fc from 'fast-check';

import { LinkManagementTrigger } from '../../../nodes/LinkManagement/LinkManagementTrigger.node';
import { HostileList, type Habits } from './hostileList';
import { between, habits, step } from './hostileRun';
import { clock, HOUR, PollModel, type Scheduler } from './pollModel';

const HABITS: Habits = {
	order: 'newestFirst',
	shuffles: false,
	pageSize: 100,
	perSecond: 1,
	counters: 'told',
	beyond: 'empty',
};

const REQUEST_MS = 1_000;

/** The event "QR Code Scanned" over a list. */
class Watch {
	/** By id: the scans that were emitted. */
	readonly emitted = new Map<number, number>();
	readonly model: PollModel;

	constructor(
		readonly list: HostileList,
		scheduler: Scheduler = 'classic',
		parameters: Record<string, unknown> = {},
	) {
		this.model = new PollModel(new LinkManagementTrigger(), {
			scheduler,
			parameters: { event: 'qrCodeScanned', ...parameters } as never,
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

	async poll(requests = 10_000) {
		this.model.setting.budgetMs = (requests * REQUEST_MS) / 0.8;
		await this.model.tick();
		return this.note();
	}

	async restart(): Promise<void> {
		await this.model.restart();
		this.note();
	}

	scan(id: number, times = 1): void {
		const row = this.list.rows.find((one) => one.id === id);
		if (row) row.count += times;
	}

	private note() {
		const events = this.model.take();
		for (const { id, newScans } of events) {
			const before = this.emitted.get(Number(id)) ?? 0;
			this.emitted.set(Number(id), before + Number(newScans));
		}
		return events;
	}
}

async function watching(count: number, scans: number, parameters = {}): Promise<Watch> {
	const list = new HostileList(HABITS);
	list.add(count);
	for (const row of list.rows) row.count = scans;
	const watch = new Watch(list, 'classic', parameters);
	await watch.publish();
	return watch;
}

it('emits the scans since the last event, with the count before', async () => {
	const watch = await watching(250, 7);
	watch.scan(3, 2);
	expect(await watch.poll()).toMatchObject([{ id: 3, scans: 9, previousScans: 7, newScans: 2 }]);
	expect(await watch.poll()).toEqual([]);
});

it('counts a new code from 0, and one that was not shown before from its current number', async () => {
	const watch = await watching(250, 7);
	const hidden = watch.list.rows[4]!;
	watch.list.rows = watch.list.rows.filter((row) => row !== hidden);
	// Forgotten after a day.
	for (let poll = 0; poll < 60; poll++) {
		clock.now += HOUR;
		await watch.poll();
	}
	watch.list.rows = [hidden, ...watch.list.rows];
	const [id] = watch.list.add();
	watch.scan(id!, 3);
	expect(await watch.poll()).toMatchObject([{ id, newScans: 3 }]);
	watch.scan(hidden.id);
	expect(await watch.poll()).toMatchObject([{ id: hidden.id, newScans: 1 }]);
});

it('lets scans accumulate up to the minimum, and keeps them when it is changed', async () => {
	const watch = await watching(10, 0, { minimumScans: 5 });
	watch.scan(1, 4);
	expect(await watch.poll()).toEqual([]);
	watch.model.setting.parameters.minimumScans = 4;
	expect(await watch.poll()).toMatchObject([{ id: 1, newScans: 4 }]);
});

it('counts from the lower number when a counter falls', async () => {
	const watch = await watching(10, 5);
	for (const row of watch.list.rows) row.count = 1;
	expect(await watch.poll()).toEqual([]);
	watch.scan(2, 2);
	expect(await watch.poll()).toMatchObject([{ id: 2, scans: 3, newScans: 2 }]);
});

it('reads no further than the selected codes', async () => {
	const chosenQrCodes = { code: [{ qrCodeId: { value: '240' } }] };
	const watch = await watching(250, 5, { qrCodes: 'chosen', chosenQrCodes });
	watch.list.requests = 0;
	watch.scan(240);
	watch.scan(1);
	expect(await watch.poll()).toMatchObject([{ id: 240, newScans: 1 }]);
	expect(watch.list.requests).toBe(1);
});

it('emits existing scans once if the option is on', async () => {
	const watch = await watching(5, 3, { options: { emitExisting: 'true' } });
	await watch.poll();
	expect([...watch.emitted]).toEqual([1, 2, 3, 4, 5].map((id) => [id, 3]));
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
					fc.integer({ min: 1, max: 60 }),
					fc.array(step, { minLength: 1, maxLength: 25 }),
					fc.infiniteStream(between),
					fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
					async (settings, count, steps, faults, places) => {
						const list = new HostileList(settings);
						for (const id of list.add(count)) list.rows.find((row) => row.id === id)!.count = 50;
						const watch = new Watch(list, scheduler);
						await watch.publish();
						/** By id: scans since the last baseline began, and since it was complete. */
						const made = new Map<number, number>();
						const owed = new Map<number, number>();
						const add = (number: number) => {
							for (const id of list.add(number)) made.set(id, 0);
						};
						const reading = async (poll: () => Promise<unknown>) => {
							const isBaseline = watch.model.data?.ready !== true;
							await poll();
							if (isBaseline) owed.clear();
						};
						const drop = () => list.deleteAt(places.next().value!);
						const scan = () => {
							const row = list.rows[Math.floor(places.next().value! * list.rows.length)];
							if (!row) return;
							row.count++;
							for (const scans of [made, owed]) scans.set(row.id, (scans.get(row.id) ?? 0) + 1);
						};
						list.before = () => {
							const fault = faults.next().value;
							if (fault === 'add') add(1);
							if (fault === 'delete') drop();
							scan();
							return fault === 'empty' || fault === 'fail' ? fault : undefined;
						};
						for (const next of steps) {
							if (next.kind === 'add') add(next.count);
							if (next.kind === 'delete') drop();
							if (next.kind === 'wait') clock.now += Math.min(next.hours, 1) * HOUR;
							if (next.kind === 'poll') await reading(() => watch.poll(next.requests));
							if (next.kind === 'publish') await reading(() => watch.publish().catch(() => {}));
							if (next.kind === 'restart') {
								await watch.restart();
								// The durable scheduler does not store the state of the publication.
								if (watch.model.data === undefined) made.clear();
							}
						}
						list.before = () => undefined;
						for (let poll = 0; poll < 15; poll++) await reading(() => watch.poll());

						const there = new Set(list.rows.map(({ id }) => id));
						const wrong = [...watch.emitted].filter(([id, scans]) => scans > (made.get(id) ?? 0));
						const lost = [...owed].filter(
							([id, scans]) => there.has(id) && scans > (watch.emitted.get(id) ?? 0),
						);
						const sum = (counts: Map<number, number>) =>
							[...counts.values()].reduce((total, one) => total + one, 0);
						figures.runs++;
						figures.scans += sum(made);
						figures.emitted += sum(watch.emitted);
						figures.lost += lost.length;
						figures.false += wrong.length;
						figures.requests += list.requests;
						expect({ lost, wrong }).toEqual({ lost: [], wrong: [] });
					},
				),
				{ numRuns: Number(process.env.RUNS ?? 25) },
			);
		},
		600_000,
	);
});
