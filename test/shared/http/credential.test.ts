import fc from 'fast-check';

import { cleanKey, cleanUrl, keyMask, shown } from '../../../nodes/shared/http/credential';
import { InputError } from '../../../nodes/shared/http/inputError';

it.each([
	[' key-1 \n', 'key-1'],
	[12345678, '12345678'],
	[' Bearer  key-1', 'key-1'],
	['\u200bkey\u2060-1\ufeff', 'key-1'],
	['Bearer\tkey-1', 'key-1'],
	['bearer-of-news', 'bearer-of-news'],
	['clé-1', 'clé-1'],
	['kеy-1 with a Cyrillic letter', 'ky-1 with a Cyrillic letter'],
	[undefined, ''],
	[null, ''],
])('cleanKey reads the key %j as %j', (value, key) => {
	expect(cleanKey(value)).toBe(key);
});

/** The forms in which a service may repeat a key. */
const FORMS: Record<string, (key: string) => string> = {
	'in plain text': (key) => key,
	'encoded for a URL': encodeURIComponent,
	'encoded for a URL in lower case': (key) =>
		encodeURIComponent(key).replace(/%../g, (byte) => byte.toLowerCase()),
};

describe('keyMask', () => {
	const key = fc
		.string({ unit: 'grapheme', minLength: 8, maxLength: 40 })
		.filter((text) => !/\p{Surrogate}/u.test(text) && text.trim() === text);

	it.each(Object.entries(FORMS))('masks a key %s', (_, write) => {
		fc.assert(
			fc.property(key, (key) => {
				expect(keyMask(key)(`>>${write(key)}<<`)).toBe('>>***<<');
			}),
			{ numRuns: 300 },
		);
	});

	it('masks the key everywhere in a record, and nothing else', () => {
		const record = {
			id: 5,
			'the-k"ey': ['a the-k"ey', { text: 'the-k%22ey', key: 'the-k ey' }],
			on: true,
			none: null,
		};
		expect(keyMask('the-k"ey')(record)).toEqual({
			id: 5,
			'***': ['a ***', { text: '***', key: 'the-k ey' }],
			on: true,
			none: null,
		});
	});

	it('masks a key that is a number', () => {
		const record = { key: 12345678901, limit: 1 };
		expect(keyMask('12345678901')(record)).toEqual({ key: '***', limit: 1 });
	});

	it.each(['', 'test', 'demo', '1234567'])('masks nothing if the key is only %j', (short) => {
		const text = 'Latest contest of democracy 1234567';
		expect(keyMask(short)(text)).toBe(text);
	});
});

it.each([
	['a text of 600 characters whole', 600, 'x'.repeat(600)],
	['the first 599 characters of a longer text', 601, `${'x'.repeat(599)}…`],
])('shown keeps %s', (_, length, text) => {
	expect(shown('x'.repeat(length), keyMask('secret-key'))).toBe(text);
});

describe('cleanUrl', () => {
	it.each([
		['  https://example.com/API \n', 'https://example.com'],
		['HTTPS://Example.COM', 'https://example.com'],
		['https://example.com:443/', 'https://example.com'],
		['https://example.com/?key=1', 'https://example.com'],
		['https://example.com/links/api/v2/', 'https://example.com/links'],
		['https://example.com/links//api', 'https://example.com/links'],
		['https://example.com/my-api', 'https://example.com/my-api'],
		['https://example.com/apiary', 'https://example.com/apiary'],
		['http://localhost:3000/', 'http://localhost:3000'],
		['http://[::1]:3000/api', 'http://[::1]:3000'],
	])('reads the Base URL %j as %j', (given, address) => {
		expect(cleanUrl(given)).toBe(address);
	});

	const addresses = ['example.com', 'localhost:3000', 'ftp://example.com', 'https://', '/api'];

	it.each<[string, unknown[]]>([
		['is empty', [undefined, '', '   ', 42]],
		['is not a web address', addresses],
		['contains a user name', ['https://:password@example.com', 'http://token@10.0.0.1/api']],
	])('rejects a Base URL that %s, and says so', (message, all) => {
		for (const given of all) {
			expect(() => cleanUrl(given)).toThrow(InputError);
			expect(() => cleanUrl(given)).toThrow(message);
		}
	});

	it('reads the same Base URL with or without a slash, the API’s path, a query or a fragment', () => {
		const given = fc.webUrl({ withQueryParameters: true, withFragments: true });
		const suffix = fc.constantFrom('', '/', '//', '/api', '/api/', '/api/v1', '/api/v1/');
		fc.assert(
			fc.property(given, suffix, (given, suffix) => {
				const { origin, pathname, search, hash } = new URL(given);
				const address = origin + pathname.replace(/\/+$/, '');
				const normal = cleanUrl(address + suffix + search + hash);
				expect(normal).toBe(cleanUrl(address));
				expect(normal).not.toMatch(/[?#]|\/$/);
				expect(normal.startsWith(origin)).toBe(true);
			}),
		);
	});
});
