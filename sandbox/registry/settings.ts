import { z } from 'zod';
import { rateLimitSchema } from '../shared/rateLimit';
import { commonSettings } from '../shared/settings';

/** The documented plans with their limits. */
export const PLANS = {
	'developer-free': { name: 'Developer Free', perDay: 100, perMinute: 10 },
	'starter-b2b': { name: 'Starter B2B', perDay: 1000, perMinute: 30 },
	'business-pro': { name: 'Business Pro', perDay: 10_000, perMinute: 100 },
	free: { name: 'Free', perDay: 100, perMinute: 60 },
	premium: { name: 'Premium', perDay: 5000, perMinute: 60 },
} as const;

const planNames = Object.keys(PLANS) as [keyof typeof PLANS, ...Array<keyof typeof PLANS>];

/** A number, null for no limit, or the plan's limit. */
const limit = z.union([z.number().int().min(1), z.null(), z.literal('plan')]).default('plan');

const DAY_MS = 86_400_000;
const windowMs = rateLimitSchema.shape.windowMs.removeDefault();
const alignment = rateLimitSchema.shape.alignment.removeDefault();

const status = z.number().int().min(200).max(599);

export const registrySettingsSchema = z
	.object({
		...commonSettings,
		plan: z.enum(planNames),
		/** Requests per minute, with the minute's length and the headers of both limits. */
		rateLimit: rateLimitSchema.extend({ limit }).strict().default({}),
		/** Requests per day, with the day's length. */
		dailyQuota: rateLimitSchema
			.pick({ kind: true, refusal: true })
			.extend({ limit, windowMs: windowMs.default(DAY_MS), alignment: alignment.default('clock') })
			.strict()
			.default({}),
		/** Which of the two limits the headers describe. */
		headersDescribe: z.enum(['minute', 'day']).default('minute'),
		/** The body of a failure, which is not documented. */
		failureShape: z
			.enum([
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
			])
			.default('success-error-text'),
		/** The statuses of failures; 200 is possible. */
		failureStatuses: z
			.object({
				badRequest: status.default(400),
				unauthorized: status.default(401),
				notFound: status.default(404),
			})
			.strict()
			.default({}),
		/** v1: calls that need no key; a wrong key is rejected anyway. */
		keyOptionalFor: z.array(z.enum(['search', 'credit', 'status'])).default([]),
		/** v1: where the search's array is. */
		searchShape: z.enum(['root', 'data', 'results', 'companies', 'items']).default('data'),
		/** v1: where the dossier's fields are. */
		dossierShape: z.enum(['flat', 'data', 'company']).default('data'),
		/** v1: where the key's state is. */
		statusShape: z.enum(['flat', 'data']).default('flat'),
		/** unversioned: wrong counters that the search returns. */
		wrongCounters: z
			.object({
				total: z.number().int(),
				page: z.number().int(),
				per_page: z.number().int(),
			})
			.partial()
			.strict()
			.default({}),
		/** unversioned: where the suggestions are, and their type. */
		autocompleteShape: z.enum(['root', 'data', 'suggestions']).default('data'),
		autocompleteItems: z.enum(['strings', 'objects']).default('objects'),
	})
	.strict();

export type RegistrySettings = z.infer<typeof registrySettingsSchema>;
