import { Cleanup } from './cleanup';
import { OWNER, startDemo, withLogOf, type Demo } from './demo';
import { findExample, readExamples, type Example } from './examples';
import { parseOptions } from './options';
import { runExample } from './runExample';
import { watchSources } from './watch';

const INTERRUPTED_CODE = 130;

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
		const example = findExample(examples, options.example);
		const demo = await startDemo(options, examples, cleanup, signal);
		if (options.watch) watchSources(demo.packageDir, cleanup);
		else await withLogOf(demo.n8n, async () => await runExample(demo, example, signal));
		if (!options.once) {
			console.log(welcome(demo, examples));
			await untilStopped(demo, signal);
		}
	} catch (error) {
		process.exitCode = signal.aborted ? INTERRUPTED_CODE : 1;
		if (!signal.aborted) console.error(`\n${error instanceof Error ? error.message : error}`);
	} finally {
		if (signal.aborted) console.log('\nStopping …');
		await cleanup.run();
	}
}

function welcome({ n8n, sandbox }: Demo, examples: Example[]): string {
	const workflows = examples.map(
		({ workflow }) => `  ${workflow.name}: ${n8n.url}/workflow/${workflow.id}`,
	);
	return [
		'',
		`Editor:   ${n8n.url}`,
		`Login:    ${OWNER.email}, password ${OWNER.password}`,
		`Sandbox:  ${sandbox.url}`,
		'Workflows:',
		...workflows,
		'',
		'The workflows that watch are at work. Open the sandbox, make something happen there, and see',
		'it arrive under "Executions" within two minutes.',
		'',
		'Ctrl-C stops everything; what was done in the editor is forgotten then.',
	].join('\n');
}

/** Waits for Ctrl-C. @throws when n8n ends by itself */
async function untilStopped({ n8n }: Demo, signal: AbortSignal): Promise<void> {
	const aborted = new Promise<'aborted'>((resolve) => {
		signal.addEventListener('abort', () => resolve('aborted'), { once: true });
	});
	const first = await Promise.race([aborted, n8n.ended]);
	if (first !== 'aborted') throw new Error(`n8n ended: ${first ?? 'exit code 0'}`);
}

void main();
