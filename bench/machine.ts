import { readFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

import { run, type Host } from '../tools/host';

/** Where and with what a part was measured. */
export interface Circumstances {
	date: string;
	cpu: string;
	cores: number;
	memoryGb: number;
	/** Processes that wanted to run, averaged over the minute before the start. */
	load: number;
	node: string;
	n8n: string;
	package: string;
}

const GIGABYTE = 2 ** 30;

export async function circumstances({ dir, nodePath }: Host): Promise<Circumstances> {
	const processors = cpus();
	return {
		date: new Date().toISOString().slice(0, 10),
		cpu: processors[0]?.model.trim() ?? 'unknown',
		cores: processors.length,
		memoryGb: Math.round(totalmem() / GIGABYTE),
		load: Number((loadavg()[0] ?? 0).toFixed(1)),
		node: (await run(nodePath, ['--version'])).trim(),
		n8n: await versionIn(join(dir, 'node_modules', 'n8n')),
		package: await versionIn(join(__dirname, '..')),
	};
}

async function versionIn(folder: string): Promise<string> {
	const manifest = await readFile(join(folder, 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { version: string }).version;
}
