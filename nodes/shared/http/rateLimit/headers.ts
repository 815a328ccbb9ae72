import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock';
import { readMoment, SMALLEST_EPOCH_SECONDS } from '../values';

/** Header names in lower case, as Node and n8n's HTTP client deliver them. */
export type Headers = Record<string, unknown>;

/** What a service documents for one key. */
export interface Rate {
	/** Requests per window; at least 1. */
	limit: number;
	windowMs: number;
	/** Requests per day, where the service has such a quota. */
	perDay?: number;
}

/** What one response says about the documented window. A field is absent where it says nothing. */
export interface RateReport {
	/** Requests per window, at least 1. */
	limit?: number;
	/** Requests left in the window; never negative. */
	remaining?: number;
	/** When the headers' window or quota ends, in ms since the epoch. */
	resetAt?: number;
	/** When the service asks to be called again (`Retry-After`), in ms since the epoch. */
	retryAt?: number;
}

/** A reset that is further away than this belongs to a quota per day or longer. */
export const LONG_WINDOW_MS = 10 * MINUTE_MS;
/**
 * `Date` has whole seconds and a response takes time, so a smaller difference doesn't mean a wrong
 * clock.
 */
const CLOCK_SKEW_TOLERANCE_MS = 3_000;
/** No quota is longer than a month, so a later moment is a mistake, e.g. a time in microseconds. */
const FARTHEST_MS = 32 * DAY_MS;

/**
 * Reads the rate-limit headers of a response, whichever family the service uses:
 * `X-RateLimit-*` (docs/services.md, "Link Management: limits"), `RateLimit-*`, the combined `RateLimit`
 * field with `RateLimit-Policy`, and `Retry-After`.
 *
 * The reset may be Unix seconds, Unix milliseconds, seconds from now or a date. Unix times and
 * dates are on the service's clock; where its `Date` header shows that the clocks differ, they
 * are converted to this machine's.
 *
 * If the headers describe the daily quota instead of the window, only `remaining: 0` counts. A reset
 * that is whole hours too late for the window is in another time zone and is ignored.
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

	const isFar = resetAt !== undefined && resetAt - now > LONG_WINDOW_MS;
	const { perDay } = rate;
	const isDaily = perDay !== undefined && limit !== rate.limit && (isFar || limit === perDay);
	const counts = countsOf(limit, remaining);
	return {
		...(isDaily ? counts.remaining === 0 && { remaining: 0 } : counts),
		resetAt: isFar && !isDaily && isOtherZone(resetAt - now, rate) ? undefined : resetAt,
		retryAt,
	};
}

/** Whether a reset would be one of the documented window, but for the hours. */
function isOtherZone(ahead: number, { windowMs }: Rate): boolean {
	return ahead % HOUR_MS <= windowMs + CLOCK_SKEW_TOLERANCE_MS;
}

/**
 * A limit below 1 means "unlimited" or nothing. `remaining` is negative if a service counts beyond its
 * limit, or if nothing is limited.
 */
function countsOf(limit: number | undefined, remaining: number | undefined) {
	if (limit !== undefined && limit < 1) return {};
	if (remaining === undefined || remaining >= 0) return { limit, remaining };
	return { limit, remaining: limit === undefined ? undefined : 0 };
}

/**
 * The earliest time by which a header's moment has definitely come; undefined if it names none. A value
 * in whole seconds can mean a moment up to a second later, except for a wait in seconds
 * (`Retry-After`).
 */
function moment(
	value: string | undefined,
	now: number,
	skew: number,
	secondsOffBy = SECOND_MS,
): number | undefined {
	if (value === undefined) return undefined;
	const at = parseMoment(value, now, skew, secondsOffBy);
	return at !== undefined && at <= now + FARTHEST_MS ? at : undefined;
}

function parseMoment(
	value: string,
	now: number,
	skew: number,
	secondsOffBy: number,
): number | undefined {
	const offBy = /\.\d/.test(value) ? 1 : SECOND_MS;
	const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
	if (number !== undefined && number < SMALLEST_EPOCH_SECONDS) {
		return now + number * SECOND_MS + Math.min(offBy, secondsOffBy);
	}
	const time = readMoment(number ?? value);
	if (time === undefined) return undefined;
	return time + skew + (time === number ? 1 : offBy);
}

/** How far this machine's clock is ahead of the service's, in ms. */
function clockSkew(date: string | undefined, now: number): number {
	const serviceNow = readMoment(date);
	if (serviceNow === undefined) return 0;
	const skew = now - serviceNow;
	return Math.abs(skew) <= CLOCK_SKEW_TOLERANCE_MS ? 0 : skew;
}

/** The number of `name=12` in a structured field such as `"default";r=12;t=30`. */
function member(field: string, name: string): number | undefined {
	const match = new RegExp(`(?:^|[;,\\s])${name}=(\\d+)`).exec(field);
	return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** The leading whole number. Some services write `30, 30;w=60`. */
function wholeNumber(value: string | undefined): number | undefined {
	const match = value === undefined ? null : /^-?\d+(?=$|[\s,;])/.exec(value);
	return match ? Number(match[0]) : undefined;
}

function text(value: unknown): string | undefined {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof first === 'number') return String(first);
	return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined;
}
