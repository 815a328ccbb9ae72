import type { evaluateAt, Minimum } from './evaluate';
import { SETS } from './pairs';
import type { Register } from './registries';

/** Companies found, rightly and wrongly, over all kinds of search. */
export interface Count {
	right: number;
	wrong: number;
}

/** By set and minimum, and how many searches were sent in all. */
export interface Measurement {
	counts: Record<string, Count>;
	searches: number;
}

export const GROUPS = {
	'CRM rows': SETS.heldOut,
	names: [...SETS.measured, ...SETS.tuning, ...SETS.later, ...SETS.needed],
	unseen: SETS.unseen,
};

export const MINIMUMS: readonly Minimum[] = ['strong', 'likely'];

export const keyOf = (group: string, minimum: Minimum) => `${group}, ${minimum}`;

export async function measure(
	registers: readonly Register[],
	evaluate: typeof evaluateAt,
): Promise<Measurement> {
	const counts: Record<string, Count> = {};
	let searches = 0;
	for (const register of registers) {
		const before = register.requests;
		for (const [group, pairs] of Object.entries(GROUPS)) {
			const results = await evaluate(MINIMUMS, pairs, register);
			for (const [index, minimum] of MINIMUMS.entries()) {
				const count = (counts[keyOf(group, minimum)] ??= { right: 0, wrong: 0 });
				for (const { outcome } of results[index] ?? []) {
					if (outcome === 'right') count.right++;
					if (outcome === 'wrong company') count.wrong++;
				}
			}
		}
		searches += register.requests - before;
	}
	return { counts, searches };
}
