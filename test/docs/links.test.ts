import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import manifest from '../../package.json';
import { anchorsOf, withoutCode } from '../../tools/docs/markdown';

const ROOT = join(__dirname, '..', '..');

const documents = ['.', 'docs', 'docs/maintainers'].flatMap((folder) =>
	readdirSync(join(ROOT, folder))
		.filter((file) => file.endsWith('.md'))
		.map((file) => join(folder, file)),
);

const FOLDERS = 'bench credentials docs examples nodes sandbox test tools'.split(' ');

/** The files and folders in a folder, at any depth. */
function entriesOf(folder: string): string[] {
	const names = readdirSync(join(ROOT, folder), { recursive: true }) as string[];
	return names.map((name) => join(folder, name));
}

/** A link in a file to a path, an anchor, or both. */
interface Link {
	from: string;
	target: string;
}

/** A document's links and images that point into the project. */
function linksOf(document: string, text: string): Link[] {
	return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, target = '']) => ({ from: document, target }))
		.filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** Links in source files to the project's GitHub page, such as a README heading or a document. */
function linksToProject(folder: string): Link[] {
	const [page = ''] = manifest.homepage.split('#');
	return entriesOf(folder)
		.filter((file) => /\.(ts|json)$/.test(file))
		.flatMap((file) => {
			const text = readFileSync(join(ROOT, file), 'utf8');
			const addresses = text.match(/https:\/\/github\.com\/[^\s'"]+/g) ?? [];
			return addresses
				.filter((address) => address.startsWith(page))
				.map((address) => address.slice(page.length).replace(/^\/blob\/main\//, ''))
				.map((target) => ({ from: 'README.md', target }));
		});
}

/** Why a link is broken; undefined if it works. */
function broken({ from, target }: Link): string | undefined {
	const [path = '', anchor] = target.split('#');
	const file = path === '' ? from : join(dirname(from), decodeURIComponent(path));
	if (relative('.', file).startsWith('..')) return 'leaves the project';
	if (!existsSync(join(ROOT, file))) return 'no such file';
	if (anchor === undefined) return undefined;
	const anchors = anchorsOf(readFileSync(join(ROOT, file), 'utf8'));
	return anchors.includes(decodeURIComponent(anchor)) ? undefined : 'no such heading';
}

describe('Links', () => {
	it.each(documents)('links in %s lead to existing targets', (document) => {
		const links = linksOf(document, readFileSync(join(ROOT, document), 'utf8'));
		const wrong = links.map((link) => ({ ...link, why: broken(link) }));
		expect(wrong.filter(({ why }) => why)).toEqual([]);
	});

	it('links in credentials and nodes lead to existing targets', () => {
		const links = ['credentials', 'nodes'].flatMap(linksToProject);
		expect(links.length).toBeGreaterThan(4);
		expect(links.filter(broken)).toEqual([]);
	});

	it.each(['CONTRIBUTING.md', 'docs/maintainers/development.md'])(
		'files and folders that %s names exist',
		(document) => {
			const text = withoutCode(readFileSync(join(ROOT, document), 'utf8'));
			const named = [...text.matchAll(/`(\w[\w./-]*(?:\.(?:ts|js|md)|\/))`/g)].map(
				([, path]) => path!,
			);
			const paths = FOLDERS.flatMap((folder) => [folder, ...entriesOf(folder)]);
			const isThere = (path: string) =>
				paths.some((each) => `/${each}`.endsWith(`/${path.replace(/\/$/, '')}`));
			expect(named.length).toBeGreaterThan(8);
			expect(named.filter((path) => !isThere(path))).toEqual([]);
		},
	);

	it.each(['docs/ro.md', 'docs/ru.md'])(
		'%s is linked from README, and gives the same commands, versions and quota',
		(translation) => {
			const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
			const page = readFileSync(join(ROOT, translation), 'utf8');
			expect(linksOf('README.md', readme)).toContainEqual({
				from: 'README.md',
				target: translation,
			});
			const facts = [
				...readme.match(/npm (?:ci && npm \w+|run dev)/g)!,
				...readme.match(/\d+\.\d+\.\d+|Node\.js [\d.]*\d|EBADENGINE|2\.9 GB|\d+ a day/g)!,
			].map((fact) => fact.replace(' a day', '').replace('2.9 GB', '2,9'));
			expect(facts.length).toBeGreaterThan(8);
			expect(facts.filter((fact) => !page.includes(fact))).toEqual([]);
		},
	);

	it('three documents give the number of examples', () => {
		const files = readdirSync(join(ROOT, 'examples'));
		for (const document of ['README.md', 'CHANGELOG.md', 'docs/examples.md']) {
			expect(readFileSync(join(ROOT, document), 'utf8')).toContain(`${files.length} `);
		}
	});
});
