import { getEventListeners } from 'node:events';

import { systemClock } from '../../../../nodes/shared/http/clock';
import { CancelledError } from '../../../../nodes/shared/http/errors';
import type { RateReport } from '../../../../nodes/shared/http/rateLimit/headers';
import {
	limiterFor,
	MAX_IN_FLIGHT,
	MAX_REFUSALS,
	RateLimiter,
	RateLimitError,
} from '../../../../nodes/shared/http/rateLimit/limiter';
import type { Wait } from '../../../../nodes/shared/http/rateLimit/limiter';
import type { Refusal } from '../../../../nodes/shared/http/rateLimit/refusal';
import { FakeClock } from '../fakeClock';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Outcome = { report?: RateReport; refusal?: Refusal };

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
			const { report, refusal } = await new Promise<Outcome>((end) => attempts.set(name, end));
			return refusal ? { refusal, report } : { value: name, report };
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

function refusedFor(ms: number, blocks: Refusal['blocks'] = 'window'): Outcome {
	return { report: {}, refusal: { blocks, opensAt: clock.now() + ms } };
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

	it('does the same work for each request, however many are waiting', async () => {
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
		expect(await stepsFor(10_000)).toBeCloseTo(await stepsFor(100), 0);
	});

	it('tells a waiting request when the limit ends, and again after each new limit', async () => {
		await open({ report: report(0, 40_000) });
		const [early, late] = [jest.fn(), jest.fn()];
		const start = clock.now();
		await wait(names('r', 2), { run: {}, onLimit: early });
		await wait('other', { run: {}, onLimit: late });
		const told = (onLimit: jest.Mock) => onLimit.mock.calls.map(([until]) => until - start);
		expect(told(early)).toEqual([40_000, 40_000]);
		expect(told(late)).toEqual([40_000]);
		await clock.advance(40_000);
		await end('r1', { report: report(0) });
		expect(told(late)).toEqual([40_000, 100_000]);
	});

	it('stops when all waiting requests have been canceled', async () => {
		await open({ report: report(0) });
		const cancel = new AbortController();
		await wait(names('r', 10_000), { run: {}, signal: cancel.signal });
		cancel.abort();
		await clock.drain();
		expect(limiter.idle).toBe(true);
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

	it('fails a request at once by the present limit if an earlier block has ended', async () => {
		await open(refusedFor(5_000));
		await clock.advance(5_000);
		await open({ report: report(0, 40_000) });
		await wait('r', { deadline: clock.now() + 39_999 });
		expect(rejected.get('r')).toMatchObject({ opensAt: opens(), quota: false, guessed: false });
	});

	it('ends a request’s wait at its deadline, even if a request before it may wait longer', async () => {
		await wait(['hanging', 'patient']);
		await wait('r', { deadline: clock.now() + 1_500 });
		await clock.advance(1_500);
		expect([...rejected.keys()]).toEqual(['r']);
	});

	it('ends a request’s wait for other responses at its deadline', async () => {
		await wait('hanging');
		await wait('r', { deadline: clock.now() + 1_500 });
		await clock.advance(1_499);
		expect(rejected.size).toBe(0);
		await clock.advance(1);
		expect(rejected.get('r')).toMatchObject({ quota: false, guessed: true });
		expect(clock.pending).toBe(false);
	});

	it('lets a request wait for the response that reveals the limit, even if its deadline has passed', async () => {
		await wait('hanging');
		await wait('r', { deadline: 0 });
		await end('hanging', { report: report(1) });
		expect(admitted()).toEqual(['r']);
	});
});

describe('RateLimiter: refusals', () => {
	it('sends the refused request first when a block ends, then the runs in turn', async () => {
		const run = {};
		await wait(names('r', 3), { run });
		await wait('other', { run: {} });
		await end('r1', refusedFor(7_000));
		await clock.advance(6_999);
		expect(admitted()).toEqual([]);
		await clock.advance(1);
		expect(admitted()).toEqual(['r1']);
		await end('r1', { report: { remaining: 2 } });
		expect(admitted()).toEqual(['other', 'r2']);
	});

	it('ends a block if the clock is set back to before its start', async () => {
		await open(refusedFor(5 * MINUTE));
		const { now } = clock;
		jest.spyOn(clock, 'now').mockImplementation(() => now.call(clock) - 5 * HOUR);
		await wait('r');
		expect(admitted()).toEqual(['r']);
	});

	it('after a refusal, ignores what earlier responses reported', async () => {
		await open({ report: report(25) });
		await wait(names('r', 25));
		await end('r1', refusedFor(5_000));
		for (const name of names('r', 25).slice(1)) await end(name, { report: report(24) });
		await wait(names('s', 5));
		await clock.advance(5_000);
		expect(admitted()).toEqual(['r1']);
	});

	it('doubles the pause after each refusal that asks for no wait', async () => {
		const times: number[] = [];
		await wait('r');
		for (let at = 0; at < 4; at++) {
			times.push(clock.now());
			await end('r', refusedFor(0));
			await sent('r');
		}
		expect(times.slice(1).map((time, at) => time - times[at]!)).toEqual([500, 1_000, 2_000]);
	});

	it('gives up only the request that is refused again and again', async () => {
		await wait(['r', 'other']);
		for (let refusals = 1; refusals <= MAX_REFUSALS; refusals++) {
			expect(rejected.size).toBe(0);
			await sent('r');
			await end('r', refusedFor(1_000));
		}
		expect([...rejected.keys()]).toEqual(['r']);
		expect(rejected.get('r')).toBeInstanceOf(RateLimitError);
		await sent('other');
	});
});

describe('RateLimiter: used-up quota', () => {
	const bare = (): Outcome => ({ refusal: { blocks: 'window' } });
	const rejectedBy = async (name: string, refusal: () => Outcome) => {
		await sent(name);
		await end(name, refusal());
	};
	const ended = async (outcome?: Outcome) => {
		await wait('fine');
		await sent('fine');
		await end('fine', outcome);
	};

	it.each<[string, meanwhile: () => Promise<void>, recognized: boolean, refusal?: () => Outcome]>([
		[
			'assumes that the quota is used up if a request gives up and the next one is refused as well',
			async () => {},
			true,
		],
		[
			'assumes that the quota is used up if the refusals name the next window',
			async () => {},
			true,
			() => refusedFor(MINUTE),
		],
		[
			'doesn’t assume that the quota is used up if the refusals name the next second',
			async () => {},
			false,
			() => refusedFor(1_000),
		],
		[
			'assumes that the quota is used up even if a request in between got no response',
			async () => await ended(),
			true,
		],
		[
			'doesn’t assume that the quota is used up if another request succeeds in between',
			async () => await ended({ report: {} }),
			false,
		],
		[
			'doesn’t assume that the quota is used up after a pause',
			async () => await clock.advance(10 * MINUTE),
			false,
		],
	])('%s', async (_, meanwhile, recognized, refusal = bare) => {
		// Refused until it gives up.
		await wait('rejected');
		for (let refusals = 0; refusals < MAX_REFUSALS; refusals++) {
			await rejectedBy('rejected', refusal);
		}
		rejected.clear();
		await meanwhile();
		await wait('next');
		await rejectedBy('next', refusal);
		rejected.delete('next');
		await wait('other');
		expect([...rejected]).toMatchObject(recognized ? [['other', { quota: true }]] : []);
	});

	it('doesn’t assume that the quota is used up if many requests in flight are refused at once', async () => {
		await open({ report: report(MAX_IN_FLIGHT) });
		await wait(names('r', MAX_IN_FLIGHT));
		for (const name of names('r', MAX_IN_FLIGHT)) await end(name, bare());
		expect(rejected.size).toBe(0);
	});

	it('fails every request right away until the quota resets, even if a later refusal names an earlier time', async () => {
		await open({ report: report(2) });
		await wait(['rejected', 'in flight', 'waiting']);
		const opensAt = clock.now() + 5 * HOUR;
		await end('rejected', refusedFor(5 * HOUR, 'quota'));
		await end('in flight', refusedFor(1_000));
		await wait('later');
		const limit = { opensAt, quota: true, guessed: false };
		for (const name of ['waiting', 'later']) expect(rejected.get(name)).toMatchObject(limit);
		expect(rejected.get('later')).toBeInstanceOf(RateLimitError);
	});

	it('probes a used-up quota with one request a minute', async () => {
		await open(refusedFor(5 * HOUR, 'quota'));
		await clock.advance(MINUTE - 1);
		await wait('early');
		await clock.advance(1);
		await wait(['probe', 'behind']);
		expect([...rejected.keys()]).toEqual(['early']);
		expect(admitted()).toEqual(['probe']);
		await end('probe', refusedFor(5 * HOUR, 'quota'));
		expect([...rejected.keys()]).toEqual(['early', 'behind', 'probe']);
		await clock.advance(MINUTE);
		await wait('next probe');
		await end('next probe', { report: report(29) });
		await wait('free');
		expect(admitted()).toContain('free');
	});

	it.each<[string, () => Outcome, failing: string[]]>([
		['while they succeed', () => ({ report: report(29) }), ['other']],
		['until one is refused', () => refusedFor(5 * HOUR, 'quota'), ['status', 'other']],
	])('doesn’t block requests outside the quota %s', async (_, outcome, failing) => {
		await open(refusedFor(5 * HOUR, 'quota'));
		await wait('status', { outsideQuota: true });
		expect(admitted()).toEqual(['status']);
		await end('status', outcome());
		await wait('status', { outsideQuota: true });
		await wait('other');
		expect([...rejected.keys()]).toEqual(failing);
	});
});

it('canceling ends a wait immediately, and a sent request leaves no listener on its signal', async () => {
	const cancel = new AbortController();
	const signal = { signal: cancel.signal };
	await wait('first', signal);
	expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
	await end('first', { report: report(0) });
	await wait('r', signal);
	await clock.advance(1_000);
	cancel.abort();
	await clock.drain();
	expect(rejected.get('r')).toBeInstanceOf(CancelledError);
	expect(clock.pending).toBe(false);
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

describe('limiterFor', () => {
	const rate = { limit: 30, windowMs: MINUTE };
	const fill = (count: number, prefix: string) => {
		for (const name of names(prefix, count)) limiterFor(name, rate);
	};

	it('returns the same limiter after the plan changes, with the new rate', async () => {
		const send = async () => {
			const deadline = systemClock.now() + 1_000;
			return await first.schedule(async () => ({ value: 'sent', report: {} }), { deadline });
		};
		const first = limiterFor('plan', { limit: 1, windowMs: MINUTE });
		await send();
		await expect(send()).rejects.toBeInstanceOf(RateLimitError);
		expect(limiterFor('plan', rate)).toBe(first);
		expect(await send()).toBe('sent');
	});

	it('drops the least recently used limiters when there are too many, but never one in use', async () => {
		const busy = limiterFor('busy', rate);
		void busy.schedule(async () => await new Promise(() => {}));
		const waiting = limiterFor('waiting', rate);
		await waiting.schedule(async () => ({ value: undefined, report: report(0, 40_000) }));
		const cancel = new AbortController();
		const canceled = waiting
			.schedule(async () => ({ value: undefined }), { signal: cancel.signal })
			.catch((error: Error) => error);
		const old = limiterFor('old', rate);
		const used = limiterFor('used', rate);
		fill(500, 'some');
		limiterFor('used', rate);
		fill(600, 'more');
		expect(limiterFor('used', rate)).toBe(used);
		expect(limiterFor('old', rate)).not.toBe(old);
		fill(1_000, 'later');
		expect(limiterFor('busy', rate)).toBe(busy);
		expect(limiterFor('waiting', rate)).toBe(waiting);
		cancel.abort();
		expect(await canceled).toBeInstanceOf(CancelledError);
	});
});
