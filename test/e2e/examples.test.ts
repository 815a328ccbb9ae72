import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { NodeHelpers, type IDataObject, type INode, type INodeTypeDescription } from 'n8n-workflow';
import { CREDENTIALS, readExamples, triggerOf, type Example } from '../../tools/examples';
import { startPostgres, until } from '../../tools/host';
import { fakeService } from '../fakeService';
import { startStage, watched, type CredentialReference, type Stage } from './support/stage';
import { referenceOf } from '../../tools/stage/workflows';

/**
 * Checks every example for what the editor would mark red, runs it on its sample data, and runs four
 * of them in depth.
 */
let stage: Stage;
let examples: Example[];

beforeAll(async () => {
	stage = await startStage();
	examples = await readExamples();
});

afterAll(async () => await stage?.cleanup.run());

beforeEach(() => stage.sandbox.reset());

it('no example has an issue or a parameter unknown to n8n', async () => {
	const types = await stage.api.nodeTypes();
	const findings: string[] = [];
	for (const { name, workflow } of examples) {
		for (const node of workflow.nodes) {
			findings.push(...issuesOf(node, types).map((issue) => `${name}, ${node.name}: ${issue}`));
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
		const columns = ['name', 'city', 'idno', 'status', 'question', 'answer', 'not_these'];
		const data = [{ answer: certain.idno }, { name: 'Zefirul Unic' }, { name: 'ZEFIRUL UNIC' }];
		const { path } = await stage.api.createDataTable('Customers to check', columns, data);
		type Rows = Array<{ id: number; question: string }>;
		const rows = async () =>
			(await stage.api.get<{ data: Rows }>(`${path}/rows?sortBy=id:asc`)).data;

		await importAndRun('enrich-with-review');
		const [, asked, rejected] = await rows();
		expect((await rows())[0]).toMatchObject({ idno: certain.idno, question: '' });
		expect(asked).toMatchObject({ idno: null, status: null });
		for (const { idno } of namesakes) expect(asked?.question).toContain(idno);

		const answer = async (row: { id: number } | undefined, text: string) => {
			const filters = [{ columnName: 'id', condition: 'eq', value: row?.id }];
			const change = { filter: { type: 'and', filters }, data: { answer: text } };
			await stage.api.patch(`${path}/rows`, change);
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
		const calls = [
			{ name: 'Get_a_credit_recommendation', arguments: { company: company.name } },
			{ name: 'Create_a_campaign', arguments: { name: 'Ruscăteza Vin' } },
		];
		let heard = '';
		// A chat model with OpenAI's protocol that calls one tool per turn.
		const model = await fakeService(({ text, number }) => {
			heard = text;
			const call = {
				...calls[number - 1],
				arguments: JSON.stringify(calls[number - 1]?.arguments),
			};
			const toolCalls = [{ id: `call-${number}`, type: 'function', function: call }];
			const message = { role: 'assistant', content: null, tool_calls: toolCalls };
			return {
				...{ id: `chatcmpl-${number}`, object: 'chat.completion', created: 0, model: 'scripted' },
				choices: [{ index: 0, finish_reason: 'tool_calls', message }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			};
		});
		const data = { apiKey: 'scripted', url: `${model.baseUrl}/v1` };
		const credential = await credentialOf('openAiApi', data);
		const nodeType = '@n8n/n8n-nodes-langchain.lmChatOpenAi';
		const workflow = exampleWith('ai-agent', { [nodeType]: credential });
		await stage.api.createWorkflow(workflow);
		const json = { sessionId: randomUUID(), action: 'sendMessage', chatInput: 'May I deliver?' };
		// How n8n describes the run of a trigger.
		const run = {
			...{ startTime: 0, executionTime: 0, executionIndex: 0, executionStatus: 'success' },
			...{ source: [null], data: { main: [[{ json }]] } },
		};
		const { executionId } = await stage.api.post<{ executionId: string }>(
			'/rest/workflows/ai-agent/run',
			{ triggerToStartFrom: { name: triggerOf(workflow), data: run } },
		);
		await until('the agent to ask', async () => {
			return (await stage.api.execution(executionId)).status === 'waiting';
		});
		expect(heard).toContain(company.idno);
		expect(heard).toContain(`\\"rating\\":\\"${company.rating}\\"`);
		expect(links.state.campaigns.size).toBe(before);
	});

	// The last one, because n8n remembers that the key's quota is used up.
	it('large-list-postgres writes back the rows that the quota allowed, and leaves the others alone', async () => {
		const { v1 } = stage.sandbox.registry;
		const companies = v1.state.all().slice(0, 20);
		v1.configure({ dailyQuota: { limit: 25 } });
		const crm = watched('PostgreSQL', await startPostgres());
		stage.cleanup.add(async () => await crm.stop());
		const { port, database, user } = crm;
		const host = { host: '127.0.0.1', port, ssl: 'disable', sshTunnel: false };
		const postgres = await credentialOf('postgres', { ...host, database, user, password: '' });
		// A note tells how to create the table.
		const notes = exampleWith('large-list-postgres').nodes.map(
			({ parameters: { content } }) => content,
		);
		const [statement = ''] = /CREATE TABLE [^`;]+/.exec(notes.join('\n')) ?? [];
		await crm.execute(statement);
		for (const [index, { idno }] of companies.entries()) {
			await crm.execute(`INSERT INTO customers (id, idno) VALUES (${index}, '${idno}')`);
		}
		await importAndRun('large-list-postgres', { 'n8n-nodes-base.postgres': postgres });
		const rows = (await crm.select('SELECT * FROM customers ORDER BY id')) as IDataObject[];
		const checked = rows.filter(({ registry_checked_at }) => registry_checked_at !== null);
		expect(checked.length).toBeGreaterThanOrEqual(10);
		const lacksCredit = ({ match_reason: reason }: IDataObject) =>
			String(reason).startsWith('The credit recommendation is waiting for the quota');
		for (const row of checked) {
			const { idno, rating } = companies[Number(row.id)]!;
			expect(row).toMatchObject({
				registry_idno: idno,
				match_status: 'found',
				registry_rating: lacksCredit(row) ? null : rating,
			});
		}
		// The quota can end between the two requests of the ten rows that are looked up at a time.
		expect(checked.filter(lacksCredit).length).toBeLessThanOrEqual(10);
		for (const row of rows.filter((each) => !checked.includes(each))) {
			expect(row).toMatchObject({ match_status: null, match_reason: null, registry_state: null });
		}
	});
});

/** The example after its import, with the sandbox's credentials selected, and others by node type. */
function exampleWith(name: string, others: Record<string, CredentialReference> = {}) {
	const { workflow } = examples.find((example) => example.name === name)!;
	const nodes = workflow.nodes.map((node) => {
		const [imported] = Object.values(node.credentials ?? {});
		const own = CREDENTIALS[imported?.id ?? ''];
		const given = own ? stage.credentials[own] : others[node.type];
		return given ? { ...node, credentials: { [given.type]: referenceOf(given) } } : node;
	});
	return { ...workflow, id: name, nodes, pinData: {} };
}

async function credentialOf(type: string, data: Record<string, unknown>) {
	return { type, name: type, id: await stage.api.createCredential(type, type, data) };
}

async function importAndRun(name: string, others?: Parameters<typeof exampleWith>[1]) {
	await stage.api.createWorkflow(exampleWith(name, others));
	await run(name);
}

/** Runs an imported example manually. @throws with n8n's reason unless it succeeds */
async function run(name: string): Promise<void> {
	const id = await stage.api.runWorkflow(name, triggerOf(exampleWith(name)));
	const { status, error } = await stage.api.waitForExecution(id);
	if (status !== 'success') throw new Error(`The execution is ${status}: ${error?.message}`);
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
	// Users pick the credentials of other nodes.
	const isOwn = node.type.startsWith('n8n-nodes-link-company.');
	const needed = credentials.filter(
		(credential) =>
			isOwn &&
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
