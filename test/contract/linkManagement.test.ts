import { callAsTool, leftToAgent } from '../engine/contexts';
import { runNode } from '../engine/harness';

import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { destinationOf } from '../../nodes/shared/node/inputs';
import { bench } from '../engine/linkManagementSupport';
import {
	type DocumentedEndpoint,
	type DocumentedField,
	ENDPOINTS,
} from './linkManagementEndpoints';

const { description } = new LinkManagement();
const { properties } = description;

/** Operations that combine endpoints of the document, or let the user choose one. */
const OWN_OPERATIONS = [
	'apiRequest.send',
	'campaign.get',
	'campaign.upsert',
	'channel.get',
	'channel.upsert',
	'domain.get',
	'domain.upsert',
	'pixel.get',
	'pixel.upsert',
];

const byOperation = ENDPOINTS.map((endpoint) => [endpoint.operation, endpoint] as const);

/** The operations that the node offers, as `resource.operation`, with their options. */
function offeredOperations(): Array<[string, INodePropertyOptions]> {
	const resources = optionsOf(properties.find(({ name }) => name === 'resource')!);
	return resources.flatMap(({ value: resource }) =>
		properties
			.filter(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show?.resource?.includes(resource),
			)
			.flatMap(optionsOf)
			.map((option): [string, INodePropertyOptions] => [`${resource}.${option.value}`, option]),
	);
}

function optionsOf({ options }: INodeProperties): INodePropertyOptions[] {
	return (options ?? []) as INodePropertyOptions[];
}

function fieldsOf({ options }: INodeProperties): INodeProperties[] {
	return (options ?? []) as INodeProperties[];
}

/** The top-level parameters that the editor shows for an operation. */
function shownFor(operation: string, values: INodeParameters = {}): INodeProperties[] {
	const parameters = { ...selection(operation), returnAll: false, ...values };
	return properties.filter(
		(property) =>
			!['resource', 'operation'].includes(property.name) &&
			NodeHelpers.displayParameter(parameters, property, { typeVersion: 1 }, description),
	);
}

function selection(operation: string): INodeParameters {
	const [resource = '', name = ''] = operation.split('.');
	return { resource, operation: name };
}

/** The fields of a collection that the editor offers for an operation. */
function offeredFields(collection: INodeProperties, operation: string): INodeProperties[] {
	const parameters = selection(operation);
	return fieldsOf(collection).filter((field) =>
		NodeHelpers.displayParameter(parameters, field, { typeVersion: 1 }, description, parameters),
	);
}

function sentAs(property: INodeProperties): string | undefined {
	return destinationOf(property)?.name;
}

