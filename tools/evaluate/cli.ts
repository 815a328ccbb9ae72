import '../cli/resolveSources';

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Command, Option } from 'commander';

import { replaceBlock } from '../docs/blocks';
import { evaluate, figuresOf, registerOf } from './evaluate';
import type { Result } from './evaluate';
import { SETS } from './pairs';
import type { SetName } from './pairs';
import { SEARCH_KINDS } from './registries';
import type { SearchKind } from './registries';

interface Options {
	set: SetName;
	minimum: 'exact' | 'strong' | 'likely';
	searches: string;
	failures: boolean;
	write: boolean;
}

async function run({ set, minimum, searches, failures, write }: Options): Promise<void> {
	for (const kind of SEARCH_KINDS) {
		const register = registerOf(kind);
		const results = await evaluate(SETS[set], register, minimum, Number(searches));
		const perRow = (register.requests / results.length).toFixed(2);
		console.log(`\n${kind}: ${inWords(results)}, ${perRow} searches per row`);
		for (const pairKind of new Set(results.map(({ pair }) => pair.kind))) {
			console.log(
				`  ${pairKind}: ${inWords(results.filter(({ pair }) => pair.kind === pairKind))}`,
			);
		}
		if (failures) results.filter(isFailure).forEach(printFailure);
	}
	if (write) await writeFigures();
}

function inWords(results: readonly Result[]): string {
	const { precision, recall, listed } = figuresOf(results);
	const [p, r, l] = [precision, recall, listed].map(share);
	return `${results.length} pairs, precision ${p}, recall ${r}, ${l} of the misses listed`;
}

/** Of nothing there is no share. */
function share(value: number | undefined): string {
	return value === undefined ? '–' : value.toFixed(2);
}

function isFailure({ outcome }: Result): boolean {
	return outcome === 'missed' || outcome === 'wrong company';
}

function printFailure({ pair, outcome, found, listed, reason }: Result): void {
	const sign = pair.same ? '=' : '≠';
	const what = found ?? `${listed ? '(listed) ' : ''}${reason ?? ''}`;
	console.log(`    ${outcome}: ${pair.row} ${sign} ${pair.company}; ${what}`);
}

const DESCRIPTIONS: Record<SearchKind, string> = {
	'all words': 'All words, also as parts of words; diacritics are ignored',
	'any word': 'Any word, best results first',
	LIKE: 'The text as it is, diacritics matter',
	'whole words': 'All words as whole words; diacritics are ignored',
};

/** The figures for the documentation. */
async function writeFigures(): Promise<void> {
	const earlier = [...SETS.measured, ...SETS.later];
	const rows: string[] = [];
	for (const kind of SEARCH_KINDS) {
		const cells: string[] = [];
		for (const set of [SETS.heldOut, earlier]) {
			const register = registerOf(kind);
			const strong = figuresOf(await evaluate(set, register));
			const perRow = register.requests / set.length;
			const likely = figuresOf(await evaluate(set, register, 'likely'));
			cells.push(share(strong.precision), share(strong.recall));
			cells.push(share(likely.precision), share(likely.recall), perRow.toFixed(2));
		}
		rows.push(`| ${DESCRIPTIONS[kind]} | ${cells.join(' | ')} |`);
	}
	const columns = [
		'Precision',
		'Recall',
		'Precision at *Likely*',
		'Recall at *Likely*',
		'Searches',
	];
	const table = [
		`| The service searches by | ${columns.join(' | ')} | ${columns.map((name) => `${name} (names)`).join(' | ')} |`,
		`|---|${'---|'.repeat(columns.length * 2)}`,
		...rows,
	].join('\n');
	const file = join(__dirname, '..', '..', 'docs', 'name-matching.md');
	writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), 'accuracy', table));
}

new Command()
	.description('Measures how well Company: Enrich finds companies by their names')
	.addOption(
		new Option('--set <name>', 'which pairs').choices(Object.keys(SETS)).default('heldOut'),
	)
	.addOption(
		new Option('--minimum <quality>', 'least quality of a match')
			.choices(['exact', 'strong', 'likely'])
			.default('strong'),
	)
	.option('--searches <number>', 'searches per name', '2')
	.option('--failures', 'list what went wrong', false)
	.option('--write', 'put the figures into docs/name-matching.md', false)
	.action(run)
	.parseAsync()
	.catch((error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	});
