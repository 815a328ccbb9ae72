import { createHash } from 'crypto';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import { getCredentialAllowedDomains } from 'n8n-workflow';

import { normaliseBaseUrl } from './baseUrl';
import { systemClock } from './clock';
import { InputError } from './errors';
import { limiterFor } from './rateLimit/rateLimiter';
import type { RateLimiter } from './rateLimit/rateLimiter';
import type { Rate } from './rateLimit/window';
import { redactor } from './redact';

/** A service, as far as requests need to know it. */
export interface Service {
	/** Name in messages, e.g. "Link Management". */
	name: string;
	/** Name of the credential type. */
	credential: string;
	/** The documented rate, from which the rate limiter starts. */
	rate(credentials: ICredentialDataDecryptedObject): Rate;
	/** What an error about the key should mention beyond the key itself. */
	keyHint?: string;
}

/** Facts about a credential other than the key. */
export interface Account {
	baseUrl: string;
	/** A digest of base URL and key; reveals neither. */
	identity: string;
	/** The credential's fields beside the key, e.g. the variant of the API. */
	settings: Readonly<Record<string, unknown>>;
	/** Replaces the key in a text, in case the service repeats it. */
	redact(text: string): string;
}

export function accountOf(service: Service, credentials: ICredentialDataDecryptedObject): Account {
	const baseUrl = typeof credentials.baseUrl === 'string' ? credentials.baseUrl : '';
	const { apiKey, ...settings } = credentials;
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	let redactKey: ((text: string) => string) | undefined;
	return {
		baseUrl,
		settings,
		identity: createHash('sha256')
			.update(JSON.stringify([service.credential, baseUrl, key]))
			.digest('hex'),
		redact: (text) => (redactKey ??= redactor(key))(text),
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
	return {
		service,
		account,
		limiter: limiterFor(account.identity, service.rate(credentials)),
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
		'This operation calls the API. Select a credential in the node, or create one.',
	);
}

/** The list that n8n checks URLs against. Older versions of n8n restrict no credentials. */
function allowedDomainsOf(node: INode, credentialData: ICredentialDataDecryptedObject) {
	return getCredentialAllowedDomains?.({ node, credentialData, credentialOwnedSurface: true });
}
