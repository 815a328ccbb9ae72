import { z } from 'zod';
import type { Answer } from './answer';

export const refusalSchema = z.enum([
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
		limit: z.number().int().min(1).nullable(),
		windowMs: z.number().min(1),
		kind: z.enum(['fixed', 'sliding']),
		/** Where a fixed window starts: at its first request, or at multiples of its length. */
		alignment: z.enum(['first-request', 'clock']),
		/** What the reset header holds. Seconds are rounded up: never earlier than the reset. */
		reset: z.enum(['epochSeconds', 'epochMs', 'secondsFromNow', 'httpDate', 'isoDate']),
		/** Names of the headers. */
		family: z.enum(['x-ratelimit', 'ratelimit', 'none']),
		/** The response to a request above the limit. */
		refusal: refusalSchema,
	})
	.strict();

export type Refusal = z.infer<typeof refusalSchema>;
export type RateLimitSettings = z.infer<typeof rateLimitSchema>;
export type WindowSettings = Pick<RateLimitSettings, 'limit' | 'windowMs' | 'kind' | 'alignment'>;
export type HeaderSettings = Pick<RateLimitSettings, 'reset' | 'family'>;

export const DEFAULT_RATE_LIMIT: RateLimitSettings = {
	limit: 30,
	windowMs: 60_000,
	kind: 'fixed',
	alignment: 'first-request',
	reset: 'epochSeconds',
	family: 'x-ratelimit',
	refusal: '429-retry-after-seconds',
};

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

	/** Counts a request of the key if the limit allows it; null without a limit. */
	take(key: string): WindowState | null {
		const { limit } = this.settings();
		if (limit === null) return null;
		const taken = this.current(key);
		const allowed = taken.length < limit;
		if (allowed) taken.push(this.now());
		return this.describe(taken, limit, allowed);
	}

	/** The state of the key's window, without counting anything; null without a limit. */
	peek(key: string): WindowState | null {
		const { limit } = this.settings();
		if (limit === null) return null;
		const taken = this.current(key);
		return this.describe(taken, limit, taken.length < limit);
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

	private describe(taken: number[], limit: number, allowed: boolean): WindowState {
		return {
			allowed,
			limit,
			remaining: Math.max(0, limit - taken.length),
			resetAt: this.windowEnd(taken[0] ?? this.now()),
		};
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
	httpDate: (at) => httpDate(at),
	isoDate: (at) => new Date(at).toISOString(),
};

/** The response to a request above the limit, in the form that is set. */
export function refusalAnswer(
	refusal: Refusal,
	failure: Answer,
	message: string,
	{ resetAt }: WindowState,
	now: number,
): Answer {
	const isText = refusal.startsWith('403');
	const answer: Answer = isText ? { status: 403, type: 'text', body: message } : failure;
	const status = isText ? 403 : refusal === 'ok-error' ? 200 : 429;
	if (refusal.endsWith('seconds')) {
		return { ...answer, status, headers: { 'Retry-After': secondsUntil(resetAt, now) } };
	}
	if (refusal.endsWith('date')) {
		return { ...answer, status, headers: { 'Retry-After': httpDate(resetAt) } };
	}
	return { ...answer, status };
}

function secondsUntil(at: number, now: number): string {
	return String(Math.max(0, Math.ceil((at - now) / 1000)));
}

function httpDate(ms: number): string {
	return new Date(Math.ceil(ms / 1000) * 1000).toUTCString();
}
