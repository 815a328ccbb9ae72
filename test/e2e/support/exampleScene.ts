import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { until, type Execution } from '../../../tools/host';
import type { Postgres } from '../../../tools/services';
import { Cleanup } from '../../../tools/cli/cleanup';
import { findExample, readExamples, triggerOf, type Example } from '../../../tools/examples';
import { recordsOf } from '../../../tools/cli/tables';
import { startChatModel, type ChatModel } from './chatModel';
import { startMailServer, type MailServer } from './mailServer';
import { startPostgres } from './services';
import { startStage, type CredentialReference, type Stage } from './stage';
import { startStandIns, type StandIns } from './standIns';
import { everySeconds, referenceOf } from './workflows';

/** Asserts what an example does. */
export type ExampleCase = (scene: ExampleScene) => Promise<void>;

/** Dividing a minute, so that the seconds between two rounds are always the same. */
const SECONDS_BETWEEN_ROUNDS = 5;

/** The credentials that a user of the examples picks or creates, by their types. */
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
};

/** A real n8n with everything around it that the examples talk to. */
export class ExampleScene {
	private readonly published = new Set<string>();

	private constructor(
		readonly stage: Stage,
		readonly crm: Postgres,
		readonly mailServer: MailServer,
		readonly chatModel: ChatModel,
		readonly standIns: StandIns,
		private readonly credentials: CredentialReference[],
		private readonly examples: Example[],
	) {}

	static async start(): Promise<ExampleScene> {
		const cleanup = new Cleanup();
		const stopLater = async <T extends { stop(): Promise<unknown> }>(starting: Promise<T>) => {
			const started = await starting;
			cleanup.add(async () => await started.stop());
			return started;
		};
		try {
			const crm = await stopLater(startPostgres());
			const mailServer = await stopLater(startMailServer());
			const chatModel = await stopLater(startChatModel());
			const standIns = await stopLater(startStandIns());
			const stage = await startStage({ env: standIns.env, cleanup });
			const servers = { crm, mailServer, chatModel };
			const credentials = [
				...Object.values(stage.credentials as unknown as Record<string, CredentialReference>),
				...(await createCredentials(stage, servers)),
			];
			const examples = await readExamples();
			return new ExampleScene(stage, crm, mailServer, chatModel, standIns, credentials, examples);
		} catch (error) {
			await cleanup.run();
			throw error;
		}
	}

	/** What the last case left behind must not reach the next one. */
	async reset(): Promise<void> {
		for (const id of this.published)
			await this.stage.api.post(`/rest/workflows/${id}/deactivate`, {});
		this.published.clear();
		this.stage.sandbox.reset();
		this.mailServer.mails.length = 0;
		this.chatModel.asked.length = 0;
		this.standIns.reset();
		await this.crm.execute('DROP TABLE IF EXISTS customers');
	}

	/** The example as it is imported: with this stage's credentials picked. */
	example(name: string): Example['workflow'] {
		const { workflow } = findExample(this.examples, name);
		return { ...workflow, nodes: workflow.nodes.map((node) => this.withCredential(node)) };
	}

	/** Imports an example and gives its id. */
	async import(name: string): Promise<string> {
		return await this.stage.api.createWorkflow(this.example(name));
	}

	/** Runs an imported example by hand, and waits for its end, whichever that is. */
	async run(name: string): Promise<Execution> {
		const { api } = this.stage;
		const { workflow } = findExample(this.examples, name);
		return await api.waitForExecution(await api.runWorkflow(workflow.id, triggerOf(workflow)));
	}

	/** Imports an example, runs it manually, and returns the output of its nodes. */
	async importAndRun(name: string): Promise<Outputs> {
		await this.import(name);
		return outputsOf(await this.run(name));
	}

	/** Imports an example, its trigger made quick, and publishes it. */
	async publish(name: string): Promise<void> {
		const workflow = this.example(name);
		const id = await this.stage.api.createWorkflow({
			...workflow,
			nodes: workflow.nodes.map(quick),
		});
		this.published.add(id);
		await this.stage.api.publishWorkflow(id);
	}

