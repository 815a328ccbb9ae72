import type { LoggedRequest, Sandbox } from '../../sandbox';
import type { Execution } from '../host';
import type { Demo } from './demo';
import { triggerOf, type Example } from './examples';
import { nodeTable, recordsOf, recordTable, summarizeRun } from './report';
import { step } from './step';

const RUN_TIMEOUT_MS = 5 * 60_000;

/**
 * Runs an example once and prints what came out.
 *
 * @throws with n8n's reason when the execution fails
 */
export async function runExample(
	{ api, sandbox }: Demo,
	{ workflow }: Example,
	signal: AbortSignal,
): Promise<void> {
	const earlier = new Set(requestsOf(sandbox));
	const execution = await step(`Run "${workflow.name}"`, async () => {
		const id = await api.runWorkflow(workflow.id, triggerOf(workflow));
		return await api.waitForExecution(id, {
			timeoutMs: RUN_TIMEOUT_MS,
			signal,
		});
	});

	const nodes = summarizeRun(execution.runData);
	console.log(`\n${nodeTable(nodes)}`);
	const requests = requestsOf(sandbox).filter((request) => !earlier.has(request));
	const refused = requests.filter(({ status }) => status === 429).length;
	console.log(
		`${requests.length} requests in ${(execution.duration / 1000).toFixed(1)} s, ` +
			`${refused} of them refused by the rate limit`,
	);
	if (execution.status !== 'success') throw new Error(failureOf(execution));

	const last = nodes.at(-1);
	if (last) console.log(`\n${last.name}\n${recordTable(recordsOf(execution.runData, last.name))}`);
}

function requestsOf({ links, registry }: Sandbox): LoggedRequest[] {
	return [links, registry.v1, registry.unversioned].flatMap(({ requests }) => requests);
}

/** Says which node failed and why, in n8n's words. */
function failureOf({ status, error, runData }: Execution): string {
	const [node] =
		Object.entries(runData).find(([, runs]) => runs.some((run) => run.error !== undefined)) ?? [];
	const place = node ? `at "${node}"` : 'before any node failed';
	const reason = [error?.message, error?.description].filter(Boolean).join('\n');
	return `The execution ended with "${status}" ${place}: ${reason || 'no reason given'}`;
}
