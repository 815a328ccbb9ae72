import { RateLimiter } from '../../../../nodes/shared/http/rateLimit/rateLimiter';
import type { Headers } from '../../../../nodes/shared/http/rateLimit/headers';
import { FakeClock } from '../fakeClock';
import {
	HEADER_FAMILIES,
	rateHeaders,
	rateServer,
	RESET_FORMATS,
	SERVER_KINDS,
} from './rateServers';
import type { HeaderFamily, ResetFormat, ServerKind, WindowState } from './rateServers';
import { simulate } from './simulation';
import type { Course, Served } from './simulation';

/**
 * 120 requests at 30 per minute, 0.1 s there and 0.1 s back: rejected, lost, and time against the
 * ideal of three windows. `VERBOSE=1` prints the table.
 */
const REQUESTS = 120;
const RATE = { limit: 30, windowMs: 60_000 };
const IDEAL_MS = (REQUESTS / RATE.limit - 1) * RATE.windowMs;
const HOUR_MS = 3_600_000;

const formats = Object.keys(RESET_FORMATS) as ResetFormat[];
const families = Object.keys(HEADER_FAMILIES) as HeaderFamily[];
const table: Array<Record<string, string | number>> = [];

afterAll(() => {
	if (process.env.VERBOSE) console.table(table);
});

async function run(
	serve: (now: number) => Served,
	clock = new FakeClock(),
	requests = REQUESTS,
): Promise<Course> {
	const arrivals = Array.from({ length: requests }, () => 0);
	return await simulate({ rate: RATE, arrivals, serve, latencies: [100] }, clock);
}

function figuresOf(name: string, course: Course) {
	const lost = course.carriedOut.filter((times) => times !== 1).length;
	const time = (course.finishedAt - course.startedAt) / IDEAL_MS;
	table.push({ service: name, refused: course.refusals, lost, 'time / ideal': time.toFixed(3) });
	return { refused: course.refusals, lost, time };
}

function truthful(kind: ServerKind, reset: ResetFormat, family: HeaderFamily = 'X-RateLimit-*') {
	const server = rateServer(kind, RATE.limit, RATE.windowMs);
	return (now: number): Served => {
		const state = server.take(now);
		return { allowed: state.allowed, headers: rateHeaders({ family, reset }, state, now) };
	};
}

describe('a sole user of a service with headers', () => {
	const cases = SERVER_KINDS.flatMap((kind) => formats.map((reset) => [kind, reset] as const));

	it.each(cases)('is never rejected and hardly delayed: %s, %s', async (kind, reset) => {
		for (const family of families) {
			const course = await run(truthful(kind, reset, family));
			const { refused, lost, time } = figuresOf(`${kind}, ${reset}, ${family}`, course);
			expect({ refused, lost }).toEqual({ refused: 0, lost: 0 });
			expect(time).toBeLessThanOrEqual(kind.startsWith('fixed') ? 1.05 : 1.2);
		}
	});
});

describe('a service whose headers are wrong or missing', () => {
	/** Headers that are made from the truth. */
	const styles: Record<string, (state: WindowState, now: number) => Headers> = {
		'no headers': () => ({}),
		'reset in local time, three hours ahead': ({ limit, remaining, resetAt }) => ({
			'x-ratelimit-limit': limit,
			'x-ratelimit-remaining': remaining,
			'x-ratelimit-reset': Math.ceil((resetAt + 3 * HOUR_MS) / 1000),
		}),
		'reset in local time, five hours behind': ({ limit, remaining, resetAt }) => ({
			'x-ratelimit-limit': limit,
			'x-ratelimit-remaining': remaining,
			'x-ratelimit-reset': Math.ceil((resetAt - 5 * HOUR_MS) / 1000),
		}),
		'reset in microseconds': ({ limit, remaining, resetAt }) => ({
			'x-ratelimit-limit': limit,
			'x-ratelimit-remaining': remaining,
			'x-ratelimit-reset': resetAt * 1000,
		}),
		'no reset': ({ remaining }) => ({ 'x-ratelimit-remaining': remaining }),
		'-1 of -1': () => ({ 'x-ratelimit-limit': -1, 'x-ratelimit-remaining': -1 }),
		'0 of 0': () => ({ 'x-ratelimit-limit': 0, 'x-ratelimit-remaining': 0 }),
		'a limit alone': ({ limit }) => ({ 'x-ratelimit-limit': limit }),
	};

	it.each(Object.entries(styles))(
		'costs neither refusals nor much time: %s',
		async (name, style) => {
			for (const kind of SERVER_KINDS) {
				const server = rateServer(kind, RATE.limit, RATE.windowMs);
				const course = await run((now) => {
					const state = server.take(now);
					return { allowed: state.allowed, headers: style(state, now) };
				});
				const { refused, lost, time } = figuresOf(`${kind}, ${name}`, course);
				expect({ refused, lost }).toEqual({ refused: 0, lost: 0 });
				expect(time).toBeLessThanOrEqual(1.2);
			}
		},
	);

	it('that always forecasts an empty window costs a minute per request, and loses nothing', async () => {
		const headers = {
			'x-ratelimit-limit': 30,
			'x-ratelimit-remaining': 0,
			'x-ratelimit-reset': 31 * 24 * 3_600,
		};
		const course = await run(() => ({ allowed: true, headers }), new FakeClock(), 10);
		figuresOf('10 requests, always "0 left for 31 days"', course);
		expect(course.finishedAt - course.startedAt).toBeLessThanOrEqual(9 * 60_200 + 200);
	});

	it('with windows twice as long as documented costs one refusal per window at most', async () => {
		const server = rateServer('fixed-first-request', RATE.limit, 2 * RATE.windowMs);
		const course = await run((now) => {
			const state = server.take(now);
			const style = { family: 'X-RateLimit-*', reset: 'epoch seconds, up' } as const;
			return { allowed: state.allowed, headers: rateHeaders(style, state, now) };
		});
		const { refused, lost, time } = figuresOf('fixed windows of 120 s', course);
		expect(lost).toBe(0);
		expect(refused).toBeLessThanOrEqual(3);
		expect(time).toBeLessThanOrEqual(2 * 1.05);
	});
});

