import type {
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';
import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import type { Json } from '../../nodes/shared/http/json';
import type { SentField } from '../../nodes/shared/node/inputs';
import { operationsIn } from '../../nodes/shared/node/operation';

/**
 * n8n's UX guidelines that its linter doesn't check (builtDescriptions.test.ts runs the linter), and
 * rules that keep the nodes fast.
 */
const NODES: Array<[string, INodeType]> = [
	['Link Management', new LinkManagement()],
	['Company Registry', new CompanyRegistry()],
];

/** A field and the fields nested in it. */
function withFields(field: INodeProperties): INodeProperties[] {
	const inside = (field.options ?? []) as INodeProperties[];
	if (field.type === 'collection') return [field, ...inside.flatMap(withFields)];
	if (field.type !== 'fixedCollection') return [field];
	const values = (field.options ?? []).flatMap((entry) => ('values' in entry ? entry.values : []));
	return [field, ...values.flatMap(withFields)];
}

/** All strings in a value, at any depth. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, each]) => (key === 'routing' ? [] : textsIn(each)));
}

/** Names of the fields that the panel shows with these parameters. */
function shownWith(chosen: INodeParameters, fields: INodeProperties[]): string[] {
	return fields
		.filter((property) => NodeHelpers.displayParameter(chosen, property, null, null))
		.map(({ name }) => name);
}

describe.each(NODES)('Panel of %s', (_node, { description, methods }) => {
	const { properties } = description;
	const operations = operationsIn(properties);
	const fields = properties.flatMap(withFields);
	/** Fields that need a description. */
	const described = fields.filter(
		({ name, type }) =>
			!['resource', 'operation'].includes(name) &&
			!['collection', 'fixedCollection', 'notice'].includes(type),
	);

	/** Names of the offending fields. */
	const offending = (isWrong: (field: INodeProperties) => boolean, among = fields) =>
		among.filter(isWrong).map(({ name }) => name);

	test('shows no parameter twice for an operation', () => {
		for (const { resource, option } of operations) {
			const names = shownWith({ resource, operation: option.value }, properties);
			expect([option.action, names]).toEqual([option.action, [...new Set(names)]]);
		}
	});

	test('offers no optional field that is already shown', () => {
		for (const { resource, option } of operations) {
			const chosen = { resource, operation: option.value };
			const isShown = (property: INodeProperties) =>
				NodeHelpers.displayParameter(chosen, property, null, null, chosen);
			const shown = properties.filter(isShown);
			const optional = shown.flatMap(({ type, options = [] }) =>
				type === 'collection' ? (options as INodeProperties[]).filter(isShown) : [],
			);
			const sent = [...shown, ...optional].map(({ routing }) => routing?.send?.property);
			const names = sent.filter((name) => name !== undefined);
			expect([option.action, names]).toEqual([option.action, [...new Set(names)]]);
		}
	});

	test('accepts the default of every field that’s sent', () => {
		const isRefused = (field: INodeProperties) => {
			const { check, displayName, default: value } = field as SentField;
			if (!check || typeof value === 'object' || value === '') return false;
			try {
				check.validator(value, displayName);
				return false;
			} catch {
				return true;
			}
		};
		expect(offending(isRefused)).toEqual([]);
	});

	test('which fields are sent depends only on the resource and the operation, so it’s found once per run', () => {
		const depends = ({ displayOptions: { show, hide } = {} }: INodeProperties) =>
			Object.keys({ ...show, ...hide }).some((name) => !/^\/?(resource|operation)$/.test(name));
		expect(offending((field) => 'check' in field && depends(field))).toEqual([]);
	});

	test('calls the optional fields of an update "Update Fields"', () => {
		const names = properties
			.filter(
				({ type, displayOptions }) =>
					type === 'collection' && displayOptions?.show?.operation?.includes('update'),
			)
			.map(({ displayName }) => displayName);
		expect(names.filter((name) => name !== 'Update Fields')).toEqual([]);
	});

	test('uses no default expressions except Enrich’s column mappings, because n8n evaluates them per item', () => {
		const expressions = textsIn(properties).filter((text) => /^=|\{\{/.test(text));
		expect(expressions.filter((text) => !text.startsWith('={{ $json.'))).toEqual([]);
	});

	test('describes every field in the panel', () => {
		expect(offending(({ description: text }) => !text, described)).toEqual([]);
	});

	test('gives each operation a description and a short, unique action', () => {
		const action = /^[A-Z][a-z]+( ([a-z]+|[A-Z]{2,}s?))+$/;
		for (const { option } of operations) {
			expect(option.description).toMatch(/^[A-Z]/);
			expect(option.action).toMatch(action);
			// The canvas cuts longer actions. n8n cuts a tool's name, which includes the node's, at 64.
			expect(option.action?.length).toBeLessThanOrEqual(30);
			// n8n's guidelines leave out articles.
			expect(option.action).not.toMatch(/ (a|an|the) /);
		}
		const actions = operations.map(({ option }) => option.action);
		expect(new Set(actions).size).toBe(actions.length);
	});

	test('shows Return All for every list, and Limit while Return All is off', () => {
		const paging = properties.filter(({ name }) => ['returnAll', 'limit'].includes(name));
		const isList = /^(Get many|Get channel items|Search)\b/;
		const lists = operations.filter(({ option }) => isList.test(option.action ?? ''));
		expect(lists).not.toEqual([]);
		for (const { resource, option } of lists) {
			const shown = [false, true].map((returnAll) =>
				shownWith({ resource, operation: option.value, returnAll }, paging),
			);
			expect([option.action, ...shown]).toEqual([
				option.action,
				['returnAll', 'limit'],
				['returnAll'],
			]);
		}
	});

	test('a custom request shows JSON Body unless it’s a GET, and Return All only if it is', () => {
		const custom = { resource: 'apiRequest', operation: 'send' };
		const shown = (method: string) =>
			shownWith({ ...custom, method }, properties).filter((name) => /Body|All/.test(name));
		expect(shown('GET')).toEqual(['returnAllPages']);
		for (const method of ['DELETE', 'PATCH', 'POST', 'PUT']) {
			expect([method, ...shown(method)]).toEqual([method, 'jsonBody']);
		}
	});

	test('starts every JSON field with JSON, because the editor shows an error for an empty text', () => {
		const invalid = fields.filter(({ type, default: text }) => type === 'json' && text !== '{}');
		expect(invalid.map(({ name }) => name)).toEqual([]);
	});

	test('hides passwords while they’re typed', () => {
		const passwords = fields.filter(({ name }) => /password|secret/i.test(name));
		expect(offending(({ typeOptions }) => !typeOptions?.password, passwords)).toEqual([]);
	});

	test('ends with Options, below the fields of the operation', () => {
		expect(properties.at(-1)?.displayName).toBe('Options');
	});

	test('names only operations that exist in its hint for AI builders', () => {
		const { searchHint = '' } = description.builderHint ?? {};
		const named = searchHint.match(/\b[a-z]\w+\.[a-z]\w+/g) ?? [];
		const offered = operations.map(({ resource, option }) => `${resource}.${String(option.value)}`);
		expect(offered).toEqual(expect.arrayContaining(named));
	});

	test('starts every placeholder with "e.g.", or says what to drag', () => {
		const isWrong = ({ type, placeholder }: INodeProperties) =>
			!type.endsWith('ollection') &&
			placeholder !== undefined &&
			!/^(e\.g\. |Drag )/.test(placeholder);
		expect(offending(isWrong)).toEqual([]);
	});

	test('offers a searchable list wherever a record can be selected', () => {
		const modes = fields.flatMap(({ modes: each = [] }) =>
			each.filter(({ type }) => type === 'list'),
		);
		expect(modes).not.toEqual([]);
		for (const { typeOptions: { searchable, searchListMethod = '' } = {} } of modes) {
			expect(searchable).toBe(true);
			expect(methods?.listSearch?.[searchListMethod]).toBeInstanceOf(Function);
		}
	});
});

test.each(operationsIn(new CompanyRegistry().description.properties))(
	'the description of $resource: $option.name says if only one API variant has it',
	({ operation, option }) => {
		const isV1 = operation.endpoints.map(({ path }) => path.startsWith('/api/v1/'));
		const text = option.description ?? '';
		if (isV1.length === 1)
			expect(text).toContain(isV1[0] ? '(V1 API only' : '(Unversioned API only');
		else expect(text).not.toContain('API only');
	},
);

describe('Panel of Company Registry Trigger', () => {
	const { properties } = new CompanyRegistryTrigger().description;

	test('says right below Poll Times what a poll of the selected event costs', () => {
		const notices = properties.slice(0, 2);
		const shown = (event: string) => shownWith({ event }, notices);
		expect(shown('companyStatusChanged')).toEqual(['companyStatusChangedCost']);
		expect(shown('companyFound')).toEqual(['companyFoundCost']);
		expect(notices.map(({ displayName }) => displayName)).toEqual([
			expect.stringContaining('one request, or one per 50 companies with the Unversioned API'),
			expect.stringContaining('up to one request per company'),
		]);
		const elsewhere = textsIn(properties.slice(2)).join('\n');
		expect(elsewhere).not.toMatch(/Every (Hour|Day)|every hour/);
	});

	test('says how to find a company that the list doesn’t show', () => {
		const { modes = [] } = properties.flatMap(withFields).find(({ name }) => name === 'idno')!;
		const [list] = modes.filter(({ type }) => type === 'list');
		expect(list?.hint).toMatch(/^Shows up to 50 companies\. Type more to find others\./);
	});
});

test('the panel of Link Management Trigger has no notice of costs, since its polls are cheap', () => {
	const { properties } = new LinkManagementTrigger().description;
	expect(properties[0]?.name).toBe('event');
	expect(properties.filter(({ type }) => type === 'notice')).toEqual([]);
});

const TRIGGERS = [new CompanyRegistryTrigger(), new LinkManagementTrigger()];

test.each(TRIGGERS)(
	'$description.displayName lists its options by their labels',
	({ description }) => {
		const { options = [] } = description.properties.find(({ name }) => name === 'options') ?? {};
		const labels = (options as INodeProperties[]).map(({ displayName }) => displayName);
		expect(labels).toEqual([...labels].sort());
	},
);

const PANELS = [
	...[...NODES.map(([, node]) => node), ...TRIGGERS].map(({ description }) => description),
	new CompanyRegistryApi(),
];

test.each(PANELS)(
	'$displayName: each number field accepts its default, and 0 if that has a meaning',
	({ properties }) => {
		const isRefused = (field: INodeProperties) => {
			const { minValue = -Infinity, maxValue = Infinity } = field.typeOptions ?? {};
			const saysZero = /\b0 (?:means|uses)\b/.test(`${field.hint} ${field.description}`);
			const values = [Number(field.default), ...(saysZero ? [0] : [])];
			return values.some((each) => each < minValue || each > maxValue);
		};
		const numbers = properties.flatMap(withFields).filter(({ type }) => type === 'number');
		expect(numbers.filter(isRefused).map(({ name }) => name)).toEqual([]);
	},
);

test.each<[label: string, choices: Json]>([
	['API Variant', { Unversioned: 'unversioned', V1: 'v1' }],
	['Columns', { 'Find Automatically': 'auto', Choose: 'choose' }],
	['Companies to Watch', { 'List of IDNOs': 'text', 'Selected Companies': 'list' }],
	['Item Type', { 'Bio Page': 'bio', Link: 'links', 'QR Code': 'qr' }],
	['Minimum Match', { Exact: 'exact', Strong: 'strong', Likely: 'likely' }],
	['On Rate Limit', { Fail: 'fail', Wait: 'wait' }],
	['Output', { Simplified: 'simple', 'Selected Fields': 'fields', Raw: 'raw' }],
	['QR Codes', { All: 'all', Selected: 'chosen' }],
])('workflows and credentials store the choices of "%s" as %j', (label, choices) => {
	const fields = PANELS.flatMap(({ properties }) => properties.flatMap(withFields));
	const named = fields.filter(({ type, displayName }) => {
		return type === 'options' && displayName === label;
	});
	expect(named).not.toEqual([]);
	for (const { options = [] } of named) {
		const stored = (options as INodePropertyOptions[]).map(({ name, value }) => {
			return [name.replace(/:.*/, ''), value];
		});
		expect(Object.fromEntries(stored)).toEqual(choices);
	}
});

test.each<[says: string, modes: string[]]>([
	['Select from the list, or enter an IDNO', ['list', 'idno']],
	['Select from the list, or enter the exact name or the 13-digit IDNO', ['list', 'name', 'idno']],
	['Select from the list, or enter an ID', ['list', 'id']],
	['Select from the list, or enter an ID or name', ['list', 'id', 'name']],
	['Select from the list, or enter an ID or address', ['list', 'id', 'name']],
	['Branded domain to use for the short link', ['list', 'address']],
])('a field that says "%s" has the modes %j', (says, modes) => {
	const fields = PANELS.flatMap(({ properties }) => properties.flatMap(withFields));
	const locators = fields.filter(({ description }) => description === says);
	expect(locators).not.toEqual([]);
	for (const locator of locators) expect(locator.modes?.map(({ name }) => name)).toEqual(modes);
});

test.each([...NODES.map(([, node]) => node), ...TRIGGERS])(
	'$description.displayName: no display option is undefined, since n8n 1.123 reads each one that is there',
	({ description }) => {
		const fields = description.properties.flatMap(withFields);
		const all = fields.map(({ name, displayOptions = {} }) => [
			name,
			Object.values(displayOptions),
		]);
		expect(all.filter(([, conditions]) => (conditions as unknown[]).includes(undefined))).toEqual(
			[],
		);
	},
);

test.each([...NODES.map(([, node]) => node), ...TRIGGERS])(
	'$description.displayName: the nodes that it recommends to AI builders exist',
	({ description }) => {
		const offered = [...NODES.map(([, node]) => node), ...TRIGGERS].map(
			(node) => `n8n-nodes-link-company.${node.description.name}`,
		);
		const related = description.builderHint?.relatedNodes ?? [];
		const named = related.map((each) => (typeof each === 'string' ? each : each.nodeType));
		const own = named.filter((name) => name.startsWith('n8n-nodes-link-company.'));
		expect(own).toHaveLength(1);
		expect(offered).toEqual(expect.arrayContaining(own));
	},
);

test.each(['found', 'ambiguous', 'notFound', 'notChecked'])(
	'AI builders are told what the match_status "%s" means',
	(status) => {
		const hints = new CompanyRegistry().description.builderHint?.extraTypeDefContent ?? [];
		expect(JSON.stringify(hints)).toMatch(new RegExp(`match_status is[^.]*'${status}'`));
	},
);

test.each(NODES)('an agent can use %s as a tool', (_, { description }) => {
	expect(description.usableAsTool).toBe(true);
});

test.each(TRIGGERS)('n8n polls $description.displayName', ({ description, poll }) => {
	expect(description).toMatchObject({ polling: true, inputs: [] });
	expect(poll).toBeInstanceOf(Function);
});

test('says how to clear a text wherever an empty value clears it, and nowhere else', () => {
	const fields = new LinkManagement().description.properties.flatMap(withFields);
	const isClearable = (field: INodeProperties) => !!(field as SentField).check?.clearable;
	const saysSo = ({ hint = '' }: INodeProperties) => hint.startsWith('Leave empty to clear it.');
	const namesOf = (all: INodeProperties[]) => all.map(({ name }) => name).sort();
	expect(namesOf(fields.filter(saysSo))).toEqual(namesOf(fields.filter(isClearable)));
	expect(fields.filter(isClearable)).not.toEqual([]);
});

test.each([
	[' 42 ', true],
	['0', false],
	['42a', false],
	['', false],
])('"%s" can be entered as the ID of a record: %j', (entered, isAccepted) => {
	const { properties } = new LinkManagement().description;
	const patterns = properties
		.flatMap(({ modes = [] }) => modes.flatMap(({ validation = [] }) => validation))
		.map((each) => new RegExp(String('properties' in each && (each.properties as Json).regex)));
	expect(patterns.length).toBeGreaterThan(4);
	for (const pattern of patterns) expect(pattern.test(entered)).toBe(isAccepted);
});
