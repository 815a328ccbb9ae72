import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../host';

/** A third-party program: its possible folders and file names, and Debian's package. */
interface Program {
	folders: () => Promise<string[]>;
	names: string[];
	debianPackage: string;
}

/** Debian's folder for PostgreSQL's server programs, which aren't on the path: one per version. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

const PROGRAMS = {
	chromium: {
		folders: pathFolders,
		names: ['chromium', 'chromium-browser', 'google-chrome'],
		debianPackage: 'chromium',
	},
	initdb: { folders: postgresFolders, names: ['initdb'], debianPackage: 'postgresql' },
	pg_ctl: { folders: postgresFolders, names: ['pg_ctl'], debianPackage: 'postgresql' },
	postgres: { folders: postgresFolders, names: ['postgres'], debianPackage: 'postgresql' },
	psql: { folders: postgresFolders, names: ['psql'], debianPackage: 'postgresql' },
	'redis-server': {
		folders: pathFolders,
		names: ['redis-server'],
		debianPackage: 'redis-server',
	},
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof PROGRAMS;

const ALL = Object.keys(PROGRAMS) as ProgramName[];

/** The programs that `startPostgres` and `startRedis` run. */
export const SERVER_PROGRAMS: ProgramName[] = ALL.filter((name) => name !== 'chromium');

/**
 * The path of a program; `providePrograms` installs it.
 *
 * @throws when it is missing
 */
export async function programPath(name: ProgramName): Promise<string> {
	const found = await find(PROGRAMS[name]);
	if (!found) throw new Error(`${name} is missing; install it: ${installCommand([name])}`);
	return found;
}

/**
 * Installs missing programs from Debian's packages, without starting any service.
 *
 * @throws an Error that says what to install if this process isn't allowed to
 */
export async function providePrograms(names: ProgramName[] = ALL): Promise<void> {
	const missing: ProgramName[] = [];
	for (const name of names) {
		if (!(await find(PROGRAMS[name]))) missing.push(name);
	}
	if (missing.length === 0) return;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Error(`Missing: ${missing.join(', ')}. Install: ${installCommand(missing)}`);
	}
	const env = {
		...process.env,
		DEBIAN_FRONTEND: 'noninteractive',
		// No package starts its service in this run level.
		RUNLEVEL: '1',
	};
	await run('apt-get', ['update'], { env });
	const packages = debianPackages(missing);
	await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { env });
}

function installCommand(names: ProgramName[]): string {
	return `sudo apt-get install ${debianPackages(names).join(' ')}`;
}

function debianPackages(names: ProgramName[]): string[] {
	return [...new Set(names.map((name) => PROGRAMS[name].debianPackage))];
}

async function find({ folders, names }: Program): Promise<string | undefined> {
	return (await folders())
		.flatMap((folder) => names.map((name) => join(folder, name)))
		.find((path) => existsSync(path));
}

async function pathFolders(): Promise<string[]> {
	return (process.env.PATH ?? '').split(':');
}

async function postgresFolders(): Promise<string[]> {
	const versions = existsSync(POSTGRES_VERSIONS) ? await readdir(POSTGRES_VERSIONS) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	return newestFirst.map((version) => join(POSTGRES_VERSIONS, version, 'bin'));
}