function placeholders(path: string): string[] {
	return [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
}

/** Documented placeholders and the node's, in order: they differ in letter case and precision. */
function placeholderPairs(endpoint: DocumentedEndpoint): Array<[string, string]> {
	const [, option] = offeredOperations().find(([operation]) => operation === endpoint.operation)!;
	const own = placeholders(String(option.routing?.request?.url));
	return placeholders(endpoint.path).map((name, index) => [name, own[index]!]);
}

/** A value of the documented type that no default has. */
function sample(name: string, field: DocumentedField): string | number | boolean {
	if ('oneOf' in field) return field.oneOf.at(-1)!;
	switch (field.type) {
		case 'integer':
			return 3;
		case 'boolean':
			return true;
		case 'url':
			return `https://${name}.example/page?x=1&y=2`;
		case 'email':
			return 'someone@example.org';
		case 'color':
			return '#A1B2C3';
		case 'date':
			return '2031-02-28';
		case 'fileName':
			return 'çà & là 50%.pdf';
		case 'string':
			return `${name} of mine`;
	}
}

/** A sample for a placeholder; ids differ, so that none can take another's place unseen. */
function placeholderSample({ path, pathTypes }: DocumentedEndpoint, name: string) {
	const type = pathTypes?.[name];
	return type ? sample(name, type) : 7 + placeholders(path).indexOf(name);
}

/** Every documented field of the endpoint except paging, which the node does by itself. */
function fieldsToFill({ query = {}, body = {} }: DocumentedEndpoint) {
	const filters = Object.entries(query).filter(([name]) => !['limit', 'page'].includes(name));
	return { query: Object.fromEntries(filters), body };
}

/**
 * Fills in all parameters of an operation: each documented field with a sample, through whichever
 * parameter the description says carries it.
 */
function filledIn(endpoint: DocumentedEndpoint): INodeParameters {
	const { operation } = endpoint;
	const parameters: INodeParameters = { ...selection(operation) };
	const { query, body } = fieldsToFill(endpoint);
	const values: Record<string, string | number | boolean> = {};
	for (const [name, field] of Object.entries({ ...query, ...body })) {
		values[name] = sample(name, field);
	}
	for (const [documented, own] of placeholderPairs(endpoint)) {
		values[own] = placeholderSample(endpoint, documented);
	}
	for (const property of shownFor(operation)) {
		if (property.type === 'collection') {
			const fields = offeredFields(property, operation).filter((field) => sentAs(field));
			if (fields.length === 0) continue;
			parameters[property.name] = Object.fromEntries(
				fields.map((field) => [field.name, values[sentAs(field)!]!]),
			);
		} else if (sentAs(property) !== undefined) {
			const value = values[sentAs(property)!]!;
			parameters[property.name] =
				property.type === 'resourceLocator'
					? { __rl: true, mode: 'id', value: String(value) }
					: value;
		}
	}
	return parameters;
}

/** The path with the samples in it, as it must arrive. */
function filledPath(endpoint: DocumentedEndpoint): string {
	return endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
		encodeURIComponent(String(placeholderSample(endpoint, name))),
	);
}

/** A success as the document describes it. */
function documentedAnswer({ answers }: DocumentedEndpoint): IDataObject {
	const counters = { result: 2, perpage: 100, currentpage: 1, nextpage: null, maxpage: 1 };
	const rows = [
		{ id: 1, note: 'first' },
		{ id: 2, note: 'second' },
	];
	if (answers === 'message') return { error: 0, message: 'Done' };
	if (answers === 'id') return { error: 0, id: 5 };
	if ('record' in answers) return { error: 0, data: { id: 5, note: 'the record' } };
	const [holder, key] = answers.list.split('.');
	return key === undefined
		? { error: 0, ...counters, [holder!]: rows }
		: { error: '0', [holder!]: { ...counters, [key]: rows } };
}

