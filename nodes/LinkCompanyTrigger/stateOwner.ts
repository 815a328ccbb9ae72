import { linkManagement } from '../LinkManagement/service';
import { isJson } from '../shared/http/envelope';
import { ServiceError } from '../shared/http/errors';
import type { Service } from '../shared/http/connection';
import type { PollClient } from './pollClient';
import { digestOf } from './digest';

/** Whose records a state describes. It reveals neither the key nor the account. */
export interface StateOwner {
	/** Digest of the service, its base URL and the variant of its API. */
	origin: string;
	/** Digest of the API key; empty where every key shows the same records. */
	key: string;
	/** Digest of the account's id, where the service told it. */
	account?: string;
}

/**
 * Finds out whose records the credential shows. The registry shows the same companies to every key.
 * If the key differs from that of the stored state, the link service is queried for the account.
 *
 * @throws ServiceError when the account cannot be read right now
 */
export async function ownerOf(
	service: Service,
	client: PollClient,
	stored: StateOwner | undefined,
): Promise<StateOwner> {
	const { baseUrl, settings, apiKey } = client;
	const origin = digestOf([service.credential, baseUrl, settings.variant ?? '']);
	if (service !== linkManagement) return { origin, key: '' };
	const key = digestOf([apiKey]);
	if (stored?.origin === origin && stored.key === key) return stored;
	const id = await accountId(client);
	return id === undefined ? { origin, key } : { origin, key, account: digestOf([id]) };
}

/** Whether two states describe the same records: the same key, or another one of the account. */
export function sameOwner(a: StateOwner, b: StateOwner): boolean {
	if (a.origin !== b.origin) return false;
	return a.key === b.key || (a.account !== undefined && a.account === b.account);
}

const TRY_AGAIN_LATER = ['temporarily-unavailable', 'rate-limited', 'quota-exhausted'];

/**
 * docs/services.md, "Link Management: requests".
 *
 * @returns undefined if the service does not return it at all
 */
async function accountId(client: PollClient): Promise<string | undefined> {
	const account = client.send({ method: 'GET', path: '/api/account' });
	const body = await account.catch(async (error: unknown) =>
		error instanceof ServiceError && !TRY_AGAIN_LATER.includes(causeOf(error))
			? undefined
			: await Promise.reject(error as Error),
	);
	const record = isJson(body) && isJson(body.data) ? body.data : body;
	const id = isJson(record) ? record.id : undefined;
	return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined;
}

function causeOf({ failure }: ServiceError): string {
	return failure?.cause ?? '';
}
