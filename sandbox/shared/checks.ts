import type { z } from 'zod';

/** Why a request isn't carried out; each service has its own format for it. */
export type FailureKind =
	'badRequest' | 'unauthorized' | 'notFound' | 'rateLimited' | 'quotaExhausted';

/** Both services answer a kind of failure with the same status. */
export const STATUSES: Record<FailureKind, number> = {
	badRequest: 400,
	unauthorized: 401,
	notFound: 404,
	rateLimited: 429,
	quotaExhausted: 429,
};

/** A failure that the service reports in its own format. */
export class ServiceError extends Error {
	constructor(
		readonly kind: FailureKind,
		message: string,
	) {
		super(message);
		this.name = 'ServiceError';
	}
}

/** The record, or the service's failure for one that doesn't exist. */
export function found<T>(record: T | undefined | false, message: string): T {
	if (record === undefined || record === false) throw new ServiceError('notFound', message);
	return record;
}

/**
 * The checked value.
 *
 * @param what the name for one entry of the value: field, parameter, setting
 * @throws a `badRequest` error whose message names the first wrong field
 */
export function checked<T>(
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
	value: unknown,
	what: string,
): T {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
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
