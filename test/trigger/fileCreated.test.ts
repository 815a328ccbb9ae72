import fc from 'fast-check';

import type { FileState } from '../../nodes/LinkCompanyTrigger/events/fileCreated';
import { pollFiles } from '../../nodes/LinkCompanyTrigger/events/fileCreated';
import { Reading } from '../../nodes/LinkCompanyTrigger/events/reading';
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
		const reading = new Reading({
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
			numRuns: Number(process.env.RUNS ?? 1000),
		});
	});
});
