import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { composed } from '../node/operation';
import type { Resource } from '../node/resource';
import { METHODS } from './request';
import { apiRequestOperation } from './send';

export interface ApiRequestSettings {
	/** An example path of the service, for the placeholder. */
	examplePath: string;
	/** Rows per page to request, if the service documents a maximum. */
	pageSize?: number;
}

/** A request to any endpoint of a service, including those without an operation of their own. */
export function apiRequest({ examplePath, pageSize }: ApiRequestSettings): Resource {
	return {
		name: 'API Request',
		value: 'apiRequest',
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['apiRequest'] } },
				default: 'send',
				options: [
					{
						name: 'Send',
						value: 'send',
						action: 'Send request to any API endpoint',
						description: 'Call any endpoint, including those without their own operation',
						routing: composed(apiRequestOperation(pageSize)),
					},
				],
			},
			{
				displayName: 'Method',
				name: 'method',
				type: 'options',
				options: METHODS.map((method) => ({ name: method, value: method })),
				default: 'GET',
				required: true,
				description:
					'GET and PUT requests are retried after a temporary failure; others only if the service certainly did not process them',
				displayOptions: shown(),
			},
			{
				displayName: 'Path',
				name: 'path',
				type: 'string',
				default: '',
				required: true,
				placeholder: `e.g. ${examplePath}`,
				description: 'Path of the endpoint below the Base URL of the credential',
				displayOptions: shown(),
			},
			...queryFields,
			{
				displayName: 'JSON Body',
				name: 'jsonBody',
				type: 'json',
				default: '',
				placeholder: 'e.g. {"name": "Spring sale"}',
				description: 'JSON object to send; leave empty to send none',
				displayOptions: shown({ method: METHODS.filter((method) => method !== 'GET') }),
			},
			...responseFields,
		],
	};
}

function shown(conditions: IDisplayOptions['show'] = {}): IDisplayOptions {
	return { show: { resource: ['apiRequest'], operation: ['send'], ...conditions } };
}

const queryFields: INodeProperties[] = [
	{
		displayName: 'Specify Query',
		name: 'specifyQuery',
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description: 'How to enter the query parameters',
		displayOptions: shown(),
	},
	{
		displayName: 'Query Parameters',
		name: 'queryParameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add parameter',
		default: {},
		description: 'Parameters to add to the URL; one whose value is null is left out',
		options: [
			{
				displayName: 'Parameter',
				name: 'parameters',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. limit',
						description: 'Name of the parameter',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. 10',
						description: 'Value of the parameter',
					},
				],
			},
		],
		displayOptions: shown({ specifyQuery: ['fields'] }),
	},
	{
		displayName: 'JSON Query',
		name: 'jsonQuery',
		type: 'json',
		default: '',
		placeholder: 'e.g. {"limit": 10}',
		description: 'JSON object with the query parameters; one whose value is null is left out',
		displayOptions: shown({ specifyQuery: ['json'] }),
	},
];

const responseFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAllPages',
		type: 'boolean',
		default: false,
		description:
			'Whether to read all pages of a list, with the query parameters limit and page, and return an item for each record',
		displayOptions: shown({ method: ['GET'] }),
	},
	{
		displayName: 'Split Into Items',
		name: 'splitIntoItems',
		type: 'boolean',
		default: false,
		description:
			'Whether to return an item for each record of the list in the response, instead of the response as one item',
		displayOptions: shown({ method: ['GET'], returnAllPages: [false] }),
	},
	...[{ returnAllPages: [true] }, { returnAllPages: [false], splitIntoItems: [true] }].map(
		(conditions): INodeProperties => ({
			displayName: 'List Field',
			name: 'listKey',
			type: 'string',
			default: '',
			placeholder: 'e.g. data.urls',
			description:
				'Field of the response that holds the list, with dots between levels. Leave empty if there is only one list.',
			displayOptions: shown({ method: ['GET'], ...conditions }),
		}),
	),
];
