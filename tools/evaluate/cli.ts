import '../cli/resolveSources';

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Command, Option } from 'commander';

import { replaceBlock, table } from '../docs/markdown';
import { ablate, differencesOf } from './ablate';
import { evaluate, figuresOf, registerOf, type Result } from './evaluate';
import type { Measurement } from './measure';
import { SETS, type Pair, type SetName } from './pairs';
import { SEARCH_KINDS, type SearchKind } from './registries';

interface Options {
	set: SetName;
	failures: boolean;
	write: boolean;
	ablate: boolean;
}

async function run({ set, failures, write, ablate: isAblation }: Options): Promise<void> {
	if (isAblation) return await ablateRules(write);
	for (const kind of SEARCH_KINDS) {
		const register = registerOf(kind);
		const results = await evaluate(SETS[set], register);
		const perRow = (register.requests / results.length).toFixed(2);
		console.log(`\n${kind}: ${inWords(results)}, ${perRow} searches per row`);
		for (const pairKind of new Set(results.map(({ pair }) => pair.kind))) {
			const ofKind = results.filter(({ pair }) => pair.kind === pairKind);
			console.log(`  ${pairKind}: ${inWords(ofKind)}`);
		}
		if (failures) results.forEach(printFailure);
	}
	if (write) await writeFigures();
}

function inWords(results: readonly Result[]): string {
	const { precision, recall, listed } = figuresOf(results);
	const [p, r, l] = [precision, recall, listed].map(share);
	return `${results.length} pairs, precision ${p}, recall ${r}, ${l} of the misses listed`;
}

/** A dash if there was nothing to count. */
function share(value: number | undefined): string {
	return value === undefined ? '–' : value.toFixed(2);
}

function printFailure({ pair, outcome, found, listed, reason }: Result): void {
	if (outcome !== 'missed' && outcome !== 'wrong company') return;
	const sign = pair.same ? '=' : '≠';
	const what = found ?? `${listed ? '(listed) ' : ''}${reason ?? ''}`;
	console.log(`    ${outcome}: ${pair.row} ${sign} ${pair.company}; ${what}`);
}

const ABLATION = join(__dirname, 'ablation.md');

/** One row per rule: how many more or fewer companies are found without it, over all searches. */
async function ablateRules(write: boolean): Promise<void> {
	const rows: string[][] = [];
	let whole: Measurement | undefined;
	for await (const { rule, measurement } of ablate()) {
		whole ??= measurement;
		const totals = Object.values(measurement.counts).map(
			({ right, wrong }) => `${right} (${wrong} wrong)`,
		);
		const cells =
			rule === undefined
				? ['*nothing*', ...totals, String(measurement.searches)]
				: [rule, ...differencesOf(whole, measurement)];
		rows.push(cells);
		console.log(`| ${cells.join(' | ')} |`);
	}
	if (!write || !whole) return;
	const headings = ['Without', ...Object.keys(whole.counts), 'Searches'];
	const date = new Date().toISOString().slice(0, 10);
	const text = replaceBlock(
		readFileSync(ABLATION, 'utf8'),
		'ablation',
		`Measured on ${date}.\n\n${table(headings, rows)}`,
	);
	writeFileSync(ABLATION, text);
}

const DESCRIPTIONS: Record<SearchKind, string> = {
	'all words': 'All words or parts of words, ignoring diacritics',
	'any word': 'Any word, best results first',
	LIKE: 'The exact text, including diacritics',
	'whole words': 'All words as whole words, ignoring diacritics',
};

const COLUMNS = ['Precision', 'Recall', 'Precision at *Likely*', 'Recall at *Likely*', 'Searches'];

/** The blocks of the documentation, and the pairs whose figures they show. */
const BLOCKS: ReadonlyArray<[block: string, pairs: readonly Pair[]]> = [
	['accuracy', SETS.heldOut],
	['accuracy-names', [...SETS.measured, ...SETS.later, ...SETS.unseen]],
	['accuracy-blind', SETS.blind],
];

/** Writes the figures into the documentation. */
async function writeFigures(): Promise<void> {
	const file = join(__dirname, '..', '..', 'docs', 'name-matching.md');
	let text = readFileSync(file, 'utf8');
	for (const [block, pairs] of BLOCKS) {
		const rows: string[][] = [];
		for (const kind of SEARCH_KINDS) {
			const register = registerOf(kind);
			const strong = figuresOf(await evaluate(pairs, register));
			const perRow = register.requests / pairs.length;
			const likely = figuresOf(await evaluate(pairs, register, 'likely'));
			const shares = [strong.precision, strong.recall, likely.precision, likely.recall];
			rows.push([DESCRIPTIONS[kind], ...shares.map(share), perRow.toFixed(2)]);
		}
		text = replaceBlock(text, block, table(['The service searches by', ...COLUMNS], rows));
	}
	writeFileSync(file, text);
}

new Command('npm run evaluate --')
	.description('Measures how well Company: Enrich finds companies by their names')
	.addOption(
		new Option('--set <name>', 'which pairs').choices(Object.keys(SETS)).default('heldOut'),
	)
	.option('--failures', 'list what went wrong', false)
	.option('--ablate', 'measure the matching without each of its rules', false)
	.option(
		'--write',
		'put the figures into docs/name-matching.md, or the ablation into tools/evaluate/ablation.md',
		false,
	)
	.action(run)
	.parseAsync()
	.catch((error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	});
