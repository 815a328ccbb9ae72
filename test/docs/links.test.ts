import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import manifest from '../../package.json';
import { headingsOf, slugOf, withoutCode } from '../../tools/docs/markdown';

const ROOT = join(__dirname, '..', '..');

const documents = ['.', 'docs'].flatMap((folder) =>
	readdirSync(join(ROOT, folder))
		.filter((file) => file.endsWith('.md'))
		.map((file) => join(folder, file)),
);

/** A link of a file: to a path, an anchor, or both. */
interface Link {
	from: string;
	target: string;
}

/** The links and images of a document that lead to a place in the project. */
function linksOf(document: string, text: string): Link[] {
	return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, target = '']) => ({ from: document, target }))
		.filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** What the sources link to on the project's page: anchors of the README. */
function linksToReadme(folder: string): Link[] {
	const [page] = manifest.homepage.split('#');
	return (readdirSync(join(ROOT, folder), { recursive: true }) as string[])
		.filter((file) => /\.(ts|json)$/.test(file))
		.flatMap((file) => {
			const text = readFileSync(join(ROOT, folder, file), 'utf8');
			const addresses = text.match(/https:\/\/github\.com\/[^\s'"]+/g) ?? [];
			return addresses
				.filter((address) => address.startsWith(`${page}#`))
				.map((address) => ({ from: 'README.md', target: address.slice(page!.length) }));
		});
}

/** Why a link leads nowhere; undefined where it leads somewhere. */
function broken({ from, target }: Link): string | undefined {
	const [path = '', anchor] = target.split('#');
	const file = path === '' ? from : join(dirname(from), decodeURIComponent(path));
	if (relative('.', file).startsWith('..')) return 'leaves the project';
	if (!existsSync(join(ROOT, file))) return 'no such file';
	if (anchor === undefined) return undefined;
	const anchors = headingsOf(readFileSync(join(ROOT, file), 'utf8')).map((each) => each.anchor);
	return anchors.includes(decodeURIComponent(anchor)) ? undefined : 'no such heading';
}

describe('the links', () => {
	it.each(documents)('of %s have existing targets', (document) => {
		const links = linksOf(document, readFileSync(join(ROOT, document), 'utf8'));
		const wrong = links.map((link) => ({ ...link, why: broken(link) }));
		expect(wrong.filter(({ why }) => why)).toEqual([]);
	});

	it('of credentials and nodes lead to headings of the README', () => {
		const links = ['credentials', 'nodes'].flatMap(linksToReadme);
		expect(links.length).toBeGreaterThan(4);
		expect(links.filter(broken)).toEqual([]);
	});

	it('without a target are found', () => {
		const from = join('docs', 'trigger.md');
		const text =
			'[a](#no-heading) [b](none.md) [c](../../x) ![d](images/trigger.png) [e](https://x)';
		expect(linksOf(from, text).map(broken)).toEqual([
			'no such heading',
			'no such file',
			'leaves the project',
			undefined,
		]);
	});

	it('of a README have pictures with a description', () => {
		const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
		expect(readme.match(/!\[\]/g)).toBeNull();
	});
});

describe('anchors', () => {
	it.each([
		['Campaign: Add Link', 'campaign-add-link'],
		['Link & Company Trigger', 'link--company-trigger'],
		['The quota of the … API key is exhausted', 'the-quota-of-the--api-key-is-exhausted'],
		['In n8n’s log', 'in-n8ns-log'],
	])('of "%s" are %s', (heading, anchor) => {
		expect(slugOf(heading)).toBe(anchor);
	});

	it('of equal headings are numbered, and code has none', () => {
		const document = '# A\n\n## B\n\n```sh\n# not a heading\n```\n\n## B\n';
		expect(headingsOf(document)).toEqual([
			{ level: 1, text: 'A', anchor: 'a' },
			{ level: 2, text: 'B', anchor: 'b' },
			{ level: 2, text: 'B', anchor: 'b-1' },
		]);
	});
});
