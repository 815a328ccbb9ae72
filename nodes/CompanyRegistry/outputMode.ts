import type { INodeProperties } from 'n8n-workflow';

import type { Json } from '../shared/http/envelope';
import type { Call } from '../shared/node/runOperation';
import { emptyParameter, isBlank, oneOf, required } from '../shared/node/validators';
import { simplify } from './simplify';

type OutputMode = 'fields' | 'raw' | 'simple';

const MODES: readonly OutputMode[] = ['fields', 'raw', 'simple'];

const show = {
	resource: ['company', 'creditRecommendation'],
	operation: ['enrich', 'get', 'search'],
};

const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: 'raw',
	description: 'Which fields of the company to return',
	options: [
		{ name: 'Raw', value: 'raw', description: 'All fields as the service sends them' },
		{ name: 'Selected Fields', value: 'fields', description: 'The fields that you name' },
		{
			name: 'Simplified',
			value: 'simple',
			description: 'One flat record of at most a few kilobytes',
		},
	],
};

/** "Output" and what belongs to it, for the operations that return companies. */
export const outputFields: INodeProperties[] = [
	{ ...output, displayOptions: { show, hide: { '@tool': [true] } } },
	// A whole dossier would fill an agent's context.
	{ ...output, default: 'simple', displayOptions: { show: { ...show, '@tool': [true] } } },
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. idno, name, scoring.rating',
		description:
			'Names of fields of the raw or the simplified output, separated by commas. A dot leads into a nested record.',
		displayOptions: { show: { ...show, output: ['fields'] } },
	},
];

/**
 * The record as the parameter "Output" asks for it.
 *
 * @param leading fields that the simplified record always has, in this order
 */
export function shapeOutput(call: Call, record: Json, leading: readonly string[]): Json {
	const mode = required<OutputMode>(oneOf(MODES), call.parameter('output', 'raw'), 'Output');
	if (mode === 'raw') return idnoFirst(record);
	const simple = simplify(record, leading);
	if (mode === 'simple') return simple;
	return Object.fromEntries(
		selectedFields(call).map((path) => [
			path.replaceAll('.', '_'),
			valueAt(record, path) ?? simple[path] ?? null,
		]),
	);
}

function selectedFields(call: Call): string[] {
	const names = String(call.parameter<unknown>('fields', '') ?? '')
		.split(',')
		.map((name) => name.trim())
		.filter((name) => !isBlank(name));
	if (names.length === 0) throw emptyParameter('Fields');
	return names;
}

function valueAt(record: Json, path: string): unknown {
	return path.split('.').reduce<unknown>((value, key) => {
		const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
		return isOwn ? (value as Json)[key] : undefined;
	}, record);
}

/** Columns that tell a company come first, whatever the service's order. */
function idnoFirst(record: Json): Json {
	const { idno, name, ...others } = record;
	return {
		...(idno !== undefined && { idno }),
		...(name !== undefined && { name }),
		...others,
	};
}
