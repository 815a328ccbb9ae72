import type { INodeProperties } from 'n8n-workflow';

/** Shows a field for one resource's operations. */
export function showFor(resource: string, ...operations: string[]) {
	return { show: { resource: [resource], operation: operations } };
}

/** Request settings, offered by every operation that sends requests. */
export const transportOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'On Rate Limit',
			name: 'onRateLimit',
			type: 'options',
			default: 'wait',
			description: 'What to do when the API key has no requests left in the current window',
			options: [
				{
					name: 'Fail',
					value: 'fail',
					description: 'Stop with an error that says when requests are possible again',
				},
				{
					name: 'Wait',
					value: 'wait',
					description: 'Wait for the next window and continue; no item is lost',
				},
			],
		},
		{
			displayName: 'Reuse Identical Requests',
			name: 'reuseIdentical',
			type: 'boolean',
			default: true,
			description:
				'Whether items that read the same record share one request. Turn it off if later items must see the changes of earlier ones.',
		},
	],
};

/** For workflows that page through a list themselves. */
export const startAtPage: INodeProperties = {
	displayName: 'Start at Page',
	name: 'startAtPage',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'Number of the first page to read. A page has as many records as Limit says, at most 100, or fewer if the service allows fewer.',
};

/** "Return All" and "Limit", each declared once for all operations that list something. */
export function pagingFields(show: Record<string, string[]>): INodeProperties[] {
	return [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
			displayOptions: { show },
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: { show: { ...show, returnAll: [false] } },
		},
	];
}
