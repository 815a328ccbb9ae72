import '../cli/resolveSources';

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox';
import { CASES } from '../../test/cases';
import { EVENTS, happen, watch } from '../docs/watch';
import { PROJECT_DIR, readManifest, writeJson } from '../package';

/** What a trigger of a released version has stored. */
export interface SavedTrigger {
	event: string;
	/** The stored state, with `{url}` for the sandbox's address. */
	state: string;
	/** The fields of its events. */
	fields: string[];
}

/**
 * Saves what workflows of this version have stored: the parameters of every operation, with the
 * requests and the output that follow from them, and the state of every trigger. A test loads them
 * in all later versions (test/released).
 */
async function main(): Promise<void> {
	const { version } = await readManifest(PROJECT_DIR);
	const folder = join(PROJECT_DIR, 'test', 'released', version);
	await mkdir(folder, { recursive: true });
	await writeJson(join(folder, 'operations.json'), CASES);
	const triggers: SavedTrigger[] = [];
	for (const event of EVENTS) triggers.push(await savedTrigger(event));
	await writeJson(join(folder, 'triggers.json'), triggers);
	console.log(folder);
}

async function savedTrigger(event: string): Promise<SavedTrigger> {
	const sandbox = await startSandbox();
	const host = watch(event, sandbox, 'durable');
	try {
		await host.activate();
		await host.tick();
		const state = host.state?.replaceAll(sandbox.url, '{url}');
		happen(event, sandbox);
		await host.tick();
		const [item] = host.take();
		if (!state || !item) throw new Error(`${event} has no state or no event`);
		return { event, state, fields: Object.keys(item) };
	} finally {
		await sandbox.close();
	}
}

if (require.main === module) void main();
