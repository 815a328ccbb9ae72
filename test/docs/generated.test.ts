import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { replaceBlock } from '../../tools/docs/blocks';
import { generatedBlocks } from '../../tools/docs/generated';

describe('the documents', () => {
	it.each(generatedBlocks)(
		'have $block in $file as the code has it',
		async ({ file, block, content }) => {
			const document = readFileSync(join(__dirname, '..', '..', file), 'utf8');
			expect(document).toBe(replaceBlock(document, block, await content(document)));
		},
	);
});

describe('replaceBlock', () => {
	it('replaces the text between the markers and nothing else', () => {
		const document = 'a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n';
		expect(replaceBlock(document, 'x', 'new')).toBe(
			'a\n<!-- begin x -->\n\nnew\n\n<!-- end x -->\nb\n',
		);
	});

	it('refuses a document without the block', () => {
		expect(() => replaceBlock('no markers', 'x', 'new')).toThrow('There is no block "x"');
	});
});
