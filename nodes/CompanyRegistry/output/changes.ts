import type { Json } from '../../shared/http/envelope';
import { namesInPath, readPath } from '../../shared/http/values';

/** A field of the row and the field of the company that it is compared with. */
export interface ComparedField {
	companyField: string;
	rowField: string;
}

export interface Change {
	/** The row's field. */
	field: string;
	/** The row's value; null if it is empty. */
	from: unknown;
	/** The company's value. */
	to: unknown;
}

/**
 * How a company differs from its row, by value: "12" equals 12, and empty text equals null. A field that
 * is missing in the company has not changed.
 */
export function changesOf(fields: readonly ComparedField[], row: Json, company: Json): Change[] {
	return fields
		.filter(({ companyField }) => companyField in company)
		.map(({ companyField, rowField }) => ({
			field: namesInPath(rowField).join('.'),
			from: readPath(row, rowField) ?? null,
			to: company[companyField] ?? null,
		}))
		.filter(({ from, to }) => !isSameValue(from, to));
}

/** Whether a user would call two values equal, whatever their types. */
export function isSameValue(a: unknown, b: unknown): boolean {
	const [x, y] = [comparable(a), comparable(b)];
	if (x === y) return true;
	const hasNumber = typeof a === 'number' || typeof b === 'number';
	return hasNumber && x !== '' && y !== '' && Number(x) === Number(y);
}

/** As text, so that a spreadsheet's or database's data type is ignored. */
function comparable(value: unknown): string {
	if (value === null || value === undefined) return '';
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return text.normalize('NFC').replace(/\s+/gu, ' ').trim();
}
