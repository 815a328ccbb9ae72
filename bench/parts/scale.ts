import { cpus } from 'node:os';

import { postAll } from '../host/callers';
import { cpuTimes, spent, type CpuTimes } from '../host/cpuTime';
import { Executions } from '../host/executions';
import { openQueueStage, type QueueStage } from '../host/queueMode';
import { NO_LIMIT } from '../host/stage';
import { httpRequest, linkManagement, passOn, webhook, workflowOf } from '../host/workflows';
import type { NodeSpec } from '../host/workflows';
import { atMost, rounded } from '../part';
import type { Findings, Part, PartOptions, Row } from '../part';
import { interleave, median, ratio } from '../statistics';

const WORKERS = [1, 2, 4];
const EXECUTIONS = 2_000;
/** Of the workflow without a node to compare, whose CPU time alone is of interest. */
const BASELINE_EXECUTIONS = 500;
/**
 * The executions come in as many portions, so that the workflows can be interleaved. Whatever
 * `--rounds` says: more would be more portions, not more executions.
 */
const ROUNDS = 4;
/** Enough for each of a worker's 10 executions at once to compile what it needs. */
const WARM_UP = 100;
const CALLS_AT_ONCE = 20;

const OURS = 'Link Management';
const THEIRS = 'HTTP Request';
const NEITHER = 'No Operation';
const NODES = [OURS, THEIRS, NEITHER];

function executionsOf(node: string): number {
	return node === NEITHER ? BASELINE_EXECUTIONS : EXECUTIONS;
}

/** A portion of executions, calls included. */
interface Portion {
	/** Milliseconds from the first call to the end of the last execution. */
	ms: number;
	/** Executions that ended without success. */
	failed: number;
	/** Executions that were called for and did not end. */
	lost: number;
	requests: number;
	/** Milliseconds of the compared node, of each execution. */
	nodeMs: number[];
	/** Milliseconds of each execution. */
	executionMs: number[];
	cpuMs: CpuTimes;
}

/** Many short executions on several workers. */
export const scale: Part = {
	name: 'scale',
	title: 'Scale',
	async run({ report }) {
		const stage = await openQueueStage({
			rateLimit: { limit: NO_LIMIT },
			counts: { qrs: EXECUTIONS / ROUNDS },
			logCapacity: EXECUTIONS,
		});
		try {
			const workflows = await publishedWorkflows(stage);
			const measured: Measured = {};
			for (const workers of WORKERS) {
				report(`${counted(workers)}: starting`);
				await stage.ensureWorkers(workers);
				for (const workflow of workflows) await portion(stage, workflow, WARM_UP);
				const variants = Object.fromEntries(
					workflows.map((workflow) => [workflow.node, reported(stage, workflow, report)]),
				);
				measured[workers] = await interleave(variants, ROUNDS, false);
			}
			return findings(measured);
		} finally {
			await stage.close();
		}
	},
};

/** The portions by the number of workers and the compared node. */
type Measured = Record<number, Record<string, Portion[]>>;

interface Published {
	id: string;
	/** Where it is called. */
	url: string;
	/** Name of the compared node. */
	node: string;
}

async function publishedWorkflows(stage: QueueStage): Promise<Published[]> {
	const { api, n8n, sandbox } = stage;
	const credential = await stage.freshLinkCredential();
	const id = '={{ $json.body.id }}';
	const qrCode = { resource: 'qrCode', operation: 'get' };
	const url = `=${sandbox.links.baseUrl}/api/qr/{{ $json.body.id }}`;
	const specs: NodeSpec[] = [
		linkManagement(credential, { ...qrCode, qrCodeId: { __rl: true, mode: 'id', value: id } }),
		httpRequest(credential, { url }),
		passOn(NEITHER),
	];
	const published: Published[] = [];
	for (const [index, spec] of specs.entries()) {
		const path = `scale-${index}`;
		const workflow = workflowOf(spec.name, [webhook(path), spec, passOn('End')]);
		const workflowId = await api.createWorkflow(workflow);
		await api.publishWorkflow(workflowId);
		published.push({ id: workflowId, url: `${n8n.url}/webhook/${path}`, node: spec.name });
	}
	return published;
}

function reported(stage: QueueStage, workflow: Published, report: PartOptions['report']) {
	return async () => {
		const size = executionsOf(workflow.node) / ROUNDS;
		const done = await portion(stage, workflow, size);
		const { ms, failed, lost } = done;
		report(
			`${counted(stage.workers.length)}, ${workflow.node}: ${size} executions in ${ms} ms, ${failed} failed, ${lost} lost`,
		);
		return done;
	};
}

async function portion(stage: QueueStage, workflow: Published, size: number): Promise<Portion> {
	const { links } = stage.sandbox;
	const executions = await Executions.fromNow(stage.postgres, workflow.id);
	const bodies = Array.from({ length: size }, (_, index) => ({ id: index + 1 }));
	links.clearRequests();
	const before = await cpuSoFar(stage);
	const start = Date.now();
	await postAll(workflow.url, bodies, CALLS_AT_ONCE);
	await executions.untilEnded(size);
	const cpuMs = spent(before, await cpuSoFar(stage));
	const records = await executions.records();
	return {
		ms: Math.max(...records.map(({ stoppedAt }) => stoppedAt)) - start,
		failed: records.filter(({ status }) => status !== 'success').length,
		lost: size - records.length,
		requests: links.requests.length,
		nodeMs: records.map(({ nodes }) => nodes[workflow.node] ?? 0),
		executionMs: records.map(({ ms }) => ms),
		cpuMs,
	};
}

