import { z } from 'zod';
import type { Answer } from './answer';

const refusalSchema = z.enum([
	/** 429 without Retry-After. */
	'429',
	'429-retry-after-seconds',
	'429-retry-after-date',
	/** 200 with the service's error body. */
	'ok-error',
	/** 403 with a sentence as plain text. */
	'403-text',
	/** 403 with a sentence as plain text, and Retry-After in seconds. */
	'403-text-retry-after-seconds',
]);

export const rateLimitSchema = z
	.object({
		/** Requests per window; null: no limit and no headers. */
		limit: z.number().int().min(1).nullable().default(30),
		windowMs: z.number().min(1).default(60_000),
		kind: z.enum(['fixed', 'sliding']).default('fixed'),
		/** Where a fixed window starts: at its first request, or at multiples of its length. */
		alignment: z.enum(['first-request', 'clock']).default('first-request'),
		/** What the reset header holds. Seconds are rounded up: never earlier than the reset. */
		reset: z
			.enum(['epochSeconds', 'epochMs', 'secondsFromNow', 'httpDate', 'isoDate'])
			.default('epochSeconds'),
		/** Names of the headers. */
		family: z.enum(['x-ratelimit', 'ratelimit', 'none']).default('x-ratelimit'),
		/** The response to a request above the limit. */
		refusal: refusalSchema.default('429-retry-after-seconds'),
	})
	.strict();

type RateLimitSettings = z.infer<typeof rateLimitSchema>;
type WindowSettings = Pick<RateLimitSettings, 'limit' | 'windowMs' | 'kind' | 'alignment'>;
type HeaderSettings = Pick<RateLimitSettings, 'reset' | 'family'>;

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

/** The three headers that describe the window, in the configured family and reset format. */
export function rateLimitHeaders(
	state: WindowState | null,
	settings: HeaderSettings,
	now: number,
): Record<string, string> {
	if (!state || settings.family === 'none') return {};
	const prefix = settings.family === 'x-ratelimit' ? 'X-RateLimit' : 'RateLimit';
	return {
		[`${prefix}-Limit`]: String(state.limit),
		[`${prefix}-Remaining`]: String(state.remaining),
		[`${prefix}-Reset`]: RESET_FORMATS[settings.reset](state.resetAt, now),
	};
}

const RESET_FORMATS: Record<RateLimitSettings['reset'], (at: number, now: number) => string> = {
	epochSeconds: (at) => String(Math.ceil(at / 1000)),
	epochMs: (at) => String(Math.ceil(at)),
	secondsFromNow: secondsUntil,
	httpDate,
	isoDate: (at) => new Date(at).toISOString(),
};

/** The response to a request above the limit, in the form that is set. */
export function refusalAnswer(
	refusal: RateLimitSettings['refusal'],
	failure: Answer,
	message: string,
	{ resetAt }: WindowState,
	now: number,
): Answer {
	const isText = refusal.startsWith('403');
	const answer: Answer = isText ? { status: 403, type: 'text', body: message } : failure;
	const status = isText ? 403 : refusal === 'ok-error' ? 200 : 429;
	const waits = { seconds: secondsUntil(resetAt, now), date: httpDate(resetAt) };
	const [, wait] = /-(seconds|date)$/.exec(refusal) ?? [];
	return { ...answer, status, ...(wait && { headers: { 'Retry-After': waits[wait as 'date'] } }) };
}

function secondsUntil(at: number, now: number): string {
	return String(Math.max(0, Math.ceil((at - now) / 1000)));
}

function httpDate(ms: number): string {
	return new Date(Math.ceil(ms / 1000) * 1000).toUTCString();
}
