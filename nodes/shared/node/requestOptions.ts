import type { IHttpRequestOptions } from 'n8n-workflow';

import { LONGEST_TIMER_MS } from '../http/clock';
import { InputError } from '../http/inputError';
import { isJson } from '../http/json';
import { ENGINE_TIMEOUT_MS } from '../http/request';
import { decodeSegment } from '../http/text';
import { readFlag, wholeNumber } from './validators';
import { isBlank } from './values';

const milliseconds = wholeNumber(0, LONGEST_TIMER_MS);

/** Reads the "Request Options" that n8n adds to every declarative node. */
export function requestOptionsOf(given: unknown): Partial<IHttpRequestOptions> {
	const { proxy, timeout, allowUnauthorizedCerts } = isJson(given) ? given : {};
	const ignoresCertificates = readFlag(allowUnauthorizedCerts, 'Ignore SSL Issues (Insecure)');
	const chosen = isBlank(timeout) ? 0 : milliseconds(timeout, 'Timeout');
	return {
		timeout: chosen || ENGINE_TIMEOUT_MS,
		...(!isBlank(proxy) && { proxy: proxyOf(String(proxy)) }),
		...(ignoresCertificates && { skipSslCertificateValidation: true }),
	};
}

/** Converts a proxy URL to what n8n's helpers expect. Without a port, it's the protocol's default. */
function proxyOf(given: string): IHttpRequestOptions['proxy'] {
	const url = URL.canParse(given) ? new URL(given) : undefined;
	// n8n ignores all others, such as SOCKS proxies, and would send the request without a proxy.
	if (!url?.hostname || !/^https?:$/.test(url.protocol)) {
		throw new InputError(
			'The request option "Proxy" isn\'t a valid proxy URL',
			'Enter http:// or https://, a host and a port, e.g. http://proxy.example:3128. n8n supports no other proxies, such as SOCKS.',
		);
	}
	const { protocol, hostname, port, username, password } = url;
	const auth = { username: decodeSegment(username), password: decodeSegment(password) };
	return {
		protocol: protocol.slice(0, -1),
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		...(username && { auth }),
	};
}
