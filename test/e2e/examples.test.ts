import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { NodeHelpers, type IDataObject, type INode, type INodeTypeDescription } from 'n8n-workflow';
import { CREDENTIALS, readExamples, triggerOf, type Example } from '../../tools/examples';
import { until } from '../../tools/host';
import type { Postgres } from '../../tools/services';
import { startChatModel, type ChatMessage } from './support/chatModel';
import { startPostgres } from './support/services';
import { startStage, type CredentialReference, type Stage } from './support/stage';
import { referenceOf } from '../../tools/stage/workflows';

/**
 * Checks every example for what the editor would mark red, runs it on its sample data, and runs four
 * of them in depth.
 */
let stage: Stage;
let crm: Postgres;
let examples: Example[];

beforeAll(async () => {
	crm = await startPostgres();
	stage = await startStage();
	stage.cleanup.add(async () => await crm.stop());
	examples = await readExamples();
});

afterAll(async () => await stage?.cleanup.run());

beforeEach(() => stage.sandbox.reset());

it('no example has an issue or a parameter unknown to n8n', async () => {
	const types = await stage.api.nodeTypes();
	const findings: string[] = [];
	for (const { name, workflow } of examples) {
		for (const node of workflow.nodes) {
			const issues = issuesOf(withCredential(node, {}), types);
			findings.push(...issues.map((issue) => `${name}, ${node.name}: ${issue}`));
			// Lets this process, which is busy for seconds, notice idle connections that n8n closes.
			await setImmediate();
		}
	}
	expect(findings).toEqual([]);
});

it('every example runs on its sample data without credentials', async () => {
	const failed: string[] = [];
	for (const [index, { name, workflow }] of examples.entries()) {
		const nodes = workflow.nodes.map((node) => ({ ...node, credentials: undefined }));
		const id = `sample-${index}`;
		await stage.api.createWorkflow({ ...workflow, id, nodes });
		const execution = await stage.api.runWorkflow(id, triggerOf(workflow));
		const { status, error } = await stage.api.waitForExecution(execution);
		if (status !== 'success') failed.push(`${name}: ${error?.message}`);
	}
	expect(failed).toEqual([]);
});

