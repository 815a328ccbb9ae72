import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

import { wholeNumber } from '../sandbox/shared/cliOptions';
import { interrupted, runProgram } from '../tools/cli/program';
import { replaceBlock, table } from '../tools/docs/markdown';
import { provideHost, run, type Host } from '../tools/host';
import { buildPackage, readManifest } from '../tools/package';
import { overhead } from './overhead';
import type { Findings, Row } from './part';
import { returnAll } from './returnAll';
import { underLimit } from './underLimit';

const PARTS = { overhead, returnAll, underLimit };
type PartName = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as PartName[];
const DOCUMENT = join(__dirname, 'README.md');

const { only, rounds, build } = new Command('npm run bench --')
	.description('Measures the nodes in a real n8n and updates bench/README.md.')
	.option('--only <parts>', `some of ${NAMES.join(',')}`, partNames, NAMES)
	.option('--rounds <number>', 'number of counted rounds', wholeNumber(1), 7)
	.option('--no-build', 'use the last build of the package')
	.parse()
	.opts<{ only: PartName[]; rounds: number; build: boolean }>();

// An interrupted program exits, which ends n8n.
void runProgram(async (signal) => await Promise.race([measure(), interrupted(signal)]));

async function measure(): Promise<void> {
	const host = await provideHost({ onProgress: console.log });
	if (build) await buildPackage();
	for (const name of only) {
		console.log(`\n${name}`);
		const before = await circumstances(host);
		const findings = await PARTS[name](rounds, (line) => console.log(`  ${line}`));
		const markdown = markdownOf(findings, before);
		await writeFile(DOCUMENT, replaceBlock(await readFile(DOCUMENT, 'utf8'), name, markdown));
		console.log(`\n${markdown}`);
	}
}

function partNames(value: string): PartName[] {
	const wanted = value.split(',').map((name) => name.trim());
	const unknown = wanted.find((name) => !NAMES.includes(name as PartName));
	if (unknown !== undefined) throw new InvalidArgumentError(`There is no part "${unknown}".`);
	return wanted as PartName[];
}

/** When, where and with what a part was measured. */
async function circumstances({ dir, nodePath }: Host): Promise<string> {
	const { version } = await readManifest(join(dir, 'node_modules', 'n8n'));
	const node = (await run(nodePath, ['--version'])).trim();
	const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
	const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memory}`;
	const load = loadavg()[0]?.toFixed(1);
	const date = new Date().toISOString().slice(0, 10);
	return `${date}; ${machine}, load ${load} at the start; n8n ${version}, Node ${node}.`;
}

/** How it was measured, the table, the targets. */
function markdownOf({ setting, rows, targets }: Findings, measuredWith: string): string {
	const tableOf = (lines: Row[]) =>
		table(
			Object.keys(lines[0] ?? {}),
			lines.map((line) => Object.values(line).map(String)),
		);
	return [setting, tableOf(rows), tableOf(targets), `_${measuredWith}_`].join('\n\n');
}
