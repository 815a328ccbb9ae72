import { cp, rm } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { INode, INodeParameters } from 'n8n-workflow';

import type { SandboxOptions } from '../sandbox';
import { wholeNumber } from '../sandbox/shared/cliOptions';
import { runProgram } from '../tools/cli/program';
import { table } from '../tools/docs/markdown';
import { provideHost, run, startN8n } from '../tools/host';
import { buildPackage, packageDirOf, readManifest } from '../tools/package';
import { startStage, type CredentialReference, type Stage } from '../tools/stage/stage';
import {
	chain,
	linkManagement,
	referenceOf,
	START,
	startWith,
	type NodeDraft,
} from '../tools/stage/workflows';

/** What a part prints: how it was measured, and a table. */
interface Findings {
	setting: string;
	rows: Array<Record<string, string | number>>;
}

/** One n8n per build, side by side, so that both meet the same machine. */
interface Build {
	name: string;
	stage: Stage;
}

type StartBuilds = (links: NonNullable<SandboxOptions['links']>) => Promise<Build[]>;
type Part = (start: StartBuilds, rounds: number) => Promise<Findings>;

const PARTS: Record<string, Part> = { overhead, returnAll, underLimit };

const { only, rounds, against, build } = new Command('npm run bench --')
	.description(
		"Measures the nodes beside n8n's HTTP Request node in a real n8n, and prints tables in Markdown.",
	)
	.option(
		'--only <parts>',
		`some of ${Object.keys(PARTS).join(',')}`,
		partNames,
		Object.keys(PARTS),
	)
	.option('--rounds <number>', 'pairs of runs that are compared', wholeNumber(1), 5)
	.option(
		'--against <folder>',
		'another checkout with a build of its own, measured in the same turns',
	)
	.option('--no-build', 'use the last build of the package')
	.parse()
	.opts<{ only: string[]; rounds: number; against?: string; build: boolean }>();

void runProgram(async (signal, cleanup) => {
	const host = await provideHost({ onProgress: console.log, signal });
	if (build) await buildPackage(signal);
	const folders = [undefined, ...(against === undefined ? [] : [resolve(against)])];
	const startBuilds: StartBuilds = async (links) => {
		const builds: Build[] = [];
		for (const folder of folders) {
			const stage = await startStage({
				sandbox: { links },
				cleanup,
				signal,
				start: async (options) => {
					if (folder !== undefined) await replacePackage(options.userFolder, folder);
					return await startN8n(options);
				},
			});
			builds.push({ name: folder === undefined ? OURS : `${OURS}, before`, stage });
		}
		return builds;
	};
	for (const name of only) {
		console.log(`\n${name}`);
		const load = loadavg()[0]?.toFixed(1);
		const { setting, rows } = await PARTS[name]!(startBuilds, rounds);
		await cleanup.run();
		const cells = rows.map((row) => Object.values(row).map(String));
		console.log(`\n${setting}\n\n${table(Object.keys(rows[0] ?? {}), cells)}`);
		console.log(`\n_${await circumstances(host)}, load ${load} at the start._`);
	}
});

function partNames(value: string): string[] {
	const wanted = value.split(',').map((name) => name.trim());
	const unknown = wanted.find((name) => !(name in PARTS));
	if (unknown !== undefined) throw new InvalidArgumentError(`There is no part "${unknown}".`);
	return wanted;
}

