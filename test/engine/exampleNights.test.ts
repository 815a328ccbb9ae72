import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { companyRegistry } from '../../nodes/CompanyRegistry/api';
import { triggersOf } from '../../nodes/CompanyRegistry/triggers';
import { systemClock } from '../../nodes/shared/http/clock';
import { connectionOf } from '../../nodes/shared/http/connection';
import { readPath } from '../../nodes/shared/node/paths';
import { OUT_OF_QUOTA } from './companyRegistry/enriching';
import { readExample, triggerOf } from '../../tools/examples';
import { jsonOf } from './harness';
import { itemsOf, registryAt, registryOf, withCheckDigit } from './support';

/** Plays the examples that run on a schedule, night after night, in a store that does what n8n's nodes do. */

type Json = IDataObject;

const COMPANIES = Array.from({ length: 8 }, (_, index) => ({
	idno: withCheckDigit(String(100_000_000_000 + index)),
	name: `Zefirul${'abcdefgh'[index]} SRL`,
	status: 'active',
	rating: 'B',
}));
const NAMESAKE = { ...COMPANIES[7]!, idno: withCheckDigit('100000000099') };

/** By name; the last three don't match exactly: one has more words, one is unknown, one has a namesake. */
const NAMES = COMPANIES.map(({ name }) => name.replace(' SRL', ''));
const ROWS = [...NAMES.slice(0, 5), `${NAMES[5]} Comert`, 'Nimeni Nicicum', NAMES[7]!];
const INEXACT = [5, 6, 7];

interface Store {
	/** A record as the reading node returns it. */
	record(id: number, name: string, idno: string): Json;
	/** Where a written field stands in it. Default: at the top */
	write?(record: Json, field: string, value: unknown): void;
	/** The fields that belong to the user. */
	own: string[];
}

const setIn = (record: Json, field: string, value: unknown) => {
	record[field] = value as Json;
};

const STORES: Record<string, Store> = {
	'nightly-hubspot': {
		record: (id, name) => ({ companyId: id, properties: { name: { value: name } } }),
		write: ({ properties }, field, value) => setIn(properties as Json, field, { value }),
		own: ['idno', 'legal_status', 'credit_rating'],
	},
	'pipedrive-nightly': {
		record: (id, name) => ({ id, name, custom_fields: { IDNO: null, registry_state: null } }),
		write: ({ custom_fields: fields }, field, value) => setIn(fields as Json, field, value),
		own: ['IDNO', 'Registry status', 'Rating'],
	},
	'odoo-nightly': {
		record: (id, name) => ({ id, name, vat: false, city: false, x_studio_registry_state: false }),
		own: ['vat', 'x_studio_legal_status', 'x_studio_credit_rating'],
	},
	'salesforce-nightly': {
		record: (id, name) => ({ Id: id, Name: name, BillingCity: null, Registry_State__c: null }),
		own: ['IDNO__c', 'Legal_Status__c', 'Credit_Rating__c'],
	},
	'airtable-enrich': {
		record: (id, name) => ({ id, createdTime: '2026-01-01', fields: { Name: name } }),
		write({ fields }, field, value) {
			if (value !== '') setIn(fields as Json, field, value);
		},
		own: ['IDNO', 'Status', 'Rating'],
	},
	'google-sheets-enrich': {
		record: (id, name) => ({ row_number: id, name, idno: '', status: '', registry_state: '' }),
		own: ['idno', 'status', 'rating'],
	},
	'large-list-postgres': {
		record: (id, name) => ({ id, name, idno: null, match_status: null, registry_state: null }),
		own: ['idno'],
	},
	'data-table-watch': {
		record: (id, _, idno) => ({ id, idno, registry_name: null, registry_state: null }),
		own: [],
	},
	'enrich-with-review': {
		record: (id, name) => ({ id, name, city: '', idno: '', status: '', question: '', answer: '' }),
		own: ['idno'],
	},
};

/** What expressions can use. */
interface Scope {
	json: Json;
	/** The record that the item was read from, as it was then, and as it's stored. */
	read: Json;
	record: Json;
	all: Json[];
}

