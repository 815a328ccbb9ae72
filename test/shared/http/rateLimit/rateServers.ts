import type { Headers } from '../../../../nodes/shared/http/rateLimit/headers';

/** What a service knows about a key's window after it counted a request. */
export interface WindowState {
	allowed: boolean;
	limit: number;
	remaining: number;
	/** Ms since the epoch, on the service's clock. */
	resetAt: number;
}

/** A service's own count of one key's requests. Rejected requests are not counted. */
export interface RateServer {
	take(now: number): WindowState;
}

export const SERVER_KINDS = [
	/** Windows at multiples of their length. */
	'fixed-clock',
	/** A window starts with its first request. */
	'fixed-first-request',
	/** The last `windowMs` count; the reset is when the oldest request leaves them. */
	'sliding-oldest',
	/** The same; the reset is when all requests have left them. */
	'sliding-all',
] as const;

export type ServerKind = (typeof SERVER_KINDS)[number];

export function rateServer(kind: ServerKind, limit: number, windowMs: number): RateServer {
	return kind.startsWith('fixed')
		? new FixedWindow(limit, windowMs, kind === 'fixed-clock')
		: new SlidingWindow(limit, windowMs, kind === 'sliding-all');
}

class FixedWindow implements RateServer {
	private endsAt = -Infinity;
	private count = 0;

	constructor(
		private readonly limit: number,
		private readonly windowMs: number,
		private readonly byTheClock: boolean,
	) {}

	take(now: number): WindowState {
		if (now >= this.endsAt) {
			const start = this.byTheClock ? Math.floor(now / this.windowMs) * this.windowMs : now;
			this.endsAt = start + this.windowMs;
			this.count = 0;
		}
		const allowed = this.count < this.limit;
		if (allowed) this.count++;
		const remaining = this.limit - this.count;
		return { allowed, limit: this.limit, remaining, resetAt: this.endsAt };
	}
}

class SlidingWindow implements RateServer {
	private taken: number[] = [];

	constructor(
		private readonly limit: number,
		private readonly windowMs: number,
		private readonly resetWhenAllAreFree: boolean,
	) {}

	take(now: number): WindowState {
		this.taken = this.taken.filter((at) => at > now - this.windowMs);
		const allowed = this.taken.length < this.limit;
		if (allowed) this.taken.push(now);
		const decisive = (this.resetWhenAllAreFree ? this.taken.at(-1) : this.taken[0]) ?? now;
		const remaining = this.limit - this.taken.length;
		return { allowed, limit: this.limit, remaining, resetAt: decisive + this.windowMs };
	}
}

/** How a service may write the reset; "up" and "down" say how it comes to whole seconds. */
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

export const HEADER_FAMILIES = {
	'X-RateLimit-*': ({ limit, remaining }: WindowState, reset: string): Headers => ({
		'x-ratelimit-limit': String(limit),
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': reset,
	}),
	'RateLimit-*': ({ limit, remaining }: WindowState, reset: string): Headers => ({
		'ratelimit-limit': String(limit),
		'ratelimit-remaining': String(remaining),
		'ratelimit-reset': reset,
	}),
};

export type HeaderFamily = keyof typeof HEADER_FAMILIES;

export interface HeaderStyle {
	family: HeaderFamily;
	reset: ResetFormat;
}

export function rateHeaders(style: HeaderStyle, state: WindowState, now: number): Headers {
	const reset = RESET_FORMATS[style.reset](state.resetAt, now);
	return HEADER_FAMILIES[style.family](state, reset);
}
