import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The environment variable that sets another folder. */
export const CACHE_VARIABLE = 'LINK_COMPANY_CACHE';

const HASH_LENGTH = 12;

/**
 * The folder for everything that this project downloads. It's outside the clone, so all clones
 * share it.
 */
export function cacheRoot(environment: NodeJS.ProcessEnv = process.env): string {
	const chosen = environment[CACHE_VARIABLE];
	if (chosen) return chosen;
	return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-link-company');
}

/**
 * The name of an installed n8n in the cache. It depends on the lock file and on the platform,
 * because the tree contains compiled modules.
 */
export function hostFolderName(
	lockFile: string,
	platform: string = process.platform,
	arch: string = process.arch,
): string {
	const hash = createHash('sha256').update(lockFile).digest('hex').slice(0, HASH_LENGTH);
	return `n8n-${platform}-${arch}-${hash}`;
}

/** The name of the folder in which process `pid` prepares `folderName`, see `staleFolders`. */
export function unfinishedFolderName(folderName: string, pid: number): string {
	return `${folderName}.unfinished-${pid}`;
}

/**
 * The entries of the cache that interrupted installations left: unfinished folders whose process
 * has ended.
 *
 * @param isAlive whether a process with this id is running
 */
export function staleFolders(entries: string[], isAlive: (pid: number) => boolean): string[] {
	return entries.filter((entry) => {
		const pid = /\.unfinished-(\d+)$/.exec(entry)?.[1];
		return pid !== undefined && !isAlive(Number(pid));
	});
}