function evaluate(text: unknown, { json, read, all }: Scope): unknown {
	if (typeof text !== 'string' || !text.startsWith('=')) return text;
	const parts = text.slice(1).split(/\{\{((?:(?!\}\}).)*)\}\}/s);
	const values = parts.map((part, index) => {
		if (index % 2 === 0) return part;
		const run = new Function('$json', '$', '$input', `return (${part});`) as (
			...scope: unknown[]
		) => unknown;
		const $input = { all: () => all.map((each) => ({ json: each })) };
		return run(json, () => ({ item: { json: read } }), $input);
	});
	return parts.length === 3 && !parts[0] && !parts[2] ? values[1] : values.join('');
}

interface Condition {
	leftValue: unknown;
}
const conditionOf = ({ conditions }: INodeParameters | Json) =>
	(conditions as unknown as { conditions: Condition[] }).conditions[0]!.leftValue;

/** The output that an item takes, or -1 for none. */
function outputOf({ type, parameters }: INode, scope: Scope): number {
	if (type.endsWith('.filter')) return evaluate(conditionOf(parameters), scope) === true ? 0 : -1;
	if (type.endsWith('.if')) return evaluate(conditionOf(parameters), scope) === true ? 0 : 1;
	if (!type.endsWith('.switch')) return 0;
	const rules = (parameters.rules as { values: Json[] }).values;
	return rules.findIndex((rule) => {
		const { leftValue, rightValue, operator } = (
			rule.conditions as unknown as { conditions: Array<Condition & Json> }
		).conditions[0]!;
		const value = evaluate(leftValue, scope);
		return (operator as Json).type === 'boolean' ? value === true : value === rightValue;
	});
}

/** Where the nodes of apps have the fields that they write. */
const LISTS = [
	'updateFields.customPropertiesUi.customPropertiesValues',
	'updateFields.customFields.property',
	'updateFields.customFieldsUi.customFieldsValues',
	'fieldsToCreateOrUpdate.fields',
];

/** The fields that a node writes, as parameters. */
function fieldsOf({ parameters }: INode): Array<[field: string, value: unknown]> | undefined {
	const columns = readPath(parameters, 'columns.value');
	if (columns) return Object.entries(columns as Json);
	const list = LISTS.map((path) => readPath(parameters, path)).find(Boolean);
	return (list as Json[] | undefined)?.map((each) => {
		const { property, name, fieldId, fieldName, value, fieldValue } = each;
		return [String(property ?? name ?? fieldId ?? fieldName), value ?? fieldValue];
	});
}

const DAY_MS = 86_400_000;
const { now } = systemClock;
afterEach(() => {
	systemClock.now = now;
});

const QUOTA = 10;
const OF_THE_TRIGGER = 2;

