import { z } from 'zod';
import { rateLimitSchema } from '../shared/rateLimit';
import { commonSettings } from '../shared/settings';
import { counters } from './records';
import { ORDERS } from './rowStore';

/**
 * The service's lists by the sandbox's names, with the initial number of rows (for `items`, in the
 * first channel), and whether the list says `"error": 0` or `"error": "0"`. Each list has several
 * pages even with the largest page size.
 */
const LISTS = {
	campaigns: [75, 'number'],
	channels: [60, 'string'],
	domains: [55, 'string'],
	files: [180, 'number'],
	items: [64, 'number'],
	overlays: [52, 'string'],
	pixels: [70, 'number'],
	qrs: [90, 'string'],
	splash: [51, 'number'],
} as const;

export type ListName = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as [ListName, ...ListName[]];

/** The lists whose rows are in a store; the items of a channel refer to them. */
export type StoredList = Exclude<ListName, 'items'>;
export const STORED_LISTS = LIST_NAMES.filter((list) => list !== 'items') as [
	StoredList,
	...StoredList[],
];

/** An object with one value per list. */
function byList<T>(value: (list: ListName) => T): Record<ListName, T> {
	return Object.fromEntries(LIST_NAMES.map((list) => [list, value(list)])) as Record<ListName, T>;
}

/** One setting per list. */
function perList<T extends z.ZodTypeAny>(schema: (list: ListName) => T) {
	return z.object(byList(schema)).strict();
}

const count = z.number().int().min(0);

export const linkSettingsSchema = z
	.object({
		...commonSettings,
		rateLimit: rateLimitSchema.default({}),
		/** Rows per page if `limit` isn't sent. */
		defaultPageSize: z.number().int().min(1).default(15),
		/** A larger `limit` is reduced to this; `perpage` shows it. */
		maxPageSize: z.number().int().min(1).default(50),
		/** Number of records at the start. */
		counts: perList((list) => count.default(LISTS[list][0]))
			.extend({ links: count.default(260), bios: count.default(20) })
			.strict()
			.default({}),
		/** The order of each list; `none` is arbitrary but stable. */
		order: perList(() => z.enum(ORDERS).default('newest-first')).default({}),
		/** How a list writes its error code 0. */
		zeroAs: perList((list) => z.enum(['number', 'string']).default(LISTS[list][1])).default({}),
		/** Whether a failure says `"error": 1` or `"error": "1"`. */
		oneAs: z.enum(['number', 'string']).default('number'),
		/** Wrong counters that a list returns. */
		wrongCounters: perList(() => z.object(counters).partial().strict())
			.partial()
			.default({}),
		/** What the counter `result` counts: all rows, or those of the page. */
		resultCounts: z.enum(['total', 'page']).default('total'),
		/** Rows that are added or deleted between the pages of a list, once per rule. */
		shifts: z
			.array(
				z
					.object({
						list: z.enum(STORED_LISTS),
						/** Applies after this many responses of the list. */
						afterListRequests: z.number().int().min(1),
						/** New rows. */
						insert: count.optional(),
						/** Rows deleted from the start of the list, i.e. from pages that were already read. */
						delete: count.optional(),
					})
					.strict(),
			)
			.default([]),
		/** Key of a campaign's name in lists. With `mixed`, some campaigns have it under `domain`. */
		campaignNameKey: z.enum(['mixed', 'name', 'domain']).default('mixed'),
		/** Key of the single QR record; with `details`, statistics are in `data`. */
		singleQr: z.enum(['data', 'details', 'top']).default('data'),
		/** Key of a QR code's name in the single record. */
		singleQrNameKey: z.enum(['name', 'title']).default('name'),
		/** Whether failures have a matching HTTP status or 200. */
		errorStatus: z.enum(['http', 'ok']).default('http'),
		/** A larger upload is rejected; null: no limit. */
		maxUploadBytes: z.number().int().min(0).nullable().default(null),
		/** Loses the `Authorization` header on the way, as some web servers do. */
		dropAuthorization: z.boolean().default(false),
	})
	.strict();

export type LinkSettings = z.infer<typeof linkSettingsSchema>;
