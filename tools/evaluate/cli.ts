import '../cli/resolveSources';

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Command, Option } from 'commander';

import { SEARCH_KINDS, type SearchKind } from '../../sandbox/registry/search';
import { replaceBlock, table } from '../docs/markdown';
import { evaluate, figuresOf, registerOf, registerOfList, type Result } from './evaluate';
import { readPairs, SETS, type Pair, type SetName } from './pairs';

interface Options {
	set: SetName;
	failures: boolean;
	write: boolean;
}

async function run(file: string | undefined, options: Options): Promise<void> {
	const { set, failures, write } = options;
	const list = file === undefined ? undefined : readPairs(file);
	const pairs: readonly Pair[] = list?.pairs ?? SETS[set];
	for (const kind of SEARCH_KINDS) {
		const register = list ? registerOfList(kind, list) : registerOf(kind);
		const [strong = [], likely = []] = await evaluate(['strong', 'likely'], pairs, register);
		const perRow = (register.requests / pairs.length).toFixed(2);
		console.log(`\n${kind}: ${inWords(strong)}, ${perRow} searches a row`);
		console.log(`  at Likely: ${inWords(likely)}`);
		for (const pairKind of new Set(pairs.map((pair) => pair.kind))) {
			const ofKind = strong.filter(({ pair }) => pair.kind === pairKind);
			console.log(`  ${pairKind}: ${inWords(ofKind)}`);
		}
		if (failures) strong.forEach(printFailure);
	}
	if (write) await writeFigures();
}

function inWords(results: readonly Result[]): string {
	const { precision, recall, listed } = figuresOf(results);
	const [p, r, l] = [precision, recall, listed].map((value) => share(value, 3));
	return `${results.length} pairs, precision ${p}, recall ${r}, ${l} of the misses listed`;
}

/** A dash if there was nothing to count. */
function share(value: number | undefined, digits = 2): string {
	return value === undefined ? '–' : value.toFixed(digits);
}

function printFailure({ pair, outcome, found, listed, reason }: Result): void {
	if (outcome !== 'missed' && outcome !== 'wrong company') return;
	const sign = pair.same ? '=' : '≠';
	const what = found ?? `${listed ? '(listed) ' : ''}${reason ?? ''}`;
	console.log(`    ${outcome}: ${pair.row} ${sign} ${pair.company}; ${what}`);
}

const DESCRIPTIONS: Record<SearchKind, string> = {
	'all words': 'All words or parts',
	'any word': 'Any word, ranked',
	LIKE: 'Exact text',
	'whole words': 'Whole words',
};

/** The sets in the documentation's table, by what their rows are like. */
const DOCUMENTED: ReadonlyArray<[rows: string, pairs: readonly Pair[]]> = [
	['As in CRM exports', SETS.heldOut],
	['Every difference', SETS.blind],
];

/** Writes the figures into the documentation. */
async function writeFigures(): Promise<void> {
	const file = join(__dirname, '..', '..', 'docs', 'maintainers', 'benchmarks.md');
	const rows: string[][] = [];
	for (const [title, pairs] of DOCUMENTED) {
		for (const kind of SEARCH_KINDS) {
			const register = registerOf(kind);
			const results = await evaluate(['strong', 'likely'], pairs, register);
			const figures = results.map(figuresOf);
			const shares = figures.flatMap(({ precision, recall }) => [share(precision), share(recall)]);
			const perRow = (register.requests / pairs.length).toFixed(2);
			rows.push([title, DESCRIPTIONS[kind], ...shares, perRow]);
		}
	}
	const headings = [
		'Precision',
		'Recall',
		'Precision at *Likely*',
		'Recall at *Likely*',
		'Searches per row',
	];
	const block = table(['Rows', 'Search', ...headings], rows);
	writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), 'accuracy', block));
}

new Command('npm run evaluate --')
	.description('Measures how well Company: Enrich finds companies by their names')
	.argument('[file]', 'a file of pairs that is not part of the project')
	.addOption(
		new Option('--set <name>', 'which pairs').choices(Object.keys(SETS)).default('heldOut'),
	)
	.option('--failures', 'list what went wrong', false)
	.option('--write', 'put the figures into docs/maintainers/benchmarks.md', false)
	.action(run)
	.parseAsync()
	.catch((error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	});
