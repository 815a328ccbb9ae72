import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * n8n-core reads its settings when it is loaded, so this file is imported before it. The folder
 * is the process's own: nothing of an n8n on this machine is read or written. Test files of one
 * worker share n8n-core (test/environment), and so the folder.
 */
if (process.env.N8N_ENCRYPTION_KEY !== 'engine-test') {
	const userFolder = mkdtempSync(join(tmpdir(), 'n8n-engine-test-'));
	process.env.N8N_USER_FOLDER = userFolder;
	process.env.N8N_ENCRYPTION_KEY = 'engine-test';
	process.env.N8N_LOG_LEVEL = 'silent';
	process.env.N8N_DIAGNOSTICS_ENABLED = 'false';
	process.on('exit', () => rmSync(userFolder, { recursive: true, force: true }));
}
