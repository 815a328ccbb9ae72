import '../cli/resolveSources';
import { Command } from 'commander';
import { startSandbox, type Sandbox } from '../../sandbox';
import { Cleanup } from '../cli/cleanup';
import { DEFAULT_SANDBOX_PORT, parsePort } from '../cli/options';
import { requestsFromNow } from '../cli/tables';
import { choosePort } from '../host/ports';

const INTERRUPTED_CODE = 130;

/** Fewer requests and a shorter window than the real limits, so that pacing shows within seconds. */
const LINK_LIMIT = { limit: 10, windowMs: 3_000 };

async function main(): Promise<void> {
	const { sandboxPort, once } = new Command('npm start --')
		.description("Runs the nodes in n8n's own engine against a sandbox of both services.")
		.option(
			'--sandbox-port <port>',
			`port of the sandbox (default: ${DEFAULT_SANDBOX_PORT})`,
			parsePort,
		)
		.option('--once', 'exit after the demo, with a code other than 0 if it failed', false)
		.parse()
		.opts<{ sandboxPort?: number; once: boolean }>();
	const started = Date.now();
	const interrupted = interruption();
	const cleanup = new Cleanup();
	try {
		const usual = { program: 'the sandbox', option: '--sandbox-port', usual: DEFAULT_SANDBOX_PORT };
		const sandbox = await startSandbox({
			port: await choosePort(usual, sandboxPort, once),
			links: { rateLimit: LINK_LIMIT },
			registry: { v1: { plan: 'starter-b2b', rateLimit: { windowMs: LINK_LIMIT.windowMs } } },
		});
		cleanup.add(async () => await sandbox.close());
		console.log("The nodes run in n8n's own engine against a sandbox of both services here.");
		console.log(`Sandbox: ${sandbox.url}`);
		await Promise.race([demo(sandbox, started), interrupted]);
		if (!once && process.exitCode === undefined) {
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
	const { enrichRows, launchProducts, watchFiles } = await import('./scenes');
	const { limit, windowMs } = LINK_LIMIT;
	const scenes: Array<[string, (sandbox: Sandbox) => Promise<string>]> = [
		['Company Registry: Enrich adds company data to 12 CRM rows', enrichRows],
		[
			`Link Management: six products get a campaign, at ${limit} requests per ${windowMs / 1000} s`,
			launchProducts,
		],
		['Link Management Trigger: a file is uploaded, the next poll emits it', watchFiles],
	];
	for (const [title, scene] of scenes) {
		console.log(`\n${title}`);
		const traffic = requestsFromNow(sandbox);
		const start = Date.now();
		console.log(await scene(sandbox));
		console.log(traffic(Date.now() - start));
	}
	console.log(`\nTotal: ${total(Date.now() - started)}`);
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

/** Resolves at Ctrl-C or when the process is asked to end. */
async function interruption(): Promise<void> {
	await new Promise<void>((resolve) => {
		for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.once(name, () => resolve());
		}
	});
	process.exitCode = INTERRUPTED_CODE;
	console.log('\nStopping …');
}

void main();
