import fc from 'fast-check';

import {
	HOUR_MS as HOUR,
	MINUTE_MS as MINUTE,
	systemClock,
} from '../../../nodes/shared/http/clock';
import { CanceledError } from '../../../nodes/shared/http/errors';
import type { RateReport } from '../../../nodes/shared/http/headers';
import {
	limiterFor,
	MAX_REJECTIONS,
	RateLimiter,
	RateLimitError,
} from '../../../nodes/shared/http/limiter';
import type { Wait } from '../../../nodes/shared/http/limiter';
import type { Attempt } from '../../../nodes/shared/http/rateWindow';
import { FakeClock } from './fakeClock';

let clock: FakeClock;
let limiter: RateLimiter;
/** Functions that end the attempts in flight, by name and in order of sending. */
let attempts: Map<string, (outcome: Attempt) => void>;
let rejected: Map<string, Error>;

beforeEach(() => {
	clock = new FakeClock();
	limiter = new RateLimiter({ limit: 30, windowMs: MINUTE }, clock);
	attempts = new Map();
	rejected = new Map();
});

const admitted = () => [...attempts.keys()];

/** Schedules requests under these names. */
async function wait(names: string | string[], options?: Wait): Promise<void> {
	for (const name of [names].flat()) {
		const attempt = async () => await new Promise<Attempt>((end) => attempts.set(name, end));
		limiter.schedule(attempt, options).catch((error: Error) => rejected.set(name, error));
	}
	await clock.drain();
}

/** Moves the clock until a request is sent. */
async function sent(name: string): Promise<void> {
	while (!attempts.has(name)) {
		if (rejected.has(name)) throw rejected.get(name)!;
		await clock.advance(250);
	}
}

/** Ends an attempt, and lets the limiter react. */
async function end(name: string, outcome: Attempt = {}): Promise<void> {
	const answer = attempts.get(name)!;
	attempts.delete(name);
	answer(outcome);
	await clock.drain();
}

/** Opens a window with one request that ends with `outcome`, and isn't sent again. */
async function open(outcome: Attempt): Promise<void> {
	await wait('first', { deadline: 0 });
	await end('first', outcome);
	rejected.delete('first');
}

/** What the usual headers report. */
function report(remaining: number, resetInMs = MINUTE): RateReport {
	return { remaining, resetAt: clock.now() + resetInMs };
}

/** A rejection, with the time that the service asks to wait. */
function rejectedFor(ms?: number, more: RateReport = {}): Attempt {
	const retryAt = ms === undefined ? undefined : clock.now() + ms;
	return { report: { retryAt, ...more }, rejectedFor: 'window' };
}

/** A rejection in words that name a day. */
function ofDay(more: RateReport = {}, ms?: number): Attempt {
	return { ...rejectedFor(ms, more), rejectedFor: 'day' };
}

