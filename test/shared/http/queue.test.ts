import fc from 'fast-check';

import { FairQueue } from '../../../nodes/shared/http/queue';
import type { Queued } from '../../../nodes/shared/http/queue';

const MOST_TAKEN = 2;
const RUNS = ['a', 'b', 'c'].map((name) => ({ name }));

const step = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ add: fc.constantFrom(...RUNS), order: fc.nat(2) }) },
	{ weight: 3, arbitrary: fc.constant('take' as const) },
	{ weight: 2, arbitrary: fc.record({ end: fc.constantFrom(...RUNS), again: fc.boolean() }) },
	{ weight: 3, arbitrary: fc.record({ delete: fc.nat(9) }) },
);

const isBefore = (one: Queued, other: Queued) =>
	one.order - other.order || one.arrival - other.arrival;

describe('FairQueue', () => {
	it('serves runs in turn and the entries of a run in order, a few at a time', () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
				const queue = new FairQueue<Queued>(MOST_TAKEN);
				let waiting: Queued[] = [];
				let taken: Queued[] = [];
				/** By run: the runs served while it could have been. */
				const passedBy = new Map<object, object[]>();
				const takenOf = (run: object) => taken.filter((entry) => entry.run === run);
				const waitingOf = (run: object) => waiting.filter((entry) => entry.run === run);
				const canBeServed = (run: object) =>
					waitingOf(run).length > 0 && takenOf(run).length < MOST_TAKEN;

				for (const [arrival, each] of steps.entries()) {
					if (each === 'take') {
						const entry = queue.take();
						expect(entry !== undefined).toBe(RUNS.some(canBeServed));
						if (!entry) continue;
						expect(entry).toBe(waitingOf(entry.run).sort(isBefore)[0]);
						expect(canBeServed(entry.run)).toBe(true);
						waiting = waiting.filter((other) => other !== entry);
						taken.push(entry);
						passedBy.delete(entry.run);
						for (const [run, served] of passedBy) {
							if (waitingOf(run).length === 0) continue;
							expect(served).not.toContain(entry.run);
							served.push(entry.run);
						}
					} else if ('add' in each) {
						const entry = { run: each.add, order: each.order, arrival };
						queue.add(entry);
						waiting.push(entry);
					} else if ('end' in each) {
						const [entry] = takenOf(each.end);
						if (!entry) continue;
						queue.end(entry.run);
						taken = taken.filter((other) => other !== entry);
						// As a rejected request is sent again.
						if (each.again) {
							queue.add(entry);
							waiting.push(entry);
						}
					} else {
						const entry = waiting[each.delete % waiting.length];
						if (!entry) continue;
						queue.delete(entry);
						waiting = waiting.filter((other) => other !== entry);
					}
					for (const run of RUNS) {
						if (!canBeServed(run)) passedBy.delete(run);
						else if (!passedBy.has(run)) passedBy.set(run, []);
					}
					expect(queue.waiting.sort(isBefore)).toEqual([...waiting].sort(isBefore));
				}

				for (const entry of waiting) queue.delete(entry);
				for (const { run } of taken) queue.end(run);
				// What was deleted before may stay until the next call.
				if (waiting.length === 0) expect(queue.take()).toBeUndefined();
				// It keeps nothing of runs that have ended.
				expect({ ...queue }).toEqual({ ...new FairQueue(MOST_TAKEN) });
			}),
			{ numRuns: 100 },
		);
	});
});
