import type { INodeProperties } from 'n8n-workflow';

import { CompanyRegistry } from '../../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../../nodes/LinkManagement/LinkManagementTrigger.node';
import { explainChoices, typeText } from '../../../nodes/shared/node/builderHint';
import { operationsIn } from '../../../nodes/shared/node/operation';

const NODES = [LinkManagement, LinkManagementTrigger, CompanyRegistry, CompanyRegistryTrigger].map(
	(Node) => new Node().description,
);

test('typeText writes a type as TypeScript on one line', () => {
	const type = {
		id: 'integer',
		rotator: 'string|boolean',
		items: [{ names: ['string'] }],
	} as const;
	expect(typeText(type)).toBe(
		'{ id: number, rotator: string | boolean, items: { names: string[] }[] }',
	);
});

test('explainChoices explains the choices of a field in its hint, even inside a collection', () => {
	const choice = (name: string): INodeProperties => ({
		...{ displayName: 'Speed', name, type: 'options', default: 'slow' },
		options: [
			{ name: 'Fast', value: 'fast', description: 'Costs more' },
			{ name: 'Slow', value: 'slow' },
		],
	});
	const collection: INodeProperties = {
		...{ displayName: 'Options', name: 'options', type: 'collection', default: {} },
		options: [choice('speed')],
	};
	const [explained, inside, operation] = explainChoices([
		choice('speed'),
		collection,
		choice('operation'),
	]);
	const hint = { propertyHint: 'fast: Costs more' };
	expect(explained?.builderHint).toEqual(hint);
	expect(inside?.options?.[0]).toMatchObject({ builderHint: hint });
	// n8n doesn't load a node with a hint on this field.
	expect(operation).not.toHaveProperty('builderHint');
});

test.each(NODES)(
	'$displayName tells AI builders what it returns',
	({ builderHint, properties }) => {
		const texts = builderHint?.extraTypeDefContent?.map(({ content }) => content) ?? [];
		const returning = operationsIn(properties).filter(({ operation }) => operation.fields);
		const outputs = texts.join('\n').match(/Output: \{/g) ?? [];
		const event = properties.find(({ name }) => name === 'event');
		expect(outputs).toHaveLength(event?.options?.length ?? returning.length);
		expect(builderHint?.searchHint).toMatch(/^[A-Z].*\.$/);
	},
);

test('every resource and every event has a description', () => {
	for (const { properties } of NODES) {
		for (const { name, options = [] } of properties) {
			if (name !== 'resource' && name !== 'event') continue;
			for (const option of options)
				expect(option).toHaveProperty('description', expect.any(String));
		}
	}
});
