import { linkCaller, request, sandboxFor } from './support';

describe('link service', () => {
	test('returns the account record', async () => {
		const call = linkCaller(await sandboxFor());
		const { json } = await call('GET', '/api/account');
		expect(json).toMatchObject({ error: 0, data: { id: 1, status: 'pro' } });
	});

	test.each([
		['/api/domains', 'domains', ['id', 'domain', 'redirectroot', 'redirect404']],
		['/api/overlay', 'cta', ['id', 'type', 'name', 'date']],
		['/api/channels', 'channels', ['id', 'name', 'description', 'color', 'starred']],
		['/api/channel/1', 'items', ['type', 'id', 'title', 'preview', 'link', 'date']],
		['/api/splash', 'splash', ['id', 'name', 'date']],
		['/api/pixels', 'pixels', ['id', 'type', 'name', 'tag', 'date']],
		['/api/qr', 'qrs', ['id', 'link', 'scans', 'name', 'date']],
	])('lists %s under data.%s with the documented fields', async (path, key, fields) => {
		const { json } = await linkCaller(await sandboxFor())('GET', path);
		expect(Number(json.error)).toBe(0);
		expect(Object.keys(json.data[key][0])).toEqual(fields);
		expect(json.data).toMatchObject({ perpage: 15, currentpage: 1, nextpage: 2 });
	});

	test('puts the counters of the file list at the top level', async () => {
		const { json } = await linkCaller(await sandboxFor())('GET', '/api/files?limit=2');
		expect(json).toMatchObject({ error: 0, result: 180, perpage: 2, nextpage: 2, maxpage: 90 });
		expect(Object.keys(json.list[0])).toEqual(['id', 'name', 'downloads', 'shorturl', 'date']);
	});

	test('returns the error code of some lists as text', async () => {
		const call = linkCaller(await sandboxFor());
		expect((await call('GET', '/api/qr')).json.error).toBe('0');
		expect((await call('GET', '/api/pixels')).json.error).toBe(0);
	});

	test('returns the name of some campaigns as domain', async () => {
		const { json } = await linkCaller(await sandboxFor())('GET', '/api/campaigns');
		const { campaigns } = json.data;
		expect(campaigns.filter((row: object) => 'domain' in row).length).toBeGreaterThan(0);
		expect(campaigns.filter((row: object) => 'name' in row).length).toBeGreaterThan(0);
	});

	test('creates, updates and deletes a campaign', async () => {
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
		const updated = await call('PUT', '/api/campaign/76/update', { name: 'Iarnă', public: true });
		expect(updated.json).toMatchObject({ domain: 'Iarnă', public: true });
		expect((await call('POST', '/api/campaign/76/assign/9')).json.error).toBe(0);
		expect(sandbox.links.state.links.get(9)?.campaignId).toBe(76);
		expect((await call('DELETE', '/api/campaign/76/delete')).json.error).toBe(0);
		expect((await call('DELETE', '/api/campaign/76/delete')).status).toBe(404);
	});

	test('returns false for the rotator of a campaign without a slug', async () => {
		const { json } = await linkCaller(await sandboxFor())('POST', '/api/campaign/add', {});
		expect(json).toMatchObject({ error: 0, rotator: false });
	});

	test('unassigns the items of a deleted channel', async () => {
		const sandbox = await sandboxFor();
		const call = linkCaller(sandbox);
		const { json } = await call('POST', '/api/channel/add', { name: 'New', color: '#00ff00' });
		expect(json).toMatchObject({ name: 'New', description: '', color: '#00ff00', starred: false });
		const { id } = json as { id: number };
		await call('POST', `/api/channel/${id}/assign/bio/3`);
		await call('POST', `/api/channel/${id}/assign/bio/3`);
		const items = await call('GET', `/api/channel/${id}`);
		expect(items.json.data.items).toMatchObject([{ type: 'bio', id: 3 }]);
		await call('DELETE', `/api/channel/${id}/delete`);
		expect(sandbox.links.state.channelItems(id)).toEqual([]);
	});

	test('refuses to assign an item that does not exist', async () => {
		const { json, status } = await linkCaller(await sandboxFor())(
			'POST',
			'/api/channel/1/assign/qr/9999',
		);
		expect([status, json]).toEqual([404, { error: 1, message: 'Item does not exist' }]);
	});

	test('creates, updates and deletes a domain', async () => {
		const sandbox = await sandboxFor();
		const call = linkCaller(sandbox);
		const body = { domain: 'https://go.new.example', redirectroot: 'https://new.example' };
		expect((await call('POST', '/api/domain/add', body)).json).toEqual({ error: 0, id: 56 });
		await call('PUT', '/api/domain/56/update', { redirect404: 'https://new.example/404' });
		expect(sandbox.links.state.domains.get(56)).toEqual({
			id: 56,
			...body,
			redirect404: 'https://new.example/404',
		});
		expect((await call('POST', '/api/domain/add', body)).json.message).toMatch(/already/);
		expect((await call('DELETE', '/api/domain/56/delete')).json.error).toBe(0);
	});

	test('creates, updates and deletes a pixel', async () => {
		const call = linkCaller(await sandboxFor());
		const body = { type: 'tiktok', name: 'T', tag: 'TT-1' };
		expect((await call('POST', '/api/pixel/add', body)).json).toEqual({ error: 0, id: 71 });
		expect((await call('PUT', '/api/pixel/71/update', { tag: 'TT-2' })).json.error).toBe(0);
		expect((await call('DELETE', '/api/pixel/71/delete')).json.error).toBe(0);
	});

	test('updates the account with one field, or only with both, depending on the setting', async () => {
		const sandbox = await sandboxFor();
		const call = linkCaller(sandbox);
		await call('PUT', '/api/account/update', { email: 'new@link-company.example' });
		expect(sandbox.links.state.account.email).toBe('new@link-company.example');
		sandbox.links.configure({ accountUpdateNeedsBoth: true });
		expect((await call('PUT', '/api/account/update', { password: 'x' })).status).toBe(400);
	});

	test.each(['data', 'details', 'top'] as const)(
		'answers a single QR record in the shape "%s"',
		async (singleQr) => {
			const { json } = await linkCaller(await sandboxFor({ links: { singleQr } }))(
				'GET',
				'/api/qr/5',
			);
			const record = { data: json.data, details: json.details, top: json }[singleQr];
			expect(record).toMatchObject({ id: 5, scans: expect.any(Number), name: expect.any(String) });
			if (singleQr === 'details') expect(json.data).toHaveProperty('uniqueClicks');
		},
	);

	test.each([
		['POST', '/api/channel/add', { name: 'x', colour: 'red' }, "Unknown field 'colour'"],
		['POST', '/api/channel/add', {}, "The field 'name' is required"],
		['POST', '/api/channel/add', { name: 'x', color: 'red' }, "The field 'color' is invalid"],
		['POST', '/api/channel/add', { name: 'x', starred: 'yes' }, "The field 'starred' is invalid"],
		['POST', '/api/pixel/add', { type: 'x', name: 'x', tag: 'x' }, "The field 'type' is invalid"],
		['POST', '/api/domain/add', { domain: 'go.example' }, "The field 'domain' is invalid"],
		['PUT', '/api/campaign/1/update', { public: true }, "The field 'name' is required"],
		['PUT', '/api/pixel/1/update', { name: 'x' }, "The field 'tag' is required"],
		['POST', '/api/campaign/1/assign/1', { x: 1 }, "Unknown field 'x'"],
		['GET', '/api/qr/abc', undefined, "The path parameter 'id' is invalid"],
		['POST', '/api/channel/1/assign/page/1', undefined, "The path parameter 'type' is invalid"],
		['GET', '/api/qr?limit=0', undefined, "The query parameter 'limit' is invalid"],
		['GET', '/api/qr?size=5', undefined, "Unknown query parameter 'size'"],
	])('refuses %s %s with %j and names the field', async (method, path, body, message) => {
		const { json, status } = await linkCaller(await sandboxFor())(method, path, body);
		expect(status).toBe(400);
		expect(json).toEqual({ error: 1, message: expect.stringContaining(message) });
	});

	test('refuses a body that is not JSON or not declared as JSON', async () => {
		const { links } = await sandboxFor();
		const send = async (body: string, type: string) => {
			const headers = { Authorization: `Bearer ${links.apiKey}`, 'Content-Type': type };
			const url = `${links.baseUrl}/api/channel/add`;
			const response = await fetch(url, { method: 'POST', headers, body });
			return (await response.json()) as { message: string };
		};
		expect((await send('{"name":', 'application/json')).message).toMatch(/not valid JSON/);
		expect((await send('{"name":"x"}', 'text/plain')).message).toMatch(/application\/json/);
	});

	test('distinguishes missing, wrong and expired keys', async () => {
		const sandbox = await sandboxFor({ links: { expiredApiKeys: ['old'] } });
		const missing = await request(`${sandbox.links.baseUrl}/api/account`);
		expect([missing.status, missing.json]).toEqual([
			401,
			{ error: 1, message: 'The API key is missing' },
		]);
		const wrong = await linkCaller(sandbox, 'wrong')('GET', '/api/account');
		expect(wrong.json.message).toBe('The API key is not valid');
		const expired = await linkCaller(sandbox, 'old')('GET', '/api/account');
		expect(expired.json.message).toBe('The API key has expired');
		sandbox.links.configure({ dropAuthorization: true });
		const dropped = await linkCaller(sandbox)('GET', '/api/account');
		expect(dropped.json.message).toBe('The API key is missing');
	});

	test('returns failures with status 200, and the error code as text, if set', async () => {
		const sandbox = await sandboxFor({ links: { errorStatus: 'ok', oneAs: 'string' } });
		const { json, status } = await linkCaller(sandbox)('GET', '/api/qr/9999');
		expect([status, json]).toEqual([200, { error: '1', message: 'QR code does not exist' }]);
	});

	test('returns an HTML page for an unknown path', async () => {
		const sandbox = await sandboxFor();
		for (const url of [`${sandbox.links.baseUrl}/api/api/account`, `${sandbox.url}/api/account`]) {
			const { status, headers, text } = await request(url);
			expect(status).toBe(404);
			expect(headers.get('content-type')).toContain('text/html');
			expect(text).toContain('<!doctype html>');
		}
	});

	test('serves from another base path, also from the root', async () => {
		const sandbox = await sandboxFor({ links: { basePath: '/my/links' } });
		expect(sandbox.links.baseUrl).toBe(`${sandbox.url}/my/links`);
		expect((await linkCaller(sandbox)('GET', '/api/account')).status).toBe(200);
		sandbox.links.configure({ basePath: '' });
		expect((await linkCaller(sandbox)('GET', '/api/account')).status).toBe(200);
		expect(sandbox.links.requests.at(-1)?.path).toBe('/api/account');
	});

	test('holds the same data in every run', async () => {
		const lists = await Promise.all(
			[await sandboxFor(), await sandboxFor()].map((sandbox) =>
				linkCaller(sandbox)('GET', '/api/files?limit=50'),
			),
		);
		expect(lists[0]?.text).toBe(lists[1]?.text);
	});

	test('logs what it received, key by key', async () => {
		const { now } = { now: () => 1_700_000_000_000 };
		const sandbox = await sandboxFor({ clock: now });
		await linkCaller(sandbox)('POST', '/api/channel/add?x=%C8%99', { name: 'ș' });
		expect(sandbox.links.requests).toEqual([
			{
				service: 'links',
				method: 'POST',
				path: '/api/channel/add',
				rawPath: '/links/api/channel/add?x=%C8%99',
				query: { x: 'ș' },
				headers: expect.objectContaining({ authorization: 'Bearer sandbox-link-key' }),
				body: { name: 'ș' },
				bodyBytes: 13,
				status: 400,
				at: 1_700_000_000_000,
			},
		]);
	});

	test('keeps the newest requests only', async () => {
		const sandbox = await sandboxFor({ links: { logCapacity: 3 } });
		for (let id = 1; id <= 5; id++) await linkCaller(sandbox)('GET', `/api/qr/${id}`);
		expect(sandbox.links.requests.map(({ path }) => path)).toEqual([
			'/api/qr/3',
			'/api/qr/4',
			'/api/qr/5',
		]);
	});

	test('has its initial data after a reset', async () => {
		const sandbox = await sandboxFor();
		const call = linkCaller(sandbox);
		const before = (await call('GET', '/api/qr/1')).text;
		sandbox.links.configure({ singleQr: 'top' });
		sandbox.links.control.scan(1, 7);
		sandbox.links.inject({ status: 500 });
		sandbox.reset();
		expect((await call('GET', '/api/qr/1')).text).toBe(before);
		expect(sandbox.links.requests).toHaveLength(1);
	});

	test('refuses a setting that does not exist or is of the wrong type', async () => {
		const { links } = await sandboxFor();
		expect(() => links.configure({ pageSize: 3 } as object)).toThrow("Unknown setting 'pageSize'");
		expect(() => links.configure({ rateLimit: { limit: 0 } })).toThrow("'rateLimit.limit'");
	});
});
