import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { entriesOf } from '../../tools/docs/description';
import { generatedBlocks } from '../../tools/docs/generated';
import { replaceBlock } from '../../tools/docs/markdown';
import { parametersOf } from '../../tools/docs/parameters';

it.each(generatedBlocks)(
	'the generated parts of $file are up to date (if not, run `npm run docs`)',
	async ({ file, block, content }) => {
		const document = readFileSync(join(__dirname, '..', '..', file), 'utf8');
		expect(document).toBe(replaceBlock(document, block, await content()));
	},
);

it.each([new LinkManagement().description, new CompanyRegistry().description])(
	'every parameter in the reference of $displayName belongs to an operation',
	(description) => {
		const parameters = parametersOf(description, entriesOf(description));
		const unused = parameters.filter(({ usedBy }) => usedBy.length === 0);
		expect(unused.map(({ label }) => label)).toEqual([]);
	},
);