describe('the endpoints of the document', () => {
	test('are 27, each written down once', () => {
		expect(new Set(ENDPOINTS.map(({ method, path }) => `${method} ${path}`)).size).toBe(27);
		expect(ENDPOINTS).toHaveLength(27);
	});

	test('have exactly one operation each; the node’s other operations are known', () => {
		const offered = offeredOperations()
			.filter(([operation]) => !OWN_OPERATIONS.includes(operation))
			.map(([operation, { routing }]) => {
				const { method, url } = routing?.request ?? {};
				return `${operation}: ${method} ${String(url).replace(/:\w+/g, ':')}`;
			});
		const documented = ENDPOINTS.map(
			({ operation, method, path }) => `${operation}: ${method} ${path.replace(/:\w+/g, ':')}`,
		);
		expect(offered.sort()).toEqual(documented.sort());
	});

	test.each(byOperation)('%s names its placeholders like the document', (operation, endpoint) => {
		const [resource] = operation.split('.');
		for (const [documented, own] of placeholderPairs(endpoint)) {
			if (documented === 'id') expect(own).toBe(`${resource}Id`);
			else expect(own.toLowerCase()).toMatch(new RegExp(`${documented}$`));
		}
	});

	test.each(byOperation)(
		'%s sends every documented field, and nothing else',
		async (_, endpoint) => {
			const { links, credential } = await bench();
			links.inject({ times: 'always', status: 200, body: documentedAnswer(endpoint) });
			const outcome = await runNode({
				type: 'linkManagement',
				parameters: filledIn(endpoint),
				credentials: { linkManagementApi: credential },
				items: [
					{
						json: {},
						binary: { data: { data: 'YWJj', mimeType: 'application/pdf', fileName: 'own.pdf' } },
					},
				],
			});

			expect(outcome.error).toBeUndefined();
			expect(links.requests).toHaveLength(1);
			const [request] = links.requests;
			const { query, body } = fieldsToFill(endpoint);
			const samples = (fields: Record<string, DocumentedField>) =>
				Object.fromEntries(
					Object.entries(fields).map(([name, field]) => [name, sample(name, field)]),
				);
			const paging = endpoint.query?.limit ? { limit: '50', page: '1' } : {};

			expect(request!.method).toBe(endpoint.method);
			expect(request!.rawPath.split('?')[0]).toBe(`/links${filledPath(endpoint)}`);
			expect(request!.query).toEqual({
				...Object.fromEntries(
					Object.entries(samples(query)).map(([name, value]) => [name, String(value)]),
				),
				...paging,
			});
			expect(request!.headers.authorization).toBe(`Bearer ${credential.apiKey}`);
			if (endpoint.body) {
				expect(request!.headers['content-type']).toBe('application/json');
				expect(request!.body).toEqual(samples(body));
			} else if (endpoint.uploads) {
				expect(request!.headers['content-type']).toBe('application/pdf');
				expect(request!.headers['content-length']).toBe('3');
			} else {
				expect(request!.body).toBeUndefined();
				expect(request!.bodyBytes).toBe(0);
			}
		},
	);

	// A tool gets no files, so that nothing could be uploaded.
	test.each(byOperation.filter(([operation]) => operation !== 'file.upload'))(
		'%s can be used by an agent, with all its values',
		async (_, endpoint) => {
			const { links, credential } = await bench();
			links.inject({ times: 'always', status: 200, body: documentedAnswer(endpoint) });
			const { parameters, args } = leftToAgent(filledIn(endpoint));
			const { tool, answers } = await callAsTool(
				'linkManagement',
				parameters,
				{ linkManagementApi: credential },
				[args],
			);
			expect(tool.description).toMatch(/^[A-Z].* in Link Management$/);
			expect(Array.isArray(JSON.parse(answers[0]!))).toBe(true);
			const [request] = links.requests;
			expect(request!.method).toBe(endpoint.method);
			expect(request!.rawPath.split('?')[0]).toBe(`/links${filledPath(endpoint)}`);
			const samples = Object.keys(endpoint.body ?? {}).map((name) => [
				name,
				sample(name, endpoint.body![name]!),
			]);
			if (endpoint.body) expect(request!.body).toEqual(Object.fromEntries(samples));
		},
	);

	test('are told from each other by what an agent reads of them', () => {
		const actions = offeredOperations().map(([, { action }]) => action);
		expect(new Set(actions).size).toBe(actions.length);
	});

	test.each(byOperation)('%s reads the documented answer', async (_, endpoint) => {
		const { links, run } = await bench();
		links.inject({ times: 'always', status: 200, body: documentedAnswer(endpoint) });
		const outcome = await run(filledIn(endpoint), {
			items: [{ json: {}, binary: { data: { data: 'YWJj', mimeType: 'application/pdf' } } }],
		});
		expect(outcome.error).toBeUndefined();
		const records = outcome.items.map(({ json }) => json);
		const { answers, method } = endpoint;
		if (method === 'DELETE') expect(records).toEqual([{ deleted: true, id: 7 }]);
		else if (answers === 'message') expect(records).toMatchObject([{ message: 'Done' }]);
		else if (answers === 'id') expect(records).toEqual([{ id: 5 }]);
		else if ('record' in answers) expect(records).toEqual([{ id: 5, note: 'the record' }]);
		else
			expect(records).toEqual([
				{ id: 1, note: 'first' },
				{ id: 2, note: 'second' },
			]);
		for (const record of records) expect(record).not.toHaveProperty('error');
	});
});

