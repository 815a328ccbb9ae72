import type { Phase } from '../../../nodes/shared/http/failures';
import { phaseOf } from '../../../nodes/shared/http/phase';

// test/engine/phases.test.ts has the errors that real servers and proxies cause.

const failed = (code: string | undefined, more: object = {}, message = '') =>
	Object.assign(new Error(message), { code, ...more });

const connecting = (port: number) => ({ syscall: 'connect', port });
const request = {};
const explained = failed(undefined, { description: 'Blocked' });
const SERVICE = 'https://links.example';

test.each<[string, phase: Phase, Error, baseUrl?: string]>([
	['a header that can’t be sent', 'credential', failed('ERR_INVALID_CHAR')],
	['a path that can’t be sent', 'credential', failed('ERR_UNESCAPED_CHARACTERS')],
	[
		'a resolver that doesn’t find the name',
		'lookUp',
		failed('ENOTFOUND', { syscall: 'queryA', hostname: 'links.example' }),
	],
	[
		'a resolver that doesn’t find another name, the proxy’s',
		'proxy',
		failed('EAI_AGAIN', { syscall: 'getaddrinfo', hostname: 'proxy.example' }),
	],
	[
		'a resolver that doesn’t find the name in a Base URL with a port and a path',
		'lookUp',
		failed('ENOTFOUND', { syscall: 'getaddrinfo', hostname: 'links.example' }),
		`${SERVICE}:8443/links`,
	],
	[
		'a cause inside the HTTP client’s own error',
		'lookUp',
		failed('ERR_BAD_RESPONSE', {
			cause: failed('ENOTFOUND', { syscall: 'getaddrinfo', hostname: 'links.example' }),
		}),
	],
	['a connection that takes too long', 'connection', failed('ETIMEDOUT', connecting(443))],
	['a refused connection', 'connection', failed('ECONNREFUSED')],
	[
		'a refused connection to another port, the proxy’s',
		'proxy',
		failed('ECONNREFUSED', connecting(3128)),
	],
	[
		'an unreachable host at the port of http',
		'connection',
		failed('EHOSTUNREACH', connecting(80)),
		'http://a.example',
	],
	[
		'an unreachable network at the Base URL’s port',
		'connection',
		failed('ENETUNREACH', connecting(8443)),
		`${SERVICE}:8443`,
	],
	[
		'an unreachable network at the usual port, which the Base URL doesn’t have',
		'proxy',
		failed('ENETUNREACH', connecting(443)),
		`${SERVICE}:8443`,
	],
	[
		'a refused connection to each address of a proxy',
		'proxy',
		failed('ECONNREFUSED', { errors: [failed('ECONNREFUSED', connecting(3128))] }),
	],
	[
		'a proxy that hangs up',
		'proxy',
		failed(undefined, { request }, 'Proxy connection ended before receiving CONNECT response'),
	],
	['a wrong TLS version', 'plainPort', failed('ERR_SSL_WRONG_VERSION_NUMBER')],
	[
		'a wrong TLS version in older Node.js',
		'plainPort',
		failed('EPROTO', {}, 'wrong version number'),
	],
	['a port of another protocol', 'plainPort', failed('ERR_SSL_PACKET_LENGTH_TOO_LONG')],
	['an expired certificate', 'certificate', failed('CERT_HAS_EXPIRED')],
	[
		'an unknown issuer',
		'certificate',
		failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}, 'unable to verify the first certificate'),
	],
	[
		'a server that wants a certificate of n8n’s',
		'tls',
		failed('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', {
			request: { socket: { secureConnecting: true } },
		}),
	],
	[
		'a connection that breaks during TLS',
		'tls',
		failed('ECONNRESET', {}, 'Client network socket disconnected before secure TLS connection'),
	],
	['a connection that breaks later', 'sending', failed('ECONNRESET', { request })],
	['a response that breaks off', 'sending', failed(undefined, { request }, 'aborted')],
	[
		'an error after sending whose cause says nothing',
		'sending',
		failed(undefined, { request, cause: new Error('aborted') }),
	],
	['a response that’s cut', 'sending', failed('ECONNABORTED', { request }, 'aborted')],
	[
		'a timeout of n8n’s HTTP client',
		'timeout',
		failed('ECONNABORTED', {}, 'timeout of 5 ms exceeded'),
	],
	['a timeout of the system', 'timeout', failed('ETIMEDOUT', { syscall: 'read' })],
	['a timeout of Node.js', 'timeout', failed('ERR_SOCKET_CONNECTION_TIMEOUT')],
	['a broken header', 'undecodable', failed('HPE_INVALID_HEADER_TOKEN')],
	['broken gzip', 'undecodable', failed('Z_DATA_ERROR')],
	['broken brotli', 'undecodable', failed('ERR__ERROR_FORMAT_PADDING_1')],
	['an error that n8n explains', 'credential', failed(undefined, { request, cause: explained })],
	['an error without a code, before it was sent', 'credential', failed(undefined)],
])('a request that fails with %s fails in the phase "%s"', (_, phase, error, baseUrl = SERVICE) => {
	expect(phaseOf(error, baseUrl)).toBe(phase);
});
