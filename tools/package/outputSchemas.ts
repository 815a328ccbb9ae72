import type { INodeTypeDescription } from 'n8n-workflow';

import { operationsIn } from '../../nodes/shared/node/operation';
import type { FieldType } from '../../nodes/shared/node/collection';

/**
 * The output schemas by `resource/operation`, with which n8n's editor offers an operation's fields
 * before it has run. An operation with an undocumented response doesn't have a schema.
 */
export function outputSchemas({ properties }: INodeTypeDescription): Record<string, object> {
	const schemas: Record<string, object> = {};
	for (const { resource, option, operation } of operationsIn(properties)) {
		const { fields } = operation;
		if (fields)
			schemas[`${resource}/${String(option.value)}`] = { ...schemaOf(fields), version: 1 };
	}
	return schemas;
}

function schemaOf(type: FieldType): object {
	if (typeof type === 'string') return { type: type.includes('|') ? type.split('|') : type };
	if (Array.isArray(type)) return { type: 'array', items: schemaOf((type as [FieldType])[0]) };
	const fields = Object.entries(type).map(([name, each]) => [name, schemaOf(each as FieldType)]);
	return { type: 'object', properties: Object.fromEntries(fields) as object };
}
