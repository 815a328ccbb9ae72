import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startSubprocess, type Subprocess, until } from '../../tools/host';

const CLI = join(__dirname, '..', '..', 'sandbox', 'cli.ts');

let command: Subprocess | undefined;

afterEach(async () => await command?.kill());

function run(...args: string[]): Subprocess {
	command = startSubprocess(process.execPath, ['--import', 'tsx', CLI, ...args]);
	return command;
}

test('the sandbox command prints addresses and keys, applies its options, and can be stopped', async () => {
	const { tail, stop, ended } = run('--port', '0', '--limit', '7', '--reset', 'isoDate');
	await until('the sandbox to listen', () => tail().includes('Ctrl-C'));
	const baseUrl = /http:\S+\/links/.exec(tail())?.[0] ?? '';
	const response = await fetch(`${baseUrl}/api/account`, {
		headers: { Authorization: 'Bearer sandbox-link-key' },
	});
	expect(response.headers.get('X-RateLimit-Limit')).toBe('7');
	expect(response.headers.get('X-RateLimit-Reset')).toMatch(/^\d{4}-.*Z$/);
	for (const part of ['/registry ', '/registry-alt ', 'sandbox-registry-key', 'Control page']) {
		expect(tail()).toContain(part);
	}
	await stop();
	expect(await ended).toBeUndefined();
});

test('the sandbox command reports a port that is in use', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const { tail, ended } = run('--port', String(port));
	expect(await ended).toBe('exit code 1');
	server.close();
	expect(tail()).toContain(`Port ${port} is already in use`);
});