async function circumstances(host: Awaited<ReturnType<typeof provideHost>>): Promise<string> {
	const { version } = await readManifest(join(host.dir, 'node_modules', 'n8n'));
	const node = (await run(host.nodePath, ['--version'])).trim();
	const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
	const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memory}`;
	return `${new Date().toISOString().slice(0, 10)}; ${machine}; n8n ${version}, Node ${node}`;
}

/** Puts the build of another checkout in the place of the installed package. */
async function replacePackage(userFolder: string, folder: string): Promise<void> {
	const { name } = await readManifest(folder);
	const target = join(packageDirOf(userFolder, name), 'dist');
	await rm(target, { recursive: true });
	await cp(join(folder, 'dist'), target, { recursive: true });
}

// Workflows

const OURS = 'Link Management';
const THEIRS = 'HTTP Request';
const TIMEOUT_MS = 10 * 60_000;
/** More than any part sends, so that the service never rejects a request. */
const NO_LIMIT = 10_000_000;

/** What users have without this package. */
const BEARER_AUTH = 'httpBearerAuth';

/** A credential with a new API key, because n8n's process remembers the limit of a used key. */
async function freshCredential(
	{ api, sandbox }: Stage,
	type = 'linkManagementApi',
): Promise<CredentialReference> {
	const { settings, baseUrl } = sandbox.links;
	const name = `bench-key-${settings.otherApiKeys.length + 1}`;
	sandbox.links.configure({ otherApiKeys: [...settings.otherApiKeys, name] });
	const fields = type === BEARER_AUTH ? { token: name } : { baseUrl, apiKey: name };
	return { type, name, id: await api.createCredential(name, type, fields) };
}

/** The HTTP Request node, with this package's credential or *Generic → Bearer Auth*. */
function httpRequest(
	credential: CredentialReference,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): NodeDraft {
	const { type } = credential;
	const authentication =
		type === BEARER_AUTH
			? { authentication: 'genericCredentialType', genericAuthType: type }
			: { authentication: 'predefinedCredentialType', nodeCredentialType: type };
	return {
		name: THEIRS,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.4,
		parameters: { ...authentication, options: {}, ...parameters },
		credentials: { [type]: referenceOf(credential) },
		...settings,
	};
}

/** Parameters of the HTTP Request node for creating a campaign. */
function creating(baseUrl: string, name: string): INodeParameters {
	const bodyParameters = { parameters: [{ name: 'name', value: name }] };
	return { url: `${baseUrl}/api/campaign/add`, method: 'POST', sendBody: true, bodyParameters };
}

const createCampaign = (campaignName: string): INodeParameters => ({
	resource: 'campaign',
	operation: 'create',
	campaignName,
});

interface NodeRun {
	/** Milliseconds that the node took by n8n's own record, without the rest of the workflow. */
	ms: number;
	startedAt: number;
	/** Output items without an error. */
	succeeded: number;
}

/** Stores a workflow of the rows and the node, and returns a function that runs it. */
async function stored(
	{ api }: Stage,
	rows: Parameters<typeof startWith>[0],
	node: NodeDraft,
): Promise<() => Promise<NodeRun>> {
	const id = await api.createWorkflow(chain(node.name, [...startWith(rows), node]));
	return async () => {
		const execution = await api.waitForExecution(await api.runWorkflow(id, START), {
			timeoutMs: TIMEOUT_MS,
		});
		const { status, error, runData } = execution;
		const last = runData[node.name]?.at(-1);
		if (!last) throw new Error(`The execution ended with "${status}": ${error?.message}`);
		const output = last.data?.main?.[0] ?? [];
		const failed = output.filter(({ json, error: itemError }) => itemError ?? json.error);
		const succeeded = output.length - failed.length;
		return { startedAt: last.startTime, ms: last.executionTime, succeeded };
	};
}

// Pairs

type Measure = () => Promise<number>;
interface Pair {
	what: string;
	build: string;
	ours: Measure;
	theirs: Measure;
}

/**
 * Measures pairs in turn and compares within each, because whatever else runs on the machine meets
 * both. Who goes first changes from round to round. The first round warms n8n up and isn't counted.
 */
async function compare(heading: string, pairs: Pair[], count: number): Promise<Findings['rows']> {
	const measured = pairs.map(() => ({ ours: [] as number[], theirs: [] as number[] }));
	for (let round = 0; round <= count; round++) {
		for (const [index, pair] of pairs.entries()) {
			const inTurn =
				round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const);
			const ms = { ours: 0, theirs: 0 };
			for (const who of inTurn) ms[who] = await pair[who]();
			console.log(`  ${pair.what}, ${pair.build}: ${ms.ours} ms, ${THEIRS} ${ms.theirs} ms`);
			if (round === 0) continue;
			measured[index]!.ours.push(ms.ours);
			measured[index]!.theirs.push(ms.theirs);
		}
	}
	return pairs.map(({ what, build }, index) => {
		const { ours, theirs } = measured[index]!;
		const ratios = ours.map((ms, each) => theirs[each]! / ms);
		return {
			[heading]: what,
			Build: build,
			ms: Math.round(median(ours)),
			[`${THEIRS}, ms`]: Math.round(median(theirs)),
			'times as fast (median)': `${median(ratios).toFixed(2)}`,
			'least to most': `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
		};
	});
}

