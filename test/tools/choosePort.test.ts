import { createServer, type Server } from 'node:net';
import { choosePort, portTakenMessage } from '../../tools/cli/choosePort';

describe('the choice of a port', () => {
	let server: Server;
	let taken: number;

	beforeAll(async () => {
		server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		taken = (server.address() as { port: number }).port;
	});

	afterAll(async () => {
		await new Promise((resolve) => server.close(resolve));
	});

	const choice = { program: 'n8n', option: '--port', wanted: undefined, flexible: false };

	it('names the option to use when the default port is in use', async () => {
		await expect(choosePort({ ...choice, usual: taken })).rejects.toThrow(
			portTakenMessage('n8n', taken, '--port'),
		);
	});

	it('chooses another port automatically if allowed', async () => {
		const port = await choosePort({ ...choice, usual: taken, flexible: true });
		expect(port).not.toBe(taken);
	});

	it('never replaces a port that the user chose', async () => {
		const asked = choosePort({ ...choice, wanted: taken, usual: 5678, flexible: true });
		await expect(asked).rejects.toThrow(`Port ${taken}`);
	});
});

describe('the message about a taken port', () => {
	it('names the port, who wanted it and a command to try', () => {
		expect(portTakenMessage('the sandbox', 8090, '--sandbox-port')).toBe(
			'Port 8090 for the sandbox is in use by another program. ' +
				'Stop that program or choose another port with --sandbox-port 8091.',
		);
	});

	it('proposes a port that exists', () => {
		expect(portTakenMessage('n8n', 65_535, '--port')).toContain('--port 65534');
	});
});
