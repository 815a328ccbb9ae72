import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

import type { INode, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import * as registryEvents from '../../nodes/CompanyRegistry/events';
import * as linkEvents from '../../nodes/LinkManagement/events';
import { RECOMMENDATION_FIELDS } from '../../nodes/CompanyRegistry/company';
import { isJson } from '../../nodes/shared/http/json';
import type { Fields } from '../../nodes/shared/node/collection';
import { operationsIn } from '../../nodes/shared/node/operation';
import { CREDENTIALS, readExample, readExamples, triggerOf } from '../../tools/examples';
import { lists } from '../../tools/examples/lists';
import { PROJECT_DIR } from '../../tools/package';
import { nodeClasses, PACKAGE } from '../engine/harness';
import '../engine/pollHarness';

/** Parameters that n8n adds to every tool. */
const TOOL_PARAMETERS = ['descriptionType', 'toolDescription'];

/** A node's parameters that the panel doesn't show, or whose value its drop-down doesn't offer. */
function unseen({ parameters }: INode, description: INodeTypeDescription): string[] {
	const { properties } = description;
	const all = NodeHelpers.getNodeParameters(properties, parameters, true, true, null, description)!;
	const isShown = (property: INodeProperties) =>
		property.type !== 'hidden' &&
		NodeHelpers.displayParameter(all, property, null, description, all);
	const check = (values: object, offered: INodeProperties[], path: string): string[] =>
		Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
			const property = offered.find((each) => each.name === name && isShown(each));
			if (!property) return TOOL_PARAMETERS.includes(name) ? [] : [path + name];
			const options = (property.options ?? []) as INodeProperties[];
			if (property.type === 'collection' && isJson(value)) {
				return check(value, options, `${path}${name}.`);
			}
			const isLiteral = typeof value !== 'string' || !value.startsWith('=');
			if (property.type !== 'options' || !isLiteral) return [];
			const offers = options as unknown as Array<{ value: unknown }>;
			return offers.some((option) => option.value === value) ? [] : [`${path}${name}: ${value}`];
		});
	return check(parameters, properties, '');
}

test('every example sets only parameters and values that the panel offers', async () => {
	const hidden = { resource: 'campaign', operation: 'create', tag: 'of a pixel' };
	const { description: links } = nodeClasses[`${PACKAGE}.linkManagement`]!;
	expect(unseen({ parameters: hidden } as unknown as INode, links)).toEqual(['tag']);
	const wrong: string[] = [];
	for (const { name, workflow } of await readExamples()) {
		for (const node of workflow.nodes.filter(({ type }) => type.startsWith(`${PACKAGE}.`))) {
			const description = nodeClasses[node.type.replace(/Tool$/, '')]?.description;
			expect([name, node.type, description === undefined]).toEqual([name, node.type, false]);
			wrong.push(...unseen(node, description!).map((each) => `${name}, ${node.name}: ${each}`));
		}
	}
	expect(wrong).toEqual([]);
});

test('the nightly lists are what tools/examples/lists.ts makes of them', async () => {
	for (const list of lists()) expect((await readExample(list.id)).workflow).toMatchObject(list);
});

/** All strings in a value, at any depth. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

test('every expression in an example can be parsed', async () => {
	const broken: string[] = [];
	for (const { name, workflow } of await readExamples()) {
		const texts = workflow.nodes.flatMap(({ parameters }) => textsIn(parameters));
		for (const text of texts.filter((each) => each.startsWith('='))) {
			for (const [, expression = ''] of text.matchAll(/\{\{(.*?)\}\}(?!\})/gs)) {
				try {
					new Script(`(${expression})`);
				} catch {
					broken.push(`${name}: ${expression}`);
				}
			}
		}
	}
	expect(broken).toEqual([]);
});

const NOTE = 'n8n-nodes-base.stickyNote';
const NODE_SIZE = 96;
const AGENT_WIDTH = 256;
/** Room below a node for its name in two lines and its subtitle. */
const LABEL_HEIGHT = 70;

test('every example has an ID, a trigger, known credentials, and a note about setup and cost', async () => {
	for (const { name, workflow } of await readExamples()) {
		expect(workflow.id).toBe(name);
		// n8n's isWorkflowIdValid: for a longer ID, n8n silently stores no static data.
		expect(workflow.id.length).toBeLessThanOrEqual(21);
		expect(workflow).not.toHaveProperty('active', true);
		expect(triggerOf(workflow)).toBeTruthy();
		const about = workflow.nodes.find((node) => node.name === 'About');
		expect(about?.type).toBe(NOTE);
		expect(about?.parameters.content).toMatch(/^## .*\*\*To use it.*\*\*What it costs:\*\*/s);
		const used = workflow.nodes.flatMap(({ credentials = {} }) => Object.values(credentials));
		for (const { id } of used) expect(Object.keys(CREDENTIALS)).toContain(id);
	}
});

test('every example has the same name in its workflow, its note and docs/examples.md', async () => {
	const examples = await readExamples();
	const page = readFileSync(join(PROJECT_DIR, 'docs', 'examples.md'), 'utf8');
	const linked = page.match(/\[[^\]]+\]\(\.\.\/examples\/[^)]+\)/g) ?? [];
	const links = examples.map(
		({ name, workflow }) => `[${workflow.name}](../examples/${name}.json)`,
	);
	expect(linked.sort()).toEqual(links.sort());
	for (const { workflow } of await readExamples()) {
		const about = workflow.nodes.find((node) => node.name === 'About');
		expect(String(about?.parameters.content).split('\n')[0]).toBe(`## ${workflow.name}`);
	}
});

