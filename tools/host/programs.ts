import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from './subprocess';

/** Third-party programs, with their file names and Debian's packages. */
const PROGRAMS = {
	chromium: { names: ['chromium', 'chromium-browser', 'google-chrome'], debian: 'chromium' },
	initdb: { names: ['initdb'], debian: 'postgresql' },
	pg_ctl: { names: ['pg_ctl'], debian: 'postgresql' },
	postgres: { names: ['postgres'], debian: 'postgresql' },
	psql: { names: ['psql'], debian: 'postgresql' },
	'redis-server': { names: ['redis-server'], debian: 'redis-server' },
};

type ProgramName = keyof typeof PROGRAMS;

/** Together ten minutes. */
const [MOST_TRIES, RETRY_AFTER_MS] = [60, 10_000];

/** Debian's folder for PostgreSQL's programs, which aren't on the path: one per version. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/**
 * The path of a program; `providePrograms` installs it.
 *
 * @throws when it is missing
 */
export async function programPath(name: ProgramName): Promise<string> {
	const found = await find(name);
	if (!found) throw new Error(`${name} is missing; install it: ${installCommand([name])}`);
	return found;
}

/**
 * Installs missing programs from Debian's packages, without starting any service.
 *
 * @param onProgress receives short lines
 * @throws an Error that says what to install if this process isn't allowed to
 */
export async function providePrograms(onProgress: (line: string) => void): Promise<void> {
	const missing: ProgramName[] = [];
	for (const name of Object.keys(PROGRAMS) as ProgramName[]) {
		if (!(await find(name))) missing.push(name);
	}
	if (missing.length === 0) return;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Error(`Missing: ${missing.join(', ')}. Install: ${installCommand(missing)}`);
	}
	const packages = debianPackages(missing);
	onProgress(`Installing ${packages.join(', ')} …`);
	await aptGet(['update'], onProgress);
	await aptGet(['install', '-y', '--no-install-recommends', ...packages], onProgress);
}

/** Runs apt-get, and waits while another one is running. */
async function aptGet(args: string[], onProgress: (line: string) => void): Promise<void> {
	// At this run level, installing a package doesn't start its service.
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
	for (let tries = 1; ; tries++) {
		try {
			await run('apt-get', args, { env });
			return;
		} catch (error) {
			if (!/Could not get lock/.test((error as Error).message) || tries === MOST_TRIES) throw error;
			onProgress('Waiting for another apt-get to end …');
			await delay(RETRY_AFTER_MS);
		}
	}
}

function installCommand(names: ProgramName[]): string {
	return `sudo apt-get install ${debianPackages(names).join(' ')}`;
}

function debianPackages(names: ProgramName[]): string[] {
	return [...new Set(names.map((name) => PROGRAMS[name].debian))];
}

async function find(program: ProgramName): Promise<string | undefined> {
	const versions = existsSync(POSTGRES_VERSIONS) ? await readdir(POSTGRES_VERSIONS) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	const folders = [
		...newestFirst.map((version) => join(POSTGRES_VERSIONS, version, 'bin')),
		...(process.env.PATH ?? '').split(delimiter),
	];
	return folders
		.flatMap((folder) => PROGRAMS[program].names.map((name) => join(folder, name)))
		.find((path) => existsSync(path));
}
