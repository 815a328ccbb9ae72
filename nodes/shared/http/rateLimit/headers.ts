import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock';
import { readMoment, SMALLEST_EPOCH_SECONDS } from '../values';

/** Headers with names in lower case, as Node and n8n's HTTP client return them. */
export type Headers = Record<string, unknown>;

/** The documented limits of one key. */
export interface Rate {
	/** Requests per window; at least 1. */
	limit: number;
	windowMs: number;
	/** Requests per day, if the key has a daily quota. */
	perDay?: number;
}

/** What a response says about the documented window. What it doesn't say is undefined. */
export interface RateReport {
	/** Requests per window; at least 1. */
	limit?: number;
	/** Requests left in the window; never negative. */
	remaining?: number;
	/** When the window or the quota that the headers are about ends, in ms since the epoch. */
	resetAt?: number;
	/** When the service wants the next request (`Retry-After`), in ms since the epoch. */
	retryAt?: number;
}

/** If the reset is further away than this, it's about a quota per day or longer. */
export const LONG_WINDOW_MS = 10 * MINUTE_MS;
/**
 * `Date` is in whole seconds and responses take time, so smaller differences between clocks are
 * ignored.
 */
const CLOCK_SKEW_TOLERANCE_MS = 3_000;
/** No quota lasts longer than a month, so a later time is a mistake, e.g. one in microseconds. */
const FARTHEST_MS = 32 * DAY_MS;

/**
 * Reads a response's rate-limit headers in any of the common forms: `X-RateLimit-*`
 * (docs/services.md, "Link Management: limits"), `RateLimit-*`, the combined `RateLimit` with
 * `RateLimit-Policy`, and `Retry-After`.
 *
 * The reset can be in Unix seconds or milliseconds, in seconds from now, or a date. Unix times and
 * dates are converted from the service's clock to this machine's if the `Date` header shows that
 * they differ.
 *
 * If the headers are about the daily quota instead of the window, only `remaining: 0` is used. A
 * reset that would fit the window if it weren't off by whole hours has the wrong time zone and is
 * ignored.
 *
 * @param now this machine's time in ms since the epoch
 */
export function readRateHeaders(headers: Headers, rate: Rate, now: number): RateReport {
	const read = (...names: string[]) => names.map((name) => text(headers[name])).find(Boolean);
	const skew = clockSkew(read('date'), now);
	const combined = read('ratelimit') ?? '';
	const policy = read('ratelimit-policy') ?? '';
	const limit =
		wholeNumber(read('x-ratelimit-limit', 'x-rate-limit-limit', 'ratelimit-limit')) ??
		member(combined, 'limit') ??
		member(policy, 'q');
	const remaining =
		wholeNumber(read('x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining')) ??
		member(combined, 'remaining') ??
		member(combined, 'r');
	const resetAt =
		moment(read('x-ratelimit-reset', 'x-rate-limit-reset', 'ratelimit-reset'), now, skew) ??
		moment((member(combined, 'reset') ?? member(combined, 't'))?.toString(), now, skew);
	const retryAt = moment(read('retry-after'), now, skew, 0);

	const ahead = (resetAt ?? now) - now;
	const isFar = ahead > LONG_WINDOW_MS;
	const { perDay } = rate;
	const isDaily = perDay !== undefined && limit !== rate.limit && (isFar || limit === perDay);
	const counts = countsOf(limit, remaining);
	return {
		...(isDaily ? counts.remaining === 0 && { remaining: 0 } : counts),
		resetAt: isFar && !isDaily && isOffByHours(ahead, rate) ? undefined : resetAt,
		retryAt,
	};
}

/** Whether a reset would fit the documented window if it weren't off by whole hours. */
function isOffByHours(ahead: number, { windowMs }: Rate): boolean {
	return ahead % HOUR_MS <= windowMs + CLOCK_SKEW_TOLERANCE_MS;
}

/**
 * A limit below 1 means "unlimited" or nothing at all. `remaining` is negative if a service keeps
 * counting past its limit, or if there's no limit.
 */
function countsOf(limit: number | undefined, remaining: number | undefined) {
	if (limit !== undefined && limit < 1) return {};
	if (remaining === undefined || remaining >= 0) return { limit, remaining };
	return { limit, remaining: limit === undefined ? undefined : 0 };
}

/**
 * Parses the time in a header and returns when it has definitely come, in ms since the epoch. A
 * time in whole seconds can be up to a second later, except for a wait in seconds (`Retry-After`).
 * Undefined if there's no time, or an implausible one.
 */
function moment(
	value: string | undefined,
	now: number,
	skew: number,
	secondsOffBy = SECOND_MS,
): number | undefined {
	const at = parseMoment(value ?? '', now, skew, secondsOffBy);
	return at <= now + FARTHEST_MS ? at : undefined;
}

/** NaN if it isn't a time. */
function parseMoment(value: string, now: number, skew: number, secondsOffBy: number): number {
	const offBy = /\.\d/.test(value) ? 1 : SECOND_MS;
	const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
	if (number !== undefined && number < SMALLEST_EPOCH_SECONDS) {
		return now + number * SECOND_MS + Math.min(offBy, secondsOffBy);
	}
	const time = readMoment(number ?? value) ?? NaN;
	return time + skew + (time === number ? 1 : offBy);
}

/** How far this machine's clock is ahead of the service's, in ms. */
function clockSkew(date: string | undefined, now: number): number {
	const serviceNow = readMoment(date);
	if (serviceNow === undefined) return 0;
	const skew = now - serviceNow;
	return Math.abs(skew) <= CLOCK_SKEW_TOLERANCE_MS ? 0 : skew;
}

/** Reads 12 from `name=12` in a structured field such as `"default";r=12;t=30`. */
function member(field: string, name: string): number | undefined {
	const match = new RegExp(`(?:^|[;,\\s])${name}=(\\d+)`).exec(field);
	return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** Reads the leading whole number, because some services send `30, 30;w=60`. */
function wholeNumber(value: string | undefined): number | undefined {
	const match = value === undefined ? null : /^-?\d+(?=$|[\s,;])/.exec(value);
	return match ? Number(match[0]) : undefined;
}

function text(value: unknown): string | undefined {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof first === 'number') return String(first);
	return typeof first === 'string' ? first.trim() : undefined;
}
