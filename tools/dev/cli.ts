import { Cleanup } from '../cli/cleanup';
import { findExample, readExamples, type Example } from '../examples';
import { OWNER, startEditor, withLogOf, type Editor } from './editor';
import { parseOptions } from './options';
import { runExample } from './runExample';
import { watchSources } from './watch';

const INTERRUPTED_CODE = 130;

/** What `--once` runs unless another example is chosen. */
const DEFAULT_EXAMPLE = 'launch-a-campaign';

async function main(): Promise<void> {
	const options = parseOptions(process.argv.slice(2));
	const interruption = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => interruption.abort());
	}
	const { signal } = interruption;
	const cleanup = new Cleanup();
	try {
		const examples = await readExamples();
		const chosen = options.example ?? (options.once ? DEFAULT_EXAMPLE : undefined);
		const example = chosen === undefined ? undefined : findExample(examples, chosen);
		const editor = await startEditor(options, examples, cleanup, signal);
		if (!options.once) watchSources(editor.packageDir, cleanup);
		if (example) {
			await withLogOf(editor.n8n, async () => await runExample(editor, example, signal));
		}
		if (!options.once) {
			console.log(welcome(editor, examples));
			await untilStopped(editor, signal);
		}
	} catch (error) {
		process.exitCode = signal.aborted ? INTERRUPTED_CODE : 1;
		if (!signal.aborted) console.error(`\n${error instanceof Error ? error.message : error}`);
	} finally {
		if (signal.aborted) console.log('\nStopping …');
		await cleanup.run();
	}
}

function welcome({ n8n, sandbox }: Editor, examples: Example[]): string {
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
async function untilStopped({ n8n }: Editor, signal: AbortSignal): Promise<void> {
	const aborted = new Promise<'aborted'>((resolve) => {
		signal.addEventListener('abort', () => resolve('aborted'), { once: true });
	});
	const first = await Promise.race([aborted, n8n.ended]);
	if (first !== 'aborted') throw new Error(`n8n ended: ${first ?? 'exit code 0'}`);
}

void main();
