import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import type { z } from 'zod';
import { port, wholeNumber } from './shared/cliOptions';
import { type LinkSettings, type RegistrySettings, type Sandbox, startSandbox } from '.';
import { linkSettingsSchema } from './links/settings';
import { openApiOf } from './openApi';
import { registrySettingsSchema } from './registry/settings';
import { rateLimitSchema } from './shared/rateLimit';

type RateLimit = LinkSettings['rateLimit'];

interface CliOptions
	extends
		Pick<RateLimit, 'kind' | 'reset' | 'family' | 'refusal'>,
		Pick<LinkSettings, 'errorStatus' | 'singleQr'> {
	port: number;
	host: string;
	limit?: number;
	window: number;
	pageSize?: number;
	maxPageSize?: number;
	files?: number;
	latency: number;
	plan: RegistrySettings['plan'];
	altPlan: RegistrySettings['plan'];
	day: number;
	companies?: number;
	openapi?: string;
}

/** An option that offers the choices of a setting. */
function choice(flags: string, description: string, setting: Setting) {
	const { options } = setting.removeDefault();
	return new Option(flags, description).choices(options).default(setting.parse(undefined));
}

type Setting = z.ZodDefault<z.ZodEnum<[string, ...string[]]>>;
const { kind, reset, family, refusal } = rateLimitSchema.shape;
const { errorStatus, singleQr } = linkSettingsSchema.shape;
const { plan } = registrySettingsSchema.shape;

const program = new Command('sandbox')
	.description('A sandbox of the link-management API and the company-registry API.')
	.option('-p, --port <number>', 'port (0 = any free port)', port(0), 8090)
	.option('--host <address>', 'address to listen on', '127.0.0.1')
	.option('--limit <requests>', 'link service: requests per window (0 = no limit)', wholeNumber(0))
	.option('--window <seconds>', 'length of the rate-limit window', Number, 60)
	.addOption(choice('--kind <kind>', 'kind of window', kind))
	.addOption(choice('--reset <format>', 'reset header', reset))
	.addOption(choice('--family <family>', 'header names', family))
	.addOption(choice('--refusal <response>', 'response when over the limit', refusal))
	.option('--page-size <rows>', 'link service: rows per page by default', wholeNumber(1))
	.option('--max-page-size <rows>', 'link service: maximum rows per page', wholeNumber(1))
	.option('--files <number>', 'link service: number of files', wholeNumber(0))
	.option('--latency <ms>', 'time each response takes', wholeNumber(0), 0)
	.addOption(choice('--error-status <how>', 'link service: HTTP status of failures', errorStatus))
	.addOption(choice('--single-qr <shape>', 'link service: shape of a single QR code', singleQr))
	.addOption(choice('--plan <plan>', 'V1 registry: plan', plan.default('developer-free')))
	.addOption(choice('--alt-plan <plan>', 'unversioned registry: plan', plan.default('free')))
	.option('--day <seconds>', "length of the registry's day", Number, 86_400)
	.option('--companies <number>', 'registry: number of companies', wholeNumber(1))
	.option('--openapi <folder>', 'write the OpenAPI documents there and exit');

async function main(): Promise<void> {
	const options = program.parse().opts<CliOptions>();
	const { latency: latencyMs, openapi } = options;
	const window = {
		...{ windowMs: options.window * 1000, kind: options.kind, reset: options.reset },
		...{ family: options.family, refusal: options.refusal },
	};
	const dailyQuota = { windowMs: options.day * 1000 };
	const registry = { latencyMs, rateLimit: window, dailyQuota };
	const sandbox = await startSandbox({
		port: openapi === undefined ? options.port : 0,
		host: options.host,
		links: {
			latencyMs,
			rateLimit: { ...window, limit: options.limit === 0 ? null : options.limit },
			defaultPageSize: options.pageSize,
			maxPageSize: options.maxPageSize,
			counts: { files: options.files },
			errorStatus: options.errorStatus,
			singleQr: options.singleQr,
		},
		registry: {
			v1: { ...registry, plan: options.plan },
			unversioned: { ...registry, plan: options.altPlan },
			companies: options.companies,
		},
	});
	if (openapi !== undefined) {
		await writeOpenApi(sandbox, openapi);
		await sandbox.close();
		return;
	}
	const { links } = sandbox;
	const { v1, unversioned } = sandbox.registry;
	console.log(`
Link Management               ${links.baseUrl}   key ${links.apiKey}
Company Registry, V1          ${v1.baseUrl}   key ${v1.apiKey}
Company Registry, Unversioned ${unversioned.baseUrl}   key ${unversioned.apiKey}

Control page                  ${sandbox.url}/
Stop with Ctrl-C.
`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close());
	}
}

/** One document per service, to import into other tools. */
async function writeOpenApi({ links, registry }: Sandbox, folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	for (const service of [links, registry.v1, registry.unversioned]) {
		const document = JSON.stringify(openApiOf(service), null, 2);
		await writeFile(join(folder, `${service.name}.json`), `${document}\n`);
	}
}

main().catch((error: Error) => {
	console.error(`The sandbox could not start: ${error.message}`);
	process.exitCode = 1;
});
