import fc from 'fast-check';

import { systemClock } from '../../../nodes/shared/http/clock';
import { CancelledError } from '../../../nodes/shared/http/errors';
import type { Rate, RateReport } from '../../../nodes/shared/http/headers';
import {
	limiterFor,
	MAX_IN_FLIGHT,
	MAX_REJECTIONS,
	RateLimiter,
	RateLimitError,
	RateWindow,
} from '../../../nodes/shared/http/limiter';
import type { Wait } from '../../../nodes/shared/http/limiter';
import { FakeClock } from './fakeClock';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Outcome = { report?: RateReport; rejectedFor?: 'window' | 'day' };

let clock: FakeClock;
let limiter: RateLimiter;
/** Functions that end the attempts in flight, by name and in order of sending. */
let attempts: Map<string, (outcome: Outcome) => void>;
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
		const attempt = async () => {
			const { report, rejectedFor } = await new Promise<Outcome>((end) => attempts.set(name, end));
			return rejectedFor ? { rejectedFor, report } : { value: name, report };
		};
		limiter.schedule(attempt, options).catch((error: Error) => rejected.set(name, error));
	}
	await clock.drain();
}

/** Moves the clock until a request is sent. */
async function sent(name: string): Promise<void> {
	while (!attempts.has(name)) await clock.advance(250);
}

/** Ends an attempt, and lets the limiter react. */
async function end(name: string, outcome: Outcome = {}): Promise<void> {
	const answer = attempts.get(name)!;
	attempts.delete(name);
	answer(outcome);
	await clock.drain();
}

/** Opens a window with one request that ends with `outcome`. */
async function open(outcome: Outcome): Promise<void> {
	const cancel = new AbortController();
	await wait('first', { signal: cancel.signal });
	await end('first', outcome);
	cancel.abort();
	await clock.drain();
	rejected.delete('first');
}

/** What the usual headers report. */
function report(remaining: number, resetInMs = MINUTE): RateReport {
	return { remaining, resetAt: clock.now() + resetInMs };
}

/** A rejection, with the time that the service asks to wait. */
function rejectedFor(ms?: number, more: RateReport = {}, namesDay = false): Outcome {
	const retryAt = ms === undefined ? undefined : clock.now() + ms;
	return { report: { retryAt, ...more }, rejectedFor: namesDay ? 'day' : 'window' };
}

