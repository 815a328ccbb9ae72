import {
	cacheRoot,
	hostFolderName,
	staleFolders,
	unfinishedFolderName,
} from '../../tools/host/cache';

describe('the cache of installed n8ns', () => {
	it('is in the folder that the environment variable names', () => {
		expect(cacheRoot({ LINK_COMPANY_CACHE: '/big/disk', XDG_CACHE_HOME: '/x' })).toBe('/big/disk');
	});

	it('is in the cache folder of the user by default', () => {
		expect(cacheRoot({ XDG_CACHE_HOME: '/x' })).toBe('/x/n8n-nodes-link-company');
		expect(cacheRoot({})).toMatch(/\.cache\/n8n-nodes-link-company$/);
	});

	it('separates installations by lock file, system and processor', () => {
		const names = [
			hostFolderName('lock 1', 'linux', 'x64'),
			hostFolderName('lock 2', 'linux', 'x64'),
			hostFolderName('lock 1', 'darwin', 'x64'),
			hostFolderName('lock 1', 'linux', 'arm64'),
		];
		expect(new Set(names).size).toBe(names.length);
	});

	it('finds the same installation again', () => {
		expect(hostFolderName('lock', 'linux', 'x64')).toBe(hostFolderName('lock', 'linux', 'x64'));
		expect(hostFolderName('lock', 'linux', 'x64')).toMatch(/^n8n-linux-x64-[0-9a-f]{12}$/);
	});

	it('treats only unfinished folders whose process is gone as stale', () => {
		const finished = hostFolderName('lock', 'linux', 'x64');
		const running = unfinishedFolderName(finished, 100);
		const interrupted = unfinishedFolderName(finished, 200);
		const stale = staleFolders([finished, running, interrupted, 'notes.txt'], (pid) => pid === 100);
		expect(stale).toEqual([interrupted]);
	});
});
