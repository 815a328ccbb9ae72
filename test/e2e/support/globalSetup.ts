import { provideHost } from '../../../tools/host';
import { buildPackage } from '../../../tools/package';
import { providePrograms } from '../../../tools/services';

/** What all files need once: the programs of other makers, the built package, n8n itself. */
export default async function globalSetup(): Promise<void> {
	await providePrograms();
	await buildPackage();
	await provideHost({ onProgress: (line) => console.log(`n8n: ${line}`) });
}
