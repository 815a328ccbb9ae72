import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { run, type Host, type N8nApi } from '../host';
import type { PackageManifest } from './pack';

/** A row of n8n's table `installed_nodes`. */
interface InstalledNode {
	name: string;
	type: string;
	latestVersion: number;
}

/**
 * Runs with n8n's Node, which has SQLite built in. The database is an argument, the rows are
 * standard input.
 */
const INSERT = `
const { DatabaseSync } = require('node:sqlite');
const { manifest, nodes } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const database = new DatabaseSync(process.argv[1], { timeout: 5000 });
database.exec('BEGIN');
database
	.prepare(
		'INSERT OR REPLACE INTO installed_packages' +
			' (packageName, installedVersion, authorName, authorEmail) VALUES (?, ?, ?, ?)',
	)
	.run(
		manifest.name,
		manifest.version,
		manifest.author?.name ?? null,
		manifest.author?.email ?? null,
	);
const insertNode = database.prepare(
	'INSERT OR REPLACE INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
);
for (const node of nodes) insertNode.run(node.name, node.type, node.latestVersion, manifest.name);
database.exec('COMMIT');
`;

/**
 * Adds an installed package to n8n's list, so that Settings → Community nodes shows it. n8n's
 * installer does this only for packages that it downloads. For a running n8n with its default
 * database, SQLite.
 *
 * @throws if n8n hasn't loaded every node that the package declares
 */
export async function registerPackage(
	host: Host,
	api: N8nApi,
	userFolder: string,
	manifest: PackageManifest,
): Promise<void> {
	const nodes = installedNodes(await api.nodeTypes(), manifest.name);
	const declared = manifest.n8n?.nodes?.length ?? 0;
	if (nodes.length !== declared) {
		const loaded = nodes.map(({ name }) => name).join(', ') || 'none';
		throw new Error(`n8n loaded ${nodes.length} of ${declared} nodes of the package: ${loaded}`);
	}
	const database = join(userFolder, '.n8n', 'database.sqlite');
	await run(host.nodePath, ['--no-warnings', '-e', INSERT, database], {
		input: JSON.stringify({ manifest, nodes }),
	});
}

/** The nodes of one package among all that n8n has loaded, each with its newest version. */
export function installedNodes(
	loaded: Array<Pick<INodeTypeDescription, 'name' | 'displayName' | 'version'>>,
	packageName: string,
): InstalledNode[] {
	const newest = new Map<string, InstalledNode>();
	for (const { name, displayName, version } of loaded) {
		// n8n adds a second type for every node that agents can use as a tool.
		if (!name.startsWith(`${packageName}.`) || name.endsWith('Tool')) continue;
		const latestVersion = Math.max(...[version].flat(), newest.get(name)?.latestVersion ?? 0);
		newest.set(name, { name: displayName, type: name, latestVersion });
	}
	return [...newest.values()];
}
