import fc from 'fast-check';

import { fillPath, normaliseBaseUrl } from '../../../nodes/shared/http/url';
import { InputError } from '../../../nodes/shared/http/errors';

describe('normaliseBaseUrl', () => {
	it.each([
		['https://example.com//api'],
		['https://example.com/API'],
		['https://example.com/?key=1'],
		['https://example.com/api?page=1#top'],
		['  https://example.com/ \n'],
		['HTTPS://Example.COM'],
		['https://example.com:443/'],
		['https://user:password@example.com/'],
	])('reduces the Base URL %j to the service’s address', (given) => {
		expect(normaliseBaseUrl(given)).toBe('https://example.com');
	});

	it.each([
		['https://example.com/links/', 'https://example.com/links'],
		['https://example.com/links/api', 'https://example.com/links'],
		['https://example.com/links/api/v2/', 'https://example.com/links'],
		['https://example.com/my-api', 'https://example.com/my-api'],
		['https://example.com/apiary', 'https://example.com/apiary'],
		['http://localhost:3000/', 'http://localhost:3000'],
		['http://[::1]:3000/api', 'http://[::1]:3000'],
	])('keeps path prefix and port of the Base URL %j', (given, expected) => {
		expect(normaliseBaseUrl(given)).toBe(expected);
	});

	it.each([
		[undefined, /empty/],
		['', /empty/],
		['   ', /empty/],
		[42, /empty/],
		['example.com', /not a web address/],
		['localhost:3000', /not a web address/],
		['ftp://example.com', /not a web address/],
		['https://', /not a web address/],
		['/api', /not a web address/],
	])('rejects the Base URL %j and says why', (given, message) => {
		const refused = () => normaliseBaseUrl(given);
		expect(refused).toThrow(InputError);
		expect(refused).toThrow(message);
	});

	it('reads the same Base URL with or without a slash, the API’s path, a query or a fragment', () => {
		const given = fc.webUrl({ withQueryParameters: true, withFragments: true });
		const suffix = fc.constantFrom('', '/', '//', '/api', '/api/', '/api/v1', '/api/v1/');
		fc.assert(
			fc.property(given, suffix, (given, suffix) => {
				const { origin, pathname, search, hash } = new URL(given);
				const address = origin + pathname.replace(/\/+$/, '');
				const normal = normaliseBaseUrl(address + suffix + search + hash);
				expect(normal).toBe(normaliseBaseUrl(address));
				expect(normal).not.toMatch(/[?#]|\/$/);
				expect(normal.startsWith(origin)).toBe(true);
			}),
		);
	});
});

test.each([
	['7', '/api/qr/7'],
	['../../admin?a=1#b', '/api/qr/..%2F..%2Fadmin%3Fa%3D1%23b'],
	['ă %', '/api/qr/%C4%83%20%25'],
	['half an emoji \uD83D', '/api/qr/half%20an%20emoji%20%EF%BF%BD'],
])('fillPath encodes "%s" as a single path segment', (id, path) => {
	expect(fillPath('/api/qr/:id', { id })).toBe(path);
});
