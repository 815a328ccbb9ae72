import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { HostileList, type Habits } from './hostileList';
import { clock, HOUR, type Scheduler } from './pollModel';
import { Watch } from './watch';

const habits: fc.Arbitrary<Habits> = fc.record({
	order: fc.constantFrom<Habits['order'][]>('newestFirst', 'pinned', 'oldestFirst', 'none'),
	pageSize: fc.constantFrom(3, 4, 7, 20),
	perSecond: fc.constantFrom(1, 1, 2, 6),
	idStep: fc.constantFrom(1, 3),
	counters: fc.constantFrom<Habits['counters'][]>(
		'told',
		'told',
		'silent',
		'promising',
		'ofPage',
		'inflated',
	),
	beyond: fc.constantFrom<Habits['beyond'][]>('empty', 404, 422, 'lastPage'),
});

const happening = <Kind extends string>(
	weight: number,
	kind: Kind,
	numbers: fc.Arbitrary<number> = fc.constant(0),
) => ({ weight, arbitrary: numbers.map((number) => ({ kind, number })) });

const step = fc.oneof(
	happening(3, 'add', fc.integer({ min: 1, max: 9 })),
	happening(2, 'delete'),
	// How many requests the poll has time for.
	happening(4, 'poll', fc.constantFrom(1, 2, 3, 8, 50)),
	// In hours.
	happening(1, 'wait', fc.constantFrom(1, 10, -30, 9_000)),
	happening(1, 'publish'),
	happening(1, 'restart'),
);

/** What happens before a request, which is mostly nothing. */
const fault = fc.constantFrom(
	...Array<undefined>(4),
	...(['add', 'delete', 'delete', 'empty', 'fail'] as const),
);

/** Records what a trigger should have seen, and compares it with the events. */
interface Ledger {
	added(id: number): unknown;
	deleted?(id: number | undefined): unknown;
	/** Called before every request. @param place a random number from 0 to 1 */
	requested?(place: number): void;
	/** Called after publications, polls and restarts. @param wasReady whether there was a baseline before */
	polled?(wasReady: boolean): unknown;
	/** @param wasReady whether n8n had stored a complete baseline */
	restarted(wasReady: boolean): unknown;
	/** Called at the end, after enough polls without faults. */
	ended(): void;
}

/** Whether the baseline is complete, so that new records are events. */
export const isReady = (data: IDataObject | undefined) =>
	(data?.progress as IDataObject | undefined)?.laps === 2;

interface Property {
	event: string;
	scheduler: Scheduler;
	/** The longest wait, in hours. */
	maxHours?: number;
	numRuns: number;
	ledgerOf(watch: Watch, existing: number[]): Ledger;
}

const COUNTER = 50;
const LAST_POLLS = 30;

/** Checks a published trigger over random sequences of polls, changes, faults and restarts. */
export async function survivesHistories(property: Property): Promise<void> {
	const { event, scheduler, maxHours = Infinity, ledgerOf } = property;
	// The weekly job runs more of them, with several seeds.
	const numRuns = property.numRuns * Number(process.env.HISTORIES ?? 1);
	await fc.assert(
		fc.asyncProperty(
			habits,
			fc.integer({ min: 0, max: 60 }),
			fc.array(step, { minLength: 1, maxLength: 30 }),
			fc.infiniteStream(fault),
			fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
			async (settings, count, steps, faults, places) => {
				const list = new HostileList(settings);
				const existing = list.add(count, COUNTER);
				const watch = new Watch(list, { event }, scheduler);
				const ledger = ledgerOf(watch, existing);
				const place = () => places.next().value!;
				// A record that's added while another one is deleted hides that from the list's count, so the first
				// reading can't notice that it has missed a third. Without a count, it never can.
				const add = (number: number) => {
					if (isReady(watch.data)) list.add(number).forEach((id) => ledger.added(id));
				};
				const drop = () => {
					if (isReady(watch.data) || ['told', 'promising'].includes(settings.counters)) {
						ledger.deleted?.(list.deleteAt(place()));
					}
				};
				const hostile = () => {
					const next = faults.next().value;
					if (next === 'add') add(1);
					if (next === 'delete') drop();
					ledger.requested?.(place());
					return next === 'empty' || next === 'fail' ? next : undefined;
				};
				const polling = async (poll: () => Promise<unknown>) => {
					const wasReady = isReady(watch.data);
					await poll();
					ledger.polled?.(wasReady);
				};
				const happen = {
					add,
					delete: drop,
					poll: async (requests: number) => await polling(() => watch.poll(requests)),
					wait(hours: number) {
						clock.now += Math.min(hours, maxHours) * HOUR;
					},
					publish: async () => await polling(() => watch.publish().catch(() => {})),
					async restart() {
						const wasReady = isReady(watch.storedData);
						await watch.restart();
						ledger.restarted(wasReady);
						ledger.polled?.(wasReady);
					},
				};

				// Half of the histories publish without faults, so that they test what follows.
				if (count % 2 === 0) await happen.publish();
				list.before = hostile;
				if (count % 2 === 1) await happen.publish();
				for (const { kind, number } of steps) await happen[kind](number);
				list.before = () => undefined;
				for (let poll = 0; poll < LAST_POLLS; poll++) await polling(() => watch.poll());
				expect(isReady(watch.data)).toBe(true);
				ledger.ended();
			},
		),
		{ numRuns },
	);
}
