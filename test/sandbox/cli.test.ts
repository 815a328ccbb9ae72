import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const CLI = path.join(__dirname, '..', '..', 'sandbox', 'cli.ts');

const children: ChildProcess[] = [];

afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
});

function run(...args: string[]) {
	// The command is the thing under test.
	const child = fork(CLI, args, {
		execArgv: ['--import', 'tsx'],
		silent: true,
	});
	children.push(child);
	let output = '';
	child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
	child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
	return { child, output: () => output };
}

describe('sandbox command', () => {
	test('prints addresses and keys, serves with the given settings, stops on Ctrl-C', async () => {
		const { child, output } = run('--port', '0', '--limit', '7', '--reset', 'isoDate');
		while (!output().includes('Ctrl-C')) await once(child.stdout!, 'data');
		const baseUrl = /http:\S+\/links/.exec(output())?.[0] ?? '';
		const response = await fetch(`${baseUrl}/api/account`, {
			headers: { Authorization: 'Bearer sandbox-link-key' },
		});
		expect(response.headers.get('X-RateLimit-Limit')).toBe('7');
		expect(response.headers.get('X-RateLimit-Reset')).toMatch(/^\d{4}-.*Z$/);
		for (const part of ['/registry ', '/registry-alt ', 'sandbox-registry-key', 'Control page']) {
			expect(output()).toContain(part);
		}
		child.kill('SIGINT');
		expect(await once(child, 'exit')).toEqual([0, null]);
	});

	test('reports a port that is in use', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const { child, output } = run('--port', String(port));
		const [code] = (await once(child, 'close')) as [number];
		server.close();
		expect(code).toBe(1);
		expect(output()).toContain(`Port ${port} is already in use`);
	});
});
