import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Rate } from './rateLimiter';

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
