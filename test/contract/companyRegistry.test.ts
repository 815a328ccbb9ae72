import { jsonOf } from '../engine/harness';

import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';
import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { planOf } from '../../nodes/CompanyRegistry/service';
import { destinationOf } from '../../nodes/shared/node/inputs';
import { bench } from '../engine/companyRegistrySupport';
import { type DocumentedEndpoint, ENDPOINTS, PLAN_TABLE } from './companyRegistryEndpoints';

const { properties } = new CompanyRegistry().description;

const byOperation = ENDPOINTS.map(
	(endpoint) => [endpoint.operation, endpoint.variant, endpoint] as const,
);

/** Operations that the document has no endpoint for: made of its endpoints, or offline. */
const OWN_OPERATIONS = ['apiRequest.send', 'company.enrich', 'idno.validate'];

function optionsOf({ options }: INodeProperties): INodePropertyOptions[] {
	return (options ?? []) as INodePropertyOptions[];
}

function fieldsOf({ options }: INodeProperties): INodeProperties[] {
	return (options ?? []) as INodeProperties[];
}

/** The operations that the node offers, as `resource.operation`. */
const offered = optionsOf(properties.find(({ name }) => name === 'resource')!).flatMap(
	({ value: resource }) =>
		properties
			.filter(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show?.resource?.includes(resource),
			)
			.flatMap(optionsOf)
			.map((option) => [`${resource}.${option.value}`, option] as const),
);

function selection(operation: string): INodeParameters {
	const [resource = '', name = ''] = operation.split('.');
	return { resource, operation: name };
}

const IDNO = '1003600015231';

/** Every documented parameter filled in. */
function filledIn({ operation, variant, query = [] }: DocumentedEndpoint): INodeParameters {
	return {
		...selection(operation),
		idno: IDNO,
		...(query.includes('q') && { q: 'exämple & co' }),
		...(variant === 'v1' &&
			query.includes('caen') && {
				filters: { caen: '6201', region: 'Chișinău' },
			}),
		...(query.includes('limit') && { limit: 50 }),
	};
}

const SENT: Record<string, string> = {
	q: 'exämple & co',
	caen: '6201',
	region: 'Chișinău',
	limit: '50',
	page: '1',
};

describe('the endpoints of the document', () => {
	test('are 6, and each has an operation; the node’s other operations are known', () => {
		expect(ENDPOINTS).toHaveLength(6);
		expect(offered.map(([operation]) => operation).sort()).toEqual(
			[...new Set([...ENDPOINTS.map(({ operation }) => operation), ...OWN_OPERATIONS])].sort(),
		);
	});

	test.each(byOperation)(
		'%s (%s) sends every documented parameter, and nothing else',
		async (_operation, variant, endpoint) => {
			const { run, registry, requests, credential } = await bench(variant);
			const body =
				endpoint.answer === 'not shown'
					? { success: true, data: [{ idno: IDNO }] }
					: endpoint.answer;
			registry.inject({ status: 200, body });
			await run(filledIn(endpoint));
			expect(requests).toHaveLength(1);
			const [{ method, path, rawPath, query, headers, bodyBytes }] = requests as [
				(typeof requests)[0],
			];
			expect(method).toBe('GET');
			expect(path).toBe(endpoint.path.replace(':idno', IDNO));
			expect(query).toEqual(
				Object.fromEntries((endpoint.query ?? []).map((name) => [name, SENT[name]])),
			);
			expect(headers['x-api-key']).toBe(credential.apiKey);
			expect(rawPath).not.toMatch(/api_key/);
			expect(bodyBytes).toBe(0);
		},
	);

	test.each(byOperation.filter(([, , { answer }]) => answer !== 'not shown'))(
		'%s (%s) reads the documented answer, all of it',
		async (_operation, variant, endpoint) => {
			const { run, registry } = await bench(variant);
			registry.inject({ status: 200, body: endpoint.answer });
			const { items, error } = await run(filledIn(endpoint));
			expect(error).toBeUndefined();
			const { success, ...content } = endpoint.answer as Record<string, unknown>;
			expect(success).toBe(true);
			expect(jsonOf(items)).toEqual(content.data ?? [content]);
		},
	);

	test.each(byOperation.filter(([, , { maxLimit }]) => maxLimit))(
		'%s (%s) never asks for more than the documented limit',
		async (_operation, variant, endpoint) => {
			const { run, requests } = await bench(variant);
			await run({ ...filledIn(endpoint), q: '1', filters: {}, limit: 500 });
			await run({ ...filledIn(endpoint), q: '1', filters: {}, returnAll: true });
			expect(requests.length).toBeGreaterThan(0);
			for (const { query } of requests) {
				expect(Number(query.limit)).toBeLessThanOrEqual(endpoint.maxLimit!);
			}
		},
	);

	test.each(byOperation)('%s (%s) is described with its variant', (operation, variant) => {
		const variants = ENDPOINTS.filter((endpoint) => endpoint.operation === operation);
		const [, { description }] = offered.find(([name]) => name === operation)!;
		const names = { v1: 'V1 API only', unversioned: 'Unversioned API only' };
		if (variants.length === 1) expect(description).toContain(`(${names[variant]}`);
		else expect(description).not.toContain('only');
	});
});

