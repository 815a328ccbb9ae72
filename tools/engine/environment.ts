import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * n8n-core reads its settings when it's loaded, so this file must be imported before it. The process
 * gets its own folder and doesn't touch any other n8n on this machine. Test files of one worker share
 * n8n-core (test/environment), and with it the folder.
 */
if (process.env.N8N_ENCRYPTION_KEY !== 'engine-test') {
	const userFolder = mkdtempSync(join(tmpdir(), 'n8n-engine-test-'));
	process.env.N8N_USER_FOLDER = userFolder;
	process.env.N8N_ENCRYPTION_KEY = 'engine-test';
	process.env.N8N_LOG_LEVEL = 'silent';
	process.env.N8N_DIAGNOSTICS_ENABLED = 'false';
	process.on('exit', () => rmSync(userFolder, { recursive: true, force: true }));
}
