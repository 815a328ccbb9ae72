import '../cli/resolveSources';

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Command, Option } from 'commander';

import { replaceBlock, table } from '../docs/markdown';
import { ablate, differencesOf, NOTHING, type Ablation } from './ablate';
import { evaluate, figuresOf, registerOf, type Result } from './evaluate';
import { SETS, type Pair, type SetName } from './pairs';
import { SEARCH_KINDS, type SearchKind } from './registries';
import { RULES } from './rules';

interface Options {
	set: SetName;
	failures: boolean;
	write: boolean;
	ablate: boolean;
}

async function run({ set, failures, write, ablate: isAblation }: Options): Promise<void> {
	if (isAblation) return await printAblation();
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

/** One row per rule: how many companies more are found without it, in all kinds of search. */
async function printAblation(): Promise<void> {
	const measured: Ablation[] = [];
	await ablate((ablation) => {
		measured.push(ablation);
		console.error(`${measured.length} of ${RULES.length + 1}: ${ablation.rule}`);
	});
	const whole = measured.find(({ rule }) => rule === NOTHING)?.measurement;
	if (!whole) return;
	const headings = Object.keys(whole.counts);
	const totals = headings.map((key) => {
		const { right = 0, wrong = 0 } = whole.counts[key] ?? {};
		return `${right} (${wrong} wrong)`;
	});
	const rows = measured
		.filter(({ rule }) => rule !== NOTHING)
		.sort((a, b) => order(a) - order(b))
		.map((ablation) => [ablation.rule, ...differencesOf(whole, ablation)]);
	const found = [NOTHING, ...totals, String(whole.searches)];
	console.log(table(['Switched off', ...headings, 'Searches'], [found, ...rows]));
}

const order = ({ rule }: Ablation) => RULES.findIndex(({ name }) => name === rule);

const DESCRIPTIONS: Record<SearchKind, string> = {
	'all words': 'All words, also as parts of words; diacritics are ignored',
	'any word': 'Any word, best results first',
	LIKE: 'The text as it is, diacritics matter',
	'whole words': 'All words as whole words; diacritics are ignored',
};

const COLUMNS = ['Precision', 'Recall', 'Precision at *Likely*', 'Recall at *Likely*', 'Searches'];

/** The blocks of the documentation, and the pairs whose figures they show. */
const BLOCKS: ReadonlyArray<[block: string, pairs: readonly Pair[]]> = [
	['accuracy', SETS.heldOut],
	['accuracy-names', [...SETS.measured, ...SETS.later, ...SETS.unseen]],
];

/** The figures for the documentation. */
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
	.option('--write', 'put the figures into docs/name-matching.md', false)
	.action(run)
	.parseAsync()
	.catch((error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	});
