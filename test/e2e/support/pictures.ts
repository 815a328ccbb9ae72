import '../../../tools/cli/resolveSources';

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Editor } from './editor';
import { runProgram } from '../../../tools/cli/program';
import { readExample, selectCredentials } from '../../../tools/examples';
import { run, type WorkflowFile } from '../../../tools/host';
import { buildPackage, PROJECT_DIR } from '../../../tools/package';
import { OWNER, startStage, type SandboxCredentials } from '../../../tools/stage/stage';
import {
	chain,
	companyRegistry,
	linkManagement,
	START,
	startWith,
} from '../../../tools/stage/workflows';

const IMAGES = join(PROJECT_DIR, 'docs', 'images');
/** Sharp on high-resolution screens. */
const SCALE = 2;
/** A README on GitHub is about this wide; a wider picture becomes hard to read. */
const WIDTH = 840;
/** Room for the names below the nodes. */
const AROUND_NODES = { left: 40, top: 40, right: 60, bottom: 80 };
/** An empty column ends each table of n8n. */
const AROUND_TABLE = { left: 12, top: 12, right: -10, bottom: 12 };
/** Cuts off what follows the relevant fields. */
const ONE_EVENT = { bottom: -120 };
/** A light and a dark version for `<picture>`. */
const THEMES = [
	['light', ''],
	['dark', '-dark'],
] as const;

/** Limits so wide that no notice about the rate limit gets into the picture. */
const WIDE_LIMITS = { rateLimit: { limit: 1000 }, dailyQuota: { limit: 100_000 } };

const ROWS = 'Rows';
const ENRICH = 'Add company data';
const RESULT = 'Result';
const QR_CODES = 'Scans per QR code';

/** Names as people write them: exact, in Cyrillic, with a note, misspelled, ambiguous, unknown. */
const CUSTOMERS: IDataObject[] = [
	{ name: 'Ruscăteza Vin' },
	{ name: 'Дорншани Софт' },
	{ name: 'Plaiesnova-Trans (livrare joi)' },
	{ name: 'Valmora Textl' },
	{ name: 'Ostruzica Soft' },
	{ name: 'Nimeni Nicăieri' },
];

/** The columns in the picture, which the panel would only show after scrolling. */
const SHOWN: Array<[column: string, value: string]> = [
	['name', '={{ $json.name }}'],
	['match_status', '={{ $json.match_status }}'],
	['match_quality', '={{ $json.match_quality }}'],
	['registry_name', "={{ $json.registry_name ?? '–' }}"],
	['registry_status', "={{ $json.registry_status ?? '–' }}"],
];

function enriching({ registry }: SandboxCredentials): WorkflowFile {
	const parameters: INodeParameters = { resource: 'company', operation: 'enrich' };
	const assignments = SHOWN.map(([name, value]) => ({ id: name, name, value, type: 'string' }));
	return chain('Enrich', [
		...startWith(CUSTOMERS),
		companyRegistry(ENRICH, registry, parameters),
		{
			name: RESULT,
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { assignments: { assignments }, options: {} },
		},
	]);
}

/** The other node, for the last frame of the animation. */
function listing({ links }: SandboxCredentials): WorkflowFile {
	const parameters: INodeParameters = { resource: 'qrCode', operation: 'getAll' };
	return chain('QR codes', [
		{ name: START, type: 'n8n-nodes-base.manualTrigger' },
		linkManagement(QR_CODES, links, parameters),
	]);
}

/** An example as a user has it after the import, without its notes, with all credentials selected. */
async function withoutNotes(
	name: string,
	stored: SandboxCredentials,
	chatModel: string,
): Promise<WorkflowFile> {
	const { workflow } = await readExample(name);
	const nodes = workflow.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	selectCredentials(workflow, stored);
	for (const node of nodes) {
		if (node.type.endsWith('.lmChatOpenAi')) {
			node.credentials = { openAiApi: { id: chatModel, name: 'OpenAI' } };
		}
	}
	return { ...workflow, nodes, pinData: {} };
}

