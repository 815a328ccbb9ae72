import type { INode, INodeParameters } from 'n8n-workflow';

import type { CredentialReference, Stage } from '../tools/stage/stage';
import { startWith, type NodeDraft } from '../tools/stage/workflows';
import { median, rounded, target, type Findings, type Part, type Row } from './part';
import { freshCredential, httpRequest, jsonFields, onStage, ours, OURS, stored } from './stage';

const CREATES = 120;
const LIMIT = 30;
/** A short stand-in for the service's minute. */
const WINDOW_MS = 2_000;
const WORKFLOWS_AT_ONCE = 3;

interface Outcome {
	ms: number;
	/** Records that the service created. */
	created: number;
	/** Items that n8n reports as successful. */
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

/** Lets a run continue after a failed item, so that all items can be counted. */
const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };

function createCampaigns(credential: CredentialReference): NodeDraft {
	const fields = { campaignFields: { name: 'Sale' } };
	return ours(credential, { resource: 'campaign', operation: 'create', ...fields }, CONTINUE);
}

/** The same work with HTTP Request. */
function theirs(name: string, options: INodeParameters, settings: Partial<INode>): Variant {
	const node = (credential: CredentialReference, url: string) =>
		httpRequest(credential, { url, ...jsonFields({ name: 'Sale' }), options }, settings);
	return { name, workflows: 1, node };
}

const BATCHING = { batching: { batch: { batchSize: LIMIT, batchInterval: WINDOW_MS } } };
const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 };

const VARIANTS: Variant[] = [
	{ name: OURS, workflows: 1, node: createCampaigns },
	{
		name: `${OURS}, ${WORKFLOWS_AT_ONCE} workflows at once`,
		workflows: WORKFLOWS_AT_ONCE,
		node: createCampaigns,
	},
	theirs('HTTP Request', {}, CONTINUE),
	theirs(`HTTP Request, batching ${LIMIT} per ${WINDOW_MS} ms`, BATCHING, CONTINUE),
	theirs('HTTP Request, Retry On Fail', {}, RETRY),
];

/** Sends more requests than the service accepts at a time. */
export const underLimit: Part = async (rounds, report) => {
	const rateLimit = { limit: LIMIT, windowMs: WINDOW_MS, reset: 'epochMs' } as const;
	return await onStage({ rateLimit }, async (stage) => {
		const measured: Record<string, Outcome[]> = {};
		// A few rounds are enough: each takes a minute, and milliseconds don't matter here.
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
	const { links } = stage.sandbox;
	const credential = await freshCredential(stage);
	const records = Array.from({ length: CREATES }, (_, index) => ({ id: index + 1 }));
	const spec = node(credential, `${links.baseUrl}/api/campaign/add`);
	const chains: Array<Awaited<ReturnType<typeof stored>>> = [];
	for (let count = 0; count < workflows; count++) {
		chains.push(await stored(stage, name, [...startWith(records), spec]));
	}
	links.clearRequests();
	const runs = await Promise.all(chains.map(async (run) => await run()));
	const { requests } = links;
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

/** The shortest possible time. The last window only has to begin. */
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
			'ideal ms': idealMs(workflows),
			'items done': `${middle(name, 'succeeded')} of ${wanted}`,
			'records created': middle(name, 'created'),
			requests: middle(name, 'requests'),
			rejected: middle(name, 'refused'),
		};
	});
	const targets = VARIANTS.filter(({ name }) => name.startsWith(OURS)).flatMap(
		({ name, workflows }) => {
			const failed = CREATES * workflows - middle(name, 'succeeded');
			const slowness = rounded(middle(name, 'ms') / idealMs(workflows));
			return [
				target(failed, 'at most', 0, `${name}, failed`, 'items'),
				target(middle(name, 'refused'), 'at most', 0, `${name}, rejected`, 'requests'),
				target(slowness, 'at most', 1.05, `${name}, compared with the ideal time`),
			];
		},
	);
	return {
		setting: `Creates ${CREATES} records against a limit of ${LIMIT} per ${WINDOW_MS / 1000} s (a shortened minute; resets are sent as epoch milliseconds). Each run has its own key. In the ideal case, every window is full and the run ends with the last request.`,
		rows,
		targets,
	};
}
