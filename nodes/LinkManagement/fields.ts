import type { INodeProperties, INodePropertyMode, INodePropertyModeValidation } from 'n8n-workflow';

import { inBody, inPath } from '../shared/node/inputs';
import { startAtPage, transportOptions } from '../shared/node/options';

export { showFor } from '../shared/node/options';

/** Hint below a text that an update can clear. */
export const CLEARABLE =
	'Leave empty to clear it in an update. If an expression returns null, the current value stays.';

export const idValidation: INodePropertyModeValidation[] = [
	{
		type: 'regex',
		properties: {
			regex: '^\\s*[1-9][0-9]*\\s*$',
			errorMessage: 'An ID is a positive whole number, e.g. 42',
		},
	},
];

/**
 * A record chosen from a searchable list, by its id or by its name. It fills the path's placeholder
 * `:name`.
 *
 * @param searchListMethod see listSearch.ts
 * @param byName texts of the mode for the name, for a kind of record that lookup.ts finds by it
 */
export function recordLocator(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'displayOptions'>,
	searchListMethod: string,
	byName?: Pick<INodePropertyMode, 'displayName' | 'placeholder'>,
): INodeProperties {
	const hint = 'The node reads the list once per run to find it';
	return inPath({
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 42',
				validation: idValidation,
			},
			...(byName ? [{ ...byName, name: 'name', type: 'string' as const, hint }] : []),
		],
	});
}

/** Declared once for both resources: n8n evaluates a parameter once per declaration. */
export const nameOfNewRecord = inBody({
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Newsletter',
	description: 'Name of the channel or pixel',
	displayOptions: { show: { resource: ['channel', 'pixel'], operation: ['create', 'upsert'] } },
});

const READS = ['get', 'getAll', 'getItems', 'send'];

/** The collection "Options": each option only where it has an effect. */
export const options: INodeProperties = {
	...transportOptions,
	options: [
		...((transportOptions.options ?? []) as INodeProperties[]).map((option) =>
			option.name === 'reuseIdentical'
				? { ...option, displayOptions: { show: { '/operation': READS } } }
				: option,
		),
		{ ...startAtPage, displayOptions: { show: { '/operation': ['getAll', 'getItems'] } } },
	],
};
