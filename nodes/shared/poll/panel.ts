import { deepCopy, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';

import { explainChoices, typeText } from '../node/builderHint';
import { shownName } from '../node/options';
import type { TriggerEvent, TriggerService } from './event';

type Events = ReadonlyArray<[value: string, event: TriggerEvent]>;

/** A trigger node's parameters: the event, what it needs, and "Options" if there are any. */
export function panelOf({ events, defaultEvent }: TriggerService): INodeProperties[] {
	const all = Object.entries(events);
	const fields = shownFields('event', all, (event) => event.fields);
	// n8n puts Poll Times before the first field.
	const costs = all.flatMap(([value, { cost }]): INodeProperties[] => {
		if (cost === undefined) return [];
		const displayOptions = { show: { event: [value] } };
		return [
			{ displayName: cost, name: `${value}Cost`, type: 'notice', default: '', displayOptions },
		];
	});
	const event = eventField(all, defaultEvent);
	// Modules share fields, and n8n may add entries to lists in place.
	return explainChoices(deepCopy([...costs, event, ...fields, ...optionsField(all)]));
}

export function eventSubtitle({ events }: TriggerService): string {
	const names = Object.entries(events).map(([value, { name }]) => ({ name, value }));
	return `={{ ${shownName('event', names)} }}`;
}

/** n8n's palette lists the options of a field with this label as the triggers of a node. */
function eventField(events: Events, selected: string): INodeProperties {
	const options = events.map(([value, { name, description }]): INodePropertyOptions => {
		// "On QR code scanned" for "QR Code Scanned"
		const action = `On ${name.replace(/[A-Z](?=[a-z])/g, (first) => first.toLowerCase())}`;
		return { name, value, action, description };
	});
	return {
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		default: selected,
		options: options.sort((a, b) => a.name.localeCompare(b.name, 'en')),
	};
}

/**
 * The fields of events, each shown for the events that have it.
 *
 * @param parameter where the field finds the selected event
 */
function shownFields(
	parameter: string,
	events: Events,
	fieldsOf: (event: TriggerEvent) => INodeProperties[],
): INodeProperties[] {
	return [...new Set(events.flatMap(([, event]) => fieldsOf(event)))].map((field) => {
		const having = events.filter(([, event]) => fieldsOf(event).includes(field));
		const show = { [parameter]: having.map(([value]) => value), ...field.displayOptions?.show };
		return { ...field, displayOptions: { ...field.displayOptions, show } };
	});
}

function optionsField(events: Events): INodeProperties[] {
	const options = shownFields('/event', events, (event) => event.options ?? []);
	if (options.length === 0) return [];
	options.sort((a, b) => a.displayName.localeCompare(b.displayName));
	return [
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options,
		},
	];
}

/** What AI builders read about the events: when each starts the workflow, and the fields of its item. */
export function eventHints({ events }: Pick<TriggerService, 'events'>): Array<{ content: string }> {
	const texts = Object.entries(events).map(
		([value, { description, output }]) =>
			`event '${value}': ${description}. Output: ${typeText(output)}`,
	);
	return [{ content: texts.join('\n') }];
}
