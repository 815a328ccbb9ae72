import { Command, InvalidArgumentError } from 'commander';

export interface StartOptions {
	/** The editor's port, if one was asked for. */
	port?: number;
	/** The sandbox's port, if one was asked for. */
	sandboxPort?: number;
	/** File name in examples/, without `.json`, of the workflow to run. */
	example: string;
	/** Ends after the run instead of leaving the editor open. */
	once: boolean;
	/** Loads the nodes anew when their sources change, and runs no example. */
	watch: boolean;
}

export const DEFAULT_PORT = 5678;
export const DEFAULT_SANDBOX_PORT = 8090;
const DEFAULT_EXAMPLE = 'launch-a-campaign';

/**
 * Reads the command line; prints help or what is wrong with it, and exits, where that is due.
 *
 * @param args without the program's own name
 */
export function parseOptions(args: string[], command = new Command()): StartOptions {
	return command
		.name('npm start --')
		.description('Starts n8n with this package loaded, against a sandbox of the services.')
		.option('--port <port>', `port of n8n's editor (default: ${DEFAULT_PORT})`, parsePort)
		.option(
			'--sandbox-port <port>',
			`port of the sandbox (default: ${DEFAULT_SANDBOX_PORT})`,
			parsePort,
		)
		.option('--example <name>', 'workflow of examples/ to run', DEFAULT_EXAMPLE)
		.option('--once', 'exit after the run, with a code other than 0 if it failed', false)
		.option('--watch', 'load the nodes anew when their sources change; runs no example', false)
		.parse(args, { from: 'user' })
		.opts<StartOptions>();
}

function parsePort(value: string): number {
	const port = Number(value);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new InvalidArgumentError('A port is a whole number from 1 to 65535.');
	}
	return port;
}
