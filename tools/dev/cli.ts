import { Command } from 'commander';
import { Cleanup } from '../cli/cleanup';
import { DEFAULT_SANDBOX_PORT, parsePort } from '../cli/options';
import { step } from '../cli/step';
import { nodeTable, recordsOf, recordTable, requestsFromNow, summarizeRun } from '../cli/tables';
import {
	CREDENTIALS,
	findExample,
	readExamples,
	toPublish,
	triggerOf,
	type Example,
} from '../examples';
import { choosePort, type Execution } from '../host';
import { buildPackage, packageDirOf } from '../package';
import { OWNER, startStage, type Stage } from '../stage/stage';
import { RELOADING, watchSources } from './watch';

interface DevOptions {
	port?: number;
	sandboxPort?: number;
	example?: string;
	once: boolean;
}

const DEFAULT_PORT = 5678;
const INTERRUPTED_CODE = 130;
const RUN_TIMEOUT_MS = 5 * 60_000;

/** What `--once` runs unless another example is chosen. */
const DEFAULT_EXAMPLE = 'launch-a-campaign';

/** As many requests as the real limits, in a short window: pacing shows without long waits. */
const WINDOW_MS = 10_000;
const SANDBOX = {
	links: { rateLimit: { limit: 30, windowMs: WINDOW_MS } },
	registry: {
		v1: { plan: 'starter-b2b', rateLimit: { windowMs: WINDOW_MS } },
		unversioned: { plan: 'premium', rateLimit: { windowMs: WINDOW_MS } },
	},
} as const;

async function main(): Promise<void> {
	const options = new Command('npm run dev --')
		.description(
			'Starts n8n with this package, the examples and a sandbox of both services. ' +
				'Reloads the nodes when their sources change.',
		)
		.option('--port <port>', `port of n8n's editor (default: ${DEFAULT_PORT})`, parsePort)
		.option(
			'--sandbox-port <port>',
			`port of the sandbox (default: ${DEFAULT_SANDBOX_PORT})`,
			parsePort,
		)
		.option('--example <name>', 'run this workflow of examples/ and print its output')
		.option('--once', 'exit after that, with a code other than 0 if it failed', false)
		.parse()
		.opts<DevOptions>();
	const interruption = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => interruption.abort());
	}
	const { signal } = interruption;
	const cleanup = new Cleanup();
	let stage: Stage | undefined;
	try {
		const examples = await readExamples();
		const chosen = options.example ?? (options.once ? DEFAULT_EXAMPLE : undefined);
		const example = chosen === undefined ? undefined : findExample(examples, chosen);
		stage = await openStage(options, cleanup, signal);
		await importExamples(stage, examples);
		if (example) await runExample(stage, example, signal);
		if (options.once) return;
		watchSources(packageDirOf(stage.userFolder, stage.manifest.name), cleanup);
		console.log(welcome(stage, examples));
		await untilStopped(stage, signal);
	} catch (error) {
		process.exitCode = signal.aborted ? INTERRUPTED_CODE : 1;
		if (signal.aborted) return;
		console.error(`\n${error instanceof Error ? error.message : String(error)}`);
		if (stage) console.error(`\nThe end of n8n's log:\n${stage.n8n.logTail()}`);
	} finally {
		if (signal.aborted) console.log('\nStopping …');
		await cleanup.run();
	}
}

/** Builds the package and starts everything, showing each step. */
async function openStage(
	{ port, sandboxPort, once }: DevOptions,
	cleanup: Cleanup,
	signal: AbortSignal,
): Promise<Stage> {
	const n8n = { program: 'n8n', option: '--port', usual: DEFAULT_PORT };
	const sandbox = {
		...{ program: 'the sandbox', option: '--sandbox-port', usual: DEFAULT_SANDBOX_PORT },
	};
	const n8nPort = await choosePort(n8n, port, once);
	const ports = { port: await choosePort(sandbox, sandboxPort, once) };
	await step('Build the package', async () => await buildPackage(signal));
	return await startStage({
		...{ step, cleanup, signal, port: n8nPort },
		sandbox: { ...SANDBOX, ...ports },
		env: once ? {} : RELOADING,
	});
}

