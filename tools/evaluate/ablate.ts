import {
	cpSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type * as Evaluation from './evaluate';
import { GROUPS, keyOf, measure, MINIMUMS, type Measurement } from './measure';
import { SEARCH_KINDS } from './registries';
import { RULES, type Rule } from './rules';

const ROOT = join(__dirname, '..', '..');
const ENRICH = join('nodes', 'CompanyRegistry', 'enrich');
const COPIED = ['nodes', 'sandbox', 'tools', 'package.json', 'tsconfig.json'];

export interface Ablation {
	/** The rule that was switched off; undefined if all rules were on. */
	rule?: string;
	measurement: Measurement;
}

/**
 * Measures the matching as it is, then without each of its rules. A rule is switched off by changing a
 * line in a copy of the sources, so the sources themselves don't need switches.
 */
export async function* ablate(): AsyncGenerator<Ablation> {
	// The real path, as in the cache of loaded modules.
	const copy = realpathSync(mkdtempSync(join(tmpdir(), 'ablation-')));
	try {
		for (const each of COPIED) cpSync(join(ROOT, each), join(copy, each), { recursive: true });
		symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
		const evaluation = evaluationIn(copy);
		// Registers don't depend on the rules and cache their searches, so every measurement reuses them.
		const registers = SEARCH_KINDS.map((kind) => evaluation.registerOf(kind));
		yield { measurement: await measure(registers, evaluation.evaluateAt) };
		for (const rule of RULES) {
			const restore = switchOff(rule, copy);
			yield {
				rule: rule.name,
				measurement: await measure(registers, evaluationIn(copy).evaluateAt),
			};
			restore();
		}
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

const load = createRequire(__filename);

/** Loads the evaluation from a copy of the sources, with the current state of their matching. */
function evaluationIn(copy: string): typeof Evaluation {
	const file = join(copy, 'tools', 'evaluate', 'evaluate.ts');
	for (const loaded of Object.keys(load.cache)) {
		if (loaded === file || loaded.startsWith(join(copy, ENRICH))) delete load.cache[loaded];
	}
	return load(file) as typeof Evaluation;
}

function switchOff({ name, changes }: Rule, copy: string): () => void {
	const files = changes.map((change) => {
		const file = join(copy, ENRICH, change.file);
		const text = readFileSync(file, 'utf8');
		writeFileSync(file, withChange(text, change, name));
		return { file, text };
	});
	return () => files.forEach(({ file, text }) => writeFileSync(file, text));
}

/** @throws Error unless the text to replace occurs exactly once */
export function withChange(
	text: string,
	{ from, to }: Rule['changes'][number],
	name: string,
): string {
	const [before = '', after, ...others] = text.split(from);
	if (after === undefined || others.length > 0) {
		throw new Error(
			`The rule "${name}" has ${others.length === 0 ? 'no' : 'several'} place(s): ${from}`,
		);
	}
	return `${before}${to}${after}`;
}

/** How the numbers of right and wrong companies change, as the cells of a table. */
export function differencesOf(whole: Measurement, without: Measurement): string[] {
	const cells = Object.keys(GROUPS).flatMap((group) =>
		MINIMUMS.map((minimum) => {
			const key = keyOf(group, minimum);
			const [now, then] = [without.counts[key], whole.counts[key]];
			if (!now || !then) return '';
			const wrong = now.wrong - then.wrong;
			return `${signed(now.right - then.right)}${wrong === 0 ? '' : ` (${signed(wrong)} wrong)`}`;
		}),
	);
	return [...cells, signed(without.searches - whole.searches)];
}

const signed = (number: number) => (number > 0 ? `+${number}` : String(number));