function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/** The time of a run, after checking that it did its work. */
function timed(stage: Stage, node: () => Promise<NodeRun>, wanted: number): Measure {
	return async () => {
		stage.sandbox.links.clearRequests();
		stage.sandbox.links.configure({ counts: {} });
		const { ms, succeeded } = await node();
		if (succeeded !== wanted) throw new Error(`${succeeded} of ${wanted} items succeeded`);
		return ms;
	};
}

const ITEMS = 1_000;

/** What n8n and either node add to a request. An identical GET would be sent once per run. */
async function overhead(start: StartBuilds, count: number): Promise<Findings> {
	const counts = { qrs: ITEMS };
	const builds = await start({ rateLimit: { limit: NO_LIMIT }, counts, logCapacity: ITEMS });
	const rows = Array.from({ length: ITEMS }, (_, index) => ({
		id: index + 1,
		name: `Sale ${index + 1}`,
	}));
	const qrCodeId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const cases = (baseUrl: string): Array<[string, INodeParameters, INodeParameters]> => [
		[
			'GET by expression',
			{ resource: 'qrCode', operation: 'get', qrCodeId },
			{ url: `=${baseUrl}/api/qr/{{ $json.id }}` },
		],
		['POST fixed', createCampaign('Spring sale'), creating(baseUrl, 'Spring sale')],
		[
			'POST by expression',
			createCampaign('={{ $json.name }}'),
			creating(baseUrl, '={{ $json.name }}'),
		],
	];
	const pairs: Pair[][] = [];
	for (const { name, stage } of builds) {
		const credential = await freshCredential(stage);
		const bearer = await freshCredential(stage, BEARER_AUTH);
		for (const [row, [what, ours, theirs]] of cases(stage.sandbox.links.baseUrl).entries()) {
			const our = await stored(stage, rows, linkManagement(OURS, credential, ours));
			for (const used of [credential, bearer]) {
				const their = await stored(stage, rows, httpRequest(used, theirs));
				const ofRow = (pairs[2 * row + Number(used === bearer)] ??= []);
				ofRow.push({
					...{ what: used === bearer ? `${what}, Bearer Auth` : what, build: name },
					ours: timed(stage, our, ITEMS),
					theirs: timed(stage, their, ITEMS),
				});
			}
		}
	}
	return {
		setting: `${ITEMS} items through one node, one request each, no rate limit. Medians of ${count} pairs.`,
		rows: await compare('1,000 items', pairs.flat(), count),
	};
}

const PAGE_SIZE = 100;
const LATENCY_MS = 50;
const LISTS = [5_000, 50_000];

/** The pagination that n8n's documentation recommends for page numbers. */
const PAGINATION = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ !$response.body.data.nextpage }}',
	limitPagesFetched: false,
	requestInterval: 0,
};

