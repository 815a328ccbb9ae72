import { createHash } from 'crypto';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import { getCredentialAllowedDomains } from 'n8n-workflow';

import { normaliseBaseUrl } from './baseUrl';
import { systemClock } from './clock';
import { InputError } from './errors';
import { limiterFor } from './rateLimit/rateLimiter';
import type { Rate, RateLimiter } from './rateLimit/rateLimiter';

/** One of the services that this package speaks to, as far as the transport must know it. */
export interface Service {
	/** Name in messages, e.g. "Link Management". */
	name: string;
	/** Name of the credential type. */
	credential: string;
	/** The documented rate, from which the limiter starts. */
	rate(credentials: ICredentialDataDecryptedObject): Rate;
	/** What an answer of 401 should mention beyond the key itself. */
	keyHint?: string;
}

/** Facts about a credential that the transport needs beside the key. */
export interface Account {
	baseUrl: string;
	/** Stands for service and key; reveals neither. */
	identity: string;
	/** The credential's fields beside the key, e.g. the variant of the API. */
	settings: Readonly<Record<string, unknown>>;
	/** Replaces the key in any text, should the service repeat it. */
	redact(text: string): string;
}

export function accountOf(
	service: Service,
	credentials: ICredentialDataDecryptedObject,
	rate: Rate,
): Account {
	const baseUrl = typeof credentials.baseUrl === 'string' ? credentials.baseUrl : '';
	const { apiKey, ...settings } = credentials;
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	return {
		baseUrl,
		settings,
		identity: createHash('sha256')
			.update(JSON.stringify([service.credential, baseUrl, key, rate]))
			.digest('hex'),
		redact: (text) => redact(text, key),
	};
}

/** A key with unusual characters is written differently in an address. */
function redact(text: string, key: string): string {
	if (key === '') return text;
	return text.replaceAll(key, '***').replaceAll(encodeURIComponent(key), '***');
}

/** What every n8n context that can send requests offers: nodes, list searches and polls. */
export interface Host {
	getNode(): INode;
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
	helpers: Pick<IAllExecuteFunctions['helpers'], 'httpRequestWithAuthentication'>;
}

/** A service reached with one credential: what all requests of a run have in common. */
export interface Connection {
	service: Service;
	account: Account;
	limiter: RateLimiter;
	/** The credential as n8n gave it, and when that was, in ms since the epoch. */
	credentials: ICredentialDataDecryptedObject;
	readAt: number;
	/** Domains that n8n restricts the credential to, in its own notation. */
	allowedDomains: string | undefined;
}

/**
 * Reads the credential and finds the limiter of its key.
 *
 * @throws InputError when no credential is selected, or its base URL is unusable
 */
export async function connect(host: Host, service: Service): Promise<Connection> {
	const credentials = await credentialsOf(host, service);
	const rate = service.rate(credentials);
	const baseUrl = normaliseBaseUrl(credentials.baseUrl);
	const account = accountOf(service, { ...credentials, baseUrl }, rate);
	return {
		service,
		account,
		limiter: limiterFor(account.identity, rate),
		credentials,
		readAt: systemClock.now(),
		allowedDomains: allowedDomainsOf(host.getNode(), credentials),
	};
}

/** Where the credential is optional, n8n's own error only says that none is required. */
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
		'This operation asks the service. Select a credential in the node, or create one.',
	);
}

/** The list that n8n checks addresses against. Older versions of n8n restrict no credentials. */
function allowedDomainsOf(node: INode, credentialData: ICredentialDataDecryptedObject) {
	return getCredentialAllowedDomains?.({ node, credentialData, credentialOwnedSurface: true });
}
