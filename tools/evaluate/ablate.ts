import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { GROUPS, keyOf, MINIMUMS, type Measurement } from './measure';
import { RULES, type Rule } from './rules';

const ROOT = join(__dirname, '..', '..');
const ENRICH = join('nodes', 'CompanyRegistry', 'enrich');
const COPIED = ['nodes', 'credentials', 'sandbox', 'tools', 'package.json', 'tsconfig.json'];

export interface Ablation {
	rule: string;
	measurement: Measurement;
}

/**
 * Measures the matching without each of its rules, one at a time. A rule is switched off by a changed
 * line in a copy of the sources, so that the sources know nothing of switches.
 */
export async function ablate(report: (ablation: Ablation) => void): Promise<void> {
	const rest: Array<Rule | undefined> = [undefined, ...RULES];
	const work = async () => {
		for (let index = rest.length; index > 0 && rest.length > 0; index--) {
			const rule = rest.shift();
			report({ rule: rule?.name ?? NOTHING, measurement: await measureWithout(rule) });
		}
	};
	await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
}

export const NOTHING = '(nothing)';

async function measureWithout(rule: Rule | undefined): Promise<Measurement> {
	const copy = mkdtempSync(join(tmpdir(), 'ablation-'));
	try {
		for (const each of COPIED) cpSync(join(ROOT, each), join(copy, each), { recursive: true });
		symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
		for (const change of rule?.changes ?? []) {
			const file = join(copy, ENRICH, change.file);
			writeFileSync(file, withChange(readFileSync(file, 'utf8'), change, rule?.name ?? ''));
		}
		const tsx = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs');
		const script = join(copy, 'tools', 'evaluate', 'measure.ts');
		const { stdout } = await promisify(execFile)(process.execPath, [tsx, script], { cwd: copy });
		return JSON.parse(stdout) as Measurement;
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

/** @throws Error when the rule stands nowhere, or in several places */
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

/** What a table shows of a measurement: changes of right and wrong companies against the whole. */
export function differencesOf(whole: Measurement, { measurement }: Ablation): string[] {
	const cells = Object.keys(GROUPS).flatMap((group) =>
		MINIMUMS.map((minimum) => {
			const key = keyOf(group, minimum);
			const [now, then] = [measurement.counts[key], whole.counts[key]];
			if (!now || !then) return '';
			const wrong = now.wrong - then.wrong;
			return `${signed(now.right - then.right)}${wrong === 0 ? '' : ` (${signed(wrong)} wrong)`}`;
		}),
	);
	return [...cells, signed(measurement.searches - whole.searches)];
}

const signed = (number: number) => (number > 0 ? `+${number}` : String(number));
