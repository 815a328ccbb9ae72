import { createHash } from 'crypto';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import { getCredentialAllowedDomains } from 'n8n-workflow';

import { cleanKey, cleanUrl, keyMask, type Mask } from './credential';
import type { Rate } from './headers';
import { limiterFor, type RateLimiter } from './limiter';

/** What the nodes need to know about a service to send it requests. */
export interface Service {
	/** Display name for messages, e.g. "Link Management". */
	name: string;
	/** Name of the n8n credential type. */
	credential: string;
	/** The documented rate limit. The limiter starts from it and then follows the response headers. */
	rate(credentials: ICredentialDataDecryptedObject): Rate;
	/** Whether a JSON body says that the request succeeded; undefined if it doesn't say either way. */
	succeeded(body: unknown, request: { method: string; path: string }): boolean | undefined;
	/** What it may limit besides requests, as its errors call it. */
	things?: RegExp;
	/** Extra advice for errors about the key. */
	keyHint?: string;
	/** The credential fields that determine the service's address. Default: Base URL */
	addressFields?: string;
}

/** What a credential says, apart from the key itself. */
export interface Account {
	baseUrl: string;
	/** A hash of the credential type, base URL and key, which limits count for. */
	identity: string;
	/** All fields of the credential except the key, e.g. the variant of the API. */
	settings: Readonly<Record<string, unknown>>;
	mask: Mask;
}

/** What n8n has to provide for sending a request. Nodes, list searches and polls all have it. */
export interface Host {
	getNode(): INode;
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
	helpers: Pick<IAllExecuteFunctions['helpers'], 'httpRequestWithAuthentication'>;
	/** What the node's panel contains. Only lists in the editor have it. */
	getCurrentNodeParameter?(name: string): unknown;
	/** Fires when the execution is canceled. Only nodes have it. */
	getExecutionCancelSignal?(): AbortSignal | undefined;
}

/** n8n's contexts have all that a {@link Host} has, in types of their own. */
export function hostOf(context: Pick<Host, 'getNode'>): Host {
	return context as Host;
}

/** A service and the credential it's reached with. All requests of an item share one. */
export interface Connection {
	service: Service;
	account: Account;
	limiter: RateLimiter;
	credentials: ICredentialDataDecryptedObject;
	/** The domains that n8n restricts the credential to, in n8n's own format. */
	allowedDomains: string | undefined;
}

/** Reads the credential. @throws InputError if its Base URL isn't valid */
export async function connect(host: Host, service: Service): Promise<Connection> {
	return connectionOf(host.getNode(), service, await host.getCredentials(service.credential));
}

/** Like {@link connect}, for a credential that has been read. */
export function connectionOf(
	node: INode,
	service: Service,
	credentials: ICredentialDataDecryptedObject,
): Connection {
	const { apiKey, ...settings } = credentials;
	const baseUrl = cleanUrl(settings.baseUrl);
	const key = cleanKey(apiKey);
	const named = JSON.stringify([service.credential, baseUrl, key]);
	const identity = createHash('sha256').update(named).digest('hex');
	const account: Account = { baseUrl, settings, identity, mask: keyMask(key) };
	const limiter = limiterFor(identity, service.rate(credentials));
	const restricted = { node, credentialData: credentials, credentialOwnedSurface: true };
	// Older versions of n8n can't restrict credentials and don't have this function.
	const allowedDomains = getCredentialAllowedDomains?.(restricted);
	return { service, account, limiter, credentials, allowedDomains };
}
