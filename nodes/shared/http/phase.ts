import type { Phase } from './failures';

/** What Node.js and n8n's HTTP client report about a failure. */
interface Cause extends Error {
	code?: unknown;
	/** What the system was asked for, e.g. `connect`. */
	syscall?: string;
	hostname?: string;
	port?: number;
	description?: unknown;
	/** Node.js tries all addresses of a name. */
	errors?: Cause[];
	/** The request as Node.js has it, in the HTTP client's errors. */
	request?: { socket?: { secureConnecting?: boolean } | null };
}

/** From n8n's error to its innermost cause. */
function causesOf(error: unknown): Cause[] {
	return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

const isCode = (code: unknown): code is string =>
	typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code);

/** What n8n itself says about a request that it didn't send, e.g. to an address that it protects. */
export function explanationOf(error: unknown): { message: string; description?: string } {
	const { message = '', description } = causesOf(error).at(-1) ?? {};
	return { message, description: typeof description === 'string' ? description : undefined };
}

/**
 * Where a request without a response has failed. If that can't be known, e.g. after a timeout, the later
 * phase counts.
 *
 * @param baseUrl of the service. Where another host or port was asked for, it's the proxy's
 */
export function phaseOf(error: unknown, baseUrl: string): Phase {
	const causes = causesOf(error);
	const coded = causes.findLast(({ code }) => isCode(code));
	if (!coded) return phaseWithoutCode(causes);
	const { hostname, port, protocol } = new URL(baseUrl);
	const { code, message } = coded as Cause & { code: string };
	const { syscall = '', ...asked } = coded.errors?.[0] ?? coded;
	if (/^ERR_(INVALID|UNESCAPED)/.test(code)) return 'credential';
	if (/^(getaddrinfo|query)/.test(syscall)) {
		return asked.hostname === hostname ? 'lookUp' : 'proxy';
	}
	if (syscall === 'connect' || code === 'ECONNREFUSED') {
		const usual = Number(port) || (protocol === 'https:' ? 443 : 80);
		return (asked.port ?? usual) === usual ? 'connection' : 'proxy';
	}
	const ofTls = tlsPhase(`${code} ${message}`);
	if (ofTls) return ofTls;
	if (/^(HPE|Z)_|^ERR__ERROR/.test(code)) return 'undecodable';
	if (/TIMED?OUT/.test(code) || (code === 'ECONNABORTED' && /timeout/i.test(message))) {
		return 'timeout';
	}
	const isHandshaking = causes.some(({ request }) => request?.socket?.secureConnecting);
	return isHandshaking || BEFORE_TLS.test(message) ? 'tls' : 'sending';
}

const BEFORE_TLS = /before secure TLS connection/;

function phaseWithoutCode(causes: Cause[]): Phase {
	const { message = '', description } = causes.at(-1) ?? {};
	if (/\bproxy\b.*\bCONNECT\b/i.test(message)) return 'proxy';
	const isExplained = typeof description === 'string';
	const isSent = !isExplained && causes.some(({ request }) => request);
	return isSent ? 'sending' : 'credential';
}

const PLAIN_PORT = /wrong version number|packet length too long/;
const CERTIFICATE = /\bcert(ificate)?\b/;

/** @param text an error's code and message, e.g. `ERR_SSL_WRONG_VERSION_NUMBER` */
function tlsPhase(text: string): Phase | undefined {
	const words = text.replaceAll('_', ' ').toLowerCase();
	if (PLAIN_PORT.test(words)) return 'plainPort';
	// In an alert, the server speaks of a certificate of n8n's.
	return CERTIFICATE.test(words) && !words.includes('alert') ? 'certificate' : undefined;
}
