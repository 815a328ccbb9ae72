import { Script } from 'node:vm';

import type { INode, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import * as registryEvents from '../../nodes/CompanyRegistry/events';
import { RECOMMENDATION_FIELDS } from '../../nodes/CompanyRegistry/company';
import * as linkEvents from '../../nodes/LinkManagement/events';

import { isJson } from '../../nodes/shared/http/envelope';
import { operationsIn } from '../../nodes/shared/node/operation';
import type { Fields } from '../../nodes/shared/node/records';
import { readExamples } from '../../tools/examples';
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
					const value = json[field];
					return value === undefined || (value !== null && Array.isArray(value) !== isList);
				});
				expect([where, wrong]).toEqual([where, []]);
			}
		}
	});

	const EVENTS = Object.values({ ...linkEvents, ...registryEvents });

	/** The fields that every output item of the node has, and whether they are lists. */
	function fieldsOf({ type, parameters }: INode): Array<[field: string, isList: boolean]> {
		const fields = ({ output }: { output: Fields }, isThere: (field: string) => boolean) =>
			Object.entries(output)
				.filter(([field]) => isThere(field))
				.map(([field, kind]): [string, boolean] => [field, Array.isArray(kind)]);
		const event = EVENTS.find(({ value }) => value === parameters.event);
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
