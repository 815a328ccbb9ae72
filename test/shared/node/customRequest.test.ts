import fc from 'fast-check';

import type { Call } from '../../../nodes/shared/node/call';
import { typedPath, typedRequest, type TypedPath } from '../../../nodes/shared/node/customRequest';

/** The path and query that the node sends for these parameters. */
function sentFor(parameters: Record<string, unknown>): string {
	const call = {
		run: { isTool: false },
		parameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
	} as unknown as Call;
	return typedRequest(call).request.path;
}

describe('API Request: path', () => {
	it.each([
		['/api/account', '/api/account'],
		['  /api/qr/7 ', '/api/qr/7'],
		['api/account', '/api/account'],
		['/api/files/', '/api/files/'],
		['/api/files/a b', '/api/files/a%20b'],
		['/api/files/a%20b', '/api/files/a%20b'],
		['/api/files/50% ă', '/api/files/50%25%20%C4%83'],
		['/api/files/a%2Fb', '/api/files/a%2Fb'],
		['/api/urls:batch', '/api/urls%3Abatch'],
		['/api/..hidden/v1...2', '/api/..hidden/v1...2'],
	])('sends the path %j as %j', (path, sent) => {
		expect(sentFor({ path })).toBe(sent);
	});

	it.each([
		...['', '   ', '?limit=1', '//elsewhere.example/api', '/api//account'],
		...[
			'elsewhere.example/api',
			'https://elsewhere.example/api',
			'HTTPS:/elsewhere.example',
			'/\\elsewhere.example',
		],
		...['/api/../admin', '/api/%2e%2E/admin', '/api/.%2e/admin', '/api/x%2F..%2F../admin'],
		...['/api/./account', '/api/account#top', '/api/acc\nount', '/api/a%00b'],
		...[undefined, null, 42, {}],
	])('rejects the path %j', (given) => {
		expect(() => typedPath(given, 'Path')).toThrow('must be a path below the Base URL');
	});

	it('sends any accepted path only to addresses below the Base URL', () => {
		const odd = fc.string({ unit: fc.constantFrom('%2e', '%2F', ...'/.\\:@?#a %ă&') });
		fc.assert(
			fc.property(odd, (given) => {
				let typed: TypedPath;
				try {
					typed = typedPath(given, 'Path');
				} catch {
					return;
				}
				const { path, query } = typed;
				const sent = `${path}?${query.join('&')}`;
				expect(path).toMatch(/^\/(?!\/)/);
				expect(sent).not.toMatch(/:\w/);
				const url = new URL(`https://service.example/links${sent}`);
				expect(url.pathname).toBe(`/links${path}`);
				expect(url.host).toBe('service.example');
			}),
		);
	});
});

describe('API Request: query', () => {
	const fields = (...entries: Array<[name: string, value: unknown]>) => ({
		path: '/x',
		queryParameters: { parameters: entries.map(([name, value]) => ({ name, value })) },
	});

	it.each([
		[{ path: '/x?id=1&id=2&tag[]=a' }, '/x?id=1&id=2&tag[]=a'],
		[{ path: '/x?flag&q=a%20b+c&at=10:30' }, '/x?flag&q=a%20b+c&at=10%3A30'],
		[{ path: '/x?q=50% ă "x"' }, '/x?q=50%25%20%C4%83%20%22x%22'],
		[{ ...fields(['a', 1]), path: '/x?a=0' }, '/x?a=0&a=1'],
		[fields(['tag[]', 'a&b'], ['tag[]', ':c']), '/x?tag[]=a%26b&tag[]=%3Ac'],
		[fields([' ', 1], ['none', null], ['no', '']), '/x?no='],
		[fields(['q', 'C++ 50%41']), '/x?q=C%2B%2B%2050%2541'],
		[fields(['on', true], ['list', ['a']]), '/x?on=true&list=a'],
		[{ ...fields(['page', 2]), path: '/x?limit=5' }, '/x?limit=5&page=2'],
		[
			{ ...fields(['page', 2], ['pages', 1]), path: '/x?limit=5', returnAllPages: true },
			'/x?pages=1',
		],
	])('sends the query in %j as %j', (parameters, sent) => {
		expect(sentFor(parameters)).toBe(sent);
	});
});
