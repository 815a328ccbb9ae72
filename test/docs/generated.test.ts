import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { generatedBlocks } from '../../tools/docs/generated';
import { replaceBlock } from '../../tools/docs/markdown';

it.each(generatedBlocks)(
	'the generated parts of $file are up to date (if not, run `npm run docs`)',
	async ({ file, block, content }) => {
		const document = readFileSync(join(__dirname, '..', '..', file), 'utf8');
		expect(document).toBe(replaceBlock(document, block, await content()));
	},
);
