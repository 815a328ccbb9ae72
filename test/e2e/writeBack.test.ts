/**
 * What n8n's own nodes write back of a row that Enrich returns, by their code. Only the apps behind them are
 * ours (support/apps.ts).
 *
 * @jest-environment ./test/environment/environment.js
 */

import { join } from 'node:path';
import { WorkflowExecute } from 'n8n-core';
import type {
	ExecutionError,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';
import { createRunExecutionData, NodeHelpers, Workflow } from 'n8n-workflow';
import { additionalData, nodeClasses } from '../../tools/engine';
import { APPS } from '../../tools/examples/lists';
import { provideHost } from '../../tools/host';
import {
	AirtableBase,
	DataTable,
	GoogleSheet,
	HubSpotAccount,
	PostgresTable,
	type App,
} from './support/apps';

const BASE = 'n8n-nodes-base';
const CLASSES: Record<string, [path: string, name: string]> = {
	airtable: ['Airtable/Airtable', 'Airtable'],
	dataTable: ['DataTable/DataTable', 'DataTable'],
	googleSheets: ['Google/Sheet/GoogleSheets', 'GoogleSheets'],
	hubspot: ['Hubspot/Hubspot', 'Hubspot'],
	postgres: ['Postgres/Postgres', 'Postgres'],
};

const apps = {
	googleSheets: new GoogleSheet(),
	airtable: new AirtableBase(),
	dataTable: new DataTable(),
	postgres: new PostgresTable(),
	hubspot: new HubSpotAccount(),
};
type AppName = keyof typeof apps;

let app: App;
const loaded = new Map<string, INodeType | IVersionedNodeType>();

beforeAll(async () => {
	const { dir } = await provideHost();
	// Jest can't load what these nodes depend on.
	const { requireShared } = globalThis as unknown as { requireShared: NodeJS.Require };
	const { createRequire } = requireShared('node:module') as typeof import('node:module');
	const load = createRequire(join(dir, 'node_modules', 'n8n', 'package.json'));
	for (const [type, [path, name]] of Object.entries(CLASSES)) {
		const module = load(`${BASE}/dist/nodes/${path}.node`) as Record<string, new () => INodeType>;
		loaded.set(`${BASE}.${type}`, new module[name]!());
	}
});

afterAll(async () => {
	await apps.postgres.stop();
});

/** A node of our own, for what surrounds those under test. */
function step(work: (items: INodeExecutionData[]) => INodeExecutionData[]): INodeType {
	return {
		description: {
			...{ displayName: 'Step', name: 'step', group: ['transform'], version: 1 },
			...{ description: '', defaults: { name: 'Step' }, properties: [] },
			...{ inputs: ['main'], outputs: ['main'] },
		},
		async execute() {
			return [work(this.getInputData())];
		},
	};
}

const prepared = new Map<INodeType, INodeType>();

/** A node of n8n whose requests reach our app. */
function toOurApp(type: INodeType): INodeType {
	if (!prepared.has(type)) {
		const execute = async function (this: IExecuteFunctions) {
			const respond = async (_type: string, request: Parameters<NonNullable<App['respond']>>[0]) =>
				structuredClone(app.respond!(request));
			Object.assign(this.helpers, { requestOAuth2: respond, requestWithAuthentication: respond });
			return await type.execute!.call(this);
		};
		prepared.set(type, Object.create(type, { execute: { value: execute } }) as INodeType);
	}
	return prepared.get(type)!;
}

const start = step(() => [{ json: {} }]);

function typesWith(steps: Record<string, INodeType>): INodeTypes {
	const getByName = (name: string) =>
		({ start, ...steps })[name] ?? loaded.get(name) ?? nodeClasses[name]!;
	return {
		getByName,
		getByNameAndVersion(name, version) {
			const type = NodeHelpers.getVersionedNodeType(getByName(name), version);
			return loaded.has(name) ? toOurApp(type) : type;
		},
		getKnownTypes: () => ({}),
	};
}

/** Runs a workflow. @throws when a node fails */
async function run(
	nodes: INode[],
	connections: ConstructorParameters<typeof Workflow>[0]['connections'],
	steps: Record<string, INodeType>,
): Promise<void> {
	const workflow = new Workflow({
		...{ id: 'write-back', active: false, settings: {} },
		...{ nodes, connections, nodeTypes: typesWith(steps) },
	});
	const [type, data] = app.credential ?? [];
	const extra = additionalData((type ? { [type]: data } : {}) as never);
	const dataTableProxyProvider = {
		getDataTableProxy: () => apps.dataTable.proxy,
		getDataTableAggregateProxy: () => ({ getManyAndCount: () => ({ data: [{ id: 'table' }] }) }),
	};
	Object.assign(extra, { 'data-table': { dataTableProxyProvider } });
	await workflow.expression.acquireIsolate();
	try {
		const execution = new WorkflowExecute(extra, 'manual', createRunExecutionData({}));
		const { data: result } = await execution.run({ workflow, startNode: nodes[0]! });
		const { error } = result.resultData as { error?: ExecutionError };
		if (error) throw new Error(`${error.message} ${error.description ?? ''}`, { cause: error });
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

let nodeCount = 0;

function node(
	name: string,
	type: string,
	typeVersion = 1,
	parameters: INodeParameters = {},
): INode {
	const credentials = app.credential && { [app.credential[0]]: { id: 'app', name: 'app' } };
	const id = `node-${++nodeCount}`;
	return { id, name, type, typeVersion, position: [0, 0], parameters, credentials };
}

/** Apps whose nodes find the record by one of the mapped fields. */
const MATCHED: AppName[] = ['googleSheets', 'airtable', 'postgres'];

/** What a node does to a field that has a value. */
type Effect = 'keeps' | 'empties';

describe('A field of a record', () => {
	it.each<[AppName, 'auto' | 'by hand', missing: Effect, isNull: Effect, isBlank: Effect]>([
		['googleSheets', 'auto', 'keeps', 'keeps', 'empties'],
		['googleSheets', 'by hand', 'empties', 'empties', 'empties'],
		['dataTable', 'auto', 'keeps', 'empties', 'empties'],
		['dataTable', 'by hand', 'empties', 'empties', 'empties'],
		['postgres', 'auto', 'keeps', 'empties', 'empties'],
		['postgres', 'by hand', 'empties', 'empties', 'empties'],
		['airtable', 'auto', 'keeps', 'empties', 'empties'],
		['airtable', 'by hand', 'keeps', 'keeps', 'empties'],
		// HubSpot's node can only be mapped by hand.
		['hubspot', 'by hand', 'keeps', 'empties', 'empties'],
	])(
		'%s, mapped %s, %s it if it’s missing, %s it if it’s null, and %s it if it’s blank',
		async (name, mapping, ...expected) => {
			const { type, typeVersion, read, write, key } = APPS[name];
			const effects: Effect[] = [];
			for (const given of [{}, { status: null }, { status: '' }]) {
				app = apps[name];
				await app.reset(['name', 'status', 'note'], ['Zefirul']);
				await app.set(0, 'status', 'old');
				const row = step(([item]) => {
					const json = { [key]: item!.json[key], note: 'new', ...given };
					return [{ json, pairedItem: { item: 0 } }];
				});
				const fields = { status: '={{ $json.status }}', note: '={{ $json.note }}' };
				const matched = MATCHED.includes(name) ? { [key]: `={{ $json.${key} }}` } : {};
				const byHand = write({ ...matched, ...fields });
				const auto = {
					mappingMode: 'autoMapInputData',
					value: {},
					matchingColumns: [key],
					schema: [],
				};
				const parameters = mapping === 'auto' ? { ...byHand, columns: auto } : byHand;
				const nodes = [
					node('Start', 'start'),
					node('Read', type, typeVersion, read),
					node('Row', 'row'),
					node('Write', type, typeVersion, parameters),
				];
				const next = nodes.slice(1).map((each) => [[{ node: each.name, type: 'main', index: 0 }]]);
				const connections = Object.fromEntries(next.map((main, at) => [nodes[at]!.name, { main }]));
				await run(nodes, connections as never, { row });
				const [record] = await app.records();
				expect(record!.note).toBe('new');
				effects.push(record!.status === 'old' ? 'keeps' : 'empties');
			}
			expect(effects).toEqual(expected);
		},
	);
});
