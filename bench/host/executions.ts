import { parseExecutionData, until } from '../../tools/host';
import type { Postgres } from '../../tools/services';

/** How an execution went, by n8n's own records. */
export interface ExecutionRecord {
	/** n8n's word, such as `success`. */
	status: string;
	/** Milliseconds since the epoch. */
	stoppedAt: number;
	/** Milliseconds from a worker's start with it to the end. */
	ms: number;
	/** Milliseconds that each node took, by its name. */
	nodes: Record<string, number>;
}

const POLL_MS = 250;
/** No execution here takes as long; what is not there by then does not come. */
const STALLED_MS = 60_000;
const TIMEOUT_MS = 10 * 60_000;

/** The executions of one workflow from some moment on, read past n8n, which has enough to do. */
export class Executions {
	private constructor(
		private readonly database: Postgres,
		private readonly condition: string,
	) {}

	/** Those that are still to come. */
	static async fromNow(database: Postgres, workflowId: string): Promise<Executions> {
		const [last] = await database.select<{ id: number }>(
			'SELECT coalesce(max(id), 0) AS id FROM execution_entity',
		);
		const condition = `"workflowId" = '${workflowId}' AND id > ${last?.id ?? 0}`;
		return new Executions(database, condition);
	}

	/** Waits until this many have ended, successfully or not, or some clearly never will. */
	async untilEnded(count: number): Promise<void> {
		let ended = -1;
		let lastChange = Date.now();
		const probe = async () => {
			const before = ended;
			ended = await this.countEnded();
			if (ended > before) lastChange = Date.now();
			return ended >= count || Date.now() - lastChange > STALLED_MS;
		};
		await until(`${count} executions to end`, probe, TIMEOUT_MS, POLL_MS);
	}

	/** Those that have ended. */
	async records(): Promise<ExecutionRecord[]> {
		const rows = await this.database.select<Row>(
			`SELECT status, "startedAt", "stoppedAt", data FROM execution_entity
			JOIN execution_data ON "executionId" = id
			WHERE ${this.condition} AND "stoppedAt" IS NOT NULL`.replace(/\s+/g, ' '),
		);
		return rows.map(recordOf);
	}

	private async countEnded(): Promise<number> {
		const [row] = await this.database.select<{ ended: number }>(
			`SELECT count("stoppedAt") AS ended FROM execution_entity WHERE ${this.condition}`,
		);
		return row?.ended ?? 0;
	}
}

interface Row {
	status: string;
	startedAt: string;
	stoppedAt: string;
	data: string;
}

function recordOf({ status, startedAt, stoppedAt, data }: Row): ExecutionRecord {
	const runs = Object.entries(parseExecutionData(data)?.resultData?.runData ?? {});
	return {
		status,
		stoppedAt: Date.parse(stoppedAt),
		ms: Date.parse(stoppedAt) - Date.parse(startedAt),
		nodes: Object.fromEntries(
			runs.map(([name, tasks]) => [name, tasks.reduce((sum, run) => sum + run.executionTime, 0)]),
		),
	};
}
