import type { IDataObject, INodeTypeDescription } from 'n8n-workflow';

import { choicesOf, operationsOf, titleOf } from './description';
import type { DocumentedOperation } from './description';
import { jsonBlock } from './markdown';
import { requests } from './operations';
import { optionsTable, parametersTable } from './parameters';
import type { Sample } from './samples';

/** Every operation of a node: its request, its parameters and an example output. */
export async function operationsReference(
	description: INodeTypeDescription,
	sample: Sample,
): Promise<string> {
	const sections: string[] = [];
	// One after the other: each runs the node through n8n's engine.
	for (const operation of operationsOf(description)) {
		sections.push(await section(description, operation, sample));
	}
	return sections.join('\n\n');
}

async function section(
	description: INodeTypeDescription,
	operation: DocumentedOperation,
	sample: Sample,
): Promise<string> {
	const { option, selection } = operation;
	const { resource = '', operation: name = '' } = selection;
	return [
		`### ${titleOf(operation)}`,
		[option.description, requests(operation)].filter(Boolean).join('<br>'),
		parametersTable(description, selection) || 'No parameters.',
		...example(await sample(resource, name)),
	].join('\n\n');
}

function example(item: IDataObject): string[] {
	return ['Example output:', jsonBlock(shortened(item))];
}

/** Of the lists in an item the first entry is enough to show what they hold. */
function shortened(value: unknown): unknown {
	if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
}

/** The options that the operations of a node share. */
export function operationsOptions(description: INodeTypeDescription): string {
	const operations = operationsOf(description);
	return optionsTable(
		description,
		operations.map((operation) => [titleOf(operation), operation.selection] as const),
	);
}

/** Every event of a trigger: its parameters and an example output. */
export async function eventsReference(
	description: INodeTypeDescription,
	sample: (event: string) => Promise<IDataObject>,
): Promise<string> {
	const sections: string[] = [];
	for (const { name, value, description: when = '' } of eventsOf(description)) {
		const event = String(value);
		const parts = [
			`### ${name}`,
			`${when}.`,
			parametersTable(description, { event }),
			...example(await sample(event)),
		];
		sections.push(parts.join('\n\n'));
	}
	return sections.join('\n\n');
}

/** The options that the events of a trigger share. */
export function eventsOptions(description: INodeTypeDescription): string {
	const events = eventsOf(description);
	return optionsTable(
		description,
		events.map(({ name, value }) => [name, { event: String(value) }] as const),
	);
}

function eventsOf({ properties }: INodeTypeDescription) {
	return choicesOf(properties.find(({ name }) => name === 'event'));
}
