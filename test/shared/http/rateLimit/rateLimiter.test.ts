import { systemClock } from '../../../../nodes/shared/http/clock';
import type { RateReport } from '../../../../nodes/shared/http/rateLimit/headers';
import {
	limiterFor,
	MAX_IN_FLIGHT,
	QUOTA_HORIZON_MS,
	RateLimiter,
	RateLimitError,
} from '../../../../nodes/shared/http/rateLimit/rateLimiter';
import type { Admission, Outcome, Turn } from '../../../../nodes/shared/http/rateLimit/rateLimiter';
import { FakeClock } from '../fakeClock';
import { CancelledError } from '../../../../nodes/shared/http/errors';

const MINUTE = 60_000;

/** A limiter with a clock of its own, and what becomes of the requests that wait for it. */
function bench(limit = 30, windowMs = MINUTE) {
	const clock = new FakeClock();
	const limiter = new RateLimiter({ limit, windowMs }, clock);
	const admitted: Turn[] = [];
	const turnedAway = new Map<Turn, Error>();

	function wait(admission?: Admission, turn = limiter.turn()): Turn {
		limiter.admit(turn, admission).then(
			() => admitted.push(turn),
			(error: Error) => turnedAway.set(turn, error),
		);
		return turn;
	}

	/** Says how a request ended, and lets the limiter act on it. */
	async function settle(turn: Turn, outcome: Omit<Outcome, 'turn'> = {}): Promise<void> {
		limiter.settle({ turn, ...outcome });
		await clock.drain();
	}

	/** What a service with the usual headers reports. */
	function report(remaining: number, resetInMs = MINUTE): RateReport {
		return { remaining, reset: { at: clock.now() + resetInMs, resolutionMs: 0 } };
	}

	/** Lets one request through and has it answered. */
	async function open(outcome: Omit<Outcome, 'turn'>): Promise<void> {
		const turn = wait();
		await clock.drain();
		expect(admitted).toContain(turn);
		await settle(turn, outcome);
	}

	return { clock, limiter, admitted, turnedAway, wait, settle, report, open };
}

function limitError(error: Error | undefined): RateLimitError {
	expect(error).toBeInstanceOf(RateLimitError);
	return error as RateLimitError;
}

describe('the requests per minute that are let through', () => {
	it('are the documented ones, until the service says otherwise', async () => {
		const { limiter, open, report } = bench(30);
		expect(limiter.perMinute).toBe(30);
		await open({ report: { ...report(99), limit: 100 } });
		expect(limiter.perMinute).toBe(100);
	});

	it('are worked out from windows of another length', () => {
		expect(bench(10, 2_000).limiter.perMinute).toBe(300);
	});
});

describe('opening a window', () => {
	it('sends one request ahead, and the others when its answer says how many may follow', async () => {
		const { clock, admitted, wait, settle, report } = bench();
		for (let number = 0; number < 10; number++) wait();
		await clock.drain();
		expect(admitted).toEqual([0]);
		await settle(0, { report: report(4) });
		expect(admitted).toEqual([0, 1, 2, 3, 4]);
	});

	it('does not let one slow request hold up the others for long', async () => {
		const { clock, admitted, wait } = bench();
		wait();
		wait();
		await clock.advance(1_999);
		expect(admitted).toEqual([0]);
		await clock.advance(1);
		expect(admitted).toEqual([0, 1]);
	});

	it('sends another ahead when the first came to nothing', async () => {
		const { clock, admitted, wait, settle } = bench();
		wait();
		wait();
		await clock.drain();
		await settle(0);
		expect(admitted).toEqual([0, 1]);
	});

	it('opens the next window with one request again', async () => {
		const { clock, admitted, wait, settle, report } = bench();
		wait();
		await clock.drain();
		await settle(0, { report: report(0) });
		for (let number = 0; number < 5; number++) wait();
		await clock.advance(MINUTE - 1);
		expect(admitted).toEqual([0]);
		await clock.advance(1);
		expect(admitted).toEqual([0, 1]);
	});

	it('never has more than so many requests under way', async () => {
		const { clock, admitted, wait, settle, report, open } = bench(1_000);
		await open({ report: report(999) });
		const [first] = Array.from({ length: 50 }, () => wait());
		await clock.drain();
		expect(admitted).toHaveLength(1 + MAX_IN_FLIGHT);
		await settle(first!, { report: report(979) });
		expect(admitted).toHaveLength(2 + MAX_IN_FLIGHT);
	});

	it('lowers its budget when others on the same key use the window, too', async () => {
		const { clock, admitted, wait, settle, report, open } = bench();
		await open({ report: report(MAX_IN_FLIGHT + 9) });
		const turns = Array.from({ length: 40 }, () => wait());
		await clock.drain();
		await settle(turns[0]!, { report: report(0) });
		for (const turn of turns.slice(1, MAX_IN_FLIGHT)) await settle(turn, { report: report(1) });
		expect(admitted).toHaveLength(1 + MAX_IN_FLIGHT);
	});
});

