import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Names the environment variable that moves the cache elsewhere. */
export const CACHE_VARIABLE = 'LINK_COMPANY_CACHE';

const HASH_LENGTH = 12;

/**
 * The folder that holds everything this project downloads for itself, outside any clone so that
 * all clones share it.
 */
export function cacheRoot(environment: NodeJS.ProcessEnv = process.env): string {
	const chosen = environment[CACHE_VARIABLE];
	if (chosen) return chosen;
	return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-link-company');
}

/**
 * The name of an installed n8n inside the cache. It differs with the lock file and with the
 * machine's kind, because the tree holds compiled modules.
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
 * Which of the cache's entries were left behind by installations that never ended: unfinished
 * folders whose process is gone.
 *
 * @param isAlive tells whether a process id still runs
 */
export function staleFolders(entries: string[], isAlive: (pid: number) => boolean): string[] {
	return entries.filter((entry) => {
		const pid = /\.unfinished-(\d+)$/.exec(entry)?.[1];
		return pid !== undefined && !isAlive(Number(pid));
	});
}