/** Reads all rows of a long list. HTTP Request returns one item per page, which isn't split yet. */
async function returnAll(start: StartBuilds, count: number): Promise<Findings> {
	const counts = { campaigns: LISTS[0], pixels: LISTS[1] };
	const list = { counts, maxPageSize: PAGE_SIZE, latencyMs: LATENCY_MS };
	const pairs: Pair[] = [];
	for (const { name, stage } of await start({ rateLimit: { limit: NO_LIMIT }, ...list })) {
		const credential = await freshCredential(stage);
		for (const [index, resource] of ['campaign', 'pixel'].entries()) {
			const rows = LISTS[index]!;
			const getAll = { resource, operation: 'getAll', returnAll: true };
			const our = await stored(stage, [{}], linkManagement(OURS, credential, getAll));
			const url = `${stage.sandbox.links.baseUrl}/api/${resource}s?limit=${PAGE_SIZE}`;
			const paged = { url, options: { pagination: { pagination: PAGINATION } } };
			const their = await stored(stage, [{}], httpRequest(credential, paged));
			pairs.push({
				...{ what: `${rows}`, build: name },
				ours: timed(stage, our, rows),
				theirs: timed(stage, their, rows / PAGE_SIZE),
			});
		}
	}
	return {
		setting: `All rows of a list, ${PAGE_SIZE} per page, ${LATENCY_MS} ms latency, no rate limit. Medians of ${count} pairs.`,
		rows: await compare('Rows', pairs, count),
	};
}

const CREATES = 120;
const LIMIT = 30;
/** A short stand-in for the service's minute. */
const WINDOW_MS = 2_000;
const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };
const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 };
const BATCHING = { batching: { batch: { batchSize: LIMIT, batchInterval: WINDOW_MS } } };

/** Creates more records than a window allows. */
async function underLimit(start: StartBuilds): Promise<Findings> {
	const builds = await start({
		rateLimit: { limit: LIMIT, windowMs: WINDOW_MS, reset: 'epochMs' },
	});
	type NodeFor = (credential: CredentialReference, baseUrl: string) => NodeDraft;
	const ours: NodeFor = (credential) =>
		linkManagement(OURS, credential, createCampaign('Sale'), CONTINUE);
	const theirs = (options: INodeParameters, settings: Partial<INode>): NodeFor => {
		return (credential, baseUrl) =>
			httpRequest(credential, { ...creating(baseUrl, 'Sale'), options }, settings);
	};
	const variants = builds.flatMap(({ name, stage }) => [
		{ name, stage, workflows: 1, node: ours },
		{ name: `${name}, 3 workflows at once`, stage, workflows: 3, node: ours },
	]);
	const [{ stage }] = builds as [Build];
	variants.push(
		{ name: THEIRS, stage, workflows: 1, node: theirs({}, CONTINUE) },
		{ name: `${THEIRS}, in batches`, stage, workflows: 1, node: theirs(BATCHING, CONTINUE) },
		{ name: `${THEIRS}, Retry On Fail`, stage, workflows: 1, node: theirs({}, RETRY) },
	);
	const rows: Findings['rows'] = [];
	for (const { name, stage, workflows, node } of variants) {
		const { links } = stage.sandbox;
		const credential = await freshCredential(stage);
		const input = Array.from({ length: CREATES }, (_, index) => ({ id: index + 1 }));
		const all: Array<() => Promise<NodeRun>> = [];
		while (all.length < workflows) {
			all.push(await stored(stage, input, node(credential, links.baseUrl)));
		}
		links.clearRequests();
		const runs = await Promise.all(all.map(async (each) => await each()));
		const begin = Math.min(...runs.map(({ startedAt }) => startedAt));
		const sent = links.requests;
		rows.push({
			[`${CREATES} creates`]: name,
			ms: Math.max(...runs.map(({ startedAt, ms }) => startedAt + ms)) - begin,
			// The last window only has to begin.
			'ideal ms': (Math.ceil((CREATES * workflows) / LIMIT) - 1) * WINDOW_MS,
			'items done': runs.reduce((sum, { succeeded }) => sum + succeeded, 0),
			'records created': sent.filter(({ status }) => status === 200).length,
			requests: sent.length,
			rejected: sent.filter(({ status }) => status === 429).length,
		});
		console.log(`  ${JSON.stringify(rows.at(-1))}`);
	}
	return {
		setting: `${CREATES} creates per workflow against a limit of ${LIMIT} per ${WINDOW_MS / 1000} s, a shortened minute. Each row has a key of its own.`,
		rows,
	};
}