	/** The output of a published example's node, over all successful executions. */
	async outputsSoFar(name: string, node: string): Promise<IDataObject[]> {
		const { api } = this.stage;
		const ids = await api.executionIds(name, { ended: true });
		const executions = await Promise.all(ids.map(async (id) => await api.execution(id)));
		return executions.flatMap((execution) => outputsOf(execution)(node));
	}

	/** Waits for output of a published example's node and returns all of it. */
	async firstOutputs(name: string, node: string): Promise<IDataObject[]> {
		return await until(`output of "${node}"`, async () => {
			const outputs = await this.outputsSoFar(name, node);
			return outputs.length > 0 && outputs;
		});
	}

	/** Creates the table as a note of the example tells its user to. */
	async createTable(name: string): Promise<void> {
		const notes = this.example(name).nodes.map(({ parameters }) => String(parameters.content));
		const [statement] = /CREATE TABLE [^`;]+/.exec(notes.join('\n')) ?? [];
		if (!statement) throw new Error(`No note of ${name} tells how to create the table`);
		await this.crm.execute(statement);
	}

	private withCredential(node: INode): INode {
		const [imported] = Object.entries(node.credentials ?? {});
		const type = imported?.[0] ?? CREDENTIAL_OF_NODE[node.type];
		if (!type) return node;
		// The examples name the credentials of `npm start`, which tell the APIs' variants apart.
		const isUnversioned = imported?.[1].id === 'linkCompanyRegistryUnversioned';
		const credential = this.credentials
			.filter((candidate) => candidate.type === type)
			.at(isUnversioned ? 1 : 0);
		if (!credential) throw new Error(`There is no credential for "${node.name}"`);
		return { ...node, credentials: { [type]: referenceOf(credential) } };
	}
}

/** The output of a node, over all its outputs and runs. */
export type Outputs = (node: string) => IDataObject[];

/** @throws with n8n's reason unless the execution has ended well */
export function outputsOf({ status, error, runData }: Execution): Outputs {
	if (status !== 'success') throw new Error(`The execution is ${status}: ${error?.message}`);
	return (node) => recordsOf(runData, node);
}

/** No test can wait for an hour or a week. */
function quick(node: INode): INode {
	const changed = (change: INodeParameters) => ({
		...node,
		parameters: { ...node.parameters, ...change },
	});
	if ('pollTimes' in node.parameters) {
		return changed({ pollTimes: { item: everySeconds(SECONDS_BETWEEN_ROUNDS) } });
	}
	if (node.type === 'n8n-nodes-base.scheduleTrigger') {
		const interval = [{ field: 'seconds', secondsInterval: SECONDS_BETWEEN_ROUNDS }];
		return changed({ rule: { interval } });
	}
	return node;
}

/** As n8n stores it once the user has signed in with Google. */
const GOOGLE_TOKEN = {
	clientId: 'stand-in',
	clientSecret: 'stand-in',
	oauthTokenData: { access_token: 'stand-in', token_type: 'Bearer', expires_in: 3600 },
};

async function createCredentials(
	{ api }: Stage,
	{ crm, mailServer, chatModel }: Pick<ExampleScene, 'crm' | 'mailServer' | 'chatModel'>,
): Promise<CredentialReference[]> {
	const data = {
		postgres: {
			host: '127.0.0.1',
			port: crm.port,
			database: crm.database,
			user: crm.user,
			password: '',
			ssl: 'disable',
			sshTunnel: false,
		},
		smtp: {
			host: '127.0.0.1',
			port: mailServer.port,
			user: '',
			password: '',
			secure: false,
			disableStartTls: true,
		},
		openAiApi: { apiKey: 'scripted', url: `${chatModel.url}/v1` },
		airtableTokenApi: { accessToken: 'stand-in' },
		googleDriveOAuth2Api: GOOGLE_TOKEN,
		googleSheetsOAuth2Api: GOOGLE_TOKEN,
		hubspotAppToken: { appToken: 'stand-in' },
		pipedriveApi: { apiToken: 'stand-in' },
		slackApi: { accessToken: 'stand-in' },
	};
	return await Promise.all(
		Object.entries(data).map(async ([type, fields]) => ({
			type,
			name: type,
			id: await api.createCredential(type, type, fields),
		})),
	);
}
