import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { operationsIn } from '../../nodes/shared/node/operation';

/** What is selected in a panel: a node's resource and operation, or a trigger's event. */
export type Selection = Record<string, string>;

/** What a node can do: an operation, or an event of a trigger. */
export interface Entry {
	/** The resource's name in the panel, e.g. `Campaign`; for an event, the trigger's name. */
	group: string;
	/** The operation's or event's name in the panel, e.g. `Add Link`. */
	name: string;
	description: string;
	/** Method and path of each endpoint; empty if it works offline or combines other operations. */
	requests: string[];
	selection: Selection;
}

/** The operations of a node, or the events of a trigger, in the order of the panel. */
export function entriesOf(description: INodeTypeDescription): Entry[] {
	const { displayName, properties } = description;
	const events = choicesOf(properties.find(({ name }) => name === 'event'));
	if (events.length > 0) {
		return events.map((option) => ({
			...namesOf(option),
			group: displayName,
			requests: [],
			selection: { event: String(option.value) },
		}));
	}
	const resources = choicesOf(properties.find(({ name }) => name === 'resource'));
	return operationsIn(properties).map(({ resource, option, operation }) => ({
		...namesOf(option),
		group: resources.find(({ value }) => value === resource)?.name ?? resource,
		requests: operation.endpoints.map(({ method, path }) => `${method} ${path}`),
		selection: { resource, operation: String(option.value) },
	}));
}

function namesOf({ name, description = '' }: INodePropertyOptions) {
	return { name, description };
}

/** Title of an entry, e.g. `Campaign: Add Link`. */
export function titleOf({ group, name }: Entry): string {
	return `${group}: ${name}`;
}

/** The options of a field to choose from. */
export function choicesOf(property: INodeProperties | undefined): INodePropertyOptions[] {
	return (property?.options ?? []) as INodePropertyOptions[];
}

/** Whether a field can be shown with this selection, regardless of the other fields. */
export function isFor({ displayOptions = {} }: INodeProperties, selection: Selection): boolean {
	const { show = {}, hide = {} } = displayOptions;
	return Object.entries(selection).every(([name, value]) => {
		const [shown, hidden] = [show, hide].map((rules) => rules[name] ?? rules[`/${name}`]);
		return (!shown || shown.includes(value)) && !hidden?.includes(value);
	});
}

/** Conditions on fields other than resource, operation and event, by the name of that field. */
export function conditionsOf({
	displayOptions = {},
}: INodeProperties): Array<[name: string, values: unknown[]]> {
	return Object.entries(displayOptions.show ?? {})
		.filter(([name]) => !SELECTORS.includes(name.replace(/^\//, '')))
		.map(([name, values]) => [name.replace(/^\//, ''), (values ?? []) as unknown[]]);
}

/** Names of the fields that make up a selection. */
export const SELECTORS = ['resource', 'operation', 'event'];
