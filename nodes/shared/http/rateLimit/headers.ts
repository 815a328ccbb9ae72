/** Header names in lower case, as Node and n8n's HTTP client deliver them. */
export type Headers = Record<string, unknown>;

/** A moment that a header names, and how precisely. */
export interface Moment {
	/** Milliseconds since the Unix epoch, on this machine's clock. */
	at: number;
	/** Width of the interval that starts at `at`, in ms: 1,000 for a value in whole seconds. */
	resolutionMs: number;
}

/** What one response says about the rate limit. A field is absent where the response is silent. */
export interface RateReport {
	/** Requests per window, at least 1. */
	limit?: number;
	/** Requests left in the current window. */
	remaining?: number;
	/** When the window ends. */
	reset?: Moment;
	/** When the service asks to be called again (`Retry-After`). */
	retry?: Moment;
}

/** Below this a number cannot be a current Unix time in seconds, so it counts seconds from now. */
const SMALLEST_EPOCH_SECONDS = 100_000_000;
/** From here on a number is a Unix time in milliseconds (in seconds it would be the year 5138). */
const SMALLEST_EPOCH_MS = 100_000_000_000;
/** `Date` has whole seconds and the response takes time: a smaller difference is not a wrong clock. */
const CLOCK_SKEW_TOLERANCE_MS = 3_000;
/** No quota is longer than a month, so a later moment is a mistake, e.g. a time in microseconds. */
const FARTHEST_MS = 32 * 24 * 60 * 60_000;
const SECOND = 1_000;

/**
 * Reads the rate-limit headers of a response, whichever family the service uses:
 * `X-RateLimit-*` (docs/services.md, "Link Management: limits"), `RateLimit-*`, the combined `RateLimit`
 * field with `RateLimit-Policy`, and `Retry-After`.
 *
 * The reset may be Unix seconds, Unix milliseconds, seconds from now or a date. Unix times and
 * dates are on the service's clock; where its `Date` header shows that the clocks differ, they
 * are converted to this machine's.
 *
 * @param now this machine's time in ms since the epoch
 */
export function readRateHeaders(headers: Headers, now: number): RateReport {
	const read = (...names: string[]) => names.map((name) => text(headers[name])).find(Boolean);
	const skew = clockSkew(read('date'), now);
	const combined = read('ratelimit') ?? '';
	const limitText = read('x-ratelimit-limit', 'x-rate-limit-limit', 'ratelimit-limit');
	const policy = read('ratelimit-policy') ?? '';
	const limit = wholeNumber(limitText) ?? member(combined, 'limit') ?? member(policy, 'q');
	const remaining =
		wholeNumber(read('x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining')) ??
		member(combined, 'remaining') ??
		member(combined, 'r');

	return compact({
		...countsOf(limit, remaining),
		reset:
			moment(read('x-ratelimit-reset', 'x-rate-limit-reset', 'ratelimit-reset'), now, skew) ??
			moment((member(combined, 'reset') ?? member(combined, 't'))?.toString(), now, skew),
		retry: exactSeconds(moment(read('retry-after'), now, skew), read('retry-after')),
	});
}

/**
 * A limit below 1 means "unlimited" or nothing. The remaining requests are below zero if a service
 * counts beyond its limit, or if nothing is limited.
 */
function countsOf(limit: number | undefined, remaining: number | undefined) {
	if (limit !== undefined && limit < 1) return {};
	if (remaining === undefined || remaining >= 0) return { limit, remaining };
	return { limit, remaining: limit === undefined ? undefined : 0 };
}

/** The moment that a header value names, or undefined where it names none. */
function moment(value: string | undefined, now: number, skew: number): Moment | undefined {
	const announced = value === undefined ? undefined : parseMoment(value, now, skew);
	return announced && announced.at <= now + FARTHEST_MS ? announced : undefined;
}

function parseMoment(value: string, now: number, skew: number): Moment | undefined {
	if (/^\d+(\.\d+)?$/.test(value)) {
		const number = Number(value);
		const exact = value.includes('.');
		if (number >= SMALLEST_EPOCH_MS) return { at: number + skew, resolutionMs: 1 };
		const at = number >= SMALLEST_EPOCH_SECONDS ? number * SECOND + skew : now + number * SECOND;
		return { at, resolutionMs: exact ? 1 : SECOND };
	}
	const time = parseDate(value);
	if (time === undefined) return undefined;
	return { at: time + skew, resolutionMs: /\.\d/.test(value) ? 1 : SECOND };
}

/** `Retry-After` in seconds already says how long to wait, with nothing cut off to add. */
function exactSeconds(announced: Moment | undefined, value = ''): Moment | undefined {
	return announced && /^\d+$/.test(value) ? { ...announced, resolutionMs: 0 } : announced;
}

/** A date without a zone is read as UTC: what servers mean, and the same on every machine. */
function parseDate(value: string): number | undefined {
	const zoneless = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)$/.exec(value);
	const time = Date.parse(zoneless ? `${zoneless[1]}T${zoneless[2]}Z` : value);
	return Number.isNaN(time) ? undefined : time;
}

/** What must be added to the service's time to get this machine's, in ms. */
function clockSkew(date: string | undefined, now: number): number {
	const serviceNow = date === undefined ? undefined : parseDate(date);
	if (serviceNow === undefined) return 0;
	const skew = now - serviceNow;
	return Math.abs(skew) <= CLOCK_SKEW_TOLERANCE_MS ? 0 : skew;
}

/** The number of `name=12` in a structured field such as `"default";r=12;t=30`. */
function member(field: string, name: string): number | undefined {
	const match = new RegExp(`(?:^|[;,\\s])${name}=(\\d+)`).exec(field);
	return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** The leading whole number: some services write `30, 30;w=60`. */
function wholeNumber(value: string | undefined): number | undefined {
	const match = value === undefined ? null : /^-?\d+(?=$|[\s,;])/.exec(value);
	return match ? Number(match[0]) : undefined;
}

function text(value: unknown): string | undefined {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof first === 'number') return String(first);
	return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined;
}

function compact(report: RateReport): RateReport {
	return Object.fromEntries(
		Object.entries(report).filter(([, value]) => value !== undefined),
	) as RateReport;
}
