import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { operationsIn } from './operation';
import type { FieldType, Fields } from './records';

/** What n8n's AI builders read about a node, in addition to its description. */
type BuilderHint = NonNullable<INodeTypeDescription['builderHint']>;
type Variations = NonNullable<BuilderHint['extraTypeDefContent']>;

/**
 * Tells AI builders what each operation does and which fields its output has.
 *
 * n8n generates a type per operation, but its comment is the description of the *first* operation
 * with the same value, and n8n ignores the output schemas of community nodes.
 *
 * @param advice more sentences, by `resource.operation`
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

/** Formats a type as TypeScript: `{ id: number, name: string }`. */
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

/** n8n refuses to load a node with hints on these parameters. */
const WITHOUT_HINTS = ['resource', 'operation', 'mode'];

/**
 * Adds a hint to each list of choices, because AI builders see the values of choices, but neither
 * their names nor their descriptions.
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
