import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { FieldType, Fields } from './collection';

/** Formats a type as TypeScript: `{ id: number, name: string }`. */
export function typeText(type: FieldType): string {
	if (type === 'integer') return 'number';
	if (typeof type === 'string') return type.replace('|', ' | ');
	if (Array.isArray(type)) return `${typeText((type as [FieldType])[0])}[]`;
	const fields = Object.entries(type as Fields).map(([name, each]) => `${name}: ${typeText(each)}`);
	return `{ ${fields.join(', ')} }`;
}

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
		// n8n refuses to load a node with a hint on this parameter.
		if (field.name === 'operation') return field;
		const choices = ((field.options ?? []) as INodePropertyOptions[])
			.filter(({ description }) => description)
			.map(({ value, description }) => `${String(value)}: ${description}`);
		if (choices.length === 0) return field;
		return { ...field, builderHint: { propertyHint: choices.join('; ') } };
	});
}
