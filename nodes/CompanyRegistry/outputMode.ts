import type { INodeProperties } from 'n8n-workflow';

import type { Json } from '../shared/http/envelope';
import type { OperationCall } from '../shared/node/operation';
import { emptyParameter, oneOf, required } from '../shared/node/validators';
import { simplify } from './simplify';

type OutputMode = 'auto' | 'fields' | 'raw' | 'simple';

const MODES: readonly OutputMode[] = ['auto', 'fields', 'raw', 'simple'];

const show = {
	resource: ['company', 'creditRecommendation'],
	operation: ['enrich', 'get', 'search'],
};

/** "Output" and what belongs to it, for the operations that return companies. */
export const outputFields: INodeProperties[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'auto',
		description: 'Which fields of the company to return',
		options: [
			{
				name: 'Automatic',
				value: 'auto',
				description: 'Simplified if an AI agent uses the node as a tool, otherwise raw',
			},
			{ name: 'Raw', value: 'raw', description: 'All fields as the service sends them' },
			{ name: 'Selected Fields', value: 'fields', description: 'The fields that you list' },
			{
				name: 'Simplified',
				value: 'simple',
				description: 'One flat record of at most a few kilobytes',
			},
		],
		displayOptions: { show },
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		placeholder: 'e.g. idno, name, scoring.rating',
		description:
			'Names of fields of the raw or the simplified output, separated by commas. Use dots for nested fields.',
		displayOptions: { show: { ...show, output: ['fields'] } },
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'hidden',
		default: false,
		// What "Output" was before it had more than two choices.
		description: 'Whether to return a simplified version of the response instead of the raw data',
		displayOptions: { show: { resource: ['creditRecommendation'], operation: ['get'] } },
	},
];

/**
 * The record in the form that the parameter "Output" selects.
 *
 * @param leading fields that the simplified record always has, in this order
 * @throws InputError when fields are to be selected and none is named
 */
export function shapeOutput(call: OperationCall, record: Json, leading: readonly string[]): Json {
	const mode = modeOf(call);
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

function modeOf(call: OperationCall): Exclude<OutputMode, 'auto'> {
	if (call.parameter<unknown>('simplify', false) === true) return 'simple';
	const mode = required<OutputMode>(oneOf(MODES), call.parameter('output', 'auto'), 'Output');
	if (mode !== 'auto') return mode;
	// A whole dossier would fill an agent's context. n8n names a node's tool like this.
	return call.context.getNode().type.endsWith('Tool') ? 'simple' : 'raw';
}

function selectedFields(call: OperationCall): string[] {
	const names = String(call.parameter<unknown>('fields', '') ?? '')
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
	if (names.length === 0) throw emptyParameter('Fields');
	return names;
}

function valueAt(record: Json, path: string): unknown {
	return path.split('.').reduce<unknown>((value, key) => {
		const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
		return isOwn ? (value as Json)[key] : undefined;
	}, record);
}

/** Columns that identify a company come first, regardless of the service's order. */
function idnoFirst(record: Json): Json {
	const { idno, name, ...others } = record;
	return {
		...(idno !== undefined && { idno }),
		...(name !== undefined && { name }),
		...others,
	};
}
