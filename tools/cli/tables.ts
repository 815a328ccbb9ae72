import Table from 'cli-table3';
import type { IDataObject, IRunData } from 'n8n-workflow';
import type { LoggedRequest, Sandbox } from '../../sandbox';

/** The result of a node in an execution. */
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
const REJECTED = 429;

/** Returns a function that summarizes the sandbox's requests from now on in one line. */
export function requestsFromNow(sandbox: Sandbox): (durationMs: number) => string {
	const earlier = new Set(requestsOf(sandbox));
	return (durationMs) => {
		const requests = requestsOf(sandbox).filter((request) => !earlier.has(request));
		const rejected = requests.filter(({ status }) => status === REJECTED).length;
		const seconds = (durationMs / 1000).toFixed(1);
		return `${requests.length} requests, ${rejected || 'no'} rejections, ${seconds} s`;
	};
}

function requestsOf({ links, registry }: Sandbox): LoggedRequest[] {
	return [links, registry.v1, registry.unversioned].flatMap(({ requests }) => requests);
}

/** The executed nodes in the order in which they ran. */
export function summarizeRun(runData: IRunData): NodeSummary[] {
	return Object.entries(runData)
		.sort(([, [a]], [, [b]]) => (a?.executionIndex ?? 0) - (b?.executionIndex ?? 0))
		.map(([name, runs]) => ({
			name,
			items: recordsOf(runData, name).length,
			duration: runs.reduce((sum, { executionTime }) => sum + executionTime, 0),
		}));
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
	);
}

/** A table of any values; empty cells for undefined and null, numbers to the right. */
export function table(head: string[], rows: unknown[][]): string {
	const isNumeric = (column: number) =>
		rows.every((row) => /^[\d,.]+( \w+)?$/.test(cell(row[column])));
	const colAligns = head.map((_, column) => (isNumeric(column) ? 'right' : 'left'));
	// No colours, so that a table reads the same in a terminal, a log and a test.
	const drawn = new Table({ head, colAligns, style: { head: [], border: [], compact: true } });
	for (const row of rows) drawn.push(row.map(cell));
	return drawn.toString();
}

/** The first records, with the fields that fit into a cell. */
export function recordTable(records: IDataObject[]): string {
	const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
		.filter((column) => records.every((record) => typeof record[column] !== 'object'))
		.slice(0, SHOWN_COLUMNS);
	const rows = records.slice(0, SHOWN_ROWS).map((record) => columns.map((name) => record[name]));
	const rest = records.length - SHOWN_ROWS;
	return table(columns, rows) + (rest > 0 ? `\n… and ${rest} more` : '');
}

function cell(value: unknown): string {
	const text = String(value ?? '');
	return text.length > CELL_WIDTH ? `${text.slice(0, CELL_WIDTH - 1)}…` : text;
}
