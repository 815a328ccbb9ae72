import { Command, InvalidArgumentError } from 'commander';

import { PARTS } from './parts';

export interface BenchOptions {
	/** Names of the parts to run. */
	only: string[];
	rounds: number;
	/** Whether to build the package first. */
	build: boolean;
	/** Folder for CPU profiles. */
	cpuProf?: string;
}

const DEFAULT_ROUNDS = 7;

/**
 * Reads the command line; prints help or what is wrong with it, and exits, where that is due.
 *
 * @param args without the program's own name
 */
export function parseOptions(args: string[], command = new Command()): BenchOptions {
	const names = PARTS.map(({ name }) => name);
	return command
		.name('npm run bench --')
		.description('Measures the nodes in a real n8n and updates docs/benchmarks.md.')
		.option('--only <parts>', `some of ${names.join(',')}`, partNames, names)
		.option('--rounds <number>', 'rounds that are counted', positive, DEFAULT_ROUNDS)
		.option('--no-build', 'take the package as it was built last')
		.option('--cpu-prof <folder>', 'keep a CPU profile of each case of "overhead" there')
		.parse(args, { from: 'user' })
		.opts<BenchOptions>();
}

function partNames(value: string): string[] {
	const wanted = value.split(',').map((name) => name.trim());
	const unknown = wanted.find((name) => !PARTS.some((part) => part.name === name));
	if (unknown !== undefined) throw new InvalidArgumentError(`There is no part "${unknown}".`);
	return wanted;
}

function positive(value: string): number {
	const number = Number(value);
	if (Number.isInteger(number) && number > 0) return number;
	throw new InvalidArgumentError('It must be a positive whole number.');
}