describe('a refusal', () => {
	const refused = 'rate';

	it('is waited out as long as the service asks', async () => {
		const { clock, admitted, wait, open } = bench();
		const retry = { at: clock.now() + 7_000, resolutionMs: 0 };
		await open({ refused, report: { retry } });
		wait();
		await clock.advance(6_999);
		expect(admitted).toHaveLength(1);
		await clock.advance(1);
		expect(admitted).toHaveLength(2);
	});

	it('without a time is waited out for one window', async () => {
		const { clock, admitted, wait, open } = bench();
		await open({ refused });
		wait();
		await clock.advance(MINUTE - 1);
		expect(admitted).toHaveLength(1);
		await clock.advance(1);
		expect(admitted).toHaveLength(2);
	});

	it('with only a reset is waited out until then', async () => {
		const { clock, admitted, wait, open, report } = bench();
		await open({ refused, report: report(0, 12_000) });
		wait();
		await clock.advance(11_999);
		expect(admitted).toHaveLength(1);
		await clock.advance(1);
		expect(admitted).toHaveLength(2);
	});

	it('gives the refused request the first place in the queue', async () => {
		const { clock, admitted, wait, settle } = bench();
		const refusedTurn = wait();
		wait();
		await clock.drain();
		await settle(refusedTurn, { refused });
		wait({}, refusedTurn);
		await clock.advance(MINUTE);
		expect(admitted).toEqual([refusedTurn, refusedTurn]);
	});

	it('ends the burst: nothing more is sent on the word of an earlier answer', async () => {
		const { clock, admitted, wait, settle, report, open } = bench();
		await open({ report: report(MAX_IN_FLIGHT + 5) });
		const turns = Array.from({ length: 25 }, () => wait());
		await clock.drain();
		await settle(turns[0]!, {
			refused,
			report: { retry: { at: clock.now() + 5_000, resolutionMs: 0 } },
		});
		for (const turn of turns.slice(1, MAX_IN_FLIGHT)) await settle(turn, { report: report(24) });
		await clock.advance(5_000);
		expect(admitted).toHaveLength(1 + MAX_IN_FLIGHT + 1);
	});

	it('counts once for a burst that was refused together', async () => {
		const { clock, limiter, wait, settle, report, open } = bench();
		await open({ report: report(10) });
		const turns = Array.from({ length: 10 }, () => wait());
		await clock.drain();
		for (const turn of turns) await settle(turn, { refused });
		expect(limiter.refusals).toBe(1);
	});

	it('is forgotten after a success', async () => {
		const { clock, limiter, open, report } = bench();
		await open({ refused });
		expect(limiter.refusals).toBe(1);
		await clock.advance(MINUTE);
		await open({ report: report(29) });
		expect(limiter.refusals).toBe(0);
	});

	it('that says "at once" again and again is met with longer and longer pauses', async () => {
		const { clock, limiter } = bench();
		const pauses: number[] = [];
		for (let round = 0; round < 12; round++) {
			const turn = limiter.turn();
			const before = clock.now();
			await clock.until(limiter.admit(turn));
			pauses.push(clock.now() - before);
			const retry = { at: clock.now(), resolutionMs: 0 };
			limiter.settle({ turn, refused: 'rate', report: { retry } });
		}
		expect(pauses.slice(0, 5)).toEqual([0, 250, 500, 1_000, 2_000]);
		expect(Math.max(...pauses)).toBe(MINUTE);
	});

	it('however often repeated, leaves the key alone for a window and no longer', async () => {
		const { clock, limiter } = bench();
		for (let round = 0; round < 30; round++) {
			const turn = limiter.turn();
			const before = clock.now();
			await clock.until(limiter.admit(turn));
			expect(clock.now() - before).toBeLessThanOrEqual(MINUTE);
			limiter.settle({ turn, refused: 'rate' });
		}
	});
});

