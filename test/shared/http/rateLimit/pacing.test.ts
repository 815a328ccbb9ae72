import fc from 'fast-check';

import { MAX_IN_FLIGHT } from '../../../../nodes/shared/http/rateLimit/rateLimiter';
import type { Rate } from '../../../../nodes/shared/http/rateLimit/headers';
import { FakeClock } from '../fakeClock';
import {
	HEADER_FAMILIES,
	rateHeaders,
	rateServer,
	RESET_FORMATS,
	SERVER_KINDS,
} from './rateServers';
import type { HeaderFamily, HeaderStyle, RateServer, ResetFormat } from './rateServers';
import { mostInAnyWindow, simulate } from './simulation';
import type { Course, Served } from './simulation';

const DOCUMENTED: Rate = { limit: 30, windowMs: 60_000 };
/** Half of the time after which a slow first request no longer holds up the others. */
const LONGEST_TRIP_MS = 900;

const style: fc.Arbitrary<HeaderStyle> = fc.record({
	family: fc.constantFrom(...(Object.keys(HEADER_FAMILIES) as HeaderFamily[])),
	reset: fc.constantFrom(...(Object.keys(RESET_FORMATS) as ResetFormat[])),
});
const limit = fc.integer({ min: 1, max: 40 });
/** Not longer than documented. */
const windowMs = fc.integer({ min: 5_000, max: 60_000 });
const latencies = fc.array(fc.integer({ min: 0, max: LONGEST_TRIP_MS }), {
	minLength: 1,
	maxLength: 41,
	size: 'max',
});
const arrival = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 }));
const arrivals = fc.array(arrival, { minLength: 1, maxLength: 120, size: 'max' });

/** A service that says what it does. */
function truthful(server: RateServer, headers: HeaderStyle) {
	return (now: number): Served => {
		const state = server.take(now);
		return { allowed: state.allowed, headers: rateHeaders(headers, state, now) };
	};
}

function expectEachOnce(course: Course): void {
	expect(course.carriedOut.every((times) => times === 1)).toBe(true);
	expect(course.mostInFlight).toBeLessThanOrEqual(MAX_IN_FLIGHT);
}

describe('pacing by truthful headers', () => {
	// Holds while a round trip takes less than 2 s, the clocks agree (or the reset is relative),
	// and the window is longer than a round trip; answers may overtake each other.
	it.each(SERVER_KINDS)('never provokes a refusal of a sole user: %s', async (kind) => {
		const scenario = fc.record({ style, limit, windowMs, latencies, arrivals });
		await fc.assert(
			fc.asyncProperty(scenario, async ({ style, limit, windowMs, latencies, arrivals }) => {
				const serve = truthful(rateServer(kind, limit, windowMs), style);
				const course = await simulate({ rate: DOCUMENTED, arrivals, serve, latencies });
				expect(course.refusals).toBe(0);
				expectEachOnce(course);
			}),
			{ numRuns: 150 },
		);
	});

	it.each(SERVER_KINDS)('needs little more than the windows it must wait for: %s', async (kind) => {
		const count = fc.integer({ min: 1, max: 150 });
		const windowMs = fc.integer({ min: 20_000, max: 60_000 });
		const scenario = fc.record({ style, limit, windowMs, latencies, count });
		await fc.assert(
			fc.asyncProperty(scenario, async ({ style, limit, windowMs, latencies, count }) => {
				const serve = truthful(rateServer(kind, limit, windowMs), style);
				const arrivals = Array.from({ length: count }, () => 0);
				const course = await simulate({ rate: DOCUMENTED, arrivals, serve, latencies });

				const windows = Math.ceil(count / limit);
				const roundTrip = 2 * Math.max(...latencies);
				const burst = roundTrip * (1 + Math.ceil(limit / MAX_IN_FLIGHT));
				// Seconds hide up to one second when they are cut off, and another when rounded up. A
				// sliding window gives free what a burst took in as much time as the burst needed.
				const perWindow = 2 * burst + roundTrip + 2_000;
				const ideal = (windows - 1) * windowMs;
				// A burst across the end of a window can leave a few requests to the window after.
				const startsWithRequest = kind === 'fixed-first-request' || windows === 1;
				const spare = startsWithRequest ? 0 : windowMs;
				expect(course.finishedAt - course.startedAt).toBeLessThanOrEqual(
					ideal + spare + windows * perWindow,
				);
			}),
			// The bound is measured, not proven (a sliding window of very few requests can exceed it):
			// always the same scenarios, so that it never wavers.
			{ numRuns: 100, seed: 1 },
		);
	});

	it('adopts a rate that differs from the documented one', async () => {
		const serve = truthful(rateServer('fixed-first-request', 200, 60_000), {
			family: 'X-RateLimit-*',
			reset: 'epoch seconds, up',
		});
		const arrivals = Array.from({ length: 200 }, () => 0);
		const course = await simulate({ rate: DOCUMENTED, arrivals, serve, latencies: [50] });
		expect(course.finishedAt - course.startedAt).toBeLessThan(2_000);
	});

	it('uses the documented window when the reset is missing', async () => {
		const server = rateServer('fixed-first-request', 10, 60_000);
		const serve = (now: number): Served => {
			const { allowed, remaining } = server.take(now);
			return { allowed, headers: { 'x-ratelimit-remaining': String(remaining) } };
		};
		const arrivals = Array.from({ length: 30 }, () => 0);
		const course = await simulate({ rate: DOCUMENTED, arrivals, serve, latencies: [100] });
		expect(course.refusals).toBe(0);
		expect(course.finishedAt - course.startedAt).toBeLessThan(2 * 60_000 + 2_000);
	});
});

