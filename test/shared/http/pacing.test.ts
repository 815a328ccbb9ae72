import fc from 'fast-check';

import type { Headers, Rate } from '../../../nodes/shared/http/headers';
import type { WindowState } from '../../../sandbox/shared/rateLimit';
import { FakeClock } from './fakeClock';
import {
	mostInAnyWindow,
	rateHeaders,
	rateServer,
	RESET_FORMATS,
	SERVER_KINDS,
	simulate,
} from './simulation';
import type { Course, ResetFormat, Scenario, Served } from './simulation';

const MINUTE = 60_000;
const DOCUMENTED: Rate = { limit: 30, windowMs: MINUTE };
/** Half of the time after which a slow first request no longer holds up other requests. */
const LONGEST_TRIP_MS = 900;
const USUAL: ResetFormat = 'epoch seconds, up';

const format = fc.constantFrom(...(Object.keys(RESET_FORMATS) as ResetFormat[]));
const limit = fc.integer({ min: 1, max: 40 });
/** Up to the documented length. */
const windowMs = fc.integer({ min: 5_000, max: MINUTE });
const latencies = fc.array(fc.integer({ min: 0, max: LONGEST_TRIP_MS }), {
	minLength: 1,
	maxLength: 41,
	size: 'max',
});
const arrival = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: MINUTE }));
const arrivals = fc.array(arrival, { minLength: 1, maxLength: 120, size: 'max' });

/** A service whose headers are correct. */
function truthful(server: (now: number) => WindowState, reset: ResetFormat = USUAL) {
	return (now: number): Served => {
		const state = server(now);
		return { allowed: state.allowed, headers: rateHeaders(reset, state, now) };
	};
}

/** Simultaneous requests at the documented rate that take 0.1 s there and 0.1 s back. */
async function burst(count: number, serve: Scenario['serve']): Promise<Course> {
	const all = Array.from({ length: count }, () => 0);
	return await simulate({ rate: DOCUMENTED, arrivals: all, serve, latencies: [100] });
}

function expectEachOnce(course: Course): void {
	expect(course.carriedOut.every((times) => times === 1)).toBe(true);
}

// The first holds while a round trip takes less than 2 s, the clocks agree or the reset is relative,
// and the window is longer than a round trip. Responses may overtake each other.
it.each(SERVER_KINDS)(
	'gets no request refused, or sends it again if others use the key, with windows of type %s',
	async (kind) => {
		// Others use up to half of each window. The limiter must find the rest without giving up.
		const other = fc.integer({ min: 0, max: 600_000 });
		const others = fc.oneof(
			{ weight: 5, arbitrary: fc.constant<number[]>([]) },
			{ weight: 2, arbitrary: fc.array(other, { maxLength: 100, size: 'max' }) },
		);
		const scenario = fc.record({ format, limit, windowMs, latencies, arrivals, others });
		await fc.assert(
			fc.asyncProperty(scenario, async ({ limit, others, windowMs, format, ...scenario }) => {
				const server = rateServer(kind, others.length > 0 ? 10 : limit, windowMs);
				const clock = new FakeClock();
				const due = others.map((delay) => clock.now() + delay).sort((a, b) => a - b);
				const serve = (now: number): Served => {
					while (due[0] !== undefined && due[0] <= now) server(due.shift()!);
					return truthful(server, format)(now);
				};
				const course = await simulate({ rate: DOCUMENTED, serve, ...scenario }, clock);
				if (others.length === 0) expect(course.refusals).toBe(0);
				expectEachOnce(course);
			}),
			{ numRuns: 100 },
		);
	},
);

it.each(SERVER_KINDS)(
	'sends 120 requests at 30 a minute in little more than three minutes, with windows of type %s',
	async (kind) => {
		for (const format of Object.keys(RESET_FORMATS) as ResetFormat[]) {
			const course = await burst(120, truthful(rateServer(kind, 30, MINUTE), format));
			expect(course.refusals).toBe(0);
			expect(course.ms).toBeLessThanOrEqual(1.05 * 3 * MINUTE);
		}
	},
);

describe('Pacing without headers', () => {
	const serve = (): Served => ({ allowed: true, headers: {} });

	it('never sends more than the documented number of requests in any window', async () => {
		const scenario = fc.record({ limit, windowMs, latencies, arrivals });
		await fc.assert(
			fc.asyncProperty(scenario, async ({ limit, windowMs, latencies, arrivals }) => {
				const rate = { limit, windowMs };
				const course = await simulate({ rate, arrivals, serve, latencies });
				expect(mostInAnyWindow(course.servedAt, windowMs)).toBeLessThanOrEqual(limit);
				expectEachOnce(course);
			}),
			{ numRuns: 80 },
		);
	});

	it('counts failed attempts, because they may have reached the service', async () => {
		let calls = 0;
		const course = await burst(30, () => (++calls % 2 === 0 ? serve() : undefined));
		expect(course.ms).toBeGreaterThanOrEqual(MINUTE);
	});
});

