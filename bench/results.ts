import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceBlock } from '../tools/docs/blocks';
import type { Circumstances } from './machine';
import type { Findings, Part, Row, Target } from './part';

const RESULTS_DIR = join(__dirname, 'results');
const DOCUMENT = join(__dirname, '..', 'docs', 'benchmarks.md');

/** What a part found, and where: the content of its file in results/. */
export interface Result extends Findings {
	title: string;
	circumstances: Circumstances;
}

/** Keeps the result, and replaces the part's table in docs/benchmarks.md by it. */
export async function keepResult(part: Part, result: Result): Promise<void> {
	await mkdir(RESULTS_DIR, { recursive: true });
	const file = join(RESULTS_DIR, `${part.name}.json`);
	await writeFile(file, `${JSON.stringify(result, roundedNumber)}\n`);
	const document = await readFile(DOCUMENT, 'utf8');
	await writeFile(DOCUMENT, replaceBlock(document, part.name, markdownOf(result)));
}

/** Digits below a hundredth are noise, and make the files three times as long. */
function roundedNumber(_key: string, value: unknown): unknown {
	return typeof value === 'number' ? Math.round(value * 100) / 100 : value;
}

/** A part's findings as Markdown: how it was measured, the table, the targets. */
export function markdownOf(result: Result): string {
	const { setting, rows, explanation, targets, circumstances } = result;
	return [
		setting,
		table(rows),
		explanation?.setting,
		explanation && table(explanation.rows),
		targets.length > 0 ? table(targets.map(targetRow)) : '',
		`_${circumstancesLine(circumstances)}_`,
	]
		.filter(Boolean)
		.join('\n\n');
}

function targetRow({ wanted, measured, met }: Target): Row {
	return { Target: wanted, Measured: measured, '': met ? 'met' : '**missed**' };
}

function circumstancesLine(circumstances: Circumstances): string {
	const { date, cpu, cores, memoryGb, load, node, n8n } = circumstances;
	const machine = `${cores} cores (${cpu}), ${memoryGb} GB`;
	return `${date}; ${machine}, load ${load} at the start; n8n ${n8n}, Node ${node}.`;
}

function table(rows: Row[]): string {
	const columns = Object.keys(rows[0] ?? {});
	const line = (cells: Array<string | number>) =>
		`| ${cells.map((cell) => String(cell).replace(/\|/g, '\\|')).join(' | ')} |`;
	return [
		line(columns),
		`|${columns.map(() => '---').join('|')}|`,
		...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
	].join('\n');
}
