import '../cli/resolveSources';

import { writeFile } from 'node:fs/promises';

import { runProgram } from '../cli/program';
import { provideHost } from '../host';
import { AI_VIEW, aiViewPage } from '.';

/** Writes docs/ai-view.md. */
void runProgram(async (signal) => {
	const host = await provideHost({ signal, onProgress: (line) => console.log(`n8n: ${line}`) });
	await writeFile(AI_VIEW, await aiViewPage(host));
});
