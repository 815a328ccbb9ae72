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

export const registrySettingsSchema = z
	.object({
		...commonSettings,
		plan: z.enum(planNames),
		/** Requests per minute, with the minute's length and the headers of both limits. */
		rateLimit: rateLimitSchema.extend({ limit }).strict().default({}),
		/** Requests per day, with the day's length. */
		dailyQuota: z
			.object({ limit, windowMs: windowMs.default(DAY_MS) })
			.strict()
			.default({}),
	})
	.strict();

export type RegistrySettings = z.infer<typeof registrySettingsSchema>;
