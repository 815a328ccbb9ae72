import { testCredential } from './contexts';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { fakeService, type FakeResponse } from '../fakeService';

const registry = {
	type: 'companyRegistryApi',
	success: { success: true, data: [] } as object,
	keyHeader: 'x-api-key',
	keyPrefix: '',
	keyRejected: /^Company Registry didn't accept the API key.*API Variant/,
	rejections: [{ success: false, error: 'Invalid key' }, { success: false }] as object[],
	wrongAddress:
		/^There is no Company Registry API at http:.*Check the credential's API Variant and Base URL/,
};

const SUBJECTS = {
	'Link Management': {
		type: 'linkManagementApi',
		fields: {},
		request: 'GET /api/account',
		success: { error: 0, data: { id: 1 } } as object,
		keyHeader: 'authorization',
		keyPrefix: 'Bearer ',
		keyRejected: /^Link Management didn't accept the API key.*stripping the header/,
		// Responses with status 200.
		rejections: [1, '1', true].map((error): object => ({ error, message: 'No' })),
		wrongAddress: /^There is no Link Management API at http:.*Check the credential's Base URL/,
	},
	// The status call doesn't count towards the quota.
	V1: { ...registry, fields: { variant: 'v1' }, request: 'GET /api/v1/status' },
	// Every call counts towards the quota, so the test searches for a single company.
	Unversioned: {
		...registry,
		fields: { variant: 'unversioned' },
		request: 'GET /api/search?q=SRL&limit=1',
	},
};

const HTML = { 'content-type': 'text/html' };
const MOVED = { location: 'http://127.0.0.1:1/' };

describe.each(Object.entries(SUBJECTS))('Credential test (%s)', (_name, subject) => {
	const { type, fields, request, success, keyRejected, wrongAddress } = subject;

	/** Tests a credential against a service with this response. */
	async function test(response: FakeResponse, more: ICredentialDataDecryptedObject = {}) {
		const service = await fakeService(() => response);
		const data = { ...fields, ...service.credential, ...more };
		const result = await testCredential(type, {
			...data,
			baseUrl: String(data.baseUrl).replace('{service}', service.baseUrl),
		});
		return { result, service };
	}

	it.each(['', '/', '//', '/api', '/api/', ' ', '/pre/fix'])(
		'passes after one request if the key is right and the Base URL ends in "%s"',
		async (end) => {
			const { result, service } = await test(
				{ body: success },
				{ apiKey: ' copied with spaces ', baseUrl: `{service}${end}` },
			);
			expect(result).toEqual({ status: 'OK', message: 'Connection successful!' });
			const [method, path] = request.split(' ');
			const prefix = end.startsWith('/pre') ? end : '';
			expect(service.lines()).toEqual([`${method} ${prefix}${path}`]);
			const sent = service.requests[0]!.headers[subject.keyHeader];
			expect(sent).toBe(`${subject.keyPrefix}copied with spaces`);
		},
	);

	it.each<[FakeResponse, RegExp]>([
		[{ status: 401, body: { error: 1 } }, keyRejected],
		[{ status: 400, body: { message: 'Invalid API key' } }, keyRejected],
		[{ status: 404, body: { message: 'API key not found' } }, keyRejected],
		[{ status: 403, body: { message: 'secret-key' } }, /Check that your key and plan allow/],
		[
			{ status: 402, body: { message: 'Payment required' } },
			/^Payment required.* key and plan allow/,
		],
		[{ status: 400, body: 'The plain HTTP request was sent to HTTPS port' }, /with https:/],
		...subject.rejections.map((body): [FakeResponse, RegExp] => [{ body }, keyRejected]),
		[{ status: 404, body: '' }, wrongAddress],
		[{ status: 405, body: '' }, wrongAddress],
		[{ headers: HTML, body: '<html><body>Hi</body></html>' }, wrongAddress],
		[{ headers: HTML, body: '' }, wrongAddress],
		[{ headers: { 'content-type': 'image/png' }, body: 'PNG' }, wrongAddress],
		[{ body: { state: 'up' } }, wrongAddress],
		[{ status: 301, headers: MOVED }, /redirects to http:/],
		[{ status: 308, headers: MOVED }, /redirects to http:/],
		[{ status: 429, body: 'error code: 1015' }, /You've reached the rate limit/],
		[{ status: 500, body: { message: 'secret-key' } }, /returned a server error/],
		[{ status: 503 }, /returned a server error/],
	])('explains the response %j after one request, without showing the key', async (...row) => {
		const [response, explanation] = row;
		const { result, service } = await test(response);
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(explanation) });
		expect(result.message).not.toContain(service.apiKey);
		expect(service.requests).toHaveLength(1);
	});

	it.each([429, 403])(
		'passes if the API itself says with status %d that the quota is used up',
		async (status) => {
			const { result } = await test({
				status,
				body: { message: 'Daily quota exceeded, secret-key' },
			});
			expect(result).toEqual({
				status: 'OK',
				message: 'Connection successful! The key has no requests left at the moment.',
			});
		},
	);

	const ADDRESS_ERROR =
		/^The Base URL of the credential (is empty|is not a web address)\. .*https:\/\/, e\.g\. https:\/\/example\.com\.$/;

	it.each([
		['http://127.0.0.1:1', /couldn't be reached at http:.*Base URL may be wrong/],
		['http://no-such-host.invalid', /couldn't be reached at http:.*Base URL for a typo/],
		['', ADDRESS_ERROR],
		['example.com', ADDRESS_ERROR],
		['ftp://example.com', ADDRESS_ERROR],
	])('explains what is wrong with the Base URL "%s"', async (baseUrl, message) => {
		const { result } = await test({}, { baseUrl });
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});

	it('doesn’t wait for the rate limit that workflows with the same key have reached', async () => {
		const service = await fakeService(() => ({
			headers: { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' },
			body: success,
		}));
		const data = { ...fields, ...service.credential };
		await testCredential(type, data);
		expect((await testCredential(type, data)).status).toBe('OK');
	});
});
