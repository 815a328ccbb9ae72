import { join } from 'node:path';
import { Command } from 'commander';
import type { Cleanup } from '../cli/cleanup';
import { DEFAULT_SANDBOX_PORT, port } from '../../sandbox/shared/cliOptions';
import { interrupted, runProgram } from '../cli/program';
import { requestsFromNow } from '../cli/tables';
import { readExample, readExamples, selectCredentials, triggerOf, type Example } from '../examples';
import { choosePort, startSubprocess, type Execution, type WorkflowFile } from '../host';
import { buildPackage, packageDirOf, PROJECT_DIR } from '../package';
import { OWNER, startStage, type Stage } from '../stage/stage';
import { chain, passOn, trigger } from '../stage/workflows';

const DEFAULT_PORT = 5678;
const RUN_TIMEOUT_MS = 5 * 60_000;

/** The sandbox's first company. */
const WATCHED_COMPANY = '1000600900002';

/** The example that `--once` runs. */
const DEMO = 'enrich-crm-rows';

/** The real number of requests in a short window, so that pacing shows without long waits. */
const WINDOW_MS = 10_000;
const SANDBOX = {
	links: { rateLimit: { limit: 30, windowMs: WINDOW_MS } },
	registry: {
		v1: { plan: 'starter-b2b', rateLimit: { windowMs: WINDOW_MS } },
		unversioned: { plan: 'premium', rateLimit: { windowMs: WINDOW_MS } },
	},
} as const;

const options = new Command('npm run dev --')
	.description(
		'Starts n8n with this package, the examples and a sandbox of both services. ' +
			'Reloads the nodes when their sources change.',
	)
	.option('--port <port>', `port of n8n's editor (default: ${DEFAULT_PORT})`, port(1))
	.option(
		'--sandbox-port <port>',
		`port of the sandbox (default: ${DEFAULT_SANDBOX_PORT})`,
		port(1),
	)
	.option('--once', `run the example ${DEMO} and exit; the exit code says if it succeeded`, false)
	.parse()
	.opts<{ port?: number; sandboxPort?: number; once: boolean }>();

void runProgram(async (signal, cleanup) => {
	const examples = await readExamples();
	const stage = await openStage(cleanup, signal);
	try {
		await importExamples(stage, examples);
		const watching = await watchSandbox(stage);
		if (options.once) return await runExample(stage, await readExample(DEMO), signal);
		const compiler = compileOnChange(packageDirOf(stage.userFolder, stage.manifest.name));
		cleanup.add(async () => await compiler.stop());
		console.log(welcome(stage, [...watching, ...examples.map(({ workflow }) => workflow)]));
		const reason = await Promise.race([interrupted(signal), stage.n8n.ended]);
		if (!signal.aborted) throw new Error(`n8n ended: ${reason ?? 'exit code 0'}`);
	} catch (error) {
		const { message } = error as Error;
		throw new Error(`${message}\n\nThe end of n8n's log:\n${stage.n8n.logTail()}`);
	}
});

/** Compiles changed sources into the installed package. */
function compileOnChange(packageDir: string) {
	const target = ['--project', PROJECT_DIR, '--outDir', join(packageDir, 'dist')];
	const tsc = require.resolve('typescript/bin/tsc');
	const args = [tsc, ...target, '--watch', '--preserveWatchOutput'];
	const onLine = (line: string) => line !== '' && console.log(line);
	return startSubprocess(process.execPath, args, { cwd: PROJECT_DIR, onLine });
}

/** Builds the package and starts everything. */
async function openStage(cleanup: Cleanup, signal: AbortSignal): Promise<Stage> {
	const n8n = { program: 'n8n', option: '--port', usual: DEFAULT_PORT };
	const sandbox = { program: 'the sandbox', option: '--sandbox-port', usual: DEFAULT_SANDBOX_PORT };
	const n8nPort = await choosePort(n8n, options.port, options.once);
	const sandboxPort = await choosePort(sandbox, options.sandboxPort, options.once);
	console.log('Building the package …');
	await buildPackage(signal);
	return await startStage({
		...{ onProgress: console.log, cleanup, signal, port: n8nPort },
		sandbox: { ...SANDBOX, port: sandboxPort },
		// n8n reloads a package's nodes when one of their files changes.
		env: options.once ? {} : { N8N_DEV_RELOAD: 'true' },
	});
}

/** Imports the examples with the sandbox's credentials. */
async function importExamples({ api, credentials }: Stage, examples: Example[]): Promise<void> {
	console.log('Importing the examples …');
	for (const { workflow } of examples) {
		selectCredentials(workflow, credentials);
		await api.createWorkflow(workflow);
	}
}

/** Publishes a workflow for each kind of event, and returns them. */
async function watchSandbox({ api, credentials }: Stage): Promise<WorkflowFile[]> {
	const everyMinute = [{ mode: 'everyMinute' }];
	const watched = { watch: 'text', watchListText: WATCHED_COMPANY };
	const triggers = [
		trigger('fileCreated', credentials.links, everyMinute),
		trigger('qrCodeScanned', credentials.links, everyMinute),
		trigger('companyStatusChanged', credentials.registry, everyMinute, watched),
	];
	const workflows = triggers.map((node) => chain(`Watch: ${node.name}`, [node, passOn('Seen')]));
	for (const workflow of workflows) {
		await api.createWorkflow(workflow);
		await api.publishWorkflow(workflow.id);
	}
	return workflows;
}

/** Runs an example once. @throws with n8n's message when it fails */
async function runExample(
	{ api, sandbox }: Stage,
	{ workflow }: Example,
	signal: AbortSignal,
): Promise<void> {
	const traffic = requestsFromNow(sandbox);
	console.log(`Running "${workflow.name}" …`);
	const id = await api.runWorkflow(workflow.id, triggerOf(workflow));
	const execution = await api.waitForExecution(id, { timeoutMs: RUN_TIMEOUT_MS, signal });
	if (execution.status !== 'success') throw new Error(failureOf(execution));
	console.log(`${Object.keys(execution.runData).length} nodes, ${traffic()}`);
}

/** Which node failed and why, with n8n's message. */
function failureOf({ status, error, runData }: Execution): string {
	const [node] =
		Object.entries(runData).find(([, runs]) => runs.some((run) => run.error !== undefined)) ?? [];
	const place = node ? `at "${node}"` : 'before any node failed';
	const reason = [error?.message, error?.description].filter(Boolean).join('\n');
	return `The execution ended with "${status}" ${place}: ${reason || 'no reason given'}`;
}

function welcome({ n8n, sandbox }: Stage, workflows: WorkflowFile[]): string {
	const width = Math.max(...workflows.map(({ name }) => name.length));
	const lines = workflows.map(
		({ id, name }) => `  ${name.padEnd(width)}  ${n8n.url}/workflow/${id}`,
	);
	return [
		'',
		`Editor   ${n8n.url}`,
		`Login    ${OWNER.email}, password ${OWNER.password}`,
		`Sandbox  ${sandbox.url} (upload files, scan QR codes, change company statuses)`,
		'',
		'Workflows:',
		...lines,
		'',
		'Start with "See how Enrich works": open it and select Execute workflow.',
		'The first three are published. Simulate an event in the sandbox (for companies, change',
		`${WATCHED_COMPANY}), and find the execution under "Executions" within two minutes.`,
		'',
		'The nodes reload when you change their sources. Ctrl-C stops everything and deletes the data.',
	].join('\n');
}
