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

/** The records that a node returned, over all outputs and runs. */
export function recordsOf(runData: IRunData, nodeName: string): IDataObject[] {
	return (runData[nodeName] ?? [])
		.flatMap(({ data }) => (data?.main ?? []).flat())
		.flatMap((item) => (item ? [item.json] : []));
}

export function nodeTable(nodes: NodeSummary[]): string {
	return table(
		['Node', 'Items', 'Time'],
		nodes.map(({ name, items, duration }) => [name, items, `${(duration / 1000).toFixed(1)} s`]),
		{ right: [1, 2] },
	);
}

/**
 * A table of any values; empty cells for undefined and null.
 *
 * @param right indexes of the columns that are aligned to the right
 */
export function table(
	head: string[],
	rows: unknown[][],
	{ right = [] }: { right?: number[] } = {},
): string {
	const colAligns = head.map((_, column) => (right.includes(column) ? 'right' : 'left'));
	const drawn = new Table({ head, colAligns, ...PLAIN });
	for (const row of rows) drawn.push(row.map(cell));
	return drawn.toString();
}

/** The first records, by those of their fields that fit into a cell. */
export function recordTable(records: IDataObject[]): string {
	const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
		.filter((column) => records.every((record) => typeof record[column] !== 'object'))
		.slice(0, SHOWN_COLUMNS);
	const shown = records.slice(0, SHOWN_ROWS);
	const rest = records.length - SHOWN_ROWS;
	return (
		table(
			columns,
			shown.map((record) => columns.map((column) => record[column])),
		) + (rest > 0 ? `\n… and ${rest} more` : '')
	);
}

function cell(value: unknown): string {
	const text = String(value ?? '');
	return text.length > CELL_WIDTH ? `${text.slice(0, CELL_WIDTH - 1)}…` : text;
}
