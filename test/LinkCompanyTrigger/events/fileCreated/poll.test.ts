import fc from 'fast-check';

import type { FileState } from '../../../../nodes/LinkCompanyTrigger/events/fileCreated/state';
import { pollFiles } from '../../../../nodes/LinkCompanyTrigger/events/fileCreated/poll';
import { PageReader } from '../../../../nodes/LinkCompanyTrigger/pageReader';
import { FileService, outage, type Order, type Service } from './fileService';

type Change =
	| { kind: 'add'; count: number }
	| { kind: 'delete'; place: number }
	| { kind: 'deleteAll' }
	| { kind: 'reorder'; order: Order }
	| { kind: 'shrinkPages'; size: number };

/** What happens in one poll: changes before it and between its requests, and how it ends. */
interface Tick {
	before: Change[];
	during: Array<{ request: number; change: Change }>;
	/** The request that fails. */
	fails?: number;
	/** Requests after which the time is over. */
	patience: number;
	/** n8n restarts after it. */
	restart: boolean;
}

interface Scenario {
	service: Service;
	count: number;
	emitExisting: boolean;
	/** The durable scheduler keeps every state, the classic one only with what was emitted. */
	durable: boolean;
	ticks: Tick[];
}

const change: fc.Arbitrary<Change> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant('add' as const),
			count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 10, max: 90 })),
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('delete' as const),
			place: fc.double({ min: 0, max: 1, noNaN: true }),
		}),
	},
	{ weight: 1, arbitrary: fc.constant({ kind: 'deleteAll' as const }) },
);
const rareChange: fc.Arbitrary<Change> = fc.oneof(
	{ weight: 8, arbitrary: change },
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('reorder' as const),
			order: fc.constantFrom<Order>('newest', 'oldest', 'scattered', 'scrambled'),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('shrinkPages' as const),
			size: fc.integer({ min: 10, max: 14 }),
		}),
	},
);

const tick: fc.Arbitrary<Tick> = fc.record({
	before: fc.array(rareChange, { maxLength: 3 }),
	during: fc.array(fc.record({ request: fc.integer({ min: 1, max: 8 }), change }), {
		maxLength: 4,
	}),
	fails: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined, freq: 3 }),
	patience: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(1000)),
	restart: fc.boolean(),
});

const service: fc.Arbitrary<Service> = fc.record({
	order: fc.constantFrom<Order>('newest', 'oldest', 'scattered', 'scrambled'),
	largestPage: fc.integer({ min: 12, max: 30 }),
});

const scenario: fc.Arbitrary<Scenario> = fc.record({
	service,
	count: fc.integer({ min: 0, max: 120 }),
	emitExisting: fc.boolean(),
	durable: fc.boolean(),
	ticks: fc.array(tick, { minLength: 1, maxLength: 8 }),
});

function apply(files: FileService, made: Change): void {
	switch (made.kind) {
		case 'add':
			return files.add(made.count);
		case 'delete':
			return files.deleteAt(made.place);
		case 'deleteAll':
			files.ids = [];
			return;
		case 'reorder':
			files.settings.order = made.order;
			return;
		case 'shrinkPages':
			files.settings.largestPage = made.size;
	}
}

/** The trigger's life as the engine gives it, over a service in memory. */
class Life {
	stored: FileState | undefined;
	private saved: string | undefined;
	readonly emitted: number[] = [];

	constructor(
		readonly files: FileService,
		readonly scenario: Pick<Scenario, 'emitExisting' | 'durable'>,
	) {}

	async poll({ during, fails, patience, restart }: Partial<Tick> = {}): Promise<number> {
		const { files } = this;
		const first = files.requests;
		files.before = (request) => {
			for (const planned of during ?? []) {
				if (planned.request === request - first) apply(files, planned.change);
			}
			if (fails === request - first) throw outage();
		};
		const reading = new PageReader({
			get over() {
				return files.requests - first >= (patience ?? Infinity);
			},
		});
		const before = JSON.stringify(this.stored);
		const { state, events } = await pollFiles(this.stored, files, reading, this.scenario);
		files.before = () => {};
		const ids = events.map(({ id }) => id as number);
		expect(ids).toEqual([...ids].sort((a, b) => a - b));
		this.emitted.push(...ids);
		this.stored = state && (JSON.parse(JSON.stringify(state)) as FileState);
		const activated = before === undefined;
		if (this.scenario.durable || ids.length > 0 || activated)
			this.saved = JSON.stringify(this.stored);
		if (restart) this.stored = this.saved && JSON.parse(this.saved);
		return files.requests - first;
	}
}

async function play({ service: settings, count, ticks, ...rest }: Scenario): Promise<void> {
	const files = new FileService({ ...settings }, count);
	const life = new Life(files, rest);
	let last = files.nextId - 1;
	for (const planned of ticks) {
		for (const made of planned.before) apply(files, made);
		const known = life.stored && !life.stored.sweep?.remembers;
		await life.poll(planned);
		// What comes while the first poll reads belongs to either side of the baseline.
		if (!known) last = files.nextId - 1;
	}
	for (let i = 0; i < 12; i++) {
		const known = life.stored && !life.stored.sweep?.remembers;
		await life.poll();
		if (!known) last = files.nextId - 1;
	}
	expect(new Set(life.emitted).size).toBe(life.emitted.length);
	const owed = files.ids.filter((id) => id > last || rest.emitExisting);
	const missing = owed.filter((id) => !life.emitted.includes(id));
	expect(missing).toEqual([]);
}

