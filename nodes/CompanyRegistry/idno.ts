import { isJson } from '../shared/http/envelope';
import { InputError } from '../shared/http/errors';
import { isBlank } from '../shared/node/validators';

export type IdnoCheck = { valid: true; idno: string } | InvalidIdno;

interface InvalidIdno {
	valid: false;
	/** The input, without spaces, dots and dashes. */
	idno: string;
	/** What's wrong with it, as a sentence. */
	reason: string;
	/** What the last digit should be, if it's the only problem. */
	expectedCheckDigit?: number;
}

const IDNO_LENGTH = 13;

const WEIGHTS = [7, 3, 1] as const;

/**
 * Multiplies the first twelve digits by 7, 3, 1, 7, 3, 1, … and returns the sum modulo 10
 * (docs/services.md, "Company Registry: records").
 */
export function checkDigitOf(firstTwelve: string): number {
	const sum = [...firstTwelve].reduce(
		(total, digit, index) => total + Number(digit) * (WEIGHTS[index % WEIGHTS.length] ?? 0),
		0,
	);
	return sum % 10;
}

/**
 * Checks an IDNO without sending a request. Ignores what often comes along with a copied number: spaces,
 * dots, dashes, and a spreadsheet's ".0" at the end.
 *
 * @param checkDigit whether the check digit must be valid. Some very old companies have IDNOs without one.
 */
export function checkIdno(value: unknown, { checkDigit }: { checkDigit: boolean }): IdnoCheck {
	const written = typeof value === 'string' ? value : JSON.stringify(value);
	const given = isBlank(value) ? '' : written;
	const idno = given.replace(/\.(?<=\d{13}\.)0+$|[\s.'’\p{Cf}\u2010-\u2015-]/gu, '');
	if (idno === '') return { valid: false, idno, reason: 'The IDNO is empty.' };
	if (/^\d(?:[.,]\d+)?E\+\d+$/i.test(given.trim())) {
		const reason =
			'A spreadsheet has rounded the IDNO. Format its column as text and enter it again.';
		return { valid: false, idno, reason };
	}
	if (!/^\d+$/.test(idno)) {
		return { valid: false, idno, reason: 'An IDNO contains only digits.' };
	}
	if (idno.length !== IDNO_LENGTH) {
		return {
			valid: false,
			idno,
			reason: `An IDNO has ${IDNO_LENGTH} digits, but this one has ${idno.length}.`,
		};
	}
	const expectedCheckDigit = checkDigitOf(idno.slice(0, -1));
	const last = Number(idno.slice(-1));
	if (checkDigit && last !== expectedCheckDigit) {
		return {
			valid: false,
			idno,
			reason: `The last digit is ${last}, but the check digit should be ${expectedCheckDigit}.`,
			expectedCheckDigit,
		};
	}
	return { valid: true, idno };
}

/** What's wrong and what to do. The option that accepts a wrong check digit can't help with anything else. */
export function adviceOn({ reason, expectedCheckDigit }: InvalidIdno): string {
	return expectedCheckDigit === undefined
		? `${reason} Check the IDNO.`
		: `${reason} A few very old companies have IDNOs without a check digit. For those, turn off the option "Validate Check Digit".`;
}

/** Whether the value is an IDNO and nothing else. Its check digit may be wrong. */
export function isWholeIdno(value: unknown): boolean {
	return checkIdno(value, { checkDigit: false }).valid;
}

/**
 * Finds the IDNO in a text; undefined if it has several. Inside a longer text, the check digit must be
 * valid, and a number that starts with 00 counts as a phone number.
 */
export function idnoWithin(text: string): string | undefined {
	if (isWholeIdno(text)) return text;
	const numbers = text.match(/(?<!\d)(?!00)\d{13}(?!\d)/g) ?? [];
	const idnos = numbers.filter((number) => checkIdno(number, { checkDigit: true }).valid);
	return new Set(idnos).size === 1 ? idnos[0] : undefined;
}

/**
 * Collects the IDNOs from a text with any separators, a list, or records with an `idno`. Skips everything
 * else, and accepts any check digit.
 */
export function idnosIn(given: unknown): string[] {
	if (Array.isArray(given)) return given.flatMap(idnosIn);
	if (isJson(given)) return idnosIn(given.idno);
	if (isWholeIdno(given)) return [checkIdno(given, { checkDigit: false }).idno];
	return typeof given === 'string' ? (given.match(/(?<!\d)\d{13}(?!\d)/g) ?? []) : [];
}

interface Entry {
	/** Where it is in the list, e.g. "Line 3". */
	place: string;
	value: unknown;
}

/**
 * Reads a watch list, without duplicates.
 *
 * @param given text with one IDNO per line or separated by commas, or an array of texts, numbers or
 * records with an `idno`
 * @throws InputError that says where the first invalid IDNO is
 */
export function watchListOf(given: unknown, checkDigit: boolean): string[] {
	const entries = entriesOf(given).filter(({ value }) => !isBlank(value));
	if (entries.length === 0) {
		throw new InputError(
			'The watch list is empty',
			'Enter the IDNO of at least one company, e.g. 1003600015231.',
		);
	}
	return [...new Set(entries.map((entry) => idnoIn(entry, checkDigit)))];
}

function idnoIn({ place, value }: Entry, checkDigit: boolean): string {
	const given = isJson(value) ? value.idno : value;
	const check = checkIdno(given, { checkDigit });
	if (check.valid) return check.idno;
	const shown = isBlank(given) ? JSON.stringify(value) : String(given).trim();
	throw new InputError(`${place} of the watch list is not a valid IDNO: ${shown}`, adviceOn(check));
}

function entriesOf(given: unknown): Entry[] {
	if (Array.isArray(given)) {
		return given.map((value: unknown, index) => ({ place: `Entry ${index + 1}`, value }));
	}
	return String(given ?? '')
		.split(/\r?\n/)
		.flatMap((line, index) =>
			line.split(/[,;\t]/).map((value) => ({ place: `Line ${index + 1}`, value })),
		);
}
