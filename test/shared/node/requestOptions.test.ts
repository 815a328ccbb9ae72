import { requestOptionsOf as optionsOf } from '../../../nodes/shared/node/requestOptions';

// test/engine/nodeCalls.test.ts covers proxy, timeout, certificates and batches.
it.each([
	['checks certificates by default', {}, undefined],
	['accepts any certificate if an expression says so', { allowUnauthorizedCerts: 'true' }, true],
])('a request %s', (_, options, skip) => {
	expect(optionsOf(options).skipSslCertificateValidation).toBe(skip);
});

it('rejects a timeout above the maximum of a timer, which would fire immediately', () => {
	expect(optionsOf({ timeout: 2_147_483_647 }).timeout).toBe(2_147_483_647);
	expect(() => optionsOf({ timeout: 2_147_483_648 })).toThrow(
		'a whole number from 0 to 2147483647',
	);
});

it.each(['proxy.example', 'socks5://proxy.example:1080', 'nothing'])(
	'rejects the proxy %s, which n8n would ignore',
	(proxy) => {
		expect(() => optionsOf({ proxy })).toThrow("isn't a valid proxy URL");
	},
);

it.each(['', null, '0'])(
	'with a timeout of %j, a request ends after n8n’s own five minutes',
	(timeout) => {
		expect(optionsOf({ timeout }).timeout).toBe(300_000);
	},
);

it.each([
	['http://proxy.example:3128', { protocol: 'http', host: 'proxy.example', port: 3128 }],
	['https://proxy.example', { protocol: 'https', host: 'proxy.example', port: 443 }],
	['http://proxy.example', { protocol: 'http', host: 'proxy.example', port: 80 }],
	['', undefined],
	[null, undefined],
])('uses the proxy %j as %j', (proxy, used) => {
	expect(optionsOf({ proxy }).proxy).toEqual(used);
});
