import { z } from 'zod';
import { DEFAULT_RATE_LIMIT, rateLimitSchema, refusalSchema } from '../shared/rateLimit';
import { COMMON_DEFAULTS, commonSettings } from '../shared/settings';

/** The document's plans (Limits). */
export const PLANS = {
	'developer-free': { name: 'Developer Free', perDay: 100, perMinute: 10 },
	'starter-b2b': { name: 'Starter B2B', perDay: 1000, perMinute: 30 },
	'business-pro': { name: 'Business Pro', perDay: 10_000, perMinute: 100 },
	free: { name: 'Free', perDay: 100, perMinute: 60 },
	premium: { name: 'Premium', perDay: 5000, perMinute: 60 },
} as const;

const planNames = Object.keys(PLANS) as [keyof typeof PLANS, ...Array<keyof typeof PLANS>];

/** A number, null for no limit, or the plan's limit. */
const limit = z.union([z.number().int().min(1), z.null(), z.literal('plan')]);

const status = z.number().int().min(200).max(599);

export const registrySettingsSchema = z
	.object({
		...commonSettings,
		plan: z.enum(planNames),
		/** Requests per minute, with the minute's length and the headers of both limits. */
		rateLimit: rateLimitSchema.extend({ limit }).strict(),
		/** Requests per day, with the day's length. */
		dailyQuota: rateLimitSchema
			.pick({ windowMs: true, kind: true, alignment: true })
			.extend({ limit, refusal: refusalSchema })
			.strict(),
		/** Which of the two limits the headers describe. */
		headersDescribe: z.enum(['minute', 'day']),
		/** The body of a failure, which is not documented. */
		failureShape: z.enum([
			/** `{ success: false, error: "text" }` */
			'success-error-text',
			/** `{ success: false, error: { code, message } }` */
			'success-error-object',
			/** `{ success: false, message: "text" }` */
			'success-message',
			/** `{ error: "text" }` */
			'error-text',
			/** `{ detail: "text" }` */
			'detail',
			'plain-text',
		]),
		/** The statuses of failures; 200 is possible. */
		failureStatuses: z
			.object({ badRequest: status, unauthorized: status, notFound: status })
			.strict(),
		/** v1: calls that need no key; a wrong key is rejected anyway. */
		keyOptionalFor: z.array(z.enum(['search', 'credit', 'status'])),
		/** v1: whether a search only by class code or region is rejected. */
		searchNeedsQuery: z.boolean(),
		/** v1: how the search treats `page`. */
		searchPage: z.enum(['ignored', 'honoured', 'refused']),
		/** v1: where the search's array is. */
		searchShape: z.enum(['root', 'data', 'results', 'companies', 'items']),
		/** v1: where the dossier's fields are. */
		dossierShape: z.enum(['flat', 'data', 'company']),
		/** v1: where the key's state is. */
		statusShape: z.enum(['flat', 'data']),
		/** unversioned: wrong counters that the search returns. */
		wrongCounters: z
			.object({
				total: z.number().int(),
				page: z.number().int(),
				per_page: z.number().int(),
			})
			.partial()
			.strict(),
		/** unversioned: where the suggestions are, and their type. */
		autocompleteShape: z.enum(['root', 'data', 'suggestions']),
		autocompleteItems: z.enum(['strings', 'objects']),
	})
	.strict();

export type RegistrySettings = z.infer<typeof registrySettingsSchema>;

const DAY_MS = 86_400_000;

const DEFAULTS: Omit<RegistrySettings, 'apiKey' | 'basePath' | 'plan'> = {
	...COMMON_DEFAULTS,
	rateLimit: { ...DEFAULT_RATE_LIMIT, limit: 'plan' },
	dailyQuota: {
		limit: 'plan',
		windowMs: DAY_MS,
		kind: 'fixed',
		alignment: 'clock',
		refusal: '429-retry-after-seconds',
	},
	headersDescribe: 'minute',
	failureShape: 'success-error-text',
	failureStatuses: { badRequest: 400, unauthorized: 401, notFound: 404 },
	keyOptionalFor: [],
	searchNeedsQuery: false,
	searchPage: 'ignored',
	searchShape: 'data',
	dossierShape: 'data',
	statusShape: 'flat',
	wrongCounters: {},
	autocompleteShape: 'data',
	autocompleteItems: 'objects',
};

export const DEFAULT_REGISTRY_SETTINGS: Record<'v1' | 'unversioned', RegistrySettings> = {
	v1: {
		...DEFAULTS,
		apiKey: 'sandbox-registry-key',
		basePath: '/registry',
		plan: 'developer-free',
	},
	unversioned: {
		...DEFAULTS,
		apiKey: 'sandbox-registry-alt-key',
		basePath: '/registry-alt',
		plan: 'free',
	},
};