describe('required fields', () => {
	test.each(byOperation)('%s demands them at the top level, and no others', (_, endpoint) => {
		const required = Object.entries({ ...endpoint.query, ...endpoint.body })
			.filter(([, field]) => field.required)
			.map(([name]) => name);
		// The file name is that of the binary unless it is given, so it is the file that is required.
		const ids = placeholderPairs(endpoint)
			.map(([, own]) => own)
			.filter((name) => name !== 'fileName');
		// The node reads the present name of a campaign if it is to stay.
		if (endpoint.operation === 'campaign.update') required.splice(required.indexOf('name'), 1);
		const demanded = shownFor(endpoint.operation)
			.filter((property) => property.required)
			.map((property) => sentAs(property) ?? property.name);
		const file = endpoint.uploads ? ['binaryPropertyName'] : [];
		expect(demanded.sort()).toEqual([...required, ...ids, ...file].sort());
	});

	test.each(byOperation)('%s keeps optional fields in a collection', (_, endpoint) => {
		const { query, body } = fieldsToFill(endpoint);
		const optional = Object.entries({ ...query, ...body })
			.filter(([, field]) => !field.required)
			.map(([name]) => name);
		const offered = shownFor(endpoint.operation)
			.filter(({ type, name }) => type === 'collection' && name !== 'options')
			.flatMap((collection) => offeredFields(collection, endpoint.operation))
			.map((field) => sentAs(field))
			.filter((name) => name !== 'fileName');
		expect(offered.sort()).toEqual(optional.sort());
	});
});

describe('fixed sets', () => {
	test.each(
		byOperation.flatMap(([operation, endpoint]) =>
			Object.entries({ ...endpoint.pathTypes, ...endpoint.body })
				.filter(([, field]) => 'oneOf' in field)
				.map(([name, field]) => [operation, name, (field as { oneOf: string[] }).oneOf] as const),
		),
	)('%s offers the documented values of %s', (operation, name, values) => {
		const pairs = Object.fromEntries(
			placeholderPairs(ENDPOINTS.find((endpoint) => endpoint.operation === operation)!),
		);
		const property = shownFor(operation).find(
			(candidate) => sentAs(candidate) === (pairs[name] ?? name),
		);
		expect(
			optionsOf(property!)
				.map(({ value }) => value)
				.sort(),
		).toEqual([...values].sort());
	});
});

