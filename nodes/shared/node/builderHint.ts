import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { operationsIn } from './operation';
import type { FieldType, Fields } from './records';

/** n8n's type for what its AI builders read about a node, besides its description. */
type BuilderHint = NonNullable<INodeTypeDescription['builderHint']>;
type Variations = NonNullable<BuilderHint['extraTypeDefContent']>;

/**
 * What AI builders read about each operation: what it does, and the fields of an output item.
 *
 * n8n generates a type per operation, but the comment above it is the description of the *first*
 * operation with the same value, and the output schemas of community nodes are not read.
 *
 * @param advice further sentences, by `resource.operation`
 */
export function operationHints(
	resources: Readonly<Record<string, { properties: INodeProperties[] }>>,
	advice: Readonly<Record<string, string>> = {},
): Variations {
	const all = Object.values(resources).flatMap(({ properties }) => properties);
	return operationsIn(all).map(({ resource, option, operation }) => ({
		displayOptions: { show: { resource: [resource], operation: [option.value] } },
		content: [
			option.description,
			operation.fields && `Output: ${typeText(operation.fields)}`,
			advice[`${resource}.${String(option.value)}`],
		]
			.filter(Boolean)
			.join('\n'),
	}));
}

/** A type as TypeScript writes it: `{ id: number, name: string }`. */
export function typeText(type: FieldType): string {
	if (type === 'integer') return 'number';
	if (typeof type === 'string') return type.replace('|', ' | ');
	if (isListType(type)) return `${typeText(type[0])}[]`;
	return `{ ${Object.entries(type)
		.map(([name, each]) => `${name}: ${typeText(each)}`)
		.join(', ')} }`;
}

function isListType(type: Fields | readonly [FieldType]): type is readonly [FieldType] {
	return Array.isArray(type);
}

/** n8n does not load a node with hints on these. */
const WITHOUT_HINTS = ['resource', 'operation', 'mode'];

/**
 * Fields with a hint that explains their choices: AI builders read the values of a list, but neither
 * the names nor the descriptions.
 */
export function explainChoices(fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => {
		if (field.type === 'collection') {
			return { ...field, options: explainChoices((field.options ?? []) as INodeProperties[]) };
		}
		if (!['options', 'multiOptions'].includes(field.type)) return field;
		if (WITHOUT_HINTS.includes(field.name)) return field;
		const choices = ((field.options ?? []) as INodePropertyOptions[])
			.filter(({ description }) => description)
			.map(({ value, description }) => `${String(value)}: ${description}`);
		if (choices.length === 0) return field;
		const propertyHint = [field.builderHint?.propertyHint, choices.join('; ')];
		return { ...field, builderHint: { propertyHint: propertyHint.filter(Boolean).join(' ') } };
	});
}
