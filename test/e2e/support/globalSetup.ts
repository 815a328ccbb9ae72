import { prepare } from './prepare';

/** `npm run test:e2e:prepare` does it once for several runs; `E2E_PREPARED` says that it has. */
export default async function globalSetup(): Promise<void> {
	if (!process.env.E2E_PREPARED) await prepare();
}
