import type { Json } from '../../shared/http/envelope';
import { shorten } from '../../shared/http/values';
import { flattenRecord, keyOfField } from '../companyFields';
import type { Scalar } from '../companyFields';

/**
 * A company or a credit recommendation as one flat record of bounded size, whatever fields the
 * service sends. docs/company-registry.md ("Simplified output") describes the rules for users.
 */

/** Maximum JSON length of the fields after the leading ones. */
const MAX_CHARACTERS = 4_000;
const LONGEST_VALUE = 300;

/**
 * @param leading fields that come first and always exist, `null` if the record has none
 */
export function simplify(record: Json, leading: readonly string[]): Record<string, Scalar> {
	const { fields, omitted } = flattenRecord(record);
	const simple = leading.map((name): [string, Scalar] => {
		const key = keyOfField(fields, name);
		const value = fields.get(key) ?? null;
		for (const each of [name, key]) fields.delete(each);
		return [name, shortenValue(value)];
	});
	let characters = 0;
	let left = omitted;
	for (const [name, value] of fields) {
		const field: [string, Scalar] = [name, shortenValue(value)];
		characters += JSON.stringify(field).length;
		if (characters <= MAX_CHARACTERS) simple.push(field);
		else left += 1;
	}
	return Object.fromEntries(left > 0 ? [...simple, ['omitted_fields', left]] : simple);
}

function shortenValue(value: Scalar): Scalar {
	return typeof value === 'string' ? shorten(value, LONGEST_VALUE) : value;
}
