import '../cli/resolveSources';

import { join } from 'node:path';
import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { runProgram } from '../cli/program';
import { buildPackage, PROJECT_DIR, readManifest, writeJson } from '../package';
import { startStage, type Stage } from '../stage/stage';
import { EXAMPLES_DIR, readExamples, selectCredentials, triggerOf, type Example } from '.';

/** Enough to see what a node returns. */
const MOST_ITEMS = 12;

/** Examples that nobody writes back. `registry_state` makes each row of the editor's table several lines high. */
const WITHOUT_STATE = ['enrich-crm-rows'];

/** Limits so wide that nothing waits and no quota runs out. */
const WIDE_LIMITS = { rateLimit: { limit: 1000 }, dailyQuota: { limit: 100_000 } };

/** The output of nodes that write to an app, as a user would see it. */
const WRITTEN: Record<string, (parameters: INodeParameters) => Record<string, unknown>> = {
	'n8n-nodes-base.airtable': columnsOf,
	'n8n-nodes-base.dataTable': columnsOf,
	'n8n-nodes-base.emailSend': ({ toEmail, subject, html }) => ({ toEmail, subject, html }),
	'n8n-nodes-base.googleSheets': columnsOf,
	'n8n-nodes-base.hubspot': ({ companyId }) => ({ companyId: (companyId as IDataObject).value }),
	'n8n-nodes-base.odoo': ({ customResourceId }) => ({ id: customResourceId }),
	'n8n-nodes-base.pipedrive': ({ organizationId }) => ({ id: organizationId }),
	'n8n-nodes-base.postgres': columnsOf,
	'n8n-nodes-base.salesforce': ({ accountId }) => ({ id: accountId }),
	'n8n-nodes-base.slack': ({ text }) => ({ text }),
	'n8n-nodes-base.telegram': ({ text }) => ({ text }),
};
const READS = ['get', 'getAll', 'search', 'select'];

function columnsOf({ columns }: INodeParameters): Record<string, unknown> {
	return (columns as { value: Record<string, unknown> }).value;
}

/** Whether a node writes to an app that the sandbox doesn't have. */
function writes({ type, parameters }: INode): boolean {
	const { operation, columns } = parameters;
	if (!(type in WRITTEN) || READS.includes(String(operation))) return false;
	return type !== 'n8n-nodes-base.googleSheets' || columns !== undefined;
}

/** Replaces a node with one that returns the fields it would write. */
function withoutApp(node: INode): INode {
	const fields = Object.entries(WRITTEN[node.type]!(node.parameters));
	const record = fields.map(([name, value]) => `${JSON.stringify(name)}: ${expressionFor(value)}`);
	const { id, name, position, executeOnce } = node;
	const parameters = { mode: 'raw', jsonOutput: `={{ ({ ${record.join(', ')} }) }}`, options: {} };
	const type = 'n8n-nodes-base.set';
	return { id, name, position, executeOnce, parameters, type, typeVersion: 3.4 };
}

/** A parameter as JavaScript: the expressions in its text, joined with the text between them. */
function expressionFor(value: unknown): string {
	if (typeof value !== 'string' || !value.startsWith('=')) return JSON.stringify(value);
	const parts = value
		.slice(1)
		.split(/\{\{((?:(?!\}\}).)*)\}\}/s)
		.map((part, index) => (index % 2 === 1 ? `(${part})` : JSON.stringify(part)))
		.filter((part) => part !== '""');
	return parts.length === 1 ? parts[0]! : `[${parts.join(', ')}].join('')`;
}

const DOWNLOAD = 'n8n-nodes-base.googleDrive';
const FILE = 'n8n-nodes-base.convertToFile';

/** Replaces a node with one that creates a file, because sample data can't contain files. */
function withFile({ id, name, position }: INode): INode {
	const options = { fileName: '={{ $json.name }}' };
	const parameters = { operation: 'toText', sourceProperty: 'name', options };
	return { id, name, position, parameters, type: FILE, typeVersion: 1.1 };
}

/** Runs an example on the sandbox, and returns what its nodes returned. */
async function run(
	{ api, credentials }: Stage,
	{ name, workflow }: Example,
	given: Array<[string, INodeExecutionData[]]>,
	signal: AbortSignal,
): Promise<(node: string) => INodeExecutionData[]> {
	const nodes = workflow.nodes.map((node) => {
		if (writes(node)) return withoutApp(node);
		return node.type === DOWNLOAD ? withFile(node) : node;
	});
	const pinned = given.filter(([name]) => nodes.find((node) => node.name === name)?.type !== FILE);
	const copy = structuredClone({ ...workflow, nodes });
	selectCredentials(copy, credentials);
	await api.createWorkflow({ ...copy, pinData: Object.fromEntries(pinned) });
	const id = await api.runWorkflow(name, triggerOf(workflow));
	const { status, error, runData } = await api.waitForExecution(id, { signal });
	if (status !== 'success') throw new Error(`${name} is ${status}: ${error?.message}`);
	return (node) => runData[node]?.[0]?.data?.main?.flat().flatMap((item) => item ?? []) ?? [];
}

/**
 * Pins sample data to the examples' nodes that need a credential, so that an imported example runs
 * without one. The data that starts an example or comes from an app is written by hand in its file.
 * The rest is what the nodes return with the sandbox. Arguments are the names of examples. Default: all
 */
void runProgram(async (signal, cleanup) => {
	const { name: packageName } = await readManifest(PROJECT_DIR);
	await buildPackage(signal);
	const sandbox = { links: { rateLimit: WIDE_LIMITS.rateLimit }, registry: { v1: WIDE_LIMITS } };
	const stage = await startStage({ signal, cleanup, sandbox });
	const isMade = (node: INode) => {
		const { type, parameters } = node;
		// The sandbox's limits are wider here than any user's.
		if (parameters.operation === 'getStatus') return false;
		const isOwn = type.startsWith(`${packageName}.`) && !/(Trigger|Tool)$/.test(type);
		return writes(node) || isOwn;
	};
	const names = process.argv.slice(2);
	const all = await readExamples();
	for (const example of all.filter((each) => names.length === 0 || names.includes(each.name))) {
		stage.sandbox.reset();
		const { name, workflow } = example;
		const made = workflow.nodes.filter(isMade).map((node) => node.name);
		const given = Object.entries(workflow.pinData ?? {}).filter(([node]) => !made.includes(node));
		const returned = await run(stage, example, given, signal);
		const pins = made.flatMap((node) => {
			const items = returned(node).slice(0, MOST_ITEMS);
			const pinned = items.map(({ json: { registry_state: state, ...json }, pairedItem }) => ({
				json: WITHOUT_STATE.includes(name) ? json : { ...json, registry_state: state },
				pairedItem,
			}));
			return items.length > 0 ? [[node, pinned] as const] : [];
		});
		const pinData = Object.fromEntries([...given, ...pins]);
		await writeJson(join(EXAMPLES_DIR, `${name}.json`), { ...workflow, pinData });
		console.log(`${name}: ${Object.keys(pinData).join(', ')}`);
	}
});
