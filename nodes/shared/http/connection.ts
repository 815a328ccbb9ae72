import { createHash } from 'crypto';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import { getCredentialAllowedDomains } from 'n8n-workflow';

import { isJson } from './envelope';
import type { Json } from './envelope';
import { InputError } from './errors';
import type { Rate } from './headers';
import { limiterFor } from './limiter';
import type { RateLimiter } from './limiter';
import { encodeSegment } from './values';

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
	/** Extra advice for errors about the key. */
	keyHint?: string;
	/** The credential fields that determine the service's address. Default: Base URL */
	addressFields?: string;
}

/** Hides the API key in a text, or anywhere in a record. */
export type Mask = <T>(value: T) => T;

/** What a credential says, apart from the key itself. */
export interface Account {
	baseUrl: string;
	/** A hash of the credential type, base URL and key. Identifies the account without revealing them. */
	identity: string;
	/** All fields of the credential except the key, e.g. the variant of the API. */
	settings: Readonly<Record<string, unknown>>;
	mask: Mask;
}

export function accountOf(
	{ credential }: Service,
	{ apiKey, ...settings }: ICredentialDataDecryptedObject,
): Account {
	const baseUrl = typeof settings.baseUrl === 'string' ? settings.baseUrl : '';
	const key = normaliseKey(apiKey);
	const known = JSON.stringify([credential, baseUrl, key]);
	let mask: Mask | undefined;
	return {
		baseUrl,
		settings,
		identity: createHash('sha256').update(known).digest('hex'),
		mask: (value) => (mask ??= keyMask(key))(value),
	};
}

/** What sending a request takes of n8n. Nodes, list searches and polls all have it. */
export interface Host {
	getNode(): INode;
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
	helpers: Pick<IAllExecuteFunctions['helpers'], 'httpRequestWithAuthentication'>;
	/** Fires when the execution is cancelled. Only nodes have it. */
	getExecutionCancelSignal?(): AbortSignal | undefined;
}

/** A service and the credential it's reached with. All requests of an item share one. */
export interface Connection {
	service: Service;
	account: Account;
	limiter: RateLimiter;
	/** The decrypted credential. */
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
	const baseUrl = normaliseBaseUrl(credentials.baseUrl);
	const account = accountOf(service, { ...credentials, baseUrl });
	const limiter = limiterFor(account.identity, service.rate(credentials));
	const restricted = { node, credentialData: credentials, credentialOwnedSurface: true };
	// Older versions of n8n can't restrict credentials and don't have this function.
	const allowedDomains = getCredentialAllowedDomains?.(restricted);
	return { service, account, limiter, credentials, allowedDomains };
}

/**
 * The URL that API paths are appended to. Drops trailing slashes, and the `/api` or `/api/v1` that
 * people often paste, because every path already starts with it. Keeps any other path, such as
 * `https://host/links`.
 *
 * @throws InputError if the value isn't an http(s) URL
 */
export function normaliseBaseUrl(value: unknown): string {
	const given = typeof value === 'string' ? value.trim() : '';
	const url = URL.canParse(given) ? new URL(given) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new InputError(
			`The Base URL of the credential is ${given === '' ? 'empty' : 'not a web address'}`,
			'Enter the URL of the service in the credential, with http:// or https://, e.g. https://example.com.',
		);
	}
	const path = url.pathname.replace(/\/+$/, '').replace(/\/api(\/v\d+)?$/i, '');
	return url.origin + path.replace(/\/+$/, '');
}

/**
 * Cleans up the API key of a credential: surrounding spaces, a leading "Bearer", and characters that a
 * header can't contain, such as line breaks, which people paste. An expression may return a number.
 */
export function normaliseKey(value: unknown): string {
	return String(value ?? '')
		.replace(/[^\t -~\u0080-\u00ff]+/g, '')
		.trim()
		.replace(/^bearer\s+/i, '');
}

const MASKED = '***';
/** Shorter keys ("test", "demo") aren't masked, because they'd match ordinary text. */
const SHORTEST_KEY = 8;

/** Masks a key, as {@link normaliseKey} returns it, as is or encoded as in a URL. */
export function keyMask(key: string): Mask {
	if (key.length < SHORTEST_KEY) return (value) => value;
	const forms = [encodeSegment(key), key];
	const patterns = forms.map((form) => form.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&'));
	const anyForm = new RegExp(patterns.join('|'), 'gi');
	const mask = (value: unknown): unknown => {
		if (typeof value === 'string') return value.replace(anyForm, MASKED);
		if (typeof value === 'number') return String(value) === key ? MASKED : value;
		if (Array.isArray(value)) return value.map(mask);
		if (!isJson(value)) return value;
		const masked = Object.entries(value).map(([name, entry]) => [mask(name), mask(entry)]);
		return Object.fromEntries(masked) as Json;
	};
	return mask as Mask;
}
