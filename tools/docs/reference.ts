import type { IDataObject, INodeTypeDescription } from 'n8n-workflow';

import { entriesOf, type Entry } from './description';
import { table } from './markdown';
import { parametersOf, parametersTable, type Parameter } from './parameters';
import { sampleOf } from './samples';

/**
 * Every operation of a node, or event of a trigger: a section per resource with its requests, its
 * parameters and example output. Parameters shared by several resources come first.
 */
export async function reference(description: INodeTypeDescription): Promise<string> {
	const entries = entriesOf(description);
	const groups = [...new Set(entries.map(({ group }) => group))];
	const parameters = parametersOf(description, entries);
	const groupsOf = ({ usedBy }: Parameter) => new Set(usedBy.map(({ group }) => group));
	const shared = parameters.filter((parameter) => groupsOf(parameter).size > 1);
	const sections =
		shared.length === 0
			? []
			: ['### Shared parameters', parametersTable(shared, entries, description)];
	// In sequence, because each sample runs a node through n8n's engine.
	for (const group of groups) {
		const own = entries.filter((entry) => entry.group === group);
		const fields = parameters.filter(
			(parameter) => !shared.includes(parameter) && groupsOf(parameter).has(group),
		);
		sections.push(
			`### ${group}`,
			entriesTable(own),
			parametersTable(fields, own, description),
			await examples(own, description.name),
		);
	}
	return sections.filter(Boolean).join('\n\n');
}

function entriesTable(entries: Entry[]): string {
	if (entries[0]?.selection.event) {
		return table(
			['Event', 'Starts the workflow'],
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

/** Example outputs. Operations that return the same fields share one. */
async function examples(entries: Entry[], node: string): Promise<string> {
	const byFields = new Map<string, { names: string[]; item: IDataObject }>();
	for (const { name, selection } of entries) {
		const item = await sampleOf(node, selection);
		const fields = Object.keys(item).join();
		const known = byFields.get(fields);
		if (known) known.names.push(name);
		else byFields.set(fields, { names: [name], item });
	}
	const blocks = [...byFields.values()].map(
		({ names, item }) => `// ${names.join(', ')}\n${jsonText(shortened(item))}`,
	);
	return ['```js', ...blocks, '```'].join('\n');
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
