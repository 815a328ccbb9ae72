import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { OperationOption } from './operation';
import type { FieldType, Fields } from './records';

/**
 * Tells AI builders what each operation does and which fields its output has. The types that n8n
 * generates have the description of the *first* operation with the same value, and no output.
 *
 * @param advice more sentences, by `resource.operation`
 * @returns `extraTypeDefContent` of the node's `builderHint`
 */
export function operationHints(
	resources: Readonly<Record<string, { value: string; operations: OperationOption[] }>>,
	advice: Readonly<Record<string, string>> = {},
) {
	return Object.values(resources).flatMap((resource) =>
		resource.operations.map(({ value, description, routing: { operation } }) => {
			const output = operation.fields && `Output: ${typeText(operation.fields)}`;
			const more = advice[`${resource.value}.${String(value)}`];
			return {
				displayOptions: { show: { resource: [resource.value], operation: [value] } },
				content: [description, output, more].filter(Boolean).join('\n'),
			};
		}),
	);
}

/** Formats a type as TypeScript: `{ id: number, name: string }`. */
export function typeText(type: FieldType): string {
	if (type === 'integer') return 'number';
	if (typeof type === 'string') return type.replace('|', ' | ');
	if (Array.isArray(type)) return `${typeText((type as [FieldType])[0])}[]`;
	const fields = Object.entries(type as Fields).map(([name, each]) => `${name}: ${typeText(each)}`);
	return `{ ${fields.join(', ')} }`;
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