describe.each(Object.entries(STORES))('The example %s', (file, store) => {
	it('gives every row its turn in three nights, beside a trigger, and loses and tells nothing twice', async () => {
		const { workflow } = await readExample(file);
		const nodeOf = (name: string) => workflow.nodes.find((node) => node.name === name)!;
		const next = (name: string, output = 0): string[] => {
			const outputs = (
				workflow.connections as Record<string, { main: Array<Array<{ node: string }>> }>
			)[name];
			return (outputs?.main[output] ?? []).map(({ node }) => node);
		};
		const [reading = ''] = next(triggerOf(workflow));
		const enriching = workflow.nodes.find(({ type }) => type.endsWith('.companyRegistry'))!;
		const isNumbered = file === 'data-table-watch';
		const table = ROWS.map((name, at) => store.record(at + 1, name, COMPANIES[at]!.idno));

		let left = 0;
		const answer = registryOf([...COMPANIES, NAMESAKE]);
		const { run, credential } = await registryAt((request) => {
			return left-- > 0 ? answer(request) : OUT_OF_QUOTA;
		}, 'v1');
		const credentials = { ...credential, requestsPerDay: QUOTA };
		const { account } = connectionOf(enriching, companyRegistry, credentials);
		const told: string[] = [];
		for (let night = 0; night < 3; night++) {
			systemClock.now = () => now() + night * DAY_MS;
			const before = structuredClone(table);
			for (const at of [systemClock.now() - DAY_MS, systemClock.now()]) {
				triggersOf(account).notePoll('trigger', { at, perDay: 8, perPoll: OF_THE_TRIGGER });
			}
			left = QUOTA;
			const given = table.filter((json) => {
				const [first = ''] = next(reading);
				return (
					first === enriching.name ||
					outputOf(nodeOf(first), { json, read: json, record: json, all: [] }) === 0
				);
			});
			const read = structuredClone(given);
			const { items, error } = await run(enriching.parameters, {
				items: itemsOf(...read),
				credentials: { companyRegistryApi: credentials },
			});
			expect(error).toBeUndefined();
			expect(left).toBeGreaterThanOrEqual(OF_THE_TRIGGER);
			pass(
				next(enriching.name),
				jsonOf(items).map((json, at) => ({ json, read: read[at]!, record: given[at]! })),
			);
			for (const [at, record] of table.entries()) expectKept(before[at]!, record);
		}

		function pass(names: string[], scopes: Array<Omit<Scope, 'all'>>): void {
			for (const name of scopes.length > 0 ? names : []) {
				const node = nodeOf(name);
				const all = scopes.map(({ json }) => json);
				if (node.type.endsWith('.emailSend')) {
					const once = node.executeOnce ? scopes.slice(0, 1) : scopes;
					told.push(
						...once.map((scope) => String(evaluate(node.parameters.html, { ...scope, all }))),
					);
					continue;
				}
				const fields = fieldsOf(node);
				for (const scope of fields ? scopes : []) {
					for (const [field, value] of fields!) {
						const isKey = value === '={{ $json.id }}' || value === '={{ $json.row_number }}';
						if (!isKey)
							(store.write ?? setIn)(scope.record, field, evaluate(value, { ...scope, all }));
					}
				}
				for (const output of [0, 1, 2]) {
					const taken = scopes.filter((scope) => outputOf(node, { ...scope, all }) === output);
					pass(next(name, output), taken);
				}
			}
		}

		const text = (record: Json) => JSON.stringify(record);
		// Every row has had its turn, and what it said is known.
		for (const record of table) {
			const isDone = /registry_state \d{4}-|"question":"\S|"status":"\S/.test(text(record));
			expect([record, isDone]).toEqual([record, true]);
		}
		// Only exact matches write the user's own fields.
		const ownOf = (record: Json) =>
			store.own.map((field) => new RegExp(`"${field}":(?:\\{"value":)?"[^"]`).test(text(record)));
		for (const at of isNumbered ? [] : INEXACT) expect(ownOf(table[at]!)).not.toContain(true);
		expect(text(table[0]!)).toContain(COMPANIES[0]!.idno);
		// Each mail is about other rows.
		const mentioned = told.flatMap((mail) => mail.match(/<p><b>.*?<\/b>/g) ?? []);
		expect(new Set(mentioned).size).toBe(mentioned.length);
		const hasMail = workflow.nodes.some(({ executeOnce }) => executeOnce);
		if (hasMail) expect(mentioned).toHaveLength(INEXACT.length);
	});
});

/** Nothing that a record has is blank the next night. A remark or a question is about one run. */
function expectKept(before: Json, after: Json): void {
	for (const [field, value] of Object.entries(before)) {
		if (typeof value === 'object' && value !== null)
			expectKept(value as Json, after[field] as Json);
		else if (value && !/question|remark|match_reason/i.test(field)) {
			expect([field, Boolean(after[field])]).toEqual([field, true]);
		}
	}
}

it('every example that enriches on a schedule is played', async () => {
	const { readExamples } = await import('../../tools/examples');
	const scheduled = (await readExamples()).filter(({ workflow: { nodes } }) => {
		const isEnriching = nodes.some(({ parameters }) => parameters.operation === 'enrich');
		return isEnriching && nodes.some(({ type }) => type.endsWith('.scheduleTrigger'));
	});
	expect(scheduled.map(({ name }) => name).sort()).toEqual(Object.keys(STORES).sort());
});
