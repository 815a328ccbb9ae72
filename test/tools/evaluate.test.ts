import { outcomeOf } from '../../tools/evaluate/evaluate';
import { SETS } from '../../tools/evaluate/pairs';

it('outcomeOf counts a near miss as wrong if any company is found', () => {
	const nearMiss = SETS.unseen.find(({ same }) => !same)!;
	expect(outcomeOf(nearMiss, undefined)).toBe('rightly none');
	expect(outcomeOf(nearMiss, nearMiss.company)).toBe('wrong company');
});
