import type { ICredentialTestRequest } from 'n8n-workflow';

import { normaliseBaseUrl } from '../nodes/shared/http/url';
import { InputError } from '../nodes/shared/http/errors';

/** Messages of a credential's test for the statuses and bodies of one service. */
export interface TestVerdicts {
	/** By HTTP status. */
	statuses: Record<number, string>;
	/** The test fails if the body's field has the value; undefined means a missing field. */
	bodies: Array<{ field: string; value: unknown; message: string }>;
}

const MOVED = 'The Base URL redirects to a different address. Enter that address instead.';
const DOWN = 'The service returned a server error. Try again later.';

/** The same for every service. */
const COMMON_STATUSES: Record<number, string> = {
	...forEach([301, 302, 303, 307, 308], MOVED),
	...forEach([500, 502, 503, 504], DOWN),
};

export function forEach(statuses: number[], message: string): Record<number, string> {
	return Object.fromEntries(statuses.map((status) => [status, message]));
}

/** The rules that n8n applies to the response of a credential's test request. */
export function testRules({ statuses, bodies }: TestVerdicts): ICredentialTestRequest['rules'] {
	return [
		...Object.entries({ ...COMMON_STATUSES, ...statuses }).map(([status, message]) => ({
			type: 'responseCode',
			properties: { value: Number(status), message },
		})),
		...bodies.map(({ field, value, message }) => ({
			type: 'responseSuccessBody',
			properties: { key: field, value, message },
		})),
		// n8n accepts both kinds of rules together, but its type only allows one kind.
	] as ICredentialTestRequest['rules'];
}

/**
 * The base URL for a credential's requests. n8n shows only the message of an error in the
 * credential's test, so it includes the remedy.
 *
 * @throws InputError when the value is not an http(s) address
 */
export function baseUrlOrRemedy(value: unknown): string {
	let problem: unknown;
	try {
		return normaliseBaseUrl(value);
	} catch (error) {
		problem = error;
	}
	const { message, description = '' } = problem as InputError;
	throw new InputError(`${message}. ${description}`);
}
