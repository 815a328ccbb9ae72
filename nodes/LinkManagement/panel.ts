import type { INodeProperties } from 'n8n-workflow';
import type { Json } from '../shared/http/json';
import { enteredIn, inBody, inPath, type Field, type SentField } from '../shared/node/inputs';
import type { Parameter } from '../shared/node/call';
import { showFor } from '../shared/node/options';
import { foldedText } from '../shared/node/texts';
import {
	emptyParameter,
	positiveId,
	text,
	wholeNumber,
	type Validator,
} from '../shared/node/validators';
import { isBlank } from '../shared/node/values';
import { idByName, type Kind } from './lookup';

/**
 * A resource's optional fields, as one parameter, so that they keep their values when the user switches to
 * another operation. n8n calls them "Additional Fields" in a create and "Update Fields" in an update.
 */
export function optionalFields(resource: string, fields: INodeProperties[]): INodeProperties[] {
	const collection = (displayName: string, ...operations: string[]) => ({
		displayName,
		name: `${resource}Fields`,
		type: 'collection' as const,
		placeholder: 'Add field',
		default: {},
		description: 'An update changes only the fields you add',
		options: fields.filter(({ displayOptions }) => {
			const shownIn = displayOptions?.show?.['/operation'];
			return !shownIn || operations.some((operation) => shownIn.includes(operation));
		}),
		displayOptions: showFor(resource, ...operations),
	});
	return [
		collection('Additional Fields', 'create', 'upsert'),
		collection('Update Fields', 'update'),
	].filter(({ options }) => options.length > 0);
}

export const inUpdates = { show: { '/operation': ['update'] } };

function titled(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
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

/** A field for selecting a record from a list or by its ID. */
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
 * A field for selecting a record from a list, by its ID, or by its name. The ID replaces the placeholder in
 * the path that has the field's name, e.g. `:campaignId`.
 */
export function recordLocator(
	kind: Kind,
	placeholder: string,
	...operations: string[]
): INodeProperties {
	const { noun, calledBy } = kind;
	const displayName = titled(noun);
	const displayOptions = showFor(noun, ...operations, 'delete', 'get', 'update');
	const field = { displayName, name: `${noun}Id`, displayOptions };
	const locator = watchedRecord(field, `search${displayName}s`);
	locator.description += ` or ${calledBy}`;
	locator.modes?.push({
		displayName: `By ${titled(calledBy)}`,
		name: 'name',
		type: 'string' as const,
		placeholder,
		hint: 'To find it, the node reads the list once per run',
	});
	return inPath(locator, positiveId, idByName(kind));
}

/** A text that an update can clear. Only the variant for updates has a hint that says how. */
export function clearableText(field: Field, validator?: Validator): SentField[] {
	const sent = inBody(field, validator);
	const check = { ...sent.check, clearable: true };
	const hint = 'Leave empty to clear it. An expression that returns null keeps the current value.';
	return [
		{ ...sent, displayOptions: { show: { '/operation': ['create'] } } },
		{ ...sent, check, hint, displayOptions: { show: { '/operation': ['update', 'upsert'] } } },
	];
}

/** The ID in a field made by watchedRecord. @throws InputError if it isn't one */
export function watchedId(value: unknown, label: string): string {
	const entered = enteredIn(value);
	if (isBlank(entered)) throw emptyParameter(label);
	return positiveId(entered, label);
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
	const given = parameter<unknown>('name', '');
	const part = isBlank(given) ? '' : text(given, 'Name Contains');
	return {
		matches: ({ name }: Json) => foldedText(name).includes(foldedText(part)),
		noMatch: part === '' ? 'There are no files yet' : `No file has a name that contains "${part}"`,
	};
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