const names = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`);

describe('RateLimiter: fairness', () => {
	it('serves runs in turn and the requests of a run in order', async () => {
		const runs = [{}, {}, {}];
		const asked = fc.array(fc.record({ run: fc.nat(2), order: fc.nat(3) }), { maxLength: 30 });
		await fc.assert(
			fc.asyncProperty(asked, async (asked) => {
				limiter = new RateLimiter({ limit: 30, windowMs: MINUTE }, clock);
				await open({ report: report(0) });
				const served: Array<{ run: number; order: number; arrival: number }> = [];
				const waits = asked.map(async (request, arrival) => {
					const attempt = async () => {
						served.push({ ...request, arrival });
						return { report: report(30) };
					};
					await limiter.schedule(attempt, { run: runs[request.run], order: request.order });
				});
				await clock.advance(MINUTE);
				await Promise.all(waits);
				const turns = served.map(({ run }) => run).join('');
				for (const run of [0, 1, 2]) {
					const own = served.filter((each) => each.run === run);
					const sorted = own.toSorted((a, b) => a.order - b.order || a.arrival - b.arrival);
					expect(own).toEqual(sorted);
					// While it has requests, no other run is served twice in between.
					expect(turns).not.toMatch(new RegExp(`([^${run}])[^${run}]*\\1.*${run}`));
				}
			}),
			{ numRuns: 50 },
		);
	});

	it('sends the rejected request first when a block ends, then the runs in turn', async () => {
		const run = {};
		for (const order of [1, 2, 3]) await wait(`r${order}`, { run, order });
		await wait('other', { run: {} });
		await end('r1', rejectedFor(7_000));
		await clock.advance(7_000);
		expect(admitted()).toEqual(['r1']);
		await end('r1', { report: { remaining: 2 } });
		expect(admitted()).toEqual(['other', 'r2']);
	});

	it('tells waiting requests of each new limit, and fails those whose deadline is earlier', async () => {
		await open({ report: report(0, 40_000) });
		const delayed = jest.fn();
		const start = clock.now();
		await wait(names('r', 2), { run: {}, traffic: { delayed } });
		await wait('hurried', { run: {}, deadline: start + 50_000 });
		const told = () => [...new Set(delayed.mock.calls.flat().map((until) => until - start))];
		expect(told()).toEqual([40_000]);
		await clock.advance(40_000);
		expect(rejected.size).toBe(0);
		await end('r1', { report: report(0) });
		expect(told()).toEqual([40_000, 100_000]);
		expect([...rejected.keys()]).toEqual(['hurried']);
	});

	it('waiting for a response isn’t waiting for the limit, so a request may do it in any case', async () => {
		const delayed = jest.fn();
		await wait(['opening', 'r', 'behind'], { deadline: 0, traffic: { delayed } });
		await end('opening', { report: report(1, 40_000) });
		expect(admitted()).toEqual(['r']);
		expect(delayed).not.toHaveBeenCalled();
		expect(rejected.size).toBe(0);
	});
});

// pacing.test.ts covers that no window gets more requests than it allows, and that none is wasted.
describe('RateLimiter: windows', () => {
	it('sends one request every two seconds, then as many as a response says are left', async () => {
		await wait(names('r', 9));
		await clock.advance(1_999);
		expect(admitted()).toEqual(['r1']);
		await clock.advance(1);
		expect(admitted()).toEqual(['r1', 'r2']);
		// The service may have counted the second one after the first.
		await end('r1', { report: report(4) });
		expect(admitted()).toEqual(['r2', 'r3', 'r4', 'r5']);
	});

	it.each<[string, late: () => Attempt, left: number]>([
		// They may count in this window.
		['responses', () => ({ report: report(0) }), 7],
		['rejections', () => rejectedFor(1_000), 9],
	])('late %s to requests of an earlier window say nothing about this one', async (...row) => {
		const [, late, left] = row;
		await open({ report: report(20, 5_000) });
		await clock.advance(4_000);
		await wait(['late', 'later']);
		await clock.advance(1_000);
		await wait('next');
		await end('late', late());
		await end('next', { report: report(9) });
		await end('later', late());
		await wait(names('r', 20));
		await clock.advance(1_000);
		expect(admitted()).toHaveLength(left);
	});

	it('a response without headers doesn’t change what an earlier one said is left', async () => {
		await open({ report: report(2) });
		await wait(names('r', 3));
		await end('r1', { report: {} });
		expect(admitted()).toEqual(['r2']);
	});

	it.each<[string, () => RateReport]>([
		['headers', () => report(9)],
		['no headers', () => ({})],
	])('hanging requests hold back only their own window, with %s', async (_, reported) => {
		limiter = new RateLimiter({ limit: 10, windowMs: MINUTE }, clock);
		await open({ report: reported() });
		await wait(names('hanging', 9));
		await clock.advance(MINUTE);
		await wait('next');
		await end('next', { report: reported() });
		await wait(names('r', 20));
		expect(admitted().slice(9)).toEqual(names('r', 9));
	});

	it.each<[string, remaining: () => RateReport, waits: number]>([
		['no reset', () => ({ remaining: 0 }), MINUTE],
		['a reset in the past', () => report(0, -5_001), MINUTE],
		['a reset just after the window', () => report(0, MINUTE + 1_001), MINUTE],
		['a reset that was rounded up by a second', () => report(0, MINUTE + 1_000), MINUTE + 1_000],
		['a reset that has passed while the response was on its way', () => report(0, -500), 0],
	])('waits as long as it has to after a response with %s', async (_, reported, waits) => {
		await wait(['first', 'second']);
		await clock.advance(2_000);
		await end('first', { report: reported() });
		// An earlier end in a later response doesn't shorten the window.
		await end('second', { report: report(0, 0) });
		const delayed = jest.fn();
		const opensAt = clock.now() + waits;
		await wait('r', { traffic: { delayed } });
		expect(delayed.mock.calls).toEqual(waits > 0 ? [[opensAt]] : []);
		await clock.advance(waits);
		expect(admitted()).toEqual(['r']);
	});
});

describe('RateLimiter: deadlines', () => {
	const reached = () => ({ report: report(0, 40_000) });
	const blocked = () => rejectedFor(40_000);

	it.each<[string, limit: () => Attempt, deadline: (opensAt: number) => number, fails: boolean]>([
		['fails at once if the limit lasts beyond it', reached, (opensAt) => opensAt - 1, true],
		['fails at once if a block lasts beyond it', blocked, (opensAt) => opensAt - 1, true],
		['fails at once if it has passed', reached, () => 0, true],
		['waits if the limit ends before it', reached, (opensAt) => opensAt, false],
	])('a request with a deadline %s', async (_, limit, deadline, fails) => {
		await open(limit());
		const opensAt = clock.now() + 40_000;
		await wait('r', { deadline: deadline(opensAt) });
		expect([...rejected]).toMatchObject(fails ? [['r', { isQuota: false, opensAt }]] : []);
	});
});

describe('RateLimiter: rejections', () => {
	it.each<[string, () => Attempt, waits: number]>([
		['as long as the service asks', () => rejectedFor(7_000), 7_000],
		['until the reset', () => rejectedFor(undefined, report(0, 40_000)), 40_000],
		['up to ten minutes', () => rejectedFor(10 * MINUTE), 10 * MINUTE],
		['a window if the service names no time', () => rejectedFor(), MINUTE],
		['a window if the reset has passed', () => rejectedFor(undefined, report(0, -1)), MINUTE],
		['a window if the time is less than half a second ahead', () => rejectedFor(499), MINUTE],
		['for a second, a part of which has passed', () => rejectedFor(500), 500],
		['at most a window while requests are left', () => rejectedFor(HOUR, report(1)), MINUTE],
		['as soon as it asks, though its words name a day', () => ofDay({}, 9_000), 9_000],
	])('blocks the key %s', async (_, outcome, waits) => {
		await open({ report: report(2) });
		await wait(['r', 'in flight']);
		await end('r', outcome());
		// The later end counts.
		await end('in flight', rejectedFor(500));
		await wait('other');
		await clock.advance(waits - 1);
		expect(admitted()).toEqual([]);
		expect(rejected.size).toBe(0);
		await clock.advance(1);
		expect(admitted()).toEqual(['r']);
	});

	it.each<[string, reset: () => RateReport, waits: number]>([
		['within a second is followed only once in a row', () => report(0, 1_000), MINUTE],
		['in two seconds is followed each time', () => report(0, 2_000), 2_000],
		['is followed each time while requests are left', () => report(1, 1_000), 1_000],
	])('an announced reset %s', async (_, reset, waits) => {
		await wait('r');
		await sent('r');
		await end('r', rejectedFor(undefined, reset()));
		await sent('r');
		await end('r', rejectedFor(undefined, reset()));
		await clock.advance(waits - 1);
		expect(admitted()).toEqual([]);
		await clock.advance(1);
		expect(admitted()).toEqual(['r']);
	});

	it('a rejection because of the day doesn’t bring the end of a block forward', async () => {
		await open({ report: report(2) });
		await wait(['r', 'in flight']);
		await end('r', rejectedFor(10 * MINUTE));
		await end('in flight', ofDay());
		await wait('later');
		const opensAt = clock.now() + 10 * MINUTE;
		expect(rejected.get('later')).toMatchObject({ isQuota: true, opensAt });
	});

	it('after a rejection, ignores what earlier responses reported', async () => {
		await open({ report: report(25) });
		await wait(names('r', 25));
		await end('r1', rejectedFor(5_000));
		for (const name of names('r', 25).slice(1)) await end(name, { report: report(24) });
		await wait(names('s', 5));
		await clock.advance(5_000);
		expect(admitted()).toEqual(['r1']);
	});

	it('gives up a request that is rejected eight times, and sends the others', async () => {
		await wait(['r', 'other']);
		for (let rejections = 1; rejections <= MAX_REJECTIONS; rejections++) {
			expect(rejected.size).toBe(0);
			await sent('r');
			await end('r', rejectedFor(1_000));
			if (attempts.has('other')) await end('other', rejectedFor(1_000));
		}
		expect(rejected.get('r')).toMatchObject({ isQuota: false, opensAt: clock.now() + 1_000 });
		expect(rejected.get('r')).toBeInstanceOf(RateLimitError);
		await sent('other');
		expect([...rejected.keys()]).toEqual(['r']);
	});
});

describe('RateLimiter: used-up quota', () => {
	/** Barely longer than a request waits. */
	const LONG = 10 * MINUTE + 1;

	it.each<[string, () => Attempt, isKnown: boolean]>([
		['the service asks to wait for more than ten minutes', () => rejectedFor(LONG), true],
		['the reset is further away', () => rejectedFor(undefined, report(0, LONG)), true],
		['its words name a day', () => ofDay(), false],
		['its words name a day while requests are left', () => ofDay(report(9)), false],
		['its words name a day and the window ends soon', () => ofDay(report(0)), false],
		['its words name a day and it asks to wait for longer', () => ofDay(report(9), LONG), true],
	])('a quota is used up if %s', async (_, outcome, isKnown) => {
		await open({ report: report(2) });
		await wait(['r', 'in flight', 'waiting']);
		await end('r', outcome());
		await end('in flight', rejectedFor(1_000));
		await wait('later');
		const opensAt = clock.now() + (isKnown ? LONG : MINUTE);
		for (const name of ['r', 'in flight', 'waiting', 'later']) {
			expect(rejected.get(name)).toMatchObject({ opensAt, isQuota: true });
		}
	});

	/** Has the next windows begin with a rejection each. */
	const rejectWindows = async (count: number, ms?: number) => {
		for (let at = 0; at < count; at++) {
			await sent('bad');
			await end('bad', rejectedFor(ms));
		}
	};

	it.each<[windows: number, string, ms?: number]>([
		[3, 'whose service names no time', undefined],
		[8, 'whose service names a time', MINUTE],
	])('a quota is used up after %d windows in a row %s', async (windows, _, ms) => {
		const run = {};
		await wait('bad', { run });
		await wait('other', { run, order: 1 });
		await rejectWindows(windows - 1, ms);
		expect(rejected.size).toBe(0);
		await rejectWindows(1, ms);
		for (const name of ['bad', 'other'])
			expect(rejected.get(name)).toMatchObject({ isQuota: true });
	});

	const harmless: Record<string, () => Promise<void>> = {
		'the windows are shorter than documented': async () => await rejectWindows(3, 1_000),
		async 'a request succeeds in between'() {
			await rejectWindows(2);
			await clock.advance(MINUTE);
			await end('bad', { report: {} });
			await wait('bad');
			await rejectWindows(2);
		},
		async 'nothing was sent for a window in between'() {
			await end('bad', { report: {} });
			for (const name of names('rare', 3)) {
				await clock.advance(2 * MINUTE);
				await wait(name, { deadline: clock.now() + MINUTE - 1 });
				await end(name, rejectedFor());
			}
		},
		async 'requests are left for eight windows, so it’s the limit of something else'() {
			for (let rejection = 1; rejection <= MAX_REJECTIONS; rejection++) {
				await sent('bad');
				await end('bad', rejectedFor(HOUR, report(25)));
				await clock.advance(1_000);
			}
			expect(rejected.get('bad')).toMatchObject({ isQuota: false });
		},
		async 'all requests of one window are rejected'() {
			await end('bad', { report: report(9) });
			await wait(names('r', 9));
			for (const name of names('r', 9)) await end(name, rejectedFor());
		},
	};

	it.each(Object.entries(harmless))('a quota isn’t used up if %s', async (_, happens) => {
		await wait('bad');
		await happens();
		await wait('other', { run: {} });
		expect(rejected.has('other')).toBe(false);
	});

	it('a used-up quota is probed with one request a minute', async () => {
		await open(rejectedFor(5 * HOUR));
		await clock.advance(MINUTE - 1);
		await wait('early');
		await clock.advance(1);
		await wait(['probe', 'behind']);
		expect([...rejected.keys()]).toEqual(['early']);
		expect(admitted()).toEqual(['probe']);
		await end('probe', rejectedFor(5 * HOUR));
		expect([...rejected.keys()]).toEqual(['early', 'behind', 'probe']);
		await clock.advance(MINUTE);
		await wait('next probe');
		await end('next probe', { report: report(29) });
		await wait('free');
		expect(admitted()).toContain('free');
	});

	it.each<[string, () => Attempt, failing: string[]]>([
		['while they succeed', () => ({ report: report(29) }), ['other']],
		['until one is rejected', () => rejectedFor(5 * HOUR), ['status', 'other']],
	])('a used-up quota doesn’t block requests outside the quota %s', async (_, outcome, failing) => {
		await open(rejectedFor(5 * HOUR));
		await wait('status', { outsideQuota: true });
		expect(admitted()).toEqual(['status']);
		await end('status', outcome());
		await wait('status', { outsideQuota: true });
		await wait('other');
		expect([...rejected.keys()]).toEqual(failing);
	});
});

it('canceling ends a wait immediately, and leaves the wait of others unchanged', async () => {
	const cancel = new AbortController();
	const signal = { signal: cancel.signal };
	await open({ report: report(0) });
	await wait('other');
	await wait('r', signal);
	await clock.advance(1_000);
	cancel.abort();
	await clock.drain();
	expect(rejected.get('r')).toBeInstanceOf(CanceledError);
	await wait('late', signal);
	expect(rejected.get('late')).toBeInstanceOf(CanceledError);
	await clock.advance(MINUTE);
	expect(admitted()).toEqual(['other']);
});

it.each([
	['forward', 5 * HOUR],
	['back', -5 * HOUR],
])('nothing waits for hours after the clock was set %s', async (_, jump) => {
	for (const outcome of [{ report: report(0) }, rejectedFor(5 * MINUTE), { report: {} }]) {
		limiter = new RateLimiter({ limit: 1, windowMs: MINUTE }, clock);
		await open(outcome);
		await wait('r');
		const { now } = clock;
		const moved = jest.spyOn(clock, 'now').mockImplementation(() => now.call(clock) + jump);
		await clock.advance(5 * MINUTE);
		expect(admitted()).toEqual(['r']);
		await end('r');
		moved.mockRestore();
	}
});

it.each<[string, isScarce: boolean, perDay: number | undefined, RateReport]>([
	['no daily quota', false, undefined, {}],
	['a quota under 200 a day', true, 199, {}],
	['a quota of 202, of which two are sent', false, 202, {}],
	['a request sent since 20 were left', true, 1_000, { leftToday: 20 }],
	['a request sent since 21 were left', false, 1_000, { leftToday: 21 }],
])('with %s, isScarce is %p', async (_, isScarce, perDay, headers) => {
	limiter = new RateLimiter({ limit: 10, windowMs: MINUTE, perDay }, clock);
	await open({ report: headers });
	await open({ report: {} });
	expect(limiter.isScarce).toBe(isScarce);
});

it('only requests that count against the daily quota are counted', async () => {
	await open({ report: {} });
	await wait('status', { outsideQuota: true });
	expect(limiter.ledger.leftToday(100, clock.now())).toBe(99);
});

it('each attempt of a trigger’s request counts as sent by that trigger', async () => {
	await open({ report: report(9) });
	await wait('r', { trigger: 'one' });
	await end('r', rejectedFor(1_000));
	await sent('r');
	const { ledger } = limiter;
	expect(ledger.sentByTriggersToday(clock.now())).toBe(2);
	expect(ledger.waitMs(2, clock.now(), 'one')).toBeGreaterThan(0);
	expect(ledger.waitMs(1, clock.now(), 'other')).toBe(0);
});

it('limiterFor returns the same limiter after the plan changes, with the new rate', async () => {
	const first = limiterFor('plan', { limit: 1, windowMs: MINUTE });
	const send = async () =>
		await first.schedule(async () => ({ report: {} }), { deadline: systemClock.now() + 1_000 });
	await send();
	await expect(send()).rejects.toBeInstanceOf(RateLimitError);
	expect(limiterFor('plan', { limit: 30, windowMs: MINUTE })).toBe(first);
	expect(await send()).toEqual({ report: {} });
});
