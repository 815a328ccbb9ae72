import { startSandbox } from '../../sandbox';
import { controlCaller, linkCaller, registryCaller, request, sandboxFor } from './support';

describe('control interface', () => {
	test('adds, downloads and deletes a file', async () => {
		const sandbox = await sandboxFor();
		const control = controlCaller(sandbox);
		const added = await control('POST', '/control/files', { name: 'meniu.pdf' });
		expect(added.json).toMatchObject({ id: 181, name: 'meniu.pdf', downloads: 0 });
		await control('POST', '/control/files/181/download', { times: 4 });
		const { json } = await linkCaller(sandbox)('GET', '/api/files?limit=1');
		expect(json.list).toMatchObject([{ id: 181, downloads: 4 }]);
		await control('DELETE', '/control/files/181');
		expect((await control('DELETE', '/control/files/181')).status).toBe(404);
	});

	test('scans a QR code, sets its scans and resets them all', async () => {
		const sandbox = await sandboxFor();
		const control = controlCaller(sandbox);
		expect((await control('POST', '/control/qr/3/scans', { scans: 5 })).json).toEqual({ scans: 5 });
		expect((await control('POST', '/control/qr/3/scan')).json).toEqual({ scans: 6 });
		await control('POST', '/control/qr/reset-scans');
		expect(sandbox.links.state.qrs.get(3)?.scans).toBe(0);
	});

	test('adds and deletes rows of any list', async () => {
		const sandbox = await sandboxFor();
		const control = controlCaller(sandbox);
		const added = await control('POST', '/control/rows/campaigns', { name: 'By hand' });
		expect(added.json).toMatchObject({ id: 76, name: 'By hand' });
		await control('DELETE', '/control/rows/campaigns/76');
		expect(sandbox.links.state.campaigns.size).toBe(75);
		expect((await control('POST', '/control/qr', { name: 'Door' })).json).toMatchObject({ id: 91 });
		expect((await control('DELETE', '/control/qr/91')).status).toBe(200);
	});

	test('finds a company and changes its status, rating, score and limit', async () => {
		const sandbox = await sandboxFor();
		const control = controlCaller(sandbox);
		const [found] = (await control('GET', '/control/companies?q=agro&limit=1')).json;
		const change = { status: 'suspended', rating: 'F', score: 1, limit: 0 };
		await control('POST', `/control/companies/${found.idno}`, change);
		const path = `/api/v1/credit/${found.idno}`;
		const { json } = await registryCaller(sandbox.registry.v1)('GET', path);
		expect(json).toMatchObject({
			status: 'suspended',
			scoring: { rating: 'F', score: 1 },
			trade_credit_recommendation: { recommended_limit_mdl: 0 },
		});
		const unknown = await control('POST', '/control/companies/1', { status: 'x' });
		expect(unknown.status).toBe(404);
	});

	test('changes settings of every service and refuses unknown ones', async () => {
		const sandbox = await sandboxFor();
		const control = controlCaller(sandbox);
		await control('POST', '/control/settings', {
			links: { rateLimit: { limit: 5 } },
			registry: { v1: { searchShape: 'items' } },
		});
		expect(sandbox.links.settings.rateLimit.limit).toBe(5);
		expect(sandbox.registry.v1.settings.searchShape).toBe('items');
		const wrong = await control('POST', '/control/settings', { links: { nonsense: 1 } });
		expect([wrong.status, wrong.json]).toEqual([400, { error: "Unknown setting 'nonsense'" }]);
		const shown = await control('GET', '/control/settings');
		expect(shown.json.links.rateLimit.limit).toBe(5);
	});

	test('injects, shows and removes faults', async () => {
		const sandbox = await sandboxFor();
		const control = controlCaller(sandbox);
		await control('POST', '/control/faults', { pathPattern: '^/api/qr', status: 503, times: 2 });
		expect((await control('GET', '/control/faults')).json).toMatchObject([
			{ service: 'links', status: 503 },
		]);
		expect((await linkCaller(sandbox)('GET', '/api/qr')).status).toBe(503);
		await control('DELETE', '/control/faults');
		expect((await linkCaller(sandbox)('GET', '/api/qr')).status).toBe(200);
	});

	test('shows the requests received, without counting or logging its own', async () => {
		const sandbox = await sandboxFor({ links: { rateLimit: { limit: 1 } } });
		const control = controlCaller(sandbox);
		await linkCaller(sandbox)('GET', '/api/account');
		await registryCaller(sandbox.registry.v1)('GET', '/api/v1/search?q=a');
		const all = await control('GET', '/control/requests');
		expect(all.json.map(({ service }: { service: string }) => service)).toEqual([
			'links',
			'registry.v1',
		]);
		const one = await control('GET', '/control/requests?service=links&limit=1');
		expect(one.json).toMatchObject([{ path: '/api/account', status: 200 }]);
		expect((await linkCaller(sandbox)('GET', '/api/account')).status).toBe(429);
		await control('POST', '/control/limits/reset');
		expect((await linkCaller(sandbox)('GET', '/api/account')).status).toBe(200);
		await control('DELETE', '/control/requests');
		expect(sandbox.links.requests).toEqual([]);
	});

	test('resets everything', async () => {
		const sandbox = await sandboxFor();
		sandbox.links.control.addFile();
		const company = sandbox.registry.v1.state.all()[0]!;
		const { idno, status } = company;
		sandbox.registry.v1.control.update(idno, { status: 'changed' });
		await controlCaller(sandbox)('POST', '/control/reset');
		expect(sandbox.links.state.files.size).toBe(180);
		expect(sandbox.registry.v1.state.get(idno)?.status).toBe(status);
	});

	test('has an index page with the addresses, the keys and all operations', async () => {
		const sandbox = await sandboxFor();
		const { text, headers } = await request(`${sandbox.url}/`);
		expect(headers.get('content-type')).toContain('text/html');
		for (const part of [
			sandbox.links.baseUrl,
			sandbox.links.apiKey,
			'POST /control/files',
			'Link Management',
			'Company Registry V1',
			`${sandbox.links.state.qrs.get(4)!.name} (4)`,
		]) {
			expect(text).toContain(part);
		}
		// What cannot be undone has to be confirmed.
		expect(text.match(/class="danger"/g)).toHaveLength(3);
		expect(text.match(/type="checkbox" required/g)).toHaveLength(3);
		expect(text).not.toMatch(/<(script|link|img)\b/);
	});

	test('runs the operation of a form of the index page and shows its result', async () => {
		const sandbox = await sandboxFor();
		const send = async (fields: Record<string, string>) => {
			const response = await fetch(`${sandbox.url}/form`, {
				method: 'POST',
				body: new URLSearchParams(fields),
			});
			return await response.text();
		};
		sandbox.links.control.setScans(4, 0);
		expect(await send({ path: '/control/qr/:id/scan', id: '4', times: '' })).toContain('Done');
		expect(sandbox.links.state.qrs.get(4)?.scans).toBe(1);
		const added = await send({ path: '/control/files', name: 'menu.pdf' });
		expect(added).toContain('<td>name</td><td><code>menu.pdf</code></td>');
		const failed = await send({ path: '/control/qr/:id/scan', id: '<b>' });
		expect(failed).toContain('Failed');
		expect(failed).not.toContain('<b>');
	});
});

test('a sandbox reports a port that is in use', async () => {
	const sandbox = await sandboxFor();
	const port = Number(new URL(sandbox.url).port);
	await expect(startSandbox({ port })).rejects.toThrow(`Port ${port} is already in use`);
});
