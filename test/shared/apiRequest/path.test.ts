import fc from 'fast-check';

import { addParameter, apiPath } from '../../../nodes/shared/apiRequest/path';
import type { ApiPath } from '../../../nodes/shared/apiRequest/path';
import { fillPath } from '../../../nodes/shared/http/path';
import { ValidationFailure } from '../../../nodes/shared/node/validators';
import type { Json } from '../../../nodes/shared/http/envelope';

describe('the path of an API request', () => {
	it.each([
		['/api/account', '/api/account'],
		['api/account', '/api/account'],
		['  /api/qr/7 ', '/api/qr/7'],
		['/api/files/', '/api/files/'],
		['/api/files/a b', '/api/files/a%20b'],
		['/api/files/a%20b', '/api/files/a%20b'],
		['/api/files/50% ă', '/api/files/50%25%20%C4%83'],
		['/api/files/a%2Fb', '/api/files/a%2Fb'],
		['/api/urls:batch', '/api/urls%3Abatch'],
		['/api/..hidden/v1...2', '/api/..hidden/v1...2'],
	])('%j is sent as %j', (given, sent) => {
		expect(apiPath(given)).toEqual({ path: sent, query: {} });
	});

	it.each([
		'',
		'   ',
		'?limit=1',
		'https://elsewhere.example/api',
		'HTTPS:/elsewhere.example',
		'//elsewhere.example/api',
		'/api//account',
		'/\\elsewhere.example',
		'javascript:alert(1)',
		'/api/../admin',
		'..',
		'/api/%2e%2E/admin',
		'/api/.%2e/admin',
		'/api/x%2F..%2F../admin',
		'/api/./account',
		'/api/account#top',
		'/api/acc\nount',
		'/api/a%00b',
		undefined,
		null,
		42,
		{},
	])('%j is refused', (given) => {
		expect(apiPath(given)).toBeInstanceOf(ValidationFailure);
	});

	it('takes a query that is typed behind it', () => {
		expect(apiPath('/api/urls?limit=5&q=a%20b&tag=1&tag=2&id[]=7')).toEqual({
			path: '/api/urls',
			query: { limit: '5', q: 'a b', tag: ['1', '2'], id: ['7'] },
		});
	});

	it('stays below the Base URL whatever is typed', () => {
		const odd = fc.string({
			unit: fc.constantFrom('/', '.', '%2e', '%2F', '\\', ':', '@', '?', '#', 'a', ' ', '%', 'ă'),
		});
		fc.assert(
			fc.property(odd, (given) => {
				const result = apiPath(given);
				if (result instanceof ValidationFailure) return;
				const { path } = result as ApiPath;
				expect(path).toMatch(/^\/(?!\/)/);
				expect(fillPath(path)).toBe(path);
				const url = new URL(`https://service.example/links${path}`);
				expect(url.href).toBe(`https://service.example/links${path}`);
			}),
		);
	});
});

describe('a query parameter', () => {
	it('becomes a list when its name is repeated', () => {
		const query: Json = {};
		addParameter(query, 'a', '1');
		addParameter(query, 'a', ['2', '3']);
		addParameter(query, 'b', '4');
		expect(query).toEqual({ a: ['1', '2', '3'], b: '4' });
	});
});