describe('pacing without headers', () => {
	const serve = (): Served => ({ allowed: true, headers: {} });

	it('never lets more than the documented number reach the service in any window', async () => {
		const scenario = fc.record({ limit, windowMs, latencies, arrivals });
		await fc.assert(
			fc.asyncProperty(scenario, async ({ limit, windowMs, latencies, arrivals }) => {
				const rate = { limit, windowMs };
				const course = await simulate({ rate, arrivals, serve, latencies });
				expect(mostInAnyWindow(course.servedAt, windowMs)).toBeLessThanOrEqual(limit);
				expectEachOnce(course);
			}),
			{ numRuns: 200 },
		);
	});

	it('uses the whole of every window', async () => {
		const arrivals = Array.from({ length: 90 }, () => 0);
		const course = await simulate({ rate: DOCUMENTED, arrivals, serve, latencies: [100] });
		expect(course.finishedAt - course.startedAt).toBeLessThan(2 * 60_000 + 3_000);
	});

	it('counts failed attempts, which may have reached the service', async () => {
		let calls = 0;
		const flaky = () => (++calls % 2 === 0 ? serve() : undefined);
		const arrivals = Array.from({ length: 30 }, () => 0);
		const course = await simulate({ rate: DOCUMENTED, arrivals, serve: flaky, latencies: [1] });
		expect(course.finishedAt - course.startedAt).toBeGreaterThanOrEqual(60_000);
	});

	it('resumes when a service stops sending headers', async () => {
		const server = rateServer('sliding-oldest', 30, 60_000);
		let calls = 0;
		const silentLater = (now: number): Served => {
			const state = server.take(now);
			const headers =
				++calls <= 30
					? rateHeaders({ family: 'X-RateLimit-*', reset: 'epoch milliseconds' }, state, now)
					: {};
			return { allowed: state.allowed, headers };
		};
		const arrivals = Array.from({ length: 120 }, () => 0);
		const scenario = { rate: DOCUMENTED, arrivals, serve: silentLater, latencies: [100] };
		const course = await simulate(scenario);
		expect(course.refusals).toBe(0);
		expect(course.finishedAt - course.startedAt).toBeLessThan(3 * 60_000 + 5_000);
	});
});

describe('pacing among others on the same key', () => {
	// Others use as much as half of each window. The rest must be found without giving up.
	it.each(SERVER_KINDS)('sends every request successfully once: %s', async (kind) => {
		const others = fc.array(fc.integer({ min: 0, max: 600_000 }), { maxLength: 100, size: 'max' });
		const scenario = fc.record({ style, windowMs, latencies, arrivals, others });
		await fc.assert(
			fc.asyncProperty(scenario, async ({ style, windowMs, latencies, arrivals, others }) => {
				const server = rateServer(kind, 10, windowMs);
				const clock = new FakeClock();
				const due = others.map((delay) => clock.now() + delay).sort((a, b) => a - b);
				const serve = (now: number): Served => {
					while (due[0] !== undefined && due[0] <= now) server.take(due.shift()!);
					return truthful(server, style)(now);
				};
				const course = await simulate({ rate: DOCUMENTED, arrivals, serve, latencies }, clock);
				expectEachOnce(course);
			}),
			{ numRuns: 60 },
		);
	});

	it('loses at most one burst to refusals when another empties the window', async () => {
		const server = rateServer('fixed-clock', 30, 60_000);
		const style: HeaderStyle = { family: 'X-RateLimit-*', reset: 'epoch seconds, up' };
		let calls = 0;
		const serve = (now: number): Served => {
			if (++calls === 2) for (let other = 0; other < 30; other++) server.take(now);
			return truthful(server, style)(now);
		};
		const arrivals = Array.from({ length: 30 }, () => 0);
		const course = await simulate({ rate: DOCUMENTED, arrivals, serve, latencies: [100] });
		expectEachOnce(course);
		expect(course.refusals).toBeLessThanOrEqual(MAX_IN_FLIGHT);
	});

	it('two limiters that share a key without knowing share its windows', async () => {
		const server = rateServer('fixed-first-request', 30, 60_000);
		const style: HeaderStyle = { family: 'X-RateLimit-*', reset: 'epoch seconds, up' };
		const clock = new FakeClock();
		const serve = truthful(server, style);
		const arrivals = Array.from({ length: 60 }, () => 0);
		const scenario = { rate: DOCUMENTED, arrivals, serve, latencies: [100, 130] };
		const first = simulate(scenario, clock);
		const second = simulate(scenario, clock);
		const courses = await Promise.all([first, second]);
		for (const course of courses) expectEachOnce(course);
		const finishedAt = Math.max(...courses.map((course) => course.finishedAt));
		expect(finishedAt - courses[0].startedAt).toBeLessThan(4 * 60_000 + 10_000);
	});
});