describe('the parameters', () => {
	const everyField = properties.flatMap(function withFields(
		field: INodeProperties,
	): INodeProperties[] {
		return field.type === 'collection' ? [field, ...fieldsOf(field).flatMap(withFields)] : [field];
	});

	test('are declared once per name, except the operation', () => {
		const names = properties.map(({ name }) => name).filter((name) => name !== 'operation');
		expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
	});

	test('contain no expression in their routing', () => {
		const texts: string[] = [];
		JSON.stringify(properties, (key, value: unknown) => {
			if (typeof value === 'string') texts.push(`${key}: ${value}`);
			return value;
		});
		expect(texts.filter((text) => /: =|\{\{/.test(text))).toEqual([]);
	});

	test('have a description each, the choice of resource and operation excepted', () => {
		const silent = everyField
			.filter(
				({ type, name }) => type !== 'collection' && !['resource', 'operation'].includes(name),
			)
			.filter((field) => !field.description);
		expect(silent.map(({ name }) => name)).toEqual([]);
	});

	test('say what each operation does, in a sentence that starts with a capital', () => {
		for (const [operation, { description: text, action }] of offeredOperations()) {
			expect({ operation, text }).toEqual({ operation, text: expect.stringMatching(/^[A-Z]/) });
			expect({ operation, action }).toEqual({
				operation,
				action: expect.stringMatching(/^[A-Z][a-z]+ ([a-z]+|API|CTA|QR)( ([a-z]+|API|CTA|QR))*$/),
			});
		}
	});

	test('have names in title case', () => {
		const small = new Set([
			'a',
			'an',
			'at',
			'and',
			'by',
			'for',
			'from',
			'in',
			'of',
			'on',
			'or',
			'the',
			'to',
		]);
		const names = [
			...everyField.map(({ displayName }) => displayName),
			...everyField.flatMap((field) =>
				field.type === 'options' ? optionsOf(field).map(({ name }) => name) : [],
			),
		];
		const wrong = names.filter((name) =>
			name
				.split(' ')
				.some((word, index) => !/^[A-Z0-9]/.test(word) && !(index > 0 && small.has(word))),
		);
		expect(wrong).toEqual([]);
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

	test('start the description of every switch with "Whether"', () => {
		const switches = everyField.filter(({ type }) => type === 'boolean');
		expect(switches.length).toBeGreaterThan(0);
		for (const { name, description: text } of switches) {
			expect({ name, text }).toEqual({ name, text: expect.stringMatching(/^Whether /) });
		}
	});

	test('write examples as "e.g. …", and end no description of one sentence with a full stop', () => {
		for (const { name, placeholder, type, description: text = '' } of everyField) {
			if (placeholder && !['collection', 'fixedCollection'].includes(type)) {
				expect({ name, placeholder }).toEqual({
					name,
					placeholder: expect.stringMatching(/^e\.g\. /),
				});
			}
			if (!text.includes('. ')) expect(text).not.toMatch(/\.$/);
		}
	});

	test('hide passwords while they are typed', () => {
		const passwords = everyField.filter(({ name }) => name === 'password');
		expect(passwords).toHaveLength(2);
		for (const { typeOptions } of passwords) expect(typeOptions).toMatchObject({ password: true });
	});

	test('give every list Return All, and a Limit of at least 1 that it hides', () => {
		const lists = ENDPOINTS.filter(
			({ answers }) => typeof answers === 'object' && 'list' in answers,
		);
		expect(lists).toHaveLength(9);
		for (const { operation } of lists) {
			const paging = (values: INodeParameters) =>
				shownFor(operation, values)
					.filter(({ name }) => ['returnAll', 'limit'].includes(name))
					.map(({ name }) => name);
			expect({ operation, shown: paging({ returnAll: false }) }).toEqual({
				operation,
				shown: ['returnAll', 'limit'],
			});
			expect({ operation, shown: paging({ returnAll: true }) }).toEqual({
				operation,
				shown: ['returnAll'],
			});
		}
		const limit = properties.find(({ name }) => name === 'limit')!;
		expect(limit).toMatchObject({ default: 50, typeOptions: { minValue: 1 } });
		expect(limit.description).toBe('Max number of results to return');
		const all = properties.find(({ name }) => name === 'returnAll')!;
		expect(all.description).toBe('Whether to return all results or only up to a given limit');
	});

	test('call the listing of records "Get Many"', () => {
		for (const [operation, { name, action }] of offeredOperations()) {
			if (!operation.endsWith('.getAll')) continue;
			expect({ operation, name, action }).toEqual({
				operation,
				name: 'Get Many',
				action: expect.stringMatching(/^Get many /),
			});
		}
	});

	test('offer records that can be listed from a searchable list or by id', () => {
		const { listSearch } = new LinkManagement().methods;
		const locators = properties.filter(({ type }) => type === 'resourceLocator');
		expect(locators.map(({ name }) => name).sort()).toEqual(
			['campaignId', 'channelId', 'domainId', 'itemId', 'pixelId', 'qrCodeId'].sort(),
		);
		for (const { name: locator, modes, default: preset } of locators) {
			// Of what can be added to a channel, the API lists QR codes alone.
			expect(preset).toMatchObject({ mode: locator === 'itemId' ? 'id' : 'list' });
			const byName = ['itemId', 'qrCodeId'].includes(locator) ? [] : ['name'];
			expect(modes!.map(({ name }) => name).sort()).toEqual(['id', 'list', ...byName]);
			const { searchListMethod, searchable } = modes!.find(
				({ name }) => name === 'list',
			)!.typeOptions!;
			expect(searchable).toBe(true);
			expect(listSearch).toHaveProperty([searchListMethod!], expect.any(Function));
		}
	});
});
