import type { INode, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { isJson } from '../../nodes/shared/http/envelope';
import { readExamples } from '../../tools/examples';
import { nodeClasses, PACKAGE } from '../engine/harness';
import '../engine/pollHarness';

/** What n8n itself adds to the panel of a tool. */
const TOOL_PARAMETERS = ['descriptionType', 'toolDescription'];

/** The parameters that a node sets, but its panel does not show, or a drop-down does not offer. */
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

test('reports parameters that are hidden, unknown or not offered', () => {
	const { description } = nodeClasses[`${PACKAGE}.linkManagement`]!;
	const parameters = {
		resource: 'campaign',
		operation: 'create',
		campaignName: '=x',
		tag: 'of a pixel',
		campaignFields: { slug: 'x', name: 'y', public: 'maybe' },
	};
	expect(unseen({ parameters } as unknown as INode, description)).toEqual([
		'tag',
		'campaignFields.name',
		'campaignFields.public: maybe',
	]);
});

test('every example sets only what the panels of its nodes show', async () => {
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
