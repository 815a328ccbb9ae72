import { CancelledError } from '../../../../nodes/shared/http/errors';
import type { RateReport } from '../../../../nodes/shared/http/rateLimit/headers';
import {
	limiterFor,
	MAX_IN_FLIGHT,
	MAX_REFUSALS,
	RateLimiter,
	RateLimitError,
} from '../../../../nodes/shared/http/rateLimit/rateLimiter';
import type { Outcome, Slot, Wait } from '../../../../nodes/shared/http/rateLimit/rateLimiter';
import type { Refusal } from '../../../../nodes/shared/http/rateLimit/refusal';
import { FakeClock } from '../fakeClock';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A limiter with a clock of its own, and what becomes of the requests that wait for it. */
function bench(limit = 30, windowMs = MINUTE) {
	const clock = new FakeClock();
	const limiter = new RateLimiter({ limit, windowMs }, clock);
	const slots = new Map<string, Slot>();
	/** Those that wait again after a refusal. */
	const refusedSlots = new Map<string, Slot>();
	const rejected = new Map<string, Error>();
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

	return { clock, limiter, slots, admitted, rejected, wait, release, open, report, refusedFor };
}

const names = (prefix: string, count: number) =>
	Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`);

describe('fairness', () => {
	it('serves a short run beside a long one within the same window', async () => {
		const { clock, admitted, wait, open, report } = bench();
		const long = {};
		await open({ report: report(0) });
		await wait(names('long', 600), { run: long });
		await wait('short', { run: {} });
		await clock.advance(MINUTE);
		expect(admitted()).toEqual(['long1']);
		await clock.advance(2_000);
		expect(admitted()).toEqual(['long1', 'short']);
	});

	it('costs little with 10,000 requests that wait', async () => {
		const { clock, limiter, wait, open, report } = bench();
		await open({ report: report(0) });
		const sleep = jest.spyOn(clock, 'sleep');
		const cancel = new AbortController();
		const run = {};
		await wait(names('r', 10_000), { run, signal: cancel.signal });
		expect(sleep.mock.calls.length).toBeLessThanOrEqual(1);
		cancel.abort();
		await clock.drain();
		expect(limiter.idle).toBe(true);
	});
});

describe('a refusal', () => {
	it('blocks the key, and then a single request goes first', async () => {
		const { clock, admitted, wait, open, refusedFor } = bench();
		await open(refusedFor(7_000));
		await wait(names('r', 3));
		await clock.advance(6_999);
		expect(admitted()).toEqual([]);
		await clock.advance(1);
		expect(admitted()).toEqual(['r1']);
	});

	it('ends if the clock is set back to before its start', async () => {
		const { clock, admitted, wait, open, refusedFor } = bench();
		await open(refusedFor(5 * MINUTE));
		const { now } = clock;
		jest.spyOn(clock, 'now').mockImplementation(() => now.call(clock) - 5 * HOUR);
		await wait('r');
		expect(admitted()).toEqual(['r']);
	});

	it('ends the burst: nothing more is sent because of earlier responses', async () => {
		const { clock, admitted, wait, release, report, refusedFor, open } = bench();
		await open({ report: report(MAX_IN_FLIGHT + 5) });
		await wait(names('r', 25));
		await release('r1', refusedFor(5_000));
		for (const name of names('r', MAX_IN_FLIGHT).slice(1)) {
			await release(name, { report: report(24) });
		}
		await clock.advance(5_000);
		expect(admitted()).toHaveLength(MAX_IN_FLIGHT + 1);
	});

	it('puts the request back at the front of its run, and serves the other runs in turn', async () => {
		const { clock, admitted, wait, release, refusedFor } = bench();
		const run = {};
		await wait(names('r', 3), { run });
		await wait('other', { run: {} });
		await release('r1', refusedFor(1_000));
		await wait('r1', { run });
		await clock.advance(1_000);
		expect(admitted()).toEqual(['r1']);
		await release('r1', { report: { remaining: 2 } });
		expect(admitted()).toEqual(['r1', 'other', 'r2']);
	});

	it('pauses longer each time if the service says that no wait is needed', async () => {
		const { clock, slots, wait, release, refusedFor } = bench();
		const times: number[] = [];
		await wait('r');
		for (let at = 0; at < 4; at++) {
			times.push(clock.now());
			await release('r', refusedFor(0));
			await wait('r');
			while (!slots.has('r')) await clock.advance(250);
		}
		expect(times.slice(1).map((time, at) => time - times[at]!)).toEqual([500, 1_000, 2_000]);
	});

	it('ends the attempts of a request that is rejected again and again, and of no other', async () => {
		const { clock, limiter, slots, wait, release, refusedFor } = bench();
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
	/** One request is rejected until it gives up, then others one after the other. */
	async function afterGivingUp(subject: ReturnType<typeof bench>, pauseMs: number) {
		const { clock, slots, wait, release } = subject;
		const rejectedBare = async (name: string) => {
			await wait(name);
			while (!slots.has(name)) await clock.advance(1_000);
			await release(name, { refusal: { blocks: 'window' } });
		};
		for (let refusals = 0; refusals < MAX_REFUSALS; refusals++) await rejectedBare('rejected');
		await clock.advance(pauseMs);
		return rejectedBare;
	}

	it('is recognized without a word where the service rejects the next request, too', async () => {
		const subject = bench();
		const rejectedBare = await afterGivingUp(subject, 0);
		await rejectedBare('next');
		await subject.wait('other');
		expect(subject.rejected.get('other')).toMatchObject({ quota: true });
	});

	it('is not assumed where another request succeeds, or after a pause', async () => {
		for (const pauseMs of [0, 10 * MINUTE]) {
			const subject = bench();
			const { clock, slots, wait, release, rejected } = subject;
			const rejectedBare = await afterGivingUp(subject, pauseMs);
			if (pauseMs === 0) {
				await wait('fine');
				while (!slots.has('fine')) await clock.advance(1_000);
				await release('fine', { report: {} });
			}
			await rejectedBare('next');
			await wait('other');
			expect(rejected.size).toBe(0);
		}
	});

	it('fails fast for all, with the time of the reset', async () => {
		const subject = bench();
		await subject.wait(['probe', 'waiting']);
		const opensAt = subject.clock.now() + 5 * HOUR;
		await subject.release('probe', subject.refusedFor(5 * HOUR, 'quota'));
		await subject.wait('later');
		for (const name of ['waiting', 'later']) {
			expect(subject.rejected.get(name)).toBeInstanceOf(RateLimitError);
			expect(subject.rejected.get(name)).toMatchObject({ opensAt, quota: true, guessed: false });
		}
	});

	it('is checked by one request a minute', async () => {
		const { clock, admitted, rejected, wait, release, open, refusedFor, report } = bench();
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

	it.each<[string, (subject: ReturnType<typeof bench>) => Outcome, rejected: string[]]>([
		['while these succeed', ({ report }) => ({ report: report(29) }), ['other']],
		[
			'until one is rejected',
			({ refusedFor }) => refusedFor(5 * HOUR, 'quota'),
			['status', 'other'],
		],
	])('does not block requests outside the quota %s', async (_, outcome, failing) => {
		const subject = bench();
		const { admitted, rejected, wait, release, open, refusedFor } = subject;
		await open(refusedFor(5 * HOUR, 'quota'));
		await wait('status', { outsideQuota: true });
		expect(admitted()).toEqual(['status']);
		await release('status', outcome(subject));
		await wait('status', { outsideQuota: true });
		await wait('other');
		expect([...rejected.keys()]).toEqual(failing);
	});
});

describe('a watcher of the limit', () => {
	it('is told when it ends, as long as requests have to wait', async () => {
		const { clock, wait, open, report, limiter } = bench();
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
});

describe('cancelling', () => {
	it('ends a wait immediately', async () => {
		const { clock, rejected, wait, open, report } = bench();
		await open({ report: report(0) });
		const cancel = new AbortController();
		await wait('r', { signal: cancel.signal });
		await clock.advance(1_000);
		cancel.abort();
		await clock.drain();
		expect(rejected.get('r')).toBeInstanceOf(CancelledError);
		expect(clock.pending).toBe(false);
	});

	it('leaves no listener behind on a signal that stays in use', async () => {
		const { wait } = bench();
		const { signal } = new AbortController();
		const remove = jest.spyOn(signal, 'removeEventListener');
		await wait('r', { signal });
		expect(remove).toHaveBeenCalledTimes(1);
	});
});

describe('the limiters of the process', () => {
	const rate = { limit: 30, windowMs: MINUTE };
	const fill = (prefix: string) => {
		for (let at = 0; at < 1_000; at++) limiterFor(`${prefix} ${at}`, rate);
	};

	it('stay the same when the plan changes', () => {
		const limiter = limiterFor('plan', rate);
		expect(limiterFor('plan', { limit: 100, windowMs: MINUTE })).toBe(limiter);
		expect(limiter.perMinute).toBe(100);
	});

	it('are dropped when there are very many, the least recently used first', () => {
		const old = limiterFor('old', rate);
		const used = limiterFor('used', rate);
		for (let at = 0; at < 999; at++) limiterFor(`other ${at}`, rate);
		expect(limiterFor('used', rate)).toBe(used);
		fill('more');
		expect(limiterFor('old', rate)).not.toBe(old);
	});

	it('are kept while requests are in flight', async () => {
		const busy = limiterFor('busy', rate);
		await busy.acquire();
		fill('later');
		fill('latest');
		expect(limiterFor('busy', rate)).toBe(busy);
	});
});
