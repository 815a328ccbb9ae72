import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { operationsIn } from '../../nodes/shared/node/operation';

/** What a node can do: an operation, or an event of a trigger. */
export interface Entry {
	/** The resource's name in the panel, e.g. `Campaign`; for an event, the trigger's name. */
	group: string;
	/** The operation's or event's name in the panel, e.g. `Add Link`. */
	name: string;
	description: string;
	/** Its value in workflows: an event's, or resource and operation as `campaign.addLink`. */
	value: string;
}

/** The operations of a node, or the events of a trigger, in the order of the panel. */
export function entriesOf({ displayName, properties }: INodeTypeDescription): Entry[] {
	const events = choicesOf(properties.find(({ name }) => name === 'event'));
	if (events.length > 0) {
		return events.map((option) => ({
			...namesOf(option),
			group: displayName,
			value: String(option.value),
		}));
	}
	const resources = choicesOf(properties.find(({ name }) => name === 'resource'));
	return operationsIn(properties).map(({ resource, option }) => ({
		...namesOf(option),
		group: resources.find(({ value }) => value === resource)?.name ?? resource,
		value: `${resource}.${String(option.value)}`,
	}));
}

function namesOf({ name, description = '' }: INodePropertyOptions) {
	return { name, description };
}

function choicesOf(property: INodeProperties | undefined): INodePropertyOptions[] {
	return (property?.options ?? []) as INodePropertyOptions[];
}
