import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * n8n-core reads its settings when it is loaded, so this file is imported before it. The folder
 * is the run's own: nothing of an n8n on this machine is read or written.
 */
const userFolder = mkdtempSync(join(tmpdir(), 'n8n-engine-test-'));

process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'engine-test';
process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';

const removeFolder = () => rmSync(userFolder, { recursive: true, force: true });

if (typeof afterAll === 'function') afterAll(removeFolder);
else process.on('exit', removeFolder);
