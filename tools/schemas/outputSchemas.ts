import type { INodeTypeDescription } from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';

import { operationsIn } from '../../nodes/shared/node/operation';

/** JSON schema of an operation's output, by `resource/operation`. */
export type OutputSchemas = Record<string, object>;

/**
 * The output schemas that n8n's editor reads beside a node, to offer an operation's fields before
 * it has run. They come from the schemas that check the service's answers; an operation whose
 * answer the documents do not show has none.
 */
export function outputSchemas({ properties }: INodeTypeDescription): OutputSchemas {
	const schemas: OutputSchemas = {};
	for (const { resource, option, operation } of operationsIn(properties)) {
		const { schema } = operation;
		if (schema) schemas[`${resource}/${String(option.value)}`] = jsonSchemaOf(schema());
	}
	return schemas;
}

function jsonSchemaOf(schema: AnyZodObject): object {
	const jsonSchema = zodToJsonSchema(schema, { $refStrategy: 'none' });
	return { ...(simple(jsonSchema) as object), version: 1 };
}

/** Keeps what the editor uses: types and fields. A field that may be null is of its other type. */
function simple(schema: unknown): unknown {
	const { type, properties, items, anyOf } = schema as {
		type?: string | string[];
		properties?: Record<string, unknown>;
		items?: unknown;
		anyOf?: Array<{ type?: string; const?: unknown }>;
	};
	if (anyOf) {
		const [first, ...others] = anyOf.filter((each) => each.type !== 'null');
		// A documented alternative; other alternatives only tolerate services that write values differently.
		const isTextOrFalse = first?.type === 'string' && others.every((each) => each.const === false);
		return isTextOrFalse && others.length === 1 ? { type: ['string', 'boolean'] } : simple(first);
	}
	if (properties) {
		const fields = Object.entries(properties).map(([name, each]) => [name, simple(each)]);
		return { type: 'object', properties: Object.fromEntries(fields) as object };
	}
	if (items) return { type: 'array', items: simple(items) };
	return { type: Array.isArray(type) ? type.find((each) => each !== 'null') : type };
}
