import { InputError } from '../http/errors';

/**
 * Checks one value the user gave: returns it in the form that the service expects, or what is
 * wrong with it.
 */
export type Validator = (value: unknown) => unknown;

/** Says what a value must be; the parameter's name is put before it. */
export class ValidationFailure {
	constructor(
		/** Continues `The parameter "…"`, e.g. "must be a positive whole number". */
		readonly expectation: string,
		readonly hint?: string,
	) {}
}

/**
 * Applies a rule to a parameter's value.
 *
 * @param label the parameter's display name
 * @returns the value as the service expects it, or a problem that names the parameter
 */
export function checked(validator: Validator, value: unknown, label: string): unknown {
	const result = validator(value);
	if (!(result instanceof ValidationFailure)) return result;
	return new InputError(`The parameter "${label}" ${result.expectation}`, result.hint);
}

/**
 * The same for a value that is needed at once.
 *
 * @throws InputError that names the parameter and shows the value
 */
export function required<T>(validator: Validator, value: unknown, label: string): T {
	const result = checked(validator, value, label);
	if (result instanceof InputError) throw result;
	return result as T;
}

/** Nothing was filled in: an optional field is then left out, a required one is an error. */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

export function emptyParameter(label: string): InputError {
	return new InputError(`The parameter "${label}" is empty`, 'Fill it in.');
}

const LONGEST_QUOTE = 40;

/** Ends an expectation with what came instead. */
export function got(value: unknown): string {
	const shown = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
	const cut = shown.length > LONGEST_QUOTE ? `${shown.slice(0, LONGEST_QUOTE)}…` : shown;
	return `but it is "${cut}"`;
}

/** Any text; numbers become text, since a spreadsheet's column of names may hold a number. */
export const text: Validator = (value) => {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return new ValidationFailure(`must be text, ${got(value)}`, 'Use an expression that gives text.');
};

/** A value that must not be repeated in errors, such as a password. */
export const secret: Validator = (value) => {
	if (typeof value === 'string') return value;
	return new ValidationFailure('must be text');
};

/** An id (link-management spec, "Conventions": ids are integers). */
export const positiveId: Validator = (value) => {
	const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	if (typeof number === 'number' && Number.isSafeInteger(number) && number > 0) {
		return String(number);
	}
	return new ValidationFailure(
		`must be a positive whole number, ${got(value)}`,
		'Pick the record from the list, or enter its ID, e.g. 42',
	);
};

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): Validator {
	const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
	return (value) => {
		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) {
			return number;
		}
		return new ValidationFailure(`must be a whole number ${range}, ${got(value)}`);
	};
}

export const flag: Validator = (value) => {
	if (typeof value === 'boolean') return value;
	if (value === 'true' || value === 1) return true;
	if (value === 'false' || value === 0) return false;
	return new ValidationFailure(`must be true or false, ${got(value)}`);
};

/** A badge colour (spec, "Channel": HEX, form `#RRGGBB`). */
export const hexColor: Validator = (value) => {
	if (typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value.trim())) return value.trim();
	return new ValidationFailure(
		`must be a color of the form #RRGGBB, ${got(value)}`,
		'For example #3B82F6',
	);
};

export const webAddress: Validator = (value) => {
	const given = typeof value === 'string' ? value.trim() : '';
	if (/^https?:\/\/[^\s/]+/i.test(given) && URL.canParse(given)) return given;
	return new ValidationFailure(
		`must be a web address with http:// or https://, ${got(value)}`,
		'For example https://example.com/page',
	);
};

export const emailAddress: Validator = (value) => {
	if (typeof value === 'string' && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim())) {
		return value.trim();
	}
	return new ValidationFailure(
		`must be an email address, ${got(value)}`,
		'For example name@example.com',
	);
};

/** A calendar date, `YYYY-MM-DD`; of a date with a time, the date as it is written. */
export const calendarDate: Validator = (value) => {
	const written = isDateLike(value) ? value.toISODate() : value;
	const match =
		typeof written === 'string' ? /^(\d{4}-\d{2}-\d{2})(?:$|[T ])/.exec(written.trim()) : null;
	const date = match?.[1];
	if (date !== undefined && isCalendarDay(date)) return date;
	return new ValidationFailure(
		`must be a date of the form YYYY-MM-DD, ${got(value)}`,
		'For example 2030-12-31',
	);
};

/** A date object as n8n's expressions give it (`{{ $now }}`). */
function isDateLike(value: unknown): value is { toISODate(): string } {
	return (
		typeof value === 'object' &&
		value !== null &&
		typeof (value as { toISODate?: unknown }).toISODate === 'function'
	);
}

/** 2025-02-30 would parse, as the 2nd of March. */
function isCalendarDay(date: string): boolean {
	const time = Date.parse(`${date}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** One of a fixed set, as the spec lists it. */
export function oneOf(values: readonly string[]): Validator {
	return (value) => {
		if (typeof value === 'string' && values.includes(value)) return value;
		return new ValidationFailure(`must be one of ${values.join(', ')}, ${got(value)}`);
	};
}

/** The last segment of a path: any name but those that would step out of it. */
export const fileName: Validator = (value) => {
	const name = typeof value === 'string' ? value.trim() : '';
	if (name === '' || name === '.' || name === '..' || hasControlCharacter(name)) {
		return new ValidationFailure(
			`must be a file name with its extension, ${got(value)}`,
			'For example invoice.pdf',
		);
	}
	return name;
};

function hasControlCharacter(name: string): boolean {
	return [...name].some((character) => character < ' ' || character === '\u007f');
}
