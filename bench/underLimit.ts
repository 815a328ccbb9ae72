import type { INode, INodeParameters } from 'n8n-workflow';

import { atMost, rounded, type Findings, type Part, type Row } from './part';
import type { CredentialReference } from '../tools/stage/stage';
import { startWith, type NodeDraft } from '../tools/stage/workflows';
import { onStage, type Stage } from './stage';
import { median } from './statistics';
import { httpRequest, jsonFields, ours, OURS, stored } from './workflows';

const CREATES = 120;
const LIMIT = 30;
/** The service's minute, shortened. */
const WINDOW_MS = 2_000;
const WORKFLOWS_AT_ONCE = 3;

interface Outcome {
	ms: number;
	/** Records that the service made. */
	created: number;
	/** Items that n8n reports as done. */
	succeeded: number;
	requests: number;
	/** Requests that the service rejected. */
	refused: number;
}

interface Variant {
	name: string;
	workflows: number;
	node: (credential: CredentialReference, url: string) => NodeDraft;
}

const withName: INodeParameters = jsonFields({ name: 'Sale' });

/** One failed item must not end the run, or nothing could be counted. */
const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };

function createCampaigns(credential: CredentialReference): NodeDraft {
	const parameters = {
		resource: 'campaign',
		operation: 'create',
		campaignFields: { name: 'Sale' },
	};
	return ours(credential, parameters, CONTINUE);
}

const VARIANTS: Variant[] = [
	{ name: OURS, workflows: 1, node: createCampaigns },
	{
		name: `${OURS}, ${WORKFLOWS_AT_ONCE} workflows at once`,
		workflows: WORKFLOWS_AT_ONCE,
		node: createCampaigns,
	},
	{
		name: 'HTTP Request',
		workflows: 1,
		node: (credential, url) => httpRequest(credential, { url, ...withName }, CONTINUE),
	},
	{
		name: `HTTP Request, batching ${LIMIT} per ${WINDOW_MS} ms`,
		workflows: 1,
		node: (credential, url) =>
			httpRequest(credential, { url, ...withName, options: { batching: BATCHING } }, CONTINUE),
	},
	{
		name: 'HTTP Request, Retry On Fail',
		workflows: 1,
		node: (credential, url) =>
			httpRequest(
				credential,
				{ url, ...withName },
				{ retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 },
			),
	},
];

const BATCHING = { batch: { batchSize: LIMIT, batchInterval: WINDOW_MS } };

/** More requests than the service accepts at a time. */
export const underLimit: Part = async (rounds, report) => {
	const rateLimit = { limit: LIMIT, windowMs: WINDOW_MS, reset: 'epochMs' } as const;
	return await onStage({ rateLimit }, async (stage) => {
		const measured: Record<string, Outcome[]> = {};
		// A round takes a minute, and milliseconds don't matter here.
		for (let round = 0; round < Math.min(rounds, 3); round++) {
			for (const variant of VARIANTS) {
				const outcome = await outcomeOf(stage, variant);
				(measured[variant.name] ??= []).push(outcome);
				report(`${variant.name}: ${JSON.stringify(outcome)}`);
			}
		}
		return findings(measured);
	});
};

async function outcomeOf(stage: Stage, { name, workflows, node }: Variant): Promise<Outcome> {
	const { api, sandbox } = stage;
	const credential = await stage.freshLinkCredential();
	const records = Array.from({ length: CREATES }, (_, index) => ({ id: index + 1 }));
	const spec = node(credential, `${sandbox.links.baseUrl}/api/campaign/add`);
	const chains: Array<Awaited<ReturnType<typeof stored>>> = [];
	for (let count = 0; count < workflows; count++) {
		chains.push(await stored(api, name, [...startWith(records), spec], { mayFail: true }));
	}
	sandbox.links.clearRequests();
	const runs = await Promise.all(chains.map(async (run) => await run()));
	const { requests } = sandbox.links;
	const start = Math.min(...runs.map(({ startedAt }) => startedAt));
	const end = Math.max(...runs.map(({ startedAt, ms }) => startedAt + ms));
	return {
		ms: end - start,
		created: requests.filter(({ status }) => status === 200).length,
		succeeded: runs.reduce((sum, run) => sum + run.succeeded, 0),
		requests: requests.length,
		refused: requests.filter(({ status }) => status === 429).length,
	};
}

/** Only the beginning of the last window is needed. */
function idealMs(workflows: number): number {
	return (Math.ceil((CREATES * workflows) / LIMIT) - 1) * WINDOW_MS;
}

function findings(measured: Record<string, Outcome[]>): Findings {
	const middle = (name: string, key: keyof Outcome) =>
		median(measured[name]!.map((outcome) => outcome[key]));
	const rows = VARIANTS.map(({ name, workflows }): Row => {
		const wanted = CREATES * workflows;
		return {
			[`${CREATES} creates`]: name,
			ms: Math.round(middle(name, 'ms')),
			'ideal, ms': idealMs(workflows),
			'items done': `${middle(name, 'succeeded')} of ${wanted}`,
			'records made': middle(name, 'created'),
			requests: middle(name, 'requests'),
			rejected: middle(name, 'refused'),
		};
	});
	const targets = VARIANTS.filter(({ name }) => name.startsWith(OURS)).flatMap(
		({ name, workflows }) => {
			const failed = CREATES * workflows - middle(name, 'succeeded');
			return [
				atMost(0, failed, `${name}: failed`, 'items'),
				atMost(0, middle(name, 'refused'), `${name}: rejected`, 'requests'),
				atMost(1.05, rounded(middle(name, 'ms') / idealMs(workflows)), `${name}: ideal time`),
			];
		},
	);
	return {
		setting: `${CREATES} records created at ${LIMIT} per ${WINDOW_MS / 1000} s (the service’s minute, shortened; the reset in epoch milliseconds). Each run has its own key. Ideal: every window is full, and the run ends with the last request.`,
		rows,
		targets,
	};
}
