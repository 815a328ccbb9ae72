import fc from 'fast-check';

import { FairQueue, Fifo, RefusedQueue } from '../../../../nodes/shared/http/rateLimit/queue';

describe('a first-in-first-out queue', () => {
	it('behaves like a list from which entries are removed', () => {
		const action = fc.oneof(
			fc.record({ kind: fc.constant('add' as const), entry: fc.integer({ min: 0, max: 9 }) }),
			fc.record({ kind: fc.constant('delete' as const), entry: fc.integer({ min: 0, max: 9 }) }),
			fc.record({ kind: fc.constant('take' as const), entry: fc.constant(0) }),
		);
		fc.assert(
			fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
				const queue = new Fifo<number>();
				let model: number[] = [];
				for (const { kind, entry } of actions) {
					if (kind === 'add') {
						queue.add(entry);
						if (!model.includes(entry)) model.push(entry);
					} else if (kind === 'delete') {
						expect(queue.delete(entry)).toBe(model.includes(entry));
						model = model.filter((other) => other !== entry);
					} else {
						expect(queue.take()).toBe(model.shift());
					}
					expect([...queue]).toEqual(model);
					expect(queue.size).toBe(model.length);
				}
			}),
			{ numRuns: 300 },
		);
	});
});

describe('a fair queue', () => {
	const [first, second, third] = [{}, {}, {}];
	const entry = (run: object, name: string) => ({ run, name });

	function taken(queue: FairQueue<{ run: object; name: string }>): string[] {
		const names: string[] = [];
		for (let next; (next = queue.take());) names.push(next.name);
		return names;
	}

	it('serves runs in turn, and each run in order', () => {
		const queue = new FairQueue<{ run: object; name: string }>();
		for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(entry(first, name));
		for (const name of ['b1', 'b2']) queue.add(entry(second, name));
		queue.add(entry(third, 'c1'));
		expect(taken(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
	});

	it('serves a new run after one request of each other run', () => {
		const queue = new FairQueue<{ run: object; name: string }>();
		for (let at = 0; at < 600; at++) queue.add(entry(first, `a${at}`));
		for (let at = 0; at < 100; at++) queue.take();
		queue.add(entry(second, 'b'));
		expect([queue.take()!.name, queue.take()!.name]).toEqual(['a100', 'b']);
	});

	it('drops deleted entries, and runs without entries', () => {
		const queue = new FairQueue<{ run: object; name: string }>();
		const entries = ['a1', 'a2', 'a3'].map((name) => entry(first, name));
		for (const each of entries) queue.add(each);
		const only = entry(second, 'b1');
		queue.add(only);
		queue.delete(entries[1]!);
		queue.delete(entries[1]!);
		queue.delete(only);
		expect(queue.size).toBe(2);
		expect([...queue].map(({ name }) => name)).toEqual(['a1', 'a3']);
		expect(taken(queue)).toEqual(['a1', 'a3']);
		expect(queue.size).toBe(0);
	});

	it('never lets a run wait for more than one request of each other run', () => {
		const runs = Array.from({ length: 5 }, () => ({}));
		const arrivals = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 80 });
		fc.assert(
			fc.property(arrivals, (arrivals) => {
				const queue = new FairQueue<{ run: object; name: string }>();
				arrivals.forEach((run, at) => queue.add(entry(runs[run]!, String(at))));
				const order: number[] = [];
				for (let next; (next = queue.take());) order.push(Number(next.name));
				expect([...order].sort((a, b) => a - b)).toEqual(arrivals.map((_, at) => at));
				order.forEach((at, position) => {
					const run = arrivals[at]!;
					const before = order.slice(0, position).map((other) => arrivals[other]!);
					const own = before.filter((other) => other === run).length;
					for (const other of new Set(before)) {
						const served = before.filter((each) => each === other).length;
						expect(served).toBeLessThanOrEqual(own + 1);
					}
				});
			}),
		);
	});
});

describe('a queue of refused requests', () => {
	it('serves first what was refused most often', () => {
		const queue = new RefusedQueue<{ refusals: number; name: string }>();
		const entries = [
			{ refusals: 1, name: 'once' },
			{ refusals: 3, name: 'three times' },
			{ refusals: 1, name: 'once, later' },
			{ refusals: 2, name: 'twice' },
		];
		for (const each of entries) queue.add(each);
		queue.delete(entries[3]!);
		queue.delete(entries[3]!);
		expect(queue.size).toBe(3);
		expect([...queue]).toHaveLength(3);
		expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([
			entries[1],
			entries[0],
			entries[2],
			undefined,
		]);
		expect(queue.size).toBe(0);
	});
});
