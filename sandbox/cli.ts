import { Command } from 'commander';
import { startSandbox } from '.';
import { port, wholeNumber } from './shared/cliOptions';

const options = new Command('sandbox')
	.description('A sandbox of the link-management API and the company-registry API.')
	.option('-p, --port <number>', 'port (0 = any free port)', port(0), 8090)
	.option('--host <address>', 'address to listen on', '127.0.0.1')
	.option('--limit <requests>', 'link service: requests per window', wholeNumber(1), 30)
	.option('--window <seconds>', 'length of the rate-limit window', Number, 60)
	.option('--day <seconds>', "length of the registry's day", Number, 86_400)
	.parse()
	.opts<{ port: number; host: string; limit: number; window: number; day: number }>();

async function main(): Promise<void> {
	const { host, limit } = options;
	const windowMs = options.window * 1000;
	const limits = { rateLimit: { windowMs }, dailyQuota: { windowMs: options.day * 1000 } };
	const sandbox = await startSandbox({
		port: options.port,
		host,
		links: { rateLimit: { limit, windowMs } },
		registry: { v1: limits, unversioned: limits },
	});
	const { links, registry } = sandbox;
	console.log(`
Link Management               ${links.baseUrl}   key ${links.apiKey}
Company Registry, V1          ${registry.v1.baseUrl}   key ${registry.v1.apiKey}
Company Registry, Unversioned ${registry.unversioned.baseUrl}   key ${registry.unversioned.apiKey}

Control page                  ${sandbox.url}/
Stop with Ctrl-C.
`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close());
	}
}

main().catch((error: Error) => {
	console.error(`The sandbox could not start: ${error.message}`);
	process.exitCode = 1;
});
