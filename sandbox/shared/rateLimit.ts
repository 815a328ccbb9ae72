import { z } from 'zod';

export const rateLimitSchema = z
	.object({
		/** Requests per window; null: no limit and no headers. */
		limit: z.number().int().min(1).nullable().default(30),
		windowMs: z.number().min(1).default(60_000),
		/** What the reset header holds. Seconds are rounded up: never earlier than the reset. */
		reset: z.enum(['epochSeconds', 'epochMs']).default('epochSeconds'),
	})
	.strict();

type RateLimitSettings = z.infer<typeof rateLimitSchema>;

interface WindowSettings extends Pick<RateLimitSettings, 'limit' | 'windowMs'> {
	kind: 'fixed' | 'sliding';
	/** Where a fixed window starts: at its first request, or at multiples of its length. */
	alignment: 'first-request' | 'clock';
}

/** The state of one key's window after a request. */
export interface WindowState {
	allowed: boolean;
	limit: number;
	remaining: number;
	/** Milliseconds since the epoch, by the sandbox's clock. */
	resetAt: number;
}

/** Counts requests per key. Rejected requests are not counted. */
export class RateLimiter {
	private readonly takenAt = new Map<string, number[]>();

	constructor(
		private readonly settings: () => WindowSettings,
		private readonly now: () => number,
	) {}

	/** The state of the key's window, after counting a request if it allows one; null without a limit. */
	take(key: string, counts = true): WindowState | null {
		const { limit } = this.settings();
		if (limit === null) return null;
		const taken = this.current(key);
		const allowed = taken.length < limit;
		if (allowed && counts) taken.push(this.now());
		const remaining = Math.max(0, limit - taken.length);
		return { allowed, limit, remaining, resetAt: this.windowEnd(taken[0] ?? this.now()) };
	}

	reset(): void {
		this.takenAt.clear();
	}

	/** Times of the key's requests that still count. */
	private current(key: string): number[] {
		const { kind, windowMs } = this.settings();
		const taken = this.takenAt.get(key) ?? [];
		const now = this.now();
		if (kind === 'sliding') {
			while (taken[0] !== undefined && taken[0] + windowMs <= now) taken.shift();
		} else if (taken[0] !== undefined && this.windowEnd(taken[0]) <= now) {
			taken.length = 0;
		}
		this.takenAt.set(key, taken);
		return taken;
	}

	private windowEnd(firstRequestAt: number): number {
		const { alignment, kind, windowMs } = this.settings();
		if (kind === 'fixed' && alignment === 'clock') {
			return (Math.floor(firstRequestAt / windowMs) + 1) * windowMs;
		}
		return firstRequestAt + windowMs;
	}
}

/** The three headers that describe the window. */
export function rateLimitHeaders(
	state: WindowState | null,
	{ reset }: Pick<RateLimitSettings, 'reset'>,
): Record<string, string> {
	if (!state) return {};
	const { limit, remaining, resetAt } = state;
	return {
		'X-RateLimit-Limit': String(limit),
		'X-RateLimit-Remaining': String(remaining),
		'X-RateLimit-Reset': String(Math.ceil(reset === 'epochMs' ? resetAt : resetAt / 1000)),
	};
}

/** Tells a rejected client when to try again. */
export function retryAfter({ resetAt }: WindowState, now: number): Record<string, string> {
	return { 'Retry-After': String(Math.max(0, Math.ceil((resetAt - now) / 1000))) };
}