test('no node of an example overlaps another node or the edge of a note', async () => {
	for (const { name, workflow } of await readExamples()) {
		const areas = workflow.nodes.map((node) => ({ node, ...areaOf(node) }));
		for (const area of areas.filter(({ node }) => node.type !== NOTE)) {
			const wrong = areas
				.filter((other) => other !== area && overlaps(area, other))
				.filter((other) => other.node.type !== NOTE || !contains(other, area))
				.map(({ node }) => `${name}: ${area.node.name} and ${node.name}`);
			expect(wrong).toEqual([]);
		}
	}
});

test('every example connects all of its nodes, and no others', async () => {
	for (const { workflow } of await readExamples()) {
		const names = workflow.nodes.filter(({ type }) => type !== NOTE).map(({ name }) => name);
		const connected = new Set([triggerOf(workflow), ...connectedBy(workflow.connections)]);
		expect([...connected].sort()).toEqual(names.sort());
	}
});

type Connections = Record<string, Record<string, Array<Array<{ node: string }>>>>;

/** The nodes that connections lead to, and the tools and models that serve an agent. */
function connectedBy(connections: Record<string, unknown>): string[] {
	return Object.entries(connections as Connections).flatMap(([from, byType]) =>
		Object.entries(byType).flatMap(([type, outputs]) =>
			type === 'main' ? outputs.flat().map(({ node }) => node) : [from],
		),
	);
}

type Area = Record<'left' | 'top' | 'right' | 'bottom', number>;

/** A node's box as the editor draws it, with its name below. Agents are wider. */
function areaOf({ type, position: [left, top], parameters }: INode): Area {
	const isAgent = type === '@n8n/n8n-nodes-langchain.agent';
	const width = type === NOTE ? Number(parameters.width) : isAgent ? AGENT_WIDTH : NODE_SIZE;
	const height = type === NOTE ? Number(parameters.height) : NODE_SIZE + LABEL_HEIGHT;
	return { left, top, right: left + width, bottom: top + height };
}

function overlaps(a: Area, b: Area): boolean {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function contains(outer: Area, { left, top, right, bottom }: Area): boolean {
	const isInColumn = outer.left <= left && right <= outer.right;
	return isInColumn && outer.top <= top && bottom <= outer.bottom;
}

describe('Sample data in examples', () => {
	const own = async () =>
		(await readExamples()).flatMap(({ name, workflow: { nodes, pinData = {} } }) =>
			nodes
				.filter(({ type }) => type.startsWith(`${PACKAGE}.`) && !type.endsWith('Tool'))
				.map((node) => ({ where: `${name}, ${node.name}`, node, items: pinData[node.name] ?? [] })),
		);

	test('every example has sample data on its nodes of this package', async () => {
		const missing = (await own()).filter(({ items }) => items.length === 0);
		expect(missing.map(({ where }) => where)).toEqual([]);
	});

	test('sample data has the fields that the nodes and triggers return', async () => {
		for (const { where, node, items } of await own()) {
			for (const { json } of items) {
				const wrong = fieldsOf(node).filter(([field, isList]) => {
					// Nobody writes this list back, and its rows fit on a screen without the state.
					if (where.startsWith('enrich-crm-rows') && field === 'registry_state') return false;
					const value = json[field];
					return value === undefined || (value !== null && Array.isArray(value) !== isList);
				});
				expect([where, wrong]).toEqual([where, []]);
			}
		}
	});

	const EVENTS: Record<string, { output: Fields }> = { ...linkEvents, ...registryEvents };

	/** The fields that every output item of the node has, and whether they are lists. */
	function fieldsOf({ type, parameters }: INode): Array<[field: string, isList: boolean]> {
		const fields = ({ output }: { output: Fields }, isThere: (field: string) => boolean) =>
			Object.entries(output)
				.filter(([field]) => isThere(field))
				.map(([field, kind]): [string, boolean] => [field, Array.isArray(kind)]);
		const event = EVENTS[String(parameters.event)];
		// Which of these the status event has depends on the watched fields.
		if (event) return fields(event, (field) => !/^previous|_|rating|score/.test(field));
		const { properties } = nodeClasses[type]!.description;
		const found = operationsIn(properties).find(
			({ resource, option }) =>
				resource === parameters.resource && option.value === parameters.operation,
		);
		return fields({ output: found!.operation.fields ?? {} }, (field) => {
			if (parameters.operation !== 'enrich') return field !== 'statistics';
			const added = field.replace('registry_', '');
			return parameters.addCredit === true || !RECOMMENDATION_FIELDS.includes(added);
		});
	}
});
