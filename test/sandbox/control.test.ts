import { type Call, linkCaller, registryCaller, request, sandboxFor } from './support';

async function controlled(links = {}) {
	const sandbox = await sandboxFor({ links });
	const control: Call = (method, path, body) => request(sandbox.url + path, {}, method, body);
	return { sandbox, control, call: linkCaller(sandbox) };
}

test('the control interface adds, downloads and deletes files, scans QR codes, and fills channels', async () => {
	const { sandbox, control, call } = await controlled();
	const { state } = sandbox.links;
	const added = await control('POST', '/control/files', { name: 'meniu.pdf' });
	expect(added.json).toMatchObject({ id: 181, name: 'meniu.pdf', downloads: 0 });
	await control('POST', '/control/files/181/download', { times: 4 });
	expect((await call('GET', '/api/files?limit=1')).json.list).toMatchObject([{ downloads: 4 }]);
	await control('DELETE', '/control/rows/files/181');
	expect((await control('DELETE', '/control/rows/files/181')).status).toBe(404);

	expect((await control('POST', '/control/qr/3/scans', { scans: 5 })).json).toEqual({ scans: 5 });
	expect((await control('POST', '/control/qr/3/scan')).json).toEqual({ scans: 6 });
	await control('POST', '/control/qr/reset-scans');
	expect(state.qrs.get(3)?.scans).toBe(0);

	await control('POST', '/control/channels/2/items', { type: 'bio', id: 3 });
	expect(state.channelItems(2)).toMatchObject([{ type: 'bio', id: 3 }]);
	sandbox.links.control.removeItem(2, { type: 'bio', id: 3 });
	expect(state.channelItems(2)).toEqual([]);

	const row = await control('POST', '/control/rows/campaigns', { name: 'By hand' });
	expect(row.json).toMatchObject({ id: 76, name: 'By hand' });
});

test('the control interface finds and changes a company for both API variants', async () => {
	const { sandbox, control } = await controlled();
	const [{ idno }] = (await control('GET', '/control/companies?q=agro&limit=1')).json;
	const change = { status: 'suspended', rating: 'F', score: 1, limit: 0 };
	await control('POST', `/control/companies/${idno}`, change);
	const { v1, unversioned } = sandbox.registry;
	expect((await registryCaller(v1)('GET', `/api/v1/credit/${idno}`)).json).toMatchObject({
		status: 'suspended',
		scoring: { rating: 'F', score: 1 },
		trade_credit_recommendation: { recommended_limit_mdl: 0 },
	});
	const { json } = await registryCaller(unversioned)('GET', `/api/search?q=${idno}`);
	expect(json.data).toMatchObject([{ idno, status: 'suspended' }]);
	expect((await control('POST', '/control/companies/1', { status: 'x' })).status).toBe(404);
});

test('the control interface changes settings of every service, and rejects unknown ones', async () => {
	const { sandbox, control } = await controlled();
	await control('POST', '/control/settings', {
		links: { rateLimit: { limit: 5 } },
		registry: { v1: { searchShape: 'items' } },
	});
	expect(sandbox.registry.v1.settings.searchShape).toBe('items');
	const wrong = await control('POST', '/control/settings', { links: { nonsense: 1 } });
	expect([wrong.status, wrong.json]).toEqual([400, { error: "Unknown setting 'nonsense'" }]);
	expect((await control('GET', '/control/settings')).json.links.rateLimit.limit).toBe(5);
});

test('the control interface injects, shows and removes faults', async () => {
	const { control, call } = await controlled();
	await control('POST', '/control/faults', { pathPattern: '^/api/qr', status: 503, times: 2 });
	const pending = (await control('GET', '/control/faults')).json;
	expect(pending).toMatchObject([{ service: 'links', status: 503 }]);
	expect((await call('GET', '/api/qr')).status).toBe(503);
	await control('DELETE', '/control/faults');
	expect((await call('GET', '/api/qr')).status).toBe(200);
});

test('the control interface shows the services’ requests, and resets limits, requests and data', async () => {
	const { sandbox, control, call } = await controlled({ rateLimit: { limit: 1 } });
	await call('GET', '/api/account');
	await registryCaller(sandbox.registry.v1)('GET', '/api/v1/search?q=a');
	const all = (await control('GET', '/control/requests')).json as Array<{ service: string }>;
	expect(all.map(({ service }) => service)).toEqual(['links', 'registry.v1']);
	const one = await control('GET', '/control/requests?service=links&limit=1');
	expect(one.json).toMatchObject([{ path: '/api/account', status: 200 }]);
	expect((await call('GET', '/api/account')).status).toBe(429);
	await control('POST', '/control/limits/reset');
	expect((await call('GET', '/api/account')).status).toBe(200);
	await control('DELETE', '/control/requests');
	expect(sandbox.links.requests).toEqual([]);
	sandbox.links.control.addFile();
	await control('POST', '/control/reset');
	expect(sandbox.links.state.files.size).toBe(180);
});

test('the control interface adds a company that a search finds', async () => {
	const { control } = await controlled();
	const { json } = await control('POST', '/control/companies', { name: 'Agro Nou SRL' });
	const found = await control('GET', '/control/companies?q=agro%20nou');
	expect(found.json).toEqual([json]);
});

test('the control page shows the services, simulates events and asks to confirm resets', async () => {
	const { sandbox, control } = await controlled();
	const { text } = await control('GET', '/');
	const { services, operations } = (await control('GET', '/control')).json as {
		services: object[];
		operations: Array<{ call: string }>;
	};
	expect(services).toHaveLength(3);
	expect(services[0]).toMatchObject({ baseUrl: sandbox.links.baseUrl });
	const calls = operations.map(({ call }) => call);
	const used = [...text.matchAll(/data-call="([^"]+)"/g)].map(([, call]) => call);
	// One button for each of the triggers' seven events, and three for resets.
	expect(used).toHaveLength(7 + 3);
	expect(calls).toEqual(expect.arrayContaining(used));
	expect(text.match(/data-confirm/g)).toHaveLength(3);
});
