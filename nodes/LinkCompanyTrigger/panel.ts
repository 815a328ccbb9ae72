import type {
	IDisplayOptions,
	INodeCredentialDescription,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { TriggerEvent } from './event';

/** The parameter "Event", the parameters of every event, and "Options". */
export function panelOf(events: readonly TriggerEvent[]): INodeProperties[] {
	return [eventField(events), ...eventFields(events), optionsField(events)];
}

/**
 * One credential per service, shown for the events of that service. The first is hidden for the
 * other events instead: if every event required a credential by `show`, the editor would take the
 * parameter "Event" for the choice of an authentication and hide it.
 */
export function credentialsOf(events: readonly TriggerEvent[]): INodeCredentialDescription[] {
	const names = [...new Set(events.map(({ service }) => service.credential))];
	const eventsWith = (matches: (credential: string) => boolean) =>
		events.filter(({ service }) => matches(service.credential)).map(({ value }) => value);
	return names.sort().map((name, index) => ({
		name,
		required: true,
		displayOptions:
			index === 0
				? { hide: { event: eventsWith((other) => other !== name) } }
				: { show: { event: eventsWith((other) => other === name) } },
	}));
}

/** The searches behind the "From List" fields of all events. */
export function listSearchOf(events: readonly TriggerEvent[]): TriggerEvent['listSearch'] {
	return Object.assign(
		{},
		...events.map(({ listSearch }) => listSearch),
	) as TriggerEvent['listSearch'];
}

function eventField(events: readonly TriggerEvent[]): INodeProperties {
	const options = events.map(({ name, value, description }): INodePropertyOptions => ({
		name,
		value,
		action: `On ${sentenceCase(name)}`,
		description,
	}));
	return {
		displayName: 'Event',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		default: 'fileCreated',
		options: options.sort((a, b) => a.name.localeCompare(b.name)),
	};
}

/** "QR Code Scanned" as "QR code scanned", within a sentence. */
function sentenceCase(name: string): string {
	const isAcronym = (word: string) => word === word.toUpperCase();
	return name
		.split(' ')
		.map((word) => (isAcronym(word) ? word : word.toLowerCase()))
		.join(' ');
}

/** A field that several events share is one property, shown for all of them. */
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
	description:
		'Whether the first poll emits the records that exist already: all files, all QR codes with scans, all companies',
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
