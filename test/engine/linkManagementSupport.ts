import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { type LoggedRequest, type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import type { FakeService } from '../fakeService';
import type { NodeOutcome, NodeRun } from './harness';
import { runNode } from './harness';

type LinkSettings = NonNullable<SandboxOptions['links']>;

export interface LinkManagementBench {
	sandbox: Sandbox;
	links: Sandbox['links'];
	/** The credential that fits the sandbox. */
	credential: { baseUrl: string; apiKey: string };
	/** Runs the Link Management node against the sandbox. */
	run(parameters: INodeParameters, more?: Partial<NodeRun>): Promise<NodeOutcome>;
	/** Every request the sandbox has got so far. */
	readonly requests: readonly LoggedRequest[];
	/** Each of them as `GET /api/account 200`. */
	lines(): string[];
}

const running: Sandbox[] = [];
let benches = 0;

afterEach(async () => {
	await Promise.all(running.splice(0).map(async (sandbox) => await sandbox.close()));
});

/** In the headers: without them, the documented 30 per minute apply. */
const PLENTY = { limit: 1_000_000, windowMs: 60_000 };

/**
 * The node and a sandbox with a key of its own: the process keeps one limiter per key, and a test
 * must not be paced by another. It may make any number of requests unless a limit is given.
 */
export async function bench(settings: LinkSettings = {}): Promise<LinkManagementBench> {
	const apiKey = `secret-key-${process.pid}-${++benches}`;
	const sandbox = await startSandbox({
		links: { apiKey, rateLimit: PLENTY, ...settings },
	});
	running.push(sandbox);
	const { links } = sandbox;
	const credential = { baseUrl: links.baseUrl, apiKey: links.apiKey };
	return {
		sandbox,
		links,
		credential,
		async run(parameters, more) {
			return await runNode({
				type: 'linkManagement',
				parameters,
				credentials: { linkManagementApi: credential },
				...more,
			});
		},
		get requests() {
			return links.requests;
		},
		lines() {
			return links.requests.map(({ method, path, status }) => `${method} ${path} ${status}`);
		},
	};
}

/** Runs the Link Management node against a fake service. */
export async function runAt(
	{ credential }: Pick<FakeService, 'credential'>,
	parameters: INodeParameters,
	more?: Partial<NodeRun>,
): Promise<NodeOutcome> {
	const credentials = { linkManagementApi: credential };
	return await runNode({ type: 'linkManagement', parameters, credentials, ...more });
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

/** The input item of each output item. */
export function pairedWith(items: INodeExecutionData[]): unknown[] {
	return items.map(({ pairedItem }) => (pairedItem as { item?: number } | undefined)?.item);
}
