import { readFile } from 'node:fs/promises';

import { AI_VIEW, aiViewPage } from '../../tools/aiView';
import { provideHost } from '../../tools/host';

it('an AI builder sees what docs/ai-view.md shows', async () => {
	const page = await aiViewPage(await provideHost());
	expect(page).toBe(await readFile(AI_VIEW, 'utf8'));
});

it('an AI builder finds each node by what people ask for', async () => {
	expect(await aiViewPage(await provideHost())).not.toContain('not found |');
});
