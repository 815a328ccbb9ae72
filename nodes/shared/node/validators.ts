import { InputError } from '../http/inputError';
import { readId } from '../http/json';
import { readMoment } from '../http/moments';
import { asText, isBlank, wholeDigitsIn, wholeNumberIn, yesOrNo } from './values';

/**
 * Returns what the user entered, in the form that the service expects.
 *
 * @param label names the parameter in the error, as the panel does
 * @param timezone the workflow's. Default: UTC
 * @throws InputError if the value isn't valid
 */
export type Validator<T = unknown> = (value: unknown, label: string, timezone?: () => string) => T;

export function emptyParameter(label: string): InputError {
	return new InputError(
		`The parameter "${label}" is empty`,
		'Enter a value or an expression that returns one.',
	);
}

/** What to do if there's no better advice. */
const CORRECT_IT = 'Correct the value, or the expression that returns it.';

/** The error for a value that isn't as expected, e.g. "must be a number". It quotes the value. */
export function invalid(
	value: unknown,
	label: string,
	expectation: string,
	hint = CORRECT_IT,
): InputError {
	// Drop the quotation marks that JSON puts around a date.
	const json = () => (JSON.stringify(value) ?? String(value)).replace(/^"(.*)"$/, '$1');
	const given = typeof value === 'object' ? json() : String(value);
	return new InputError(`The parameter "${label}" ${expectation}`, hint, given);
}

/** Accepts what `read` finds in a value. If it finds nothing, the value isn't as expected. */
function rule<T>(
	read: (value: unknown) => T | undefined,
	expectation: string,
	hint?: string,
): Validator<T> {
	return (value, label) => {
		const result = read(value);
		if (result === undefined) throw invalid(value, label, expectation, hint);
		return result;
	};
}

export const text = rule(
	asText,
	'must be text',
	'Use an expression that returns text, for example one field of an object.',
);

/** Text that must not appear in errors, such as a password. It isn't trimmed. */
export const secret: Validator<string> = (value, label) => {
	const given = typeof value === 'string' ? value : asText(value);
	if (given !== undefined) return given;
	throw new InputError(`The parameter "${label}" must be text`, CORRECT_IT);
};

/** A record's ID as text, which can be larger than a number can hold. */
export const positiveId = rule(
	(value) => {
		const isExact = typeof value === 'string' || Number.isSafeInteger(value);
		const id = readId(isExact ? wholeDigitsIn(value) : undefined) ?? '';
		return /^\d+$/.test(id) ? id : undefined;
	},
	'must be a positive whole number',
	"Enter the record's ID, for example 42.",
);

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): Validator<number> {
	const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
	return rule((value) => {
		const number = wholeNumberIn(value) ?? NaN;
		return number >= min && number <= max ? number : undefined;
	}, `must be a whole number ${range}`);
}

/** Reads an optional number, for which an expression may return nothing: that's 0. */
export function readCount(value: unknown, label: string): number {
	return isBlank(value) ? 0 : wholeNumber(0)(value, label);
}

export const flag = rule(yesOrNo, 'must be true or false');

/** Reads a boolean parameter, which an expression may return as `"false"`, 0 or `"Yes"`. */
export function readFlag(value: unknown, label: string, fallback = false): boolean {
	return isBlank(value) ? fallback : flag(value, label);
}

function written(isRight: (text: string) => boolean, expectation: string, hint: string) {
	const read = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
	return rule((value) => (isRight(read(value)) ? read(value) : undefined), expectation, hint);
}

/** A color in the format `#RRGGBB` (docs/maintainers/services.md, "Link Management: records"). */
export const hexColor = written(
	(given) => /^#[0-9a-f]{6}$/i.test(given),
	'must be a color in the format #RRGGBB',
	'Enter a hex color, for example #3B82F6.',
);

export const webAddress = written(
	(given) => /^https?:\/\/[^\s/]+/i.test(given) && URL.canParse(given),
	'must be a URL that starts with http:// or https://',
	'Enter a full URL, for example https://example.com/page.',
);

export const emailAddress = written(
	(given) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(given),
	'must be an email address',
	'Enter an address such as name@example.com.',
);

const ISO_DATE = /^(\d{4}-\d\d-\d\d)([T ].*?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * A date as `YYYY-MM-DD`. A time with a zone, and what n8n's expressions return for a date, is the day that it
 * is in the workflow's zone.
 */
export const calendarDate: Validator<string> = (value, label, timezone = () => 'UTC') => {
	const given = typeof value === 'string' ? value.trim() : '';
	const [, date, time, zone] = ISO_DATE.exec(given) ?? [];
	// A day that doesn't exist, such as 30 February, becomes one of the next month.
	const isReal = date !== undefined && new Date(date).getUTCDate() === Number(date.slice(-2));
	if (isReal && time === undefined) return date;
	const moment = isReal || typeof value === 'object' ? readMoment(value) : undefined;
	if (moment !== undefined) {
		if (isReal && zone === undefined) return date;
		// Swedish dates are ISO dates.
		const day = new Intl.DateTimeFormat('sv', { timeZone: timezone() }).format(moment);
		if (ISO_DATE.test(day)) return day;
	}
	throw invalid(
		value,
		label,
		'must be a date such as 2030-12-31',
		'Check that the day exists, or enter a date in the format YYYY-MM-DD.',
	);
};

/** Accepts only the given values, which are the ones that the API documents. */
export function oneOf<T extends string>(values: readonly T[]): Validator<T> {
	const find = (value: unknown) => values.find((each) => each === value);
	return rule(find, `must be one of ${values.join(', ')}`);
}

/** The end of a short link, without the slash that people copy with it. */
export const linkEnding = rule(
	(value) => {
		const ending = asText(value) ?? '';
		return ending.includes('://') ? undefined : ending.replace(/^\/+|\/+$/g, '') || undefined;
	},
	'must be the ending of a link',
	'Enter only what comes after the domain, for example invoice-2030-01.',
);

/**
 * A file name that becomes the last segment of a path. Slashes are replaced by hyphens, because a
 * proxy might decode an encoded slash and look for a folder.
 */
export const fileName = rule(
	(value) => {
		const name = typeof value === 'string' ? value.trim().replace(/[/\\]/g, '-') : '';
		return /^\.{0,2}$/.test(name) || /\p{Cc}/u.test(name) ? undefined : name;
	},
	'must be a file name with its extension',
	'Enter a name with an extension, for example invoice.pdf.',
);