const BENCH = 'callers, sandbox';

async function cpuSoFar({ n8n, workers, postgres, redis }: QueueStage): Promise<CpuTimes> {
	const times = await cpuTimes({
		main: [n8n.pid],
		workers: workers.map(({ pid }) => pid),
		PostgreSQL: [postgres.pid],
		Redis: [redis.pid],
	});
	// Its children are those above, and some that count the executions.
	const { user, system } = process.cpuUsage();
	return { ...times, [BENCH]: (user + system) / 1_000 };
}

/** Those who work for the executions, whatever the machine does besides. */
const N8N = ['main', 'workers', 'PostgreSQL', 'Redis'];

function findings(measured: Measured): Findings {
	const configurations = WORKERS.map((workers) => ({
		workers,
		byNode: measured[workers]!,
	}));
	return {
		setting: SETTING,
		rows: configurations.flatMap(({ workers, byNode }) => mainRows(workers, byNode)),
		explanation: {
			setting: BUSY_SETTING,
			rows: configurations.map(({ workers, byNode }) =>
				busyRow(workers, Object.values(byNode).flat()),
			),
		},
		targets: configurations.flatMap(({ workers, byNode }) => [
			atMost(0, sum(byNode[OURS]!, notDone), `${counted(workers)}: failed or lost`, 'executions'),
			atMost(
				EXECUTIONS,
				sum(byNode[OURS]!, requestsOf),
				`${counted(workers)}: requests`,
				'requests',
			),
		]),
		raw: measured,
	};
}

const SETTING = [
	'n8n in queue mode: a main process, workers with n8n’s default of 10 concurrent executions, Redis, and PostgreSQL with `fsync` off. Execution data is saved as by default. No rate limit.',
	'Each workflow has three nodes: Webhook, which responds immediately; the compared node, which gets one QR code by the ID in the call; No Operation.',
	`The three workflows run in ${ROUNDS} interleaved batches with ${CALLS_AT_ONCE} calls at a time. The time is from the first call to the end of the last execution; the ratio is the median over the batches.`,
	'Node and execution: medians of n8n’s own records; an execution starts when a worker picks it up.',
	'Share of the time: time in the compared node divided by the whole time, over all executions; both include the service’s response and waiting for the processor.',
	'CPU: n8n, PostgreSQL and Redis, per execution. Share of the CPU time: the part above that of the workflow with No Operation instead of the node.',
].join(' ');

const BUSY_SETTING = 'Average number of busy processors over all three workflows, by program:';

function mainRows(workers: number, byNode: Record<string, Portion[]>): Row[] {
	const baselineCpuMs = sum(byNode[NEITHER]!, n8nCpuMs) / BASELINE_EXECUTIONS;
	return NODES.map((node) => {
		const portions = byNode[node]!;
		const nodeMs = portions.flatMap((portion) => portion.nodeMs);
		const executionMs = portions.flatMap((portion) => portion.executionMs);
		const executions = executionsOf(node);
		const cpuMs = sum(portions, n8nCpuMs) / executions;
		return {
			Workers: workers,
			Node: node,
			'executions per s': rounded((executions / sum(portions, msOf)) * 1_000),
			'as fast as HTTP Request': node === OURS ? asFast(byNode[THEIRS]!, portions) : '',
			'node, ms': median(nodeMs),
			'execution, ms': median(executionMs),
			'share of the time': percent(total(nodeMs) / total(executionMs)),
			'CPU, ms': rounded(cpuMs),
			'share of the CPU time': percent(1 - baselineCpuMs / cpuMs),
			executions,
			'failed or lost': sum(portions, notDone),
			requests: sum(portions, requestsOf),
		};
	});
}

/** A ratio of the portions' times. */
function asFast(theirs: Portion[], ours: Portion[]): string {
	return `${rounded(ratio(theirs.map(msOf), ours.map(msOf)))} x`;
}

function busyRow(workers: number, portions: Portion[]): Row {
	const seconds = sum(portions, msOf);
	const busy = (who: string) => rounded(sum(portions, ({ cpuMs }) => cpuMs[who] ?? 0) / seconds);
	const known = [...N8N, BENCH];
	const others = sum(portions, ({ cpuMs }) =>
		known.reduce((rest, who) => rest - (cpuMs[who] ?? 0), cpuMs.machine ?? 0),
	);
	return {
		Workers: workers,
		...Object.fromEntries(known.map((who) => [who, busy(who)])),
		'everything else': rounded(Math.max(0, others) / seconds),
		of: cpus().length,
	};
}

function counted(workers: number): string {
	return workers === 1 ? '1 worker' : `${workers} workers`;
}

function percent(share: number): string {
	return `${Math.round(share * 100)} %`;
}

function msOf({ ms }: Portion): number {
	return ms;
}

function requestsOf({ requests }: Portion): number {
	return requests;
}

function notDone({ failed, lost }: Portion): number {
	return failed + lost;
}

function n8nCpuMs({ cpuMs }: Portion): number {
	return total(N8N.map((who) => cpuMs[who] ?? 0));
}

function sum(portions: Portion[], read: (portion: Portion) => number): number {
	return total(portions.map(read));
}

function total(values: number[]): number {
	return values.reduce((subtotal, value) => subtotal + value, 0);
}