/**
 * Makes an animation of pictures.
 *
 * @param frames each with the seconds that it is shown
 */
async function animate(path: string, frames: Array<[picture: string, seconds: number]>) {
	const inputs = frames.flatMap(([picture, seconds]) => [
		...['-loop', '1', '-t', String(seconds), '-i', picture],
	]);
	const joined = `${frames.map((_, index) => `[${index}:v]`).join('')}concat=n=${frames.length}`;
	const palette = 'split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none';
	const filter = `${joined},fps=4,scale=${WIDTH * 1.5}:-1:flags=lanczos,${palette}`;
	await run('ffmpeg', ['-y', '-v', 'error', ...inputs, '-filter_complex', filter, path]);
}

/** Takes the pictures of README and docs in a real n8n with the sandbox. Needs ffmpeg. */
void runProgram(async (signal, cleanup) => {
	await buildPackage(signal);
	const { api, credentials, n8n } = await startStage({
		...{ signal, cleanup, sandbox: { registry: { v1: WIDE_LIMITS } } },
	});
	const frames = await mkdtemp(join(tmpdir(), 'n8n-nodes-pictures-'));
	cleanup.add(async () => await rm(frames, { recursive: true, force: true }));
	const chatModel = await api.createCredential('OpenAI', 'openAiApi', { apiKey: 'none' });
	const enrich = await api.createWorkflow(enriching(credentials));
	const qrCodes = await api.createWorkflow(listing(credentials));
	const alert = await withoutNotes('slack-status-alert', credentials, chatModel);
	// Without the Slack node, which would be marked as missing its credential.
	const watch = { ...alert, nodes: alert.nodes.slice(0, 1), connections: {} };
	await api.createWorkflow(watch);
	const agent = await withoutNotes('trade-check-agent', credentials, chatModel);
	await api.createWorkflow(agent);

	for (const [theme, suffix] of THEMES) {
		const options = { deviceScaleFactor: SCALE, colorScheme: theme };
		const editor = await Editor.open(n8n.url, OWNER, options);
		cleanup.add(async () => await editor.close());
		const image = (name: string) => join(IMAGES, `${name}${suffix}.png`);
		const open = async (id: string, width: number, height: number) => {
			await editor.page.setViewportSize({ width, height });
			await editor.openWorkflow(id);
		};
		const frame = async (name: string) => {
			const path = join(frames, `${name}.png`);
			await editor.page.screenshot({ path, animations: 'disabled' });
			return path;
		};

		await open(enrich, 1260, 600);
		await editor.openNode(ROWS);
		// n8n remembers this for the panels that follow.
		await editor.widenOutput();
		await editor.executeStep();
		await editor.showAs('table');
		const before = await frame('before');
		await open(enrich, 1260, 600);
		await editor.openNode(ENRICH);
		const panel = await frame('panel');
		await editor.byTestId('node-execute-button').hover();
		const pressed = await frame('pressed');
		await open(enrich, 1260, 600);
		await editor.openNode(RESULT);
		await editor.executeStep();
		await editor.showAs('table');
		await editor.picture(image('enrich'), [editor.output.locator('table')], AROUND_TABLE);
		const after = await frame('after');
		await open(qrCodes, 1260, 600);
		await editor.openNode(QR_CODES);
		await editor.executeStep();
		await editor.showAs('table');
		const scans = await frame('scans');
		await animate(join(IMAGES, `overview${suffix}.gif`), [
			[before, 2],
			[panel, 2],
			[pressed, 1],
			[after, 5],
			[scans, 5],
		]);

		await open(watch.id, 1400, 800);
		await editor.openNode('When a status changes');
		await editor.executeStep();
		await editor.showAs('json');
		await editor.picture(image('trigger'), [editor.output], ONE_EVENT);

		await open(agent.id, 1320, 800);
		// The icons load later.
		await editor.page.waitForLoadState('networkidle');
		const nodes = await editor.byTestId('canvas-node').all();
		await editor.picture(image('agent'), nodes, AROUND_NODES);
	}
});
