import { InputError } from '../shared/http/inputError';
import { isJson } from '../shared/http/json';
import type { Parameter } from '../shared/node/call';
import { readFlag } from '../shared/node/validators';
import { isBlank } from '../shared/node/values';

export type IdnoCheck = { valid: true; idno: string } | InvalidIdno;

interface InvalidIdno {
	valid: false;
	/** The input, without what's ignored. */
	idno: string;
	/** What's wrong with it, as a sentence. */
	reason: string;
	/** What the last digit should be, if it's the only problem. */
	expectedCheckDigit?: number;
}

const IDNO_LENGTH = 13;

const WEIGHTS = [7, 3, 1];

/**
 * Multiplies the first twelve digits by 7, 3, 1, 7, 3, 1, … and returns the sum modulo 10
 * (docs/maintainers/services.md, "Company Registry: records").
 */
export function checkDigitOf(firstTwelve: string): number {
	const products = [...firstTwelve].map((digit, index) => Number(digit) * WEIGHTS[index % 3]!);
	return products.reduce((sum, product) => sum + product, 0) % 10;
}

/** What people and programs write before the number: "IDNO: …", "c/f …", or the country of a VAT number. */
const LABELS =
	'idno cod codul fiscal c f cf nr no număr numar numărul numarul de identificare înregistrare inregistrare ' +
	'stat unic ul cui cif reg tva vat tin tax id number company registration code md ' +
	'идно фискальный фиск код ф к фк номер рег инн';
const LABEL = new RegExp(
	String.raw`^(?:(?:${LABELS.replaceAll(' ', '|')})(?!\p{L})[^\p{L}\d]*)+(?=\d)`,
	'iu',
);