describe('another program on the same key', () => {
	it.each(SERVER_KINDS)('causes no loss: another program on %s', async (kind) => {
		const clock = new FakeClock();
		const server = rateServer(kind, RATE.limit, RATE.windowMs);
		let foreign = clock.now();
		const course = await run((now) => {
			// Ten requests a minute.
			for (; foreign <= now; foreign += 6_000) server.take(foreign);
			const state = server.take(now);
			const style = { family: 'X-RateLimit-*', reset: 'epoch seconds, up' } as const;
			return { allowed: state.allowed, headers: rateHeaders(style, state, now) };
		}, clock);
		const { lost } = figuresOf(`${kind}, foreign program, 10 per minute`, course);
		expect(lost).toBe(0);
	});

	it.each(SERVER_KINDS)('causes no loss: two workers on %s', async (kind) => {
		const clock = new FakeClock();
		const serve = truthful(kind, 'epoch seconds, up');
		const courses = await Promise.all([
			run(serve, clock, REQUESTS / 2),
			run(serve, clock, REQUESTS / 2),
		]);
		for (const course of courses) {
			expect(figuresOf(`${kind}, one of two workers, 60 each`, course).lost).toBe(0);
		}
	});
});

describe('a run of one request', () => {
	it('behind a run of 600 waits for at most one window', async () => {
		const clock = new FakeClock();
		const limiter = new RateLimiter(RATE, clock);
		const server = rateServer('fixed-first-request', RATE.limit, RATE.windowMs);
		const send = async (run: object) => {
			const slot = await limiter.acquire({ run });
			await clock.sleep(100);
			const state = server.take(clock.now());
			const { remaining, resetAt } = state;
			limiter.release(slot, { report: { remaining, resetAt } });
		};
		const long = {};
		for (let at = 0; at < 600; at++) void send(long);
		await clock.advance(90_000);
		const start = clock.now();
		await clock.until(send({}));
		const windows = (clock.now() - start) / RATE.windowMs;
		table.push({
			service: '1 request behind 600',
			refused: 0,
			lost: 0,
			'time / ideal': `${windows.toFixed(2)} windows`,
		});
		expect(windows).toBeLessThanOrEqual(1);
	});
});

describe('50,000 requests that wait', () => {
	it('cost CPU time in proportion to their number', async () => {
		const perRequest = async (count: number) => {
			const clock = new FakeClock();
			const limiter = new RateLimiter({ limit: 1e9, windowMs: 60_000 }, clock);
			const run = {};
			const before = process.cpuUsage();
			const all = Array.from({ length: count }, async () => {
				const slot = await limiter.acquire({ run });
				await Promise.resolve();
				limiter.release(slot, { report: {} });
			});
			await Promise.all(all);
			const { user, system } = process.cpuUsage(before);
			return { micros: (user + system) / count, total: (user + system) / 1000 };
		};
		await perRequest(5_000);
		const few = await perRequest(5_000);
		const many = await perRequest(50_000);
		table.push({
			service: '50,000 requests',
			refused: 0,
			lost: 0,
			'time / ideal': `${many.total.toFixed(0)} ms CPU`,
		});
		// Quadratic cost would be ten times as much per request.
		expect(many.micros).toBeLessThan(5 * few.micros + 20);
	});
});
