import fc from 'fast-check';

import type { Habits } from './hostileList';

/** What happens to a watched list. */
export const step = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('add' as const),
			count: fc.integer({ min: 1, max: 9 }),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const) }) },
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('poll' as const),
			requests: fc.constantFrom(1, 2, 3, 8, 50),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('wait' as const),
			hours: fc.constantFrom(1, 10, -30, 9_000),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('publish' as const) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

/** What happens before a request: mostly nothing. */
export const between = fc.constantFrom<Array<'add' | 'delete' | 'empty' | 'fail' | undefined>>(
	undefined,
	undefined,
	undefined,
	undefined,
	'add',
	'delete',
	'delete',
	'empty',
	'fail',
);

export const habits: fc.Arbitrary<Habits> = fc.record({
	order: fc.constantFrom('newestFirst', 'oldestFirst', 'none'),
	shuffles: fc.boolean(),
	pageSize: fc.constantFrom(3, 4, 7, 20),
	perSecond: fc.constantFrom(1, 1, 2, 6),
	counters: fc.constantFrom('told', 'told', 'silent', 'promising'),
	beyond: fc.constantFrom<Habits['beyond'][]>('empty', 404, 422, 'lastPage'),
});
