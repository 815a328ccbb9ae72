import { z } from 'zod';
import { DEFAULT_RATE_LIMIT, rateLimitSchema } from '../shared/rateLimit';
import { commonSettings } from '../shared/settings';

/** Every list of the service; the key is the sandbox's name for it. */
export const LIST_NAMES = [
	'campaigns',
	'channels',
	'domains',
	'files',
	'items',
	'overlays',
	'pixels',
	'qrs',
	'splash',
] as const;

export type ListName = (typeof LIST_NAMES)[number];

function perList<T extends z.ZodTypeAny>(schema: T): z.ZodObject<Record<ListName, T>, 'strict'> {
	const shape = Object.fromEntries(LIST_NAMES.map((name) => [name, schema]));
	return z.object(shape as Record<ListName, T>).strict();
}

const count = z.number().int().min(0);

export const linkSettingsSchema = z
	.object({
		...commonSettings,
		rateLimit: rateLimitSchema,
		/** Rows per page when `limit` is not sent. */
		defaultPageSize: z.number().int().min(1),
		/** A larger `limit` is cut down to this; `perpage` tells. */
		maxPageSize: z.number().int().min(1),
		/** Records that are there at the start. `items` is the first channel's number of items. */
		counts: perList(count).extend({ links: count, bios: count }).strict(),
		/** The order of each list; `none` is arbitrary, but always the same. */
		order: perList(z.enum(['newest-first', 'oldest-first', 'none'])),
		/** Whether a list says `"error": 0` or `"error": "0"` (Errors, 3). */
		zeroAs: perList(z.enum(['number', 'string'])),
		/** Whether a failure says `"error": 1` or `"error": "1"`. */
		oneAs: z.enum(['number', 'string']),
		/** Counters that a list tells regardless of the truth. */
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
		/** Rows that come and go between the pages of a list, each rule once. */
		shifts: z.array(
			z
				.object({
					list: z.enum(LIST_NAMES).exclude(['items']),
					/** Strikes after this many answered requests of the list. */
					afterListRequests: z.number().int().min(1),
					/** New rows. */
					insert: count.optional(),
					/** Rows deleted from the head of the list, that is from pages read already. */
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
		/** Failures come with a fitting HTTP status, or with 200. */
		errorStatus: z.enum(['http', 'ok']),
		/** Whether the account update insists on both `email` and `password`. */
		accountUpdateNeedsBoth: z.boolean(),
		/** A larger upload is refused; null: no limit. */
		maxUploadBytes: z.number().int().min(0).nullable(),
		/** Loses the `Authorization` header on the way, as some web servers do. */
		dropAuthorization: z.boolean(),
	})
	.strict();

export type LinkSettings = z.infer<typeof linkSettingsSchema>;

export const DEFAULT_LINK_SETTINGS: LinkSettings = {
	apiKey: 'sandbox-link-key',
	otherApiKeys: [],
	expiredApiKeys: [],
	basePath: '/links',
	latencyMs: 0,
	logCapacity: 10_000,
	rateLimit: DEFAULT_RATE_LIMIT,
	defaultPageSize: 15,
	// Smaller than every default count, so that each list has pages even at the largest size.
	maxPageSize: 50,
	counts: {
		campaigns: 75,
		channels: 60,
		domains: 55,
		files: 180,
		items: 64,
		overlays: 52,
		pixels: 70,
		qrs: 90,
		splash: 51,
		links: 260,
		bios: 20,
	},
	order: {
		campaigns: 'newest-first',
		channels: 'newest-first',
		domains: 'newest-first',
		files: 'newest-first',
		items: 'newest-first',
		overlays: 'newest-first',
		pixels: 'newest-first',
		qrs: 'newest-first',
		splash: 'newest-first',
	},
	zeroAs: {
		campaigns: 'number',
		channels: 'string',
		domains: 'string',
		files: 'number',
		items: 'number',
		overlays: 'string',
		pixels: 'number',
		qrs: 'string',
		splash: 'number',
	},
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
