import { z } from 'zod';
import { DEFAULT_RATE_LIMIT, rateLimitSchema } from '../shared/rateLimit';
import { COMMON_DEFAULTS, commonSettings } from '../shared/settings';
import { ORDERS } from './rowStore';

/**
 * Every list of the service by the sandbox's name for it: how many rows there are at the start
 * (`items`: of the first channel), and whether the list says `"error": 0` or `"error": "0"`. Each
 * has several pages even at the largest page size.
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
export const LIST_NAMES = Object.keys(LISTS) as [ListName, ...ListName[]];

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

function perList<T extends z.ZodTypeAny>(schema: T) {
	return z.object(byList(() => schema)).strict();
}

const count = z.number().int().min(0);

export const linkSettingsSchema = z
	.object({
		...commonSettings,
		rateLimit: rateLimitSchema,
		/** Rows per page when `limit` is not sent. */
		defaultPageSize: z.number().int().min(1),
		/** A larger `limit` is reduced to this; `perpage` shows it. */
		maxPageSize: z.number().int().min(1),
		/** Number of records at the start. */
		counts: perList(count).extend({ links: count, bios: count }).strict(),
		/** The order of each list; `none` is arbitrary but stable. */
		order: perList(z.enum(ORDERS)),
		/** How a list writes its error code 0. */
		zeroAs: perList(z.enum(['number', 'string'])),
		/** Whether a failure says `"error": 1` or `"error": "1"`. */
		oneAs: z.enum(['number', 'string']),
		/** Wrong counters that a list returns. */
		wrongCounters: perList(
			z
				.object({
					result: z.number().int(),
					perpage: z.number().int(),
					currentpage: z.number().int(),
					nextpage: z.number().int().nullable(),
					maxpage: z.number().int(),
				})
				.partial()
				.strict(),
		).partial(),
		/** What the counter `result` counts: all rows, or those of the page. */
		resultCounts: z.enum(['total', 'page']),
		/** Rows that are added or deleted between the pages of a list, once per rule. */
		shifts: z.array(
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
		),
		/** Key of a campaign's name in lists; `mixed`: some entries carry it under `domain`. */
		campaignNameKey: z.enum(['mixed', 'name', 'domain']),
		/** Key of the single QR record; with `details`, statistics are in `data`. */
		singleQr: z.enum(['data', 'details', 'top']),
		/** Key of a QR code's name in the single record. */
		singleQrNameKey: z.enum(['name', 'title']),
		/** Whether failures have a matching HTTP status or 200. */
		errorStatus: z.enum(['http', 'ok']),
		/** Whether the account update requires both `email` and `password`. */
		accountUpdateNeedsBoth: z.boolean(),
		/** A larger upload is rejected; null: no limit. */
		maxUploadBytes: z.number().int().min(0).nullable(),
		/** Loses the `Authorization` header on the way, as some web servers do. */
		dropAuthorization: z.boolean(),
	})
	.strict();

export type LinkSettings = z.infer<typeof linkSettingsSchema>;

export const DEFAULT_LINK_SETTINGS: LinkSettings = {
	...COMMON_DEFAULTS,
	apiKey: 'sandbox-link-key',
	basePath: '/links',
	rateLimit: DEFAULT_RATE_LIMIT,
	defaultPageSize: 15,
	maxPageSize: 50,
	counts: { ...byList((list) => LISTS[list][0]), links: 260, bios: 20 },
	order: byList(() => 'newest-first'),
	zeroAs: byList((list) => LISTS[list][1]),
	oneAs: 'number',
	wrongCounters: {},
	resultCounts: 'total',
	shifts: [],
	campaignNameKey: 'mixed',
	singleQr: 'data',
	singleQrNameKey: 'name',
	errorStatus: 'http',
	accountUpdateNeedsBoth: false,
	maxUploadBytes: null,
	dropAuthorization: false,
};
