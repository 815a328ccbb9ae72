import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { differencesOf, withChange } from '../../tools/evaluate/ablate';
import { outcomeOf } from '../../tools/evaluate/evaluate';
import { SETS } from '../../tools/evaluate/pairs';
import { RULES } from '../../tools/evaluate/rules';

const enrich = join(__dirname, '..', '..', 'nodes', 'CompanyRegistry', 'enrich');

describe('Ablation of matching rules', () => {
	it.each(RULES.map((rule) => [rule.name, rule] as const))(
		'the rule "%s" can be switched off',
		(name, { changes }) => {
			for (const change of changes) {
				const text = readFileSync(join(enrich, change.file), 'utf8');
				expect(withChange(text, change, name)).not.toBe(text);
			}
		},
	);

	it('withChange fails if a rule’s text is missing or occurs twice', () => {
		const change = { file: 'any.ts', from: 'a', to: 'b' };
		expect(() => withChange('c', change, 'Rule')).toThrow('no place(s)');
		expect(() => withChange('aa', change, 'Rule')).toThrow('several place(s)');
		expect(withChange('cac', change, 'Rule')).toBe('cbc');
	});

	it('differencesOf shows how the numbers change without a rule', () => {
		const of = (right: number, wrong: number, searches: number) => ({
			counts: { 'unseen, strong': { right, wrong }, 'unseen, likely': { right, wrong: 1 } },
			searches,
		});
		expect(differencesOf(of(10, 1, 10), of(8, 3, 12))).toEqual([
			'',
			'',
			'',
			'',
			'-2 (+2 wrong)',
			'-2',
			'+2',
		]);
	});
});

it('outcomeOf counts a near miss as wrong if any company is found', () => {
	const nearMiss = SETS.unseen.find(({ same }) => !same)!;
	expect(outcomeOf(nearMiss, undefined)).toBe('rightly none');
	expect(outcomeOf(nearMiss, nearMiss.company)).toBe('wrong company');
});
