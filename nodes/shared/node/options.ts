import type { INodeProperties } from 'n8n-workflow';

/** The display condition for a field of one resource's operations. */
export function showFor(resource: string, ...operations: string[]) {
	return { show: { resource: [resource], operation: operations } };
}

/** Request settings, for every operation that sends requests. */
export const transportOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Deduplicate Requests',
			name: 'reuseIdentical',
			type: 'boolean',
			default: true,
			// A tool call has only one item.
			displayOptions: { hide: { '@tool': [true] } },
			description:
				'Whether items that read the same record share one request. Turn this off if later items depend on changes made by earlier ones.',
		},
		{
			displayName: 'On Rate Limit',
			name: 'onRateLimit',
			type: 'options',
			default: 'wait',
			description:
				"What to do when you've reached the rate limit. By default, the node waits. As an agent's tool, it fails and says when to try again.",
			options: [
				{
					name: 'Fail',
					value: 'fail',
					description: 'Stop with an error that says when to try again',
				},
				{
					name: 'Wait',
					value: 'wait',
					description: 'Wait for the limit to reset, then continue',
				},
			],
		},
	],
};

/** For workflows that read a list page by page, in a loop. */
export const startAtPage: INodeProperties = {
	displayName: 'Start at Page',
	name: 'startAtPage',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'First page to read. Each page has as many records as Limit, up to 100. If the service uses a different page size, an error tells you which.',
};

/**
 * "Return All" and "Limit" for all operations that list something. n8n evaluates a parameter once
 * per declaration, so each is declared only once.
 */
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
