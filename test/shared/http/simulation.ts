import { readRateHeaders, type Headers, type Rate } from '../../../nodes/shared/http/headers';
import { RateLimiter, RateLimitError } from '../../../nodes/shared/http/limiter';
import { RateLimiter as SandboxLimiter, type WindowState } from '../../../sandbox/shared/rateLimit';
import { FakeClock } from './fakeClock';

export const SERVER_KINDS = [
	/** Windows start at multiples of their length. */
	'fixed-clock',
	/** A window starts with its first request. */
	'fixed-first-request',
	/** The window is the last `windowMs`; the reset is when the oldest request leaves it. */
	'sliding-oldest',
	/** The same, but the reset is when all requests have left the window. */
	'sliding-all',
] as const;

type ServerKind = (typeof SERVER_KINDS)[number];

/** Counts one key's requests as the sandbox does. */
export function rateServer(kind: ServerKind, limit: number, windowMs: number) {
	let now = 0;
	let lastCounted = 0;
	const settings = {
		limit,
		windowMs,
		kind: kind.startsWith('sliding') ? ('sliding' as const) : ('fixed' as const),
		alignment: kind === 'fixed-clock' ? ('clock' as const) : ('first-request' as const),
	};
	const limiter = new SandboxLimiter(
		() => settings,
		() => now,
	);
	return (at: number): WindowState => {
		now = at;
		const state = limiter.take('key')!;
		if (state.allowed) lastCounted = at;
		return kind === 'sliding-all' ? { ...state, resetAt: lastCounted + windowMs } : state;
	};
}

/** How a service may write the reset; "up" and "down" say how it rounds to whole seconds. */
export const RESET_FORMATS = {
	'epoch seconds, up': (at: number) => String(Math.ceil(at / 1000)),
	'epoch seconds, down': (at: number) => String(Math.floor(at / 1000)),
	'epoch seconds with a fraction': (at: number) => (at / 1000).toFixed(3),
	'epoch milliseconds': (at: number) => String(Math.ceil(at)),
	'seconds from now, up': (at: number, now: number) => String(Math.ceil((at - now) / 1000)),
	'seconds from now, down': (at: number, now: number) => String(Math.floor((at - now) / 1000)),
	'HTTP date': (at: number) => new Date(at).toUTCString(),
	'ISO date': (at: number) => new Date(at).toISOString(),
	'date and time without zone': (at: number) =>
		new Date(at).toISOString().replace('T', ' ').replace(/\..*/, ''),
} satisfies Record<string, (at: number, now: number) => string>;

export type ResetFormat = keyof typeof RESET_FORMATS;

export function rateHeaders(format: ResetFormat, state: WindowState, now: number): Headers {
	return {
		'x-ratelimit-limit': String(state.limit),
		'x-ratelimit-remaining': String(state.remaining),
		'x-ratelimit-reset': RESET_FORMATS[format](state.resetAt, now),
	};
}

/** How the service treats a request. */
export interface Served {
	/** False if the limit refuses the request, so it isn't carried out. */
	allowed: boolean;
	headers: Headers;
}

export interface Scenario {
	/** The rate that the limiter starts with. */
	rate: Rate;
	/** When each request is made, in ms after the start. */
	arrivals: readonly number[];
	/** Serves a request at the service's time `now`; undefined means that the network fails. */
	serve(now: number, request: number): Served | undefined;
	/** Travel times in ms, in turn: there, back, there, back … */
	latencies: readonly number[];
}

export interface Course {
	/** Ms from the start to the last response. */
	ms: number;
	/** How often each request was carried out. */
	carriedOut: number[];
	/** When the service counted a request, in ms since the epoch. */
	servedAt: number[];
	refusals: number;
}

/** Sends requests through a limiter to a simulated service until all are carried out. */
export async function simulate(scenario: Scenario, clock = new FakeClock()): Promise<Course> {
	const { rate, arrivals, serve, latencies } = scenario;
	const limiter = new RateLimiter(rate, clock);
	const carriedOut = arrivals.map(() => 0);
	const course: Course = { ms: 0, carriedOut, servedAt: [], refusals: 0 };
	const startedAt = clock.now();
	let trips = 0;
	const travel = async () => await clock.sleep(latencies[trips++ % latencies.length] ?? 0);

	const run = {};
	const attempt = async (number: number) => {
		await travel();
		const served = serve(clock.now(), number);
		if (served?.allowed) {
			carriedOut[number]!++;
			course.servedAt.push(clock.now());
		}
		await travel();
		course.ms = clock.now() - startedAt;
		if (!served) throw new Error('The network failed');
		const { allowed, headers } = served;
		const report = readRateHeaders(headers, rate, clock.now());
		if (allowed) return { report };
		course.refusals++;
		return { rejectedFor: 'window' as const, report };
	};

	const request = async (number: number, delay: number) => {
		await clock.sleep(delay);
		while (carriedOut[number] === 0) {
			await limiter
				.schedule(async () => await attempt(number), { run })
				.catch(async (error) => {
					if (!(error instanceof RateLimitError)) return;
					// The user tries again when the error says to.
					await clock.sleep(error.opensAt - clock.now());
				});
		}
	};

	const all = Promise.all(arrivals.map((delay, number) => request(number, delay)));
	await Promise.race([all, clock.run()]);
	if (carriedOut.includes(0)) throw new Error('A request got stuck');
	await all;
	return course;
}

/** The most requests that a service counted in any span of `windowMs`. */
export function mostInAnyWindow(servedAt: readonly number[], windowMs: number): number {
	const sorted = [...servedAt].sort((a, b) => a - b);
	let most = 0;
	for (let from = 0, to = 0; to < sorted.length; to++) {
		while (sorted[to]! - sorted[from]! >= windowMs) from++;
		most = Math.max(most, to - from + 1);
	}
	return most;
}
