import type { INodeProperties } from 'n8n-workflow';

import { isJson } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import { positiveId, required, wholeNumber } from '../../shared/node/validators';
import type { Parameter } from '../../shared/poll/event';
import { recordModes } from '../fields';

/** A record to watch, with the same modes as in the action node. */
export function watchedRecord(
	field: Pick<INodeProperties, 'displayName' | 'name'>,
	searchListMethod: string,
): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'Select from the list, or enter an ID',
		...recordModes(searchListMethod),
	};
}

/** The id that such a field holds. @throws InputError */
export function watchedId(value: unknown, label: string): string {
	return required<string>(positiveId, isJson(value) ? value.value : value, label);
}

/** Shared by the events of files. */
export const nameContains: INodeProperties = {
	displayName: 'Name Contains',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. invoice',
	description: 'Only files whose name contains this text. Not case-sensitive.',
};

/** The text, and whether a file's name contains it. */
export function nameFilter(parameter: Parameter) {
	const text = String(parameter<unknown>('name', '') ?? '').trim();
	const comparable = (value: unknown) =>
		String(value ?? '')
			.normalize()
			.toLowerCase();
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
		description: `${counted} accumulate until this minimum is reached`,
	};
}

export function minimumIn(parameter: Parameter, counted: string): number {
	const value = parameter<unknown>(`minimum${counted}`, 1);
	return required<number>(wholeNumber(1), value, `Minimum New ${counted}`);
}
