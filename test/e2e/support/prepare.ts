import { provideHost } from '../../../tools/host';
import { buildPackage } from '../../../tools/package';
import { providePrograms } from '../../../tools/services';

/**
 * What all suites need once: the servers and the browser, the built package, n8n itself.
 * `npm run test:e2e:prepare` does it once for several runs; `E2E_PREPARED` says that it has.
 */
export default async function prepare(): Promise<void> {
	if (process.env.E2E_PREPARED) return;
	await providePrograms();
	await buildPackage();
	await provideHost({ onProgress: (line) => console.log(`n8n: ${line}`) });
}

if (require.main === module) void prepare();
