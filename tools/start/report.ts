import Table from 'cli-table3';
import type { IDataObject, IRunData } from 'n8n-workflow';

/** What one node did in an execution. */
export interface NodeSummary {
	name: string;
	/** Items on all outputs, over all runs. */
	items: number;
	/** Milliseconds over all runs. */
	duration: number;
}

const SHOWN_ROWS = 5;
const SHOWN_COLUMNS = 5;
const CELL_WIDTH = 40;

/** No colours, so that a table reads the same in a terminal, a log and a test. */
const PLAIN = { style: { head: [], border: [], compact: true } };

/** The executed nodes in the order in which they ran. */
export function summarizeRun(runData: IRunData): NodeSummary[] {
	return Object.entries(runData)
		.map(([name, runs]) => ({
			name,
			index: runs[0]?.executionIndex ?? 0,
			items: runs.reduce((sum, { data }) => sum + (data?.main ?? []).flat().length, 0),
			duration: runs.reduce((sum, { executionTime }) => sum + executionTime, 0),
		}))
		.sort((a, b) => a.index - b.index)
		.map(({ name, items, duration }) => ({ name, items, duration }));
}

/** The records that a node gave out, over all outputs and runs. */
export function recordsOf(runData: IRunData, nodeName: string): IDataObject[] {
	return (runData[nodeName] ?? [])
		.flatMap(({ data }) => (data?.main ?? []).flat())
		.flatMap((item) => (item ? [item.json] : []));
}

export function nodeTable(nodes: NodeSummary[]): string {
	const table = new Table({
		head: ['Node', 'Items out', 'Time'],
		colAligns: ['left', 'right', 'right'],
		...PLAIN,
	});
	for (const { name, items, duration } of nodes) {
		table.push([name, items, `${(duration / 1000).toFixed(1)} s`]);
	}
	return table.toString();
}

/** The first records, by those of their fields that fit into a cell. */
export function recordTable(records: IDataObject[]): string {
	const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
		.filter((column) => records.every((record) => typeof record[column] !== 'object'))
		.slice(0, SHOWN_COLUMNS);
	const table = new Table({ head: columns, ...PLAIN });
	for (const record of records.slice(0, SHOWN_ROWS)) {
		table.push(columns.map((column) => cell(record[column])));
	}
	const rest = records.length - SHOWN_ROWS;
	return table.toString() + (rest > 0 ? `\n… and ${rest} more` : '');
}

function cell(value: unknown): string {
	const text = String(value ?? '');
	return text.length > CELL_WIDTH ? `${text.slice(0, CELL_WIDTH - 1)}…` : text;
}
