import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { operationsIn } from '../../nodes/shared/node/operation';

/** n8n's UX guidelines, and the rules that keep the nodes fast, for the panels of both nodes. */
const NODES: Array<[string, INodeType]> = [
	['Link Management', new LinkManagement()],
	['Company Registry', new CompanyRegistry()],
];

const SMALL_WORDS = new Set('a an and at by for from if in of on or per the to'.split(' '));

function optionsOf({ options }: INodeProperties): INodePropertyOptions[] {
	return (options ?? []) as INodePropertyOptions[];
}

/** A field and those inside it. */
function withFields(field: INodeProperties): INodeProperties[] {
	const inside = (field.options ?? []) as INodeProperties[];
	if (field.type === 'collection') return [field, ...inside.flatMap(withFields)];
	if (field.type !== 'fixedCollection') return [field];
	const values = (field.options ?? []).flatMap((entry) => ('values' in entry ? entry.values : []));
	return [field, ...values.flatMap(withFields)];
}

describe.each(NODES)('the panel of %s', (_node, { description, methods }) => {
	const { properties } = description;
	const operations = operationsIn(properties);
	const fields = properties.flatMap(withFields);
	/** Those with a description of their own. */
	const described = fields.filter(
		({ name, type }) =>
			!['resource', 'operation'].includes(name) &&
			!['collection', 'fixedCollection', 'notice'].includes(type),
	);

	/** Names of the offending fields. */
	const offending = (isWrong: (field: INodeProperties) => boolean, among = fields) =>
		among.filter(isWrong).map(({ name }) => name);

	test('shows one declaration of a parameter for each operation', () => {
		for (const { resource, option } of operations) {
			const chosen = { resource, operation: String(option.value) };
			const names = properties
				.filter((property) => NodeHelpers.displayParameter(chosen, property, null, null))
				.map(({ name }) => name);
			expect([option.action, names]).toEqual([option.action, [...new Set(names)]]);
		}
	});

	test('has no expressions of its own but the columns of Enrich, since n8n evaluates them for each item', () => {
		const texts: string[] = [];
		JSON.stringify(properties, (_key, value: unknown) => {
			if (typeof value === 'string') texts.push(value);
			return value;
		});
		expect(texts.filter((text) => /^=|\{\{/.test(text) && !text.startsWith('={{ $json.'))).toEqual(
			[],
		);
	});

	test('describes every field', () => {
		expect(offending(({ description: text }) => !text, described)).toEqual([]);
	});

	test('describes each operation so that an agent can choose', () => {
		const action = /^[A-Z][a-z]+( ([a-z]+|[A-Z]{2,}s?))+$/;
		for (const { option } of operations) {
			expect(option.description).toMatch(/^[A-Z]/);
			expect(option.action).toMatch(action);
			// Without articles, as n8n's guidelines have it.
			expect(option.action).not.toMatch(/ (a|an|the) /);
		}
		const actions = operations.map(({ option }) => option.action);
		expect(new Set(actions).size).toBe(actions.length);
	});

	test('calls the listing of records "Get Many"', () => {
		for (const { option } of operations.filter(({ option: { value } }) => value === 'getAll')) {
			expect(option).toMatchObject({
				name: 'Get Many',
				action: expect.stringMatching(/^Get many /) as string,
			});
		}
	});

	test('shows Return All for every list, and a Limit unless it is on', () => {
		for (const { resource, option } of operations.filter(
			({ option: { value } }) => value === 'getAll',
		)) {
			const shown = (returnAll: boolean) =>
				properties
					.filter(({ name }) => ['returnAll', 'limit'].includes(name))
					.filter((property) =>
						NodeHelpers.displayParameter(
							{ resource, operation: option.value, returnAll },
							property,
							null,
							null,
						),
					)
					.map(({ name }) => name);
			expect([resource, shown(false), shown(true)]).toEqual([
				resource,
				['returnAll', 'limit'],
				['returnAll'],
			]);
		}
		const limit = properties.find(({ name }) => name === 'limit');
		expect(limit).toMatchObject({ default: 50, typeOptions: { minValue: 1 } });
		expect(limit?.description).toMatch(/^Max number of results to return/);
	});

	test('writes names in title case', () => {
		const names = [
			...fields.map(({ displayName }) => displayName),
			...fields
				.filter(({ type }) => type === 'options')
				.flatMap((field) => optionsOf(field).map(({ name }) => name)),
		];
		const isWrong = (word: string, index: number) =>
			!/^[A-Z0-9(]/.test(word) && !(index > 0 && SMALL_WORDS.has(word));
		// A notice is a sentence.
		const notices = fields.filter(({ type }) => type === 'notice').map((each) => each.displayName);
		expect(
			names.filter((name) => !notices.includes(name) && name.split(' ').some(isWrong)),
		).toEqual([]);
	});

	test('lists options in alphabetical order', () => {
		for (const field of fields) {
			const names =
				field.type === 'options'
					? optionsOf(field).map(({ name }) => name)
					: field.type === 'collection'
						? (field.options as INodeProperties[]).map(({ displayName }) => displayName)
						: [];
			expect([field.name, names]).toEqual([
				field.name,
				[...names].sort((a, b) => a.localeCompare(b, 'en')),
			]);
		}
	});

	test('starts the description of every switch with "Whether"', () => {
		const switches = described.filter(({ type }) => type === 'boolean');
		expect(switches).not.toEqual([]);
		expect(offending(({ description: text = '' }) => !/^Whether /.test(text), switches)).toEqual(
			[],
		);
	});

	test('ends no description of one sentence with a period', () => {
		const isWrong = ({ description: text = '' }: INodeProperties) =>
			!text.includes('. ') && text.endsWith('.');
		expect(offending(isWrong)).toEqual([]);
	});

	test('writes placeholders as "e.g. …"', () => {
		const isWrong = ({ type, placeholder }: INodeProperties) =>
			!type.endsWith('ollection') && placeholder !== undefined && !/^e\.g\. /.test(placeholder);
		expect(offending(isWrong)).toEqual([]);
	});

	test('hides passwords while they are typed', () => {
		const isWrong = ({ name, typeOptions }: INodeProperties) =>
			name === 'password' && typeOptions?.password !== true;
		expect(offending(isWrong)).toEqual([]);
	});

	test('offers a searchable list wherever a record can be selected', () => {
		const modes = fields.flatMap(({ modes: each = [] }) =>
			each.filter(({ type }) => type === 'list'),
		);
		expect(modes).not.toEqual([]);
		for (const { typeOptions } of modes) {
			expect(typeOptions?.searchable).toBe(true);
			expect(methods?.listSearch).toHaveProperty(
				[typeOptions!.searchListMethod!],
				expect.any(Function),
			);
		}
	});
});

test.each(operationsIn(new CompanyRegistry().description.properties))(
	'$resource: $option.name says which variant of the API has it',
	({ operation, option }) => {
		const isV1 = operation.endpoints.map(({ path }) => path.startsWith('/api/v1/'));
		const text = option.description ?? '';
		if (isV1.length === 1)
			expect(text).toContain(isV1[0] ? '(V1 API only' : '(Unversioned API only');
		else expect(text).not.toContain('API only');
	},
);
