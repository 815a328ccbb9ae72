import fc from 'fast-check';

import { keyMask, normaliseKey } from '../../../nodes/shared/http/apiKey';

describe('normaliseKey', () => {
	it.each([
		[' key-1 \n', 'key-1'],
		[12345678, '12345678'],
		[' Bearer  key-1', 'key-1'],
		['\u200bkey\u2060-1\ufeff', 'key-1'],
		['bearer-of-news', 'bearer-of-news'],
		[undefined, ''],
		[null, ''],
	])('reads the key %j as %j', (value, key) => {
		expect(normaliseKey(value)).toBe(key);
	});
});

/** The forms in which a service may repeat a key. */
const FORMS: Record<string, (key: string) => string> = {
	'in plain text': (key) => key,
	'escaped as in JSON': (key) => JSON.stringify(key).slice(1, -1),
	'escaped as PHP escapes JSON': (key) =>
		JSON.stringify(key)
			.slice(1, -1)
			.replaceAll('/', '\\/')
			.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
	'encoded for a URL': encodeURIComponent,
	'encoded for a URL in lower case': (key) =>
		encodeURIComponent(key).replace(/%../g, (byte) => byte.toLowerCase()),
	'encoded for a form': (key) => new URLSearchParams({ k: key }).toString().slice(2),
};

describe('keyMask', () => {
	const key = fc
		.string({ unit: 'grapheme', minLength: 4, maxLength: 40 })
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
			'k"ey': ['a k"ey', { text: 'k\\"ey', key: 'k ey' }],
			on: true,
			none: null,
		};
		expect(keyMask('k"ey')(record)).toEqual({
			id: 5,
			'***': ['a ***', { text: '***', key: 'k ey' }],
			on: true,
			none: null,
		});
	});

	it('leaves dates in a masked record unchanged', () => {
		const record = { at: new Date(0), others: [new Date(1)] };
		expect(keyMask('secret')(record)).toEqual(record);
	});

	it('masks a long numeric key, but not a short one that may be an ID', () => {
		expect(keyMask('12345678901')({ key: 12345678901, limit: 1 })).toEqual({
			key: '***',
			limit: 1,
		});
		expect(keyMask('1234')({ id: 1234, key: '1234' })).toEqual({ id: 1234, key: '***' });
	});

	it.each(['', 'abc'])('masks nothing if the key is only %j', (short) => {
		expect(keyMask(short)('abc of text')).toBe('abc of text');
	});
});
