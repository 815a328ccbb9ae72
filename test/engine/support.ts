import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	NodeExecutionHint,
} from 'n8n-workflow';

import type { Variant } from '../../nodes/CompanyRegistry/api';
import { startSandbox } from '../../sandbox';
import type { DeepPartial, RegistrySettings, Sandbox, SandboxOptions } from '../../sandbox';
import { entryOf, searchEntries } from '../../sandbox/registry/search';
import { fakeService, type FakeService, type Respond } from '../fakeService';
import { jsonOf, runNode, type NodeOutcome, type NodeRun } from './harness';

/** The two ways in which n8n calls a node, and whether it's through routing. */
export const ENTRY_POINTS: Array<[name: string, routed: boolean]> = [
	['customOperations', false],
	['n8n’s routing', true],
];

export const VARIANTS: readonly Variant[] = ['v1', 'unversioned'];

/** A plan whose limits no test reaches. */
const PLENTY = { plan: 'custom', requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 };

const running: Sandbox[] = [];
let benches = 0;

afterEach(async () => {
	await Promise.all(running.splice(0).map(async (sandbox) => await sandbox.close()));
});

/** A new key for each test, because the process keeps one limiter per key. */
const newKey = () => `secret-key-${process.pid}-${++benches}`;

function runner(
	type: 'linkManagement' | 'companyRegistry',
	credential: ICredentialDataDecryptedObject,
) {
	return async (parameters: INodeParameters, more?: Partial<NodeRun>): Promise<NodeOutcome> =>
		await runNode({ type, parameters, credentials: { [`${type}Api`]: credential }, ...more });
}

export type LinkBench = Awaited<ReturnType<typeof bench>>;

/**
 * The Link Management node and a sandbox with a new key, which allows any number of requests unless
 * `settings` has a limit.
 */
export async function bench(settings: NonNullable<SandboxOptions['links']> = {}) {
	// The sandbox sends this limit in headers. Without headers, the node keeps to 30 requests a minute.
	const rateLimit = { limit: 1_000_000, windowMs: 60_000 };
	const sandbox = await startSandbox({ links: { apiKey: newKey(), rateLimit, ...settings } });
	running.push(sandbox);
	const { links } = sandbox;
	const { baseUrl, apiKey, requests } = links;
	const credential = { baseUrl, apiKey };
	return {
		sandbox,
		links,
		credential,
		run: runner('linkManagement', credential),
		/** Every request that the sandbox has received so far. */
		requests,
		/** These requests as lines such as `GET /api/account 200`. */
		lines: () => requests.map(({ method, path, status }) => `${method} ${path} ${status}`),
	};
}

export type RegistryBench = Awaited<ReturnType<typeof registryBench>>;

const UNLIMITED: DeepPartial<RegistrySettings> = {
	rateLimit: { limit: null },
	dailyQuota: { limit: null },
};

/** The Company Registry node, and one API variant of the sandbox with a new key. */
export async function registryBench(
	variant: Variant,
	settings: DeepPartial<RegistrySettings> = UNLIMITED,
) {
	const apiKey = newKey();
	const sandbox = await startSandbox({ registry: { [variant]: { apiKey, ...settings } } });
	running.push(sandbox);
	const registry = sandbox.registry[variant];
	const { baseUrl, requests } = registry;
	const credential = { variant, baseUrl, apiKey, ...PLENTY };
	return {
		sandbox,
		registry,
		credential,
		companies: registry.state.all(),
		run: runner('companyRegistry', credential),
		requests,
	};
}

/** Runs the Link Management node against a fake service. */
export async function runAt(
	{ credential }: Pick<FakeService, 'credential'>,
	parameters: INodeParameters,
	more?: Partial<NodeRun>,
): Promise<NodeOutcome> {
	return await runner('linkManagement', credential)(parameters, more);
}

/** The Company Registry node, and a fake service. */
export async function registryAt(respond: Respond, variant: Variant = 'unversioned') {
	const service = await fakeService(respond);
	const credential = { ...service.credential, variant, ...PLENTY };
	return { ...service, credential, run: runner('companyRegistry', credential) };
}

/** A registry with these companies. A search finds companies that contain all of its words. */
export function registryOf(companies: IDataObject[]): Respond {
	return ({ path, query }) => {
		const [, found] = /(?:company|credit)\/(\d+)/.exec(path) ?? [];
		if (found) return { success: true, ...companies.find(({ idno }) => idno === found) };
		const entries = companies.map((each) => entryOf(each, String(each.name), String(each.idno)));
		const data = searchEntries(query.get('q') ?? '', entries);
		return { success: true, total: data.length, page: 1, per_page: 50, data };
	};
}

/** A list with a single page. */
export const listOf = (resource: string, rows: unknown[]) => ({
	error: '0',
	data: { result: rows.length, maxpage: 1, nextpage: null, [`${resource}s`]: rows },
});

/**
 * A service with campaigns. It carries out every write, even if `answer` reports a failure.
 *
 * @param answer returns the response to a write, or undefined for a success
 */
export async function campaignService(
	campaigns: IDataObject[] = [],
	answer: (given: IDataObject, write: number) => unknown = () => undefined,
) {
	let writes = 0;
	const service = await fakeService(({ method, path, json }) => {
		if (method === 'GET') return listOf('campaign', campaigns);
		const given = json as IDataObject;
		const id = method === 'POST' ? campaigns.length + 1 : Number(path.split('/')[3]);
		if (method === 'POST') campaigns.push({ id, ...given });
		else
			Object.assign(
				campaigns.find((campaign) => campaign.id === id)!,
				given,
			);
		return answer(given, ++writes) ?? { error: 0, id };
	});
	return { ...service, campaigns };
}

/** *On Error: Continue*. */
export const continuing = { settings: { onError: 'continueRegularOutput' as const } };

/** A record selected by name, as the editor stores it. */
export function byName(value: string) {
	return { __rl: true, mode: 'name', value };
}

export function itemsOf(...records: INodeExecutionData['json'][]): INodeExecutionData[] {
	return records.map((json) => ({ json }));
}

/** The items `{ id: 1 }` to `{ id: count }`. */
export function numbered(count: number): INodeExecutionData[] {
	return Array.from({ length: count }, (_, index) => ({ json: { id: index + 1 } }));
}

/** The output of a run; throws if the run failed. */
export function recordsOf({ items, error }: NodeOutcome): IDataObject[] {
	if (error) throw new Error(error.message, { cause: error });
	return jsonOf(items);
}

export function hintsOf({ run }: NodeOutcome): NodeExecutionHint[] {
	return run.data.resultData.runData.Subject?.at(-1)?.hints ?? [];
}

/** The input item of each output item. */
export function pairedWith(items: INodeExecutionData[]): unknown[] {
	return items.map(({ pairedItem }) => (pairedItem as { item?: number } | undefined)?.item);
}

/** Appends the check digit, calculated independently of the code under test. */
export function withCheckDigit(twelve: string): string {
	const weights = [7, 3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1];
	const sum = weights.reduce((total, weight, index) => total + weight * Number(twelve[index]), 0);
	return twelve + String(sum % 10);
}
