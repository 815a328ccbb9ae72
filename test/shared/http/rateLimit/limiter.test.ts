import { getEventListeners } from 'node:events';

import { CancelledError } from '../../../../nodes/shared/http/errors';
import type { RateReport } from '../../../../nodes/shared/http/rateLimit/headers';
import {
	limiterFor,
	MAX_IN_FLIGHT,
	MAX_REFUSALS,
	RateLimiter,
	RateLimitError,
} from '../../../../nodes/shared/http/rateLimit/limiter';
import type { Outcome, Slot, Wait } from '../../../../nodes/shared/http/rateLimit/limiter';
import type { Refusal } from '../../../../nodes/shared/http/rateLimit/refusal';
import { FakeClock } from '../fakeClock';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let clock: FakeClock;
let limiter: RateLimiter;
/** By name: the requests that were admitted, in their order. */
let slots: Map<string, Slot>;
/** Those that wait again after a refusal. */
let refusedSlots: Map<string, Slot>;
let rejected: Map<string, Error>;

beforeEach(() => {
	clock = new FakeClock();
	limiter = new RateLimiter({ limit: 30, windowMs: MINUTE }, clock);
	slots = new Map();
	refusedSlots = new Map();
	rejected = new Map();
});

const admitted = () => [...slots.keys()];

/** Makes requests wait under their names. */
async function wait(names: string | string[], options?: Wait): Promise<void> {
	for (const name of [names].flat()) {
		const refused = refusedSlots.get(name);
		slots.delete(name);
		limiter.acquire(options, refused).then(
			(slot) => slots.set(name, slot),
			(error: Error) => rejected.set(name, error),
		);
	}
	await clock.drain();
}

/** Makes a request wait until it is admitted. */
async function get(name: string): Promise<void> {
	await wait(name);
	while (!slots.has(name)) await clock.advance(250);
}

/** Says how a request ended, and lets the limiter act on it. */
async function release(name: string, outcome: Outcome = {}): Promise<void> {
	const slot = slots.get(name)!;
	if (outcome.refusal) refusedSlots.set(name, slot);
	limiter.release(slot, outcome);
	await clock.drain();
}

/** Lets one request through and has it answered. */
async function open(outcome: Outcome): Promise<void> {
	await wait('first');
	expect(admitted()).toContain('first');
	await release('first', outcome);
	slots.delete('first');
}

/** What a service with the usual headers reports. */
function report(remaining: number, resetInMs = MINUTE): RateReport {
	return { remaining, resetAt: clock.now() + resetInMs };
}

function refusedFor(ms: number, blocks: Refusal['blocks'] = 'window'): Outcome {
	return { report: {}, refusal: { blocks, opensAt: clock.now() + ms } };
}

