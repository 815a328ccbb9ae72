import '../cli/resolveSources';

import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Editor } from '../../test/e2e/support/editor';
import { runProgram } from '../cli/program';
import { nodeIn, readExample, selectCredentials } from '../examples';
import type { WorkflowFile } from '../host';
import { buildPackage, PROJECT_DIR } from '../package';
import { OWNER, startStage, type SandboxCredentials } from '../stage/stage';
import { chain, companyRegistry, startWith, trigger } from '../stage/workflows';

const IMAGES = join(PROJECT_DIR, 'docs', 'images');
/** Sharp on high-resolution screens. */
const SCALE = 2;
/** Room for the names below the nodes. */
const AROUND_NODES = { left: 40, top: 40, right: 30, bottom: 80 };
/** The lower corners of a panel are round. */
const WITHOUT_CORNERS = { bottom: -8 };

/** Nothing waits, so no notice about the rate limit is in the picture. */
const WIDE_LIMITS = { rateLimit: { limit: 1000 }, dailyQuota: { limit: 100_000 } };

const ENRICH = 'Add company data';

/** Rows of a CRM, written as people write them; the registry has no company like the last one. */
const CUSTOMERS: IDataObject[] = [
	{ name: 'Ruscateza Vin', city: 'Balti' },
	{ name: 'DORNSANI SOFT', city: 'Vadul lui Voda' },
	{ name: 'ostrulina gastro', city: 'Ceadir-Lunga' },
	{ name: 'Plaiesnova-Trans', city: 'Codru' },
	{ name: 'Țarnțara Textil', city: 'Durlești' },
	{ name: 'Nimeni Nicăieri', city: 'Chișinău' },
];

function enriching({ registry }: SandboxCredentials): WorkflowFile {
	const parameters: INodeParameters = {
		resource: 'company',
		operation: 'enrich',
		columns: 'choose',
		companyName: '={{ $json.name }}',
		companyCity: '={{ $json.city }}',
		addCredit: true,
		output: 'fields',
		fields: ['name', 'status', 'rating'],
	};
	return chain('Enrich', [...startWith(CUSTOMERS), companyRegistry(ENRICH, registry, parameters)]);
}

const WATCH = 'companyStatusChanged';

function watching(
	companies: ReadonlyArray<{ idno: string; name: string }>,
	{ registry }: SandboxCredentials,
): WorkflowFile {
	const company = companies.map(({ idno, name }) => ({
		idno: { __rl: true, mode: 'list', value: idno, cachedResultName: `${name} (${idno})` },
	}));
	const everyHour = [{ mode: 'everyHour', minute: 0 }];
	return chain('Watch', [trigger(WATCH, registry, everyHour, { companies: { company } })]);
}

/** The example without its notes, with all credentials selected. */
async function agent(stored: SandboxCredentials, chatModel: string): Promise<WorkflowFile> {
	const { workflow } = await readExample('ai-agent');
	const nodes = workflow.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	selectCredentials(workflow, stored);
	nodeIn(workflow, 'Chat model').credentials = { openAiApi: { id: chatModel, name: 'OpenAI' } };
	return { ...workflow, nodes };
}

/** Takes the pictures of README and docs in a real n8n with the sandbox. */
void runProgram(async (signal, cleanup) => {
	await buildPackage(signal);
	const { api, credentials, n8n, sandbox } = await startStage({
		...{ signal, cleanup, sandbox: { registry: { v1: WIDE_LIMITS } } },
	});
	const editor = await Editor.open(n8n.url, OWNER, { deviceScaleFactor: SCALE });
	cleanup.add(async () => await editor.close());
	const { page } = editor;
	const image = (name: string) => join(IMAGES, `${name}.png`);
	// The sizes end the pictures between two fields and two columns.
	const open = async (workflow: WorkflowFile, width: number, height: number) => {
		await page.setViewportSize({ width, height });
		await editor.openWorkflow(await api.createWorkflow(workflow));
	};
	const settingsAndOutput = [editor.byTestId('node-parameters'), editor.output];

	await open(watching(sandbox.registry.v1.state.all().slice(0, 3), credentials), 1400, 1052);
	await editor.openNode(WATCH);
	await editor.executeStep();
	await editor.showAs('json');
	await editor.picture(image('trigger'), settingsAndOutput, WITHOUT_CORNERS);

	await open(enriching(credentials), 1372, 600);
	await editor.openNode(ENRICH);
	// n8n keeps this for the panels that follow.
	await editor.widenOutput();
	await editor.executeStep();
	await editor.showAs('table');
	await editor.picture(image('enrich'), settingsAndOutput, WITHOUT_CORNERS);

	const chatModel = await api.createCredential('OpenAI', 'openAiApi', { apiKey: 'none' });
	await open(await agent(credentials, chatModel), 1200, 800);
	await editor.picture(image('agent'), await editor.byTestId('canvas-node').all(), AROUND_NODES);
});