/** Imports the examples with the sandbox's credentials, and publishes those with a trigger. */
async function importExamples({ api, credentials }: Stage, examples: Example[]): Promise<void> {
	await step('Import the examples', async () => {
		for (const { workflow } of examples) {
			const nodes = workflow.nodes.map((node) => {
				const own = Object.entries(node.credentials ?? {}).map(([type, { id }]) => {
					const stored = credentials[CREDENTIALS[id as keyof typeof CREDENTIALS]];
					return [type, { id: stored.id, name: stored.name }] as const;
				});
				return own.length > 0 ? { ...node, credentials: Object.fromEntries(own) } : node;
			});
			await api.createWorkflow({ ...workflow, nodes });
		}
	});
	await step('Publish the examples with a trigger', async () => {
		for (const { workflow } of toPublish(examples)) await api.publishWorkflow(workflow.id);
	});
}

/** Runs an example once and prints its nodes, requests and output. */
async function runExample(
	{ api, sandbox }: Stage,
	{ workflow }: Example,
	signal: AbortSignal,
): Promise<void> {
	const traffic = requestsFromNow(sandbox);
	const execution = await step(`Run "${workflow.name}"`, async () => {
		const id = await api.runWorkflow(workflow.id, triggerOf(workflow));
		return await api.waitForExecution(id, { timeoutMs: RUN_TIMEOUT_MS, signal });
	});
	const nodes = summarizeRun(execution.runData);
	console.log(`\n${nodeTable(nodes)}`);
	console.log(traffic(execution.duration));
	if (execution.status !== 'success') throw new Error(failureOf(execution));
	const last = nodes.at(-1);
	if (last) console.log(`\n${last.name}\n${recordTable(recordsOf(execution.runData, last.name))}`);
}

/** Which node failed and why, with n8n's message. */
function failureOf({ status, error, runData }: Execution): string {
	const [node] =
		Object.entries(runData).find(([, runs]) => runs.some((run) => run.error !== undefined)) ?? [];
	const place = node ? `at "${node}"` : 'before any node failed';
	const reason = [error?.message, error?.description].filter(Boolean).join('\n');
	return `The execution ended with "${status}" ${place}: ${reason || 'no reason given'}`;
}

function welcome({ n8n, sandbox }: Stage, examples: Example[]): string {
	const width = Math.max(...examples.map(({ workflow }) => workflow.name.length));
	const workflows = examples.map(
		({ workflow }) => `  ${workflow.name.padEnd(width)}  ${n8n.url}/workflow/${workflow.id}`,
	);
	return [
		'',
		`Editor   ${n8n.url}`,
		`Login    ${OWNER.email}, password ${OWNER.password}`,
		`Sandbox  ${sandbox.url} (upload files, scan QR codes, change company statuses)`,
		'',
		'Example workflows:',
		...workflows,
		'',
		'Start with "Enrich CRM rows": open it and select Execute workflow.',
		'The workflows with a trigger are published. Simulate an event in the sandbox and find the',
		'execution under "Executions" within two minutes.',
		'',
		'The nodes reload when you change their sources. Ctrl-C stops everything and deletes the data.',
	].join('\n');
}

/** Waits for Ctrl-C. @throws when n8n ends by itself */
async function untilStopped({ n8n }: Stage, signal: AbortSignal): Promise<void> {
	const aborted = new Promise<'aborted'>((resolve) => {
		signal.addEventListener('abort', () => resolve('aborted'), { once: true });
	});
	const first = await Promise.race([aborted, n8n.ended]);
	if (first !== 'aborted') throw new Error(`n8n ended: ${first ?? 'exit code 0'}`);
}

void main();