describe('Running examples', () => {
	it('bulk-create-campaigns creates each campaign once, even if it runs again', async () => {
		const { links } = stage.sandbox;
		const known = links.control.addRow('campaigns', { name: 'Members only' });
		const before = links.state.campaigns.size;
		const campaignOf = (link: number) => links.state.links.get(link)?.campaignId;
		await importAndRun('bulk-create-campaigns');
		const added = links.state.campaigns.all().slice(before);
		const names = ['Last chance', 'New collection', 'Spring sale'];
		expect(added.map(({ name }) => name).sort()).toEqual(names);
		expect([26, 27].map(campaignOf)).toEqual([known.id, known.id]);
		expect(campaignOf(21)).toBe(added.find(({ name }) => name === 'Spring sale')?.id);
		await run('bulk-create-campaigns');
		expect(links.state.campaigns.size).toBe(before + names.length);
	});

	it('enrich-with-review asks about ambiguous rows and applies the answer', async () => {
		const { state } = stage.sandbox.registry.v1;
		const certain = state.get('1000600900002')!;
		const namesakes = ['1000000000018', '1000000000029'].map((idno) =>
			state.add({ idno, name: 'Zefirul Unic SRL', status: 'active' }),
		);
		const { id: projectId } = await stage.api.get<{ id: string }>('/rest/projects/personal');
		const tables = `/rest/projects/${projectId}/data-tables`;
		const names = ['name', 'city', 'idno', 'status', 'question', 'answer', 'not_these'];
		const columns = names.map((name) => ({ name, type: 'string' }));
		const table = { name: 'Customers to check', columns };
		const { id } = await stage.api.post<{ id: string }>(tables, table);
		const data = [{ answer: certain.idno }, { name: 'Zefirul Unic' }, { name: 'ZEFIRUL UNIC' }];
		await stage.api.post(`${tables}/${id}/insert`, { data, returnType: 'count' });
		const rows = async () => {
			const path = `${tables}/${id}/rows?sortBy=id:asc`;
			return (await stage.api.get<{ data: Array<{ id: number; question: string }> }>(path)).data;
		};

		await importAndRun('enrich-with-review');
		const [, asked, rejected] = await rows();
		expect((await rows())[0]).toMatchObject({ idno: certain.idno, question: '' });
		expect(asked).toMatchObject({ idno: null, status: null });
		for (const { idno } of namesakes) expect(asked?.question).toContain(idno);

		const answer = async (row: { id: number } | undefined, text: string) => {
			const filters = [{ columnName: 'id', condition: 'eq', value: row?.id }];
			const change = { filter: { type: 'and', filters }, data: { answer: text } };
			await stage.api.patch(`${tables}/${id}/rows`, change);
		};
		// With a typo, the row isn't done: the question comes back.
		await answer(asked, namesakes[1]!.idno.slice(0, -1));
		await run('enrich-with-review');
		const [, mistyped] = await rows();
		expect(mistyped).toMatchObject({ idno: null, status: null, answer: '' });
		for (const { idno } of namesakes) expect(mistyped?.question).toContain(idno);

		await answer(asked, namesakes[1]!.idno);
		await answer(rejected, 'None of these');
		await run('enrich-with-review');
		const [, answered, none] = await rows();
		expect(answered).toMatchObject({ idno: namesakes[1]!.idno, question: '', answer: '' });
		expect(none).toMatchObject({ idno: null, status: 'not found', question: '' });
		for (const { idno } of namesakes)
			expect(none).toHaveProperty('not_these', expect.stringContaining(idno));
		// Another run asks nothing again and sends no request.
		const { length } = stage.sandbox.registry.v1.requests;
		await run('enrich-with-review');
		expect(stage.sandbox.registry.v1.requests).toHaveLength(length);
	});

	it('ai-agent looks up a company by name, and asks before it creates a campaign', async () => {
		const { links, registry } = stage.sandbox;
		const company = registry.v1.state.get('1000600900002')!;
		const before = links.state.campaigns.size;
		let heard = '';
		const told = (messages: ChatMessage[]) =>
			messages.flatMap(({ role, content }) => (role === 'tool' ? content : [])).join('\n');
		const model = await startChatModel([
			() => [{ tool: 'Get_a_credit_recommendation', args: { company: company.name } }],
			(messages) => {
				heard = told(messages);
				return [{ tool: 'Create_a_campaign', args: { name: 'Ruscăteza Vin' } }];
			},
		]);
		const data = { apiKey: 'scripted', url: `${model.baseUrl}/v1` };
		const id = await stage.api.createCredential('Model', 'openAiApi', data);
		const openAiApi = { type: 'openAiApi', id, name: 'Model' };
		const workflow = exampleWith('ai-agent', { openAiApi });
		await stage.api.createWorkflow(workflow);
		const json = { sessionId: randomUUID(), action: 'sendMessage', chatInput: 'May I deliver?' };
		const triggerToStartFrom = {
			name: triggerOf(workflow),
			data: { ...TASK, data: { main: [[{ json }]] } },
		};
		const { executionId } = await stage.api.post<{ executionId: string }>(
			'/rest/workflows/ai-agent/run',
			{ triggerToStartFrom },
		);
		await until('the agent to ask', async () => {
			return (await stage.api.execution(executionId)).status === 'waiting';
		});
		expect(heard).toContain(company.idno);
		expect(heard).toContain(`"rating":"${company.rating}"`);
		expect(links.state.campaigns.size).toBe(before);
	});

	// The last one, because n8n remembers that the key's quota is used up.
	it('large-list-postgres writes back the rows that the quota allowed, and why the others wait', async () => {
		const { v1 } = stage.sandbox.registry;
		const companies = v1.state.all().slice(0, 20);
		v1.configure({ dailyQuota: { limit: 25 } });
		await createTable('large-list-postgres');
		for (const [index, { idno }] of companies.entries()) {
			await crm.execute(`INSERT INTO customers (id, idno) VALUES (${index}, '${idno}')`);
		}
		await importAndRun('large-list-postgres');
		const rows = (await crm.select('SELECT * FROM customers ORDER BY id')) as IDataObject[];
		const checked = rows.filter(({ registry_checked_at }) => registry_checked_at !== null);
		expect(checked.length).toBeGreaterThanOrEqual(10);
		for (const { id, registry_idno, match_status, registry_rating } of checked) {
			const { idno, rating } = companies[Number(id)]!;
			expect([registry_idno, match_status, registry_rating]).toEqual([idno, 'found', rating]);
		}
		for (const row of rows.filter((each) => !checked.includes(each))) {
			const waiting = expect.stringContaining('Waiting for the quota') as unknown;
			expect(row).toMatchObject({ match_status: 'notChecked', match_reason: waiting });
		}
	});
});

