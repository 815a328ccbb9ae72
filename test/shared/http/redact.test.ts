import fc from 'fast-check';

import { redactor } from '../../../nodes/shared/http/redact';

const HTML: Record<string, string> = { '"': '&quot;', '&': '&amp;', "'": '&#39;', '<': '&lt;' };

/** How a secret may be written in a text. */
const FORMS: Record<string, (secret: string) => string> = {
	'as it is': (secret) => secret,
	'escaped as in JSON': (secret) => JSON.stringify(secret).slice(1, -1),
	'in JSON within JSON': (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
	'escaped as PHP does': (secret) =>
		JSON.stringify(secret)
			.slice(1, -1)
			.replaceAll('/', '\\/')
			.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
	'encoded as in a URL': encodeURIComponent,
	'encoded with small letters': (secret) =>
		encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
	'encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
	'encoded as in a form': (secret) => new URLSearchParams({ k: secret }).toString().slice(2),
	'as HTML': (secret) => secret.replace(/["&'<]/g, (character) => HTML[character]!),
};

describe('a secret', () => {
	const secret = fc
		.string({ unit: 'grapheme', minLength: 4, maxLength: 40 })
		.filter((text) => !/\p{Surrogate}/u.test(text) && text.trim() === text);

	it.each(Object.entries(FORMS))('is replaced: %s', (_, write) => {
		fc.assert(
			fc.property(secret, (secret) => {
				expect(redactor(secret)(`>>${write(secret)}<<`)).toBe('>>***<<');
			}),
			{ numRuns: 300 },
		);
	});

	it('is replaced everywhere, and nothing else is', () => {
		const redact = redactor('sk-1"2');
		expect(redact('sk-1"2, {"key":"sk-1\\"2"} and sk-12')).toBe('***, {"key":"***"} and sk-12');
	});

	it('that is empty changes nothing', () => {
		expect(redactor('')('text')).toBe('text');
	});
});
