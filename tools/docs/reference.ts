import type { INodeTypeDescription } from 'n8n-workflow';

import { entriesOf, type Entry } from './description';
import { table } from './markdown';
import { sampleOf } from './samples';

/**
 * Every operation of a node, or event of a trigger, in a table per resource.
 *
 * @param sampled the operations or events to show with an output item
 */
export async function reference(
	description: INodeTypeDescription,
	sampled: string[],
): Promise<string> {
	const entries = entriesOf(description);
	const groups = [...new Set(entries.map(({ group }) => group))];
	const sections = groups.map((group) => {
		const own = entries.filter((entry) => entry.group === group);
		return `### ${group}\n\n${entriesTable(own)}`;
	});
	const samples: string[] = [];
	// In sequence, because each sample runs a node through n8n's engine.
	for (const { group, name, value } of entries.filter((entry) => sampled.includes(entry.value))) {
		const sample = jsonText(shortened(await sampleOf(description.name, value)));
		samples.push(
			`*${group}: ${name}* returns items like this one:\n\n\`\`\`json\n${sample}\n\`\`\``,
		);
	}
	return [...sections, ...samples].join('\n\n');
}

function entriesTable(entries: Entry[]): string {
	if (entries.every(({ requests }) => requests.length === 0)) {
		return table(
			['Name', 'What it does'],
			entries.map(({ name, description }) => [name, description]),
		);
	}
	return table(
		['Operation', 'Request', 'What it does'],
		entries.map(({ name, requests, description }) => [
			name,
			requests.map((request) => `\`${request}\``).join(', '),
			description,
		]),
	);
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
