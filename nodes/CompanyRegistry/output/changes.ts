import type { Json } from '../../shared/http/envelope';
import { namesInPath, readPath } from '../../shared/http/values';
import { normalText } from '../../shared/node/texts';

/** Which field of the row to compare with which field of the company. */
export interface ComparedField {
	companyField: string;
	rowField: string;
}

export interface Change {
	field: string;
	/** The row's value, or null if it has none. */
	from: unknown;
	/** The company's value. */
	to: unknown;
}

/**
 * Lists how the company differs from the row. Types don't matter: "12" equals 12, and empty text equals
 * null. A field that the company doesn't have counts as unchanged.
 */
export function changesOf(fields: readonly ComparedField[], row: Json, company: Json): Change[] {
	return fields
		.filter(({ companyField }) => companyField in company)
		.map(({ companyField, rowField }) => ({
			field: nameIn(rowField),
			from: readPath(row, rowField) ?? null,
			to: company[companyField] ?? null,
		}))
		.filter(({ from, to }) => !isSameValue(from, to));
}

/** "CRM status" for `['CRM status']`, the form in which the editor enters a column. Longer paths stay as entered. */
function nameIn(path: string): string {
	const [name = path, ...others] = namesInPath(path);
	return others.length === 0 ? name : path;
}

/** Whether a user would call two values equal, whatever their types. */
export function isSameValue(a: unknown, b: unknown): boolean {
	const [x, y] = [comparable(a), comparable(b)];
	if (x === y) return true;
	const hasNumber = typeof a === 'number' || typeof b === 'number';
	return hasNumber && x !== '' && y !== '' && Number(x) === Number(y);
}

/** Text, because a spreadsheet and a database store the same value as different types. */
function comparable(value: unknown): string {
	if (value === null || value === undefined) return '';
	const text = typeof value === 'object' ? JSON.stringify(value) : normalText(String(value));
	return text.replace(/\s+/gu, ' ');
}
