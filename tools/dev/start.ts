import '../cli/resolveSources';
import { Command } from 'commander';
import { startSandbox, type Sandbox } from '../../sandbox';
import { DEFAULT_SANDBOX_PORT, port } from '../../sandbox/shared/cliOptions';
import { interrupted, runProgram } from '../cli/program';
import { requestsFromNow } from '../cli/tables';
import { choosePort } from '../host/ports';

/** Fewer requests and a shorter window than the real limits, so that pacing shows within seconds. */
const LINK_LIMIT = { limit: 10, windowMs: 3_000 };

const options = new Command('npm start --')
	.description("Runs the nodes in n8n's own engine against a sandbox of both services.")
	.option(
		'--sandbox-port <port>',
		`port of the sandbox (default: ${DEFAULT_SANDBOX_PORT})`,
		port(1),
	)
	.option(
		'--once',
		'exit after the demo, as without a terminal; the code says if it succeeded',
		false,
	)
	.parse()
	.opts<{ sandboxPort?: number; once: boolean }>();
/** Without a terminal, nobody could press Ctrl-C. */
const hasTerminal = process.stdin.isTTY === true;
const once = options.once || !hasTerminal;

void runProgram(async (signal, cleanup) => {
	const usual = { program: 'the sandbox', option: '--sandbox-port', usual: DEFAULT_SANDBOX_PORT };
	const sandbox = await startSandbox({
		port: await choosePort(usual, options.sandboxPort, once),
		links: { rateLimit: LINK_LIMIT },
		registry: { v1: { plan: 'starter-b2b', rateLimit: { windowMs: LINK_LIMIT.windowMs } } },
	});
	cleanup.add(async () => await sandbox.close());
	console.log("The nodes run in n8n's own engine against a local sandbox of both services.");
	console.log(`Sandbox: ${sandbox.url}`);
	await Promise.race([demo(sandbox), interrupted(signal)]);
	if (!hasTerminal)
		console.log(
			'\nNot in a terminal, so the sandbox stops now. To look around in it, run npm start in a terminal.',
		);
	if (once || signal.aborted) return;
	console.log(nextSteps(sandbox));
	await interrupted(signal);
});

async function demo(sandbox: Sandbox): Promise<void> {
	const total = requestsFromNow(sandbox);
	// Loading n8n's engine takes seconds, so the introduction comes first.
	const { createCampaigns, enrichRows, watchFiles } = await import('./scenes');
	const { limit, windowMs } = LINK_LIMIT;
	const scenes: Array<[string, (sandbox: Sandbox) => Promise<string>]> = [
		['Company Registry: Enrich adds company data to 12 CRM rows', enrichRows],
		[
			`Link Management: twelve products get a campaign, although the sandbox allows only ${limit} requests in ${windowMs / 1000} s`,
			createCampaigns,
		],
		[
			'Link Management Trigger: a file is uploaded, and the next poll starts the workflow with it',
			watchFiles,
		],
	];
	for (const [title, scene] of scenes) {
		console.log(`\n${title}`);
		const traffic = requestsFromNow(sandbox);
		console.log(await scene(sandbox));
		console.log(traffic());
	}
	console.log(`\nTotal: ${total()}`);
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
