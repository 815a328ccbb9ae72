import { requestsFromNow } from '../cli/requests';
import { step } from '../cli/step';
import { nodeTable, recordsOf, recordTable, summarizeRun } from '../cli/tables';
import { triggerOf, type Example } from '../examples';
import type { Execution } from '../host';
import type { Editor } from './editor';

const RUN_TIMEOUT_MS = 5 * 60_000;

/**
 * Runs an example once and prints its nodes, requests and output.
 *
 * @throws with n8n's reason when the execution fails
 */
export async function runExample(
	{ api, sandbox }: Editor,
	{ workflow }: Example,
	signal: AbortSignal,
): Promise<void> {
	const traffic = requestsFromNow(sandbox);
	const execution = await step(`Run "${workflow.name}"`, async () => {
		const id = await api.runWorkflow(workflow.id, triggerOf(workflow));
		return await api.waitForExecution(id, {
			timeoutMs: RUN_TIMEOUT_MS,
			signal,
		});
	});

	const nodes = summarizeRun(execution.runData);
	console.log(`\n${nodeTable(nodes)}`);
	console.log(traffic(execution.duration));
	if (execution.status !== 'success') throw new Error(failureOf(execution));

	const last = nodes.at(-1);
	if (last) console.log(`\n${last.name}\n${recordTable(recordsOf(execution.runData, last.name))}`);
}

/** Says which node failed and why, in n8n's words. */
function failureOf({ status, error, runData }: Execution): string {
	const [node] =
		Object.entries(runData).find(([, runs]) => runs.some((run) => run.error !== undefined)) ?? [];
	const place = node ? `at "${node}"` : 'before any node failed';
	const reason = [error?.message, error?.description].filter(Boolean).join('\n');
	return `The execution ended with "${status}" ${place}: ${reason || 'no reason given'}`;
}
