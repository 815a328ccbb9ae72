import { z } from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';
import type { Endpoint } from './shared/endpoint';

interface DescribedService {
	name: string;
	endpoints: readonly Endpoint[];
}

const LINKS = {
	title: 'Link Management API',
	security: { type: 'http', scheme: 'bearer' },
	failure: z.object({ error: z.literal(1), message: z.string() }),
};
const REGISTRY = {
	title: 'Company Registry API',
	security: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
	// The documentation doesn't show failures.
	failure: undefined,
};

const GUESSES =
	"What this project's sandbox implements. Where the service's own documents leave something open, it's a guess. See docs/maintainers/services.md, \"Not documented\".";

/**
 * The service's endpoints as an OpenAPI document. Responses that the service's documentation
 * doesn't show have no schema.
 */
export function openApiOf({ name, endpoints }: DescribedService): object {
	const isLinks = name === 'links';
	const { title, security, failure } = isLinks ? LINKS : REGISTRY;
	const mark = isLinks
		? z.object({ error: z.literal(0).or(z.literal('0')) })
		: z.object({ success: z.literal(true) });
	const paths: Record<string, Record<string, object>> = {};
	for (const { method, path, does, params, query, body, response, streamed } of endpoints) {
		const success = response instanceof z.ZodObject ? mark.merge(response) : undefined;
		(paths[path.replace(/:(\w+)/g, '{$1}')] ??= {})[method] = {
			summary: does,
			parameters: [...parametersOf('path', params), ...parametersOf('query', query)],
			...(body && { requestBody: { required: true, content: json(body) } }),
			...(streamed && { requestBody: { required: true, content: BYTES } }),
			responses: {
				200: { description: 'Success', ...(success && { content: json(success) }) },
				...(failure && { default: { description: 'Failure', content: json(failure) } }),
			},
		};
	}
	return {
		openapi: '3.0.3',
		info: {
			title: name.includes('unversioned') ? `${title}, unversioned` : title,
			version: '1',
			description: GUESSES,
		},
		servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: 'https://example.com' } } }],
		components: { securitySchemes: { key: security } },
		security: [{ key: [] }],
		paths,
	};
}

const INTEGER = { type: 'integer', minimum: 1 };

const BYTES = {
	'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
};

function json(schema: z.ZodTypeAny) {
	return { 'application/json': { schema: jsonSchemaOf(schema) } };
}

function parametersOf(place: 'path' | 'query', schema: z.ZodTypeAny | undefined): object[] {
	if (!(schema instanceof z.ZodObject)) return [];
	return Object.entries(schema.shape as z.ZodRawShape).map(([name, each]) => ({
		name,
		in: place,
		required: !each.isOptional(),
		schema: parameterSchemaOf(each instanceof z.ZodOptional ? each.unwrap() : each),
	}));
}

function parameterSchemaOf(schema: z.ZodTypeAny): object {
	const described = jsonSchemaOf(schema) as { type?: string };
	// Sent as text, but read as a number.
	const isNumber = typeof schema.safeParse('1').data === 'number';
	return isNumber && described.type !== 'integer' ? INTEGER : described;
}

function jsonSchemaOf(schema: z.ZodTypeAny): object {
	const options = { target: 'openApi3', $refStrategy: 'none', effectStrategy: 'input' } as const;
	return zodToJsonSchema(schema, options);
}