describe('Pacing by unreliable headers', () => {
	const HOUR = 60 * MINUTE;
	const withReset = ({ limit, remaining }: WindowState, reset: number): Headers => ({
		'x-ratelimit-limit': limit,
		'x-ratelimit-remaining': remaining,
		'x-ratelimit-reset': reset,
	});
	const local = (state: WindowState, hours: number) =>
		withReset(state, Math.ceil((state.resetAt + hours * HOUR) / 1000));

	it.each<[string, (state: WindowState, number: number) => Headers]>([
		['no headers', () => ({})],
		['no headers after the first window', (state, number) => (number <= 30 ? local(state, 0) : {})],
		['a reset in local time, three hours ahead', (state) => local(state, 3)],
		['a reset in local time, five hours behind', (state) => local(state, -5)],
		['a reset in microseconds', (state) => withReset(state, state.resetAt * 1000)],
		['no reset', ({ remaining }) => ({ 'x-ratelimit-remaining': remaining })],
		['a limit of -1', () => ({ 'x-ratelimit-limit': -1, 'x-ratelimit-remaining': -1 })],
		['a limit of 0', () => ({ 'x-ratelimit-limit': 0, 'x-ratelimit-remaining': 0 })],
		['a limit alone', ({ limit }) => ({ 'x-ratelimit-limit': limit })],
	])('sends requests without refusals and long waits with %s', async (_, headersOf) => {
		for (const kind of SERVER_KINDS) {
			const server = rateServer(kind, 30, MINUTE);
			let number = 0;
			const course = await burst(120, (now) => {
				const state = server(now);
				return { allowed: state.allowed, headers: headersOf(state, ++number) };
			});
			expect(course.refusals).toBe(0);
			expectEachOnce(course);
			expect(course.ms).toBeLessThanOrEqual(3 * MINUTE * 1.2);
		}
	});

	it('gets one refusal per window that lasts longer than documented or announced', async () => {
		const longer = truthful(rateServer('fixed-first-request', 30, 2 * MINUTE));
		expect((await burst(120, longer)).refusals).toBeLessThanOrEqual(3);
		const server = rateServer('fixed-first-request', 30, MINUTE);
		const early = await burst(120, (now) => {
			const state = server(now);
			const said = { ...state, resetAt: state.resetAt - 5_000 };
			const retry = state.allowed ? {} : { 'retry-after': '5' };
			return { allowed: state.allowed, headers: { ...rateHeaders(USUAL, said, now), ...retry } };
		});
		expect(early.refusals).toBe(3);
		expect(early.ms).toBeLessThan(3 * 63_000);
	});

	const number = fc.oneof(
		fc.integer({ min: -1_000, max: 2_000 }).map(String),
		fc.constantFrom('', 'many', '-1', '1e9', '99999999999999999999', 'NaN', '12.5'),
	);
	const past = fc.integer({ min: 0, max: 100 }).map((s) => `${1_700_000_000 + s}`);
	const lies = fc.record(
		{
			'x-ratelimit-limit': number,
			'x-ratelimit-remaining': number,
			'x-ratelimit-reset': fc.oneof(number, past, fc.constantFrom('0', 'soon', '-5')),
			'retry-after': fc.constantFrom('0', '1', '30', 'Thu, 01 Jan 1970 00:00:00 GMT', 'later'),
		},
		{ requiredKeys: [] },
	);

	it('carries out every request once, whatever the headers say', async () => {
		const fate = fc.oneof(
			{ weight: 6, arbitrary: fc.constant('served') },
			{ weight: 2, arbitrary: fc.constant('refused') },
			{ weight: 1, arbitrary: fc.constant('lost') },
		);
		const answers = fc.array(fc.record({ fate, headers: lies }), {
			minLength: 1,
			maxLength: 30,
			size: 'max',
		});
		const few = fc.array(arrival, { minLength: 1, maxLength: 40, size: 'max' });
		await fc.assert(
			fc.asyncProperty(answers, few, latencies, async (script, arrivals, latencies) => {
				// After the script, the service answers normally.
				let calls = 0;
				const serve = (): Served | undefined => {
					const { fate, headers } = script[calls++] ?? { fate: 'served', headers: {} };
					return fate === 'lost' ? undefined : { allowed: fate === 'served', headers };
				};
				expectEachOnce(await simulate({ rate: DOCUMENTED, arrivals, serve, latencies }));
			}),
			{ numRuns: 150 },
		);
	});
});