const names = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`);

describe('RateLimiter: fairness', () => {
	it('serves a short run in the same window as a long run', async () => {
		await open({ report: report(0) });
		await wait(names('long', 600), { run: {} });
		await wait('short', { run: {} });
		await clock.advance(MINUTE);
		expect(admitted()).toEqual(['long1']);
		await clock.advance(2_000);
		expect(admitted()).toEqual(['long1', 'short']);
	});

	it('does the same work for each request, however many are in the queue', async () => {
		const stepsFor = async (count: number) => {
			limiter = new RateLimiter({ limit: 1_000_000, windowMs: MINUTE }, clock);
			await open({ report: report(1_000_000) });
			const now = jest.spyOn(clock, 'now');
			const attempt = async () => ({ value: undefined, report: {} });
			const waits = names('r', count).map(() => limiter.schedule(attempt, { run: {} }));
			await Promise.all([...waits, clock.drain()]);
			const steps = now.mock.calls.length / count;
			now.mockRestore();
			return steps;
		};
		expect(await stepsFor(1_000)).toBeCloseTo(await stepsFor(100), 0);
	});

	it('tells a waiting request when the limit ends, and again after each new limit', async () => {
		await open({ report: report(0, 40_000) });
		const onWait = jest.fn();
		const start = clock.now();
		await wait(names('r', 2), { run: {}, onWait });
		expect(onWait.mock.calls).toEqual([[start + 40_000], [start + 40_000]]);
		await clock.advance(40_000);
		await end('r1', { report: report(0) });
		expect(onWait.mock.calls.slice(2)).toEqual([[start + 100_000]]);
	});

	it('reports how long the limit has delayed a request, and not how long responses have', async () => {
		const onWaited = jest.fn();
		await wait('opening');
		await wait('r', { onWaited });
		await clock.advance(1_000);
		await end('opening', { report: report(1, 40_000) });
		await end('r', { report: report(0, 40_000) });
		expect(onWaited).not.toHaveBeenCalled();
		await wait('s', { onWaited });
		await clock.advance(40_000);
		expect(onWaited.mock.calls).toEqual([[40_000]]);
	});

	it('looks for requests once more after all of them have been canceled, and then stops', async () => {
		await open({ report: report(0) });
		const cancel = new AbortController();
		await wait(names('r', 1_000), { run: {}, signal: cancel.signal });
		cancel.abort();
		await clock.run();
		expect(admitted()).toEqual([]);
		expect(clock.pending).toBe(false);
	});
});

describe('RateLimiter: runs', () => {
	it('limits the requests that a run has in flight, without holding up other runs', async () => {
		await open({ report: report(29) });
		await wait(names('r', 25), { run: {} });
		expect(admitted()).toEqual(names('r', MAX_IN_FLIGHT));
		await wait('other', { run: {}, deadline: 0 });
		expect(admitted()).toContain('other');
		await end('r4', { report: report(20) });
		expect(admitted()).toContain(`r${MAX_IN_FLIGHT + 1}`);
	});

	it('holds up other runs for at most a minute if the first request hangs', async () => {
		for (const headers of [report(0), {}]) {
			const start = clock.now();
			await wait(names('hanging', 40), { run: {} });
			await wait('other', { run: {} });
			await sent('other');
			expect(clock.now() - start).toBeLessThanOrEqual(MINUTE);
			await end('other', { report: headers });
		}
	});

	it('sends a run’s requests by their order, then by arrival', async () => {
		await open({ report: report(0) });
		const run = {};
		for (const order of [3, 1, 2, 1]) {
			await wait(`${order}-${clock.now()}`, { run, order });
			await clock.advance(1_000);
		}
		const expected = [1, 1, 2, 3];
		await clock.advance(MINUTE);
		const served: string[] = [];
		while (served.length < expected.length) {
			const [name = ''] = admitted();
			served.push(name);
			await end(name, { report: report(9) });
		}
		expect(served.map((name) => Number(name[0]))).toEqual(expected);
		expect(served[0]! < served[1]!).toBe(true);
	});
});

describe('RateLimiter: deadlines', () => {
	const opens = () => clock.now() + 40_000;

	it.each<[string, deadline: () => number, outcome: unknown]>([
		[
			'fails a request at once if the limit lasts beyond its deadline',
			() => clock.now() + 39_999,
			{ quota: false, guessed: false },
		],
		[
			'fails a request at once if its deadline has passed',
			() => 0,
			{ quota: false, guessed: false },
		],
		['lets a request wait if the limit ends before its deadline', () => opens() + 1, undefined],
	])('%s', async (_, deadline, outcome) => {
		await open({ report: report(0, 40_000) });
		await wait('r', { deadline: deadline() });
		const expected = outcome && { ...outcome, opensAt: opens() };
		expect([...rejected]).toMatchObject(expected ? [['r', expected]] : []);
	});

	it('fails a request at once if the next one may be sent only after its deadline', async () => {
		await wait('hanging');
		await wait('r', { deadline: clock.now() + 1_500 });
		expect([...rejected.keys()]).toEqual(['r']);
	});

	it('fails a request at once by the present limit if an earlier block has ended', async () => {
		await open(rejectedFor(5_000));
		await clock.advance(5_000);
		await open({ report: report(0, 40_000) });
		await wait('r', { deadline: clock.now() + 39_999 });
		expect(rejected.get('r')).toMatchObject({ opensAt: opens(), quota: false, guessed: false });
	});

	it('fails a request at once if a block lasts beyond its deadline', async () => {
		await open(rejectedFor());
		await wait('r', { deadline: clock.now() + 30_000 });
		const limit = { opensAt: clock.now() + MINUTE, quota: false, guessed: true };
		expect(rejected.get('r')).toMatchObject(limit);
	});

	it('fails a request as soon as it would have to wait for a later window than its deadline', async () => {
		await open({ report: report(0, 40_000) });
		await wait('other', { run: {} });
		await wait('r', { run: {}, deadline: clock.now() + 50_000 });
		await clock.advance(40_000);
		await end('other', { report: report(0) });
		expect([...rejected.keys()]).toEqual(['r']);
	});

	it('lets a request wait for the response that reveals the limit, even if its deadline has passed', async () => {
		await wait('hanging');
		await wait('r', { deadline: 0 });
		await end('hanging', { report: report(1) });
		expect(admitted()).toEqual(['r']);
	});
});

describe('RateLimiter: rejections', () => {
	it.each<[string, Outcome | (() => Outcome), waits: number]>([
		['as long as the service asks', () => rejectedFor(7_000), 7_000],
		['until the reset', () => rejectedFor(undefined, report(0, 40_000)), 40_000],
		['up to ten minutes', () => rejectedFor(10 * MINUTE), 10 * MINUTE],
		['a window if the service names no time', () => rejectedFor(), MINUTE],
		['a window if the reset has passed', () => rejectedFor(undefined, report(0, -1)), MINUTE],
		['a window if the time is less than half a second ahead', () => rejectedFor(499), MINUTE],
		['for a second, a part of which has passed', () => rejectedFor(990), 990],
		['at most a window while requests are left', () => rejectedFor(HOUR, report(25)), MINUTE],
	])('blocks the key %s', async (_, outcome, waits) => {
		await wait('r');
		await end('r', typeof outcome === 'function' ? outcome() : outcome);
		await wait('other');
		await clock.advance(waits - 1);
		expect(admitted()).toEqual([]);
		expect(rejected.size).toBe(0);
		await clock.advance(1);
		expect(admitted()).toEqual(['r']);
	});

	it('sends the rejected request first when a block ends, then the runs in turn', async () => {
		const run = {};
		await wait(names('r', 3), { run });
		await wait('other', { run: {} });
		await end('r1', rejectedFor(7_000));
		await clock.advance(7_000);
		expect(admitted()).toEqual(['r1']);
		await end('r1', { report: { remaining: 2 } });
		expect(admitted()).toEqual(['other', 'r2']);
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

	it('the latest end of several rejections counts', async () => {
		await open({ report: report(2) });
		await wait(['r', 's', 't']);
		await end('r', rejectedFor(9_000));
		await end('s', rejectedFor(3_000));
		await clock.advance(8_999);
		expect(admitted()).toEqual([]);
		await clock.advance(1);
		expect(admitted()).toHaveLength(1);
	});

	it('gives up a request that is rejected eight times, and sends the others', async () => {
		await wait(['r', 'other']);
		for (let rejections = 1; rejections <= MAX_REJECTIONS; rejections++) {
			expect(rejected.size).toBe(0);
			await sent('r');
			await end('r', rejectedFor(1_000));
		}
		expect(rejected.get('r')).toMatchObject({ quota: false, guessed: false });
		expect(rejected.get('r')).toBeInstanceOf(RateLimitError);
		await sent('other');
		expect([...rejected.keys()]).toEqual(['r']);
	});
});

describe('RateLimiter: used-up quota', () => {
	it.each<[string, () => Outcome, guessed: boolean]>([
		['the service asks to wait for more than ten minutes', () => rejectedFor(5 * HOUR), false],
		[
			'the reset is more than ten minutes away',
			() => rejectedFor(undefined, report(0, 5 * HOUR)),
			false,
		],
		['its words name a day', () => rejectedFor(undefined, {}, true), true],
		[
			'its words name a day while requests are left',
			() => rejectedFor(undefined, report(9), true),
			true,
		],
		[
			'its words name a day and the window ends soon',
			() => rejectedFor(undefined, report(0), true),
			true,
		],
		[
			'its words name a day and it asks to wait for hours',
			() => rejectedFor(5 * HOUR, {}, true),
			false,
		],
	])('a quota is used up if %s', async (_, outcome, guessed) => {
		await wait(['r', 'waiting']);
		await end('r', outcome());
		await wait('later');
		const opensAt = clock.now() + (guessed ? MINUTE : 5 * HOUR);
		for (const name of ['r', 'waiting', 'later']) {
			expect(rejected.get(name)).toMatchObject({ opensAt, quota: true, guessed });
		}
	});

	it('a block that names a day is waited out if the service says that it ends soon', async () => {
		await wait('r');
		await end('r', rejectedFor(30_000, {}, true));
		await clock.advance(30_000);
		expect(admitted()).toEqual(['r']);
	});

	/** Has the next windows begin with a rejection each. */
	const rejectWindows = async (count: number, ms?: number) => {
		for (let at = 0; at < count; at++) {
			await sent('bad');
			await end('bad', rejectedFor(ms));
		}
	};

	it('a quota is used up if three windows in a row begin with a rejection', async () => {
		await wait(['bad', 'other'], { run: {} });
		await rejectWindows(3);
		const limit = { quota: true, guessed: true };
		for (const name of ['bad', 'other']) expect(rejected.get(name)).toMatchObject(limit);
	});

	it.each<[string, () => Promise<void>]>([
		['the windows are shorter than documented', async () => await rejectWindows(3, 1_000)],
		[
			'a request succeeds in between',
			async () => {
				await rejectWindows(2);
				await clock.advance(MINUTE);
				await end('bad', { report: {} });
				await wait('bad');
				await rejectWindows(2);
			},
		],
		[
			'all requests of one window are rejected',
			async () => {
				await end('bad', { report: report(9) });
				await wait(names('r', 9));
				for (const name of names('r', 9)) await end(name, rejectedFor());
			},
		],
	])('a quota isn’t used up if %s', async (_, happens) => {
		await wait('bad');
		await happens();
		await wait('other', { run: {} });
		expect(rejected.has('other')).toBe(false);
	});

	it('stays used up even if a later rejection names an earlier time', async () => {
		await open({ report: report(2) });
		await wait(['r', 'in flight']);
		const opensAt = clock.now() + 5 * HOUR;
		await end('r', rejectedFor(5 * HOUR));
		await end('in flight', rejectedFor(1_000));
		await wait('later');
		expect(rejected.get('later')).toMatchObject({ opensAt, quota: true, guessed: false });
	});

	it('is probed with one request a minute', async () => {
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

	it.each<[string, () => Outcome, failing: string[]]>([
		['while they succeed', () => ({ report: report(29) }), ['other']],
		['until one is rejected', () => rejectedFor(5 * HOUR), ['status', 'other']],
	])('doesn’t block requests outside the quota %s', async (_, outcome, failing) => {
		await open(rejectedFor(5 * HOUR));
		await wait('status', { outsideQuota: true });
		expect(admitted()).toEqual(['status']);
		await end('status', outcome());
		await wait('status', { outsideQuota: true });
		await wait('other');
		expect([...rejected.keys()]).toEqual(failing);
	});
});

it('canceling ends a wait immediately', async () => {
	const cancel = new AbortController();
	const signal = { signal: cancel.signal };
	await wait('first', signal);
	await end('first', { report: report(0) });
	await wait('r', signal);
	await clock.advance(1_000);
	cancel.abort();
	await clock.drain();
	expect(rejected.get('r')).toBeInstanceOf(CancelledError);
});

it('canceling one request leaves the wait of others unchanged', async () => {
	await open({ report: report(0) });
	const cancel = new AbortController();
	await wait('other');
	await wait('r', { signal: cancel.signal });
	cancel.abort();
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

it.each<[string, Rate, RateReport, boolean]>([
	['no daily quota', { limit: 30, windowMs: MINUTE }, {}, false],
	['a quota under 200 a day', { limit: 10, windowMs: MINUTE, perDay: 199 }, {}, true],
	['a large quota', { limit: 10, windowMs: MINUTE, perDay: 200 }, {}, false],
	[
		'19 requests left today',
		{ limit: 10, windowMs: MINUTE, perDay: 1_000 },
		{ leftToday: 19 },
		true,
	],
	[
		'20 requests left today',
		{ limit: 10, windowMs: MINUTE, perDay: 1_000 },
		{ leftToday: 20 },
		false,
	],
])('with %s, isScarce is as expected', async (_, rate, headers, isScarce) => {
	limiter = new RateLimiter(rate, clock);
	await open({ report: headers });
	expect(limiter.isScarce).toBe(isScarce);
});

it('limiterFor returns the same limiter after the plan changes, with the new rate', async () => {
	const first = limiterFor('plan', { limit: 1, windowMs: MINUTE });
	const send = async () => {
		const deadline = systemClock.now() + 1_000;
		return await first.schedule(async () => ({ value: 'sent', report: {} }), { deadline });
	};
	await send();
	await expect(send()).rejects.toBeInstanceOf(RateLimitError);
	expect(limiterFor('plan', { limit: 30, windowMs: MINUTE })).toBe(first);
	expect(await send()).toBe('sent');
});

// pacing.test.ts covers that no window gets more requests than it allows.
describe('RateWindow', () => {
	const rate: Rate = { limit: 30, windowMs: MINUTE };
	const NOW = Date.UTC(2026, 4, 4, 12);
	const said = (remaining: number, inMs?: number, now = NOW): RateReport => ({
		remaining,
		resetAt: inMs === undefined ? undefined : now + inMs,
	});

	/** A window whose first request has been answered. */
	function opened(headers: RateReport | undefined, documented = rate): RateWindow {
		const window = new RateWindow(documented);
		window.answered(window.sent(NOW), headers, NOW);
		return window;
	}

	/** How many requests may be sent right now. */
	function room(window: RateWindow, now = NOW): number {
		for (let sent = 0; ; sent++) {
			if (window.nextSlot(now).at > now || sent === 1_000) return sent;
			window.sent(now);
		}
	}

	it('lets one request through, then as many as its response says are left', () => {
		const window = new RateWindow(rate);
		const first = window.sent(NOW);
		const later = NOW + 2_000;
		expect(window.nextSlot(NOW)).toEqual({ at: later, isLimited: false });
		// The service may have counted this one after the first.
		window.sent(later);
		window.answered(first, said(4, MINUTE), later);
		expect(room(window, later)).toBe(3);
	});

	it('counts on no more requests than the lowest response says are left', () => {
		const remaining = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 30 });
		fc.assert(
			fc.property(remaining, (answers) => {
				const window = opened(said(20, MINUTE));
				const sent = answers.flatMap(() =>
					window.nextSlot(NOW).at <= NOW ? [window.sent(NOW)] : [],
				);
				sent.forEach((request, at) => window.answered(request, said(answers[at]!, MINUTE), NOW));
				expect(room(window)).toBeLessThanOrEqual(Math.min(20, ...answers.slice(0, sent.length)));
			}),
		);
	});

	it('a response without headers, or none at all, may count as well', () => {
		for (const headers of [{}, undefined]) {
			const window = opened(said(20, MINUTE));
			window.answered(window.sent(NOW), headers, NOW);
			expect(room(window)).toBe(19);
		}
	});

	it('a late response to a request of an earlier window takes one request from this one', () => {
		const window = opened(said(20, 5_000));
		const late = [window.sent(NOW), window.sent(NOW)];
		const next = NOW + 5_000;
		window.nextSlot(next);
		const first = window.sent(next);
		window.answered(late[0]!, said(0, MINUTE), next);
		window.answered(first, said(9, MINUTE, next), next);
		expect(window.nextSlot(next).at).toBe(next);
		window.answered(late[1]!, said(0, MINUTE), next);
		expect(room(window, next)).toBe(7);
	});

	it('a response that names an earlier end doesn’t shorten the window', () => {
		const window = opened(said(5, MINUTE));
		window.answered(window.sent(NOW), said(0, 10_000), NOW);
		expect(window.nextSlot(NOW)).toEqual({ at: NOW + MINUTE, isLimited: true });
	});

	it('a late rejection of a request of an earlier window leaves this one open', () => {
		const window = opened(said(20, 5_000));
		const late = window.sent(NOW);
		const next = NOW + 5_000;
		window.nextSlot(next);
		window.answered(window.sent(next), said(9, MINUTE, next), next);
		expect(window.rejected(late, next)).toBe(false);
		expect(room(window, next)).toBe(9);
	});

	it('requests that hang hold back only the window that they were sent in', () => {
		for (const headers of [said(10, MINUTE), {}]) {
			const window = opened(headers, { limit: 10, windowMs: MINUTE });
			expect(room(window)).toBeGreaterThanOrEqual(9);
			const next = NOW + MINUTE;
			window.nextSlot(next);
			window.answered(window.sent(next), headers.remaining ? said(9, MINUTE, next) : {}, next);
			expect(room(window, next)).toBe(9);
		}
	});

	it.each<[string, RateReport]>([
		['a reset in local time, three hours ahead', said(0, 3 * HOUR)],
		['no reset', said(0)],
		['a reset in the past', said(0, -24 * HOUR)],
		['a reset just after the window', said(0, MINUTE + 1_001)],
	])('waits a documented window after a response with %s', (_, headers) => {
		expect(opened(headers).nextSlot(NOW)).toEqual({ at: NOW + MINUTE, isLimited: true });
	});

	it('waits for a reset that was rounded up by as much as a second', () => {
		expect(opened(said(0, MINUTE + 1_000)).nextSlot(NOW).at).toBe(NOW + MINUTE + 1_000);
	});

	it('opens at once if the announced end passes before the response arrives', () => {
		const window = opened(said(0, -500));
		expect(window.nextSlot(NOW).at).toBeLessThanOrEqual(NOW);
	});

	it('without headers, waits until the oldest of the allowed requests has left the window', () => {
		const window = opened({}, { limit: 2, windowMs: MINUTE });
		const last = window.sent(NOW);
		expect(window.nextSlot(NOW)).toEqual({ at: NOW + MINUTE, isLimited: true });
		window.answered(last, {}, NOW + 2);
		window.sent(NOW + 5);
		expect(window.nextSlot(NOW + 5)).toEqual({ at: NOW + 2 + MINUTE, isLimited: true });
	});
});
