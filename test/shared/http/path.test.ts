import fc from 'fast-check';

import { fillPath } from '../../../nodes/shared/http/path';
import { fileName } from '../../../nodes/shared/node/validators';

describe('filling a path', () => {
	it('replaces each name with its value', () => {
		const values = { campaignId: '3', linkId: '9' };
		expect(fillPath('/api/campaign/:campaignId/assign/:linkId', values)).toBe(
			'/api/campaign/3/assign/9',
		);
	});

	it('leaves a path without placeholders alone', () => {
		expect(fillPath('/api/v1/search')).toBe('/api/v1/search');
	});

	it('does not read placeholders in values', () => {
		expect(fillPath('/api/:a/:b', { a: ':b', b: '1' })).toBe('/api/%3Ab/1');
	});

	it('keeps the number of segments for any file name', () => {
		const text = fc.oneof(
			fc.string({ unit: 'binary', minLength: 1 }),
			fc.string({ unit: fc.constantFrom('/', '\\', '.', '%', '?', '#', ':', ' ', 'ü', '\uD83D') }),
		);
		fc.assert(
			fc.property(text, (text) => {
				const name = fileName(text);
				if (typeof name !== 'string') return;
				const path = fillPath('/api/files/upload/:fileName', { fileName: name });
				const { pathname, search, hash } = new URL(path, 'https://example.com');
				expect(pathname.split('/')).toHaveLength(5);
				expect(search + hash).toBe('');
				expect(decodeURIComponent(pathname.split('/')[4]!)).toBe(
					Buffer.from(name, 'utf8').toString('utf8'),
				);
			}),
			{ numRuns: 2_000 },
		);
	});
});
