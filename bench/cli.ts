import { mkdir } from 'node:fs/promises';

import { provideHost } from '../tools/host';
import { buildPackage } from '../tools/package';
import { circumstances } from './machine';
import { parseOptions } from './options';
import { PARTS } from './parts';
import { keepResult, markdownOf } from './results';

async function main(): Promise<void> {
	const { only, rounds, build, cpuProf } = parseOptions(process.argv.slice(2));
	const host = await provideHost({ onProgress: console.log });
	if (build) await buildPackage();
	if (cpuProf) await mkdir(cpuProf, { recursive: true });

	for (const part of PARTS.filter(({ name }) => only.includes(name))) {
		console.log(`\n${part.title}`);
		const before = await circumstances(host);
		const findings = await part.run({
			rounds,
			profiles: cpuProf,
			report: (line) => console.log(`  ${line}`),
		});
		const result = { title: part.title, circumstances: before, ...findings };
		await keepResult(part, result);
		console.log(`\n${markdownOf(result)}`);
	}
}

// Without a listener they end this process at once, and the programs it has started keep running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
