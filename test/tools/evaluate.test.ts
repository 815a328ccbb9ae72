import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { differencesOf, withChange } from '../../tools/evaluate/ablate';
import { outcomeOf } from '../../tools/evaluate/evaluate';
import { SETS } from '../../tools/evaluate/pairs';
import { RULES } from '../../tools/evaluate/rules';

const enrich = join(__dirname, '..', '..', 'nodes', 'CompanyRegistry', 'enrich');

describe('a rule of the matching', () => {
	it.each(RULES.map((rule) => [rule.name, rule] as const))(
		'can be switched off by one change: %s',
		(name, { changes }) => {
			for (const change of changes) {
				const text = readFileSync(join(enrich, change.file), 'utf8');
				expect(withChange(text, change, name)).not.toBe(text);
			}
		},
	);

	it('is unknown where its text is not, or is there twice', () => {
		const change = { file: 'any.ts', from: 'a', to: 'b' };
		expect(() => withChange('c', change, 'Rule')).toThrow('no place(s)');
		expect(() => withChange('aa', change, 'Rule')).toThrow('several place(s)');
		expect(withChange('cac', change, 'Rule')).toBe('cbc');
	});

	it('is shown by what changes without it', () => {
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

it('a near miss is wrong when any company is found', () => {
	const nearMiss = SETS.unseen.find(({ same }) => !same)!;
	expect(outcomeOf(nearMiss, undefined)).toBe('rightly none');
	expect(outcomeOf(nearMiss, nearMiss.company)).toBe('wrong company');
});
