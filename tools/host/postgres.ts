import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, LOOPBACK } from './ports';
import { programPath } from './programs';
import type { Service } from './redis';
import { run, startSubprocess, type Subprocess } from './subprocess';
import { until } from './until';

export interface Postgres extends Service {
	user: string;
	database: string;
	/** Runs statements that return no rows. */
	execute(sql: string): Promise<void>;
	/** Runs one SELECT and returns its rows, each with its columns by name. */
	select<Row>(sql: string): Promise<Row[]>;
}

const USER = 'n8n';
const DATABASE = 'postgres';

/**
 * A PostgreSQL server with an empty database in a temporary folder. Only this machine can reach it,
 * and it doesn't wait for the disk.
 *
 * @throws with the end of its log if it doesn't respond
 */
export async function startPostgres(): Promise<Postgres> {
	const [initdb, pgCtl, postgres, psql] = await Promise.all([
		programPath('initdb'),
		programPath('pg_ctl'),
		programPath('postgres'),
		programPath('psql'),
	]);
	const port = await freePort();
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-link-company-postgres-'));
	const owner = await serverUser();
	if (owner) await chown(folder, owner.uid, owner.gid);
	const data = join(folder, 'data');
	// If the server runs as the current user, there's no prefix, and `env` just runs the command.
	const [program = '', ...prefix] = [...(owner?.prefix ?? []), 'env'];
	// Every user can read this folder; the server's user may not be able to read the caller's.
	const place = { cwd: tmpdir() };
	const asOwner = async (...args: string[]) => await run(program, [...prefix, ...args], place);
	const address = `postgresql://${USER}@${LOOPBACK}:${port}/${DATABASE}`;
	const execute = async (sql: string) =>
		await run(psql, [address, '-XAtq', '-v', 'ON_ERROR_STOP=1', '-c', sql]);
	const settings = {
		port,
		listen_addresses: LOOPBACK,
		unix_socket_directories: '',
		fsync: 'off',
	};
	const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	let running: Subprocess | undefined;
	const stop = async () => {
		const stopping = running && asOwner(pgCtl, 'stop', '-D', data, '-m', 'fast');
		await stopping?.catch(async () => await running?.kill());
		await running?.ended;
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await asOwner(initdb, '-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-sync');
		running = startSubprocess(program, [...prefix, postgres, '-D', data, ...args], place);
		await until('PostgreSQL to respond', async () => await execute('SELECT 1'));
	} catch (error) {
		await stop();
		throw new Error(`PostgreSQL did not start:\n${running?.tail() ?? ''}`, { cause: error });
	}
	const { ended, tail } = running;
	return {
		port,
		ended,
		logTail: tail,
		user: USER,
		database: DATABASE,
		execute: async (sql) => void (await execute(sql)),
		async select<Row>(sql: string) {
			const printed = await execute(`SELECT row_to_json(result) FROM (${sql}) AS result`);
			return printed
				.split('\n')
				.filter(Boolean)
				.map((line) => JSON.parse(line) as Row);
		},
		stop,
	};
}

/** The user to run the server as: it doesn't run as root. */
async function serverUser(): Promise<{ uid: number; gid: number; prefix: string[] } | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const [uid, gid] = await Promise.all(
		['-u', '-g'].map(async (option) => Number(await run('id', [option, 'postgres']))),
	);
	if (!uid || !gid) throw new Error('There is no user postgres to run PostgreSQL as');
	return { uid, gid, prefix: ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] };
}