describe('a used-up quota', () => {
	it('turns everybody away at once, with the time of the reset', async () => {
		const { clock, turnedAway, wait, open } = bench();
		const at = clock.now() + 5 * 3_600_000;
		await open({ refused: 'rate', report: { retry: { at, resolutionMs: 0 } } });
		const turns = [wait(), wait()];
		await clock.drain();
		for (const turn of turns) {
			expect(limitError(turnedAway.get(turn))).toMatchObject({
				opensAt: at,
				quota: true,
				guessed: false,
			});
		}
	});

	it('turns away those who were waiting when it became known', async () => {
		const { clock, turnedAway, wait, settle } = bench();
		wait();
		const waiting = wait();
		await clock.drain();
		const reset = { at: clock.now() + 2 * QUOTA_HORIZON_MS, resolutionMs: 0 };
		await settle(0, { report: { remaining: 0, reset } });
		expect(limitError(turnedAway.get(waiting)).quota).toBe(true);
	});

	it('without a time is tried again later, which the error admits', async () => {
		const { clock, turnedAway, admitted, wait, open } = bench();
		await open({ refused: 'quota' });
		const early = wait();
		await clock.drain();
		expect(limitError(turnedAway.get(early))).toMatchObject({ quota: true, guessed: true });
		await clock.advance(15 * MINUTE);
		const later = wait();
		await clock.drain();
		expect(admitted).toContain(later);
	});

	it('is not waited for when only the short window announces its reset', async () => {
		const { clock, turnedAway, wait, open, report } = bench();
		await open({ refused: 'quota', report: report(25, 20_000) });
		const turn = wait();
		await clock.drain();
		expect(limitError(turnedAway.get(turn))).toMatchObject({ quota: true, guessed: true });
	});

	it('that ends within minutes is waited for', async () => {
		const { clock, admitted, wait, open, report } = bench();
		await open({ refused: 'quota', report: report(0, 5 * MINUTE) });
		wait();
		await clock.advance(5 * MINUTE);
		expect(admitted).toHaveLength(2);
	});

	it('that ends within minutes is called a quota to the impatient', async () => {
		const { clock, turnedAway, wait, open, report } = bench();
		await open({ refused: 'quota', report: report(0, 5 * MINUTE) });
		const turn = wait({ patienceMs: MINUTE });
		await clock.drain();
		expect(limitError(turnedAway.get(turn)).quota).toBe(true);
	});

	it('that still has requests left changes nothing about the pace', async () => {
		const { clock, admitted, wait, open, report } = bench(5);
		await open({ report: { ...report(900, 10 * 3_600_000), limit: 1_000 } });
		for (let number = 0; number < 10; number++) wait();
		await clock.drain();
		expect(admitted).toHaveLength(5);
	});
});

