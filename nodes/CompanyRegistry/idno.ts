import { isJson } from '../shared/http/envelope';
import { InputError } from '../shared/http/errors';
import { isBlank } from '../shared/node/validators';

/** The result of checking a company identification number. */
export type IdnoCheck =
	| { valid: true; idno: string }
	| {
			valid: false;
			/** The input without spaces, dots and dashes. */
			idno: string;
			/** What is wrong, as a sentence. */
			reason: string;
			/** The correct last digit, if only that digit is wrong. */
			expectedCheckDigit?: number;
	  };

const IDNO_LENGTH = 13;

const WEIGHTS = [7, 3, 1] as const;

/**
 * The check digit of the first twelve digits: weights 7, 3, 1 repeating, summed, modulo 10
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
 * Checks a company identification number without a request. Spaces, dots and dashes are ignored,
 * because they are often copied along with the number.
 *
 * @param checkDigit whether the last digit must be right: some very old companies have none
 */
export function checkIdno(value: unknown, { checkDigit }: { checkDigit: boolean }): IdnoCheck {
	const written = typeof value === 'string' ? value : JSON.stringify(value);
	const given = isBlank(value) ? '' : written;
	const idno = given.replace(/(?<=\d{13})\.0+$|[\s.'’\p{Cf}\u2010-\u2015-]/gu, '');
	if (idno === '') return { valid: false, idno, reason: 'The IDNO is empty.' };
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

/** Whether a value consists of as many digits as an IDNO, whatever its check digit is. */
export function isWholeIdno(value: unknown): boolean {
	return checkIdno(value, { checkDigit: false }).valid;
}

/**
 * The only IDNO in a text. Among other words, its check digit must be valid. A number that starts with
 * 00 is a phone number.
 */
export function idnoWithin(text: string): string | undefined {
	if (isWholeIdno(text)) return text;
	const numbers = text.match(/(?<!\d)(?!00)\d{13}(?!\d)/g) ?? [];
	const idnos = numbers.filter((number) => checkIdno(number, { checkDigit: true }).valid);
	return new Set(idnos).size === 1 ? idnos[0] : undefined;
}

/**
 * The IDNOs in a text with any separators, in a list, or in records with an `idno`. Anything else is
 * left out.
 */
export function idnosIn(given: unknown): string[] {
	if (Array.isArray(given)) return given.flatMap(idnosIn);
	if (isJson(given)) return idnosIn(given.idno);
	if (isWholeIdno(given)) return [checkIdno(given, { checkDigit: false }).idno];
	return typeof given === 'string' ? (given.match(/(?<!\d)\d{13}(?!\d)/g) ?? []) : [];
}

interface Entry {
	/** Its position, e.g. "Line 3". */
	place: string;
	value: unknown;
}

/**
 * The IDNOs of a watch list, each once, in the order of the list.
 *
 * @param given text with one IDNO per line, or several separated by commas; or an array of texts,
 * numbers or records with an `idno`
 * @throws InputError that names the first place that is wrong
 */
export function watchListOf(given: unknown, checkDigit: boolean): string[] {
	const entries = entriesOf(given).filter(({ value }) => !isBlank(value));
	if (entries.length === 0) {
		throw new InputError(
			'The watch list is empty',
			'Enter the IDNO of at least one company, e.g. 1003600015231',
		);
	}
	return [...new Set(entries.map((entry) => idnoIn(entry, checkDigit)))];
}

function idnoIn({ place, value }: Entry, checkDigit: boolean): string {
	const given = isJson(value) ? value.idno : value;
	const check = checkIdno(given, { checkDigit });
	if (check.valid) return check.idno;
	const shown = isBlank(given) ? JSON.stringify(value) : String(given).trim();
	throw new InputError(
		`${place} of the watch list is not a valid IDNO: ${shown}`,
		`${check.reason} A few very old companies have IDNOs without a check digit. For those, turn off the option "Validate Check Digit".`,
	);
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
