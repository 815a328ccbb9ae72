import type { z } from 'zod';
import { ServiceError } from './errors';

/**
 * The checked value, or a `badRequest` error whose message names the first field at fault.
 * `what` is the word for one entry of the value: field, parameter, setting.
 */
export function parseOrExplain<T>(
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
	value: unknown,
	what: string,
): T {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw new ServiceError('badRequest', issue ? explain(issue, what) : `Invalid ${what}s`);
}

function explain(issue: z.ZodIssue, what: string): string {
	const path = issue.path.join('.');
	if (issue.code === 'unrecognized_keys') {
		return `Unknown ${what} '${[...issue.path, issue.keys[0]].join('.')}'`;
	}
	if (path === '') return `Invalid ${what}s: ${issue.message}`;
	if (issue.code === 'invalid_type' && issue.received === 'undefined') {
		return `The ${what} '${path}' is required`;
	}
	return `The ${what} '${path}' is invalid: ${issue.message}`;
}