describe('patience', () => {
	it('of nobody is tried by the request that opens the window', async () => {
		const { clock, admitted, wait, settle, report } = bench();
		wait({ patienceMs: 0 });
		wait({ patienceMs: 0 });
		await clock.advance(500);
		await settle(0, { report: report(1) });
		expect(admitted).toEqual([0, 1]);
	});

	it('of zero gives up at once when the window is used up', async () => {
		const { clock, turnedAway, wait, open, report } = bench();
		await open({ report: report(0, 40_000) });
		const turn = wait({ patienceMs: 0 });
		await clock.drain();
		expect(limitError(turnedAway.get(turn))).toMatchObject({
			opensAt: clock.now() + 40_000,
			quota: false,
			guessed: false,
		});
	});

	it('lets go of the impatient only', async () => {
		const { clock, admitted, turnedAway, wait, open, report } = bench();
		await open({ report: report(0, 40_000) });
		const patient = wait();
		const impatient = wait({ patienceMs: 39_999 });
		const justPatientEnough = wait({ patienceMs: 40_000 });
		await clock.drain();
		expect([...turnedAway.keys()]).toEqual([impatient]);
		await clock.advance(40_000);
		expect(admitted).toContain(patient);
		expect(turnedAway.has(justPatientEnough)).toBe(false);
	});

	it('counts from the moment the request came', async () => {
		const { clock, turnedAway, wait, open, report } = bench();
		await open({ report: report(0, 40_000) });
		const turn = wait({ patienceMs: 50_000 });
		await clock.advance(40_000);
		expect(turnedAway.has(turn)).toBe(false);
	});

	it('is asked of those who wait without headers, too', async () => {
		const { clock, turnedAway, wait, open } = bench(1);
		await open({});
		const turn = wait({ patienceMs: 0 });
		await clock.drain();
		expect(limitError(turnedAway.get(turn)).opensAt).toBe(clock.now() + MINUTE);
	});
});

describe('cancelling', () => {
	it('ends a wait at once', async () => {
		const { clock, turnedAway, wait, open, report } = bench();
		await open({ report: report(0) });
		const cancel = new AbortController();
		const turn = wait({ signal: cancel.signal });
		await clock.advance(1_000);
		cancel.abort();
		await clock.drain();
		expect(turnedAway.get(turn)).toBeInstanceOf(CancelledError);
		expect(clock.pending).toBe(false);
	});

	it('before the start sends nothing', async () => {
		const { clock, admitted, turnedAway, wait } = bench();
		const turn = wait({ signal: AbortSignal.abort() });
		await clock.drain();
		expect(turnedAway.get(turn)).toBeInstanceOf(CancelledError);
		expect(admitted).toEqual([]);
	});

	it('of one request leaves the others their places', async () => {
		const { clock, admitted, wait, open, report } = bench();
		await open({ report: report(0) });
		const cancel = new AbortController();
		wait({ signal: cancel.signal });
		const next = wait();
		cancel.abort();
		await clock.advance(MINUTE);
		expect(admitted).toEqual([0, next]);
	});

	it('leaves no listener behind on a signal that lives on', async () => {
		const { clock, wait } = bench();
		const { signal } = new AbortController();
		const remove = jest.spyOn(signal, 'removeEventListener');
		wait({ signal });
		await clock.drain();
		expect(remove).toHaveBeenCalledTimes(1);
	});
});

describe('the limiters of the process', () => {
	const rate = { limit: 30, windowMs: MINUTE };
	let now: number;

	beforeEach(() => {
		now = Date.UTC(2026, 0, 1);
		jest.spyOn(systemClock, 'now').mockImplementation(() => now);
	});

	afterEach(() => {
		jest.restoreAllMocks();
	});

	const fill = (prefix: string) => {
		for (let number = 0; number < 1_000; number++) limiterFor(`${prefix} ${number}`, rate);
	};

	it('are shared by all who use the same key', () => {
		expect(limiterFor('one', rate)).toBe(limiterFor('one', rate));
		expect(limiterFor('one', rate)).not.toBe(limiterFor('two', rate));
	});

	it('are forgotten after an hour of silence, once there are very many', () => {
		const old = limiterFor('old', rate);
		fill('others');
		now += 61 * MINUTE;
		limiterFor('one more', rate);
		expect(limiterFor('old', rate)).not.toBe(old);
	});

	it('are kept while somebody uses them', async () => {
		const busy = limiterFor('busy', rate);
		await busy.admit(busy.turn());
		fill('later');
		now += 61 * MINUTE;
		limiterFor('yet one more', rate);
		expect(limiterFor('busy', rate)).toBe(busy);
	});

	it('are not forgotten between being handed out and being used', () => {
		fill('crowd');
		now += 61 * MINUTE;
		const fresh = limiterFor('fresh', rate);
		limiterFor('another', rate);
		expect(limiterFor('fresh', rate)).toBe(fresh);
	});
});
