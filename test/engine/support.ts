import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	NodeExecutionHint,
} from 'n8n-workflow';

import { fold } from '../../nodes/CompanyRegistry/enrich/read/words';
import type { Variant } from '../../nodes/CompanyRegistry/api';
import { startSandbox } from '../../sandbox';
import type { DeepPartial, RegistrySettings, Sandbox, SandboxOptions } from '../../sandbox';
import { fakeService } from '../fakeService';
import type { FakeService, Respond } from '../fakeService';
import { jsonOf, runNode } from './harness';
import type { NodeOutcome, NodeRun } from './harness';

/** How n8n enters a node, and whether that is by routing. */
export const ENTRY_POINTS: Array<[name: string, routed: boolean]> = [
	['customOperations', false],
	['n8n’s routing', true],
];

export const VARIANTS: readonly Variant[] = ['v1', 'unversioned'];

/** A plan whose pace no test notices. */
export const PLENTY = { plan: 'custom', requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 };

const running: Sandbox[] = [];
let benches = 0;

afterEach(async () => {
	await Promise.all(running.splice(0).map(async (sandbox) => await sandbox.close()));
});

/** The process keeps one limiter per key, and a test must not be paced by another. */
const newKey = () => `secret-key-${process.pid}-${++benches}`;

/** Runs a node with a credential. */
function runner(
	type: 'linkManagement' | 'companyRegistry',
	credential: ICredentialDataDecryptedObject,
) {
	return async (parameters: INodeParameters, more?: Partial<NodeRun>): Promise<NodeOutcome> =>
		await runNode({ type, parameters, credentials: { [`${type}Api`]: credential }, ...more });
}

export type LinkBench = Awaited<ReturnType<typeof bench>>;

/**
 * The Link Management node, and a sandbox with a key of its own. Any number of requests may be sent
 * unless a limit is given.
 */
export async function bench(settings: NonNullable<SandboxOptions['links']> = {}) {
	// In the headers: without them, the documented 30 per minute apply.
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
		/** Each of them as `GET /api/account 200`. */
		lines: () => requests.map(({ method, path, status }) => `${method} ${path} ${status}`),
	};
}

export type RegistryBench = Awaited<ReturnType<typeof registryBench>>;

const UNLIMITED: DeepPartial<RegistrySettings> = {
	rateLimit: { limit: null },
	dailyQuota: { limit: null },
};

/** The Company Registry node, and one variant of the sandbox with a key of its own. */
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

/** The responses of a registry with these companies; a search finds those with all of its words. */
export function registryOf(companies: IDataObject[]): Respond {
	return ({ path, query }) => {
		const [, found] = /(?:company|credit)\/(\d+)/.exec(path) ?? [];
		if (found) return { success: true, ...companies.find(({ idno }) => idno === found) };
		const words = fold(query.get('q') ?? '').split(' ');
		const data = companies.filter(({ name, idno }) =>
			words.every((word) => fold(`${String(name)} ${String(idno)}`).includes(word)),
		);
		return { success: true, total: data.length, page: 1, per_page: 50, data };
	};
}

/** The only page of a list. */
export const listOf = (resource: string, rows: unknown[]) => ({
	error: '0',
	data: { result: rows.length, maxpage: 1, nextpage: null, [`${resource}s`]: rows },
});

/**
 * A service with campaigns. It carries out every write, and then responds as told.
 *
 * @param answer the response to a write, by its body and number; undefined is a success
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

/** The node continues when an item fails. */
export const continuing = { settings: { onError: 'continueRegularOutput' as const } };

/** A record given by its name. */
export function byName(value: string) {
	return { __rl: true, mode: 'name', value };
}

/** Input items, one per record. */
export function itemsOf(...records: INodeExecutionData['json'][]): INodeExecutionData[] {
	return records.map((json) => ({ json }));
}

/** The items `{ id: 1 }` to `{ id: count }`. */
export function numbered(count: number): INodeExecutionData[] {
	return Array.from({ length: count }, (_, index) => ({ json: { id: index + 1 } }));
}

/** The output of a run without an error. */
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

/** The right number for twelve digits, worked out apart from the code under test. */
export function withCheckDigit(twelve: string): string {
	const weights = [7, 3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1];
	const sum = weights.reduce((total, weight, index) => total + weight * Number(twelve[index]), 0);
	return twelve + String(sum % 10);
}