describe('fileCreated, against a model of the list', () => {
	it('emits every new file exactly once, oldest first, whatever happens', async () => {
		await fc.assert(fc.asyncProperty(scenario, play), {
			numRuns: Number(process.env.RUNS ?? 600),
		});
	});
});

describe('fileCreated', () => {
	const scenario0 = { emitExisting: false, durable: true };
	const lifeOf = async (settings: Partial<Service>, count: number) => {
		const service: Service = { order: 'newest', largestPage: 100, ...settings };
		const life = new Life(new FileService(service, count), scenario0);
		await life.poll();
		return life;
	};
	const range = (from: number, to: number) =>
		Array.from({ length: to - from + 1 }, (_, index) => from + index);

	it.each(['newest', 'oldest'] as const)(
		'emits a backlog oldest first: %s first',
		async (order) => {
			const life = await lifeOf({ order }, 450);
			life.files.add(730);
			const requests = await life.poll();
			expect(life.emitted).toEqual(range(451, 1180));
			expect(requests).toBeLessThan(25);
			expect(await life.poll()).toBe(1);
		},
	);

	it.each(['newest', 'oldest'] as const)(
		'goes through a backlog in small steps without starting over: %s first',
		async (order) => {
			const life = await lifeOf({ order }, 450);
			life.files.add(730);
			let polls = 0;
			while (life.emitted.length < 730 && polls < 40) {
				await life.poll({ patience: 2 });
				polls++;
			}
			expect(life.emitted).toEqual(range(451, 1180));
			expect(polls).toBeLessThan(15);
		},
	);

	it('does not lose a file that slips over the edge of a page when another one is deleted', async () => {
		const life = await lifeOf({}, 100);
		life.files.add(150);
		await life.poll({ during: [{ request: 2, change: { kind: 'delete', place: 0 } }] });
		await life.poll();
		expect(life.emitted).toEqual(expect.arrayContaining(range(101, 249)));
	});

	it('sweeps the list when its order breaks, and learns the new one', async () => {
		const life = await lifeOf({}, 450);
		life.files.settings.order = 'oldest';
		life.files.add(3);
		await life.poll();
		expect(life.emitted).toEqual([451, 452, 453]);
		expect(life.stored!.order).toBe('oldestFirst');
		expect(await life.poll()).toBe(1);
		life.files.add(2);
		expect(await life.poll()).toBe(1);
		expect(life.emitted).toEqual(range(451, 455));
	});

	it('sweeps a list without an order at every poll', async () => {
		const life = await lifeOf({ order: 'scattered' }, 450);
		expect(life.stored!.order).toBe('none');
		life.files.add(3);
		await life.poll();
		expect(life.emitted).toEqual([451, 452, 453]);
		expect(await life.poll()).toBeLessThan(7);
	});

	it('goes on after the last known file was deleted', async () => {
		for (const order of ['newest', 'oldest'] as const) {
			const life = await lifeOf({ order }, 450);
			life.files.ids = life.files.ids.slice(0, -120);
			await life.poll();
			expect(await life.poll()).toBe(1);
			life.files.add(2);
			await life.poll();
			expect(life.emitted).toEqual([451, 452]);
		}
	});

	it.each<[string, Service['counters']]>([
		[
			'without counters',
			{ perPage: 'silent', nextPage: 'silent', lastPage: 'silent', total: 'silent' },
		],
		['with a page size that is too small', { perPage: 7 }],
		['with a page size that is too large', { perPage: 1000 }],
		['with a number of pages that is too small', { lastPage: 1 }],
		['with a number of pages that is too large', { lastPage: 99 }],
		['with a next page without end', { nextPage: 2 }],
	])('emits each new file once %s', async (_, counters) => {
		// Of a service that cuts pages down and does not say so, nobody could see the end.
		const largestPage = counters?.perPage === 'silent' ? 100 : 50;
		for (const order of ['newest', 'oldest', 'scattered'] as const) {
			const life = await lifeOf({ order, counters, largestPage }, 230);
			for (const count of [1, 3, 120]) {
				life.files.add(count);
				for (let i = 0; i < 3; i++) await life.poll();
			}
			expect([...life.emitted].sort((a, b) => a - b)).toEqual(range(231, 354));
		}
	});

	it('sweeps where the service has pages of its own size', async () => {
		for (const order of ['newest', 'oldest', 'scattered'] as const) {
			const life = await lifeOf({ order, ignoresLimit: true, largestPage: 15 }, 100);
			for (const count of [2, 40]) {
				life.files.add(count);
				for (let i = 0; i < 3; i++) await life.poll();
			}
			expect([...life.emitted].sort((a, b) => a - b)).toEqual(range(101, 142));
		}
	});

	it('notices files that come to the front of a list that was oldest first', async () => {
		const life = await lifeOf({ order: 'oldest' }, 450);
		life.files.add();
		life.files.ids = [451, ...range(1, 450)];
		await life.poll();
		expect(life.emitted).toEqual([451]);
	});

	it('looks again when the last known file is gone, since new ones may stand elsewhere', async () => {
		const life = await lifeOf({ order: 'oldest' }, 450);
		life.files.ids = [451, ...range(1, 449)];
		await life.poll();
		expect(life.emitted).toEqual([451]);
	});
});
