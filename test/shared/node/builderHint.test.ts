import type { INodeProperties } from 'n8n-workflow';

import { explainChoices, typeText } from '../../../nodes/shared/node/builderHint';

// test/e2e/aiView.test.ts shows what AI builders see.
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
	const choice = (name: string, type: INodeProperties['type'] = 'options'): INodeProperties => ({
		...{ displayName: 'Speed', name, type, default: 'slow' },
		options: [
			{ name: 'Fast', value: 'fast', description: 'Costs more' },
			{ name: 'Slow', value: 'slow' },
			{ name: 'Off', value: 'off', description: 'Costs nothing' },
		],
	});
	const collection: INodeProperties = {
		...{ displayName: 'Options', name: 'options', type: 'collection', default: {} },
		options: [choice('speed', 'multiOptions')],
	};
	const [explained, inside, plain, operation] = explainChoices([
		choice('speed'),
		collection,
		{ ...choice('method'), options: [{ name: 'GET', value: 'GET' }] },
		choice('operation'),
	]);
	const hint = { propertyHint: 'fast: Costs more; off: Costs nothing' };
	expect(explained?.builderHint).toEqual(hint);
	expect(inside?.options?.[0]).toMatchObject({ builderHint: hint });
	expect(plain).not.toHaveProperty('builderHint');
	// n8n doesn't load a node with a hint on this field.
	expect(operation).not.toHaveProperty('builderHint');
});
