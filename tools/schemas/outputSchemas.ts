import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';

/** JSON schema of what an operation puts out, by `resource/operation`. */
export type OutputSchemas = Record<string, object>;

/**
 * The output schemas that n8n's editor reads beside a node, to offer an operation's fields before
 * it has run. They come from the schemas that check the service's answers; an operation whose
 * answer the documents do not show has none.
 */
export function outputSchemas({ properties }: INodeTypeDescription): OutputSchemas {
	const schemas: OutputSchemas = {};
	for (const { name, displayOptions, options } of properties) {
		if (name !== 'operation') continue;
		for (const resource of displayOptions?.show?.resource ?? []) {
			for (const operation of (options ?? []) as INodePropertyOptions[]) {
				const schema = schemaOf(operation);
				if (schema) schemas[`${String(resource)}/${String(operation.value)}`] = schema;
			}
		}
	}
	return schemas;
}

function schemaOf({ routing }: INodePropertyOptions): object | undefined {
	const { output } = (routing?.operations?.pagination ?? {}) as { output?: () => AnyZodObject };
	if (!output) return undefined;
	const schema = zodToJsonSchema(output(), { $refStrategy: 'none' });
	return { ...(simple(schema) as object), version: 1 };
}

/** Keeps what the editor uses: types and fields. A field that may be null is of its other type. */
function simple(schema: unknown): unknown {
	const { type, properties, items, anyOf } = schema as {
		type?: string | string[];
		properties?: Record<string, unknown>;
		items?: unknown;
		anyOf?: Array<{ type?: string }>;
	};
	if (anyOf) return simple(anyOf.find((each) => each.type !== 'null'));
	if (properties) {
		const fields = Object.entries(properties).map(([name, each]) => [name, simple(each)]);
		return { type: 'object', properties: Object.fromEntries(fields) as object };
	}
	if (items) return { type: 'array', items: simple(items) };
	return { type: Array.isArray(type) ? type.find((each) => each !== 'null') : type };
}
