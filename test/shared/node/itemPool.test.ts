import fc from 'fast-check';

import { ItemPool, MAX_ITEMS } from '../../../nodes/shared/node/itemPool';
import { RateLimiter } from '../../../nodes/shared/http/rateLimit/limiter';
import { useFakeClock } from '../http/scriptedHost';

const clock = useFakeClock();

interface Work {
	items: number;
	requestsOf: (item: number) => number;
	quota: number;
	latencyOf: (request: number) => number;
}

/** Runs items against a service that answers requests until its quota is used up. */
async function runItems({ items, requestsOf, quota, latencyOf }: Work) {
	const pool = new ItemPool();
	const limiter = new RateLimiter({ limit: 1_000_000, windowMs: 60_000 }, clock);
	const run = {};
	const finished: number[] = [];
	let [sent, inProgress, most] = [0, 0, 0];
	const request = async (order: number) => {
		const attempt = async () => {
			const number = sent++;
			await clock.sleep(latencyOf(number));
			return { value: number < quota, report: {} };
		};
		if (!(await limiter.schedule(attempt, { run, order }))) throw new Error('Quota used up');
	};
	const runItem = async (item: number) => {
		const place = await pool.enter();
		most = Math.max(most, ++inProgress);
		try {
			for (let at = 0; at < requestsOf(item); at++) {
				const attemptEnds = place.sends();
				await request(item);
				attemptEnds();
			}
			finished.push(item);
		} catch {
			// The quota is used up.
		} finally {
			inProgress--;
			place.leave();
		}
	};
	const all = Array.from({ length: items }, async (_, item) => await runItem(item));
	await clock.until(Promise.all(all));
	return { finished, most };
}

describe('ItemPool', () => {
	it('finishes at least about half of the items that the quota allows', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 8 }),
				fc.integer({ min: 1, max: 150 }),
				fc.array(fc.integer({ min: 0, max: 1_700 }), { minLength: 1, maxLength: 10 }),
				async (requests, quota, latencies) => {
					const { finished } = await runItems({
						items: 200,
						requestsOf: () => requests,
						quota,
						latencyOf: (number) => latencies[number % latencies.length]!,
					});
					const possible = Math.floor(quota / requests);
					expect(finished.length).toBeGreaterThanOrEqual(Math.min(possible, 1));
					expect(finished.length).toBeGreaterThanOrEqual(possible / 2 - 1);
				},
			),
			{ numRuns: 30 },
		);
	});

	it('finishes at least 45 items of two requests each with a quota of 100', async () => {
		const work = { items: 300, requestsOf: () => 2, quota: 100, latencyOf: () => 100 };
		const { finished, most } = await runItems(work);
		expect(finished.length).toBeGreaterThanOrEqual(45);
		expect(most).toBeLessThanOrEqual(MAX_ITEMS);
	});

	it('completes an item that needs the whole quota after 100 items that need no requests', async () => {
		const work = { quota: 3, latencyOf: () => 100 };
		const requestsOf = (item: number) => (item < 100 ? 0 : 3);
		const { finished } = await runItems({ ...work, items: 200, requestsOf });
		expect(finished).toHaveLength(101);
	});

	it.each([
		['the first request', 0, 1],
		['the second request', 1, 1],
		['a request that 16 items share', 0, 16],
	])('starts other items although %s takes minutes', async (_, slowAt, sharers) => {
		const pool = new ItemPool();
		const start = clock.now();
		const ends: number[] = [];
		const runItem = async (item: number) => {
			const place = await pool.enter();
			for (let at = 0; at <= slowAt; at++) {
				const isSlow = at === slowAt && item < sharers;
				const isShared = isSlow && item > 0;
				const attemptEnds = isShared ? undefined : place.sends();
				await clock.sleep(isSlow ? 300_000 : 500);
				attemptEnds?.();
			}
			place.leave();
			ends.push(clock.now() - start);
		};
		await clock.until(
			Promise.all(Array.from({ length: 100 }, async (_, item) => await runItem(item))),
		);
		expect(ends.filter((ms) => ms < 30_000)).toHaveLength(100 - sharers);
	});

	it('starts items in order', async () => {
		const pool = new ItemPool();
		const started: number[] = [];
		for (let item = 0; item < 50; item++) {
			void pool.enter().then(async (place) => {
				started.push(item);
				await clock.sleep((item * 7) % 5);
				place.leave();
			});
		}
		await clock.run();
		expect(started).toEqual(Array.from({ length: 50 }, (_, item) => item));
	});
});
