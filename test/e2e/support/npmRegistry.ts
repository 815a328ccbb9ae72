import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { run } from '../../../tools/host';
import type { PackageManifest } from '../../../tools/package';

/** n8n uses this registry. Any other one requires a license. */
const HOST = 'registry.npmjs.org';

/** A registry with a single package, and the environment that makes a process use it as npm's. */
export interface NpmRegistry {
	/** The archive's checksum, as `npm view … dist.integrity` prints it. */
	checksum: string;
	env: NodeJS.ProcessEnv;
	close(): Promise<void>;
}

/**
 * Starts a registry on this machine that serves one archive.
 *
 * @param folder an existing folder for its certificate
 */
export async function startNpmRegistry(
	folder: string,
	archive: string,
	manifest: PackageManifest,
): Promise<NpmRegistry> {
	const { name, version } = manifest;
	const content = await readFile(archive);
	const checksum = `sha512-${createHash('sha512').update(content).digest('base64')}`;
	const tarball = `/${name}/-/${name}-${version}.tgz`;
	const published = {
		...manifest,
		dist: { tarball: `https://${HOST}${tarball}`, integrity: checksum },
	};
	const documents: Record<string, object> = {
		[`/${name}`]: { name, 'dist-tags': { latest: version }, versions: { [version]: published } },
		[`/${name}/${version}`]: published,
	};
	const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
	const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
	const files = ['-keyout', key, '-out', cert];
	await run('openssl', ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', ...subject, ...files]);
	const server = createServer(
		{ key: await readFile(key), cert: await readFile(cert) },
		({ url = '' }, response) => {
			if (url === tarball) response.end(content);
			else response.writeHead(documents[url] ? 200 : 404).end(JSON.stringify(documents[url] ?? {}));
		},
	);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const redirect = join(folder, 'redirect.cjs');
	await writeFile(redirect, redirectTo((server.address() as AddressInfo).port, cert));
	return {
		checksum,
		env: {
			NODE_OPTIONS: `--require ${redirect}`,
			// Keeps npm from using this user's settings and cache.
			npm_config_userconfig: join(folder, 'no.npmrc'),
			npm_config_cache: join(folder, 'npm-cache'),
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** Code that makes n8n, and the npm that it runs, connect here instead of to npm's registry. */
function redirectTo(port: number, cert: string): string {
	return `
		const tls = require('node:tls');
		const ca = require('node:fs').readFileSync(${JSON.stringify(cert)});
		const { connect } = tls;
		tls.connect = (options, ...rest) => {
			const isRegistry = options.host === '${HOST}' || options.hostname === '${HOST}';
			const here = { host: '127.0.0.1', hostname: '127.0.0.1', port: ${port}, servername: '${HOST}', ca };
			return connect(isRegistry ? { ...options, ...here } : options, ...rest);
		};`;
}