const names = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`);

describe('fairness', () => {
	it('serves a short run beside a long one within the same window', async () => {
		await open({ report: report(0) });
		await wait(names('long', 600), { run: {} });
		await wait('short', { run: {} });
		await clock.advance(MINUTE);
		expect(admitted()).toEqual(['long1']);
		await clock.advance(2_000);
		expect(admitted()).toEqual(['long1', 'short']);
	});

	it('costs little with 10,000 requests that wait', async () => {
		await open({ report: report(0) });
		const sleep = jest.spyOn(clock, 'sleep');
		const cancel = new AbortController();
		await wait(names('r', 10_000), { run: {}, signal: cancel.signal });
		expect(sleep.mock.calls.length).toBeLessThanOrEqual(1);
		cancel.abort();
		await clock.drain();
		expect(limiter.idle).toBe(true);
	});
});

describe('a refusal', () => {
	it('blocks the key; then its request goes first, and the runs follow in turn', async () => {
		const run = {};
		await wait(names('r', 3), { run });
		await wait('other', { run: {} });
		await release('r1', refusedFor(7_000));
		await wait('r1', { run });
		await clock.advance(6_999);
		expect(admitted()).toEqual([]);
		await clock.advance(1);
		expect(admitted()).toEqual(['r1']);
		await release('r1', { report: { remaining: 2 } });
		expect(admitted()).toEqual(['r1', 'other', 'r2']);
	});

	it('ends if the clock is set back to before its start', async () => {
		await open(refusedFor(5 * MINUTE));
		const { now } = clock;
		jest.spyOn(clock, 'now').mockImplementation(() => now.call(clock) - 5 * HOUR);
		await wait('r');
		expect(admitted()).toEqual(['r']);
	});

	it('ends the burst: nothing more is sent because of earlier responses', async () => {
		await open({ report: report(MAX_IN_FLIGHT + 5) });
		await wait(names('r', 25));
		await release('r1', refusedFor(5_000));
		for (const name of names('r', MAX_IN_FLIGHT).slice(1)) {
			await release(name, { report: report(24) });
		}
		await clock.advance(5_000);
		expect(admitted()).toHaveLength(MAX_IN_FLIGHT + 1);
	});

	it('pauses longer each time if the service says that no wait is needed', async () => {
		const times: number[] = [];
		await wait('r');
		for (let at = 0; at < 4; at++) {
			times.push(clock.now());
			await release('r', refusedFor(0));
			await get('r');
		}
		expect(times.slice(1).map((time, at) => time - times[at]!)).toEqual([500, 1_000, 2_000]);
	});

	it('ends the attempts of a request that is rejected again and again, and of no other', async () => {
		await wait(['r', 'other']);
		for (let refusals = 1; refusals <= MAX_REFUSALS; refusals++) {
			const slot = slots.get('r')!;
			await release('r', refusedFor(1_000));
			expect(limiter.giveUp(slot) !== undefined).toBe(refusals === MAX_REFUSALS);
			await wait('r');
			while (!slots.has('r')) {
				await clock.advance(1_000);
				if (slots.has('other')) await release('other', {});
				slots.delete('other');
			}
		}
	});
});

describe('an exhausted quota', () => {
	const rejectedBare = async (name: string) => {
		await get(name);
		await release(name, { refusal: { blocks: 'window' } });
	};

	it.each<[string, meanwhile: () => Promise<void>, recognized: boolean]>([
		['is recognized without a word where the next request is rejected', async () => {}, true],
		[
			'is not assumed where another request succeeds',
			async () => {
				await get('fine');
				await release('fine', { report: {} });
			},
			false,
		],
		['is not assumed after a pause', async () => await clock.advance(10 * MINUTE), false],
	])('%s', async (_, meanwhile, recognized) => {
		// This one gives up.
		for (let refusals = 0; refusals < MAX_REFUSALS; refusals++) await rejectedBare('rejected');
		await meanwhile();
		await rejectedBare('next');
		await wait('other');
		expect([...rejected]).toMatchObject(recognized ? [['other', { quota: true }]] : []);
	});

	it('fails fast for all, with the time of the reset, whatever later refusals say', async () => {
		await open({ report: report(2) });
		await wait(['rejected', 'in flight', 'waiting']);
		const opensAt = clock.now() + 5 * HOUR;
		await release('rejected', refusedFor(5 * HOUR, 'quota'));
		await release('in flight', refusedFor(1_000));
		await wait('later');
		const limit = { opensAt, quota: true, guessed: false };
		for (const name of ['waiting', 'later']) expect(rejected.get(name)).toMatchObject(limit);
		expect(rejected.get('later')).toBeInstanceOf(RateLimitError);
	});

	it('is checked by one request a minute', async () => {
		await open(refusedFor(5 * HOUR, 'quota'));
		await clock.advance(MINUTE - 1);
		await wait('early');
		await clock.advance(1);
		await wait(['probe', 'behind']);
		expect([...rejected.keys()]).toEqual(['early']);
		expect(admitted()).toEqual(['probe']);
		await release('probe', refusedFor(5 * HOUR, 'quota'));
		expect([...rejected.keys()]).toEqual(['early', 'behind']);
		await clock.advance(MINUTE);
		await wait('next probe');
		await release('next probe', { report: report(29) });
		await wait('free');
		expect(admitted()).toContain('free');
	});

	it.each<[string, () => Outcome, failing: string[]]>([
		['while these succeed', () => ({ report: report(29) }), ['other']],
		['until one is rejected', () => refusedFor(5 * HOUR, 'quota'), ['status', 'other']],
	])('does not block requests outside the quota %s', async (_, outcome, failing) => {
		await open(refusedFor(5 * HOUR, 'quota'));
		await wait('status', { outsideQuota: true });
		expect(admitted()).toEqual(['status']);
		await release('status', outcome());
		await wait('status', { outsideQuota: true });
		await wait('other');
		expect([...rejected.keys()]).toEqual(failing);
	});
});

it('a watcher of the limit is told when it ends, as long as requests have to wait', async () => {
	const watcher = jest.fn();
	const stop = limiter.watch(watcher);
	await open({ report: report(0, 40_000) });
	expect(watcher).not.toHaveBeenCalled();
	await wait('r');
	const limit = { opensAt: clock.now() + 40_000, quota: false, guessed: false };
	expect(watcher).toHaveBeenLastCalledWith(expect.objectContaining(limit));
	stop();
	watcher.mockClear();
	await wait('s');
	expect(watcher).not.toHaveBeenCalled();
});

it('cancelling ends a wait immediately; a signal that stays in use keeps no listener', async () => {
	const cancel = new AbortController();
	const signal = { signal: cancel.signal };
	await wait('first', signal);
	expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
	await release('first', { report: report(0) });
	await wait('r', signal);
	await clock.advance(1_000);
	cancel.abort();
	await clock.drain();
	expect(rejected.get('r')).toBeInstanceOf(CancelledError);
	expect(clock.pending).toBe(false);
});

describe('the limiters of the process', () => {
	const rate = { limit: 30, windowMs: MINUTE };
	const fill = (count: number, prefix: string) => {
		for (const name of names(prefix, count)) limiterFor(name, rate);
	};

	it('stay the same when the plan changes', () => {
		const first = limiterFor('plan', rate);
		expect(limiterFor('plan', { limit: 100, windowMs: MINUTE })).toBe(first);
		expect(first.perMinute).toBe(100);
	});

	it('are dropped when there are very many, the least recently used first, but never in use', async () => {
		const busy = limiterFor('busy', rate);
		await busy.acquire();
		const old = limiterFor('old', rate);
		const used = limiterFor('used', rate);
		fill(500, 'some');
		limiterFor('used', rate);
		fill(600, 'more');
		expect(limiterFor('used', rate)).toBe(used);
		expect(limiterFor('old', rate)).not.toBe(old);
		fill(1_000, 'later');
		expect(limiterFor('busy', rate)).toBe(busy);
	});
});
