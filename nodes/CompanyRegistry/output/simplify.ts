import type { Json } from '../../shared/http/envelope';
import { shorten } from '../../shared/http/values';
import { flattenRecord, keyOfField } from '../company';
import type { Scalar } from '../company';

/** Limit for the JSON of all fields after the leading ones. */
const MAX_CHARACTERS = 4_000;
const LONGEST_VALUE = 300;

/**
 * Turns a company or a credit recommendation into a flat record of limited size, whatever fields the
 * service sends. docs/company-registry.md, "Simplified output", explains the rules to users.
 *
 * @param leading fields that come first, `null` if the record doesn't have them
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
