import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { operationsIn } from '../../nodes/shared/node/operation';
import { table } from './markdown';
import { sampleOf } from './samples';

/** What a node can do: an operation, or an event of a trigger. */
interface Entry {
	/** The resource's name in the panel, e.g. `Campaign`; for an event, the trigger's name. */
	group: string;
	option: INodePropertyOptions;
	/** Its value in workflows: an event's, or resource and operation as `campaign.addLink`. */
	value: string;
}

/** The operations of a node, or the events of a trigger, in the order of the panel. */
function entriesOf({ displayName, properties }: INodeTypeDescription): Entry[] {
	const choicesOf = (parameter: string) =>
		(properties.find(({ name }) => name === parameter)?.options ?? []) as INodePropertyOptions[];
	const events = choicesOf('event');
	if (events.length > 0) {
		return events.map((option) => ({ group: displayName, option, value: String(option.value) }));
	}
	const resources = choicesOf('resource');
	return operationsIn(properties).map(({ resource, option }) => ({
		group: resources.find(({ value }) => value === resource)?.name ?? resource,
		option,
		value: `${resource}.${String(option.value)}`,
	}));
}

/** A node's operations. Resources with the same ones share a line. The panel describes each of them. */
export function operationsOf(description: INodeTypeDescription): string {
	const entries = entriesOf(description);
	const groups = [...new Set(entries.map(({ group }) => group))];
	const names = (of: string) =>
		entries.flatMap(({ group, option }) => (group === of ? [option.name] : [])).join(', ');
	const lines = [...new Set(groups.map(names))];
	const sharing = (line: string) => groups.filter((group) => names(group) === line).join(', ');
	return table(
		['Resource', 'Operations'],
		lines.map((line) => [sharing(line), line]),
	);
}

/**
 * An output item of each of these operations or events.
 *
 * @param sampled their values, such as `campaign.create`
 */
export async function samplesOf(
	description: INodeTypeDescription,
	sampled: string[],
): Promise<string> {
	const samples: string[] = [];
	// In sequence, because each sample runs a node through n8n's engine.
	for (const { group, option, value } of entriesOf(description)) {
		if (!sampled.includes(value)) continue;
		const sample = jsonText(shortened(await sampleOf(description.name, value)));
		samples.push(
			`*${group}: ${option.name}* returns items like this one:\n\n\`\`\`json\n${sample}\n\`\`\``,
		);
	}
	return samples.join('\n\n');
}

/** Most records fit into a line of this length. */
const LINE_LENGTH = 130;

/** JSON with every value on one line if it fits. */
function jsonText(value: unknown, indent = ''): string {
	const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
	if (indent.length + line.length <= LINE_LENGTH || typeof value !== 'object') return line;
	const inner = `${indent}  `;
	const isList = Array.isArray(value);
	const entries = Object.entries(value ?? {}).map(
		([key, each]) => `${inner}${isList ? '' : `"${key}": `}${jsonText(each, inner)}`,
	);
	const [begin, end] = isList ? ['[', ']'] : ['{', '}'];
	return `${begin}\n${entries.join(',\n')}\n${indent}${end}`;
}

/** Shortens each list in an item to its first entry, which shows the fields. */
function shortened(value: unknown): unknown {
	if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
}
