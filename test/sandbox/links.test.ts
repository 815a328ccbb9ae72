import type { Sandbox } from '../../sandbox';
import { linkCaller, request, sandboxFor } from './support';

test('the sandbox creates, updates, assigns and deletes a campaign', async () => {
	const sandbox = await sandboxFor();
	const call = linkCaller(sandbox);
	const created = await call('POST', '/api/campaign/add', { name: 'Vară', slug: 'vara' });
	expect(created.json).toEqual({
		error: 0,
		id: 76,
		domain: 'Vară',
		public: false,
		rotator: 'https://lnk.example/r/vara',
		list: 'https://lnk.example/u/demo/vara-76',
	});
	const updated = await call('PUT', '/api/campaign/76/update', { name: 'Iarnă', slug: '' });
	expect(updated.json).toMatchObject({ domain: 'Iarnă', rotator: false });
	expect((await call('POST', '/api/campaign/76/assign/9')).json.error).toBe(0);
	expect(sandbox.links.state.links.get(9)?.campaignId).toBe(76);
	expect((await call('DELETE', '/api/campaign/76/delete')).json.error).toBe(0);
	expect((await call('DELETE', '/api/campaign/76/delete')).status).toBe(404);
});

test('the sandbox returns a QR code at the top level if a setting says so', async () => {
	const call = linkCaller(await sandboxFor({ links: { singleQr: 'top' } }));
	expect((await call('GET', '/api/qr/5')).json).toMatchObject({ error: 0, id: 5 });
});

test.each([
	['POST', '/api/channel/add', { name: 'x', colour: 'red' }, "Unknown field 'colour'"],
	['POST', '/api/channel/add', { name: 'x', color: 'red' }, "The field 'color' is invalid"],
	['POST', '/api/channel/add', '{"name":', 'not valid JSON'],
	['POST', '/api/domain/add', { domain: 'https://go.invalid' }, 'does not point to our server'],
	['PUT', '/api/campaign/1/update', { public: true }, "The field 'name' is required"],
	['GET', '/api/qr/abc', undefined, "The path parameter 'id' is invalid"],
	['GET', '/api/qr?limit=0', undefined, "The query parameter 'limit' is invalid"],
	['GET', '/api/qr?size=5', undefined, "Unknown query parameter 'size'"],
])(
	'the sandbox rejects %s %s with the body %j, and says why',
	async (method, path, body, message) => {
		const { links } = await sandboxFor();
		const headers = { Authorization: `Bearer ${links.apiKey}`, 'Content-Type': 'application/json' };
		const { json, status } = await request(links.baseUrl + path, headers, method, body);
		expect(status).toBe(400);
		expect(json).toEqual({ error: 1, message: expect.stringContaining(message) });
	},
);

test('the sandbox rejects missing, wrong, padded and expired keys', async () => {
	const sandbox = await sandboxFor({ links: { expiredApiKeys: ['old'], oneAs: 'string' } });
	const { links } = sandbox;
	const messageFor = async (headers?: Record<string, string>) =>
		(await request(`${links.baseUrl}/api/account`, headers)).json.message;
	expect(await messageFor()).toBe('The API key is missing');
	expect(await messageFor({ Authorization: 'Bearer old' })).toBe('The API key has expired');
	const padded = { Authorization: `Bearer  ${links.apiKey}` };
	expect(await messageFor(padded)).toBe('The API key is not valid');
	links.configure({ dropAuthorization: true, errorStatus: 'ok' });
	const dropped = await linkCaller(sandbox)('GET', '/api/account');
	expect([dropped.status, dropped.json]).toEqual([
		200,
		{ error: '1', message: 'The API key is missing' },
	]);
});

