import { Command } from 'commander';
import { DEFAULT_SANDBOX_PORT, parsePort } from '../cli/ports';

export interface DevOptions {
	/** The editor's port, if the user chose one. */
	port?: number;
	/** The sandbox's port, if the user chose one. */
	sandboxPort?: number;
	/** File name in examples/, without `.json`, of a workflow to run first. */
	example?: string;
	/** Exits after running the example instead of leaving the editor open. */
	once: boolean;
}

export const DEFAULT_PORT = 5678;

/**
 * Reads the command line. Prints help or what is wrong, and exits, where that applies.
 *
 * @param args without the program's own name
 */
export function parseOptions(args: string[], command = new Command()): DevOptions {
	return command
		.name('npm run dev --')
		.description(
			'Starts n8n with this package, the examples and a sandbox of both services. ' +
				'Reloads the nodes when their sources change.',
		)
		.option('--port <port>', `port of n8n's editor (default: ${DEFAULT_PORT})`, parsePort)
		.option(
			'--sandbox-port <port>',
			`port of the sandbox (default: ${DEFAULT_SANDBOX_PORT})`,
			parsePort,
		)
		.option('--example <name>', 'run this workflow of examples/ and print its output')
		.option('--once', 'exit after that, with a code other than 0 if it failed', false)
		.parse(args, { from: 'user' })
		.opts<DevOptions>();
}