describe('pacing by headers that lie', () => {
	const number = fc.oneof(
		fc.integer({ min: -1_000, max: 2_000 }).map(String),
		fc.constantFrom('', 'many', '-1', '1e9', '99999999999999999999', 'NaN', '12.5'),
	);
	const past = fc.integer({ min: 0, max: 100 }).map((s) => `${1_700_000_000 + s}`);
	const reset = fc.oneof(number, past, fc.constantFrom('0', 'soon', '1970-01-01', '-5'));
	const headers = fc.record(
		{
			'x-ratelimit-limit': number,
			'x-ratelimit-remaining': number,
			'x-ratelimit-reset': reset,
			'retry-after': fc.constantFrom('0', '1', '30', 'Thu, 01 Jan 1970 00:00:00 GMT', 'later'),
			date: fc.constantFrom('Thu, 01 Jan 2026 00:00:00 GMT', 'today', ''),
		},
		{ requiredKeys: [] },
	);
	const answer = fc.oneof(
		{ weight: 6, arbitrary: fc.record({ fate: fc.constant('served'), headers }) },
		{ weight: 2, arbitrary: fc.record({ fate: fc.constant('refused'), headers }) },
		{ weight: 1, arbitrary: fc.record({ fate: fc.constant('lost'), headers }) },
	);

	it('still sends every request successfully once', async () => {
		const answers = fc.array(answer, { minLength: 1, maxLength: 30, size: 'max' });
		const few = fc.array(arrival, { minLength: 1, maxLength: 40, size: 'max' });
		await fc.assert(
			fc.asyncProperty(answers, few, latencies, async (script, arrivals, latencies) => {
				// At the end of its script the service comes to its senses.
				let calls = 0;
				const serve = (): Served | undefined => {
					const { fate, headers } = script[calls++] ?? { fate: 'served', headers: {} };
					return fate === 'lost' ? undefined : { allowed: fate === 'served', headers };
				};
				const course = await simulate({ rate: DOCUMENTED, arrivals, serve, latencies });
				expectEachOnce(course);
			}),
			{ numRuns: 300 },
		);
	});

	it('costs one refusal per window if the reset is too early', async () => {
		const server = rateServer('fixed-first-request', 30, 60_000);
		const serve = (now: number): Served => {
			const state = server.take(now);
			const early = { ...state, resetAt: state.resetAt - 5_000 };
			const style: HeaderStyle = { family: 'X-RateLimit-*', reset: 'epoch milliseconds' };
			const retry = state.allowed ? {} : { 'retry-after': '5' };
			return { allowed: state.allowed, headers: { ...rateHeaders(style, early, now), ...retry } };
		};
		const arrivals = Array.from({ length: 120 }, () => 0);
		const course = await simulate({ rate: DOCUMENTED, arrivals, serve, latencies: [50] });
		expect(course.refusals).toBe(3);
		expect(course.finishedAt - course.startedAt).toBeLessThan(3 * 61_000);
	});
});

describe('first come, first served', () => {
	it('admits requests in the order of arrival', async () => {
		const scenario = fc.record({ style, limit, windowMs, latencies, arrivals });
		await fc.assert(
			fc.asyncProperty(scenario, async ({ style, limit, windowMs, latencies, arrivals }) => {
				const serve = truthful(rateServer('fixed-clock', limit, windowMs), style);
				const course = await simulate({ rate: DOCUMENTED, arrivals, serve, latencies });
				const byArrival = arrivals
					.map((delay, index) => ({ delay, index }))
					.sort((a, b) => a.delay - b.delay || a.index - b.index);
				expect(course.order).toEqual(byArrival.map(({ index }) => index));
			}),
			{ numRuns: 60 },
		);
	});
});
