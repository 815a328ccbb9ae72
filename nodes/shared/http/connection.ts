import { createHash } from 'crypto';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import { getCredentialAllowedDomains } from 'n8n-workflow';

import { keyMask, normaliseKey } from './apiKey';
import type { Mask } from './apiKey';
import { normaliseBaseUrl } from './url';
import { systemClock } from './clock';
import { InputError } from './errors';
import { limiterFor } from './rateLimit/limiter';
import type { RateLimiter } from './rateLimit/limiter';
import type { Rate } from './rateLimit/headers';

/** A service, as far as requests need to know it. */
export interface Service {
	/** Name in messages, e.g. "Link Management". */
	name: string;
	/** Name of the credential type. */
	credential: string;
	/** The documented rate, from which the rate limiter starts. */
	rate(credentials: ICredentialDataDecryptedObject): Rate;
	/**
	 * Whether a JSON body says that the request was carried out; undefined if it says neither that nor the
	 * contrary.
	 */
	succeeded(body: unknown, request: { method: string; path: string }): boolean | undefined;
	/** What an error about the key should mention beyond the key itself. */
	keyHint?: string;
	/** The credential's fields that decide the address. Default: Base URL */
	addressFields?: string;
}

/** Facts about a credential other than the key. */
export interface Account {
	baseUrl: string;
	/** A digest of base URL and key; reveals neither. */
	identity: string;
	/** The credential's fields beside the key, e.g. the variant of the API. */
	settings: Readonly<Record<string, unknown>>;
	/** Hides the key in a text or a record, in case the service repeats it. */
	mask: Mask;
}

export function accountOf(service: Service, credentials: ICredentialDataDecryptedObject): Account {
	const baseUrl = typeof credentials.baseUrl === 'string' ? credentials.baseUrl : '';
	const { apiKey, ...settings } = credentials;
	const key = normaliseKey(apiKey);
	let mask: Mask | undefined;
	return {
		baseUrl,
		settings,
		identity: createHash('sha256')
			.update(JSON.stringify([service.credential, baseUrl, key]))
			.digest('hex'),
		mask: (value) => (mask ??= keyMask(key))(value),
	};
}

/** What every n8n context that can send requests offers: nodes, list searches and polls. */
export interface Host {
	getNode(): INode;
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
	helpers: Pick<IAllExecuteFunctions['helpers'], 'httpRequestWithAuthentication'>;
}

/** A service reached with one credential: what all requests of an item have in common. */
export interface Connection {
	service: Service;
	account: Account;
	limiter: RateLimiter;
	/** The documented rate of the key. */
	rate: Rate;
	/** The credential as n8n gave it, and when that was, in ms since the epoch. */
	credentials: ICredentialDataDecryptedObject;
	readAt: number;
	/** Domains that n8n restricts the credential to, in its own notation. */
	allowedDomains: string | undefined;
}

/**
 * Reads the credential and finds the rate limiter of its key.
 *
 * @throws InputError when no credential is selected, or its base URL is unusable
 */
export async function connect(host: Host, service: Service): Promise<Connection> {
	const credentials = await credentialsOf(host, service);
	const account = accountOf(service, {
		...credentials,
		baseUrl: normaliseBaseUrl(credentials.baseUrl),
	});
	const rate = service.rate(credentials);
	return {
		service,
		account,
		rate,
		limiter: limiterFor(account.identity, rate),
		credentials,
		readAt: systemClock.now(),
		allowedDomains: allowedDomainsOf(host.getNode(), credentials),
	};
}

/** For an optional credential, n8n's own error only says that none is required. */
async function credentialsOf(
	host: Host,
	service: Service,
): Promise<ICredentialDataDecryptedObject> {
	try {
		return await host.getCredentials(service.credential);
	} catch (error) {
		throw host.getNode().credentials?.[service.credential] ? error : noCredential(service);
	}
}

function noCredential({ name }: Service): InputError {
	return new InputError(
		`The ${name} credential is missing`,
		'This operation calls the API. Select a credential in the node, or create one.',
	);
}

/** The list that n8n checks URLs against. Older versions of n8n restrict no credentials. */
function allowedDomainsOf(node: INode, credentialData: ICredentialDataDecryptedObject) {
	return getCredentialAllowedDomains?.({ node, credentialData, credentialOwnedSurface: true });
}
