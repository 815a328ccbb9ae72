import Table from 'cli-table3';
import type { LoggedRequest, Sandbox } from '../../sandbox';

const CELL_WIDTH = 48;
const REJECTED = 429;

/** Returns a function that summarizes the sandbox's requests from now on in one line. */
export function requestsFromNow(sandbox: Sandbox): () => string {
	const start = Date.now();
	const earlier = new Set(requestsOf(sandbox));
	return () => {
		const requests = requestsOf(sandbox).filter((request) => !earlier.has(request));
		const rejected = requests.filter(({ status }) => status === REJECTED).length;
		const seconds = ((Date.now() - start) / 1000).toFixed(1);
		return `${requests.length} requests, ${rejected || 'no'} rejections, ${seconds} s`;
	};
}

function requestsOf({ links, registry }: Sandbox): LoggedRequest[] {
	return [links, registry.v1, registry.unversioned].flatMap(({ requests }) => requests);
}

/** A table of any values, with empty cells for undefined and null, and numbers aligned right. */
export function table(head: string[], rows: unknown[][]): string {
	const isNumeric = (column: number) =>
		rows.every((row) => /^[\d,.]+( \w+)?$/.test(cell(row[column])));
	const colAligns = head.map((_, column) => (isNumeric(column) ? 'right' : 'left'));
	// No colors, so that a table reads the same in a terminal, a log and a test.
	const drawn = new Table({ head, colAligns, style: { head: [], border: [], compact: true } });
	for (const row of rows) drawn.push(row.map(cell));
	return drawn.toString();
}

function cell(value: unknown): string {
	const text = String(value ?? '');
	return text.length > CELL_WIDTH ? `${text.slice(0, CELL_WIDTH - 1)}…` : text;
}
