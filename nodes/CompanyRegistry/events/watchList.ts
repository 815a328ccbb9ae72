import { checkIdno } from '../idno';
import { isJson } from '../../shared/http/envelope';
import { InputError } from '../../shared/http/errors';
import { isBlank } from '../../shared/node/validators';

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
		`${check.reason} Some very old companies have numbers without a check digit; for these, turn off the option "Validate Check Digit".`,
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
