import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { cacheRoot } from '../../tools/host/install';
import { parseExecutionData } from '../../tools/host/api';
import { n8nEnvironment } from '../../tools/host/environment';
import { choosePort } from '../../tools/host/ports';

test('n8n gets the machine’s settings but not the user’s, and the caller’s settings take precedence', () => {
	const own = { N8N_ENCRYPTION_KEY: 'mine', DB_TYPE: 'postgresdb', NODE_OPTIONS: '--inspect' };
	const user = { PATH: '/bin', HTTPS_PROXY: 'http://proxy.example', ...own };
	const environment = n8nEnvironment('/tmp/user', { N8N_LOG_LEVEL: 'debug' }, user);
	expect(environment).toMatchObject({
		...{ PATH: '/bin', N8N_USER_FOLDER: '/tmp/user', N8N_LOG_LEVEL: 'debug' },
		...{ N8N_LISTEN_ADDRESS: '127.0.0.1', N8N_DIAGNOSTICS_ENABLED: 'false' },
	});
	for (const name of ['HTTPS_PROXY', ...Object.keys(own)]) {
		expect(environment).not.toHaveProperty(name);
	}
});

test('the cache is in the folder that the environment names, or else in the user’s cache folder', () => {
	expect(cacheRoot({ LINK_COMPANY_CACHE: '/big/disk', XDG_CACHE_HOME: '/x' })).toBe('/big/disk');
	expect(cacheRoot({ XDG_CACHE_HOME: '/x' })).toMatch(/^.x.n8n-nodes-link-company$/);
});

test('choosePort reports a port that is in use, or picks another one if any port will do', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const choice = { program: 'n8n', option: '--port', usual: port };
	await expect(choosePort(choice, undefined, false)).rejects.toThrow(`Port ${port} for n8n`);
	await expect(choosePort(choice, port, true)).rejects.toThrow('choose another port with --port');
	expect(await choosePort(choice, undefined, true)).not.toBe(port);
	server.close();
	expect(await choosePort(choice, undefined, false)).toBe(port);
});

test('parseExecutionData reads n8n’s format, which stores each object and text once', () => {
	const stored = [{ runData: '1', error: '3' }, ['2', '2'], { name: '4', done: true }, null, 'QR'];
	const node = { name: 'QR', done: true };
	expect(parseExecutionData(JSON.stringify(stored))).toEqual({
		runData: [node, node],
		error: null,
	});
});