/** 13 digits with zeros as decimals, or in groups of three: "1.003.600.000.017,00". */
const AS_NUMBER = /^(\d{13}|\d(?:[.,'’\s]\d{3}){4})(?:[.,]0+)?$/;

/**
 * Checks an IDNO without sending a request. Every field that takes an IDNO reads it here, as sheets and
 * people write it: with a label, in quotation marks, with full-width digits, formatted as a number, or with
 * spaces, dots and dashes anywhere.
 *
 * @param checkDigit whether the check digit must be valid. Some very old companies have IDNOs without one.
 */
export function checkIdno(value: unknown, { checkDigit }: { checkDigit: boolean }): IdnoCheck {
	const written = typeof value === 'string' ? value : JSON.stringify(value);
	const given = isBlank(value) ? '' : inDigits(written);
	const idno = given.replace(/[\s.\u2010-\u2015-]/gu, '');
	const invalid = (reason: string): InvalidIdno => ({ valid: false, idno, reason });
	if (idno === '') return invalid('The IDNO is empty.');
	if (isRounded(given)) {
		return invalid(
			'A spreadsheet has rounded the IDNO. Format its column as text and enter it again.',
		);
	}
	if (!/^\d+$/.test(idno)) return invalid('An IDNO contains only digits.');
	if (idno.length !== IDNO_LENGTH) {
		return invalid(`An IDNO has ${IDNO_LENGTH} digits, but this one has ${idno.length}.`);
	}
	const expectedCheckDigit = checkDigitOf(idno.slice(0, -1));
	const last = Number(idno.slice(-1));
	if (!checkDigit || last === expectedCheckDigit) return { valid: true, idno };
	const reason = `The last digit of the IDNO is ${last}, but it should be ${expectedCheckDigit}.`;
	return { ...invalid(reason), expectedCheckDigit };
}

/** Whether a spreadsheet shows a number by its first digits, as in "1.0036E+12". */
export function isRounded(given: string): boolean {
	return /^\s*\d+(?:[.,]\d+)?E\+?\d+\s*$/i.test(given);
}

/** Without what stands around the number, and without a number's format. */
function inDigits(written: string): string {
	const plain = written.normalize('NFKC').replace(/\p{Cf}/gu, '');
	// Also ="…", which keeps a spreadsheet from rounding the number.
	const inner = plain.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '') || plain;
	const bare = inner.replace(LABEL, '');
	const [, whole] = AS_NUMBER.exec(bare) ?? [];
	if (whole !== undefined) return whole.replace(/\D/g, '');
	if (/^\d{1,3}(?:,\d{3})+$/.test(bare)) return bare.replaceAll(',', '');
	// The exponent doesn't matter if all digits are there.
	const [, first = '', decimals = ''] = /^(\d)[.,](\d{11,12})E\+?12$/i.exec(bare) ?? [];
	const all = (first + decimals).padEnd(IDNO_LENGTH, '0');
	// A zero at the end isn't shown, but a digit may have been cut off instead.
	const isWhole = decimals.length === 12 || checkDigitOf(all.slice(0, -1)) === Number(all.at(-1));
	return first !== '' && isWhole ? all : bare;
}

/** The error for an invalid IDNO. The option that accepts a wrong check digit can't help with anything else. */
export function invalidIdno(message: string, { reason, expectedCheckDigit }: InvalidIdno) {
	return expectedCheckDigit === undefined
		? new InputError(message, `${reason} Check the IDNO.`)
		: new InputError(
				message,
				`${reason} A few very old companies have IDNOs without a check digit.`,
				undefined,
				'For those, add the option "Validate Check Digit" and turn it off.',
			);
}

/** The option "Validate Check Digit". @throws InputError */
export function wantsCheckDigit(parameter: Parameter): boolean {
	const { checkDigit } = parameter<{ checkDigit?: unknown }>('options', {});
	return readFlag(checkDigit, 'Validate Check Digit', true);
}

/** The IDNO, if the value is one and nothing else. Its check digit may be wrong. */
export function readIdno(value: unknown): string | undefined {
	const check = checkIdno(value, { checkDigit: false });
	return check.valid ? check.idno : undefined;
}

/** Whether a value is an IDNO and nothing else. All numbers of the register begin with 10. */
export function isIdno(value: unknown): boolean {
	const check = checkIdno(value, { checkDigit: true });
	return check.valid && check.idno.startsWith('10');
}

/** The IDNO in a text, unless it has several. */
export function idnoWithin(text: string): string | undefined {
	const idnos = new Set(idnosIn(text).filter(isIdno));
	return readIdno(text) ?? (idnos.size === 1 ? [...idnos][0] : undefined);
}

/**
 * Collects the IDNOs from a text with any separators, a list, or records with an `idno`. Skips everything
 * else, and accepts any check digit.
 */
export function idnosIn(given: unknown): string[] {
	if (Array.isArray(given)) return given.flatMap(idnosIn);
	if (isJson(given)) return idnosIn(given.idno);
	if (typeof given !== 'string') return [readIdno(given)].filter((idno) => idno !== undefined);
	return piecesOf(given).flatMap(
		(piece) => readIdno(piece) ?? piece.match(/(?<!\d)\d{13}(?!\d)/g) ?? [],
	);
}

/**
 * Reads a watch list, without duplicates.
 *
 * @param given text with IDNOs on lines of their own or separated by commas or spaces, or an array of
 * texts, numbers or records with an `idno`
 * @throws InputError that says where the first invalid IDNO is
 */
export function watchListOf(given: unknown, checkDigit: boolean): string[] {
	const isList = Array.isArray(given);
	const lines: unknown[] = isList ? given : String(given ?? '').split('\n');
	const idnos = lines.flatMap((line, index) =>
		(isList ? [line] : piecesOf(String(line)))
			.filter((value) => !isBlank(value))
			.map((value) => watchedIdno(`${isList ? 'Entry' : 'Line'} ${index + 1}`, value, checkDigit)),
	);
	if (idnos.length > 0) return [...new Set(idnos)];
	throw new InputError(
		'The watch list is empty',
		'In "Companies to Watch", choose "Selected Companies" and add one, or choose "List of IDNOs" and enter at least one, e.g. 1003600015231.',
	);
}

/** The parts of a text with IDNOs. A comma or a space separates two, or the digits of one: "1003 6000 15231". */
function piecesOf(text: string): string[] {
	return text.split(/[;\t\n]/).flatMap((line) => {
		if (readIdno(line) !== undefined || isRounded(line)) return [line];
		return line.split(',').flatMap((piece) => {
			const words = piece.trim().split(/\s+/);
			return words.every((word) => readIdno(word) !== undefined) ? words : [piece];
		});
	});
}

function watchedIdno(place: string, value: unknown, checkDigit: boolean): string {
	const given = isJson(value) ? value.idno : value;
	const check = checkIdno(given, { checkDigit });
	if (check.valid) return check.idno;
	const shown = isBlank(given) ? JSON.stringify(value) : String(given).trim();
	throw invalidIdno(`${place} of the watch list is not a valid IDNO: ${shown}`, check);
}
