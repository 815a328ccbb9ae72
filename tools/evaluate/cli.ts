import '../cli/resolveSources';

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Command } from 'commander';

import { replaceBlock } from '../docs/blocks';
import { evaluate, figuresOf } from './evaluate';
import type { Result } from './evaluate';
import { later, measured, pairs, tunedOn } from './pairs';
import type { Pair } from './pairs';
import { SEARCH_KINDS } from './registries';
import type { SearchKind } from './registries';

const SETS: Record<string, readonly Pair[]> = { tuning: tunedOn, measured, later };
const VARIANTS = ['v1', 'unversioned'] as const;

const ALL = [...pairs, ...later];

interface Options {
	set: string;
	requests: string;
	failures: boolean;
	write: boolean;
}

async function run({ set, requests, failures, write }: Options): Promise<void> {
	const chosen = SETS[set];
	if (!chosen) throw new Error(`There is no set "${set}", only ${Object.keys(SETS).join(', ')}`);
	for (const kind of SEARCH_KINDS) {
		for (const variant of VARIANTS) {
			const results = await evaluate(chosen, ALL, kind, variant, Number(requests));
			console.log(`\n${kind}, ${variant}: ${inWords(results)}`);
			if (variant !== 'unversioned') continue;
			for (const [pairKind, ofKind] of byKind(results)) {
				console.log(`  ${pairKind}: ${inWords(ofKind)}`);
			}
			if (failures) results.filter(isFailure).forEach(printFailure);
		}
	}
	if (write) await writeFigures();
}

function inWords(results: readonly Result[]): string {
	const { precision, recall, requests } = figuresOf(results);
	const [p, r] = [precision, recall].map(share);
	return `${results.length} pairs, precision ${p}, recall ${r}, ${requests.toFixed(2)} searches per name`;
}

/** Of nothing there is no share. */
function share(value: number | undefined): string {
	return value === undefined ? '–' : value.toFixed(2);
}

function byKind(results: readonly Result[]): Map<string, Result[]> {
	const kinds = new Map<string, Result[]>();
	for (const result of results) {
		const { kind } = result.pair;
		kinds.set(kind, [...(kinds.get(kind) ?? []), result]);
	}
	return kinds;
}

function isFailure({ outcome }: Result): boolean {
	return outcome === 'missed' || outcome === 'wrong company';
}

function printFailure({ pair, outcome, found, reason }: Result): void {
	const sign = pair.same ? '=' : '≠';
	console.log(`    ${outcome}: ${pair.row} ${sign} ${pair.company}; ${found ?? reason ?? ''}`);
}

/** The figures of the measured half and of the later pairs, into the documentation. */
async function writeFigures(): Promise<void> {
	const rows: string[] = [];
	for (const kind of SEARCH_KINDS) {
		const [half, last] = await Promise.all(
			[measured, later].map(async (set) =>
				figuresOf(await evaluate(set, ALL, kind, 'unversioned')),
			),
		);
		const cells = [half, last].flatMap((figures) => [
			share(figures?.precision),
			share(figures?.recall),
			figures?.requests.toFixed(2),
		]);
		rows.push(`| ${DESCRIPTIONS[kind]} | ${cells.join(' | ')} |`);
	}
	const table = [
		`| The service searches by | Precision | Recall | Searches per name | Precision (later pairs) | Recall | Searches per name |`,
		'|---|---|---|---|---|---|---|',
		...rows,
	].join('\n');
	const text = `Measured with ${measured.length} pairs of names that were set aside while the rules were tuned, and ${later.length} that were written later, with default settings (\`npm run evaluate\`). Failures in both sets led to a few changes since then. *Precision* is the share of right companies among those found, *recall* the share of companies found among those that are meant. The pairs are made up and harder than most lists: a third of them are near misses.\n\n${table}`;
	const file = join(__dirname, '..', '..', 'docs', 'company-registry.md');
	writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), 'accuracy', text));
}

const DESCRIPTIONS: Record<SearchKind, string> = {
	'all words': 'All words, also as parts of words; diacritics do not matter',
	'any word': 'Any word, best results first',
	LIKE: 'The text as it is, diacritics matter',
	'whole words': 'All words as whole words; diacritics do not matter',
};

new Command()
	.description('Measures how well Company: Enrich finds companies by their names')
	.option('--set <name>', 'which pairs: tuning, measured or later', 'measured')
	.option('--requests <number>', 'requests per row', '2')
	.option('--failures', 'list what went wrong', false)
	.option('--write', 'put the figures into docs/company-registry.md', false)
	.action(run)
	.parseAsync()
	.catch((error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	});
