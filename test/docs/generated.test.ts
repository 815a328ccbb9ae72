import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { replaceBlock } from '../../tools/docs/markdown';
import { generatedBlocks } from '../../tools/docs/generated';

it.each(generatedBlocks)(
	'$file describes the code as it is (run `npm run docs`)',
	async ({ file, block, content }) => {
		const document = readFileSync(join(__dirname, '..', '..', file), 'utf8');
		expect(document).toBe(replaceBlock(document, block, await content()));
	},
);
