import type { INodeProperties } from 'n8n-workflow';
import type { Json } from '../shared/http/json';
import { enteredIn, inBody, inPath } from '../shared/node/inputs';
import type { SentField } from '../shared/node/inputs';
import type { Parameter } from '../shared/node/call';
import type { Collection } from '../shared/node/collection';
import { endpoint } from '../shared/node/operation';
import type { OperationOption } from '../shared/node/operation';
import { showFor } from '../shared/node/options';
import { deleteRecord, listRecords } from '../shared/node/outputs';
import { fold, normalText } from '../shared/node/texts';
import { positiveId, wholeNumber } from '../shared/node/validators';
import type { Validator } from '../shared/node/validators';
import { idByName } from './lookup';
import type { Kind } from './lookup';

export { showFor };

/** Description of "Update Fields". */
export const UNCHANGED = 'Only the fields you add are changed';

/**
 * The operation Get Many.
 *
 * @param plural what the list has, e.g. `campaigns`
 * @param counted what the service counts for each, e.g. `download`
 */
export function getMany(list: Collection, plural: string, counted?: string): OperationOption {
	const [inAction, inText] = counted
		? [` with ${counted}s`, ` with their ${counted} counts`]
		: ['', ''];
	return {
		name: 'Get Many',
		value: 'getAll',
		action: `Get many ${plural}${inAction}`,
		description: `List the ${plural} in the account${inText}`,
		routing: endpoint('GET', list.path, listRecords(list)),
	};
}

/** The operation Delete. @param url as n8n's routing writes it */
export function deleteBy(
	url: string,
	noun: string,
	description = `Delete a ${noun}`,
): OperationOption {
	const routing = endpoint('DELETE', url, deleteRecord);
	return { name: 'Delete', value: 'delete', action: `Delete ${noun}`, description, routing };
}

/**
 * A resource's optional fields, as one parameter, so that they keep their values when the user switches to
 * another operation. n8n calls them "Additional Fields" in a create and "Update Fields" in an update.
 */
export function optionalFields(
	resource: string,
	field: Pick<INodeProperties, 'name' | 'default' | 'options'>,
	{ upsert, update } = {
		upsert: 'When updating, only the fields you add are changed',
		update: UNCHANGED,
	},
): INodeProperties[] {
	const collection = (
		displayName: string,
		description: string,
		...operations: string[]
	): INodeProperties => ({
		displayName,
		...field,
		type: 'collection',
		placeholder: 'Add field',
		description,
		options: ((field.options ?? []) as INodeProperties[]).filter(({ displayOptions }) => {
			const shownIn = displayOptions?.show?.['/operation'];
			return !shownIn || operations.some((operation) => shownIn.includes(operation));
		}),
		displayOptions: showFor(resource, ...operations),
	});
	return [
		collection('Additional Fields', upsert, 'create', 'upsert'),
		collection('Update Fields', update, 'update'),
	];
}

/**
 * `typeOptions` of the mode "From List".
 *
 * @param instead what the user can enter without the list, e.g. `ID`
 */
export function listOptions(searchListMethod: string, instead: string) {
	const slowLoadNotice = {
		message: `The list is loading slowly or waiting for the rate limit. You can enter the ${instead} instead.`,
		timeout: 5_000,
	};
	return { searchListMethod, searchable: true, slowLoadNotice };
}

/** A field for selecting a record from a list or by its ID, as a trigger's for the record to watch. */
export function watchedRecord(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'displayOptions'>,
	searchListMethod: string,
): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'Select from the list, or enter an ID',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: listOptions(searchListMethod, 'ID'),
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
	};
}

/**
 * A field for selecting a record from a list, by its ID, or by its name if it's of a kind that can be found
 * by that. The ID replaces the placeholder in the path that has the field's name, e.g. `:campaignId`.
 *
 * @param searchListMethod one of pickers.ts
 */
export function recordLocator(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'displayOptions'>,
	searchListMethod: string,
	named?: { kind: Kind; placeholder: string },
): INodeProperties {
	const locator = watchedRecord(field, searchListMethod);
	if (!named) return inPath(locator);
	const { kind, placeholder } = named;
	const displayName = kind.calledBy === 'name' ? 'By Name' : 'By Address';
	const hint = 'To find it, the node reads the list once per run';
	locator.description += ` or ${kind.calledBy}`;
	locator.modes?.push({ displayName, name: 'name', type: 'string' as const, placeholder, hint });
	return inPath(locator, positiveId, idByName(kind));
}

/** A text that an update can clear. Only the variant for updates has a hint that says how. */
export function clearableText(field: INodeProperties, validator?: Validator): SentField[] {
	const sent = inBody(field, validator);
	const check = { ...sent.check, clearable: true };
	const hint = 'Leave empty to clear it. An expression that returns null keeps the current value.';
	const inUpdates = { show: { '/operation': ['update', 'upsert'] } };
	return [
		{ ...sent, displayOptions: { show: { '/operation': ['create'] } } },
		{ ...sent, check, hint, displayOptions: inUpdates },
	];
}

/** The ID in a field made by watchedRecord. @throws InputError if it isn't one */
export function watchedId(value: unknown, label: string): string {
	return positiveId(enteredIn(value), label);
}

/** One field for both file events, so the text stays when the user switches between them. */
export const nameContains: INodeProperties = {
	displayName: 'Name Contains',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. invoice',
	description: 'Only files whose name contains this text. Not case-sensitive.',
};

export function nameFilter(parameter: Parameter) {
	const text = String(parameter<unknown>('name', '') ?? '').trim();
	const comparable = (value: unknown) => fold(normalText(value));
	return { text, matches: ({ name }: Json) => comparable(name).includes(comparable(text)) };
}

/** @param counted e.g. `Downloads` */
export function minimumField(counted: string): INodeProperties {
	return {
		displayName: `Minimum New ${counted}`,
		name: `minimum${counted}`,
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description: `How many new ${counted.toLowerCase()} it takes to start the workflow`,
	};
}

export function minimumIn(parameter: Parameter, counted: string): number {
	return wholeNumber(1)(parameter(`minimum${counted}`, 1), `Minimum New ${counted}`);
}
