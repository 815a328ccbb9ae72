import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { provideHost, run, type Host } from '../../tools/host';
import { installPackage } from '../../tools/package';
import { atMost, rounded, type Findings, type Part } from '../part';
import { interleave, median } from '../statistics';

interface Loading {
	ms: number;
	/** Of the process meanwhile; the machine's other work hardly disturbs it. */
	cpuMs: number;
	bytes: number;
}

/** A process starts in a blink, so many rounds cost little. */
const ROUNDS_FACTOR = 3;

const OURS = 'this package';

/** Nodes of n8n's own: a declarative one with several resources, and one with a trigger beside. */
const THEIRS: Record<string, string[]> = {
	'Microsoft Entra (declarative)': ['Microsoft/Entra/MicrosoftEntra.node.js'],
	'Airtable and its trigger': ['Airtable/Airtable.node.js', 'Airtable/AirtableTrigger.node.js'],
	'HTTP Request': ['HttpRequest/HttpRequest.node.js'],
};

/** What the package adds to the start of n8n, when n8n loads all of it. */
export const load: Part = {
	name: 'load',
	title: 'Load',
	async run({ rounds, report }) {
		const host = await provideHost();
		const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-link-company-bench-'));
		try {
			const { name, n8n } = await installPackage(folder);
			const root = join(folder, '.n8n', 'nodes', 'node_modules', name);
			const files = [...(n8n?.credentials ?? []), ...(n8n?.nodes ?? [])];
			const base = join(host.dir, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes');
			const sets: Record<string, string[]> = {
				[OURS]: files.map((file) => join(root, file)),
				...Object.fromEntries(
					Object.entries(THEIRS).map(([node, paths]) => [
						node,
						paths.map((path) => join(base, path)),
					]),
				),
			};
			const variants = Object.fromEntries(
				Object.entries(sets).map(([set, paths]) => [set, async () => await loading(host, paths)]),
			);
			report(`${files.length} files: ${files.join(', ')}`);
			return findings(await interleave(variants, rounds * ROUNDS_FACTOR), files.length);
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	},
};

async function loading({ dir, nodePath }: Host, files: string[]): Promise<Loading> {
	const script = join(__dirname, '..', 'load.cjs');
	const env = { ...process.env, NODE_PATH: join(dir, 'node_modules') };
	return JSON.parse(await run(nodePath, [script, ...files], { env })) as Loading;
}

function findings(measured: Record<string, Loading[]>, files: number): Findings {
	const ms = (set: string) => median(measured[set]!.map((loading) => loading.ms));
	return {
		setting: `A new process of n8n’s Node loads the files and creates their objects. n8n-workflow and zod are already loaded, as in n8n. This package: all ${files} files, nodes and credentials.`,
		rows: Object.entries(measured).map(([set, loadings]) => ({
			Loads: set,
			ms: rounded(ms(set)),
			'CPU ms': rounded(median(loadings.map(({ cpuMs }) => cpuMs))),
			'heap, KB': rounded(median(loadings.map(({ bytes }) => bytes)) / 1024),
		})),
		targets: [atMost(30, ms(OURS), 'Time to load the package', 'ms')],
		raw: measured,
	};
}