test('the sandbox serves the API at any base path, and a web page elsewhere', async () => {
	const sandbox = await sandboxFor({ links: { basePath: '/my/links' } });
	expect((await linkCaller(sandbox)('GET', '/api/account')).status).toBe(200);
	for (const url of [`${sandbox.links.baseUrl}/api/api/account`, `${sandbox.url}/api/account`]) {
		const { status, text } = await request(url);
		expect([status, text]).toEqual([404, expect.stringContaining('<!doctype html>')]);
	}
	sandbox.links.configure({ basePath: '' });
	expect((await linkCaller(sandbox)('GET', '/api/account')).status).toBe(200);
});

test('the sandbox logs the newest requests', async () => {
	const sandbox = await sandboxFor({ clock: () => 1_700_000_000_000, links: { logCapacity: 1 } });
	await linkCaller(sandbox)('GET', '/api/account');
	await linkCaller(sandbox)('POST', '/api/channel/add?x=%C8%99', { name: 'ș' });
	expect(sandbox.links.requests).toEqual([
		{
			...{ service: 'links', method: 'POST', path: '/api/channel/add', query: { x: 'ș' } },
			...{ rawPath: '/links/api/channel/add?x=%C8%99', at: 1_700_000_000_000 },
			headers: expect.objectContaining({ authorization: 'Bearer sandbox-link-key' }),
			...{ body: { name: 'ș' }, bodyBytes: 13, status: 400 },
		},
	]);
});

test('the sandbox rejects a setting that doesn’t exist or is out of range', async () => {
	const { links } = await sandboxFor();
	expect(() => links.configure({ pageSize: 3 } as object)).toThrow("Unknown setting 'pageSize'");
	expect(() => links.configure({ rateLimit: { limit: 0 } })).toThrow("'rateLimit.limit'");
});

async function upload({ links }: Sandbox, target: string, body: unknown) {
	const response = await fetch(`${links.baseUrl}/api/files/upload/${target}`, {
		method: 'POST',
		headers: { Authorization: `Bearer ${links.apiKey}`, 'Content-Type': 'application/pdf' },
		body,
		duplex: 'half',
	} as RequestInit);
	return { status: response.status, json: (await response.json()) as { message?: string } };
}

// test/engine/linkManagementUpload.test.ts covers the content's size and hash.
test('an upload to the sandbox creates a file with the request’s parameters', async () => {
	const sandbox = await sandboxFor({ clock: () => Date.UTC(2026, 1, 3, 4, 5, 6) });
	const details = { custom: 'oferta', password: 'p', expiry: '2026-12-31', maxdownloads: 5 };
	const domain = 'https://go.example/';
	const query = { name: 'Oferta.pdf', domain, ...details } as unknown as Record<string, string>;
	const target = `ofert%C4%83%202%2F3.pdf?${new URLSearchParams(query)}`;
	const listed = { id: 181, name: 'Oferta.pdf', shorturl: 'https://go.example/oferta' };
	const { id, shorturl } = listed;
	expect((await upload(sandbox, target, 'x')).json).toEqual({ error: 0, id, shorturl });
	expect(sandbox.links.state.files.get(181)).toMatchObject({
		...listed,
		upload: { filename: 'ofertă 2/3.pdf', contentType: 'application/pdf', domain, ...details },
	});
	const { json } = await linkCaller(sandbox)('GET', '/api/files?limit=1');
	expect(json.list).toEqual([{ ...listed, downloads: 0, date: '2026-02-03 04:05:06' }]);
});

test.each([
	['a.txt?expiry=2026-02-30', 400, "'expiry'"],
	['a.txt?maxdownloads=many', 400, "'maxdownloads'"],
	['a.txt?custom=mine', 400, 'taken'],
	['a.txt', 413, 'larger than 4 bytes'],
])('the sandbox rejects the upload of %s with status %i', async (target, status, message) => {
	const sandbox = await sandboxFor({ links: { maxUploadBytes: 4 } });
	await upload(sandbox, 'first.txt?custom=mine', 'a');
	const rejected = await upload(sandbox, target, 'too large');
	expect(rejected.status).toBe(status);
	expect(rejected.json.message).toContain(message);
	expect(sandbox.links.state.files.size).toBe(181);
});
