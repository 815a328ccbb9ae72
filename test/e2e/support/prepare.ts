import { provideHost } from '../../../tools/host';
import { buildPackage } from '../../../tools/package';
import { providePrograms } from '../../../tools/services';

/** What all suites need once: the servers and the browser, the built package, n8n itself. */
export async function prepare(): Promise<void> {
	await providePrograms();
	await buildPackage();
	await provideHost({ onProgress: (line) => console.log(`n8n: ${line}`) });
}

if (require.main === module) void prepare();
