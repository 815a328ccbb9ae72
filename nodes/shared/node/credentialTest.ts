import type { ICredentialTestRequest } from 'n8n-workflow';

/** What a credential's test says to the statuses and bodies of one service. */
export interface TestVerdicts {
	/** By HTTP status. */
	statuses: Record<number, string>;
	/** The test fails when the body's field has the value; undefined stands for a missing field. */
	bodies: Array<{ field: string; value: unknown; message: string }>;
}

const MOVED = 'The Base URL redirects to another address. Enter the address it redirects to.';
const DOWN = 'The service is not working right now. Try again later.';

/** Means the same for every service. */
const COMMON_STATUSES: Record<number, string> = {
	...forEach([301, 302, 303, 307, 308], MOVED),
	...forEach([500, 502, 503, 504], DOWN),
};

export function forEach(statuses: number[], message: string): Record<number, string> {
	return Object.fromEntries(statuses.map((status) => [status, message]));
}

/** The rules by which n8n judges the answer to a credential's test request. */
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
		// n8n takes both kinds of rules together; its type allows one kind only.
	] as ICredentialTestRequest['rules'];
}
