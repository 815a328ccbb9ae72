import { Command } from 'commander';
import { parseOptions as parseDevOptions } from '../../tools/dev/options';
import { parseOptions as parseStartOptions } from '../../tools/start/options';

/** A command that throws instead of printing and exiting. */
function testCommand(): Command {
	return new Command().exitOverride().configureOutput({ writeErr: () => undefined });
}

describe('the options of npm start', () => {
	it('leave the sandbox running by default', () => {
		expect(parseStartOptions([])).toEqual({ once: false });
	});

	it('set the port and the end after the demo', () => {
		expect(parseStartOptions(['--sandbox-port', '6001', '--once'])).toEqual({
			sandboxPort: 6001,
			once: true,
		});
	});
});

describe('the options of npm run dev', () => {
	it('leave the editor open by default', () => {
		expect(parseDevOptions([])).toEqual({ once: false });
	});

	it('set ports, example and the end after one run', () => {
		const args = ['--port', '6000', '--sandbox-port', '6001', '--example', 'x', '--once'];
		expect(parseDevOptions(args)).toEqual({
			port: 6000,
			sandboxPort: 6001,
			example: 'x',
			once: true,
		});
	});
});

describe.each([
	['npm start', '--sandbox-port', parseStartOptions],
	['npm run dev', '--port', parseDevOptions],
])('the options of %s', (_, option, parseOptions) => {
	it.each(['0', '65536', '80.5', 'http', ''])('reject %p as a port', (port) => {
		expect(() => parseOptions([option, port], testCommand())).toThrow('whole number');
	});

	it('reject unknown ones', () => {
		expect(() => parseOptions(['--prot', '6000'], testCommand())).toThrow('--prot');
	});
});
