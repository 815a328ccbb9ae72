import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

export function showFor(resource: string, ...operations: string[]) {
	return { show: { resource: [resource], operation: operations } };
}

/** An expression for what's selected in a field, in the words of the panel. */
export function shownName(
	parameter: string,
	options: Array<Pick<INodePropertyOptions, 'name' | 'value'>>,
): string {
	const names = Object.fromEntries(options.map(({ name, value }) => [value, name]));
	return `(${JSON.stringify(names)}[$parameter.${parameter}] ?? $parameter.${parameter})`;
}

type Shown = NonNullable<IDisplayOptions['show']>;

/** Request settings, for every operation that sends requests. */
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

/**
 * "Return All" and "Limit" for all operations that list something. n8n evaluates a parameter once
 * per declaration, so they're declared for all of them together.
 *
 * @param hidden when there's another "Limit" instead
 */
export function pagingFields(
	show: Shown,
	hidden: Pick<IDisplayOptions, 'hide'> = {},
): INodeProperties[] {
	return [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
			displayOptions: { show },
		},
		limitField(show, hidden),
	];
}

export function limitField(
	show: Shown,
	hidden: Pick<IDisplayOptions, 'hide'> = {},
): INodeProperties {
	return {
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { ...hidden, show: { ...show, returnAll: [false] } },
	};
}
