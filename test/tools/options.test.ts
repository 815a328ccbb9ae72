import { Command } from 'commander';
import { parseOptions } from '../../tools/start/options';

/** A command that throws instead of printing and exiting. */
function testCommand(): Command {
	return new Command().exitOverride().configureOutput({ writeErr: () => undefined });
}

describe('the options of npm start', () => {
	it('leave the editor open and the ports unsettled by default', () => {
		expect(parseOptions([])).toEqual({
			example: 'launch-a-campaign',
			once: false,
			watch: false,
		});
	});

	it('set ports, example and the end after one run', () => {
		const args = ['--port', '6000', '--sandbox-port', '6001', '--example', 'x', '--once'];
		expect(parseOptions(args)).toEqual({
			port: 6000,
			sandboxPort: 6001,
			example: 'x',
			once: true,
			watch: false,
		});
	});

	it.each(['0', '65536', '80.5', 'http', ''])('refuse %p as a port', (port) => {
		expect(() => parseOptions(['--port', port], testCommand())).toThrow('whole number');
	});

	it('refuse what they do not know', () => {
		expect(() => parseOptions(['--prot', '6000'], testCommand())).toThrow('--prot');
	});
});
