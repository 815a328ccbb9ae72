import '../cli/resolveSources';
import type { Sandbox } from '../../sandbox';
import { choosePort } from '../cli/choosePort';
import { Cleanup } from '../cli/cleanup';
import { DEFAULT_SANDBOX_PORT } from '../cli/ports';
import { requestsFromNow } from '../cli/requests';
import { parseOptions } from './options';
import { LINK_LIMIT, startServices } from './services';

const INTERRUPTED_CODE = 130;

async function main(): Promise<void> {
	const options = parseOptions(process.argv.slice(2));
	const started = Date.now();
	const interrupted = interruption();
	const cleanup = new Cleanup();
	try {
		const port = await choosePort({
			program: 'the sandbox',
			option: '--sandbox-port',
			wanted: options.sandboxPort,
			usual: DEFAULT_SANDBOX_PORT,
			flexible: options.once,
		});
		const sandbox = await startServices(port);
		cleanup.add(async () => await sandbox.close());
		console.log(introduction(sandbox));
		await Promise.race([demo(sandbox, started), interrupted]);
		if (!options.once && process.exitCode === undefined) {
			console.log(nextSteps(sandbox));
			await interrupted;
		}
	} catch (error) {
		process.exitCode = 1;
		console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	} finally {
		await cleanup.run();
	}
	// A demo that was interrupted may still be waiting for the rate limit.
	process.exit();
}

async function demo(sandbox: Sandbox, started: number): Promise<void> {
	const total = requestsFromNow(sandbox);
	// Loading n8n's engine takes seconds: the introduction comes first.
	const { enrichRows } = await import('./enrichRows');
	const { launchProducts } = await import('./launchProducts');
	const { watchFiles } = await import('./watchFiles');
	await show(sandbox, 'Company Registry: Enrich adds company data to 12 CRM rows', enrichRows);
	await show(
		sandbox,
		'Link Management: six products get a campaign, with pacing for ' +
			`${LINK_LIMIT.limit} requests per ${LINK_LIMIT.windowMs / 1000} seconds`,
		launchProducts,
	);
	await show(
		sandbox,
		'Link & Company Trigger: a file is uploaded, the next poll emits it',
		watchFiles,
	);
	console.log(`\nTotal: ${total(Date.now() - started)}`);
}

async function show(
	sandbox: Sandbox,
	title: string,
	scene: (sandbox: Sandbox) => Promise<string>,
): Promise<void> {
	console.log(`\n${title}`);
	const traffic = requestsFromNow(sandbox);
	const start = Date.now();
	console.log(await scene(sandbox));
	console.log(traffic(Date.now() - start));
}

function introduction({ url }: Sandbox): string {
	return [
		"The nodes run in n8n's own engine against a sandbox of both services on this machine.",
		`Sandbox: ${url}`,
	].join('\n');
}

function nextSteps({ url, links, registry: { v1, unversioned } }: Sandbox): string {
	return [
		'',
		'The sandbox keeps running:',
		`  Control page         ${url} (upload files, scan QR codes, change company statuses)`,
		`  Link Management      ${links.baseUrl}   API key ${links.apiKey}`,
		`  Company Registry V1  ${v1.baseUrl}   API key ${v1.apiKey}`,
		`  Unversioned API      ${unversioned.baseUrl}   API key ${unversioned.apiKey}`,
		'',
		'To see the nodes in n8n, stop the sandbox with Ctrl-C and run "npm run dev".',
		'It opens the editor with the nodes, the example workflows and the sandbox.',
		'The first run installs n8n (2.9 GB, about 3 minutes on a fast connection).',
	].join('\n');
}

/** Settles at Ctrl-C or when the process is asked to end. */
async function interruption(): Promise<void> {
	await new Promise<void>((resolve) => {
		for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
			process.once(name, () => resolve());
	});
	process.exitCode = INTERRUPTED_CODE;
	console.log('\nStopping …');
}

void main();
