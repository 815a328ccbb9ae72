import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './clock';
import { readMoment, SMALLEST_EPOCH_SECONDS } from './moments';

/** With names in lower case, as n8n's HTTP client returns them. */
export type Headers = Record<string, unknown>;

export interface Rate {
	/** Requests per window; at least 1. */
	limit: number;
	windowMs: number;
	/** Requests per day, if the key has a daily quota. */
	perDay?: number;
}

/** What a response says about the key's limits. What it doesn't say is undefined. */
export interface RateReport {
	/** Requests left in the window; never negative. */
	remaining?: number;
	leftToday?: number;
	/** When the window or the quota that the headers are about ends, in ms since the epoch. */
	resetAt?: number;
	/** When the service wants the next request (`Retry-After`), in ms since the epoch. */
	retryAt?: number;
}

/** Requests don't wait longer than this. A limit that lasts longer is a daily quota. */
export const LONGEST_WAIT_MS = 10 * MINUTE_MS;
/** No quota lasts longer than a month, so a later time is a mistake, e.g. one in microseconds. */
const FARTHEST_MS = 32 * DAY_MS;

const PREFIXES = ['x-ratelimit-', 'ratelimit-', 'x-rate-limit-'];

/**
 * Reads a response's rate-limit headers (docs/maintainers/services.md, "Link Management: limits"), and
 * `Retry-After`. The reset can be in Unix seconds or milliseconds, in seconds from now, or a date.
 *
 * If the headers are about the daily quota instead of the window, `remaining` is only set when it's
 * 0. A reset that would fit the window if it weren't off by whole hours has the wrong time zone.
 */
export function readRateHeaders(headers: Headers, rate: Rate, now: number): RateReport {
	const read = (name: string) => String(headers[name] ?? '').trim();
	const first = (...names: string[]) =>
		names.flatMap((name) => PREFIXES.map((prefix) => read(prefix + name))).find(Boolean) ?? '';
	const limit = wholeNumber(first('limit'));
	const left = wholeNumber(first('remaining'));
	// The time from now doesn't depend on anybody's clock.
	const reset = momentOf(first('reset-after', 'reset'), now, SECOND_MS);
	const retryAt = momentOf(read('retry-after'), now, 0);

	const { perDay, windowMs } = rate;
	const inMs = (reset ?? now) - now;
	const isFar = inMs > LONGEST_WAIT_MS;
	// Another plan may have as many requests per window as this one per day.
	const isOfDay = limit === perDay && (reset === undefined || inMs > windowMs + 2 * SECOND_MS);
	const isDaily = perDay !== undefined && limit !== rate.limit && (isFar || isOfDay);
	const isWrongZone = isFar && !isDaily && inMs % HOUR_MS <= windowMs + SECOND_MS;
	const resetAt = isWrongZone ? undefined : reset;
	// A limit below 1 means "unlimited" or nothing at all, and so does a negative number without a limit.
	const isCounted = left !== undefined && (limit ?? Math.min(left + 1, 1)) >= 1;
	const remaining = isCounted ? Math.max(0, left) : undefined;
	if (!isDaily) return { remaining, resetAt, retryAt };
	return { remaining: remaining === 0 ? 0 : undefined, leftToday: remaining, resetAt, retryAt };
}

/**
 * When the time in a header has definitely come, in ms since the epoch. Undefined if there's none, or
 * an implausible one.
 *
 * @param shortestMs a shorter wait is implausible, because services that know no time send 0. Any wait
 * may have been rounded down by as much.
 */
function momentOf(value: string, now: number, shortestMs: number): number | undefined {
	const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Infinity;
	const isWait = seconds < SMALLEST_EPOCH_SECONDS;
	if (seconds * SECOND_MS < shortestMs) return undefined;
	const at = readMoment(value) ?? Date.parse(value);
	// A time in whole seconds can be up to a second later.
	const reached = at % SECOND_MS === 0 ? at + SECOND_MS : at + 1;
	const moment = isWait ? now + seconds * SECOND_MS + shortestMs : reached;
	return moment <= now + FARTHEST_MS ? moment : undefined;
}

/** Reads the leading whole number, because some services send `30, 30;w=60`. */
function wholeNumber(value: string): number | undefined {
	const [written] = /^-?\d+(?=$|[\s,;])/.exec(value) ?? [];
	return written === undefined ? undefined : Number(written);
}
