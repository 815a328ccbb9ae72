import { z } from 'zod';
import { checked } from './checks';

export type DeepPartial<T> = T extends readonly unknown[]
	? T
	: T extends object
		? { [K in keyof T]?: DeepPartial<T[K]> }
		: T;

/** The settings that every service of the sandbox has. */
export const commonSettings = {
	/** Key that is accepted. */
	apiKey: z.string().min(1),
	/** Further accepted keys, each with its own windows. */
	otherApiKeys: z.array(z.string().min(1)).default([]),
	/** Path before `/api`, without a trailing slash; `''` serves from the root. */
	basePath: z
		.string()
		.regex(/^(\/[\w.~-]+)*$/, "must be '' or start with '/', and not end with one"),
	/** Milliseconds that every response takes. */
	latencyMs: z.number().min(0).default(0),
	/** How many of the newest requests the log keeps. */
	logCapacity: z.number().int().min(1).default(10_000),
};

export type CommonSettings = z.infer<z.ZodObject<typeof commonSettings>>;

/** Checks settings and fills in the defaults. */
export type SettingsSchema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

/** Settings with the given ones changed; objects are merged, arrays and values replaced. */
export function changeSettings<T>(
	schema: SettingsSchema<T>,
	current: object,
	change: DeepPartial<T> | undefined,
): T {
	return checked(schema, merge(current, change), 'setting');
}

function merge(current: unknown, change: unknown): unknown {
	if (change === undefined) return current;
	if (!isPlainObject(current) || !isPlainObject(change)) return change;
	const merged = { ...current };
	for (const [key, value] of Object.entries(change)) merged[key] = merge(current[key], value);
	return merged;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
