import { z } from 'zod';
import { rateLimitSchema } from '../shared/rateLimit';
import { commonSettings } from '../shared/settings';

/**
 * The service's lists by the sandbox's names, with the initial number of rows (for `items`, in the
 * first channel), and the list's code for success: the service writes it either way. Each list has
 * several pages even with the largest page size.
 */
export const LISTS = {
	campaigns: { count: 75, error: 0 },
	channels: { count: 60, error: '0' },
	domains: { count: 55, error: '0' },
	files: { count: 180, error: 0 },
	items: { count: 64, error: 0 },
	overlays: { count: 52, error: '0' },
	pixels: { count: 70, error: 0 },
	qrs: { count: 90, error: '0' },
	splash: { count: 51, error: 0 },
} as const;

export type ListName = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as ListName[];

/** The lists whose rows are in a store; the items of a channel refer to them. */
export type StoredList = Exclude<ListName, 'items'>;
export const STORED_LISTS = LIST_NAMES.filter((list) => list !== 'items') as [
	StoredList,
	...StoredList[],
];

const count = z.number().int().min(0);
const countOf = (list: ListName) => count.default(LISTS[list].count);

export const linkSettingsSchema = z
	.object({
		...commonSettings,
		rateLimit: rateLimitSchema.default({}),
		/** A larger `limit` is reduced to this; `perpage` shows it. */
		maxPageSize: z.number().int().min(1).default(50),
		/** Number of records at the start. */
		counts: z
			.object({
				...(Object.fromEntries(LIST_NAMES.map((list) => [list, countOf(list)])) as Record<
					ListName,
					ReturnType<typeof countOf>
				>),
				links: count.default(260),
				bios: count.default(20),
			})
			.strict()
			.default({}),
	})
	.strict();

export type LinkSettings = z.infer<typeof linkSettingsSchema>;
