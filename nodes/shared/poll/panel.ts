import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { explainChoices, typeText } from '../node/builderHint';
import type { TriggerEvent, TriggerEvents } from './event';

/** A trigger node's parameters: the event, what it needs, and "Options". */
export function panelOf({ events, defaultEvent }: TriggerEvents): INodeProperties[] {
	const all = Object.values(events);
	const fields = [eventField(all, defaultEvent), ...eventFields(all), optionsField(all)];
	return explainChoices(fields);
}

/** Shows the event's name below the node. */
export function eventSubtitle({ events }: TriggerEvents): string {
	const names = Object.fromEntries(Object.values(events).map(({ value, name }) => [value, name]));
	return `={{ ${JSON.stringify(names)}[$parameter.event] ?? $parameter.event }}`;
}

/** n8n's palette lists the options of a field with this label as the triggers of a node. */
function eventField(events: readonly TriggerEvent[], { value }: TriggerEvent): INodeProperties {
	const options = events.map(({ name, value: option, description }): INodePropertyOptions => ({
		name,
		value: option,
		action: `On ${sentenceCase(name)}`,
		description,
	}));
	return {
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		default: value,
		options: options.sort(byName),
	};
}

/** "QR code scanned" for "QR Code Scanned". */
function sentenceCase(name: string): string {
	const isAcronym = (word: string) => word === word.toUpperCase();
	return name
		.split(' ')
		.map((word) => (isAcronym(word) ? word : word.toLowerCase()))
		.join(' ');
}

/** A field that several events share is one property. */
function eventFields(events: readonly TriggerEvent[]): INodeProperties[] {
	const fields = new Set(events.flatMap((event) => event.fields));
	return [...fields].map((field) =>
		shownFor('event', events, field, (event) => event.fields.includes(field)),
	);
}

function optionsField(events: readonly TriggerEvent[]): INodeProperties {
	const options = new Set(events.flatMap((event) => event.options ?? []));
	const own = [...options].map((option) =>
		shownFor('/event', events, option, (event) => event.options?.includes(option) ?? false),
	);
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...own, emitExisting].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

const emitExisting: INodeProperties = {
	displayName: 'Emit Existing Records',
	name: 'emitExisting',
	type: 'boolean',
	default: false,
	description: 'Whether to start the workflow for records that already exist when you publish it',
};

function shownFor(
	parameter: string,
	events: readonly TriggerEvent[],
	field: INodeProperties,
	has: (event: TriggerEvent) => boolean,
): INodeProperties {
	const values = events.filter(has).map(({ value }) => value);
	const displayOptions: IDisplayOptions = {
		...field.displayOptions,
		show: { [parameter]: values, ...field.displayOptions?.show },
	};
	return { ...field, displayOptions };
}

function byName(a: INodePropertyOptions, b: INodePropertyOptions): number {
	return a.name.localeCompare(b.name, 'en');
}

/** What AI builders read about the events: when each starts the workflow, and the fields of its item. */
export function eventHints({ events }: Pick<TriggerEvents, 'events'>): Array<{ content: string }> {
	const texts = Object.values(events).map(
		({ value, description, output }) =>
			`event '${value}': ${description}. Output: ${typeText(output)}`,
	);
	return [{ content: texts.join('\n') }];
}