/** How n8n describes the run of a trigger. */
const TASK = {
	...{ startTime: 0, executionTime: 0, executionIndex: 0, executionStatus: 'success' },
	source: [null],
};

/** The credential types that users of the examples pick or create, by node type. */
const CREDENTIAL_OF_NODE: Record<string, string> = {
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	'n8n-nodes-base.airtable': 'airtableTokenApi',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.googleDrive': 'googleDriveOAuth2Api',
	'n8n-nodes-base.googleDriveTrigger': 'googleDriveOAuth2Api',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-base.hubspot': 'hubspotAppToken',
	'n8n-nodes-base.pipedrive': 'pipedriveApi',
	'n8n-nodes-base.postgres': 'postgres',
	'n8n-nodes-base.slack': 'slackApi',
	'n8n-nodes-base.telegram': 'telegramApi',
};

function withCredential(node: INode, others: Record<string, CredentialReference>): INode {
	const [imported] = Object.entries(node.credentials ?? {});
	const type = imported?.[0] ?? CREDENTIAL_OF_NODE[node.type];
	if (!type) return node;
	const own = CREDENTIALS[imported?.[1].id ?? ''];
	const given = own ? stage.credentials[own] : others[type];
	return {
		...node,
		credentials: { [type]: referenceOf(given ?? { type, id: 'none', name: 'none' }) },
	};
}

/** The example after its import, with credentials selected. */
function exampleWith(name: string, credentials: Record<string, CredentialReference> = {}) {
	const { workflow } = examples.find((example) => example.name === name)!;
	const nodes = workflow.nodes.map((node) => withCredential(node, credentials));
	return { ...workflow, id: name, nodes, pinData: {} };
}

async function importAndRun(name: string): Promise<void> {
	const host = { host: '127.0.0.1', port: crm.port, database: crm.database, user: crm.user };
	const data = { ...host, password: '', ssl: 'disable', sshTunnel: false };
	const id = await stage.api.createCredential(`CRM of ${name}`, 'postgres', data);
	const postgres = { type: 'postgres', id, name: `CRM of ${name}` };
	await stage.api.createWorkflow(exampleWith(name, { postgres }));
	await run(name);
}

/** Runs an imported example manually. @throws with n8n's reason unless it succeeds */
async function run(name: string): Promise<void> {
	const id = await stage.api.runWorkflow(name, triggerOf(exampleWith(name)));
	const { status, error } = await stage.api.waitForExecution(id);
	if (status !== 'success') throw new Error(`The execution is ${status}: ${error?.message}`);
}

/** Creates the table as a note in the example describes. */
async function createTable(name: string): Promise<void> {
	const notes = exampleWith(name).nodes.map(({ parameters }) => String(parameters.content));
	const [statement] = /CREATE TABLE [^`;]+/.exec(notes.join('\n')) ?? [];
	if (!statement) throw new Error(`No note of ${name} tells how to create the table`);
	await crm.execute('DROP TABLE IF EXISTS customers');
	await crm.execute(statement);
}

/** What the editor would mark red, or drop when the node is opened. */
function issuesOf(node: INode, types: INodeTypeDescription[]): string[] {
	const type = types.find(
		({ name, version }) => name === node.type && [version].flat().includes(node.typeVersion),
	);
	if (!type) return [`no node ${node.type} of version ${node.typeVersion}`];
	const { properties, credentials = [] } = type;
	// The editor fills in defaults for parameters that the file leaves out.
	const parameters =
		NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, type) ?? {};
	const opened = { ...node, parameters };
	const missing = NodeHelpers.getNodeParametersIssues(properties, opened, type)?.parameters ?? {};
	const needed = credentials.filter(
		(credential) =>
			credential.required &&
			NodeHelpers.displayParameter(parameters, credential, opened, type) &&
			!node.credentials?.[credential.name],
	);
	return [
		...missingFrom(parameters, node.parameters).map((name) => `unknown parameter ${name}`),
		...Object.values(missing).flat(),
		...needed.map((credential) => `no credential ${credential.name}`),
	];
}

/** Paths that `value` has and `reference` doesn't, such as `fileFields.expiry`. */
function missingFrom(reference: unknown, value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const known = (reference ?? {}) as Record<string, unknown>;
	return Object.entries(value).flatMap(([key, part]) =>
		key in known ? missingFrom(known[key], part).map((path) => `${key}.${path}`) : [key],
	);
}
