import { Command } from 'commander';
import { DEFAULT_SANDBOX_PORT, parsePort } from '../cli/ports';

export interface StartOptions {
	/** The sandbox's port, if the user chose one. */
	sandboxPort?: number;
	/** Exits after the demo instead of leaving the sandbox running. */
	once: boolean;
}

/**
 * Reads the command line. Prints help or what is wrong, and exits, where that applies.
 *
 * @param args without the program's own name
 */
export function parseOptions(args: string[], command = new Command()): StartOptions {
	return command
		.name('npm start --')
		.description("Runs the nodes in n8n's own engine against a sandbox of both services.")
		.option(
			'--sandbox-port <port>',
			`port of the sandbox (default: ${DEFAULT_SANDBOX_PORT})`,
			parsePort,
		)
		.option('--once', 'exit after the demo, with a code other than 0 if it failed', false)
		.parse(args, { from: 'user' })
		.opts<StartOptions>();
}