describe('the plans of the document', () => {
	test.each(PLAN_TABLE)(
		'%s %s is %s: %d per day, %d per minute',
		(variant, plan, name, perDay, perMinute) => {
			expect(planOf({ variant, plan })).toEqual({ perMinute, perDay });
			const choices = new CompanyRegistryApi().properties.find(
				(property) =>
					property.name === 'plan' && property.displayOptions?.show?.variant?.includes(variant),
			)!;
			const choice = optionsOf(choices).find(({ value }) => value === plan);
			expect(choice?.name).toMatch(new RegExp(`^${name} `));
		},
	);
});

describe('the parameters', () => {
	const everyField = properties.flatMap(function withFields(
		field: INodeProperties,
	): INodeProperties[] {
		return field.type === 'collection' ? [field, ...fieldsOf(field).flatMap(withFields)] : [field];
	});
	const filled = everyField.filter(
		({ type, name }) =>
			type !== 'collection' && type !== 'notice' && !['resource', 'operation'].includes(name),
	);

	test('are declared once per name, except the operation', () => {
		const names = properties.map(({ name }) => name).filter((name) => name !== 'operation');
		expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
	});

	test('carry the document’s names where they are sent', () => {
		const sent = everyField.flatMap((property) => {
			const destination = destinationOf(property);
			return destination ? [[property.name, destination.name]] : [];
		});
		expect(sent.length).toBeGreaterThan(0);
		for (const [name, property] of sent) expect(name).toBe(property);
		expect(sent.map(([name]) => name).sort()).toEqual(['caen', 'idno', 'q', 'region']);
	});

	test('contain no expression in their routing', () => {
		const texts: string[] = [];
		JSON.stringify(properties, (_key, value: unknown) => {
			if (typeof value === 'string') texts.push(value);
			return value;
		});
		expect(texts.filter((text) => /^=|\{\{/.test(text))).toEqual([]);
	});

	test('have a description each', () => {
		expect(filled.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
	});

	test('start the description of every switch with "Whether"', () => {
		for (const { name, description } of filled.filter(({ type }) => type === 'boolean')) {
			expect({ name, description }).toEqual({
				name,
				description: expect.stringMatching(/^Whether /) as unknown,
			});
		}
	});

	test('end no description of one sentence with a full stop', () => {
		const wrong = filled.filter(
			({ description = '' }) => !description.includes('. ') && description.endsWith('.'),
		);
		expect(wrong.map(({ name }) => name)).toEqual([]);
	});

	test('write examples as "e.g. …"', () => {
		for (const { name, placeholder } of filled.filter(
			({ placeholder, type }) => placeholder && type !== 'fixedCollection',
		)) {
			expect({ name, placeholder }).toEqual({
				name,
				placeholder: expect.stringMatching(/^e\.g\. /) as unknown,
			});
		}
	});

	test('list their options in alphabetical order', () => {
		for (const field of everyField) {
			const names =
				field.type === 'options'
					? optionsOf(field).map(({ name }) => name)
					: field.type === 'collection'
						? fieldsOf(field).map(({ displayName }) => displayName)
						: [];
			expect({ field: field.name, names }).toEqual({
				field: field.name,
				names: [...names].sort((a, b) => a.localeCompare(b, 'en')),
			});
		}
	});

	test('say that V1 returns at most 50', () => {
		const limit = properties.find(({ name }) => name === 'limit');
		expect(limit?.description).toBe(
			'Max number of results to return. A V1 search returns at most 50.',
		);
	});
});
