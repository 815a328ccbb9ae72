import { provideHost, providePrograms } from '../../../tools/host';
import { buildPackage } from '../../../tools/package';

/**
 * Provides what all suites need: servers, browser, the built package and n8n. After
 * `npm run test:e2e:prepare`, set `E2E_PREPARED` to skip it in further runs.
 */
export default async function prepare(): Promise<void> {
	if (process.env.E2E_PREPARED) return;
	const say = (line: string) => console.log(line);
	say('Looking for PostgreSQL, Redis and a browser …');
	await providePrograms(say);
	say('Building the package …');
	await buildPackage();
	await provideHost({ onProgress: (line) => say(`n8n: ${line}`) });
}

if (require.main === module) void prepare();
