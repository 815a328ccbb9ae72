import type { INodeProperties } from 'n8n-workflow';

import { inBody, inPath } from '../shared/node/inputs';

export { showFor } from '../shared/node/options';

/**
 * A record chosen from a searchable list or by its id. It fills the path's placeholder `:name`.
 *
 * @param searchListMethod see listSearch.ts
 */
export function recordLocator(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'displayOptions'>,
	searchListMethod: string,
): INodeProperties {
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
				validation: [
					{
						type: 'regex',
						properties: {
							regex: '^\\s*[1-9][0-9]*\\s*$',
							errorMessage: 'An ID is a positive whole number, e.g. 42',
						},
					},
				],
			},
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
	description: 'Name of the new record',
	displayOptions: { show: { resource: ['channel', 'pixel'], operation: ['create'] } },
});
