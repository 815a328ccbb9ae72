import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { parseJson, type Json } from '../../shared/http/json';
import type { Call } from '../../shared/node/call';
import { tidyRecord } from '../../shared/node/collection';
import { showFor } from '../../shared/node/options';
import { namesInPath, readPath } from '../../shared/node/paths';
import { emptyParameter, oneOf, text } from '../../shared/node/validators';
import { isBlank } from '../../shared/node/values';
import {
	COMPANY_FIELDS,
	CREDIT_FIELDS,
	DOSSIER_FIELDS,
	ENRICHING_FIELDS,
	simplify,
} from '../company';

/** The fields that an item in the raw output starts with. */
const IDENTIFYING = ['id', 'idno', 'name'];

const MODES = ['fields', 'raw', 'simple'] as const;
type OutputMode = (typeof MODES)[number];

/** The parameter "Output" and the fields that depend on it, for one operation. */
function outputOf(
	shown: IDisplayOptions,
	mode: OutputMode,
	names: readonly string[],
): INodeProperties[] {
	const shownForFields = { ...shown, show: { ...shown.show, output: ['fields'] } };
	return [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			default: mode,
			description: 'Which fields of the company to return',
			options: [
				{
					name: 'Simplified',
					value: 'simple',
					description: 'The most important fields as one flat, compact item',
				},
				{
					name: 'Selected Fields',
					value: 'fields',
					description: 'Only the fields that you choose below',
				},
				{ name: 'Raw', value: 'raw', description: 'All fields as the service sends them' },
			],
			displayOptions: shown,
		},
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			default: [],
			// Lets an expression return names that aren't in the list.
			allowArbitraryValues: true,
			description: 'Fields to return. The IDNO is always included.',
			options: names
				.filter((name) => name !== 'idno')
				.sort()
				.map((name) => ({ name, value: name })),
			displayOptions: shownForFields,
		},
		{
			displayName: 'Other Fields',
			name: 'otherFields',
			type: 'string',
			default: '',
			placeholder: 'e.g. administrators.0.name',
			hint: 'Separate names with commas. Use dots for nested fields, e.g. contacts.email.',
			description: 'More fields to return, named as in the raw output',
			displayOptions: shownForFields,
		},
	];
}

const inSearch = showFor('company', 'search');

export const outputFields: INodeProperties[] = [
	...outputOf(showFor('company', 'get'), 'simple', DOSSIER_FIELDS),
	...outputOf(showFor('creditRecommendation', 'get'), 'simple', CREDIT_FIELDS),
	...outputOf({ ...inSearch, hide: { '@tool': [true] } }, 'raw', COMPANY_FIELDS),
	// A model reads every word of an answer.
	...outputOf({ show: { ...inSearch.show, '@tool': [true] } }, 'simple', COMPANY_FIELDS),
	...outputOf(showFor('company', 'enrich'), 'simple', ENRICHING_FIELDS),
];

/**
 * Returns a record in the form that the parameter "Output" asks for.
 *
 * @param leading fields that a simplified record starts with, even if they're empty
 * @param raw what "Raw" returns. Default: the record
 */
export type Shape = (record: Json, leading: readonly string[], raw?: Json) => Json;

/** @throws InputError if "Output" isn't one of the modes, or is "Selected Fields" without any fields */
export function readShape(call: Call): Shape {
	const given = call.parameter('output', 'raw');
	const mode = oneOf(MODES)(given, 'Output');
	if (mode === 'raw') return (record, _, raw = record) => tidyRecord(undefined, raw, IDENTIFYING);
	if (mode === 'simple') return simplify;
	const paths = selectedFields(call);
	return (record, leading) => {
		const simple = simplify(record, leading);
		const selected = paths.map((path): [string, unknown] => [
			namesInPath(path).join('_'),
			readPath(record, path) ?? readPath(simple, path) ?? null,
		]);
		return { ...Object.fromEntries([['idno', null], ...selected]), idno: simple.idno ?? null };
	};
}

function selectedFields(call: Call): string[] {
	const given = ['fields', 'otherFields'].map((name) => call.parameter<unknown>(name, []));
	const names = given.flatMap((each) => namesIn(each, 'Fields'));
	if (names.length === 0) throw emptyParameter('Fields');
	return names;
}

/** Field names without duplicates, as a list or, from an expression or a model, as text. */
export function namesIn(given: unknown, label: string): string[] {
	const entries = [given].flat().filter((each) => !isBlank(each));
	const names = entries.flatMap((each) => {
		const written = text(each, label);
		const list = parseJson(written)?.value;
		return Array.isArray(list) ? list.map(String) : written.split(/[,;\n]/);
	});
	return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '');
}
