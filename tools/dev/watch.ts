import { watch } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSubprocess } from '../host';
import { PROJECT_DIR } from '../package';
import type { Cleanup } from '../cli/cleanup';

const ICONS = join(PROJECT_DIR, 'icons');

/** With this setting, n8n reloads a package's nodes when one of their files changes. */
export const RELOADING = { N8N_DEV_RELOAD: 'true' };

/**
 * Copies every change of the sources and icons into an installed package.
 *
 * @param packageDir folder of the installed package
 * @param cleanup stops it
 */
export function watchSources(packageDir: string, cleanup: Cleanup): void {
	const compiler = startSubprocess(
		process.execPath,
		[
			require.resolve('typescript/bin/tsc'),
			...['--project', PROJECT_DIR, '--outDir', join(packageDir, 'dist')],
			...['--watch', '--preserveWatchOutput'],
		],
		{ cwd: PROJECT_DIR, onLine: (line) => line !== '' && console.log(line) },
	);
	cleanup.add(async () => await compiler.stop());
	const icons = watch(ICONS, (_event, name) => {
		if (!name?.endsWith('.svg')) return;
		copyFile(join(ICONS, name), join(packageDir, 'dist', 'icons', name)).catch((error: Error) => {
			console.log(`${name} was not copied: ${error.message}`);
		});
	});
	cleanup.add(async () => icons.close());
}
