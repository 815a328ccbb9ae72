import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PLANS } from '../../nodes/CompanyRegistry/api';
import { ENRICHED_ROW } from '../../nodes/CompanyRegistry/enrich/item';

const ROOT = join(__dirname, '..', '..');

/** The cells of a page's table that begins with this heading row. */
function tableIn(file: string, heading: string): string[][] {
	const page = readFileSync(join(ROOT, 'docs', file), 'utf8');
	const [, after] = page.split(`${heading}\n`);
	const rows = /^\|[-|]+\n((?:\|.*\n)+)/.exec(after ?? '')?.[1] ?? '';
	return rows
		.trim()
		.split('\n')
		.map((row) => row.slice(2, -2).split(' | '));
}

const numberIn = (text = '') => Number(text.replace(/\D/g, ''));

const plans = Object.entries({ V1: PLANS.v1, Unversioned: PLANS.unversioned }).flatMap(
	([api, ofApi]) =>
		Object.values(ofApi).map(({ perDay, perMinute }) => `${api} ${perDay} ${perMinute}`),
);

it('rate-limits.md shows the plans’ limits', () => {
	const shown = tableIn('rate-limits.md', '| API | Plan | Requests a day | Requests a minute |')
		.filter(([, plan]) => plan !== 'Enterprise')
		.map(([api, , perDay, perMinute]) => `${api} ${numberIn(perDay)} ${numberIn(perMinute)}`);
	expect(shown.sort()).toEqual([...plans].sort());
});

/** The part of the quota that a trigger's default budget takes. */
const SHARE = 0.8;

it.each([
	['alone', 'Rows', 1],
	['next to a trigger that spends its default budget', 'Rows, next to such a trigger', 1 - SHARE],
])('rate-limits.md shows how many days a list takes %s', (_, heading, share) => {
	const table = tableIn(
		'rate-limits.md',
		`| ${heading} | 100 requests a day | 1,000 a day | 10,000 a day |`,
	);
	expect(table).toHaveLength(3);
	for (const [rows, ...days] of table) {
		const expected = [100, 1_000, 10_000].map((perDay) => {
			return Math.ceil(numberIn(rows) / Math.round(perDay * share));
		});
		expect(days.map(numberIn)).toEqual(expected);
	}
});

/** For example "every 15 hours", "about every 6 days" or "16 times a day", in checks per day. */
function checksPerDay(text = ''): number {
	const times = numberIn(text);
	if (text.includes('times a day')) return times;
	const days = { hours: 1 / 24, days: 1, weeks: 7 }[text.split(' ').at(-1)!];
	return 1 / (times * days!);
}

it('trigger.md shows how often the trigger’s budget lets a company be checked', () => {
	const budgets = tableIn(
		'trigger.md',
		'| Plan (budget) | 50 companies | 500 companies | 5,000 companies |',
	);
	expect(budgets).toHaveLength(4);
	for (const [plan, ...shown] of budgets) {
		const perDay = numberIn(plan?.split('(')[1]);
		for (const [index, text] of shown.entries()) {
			const expected = Math.min(96, perDay / [50, 500, 5_000][index]!);
			expect(checksPerDay(text) / expected).toBeCloseTo(1, 0.5);
		}
	}
});

it('trigger.md shows how many companies the polls of each plan can check in a day', () => {
	const limits = tableIn('rate-limits.md', '| API | Plan | Requests a day | Requests a minute |');
	const rows = tableIn(
		'trigger.md',
		'| Plan (budget) | Every 15 minutes | Every hour | Every day |',
	);
	expect(rows).toHaveLength(5);
	for (const [plan = '', ...cells] of rows) {
		const budget = numberIn(plan.split('(')[1]);
		const perMinute = numberIn(limits.find(([, name]) => name === plan.split(' (')[0])![3]);
		const shown = cells.map((cell) => cell.split(' or ').map(numberIn));
		const expected = [96, 24, 1].map((polls) => {
			// A poll has time for one window of the rate limit, or for four.
			const [durable, classic] = [1, 4].map((windows) =>
				Math.min(budget, polls * perMinute * windows),
			);
			return durable === classic ? [durable] : [durable, classic];
		});
		expect(shown).toEqual(expected);
	}
});

it('README shows the accuracy that was measured, with easy and with hard lists', () => {
	const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
	const benchmarks = 'maintainers/benchmarks.md';
	const easy = tableIn(
		benchmarks,
		'| Names from | Rows | Found | Ambiguous | Not found | Wrong |',
	).map((row) => row.slice(1).map(numberIn));
	const [rows = 0, found = 0, , , wrong] = easy[0]!.map((_, index) =>
		easy.reduce((sum, row) => sum + row[index]!, 0),
	);
	expect(wrong).toBe(0);
	expect(readme).toContain(`${rows.toLocaleString('en')} names`);
	expect(readme).toContain(`found ${((100 * found) / rows).toFixed(1)}%, with no wrong match`);
	const [heading = ''] = /^\| Rows \| Search .*$/m.exec(
		readFileSync(join(ROOT, 'docs', benchmarks), 'utf8'),
	)!;
	const hard = tableIn(benchmarks, heading);
	expect(hard.map(([, , precision]) => precision)).toEqual(hard.map(() => '1.00'));
	const recalls = hard.map(([, , , recall]) => Math.round(100 * Number(recall)));
	expect(readme).toContain(`found ${Math.min(...recalls)}% to ${Math.max(...recalls)}%`);
});

it('company-registry.md lists the columns that Enrich adds', () => {
	const rows = tableIn('company-registry.md', '| Column | Type | Meaning |');
	const named = rows.flatMap(([cell = '']) =>
		[...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
	);
	expect(named.sort()).toEqual(Object.keys(ENRICHED_ROW).sort());
});

it('the palette finds each node by words that stand once, and promise nothing it can’t do', () => {
	const files = ['LinkManagement', 'CompanyRegistry'].flatMap((folder) =>
		readdirSync(join(ROOT, 'nodes', folder))
			.filter((name) => name.endsWith('.node.json'))
			.map((name) => join(ROOT, 'nodes', folder, name)),
	);
	expect(files).toHaveLength(4);
	for (const file of files) {
		const { alias } = JSON.parse(readFileSync(file, 'utf8')) as { alias: string[] };
		expect(alias).toEqual([...new Set(alias)]);
		expect(alias.filter((word) => /shorten|click|clicuri|клик|\bVAT\b/i.test(word))).toEqual([]);
	}
});
