import { readdirSync, readFileSync } from 'fs';
import { dirname, join, relative, resolve } from 'path';
import ts from 'typescript';

const root = resolve(__dirname, '../..');

function sourcesIn(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file));
}

const files = ['nodes', 'credentials', 'sandbox', 'tools', 'bench'].flatMap(sourcesIn);
const published = files.filter((file) => /^(nodes|credentials)/.test(file));

const importsOf = new Map(
	files.map((file) => {
		const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
		const local = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
		return [file, local.map(({ fileName }) => pathOf(file, fileName))];
	}),
);

function pathOf(from: string, imported: string): string {
	const path = relative(root, resolve(root, from, '..', imported));
	return files.find((file) => file === `${path}.ts` || file === join(path, 'index.ts')) ?? path;
}

const arrows = published.flatMap((file) =>
	importsOf.get(file)!.map((imported): Arrow => [file, '→', imported]),
);
type Arrow = [from: string, arrow: '→', to: string];

/** Files in the first folder that fits. */
const FILES_OF: Array<[layer: string, files: RegExp]> = [
	['a node', /\.node\.ts$/],
	['credentials', /^credentials\//],
	['shared/http', /^nodes\/shared\/http\//],
	['shared/node', /^nodes\/shared\/node\//],
	['shared/poll', /^nodes\/shared\/poll\//],
	['names', /^nodes\/CompanyRegistry\/names\//],
	['output', /^nodes\/CompanyRegistry\/output\//],
	['enrich', /^nodes\/CompanyRegistry\/enrich\//],
	['resources of Company Registry', /^nodes\/CompanyRegistry\/resources\//],
	['events of Company Registry', /^nodes\/CompanyRegistry\/events\//],
	['the ground', /^nodes\/CompanyRegistry\/[^/]+$/],
	['resources of Link Management', /^nodes\/LinkManagement\/resources\//],
	['events of Link Management', /^nodes\/LinkManagement\/events\//],
	['what Link Management shares', /^nodes\/LinkManagement\/[^/]+$/],
];

const layerOf = (file: string) => FILES_OF.find(([, files]) => files.test(file))?.[0];

/** What the files of a layer import from other layers. */
const LAYERS: Record<string, RegExp> = {
	'a node': /^(nodes|credentials)\//,
	credentials: /^nodes\/shared\/(http\/|node\/values\.ts$)/,
	'shared/http': /^$/,
	'shared/node': /^nodes\/shared\/http\//,
	'shared/poll': /^nodes\/shared\/(http|node)\//,
	names: /^nodes\/(CompanyRegistry\/company|shared\/node\/texts)\.ts$/,
	output: /^nodes\/(shared\/(http|node)|CompanyRegistry)\/[^/]+$/,
	enrich: /^nodes\/(shared\/(http|node)|CompanyRegistry(\/names|\/output)?)\/[^/]+$/,
	'resources of Company Registry':
		/^nodes\/(shared\/(http|node)|CompanyRegistry(\/enrich|\/output)?)\/[^/]+$/,
	'events of Company Registry':
		/^nodes\/(shared\/(http|node|poll)|CompanyRegistry(\/output)?)\/[^/]+$/,
	'the ground': /^(credentials|nodes\/shared\/(http|node))\/[^/]+$/,
	'resources of Link Management': /^nodes\/(shared\/(http|node)|LinkManagement)\/[^/]+$/,
	'events of Link Management': /^nodes\/(shared\/(http|node|poll)|LinkManagement)\/[^/]+$/,
	'what Link Management shares': /^(credentials|nodes\/shared\/(http|node|poll))\/[^/]+$/,
};

/** Words of one service. */
const SERVICE_WORDS =
	/campaign|channel|compan|pixel|splash|registr|dossier|qrCode|bioPage|idno|variant/i;

/** The names and texts in a file. */
function wordsIn(file: string): string[] {
	const names: string[] = [];
	const visit = (node: ts.Node): void => {
		const isTemplate = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
		if (ts.isIdentifier(node) || ts.isLiteralExpression(node) || isTemplate) names.push(node.text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest));
	return names;
}

function importsFrom(folder: string): string[] {
	return files
		.filter((file) => file.startsWith(folder))
		.flatMap((file) => importsOf.get(file)!.map((imported) => `${file} → ${imported}`));
}

const EXPORTED =
	/^export (?:async |abstract )*(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm;

describe('Package structure', () => {
	test('published code imports no file from outside nodes/ and credentials/', () => {
		const outside = [...importsFrom('nodes'), ...importsFrom('credentials')].filter(
			(each) => !/ → (nodes|credentials)\//.test(each),
		);
		expect(outside).toEqual([]);
	});

	test.each([
		['sandbox', /^(tools|bench|test)\//],
		['tools', /^(bench|test)\//],
		['bench', /^test\//],
	])('%s imports nothing from %s', (folder, unknown) => {
		const found = importsFrom(folder).filter((each) => unknown.test(each.split(' → ')[1]!));
		expect(found).toEqual([]);
	});

	test.each(Object.keys(LAYERS))('%s imports only from the layers below', (layer) => {
		const allowed = LAYERS[layer]!;
		const found = arrows.filter(([from, , to]) => layerOf(from) === layer && layerOf(to) !== layer);
		expect(found.filter(([, , to]) => !allowed.test(to)).map((arrow) => arrow.join(' '))).toEqual(
			[],
		);
	});

	test('every file belongs to a layer', () => {
		expect(published.filter((file) => layerOf(file) === undefined)).toEqual([]);
	});

	test('the names and texts of the shared code contain no word of a service', () => {
		const named = published.flatMap((file) => {
			if (!file.startsWith('nodes/shared')) return [];
			const names = wordsIn(file).filter((name) => SERVICE_WORDS.test(name));
			return names.map((name) => `${file}: ${name}`);
		});
		expect(named).toEqual([]);
	});

	test('the folders of Company Registry have at most 38 arrows and 7 floors', () => {
		const unitOf = (file: string) => (layerOf(file) === 'the ground' ? file : dirname(file));
		const below = new Map<string, Set<string>>();
		for (const [from, , to] of arrows) {
			if (![from, to].every((file) => file.startsWith('nodes/CompanyRegistry/'))) continue;
			const [unit, imported] = [unitOf(from), unitOf(to)];
			if (unit !== imported) below.set(unit, (below.get(unit) ?? new Set()).add(imported));
		}
		const floorsUnder = (unit: string): number =>
			1 + Math.max(0, ...[...(below.get(unit) ?? [])].map(floorsUnder));
		expect([...below.values()].flatMap((units) => [...units]).length).toBeLessThanOrEqual(38);
		expect(Math.max(...[...below.keys()].map(floorsUnder))).toBeLessThanOrEqual(7);
	});

	test('no imports are circular', () => {
		const done = new Set<string>();
		const visit = (file: string, path: string[]): void => {
			if (path.includes(file)) throw new Error([...path, file].join(' → '));
			if (done.has(file)) return;
			for (const imported of importsOf.get(file) ?? []) visit(imported, [...path, file]);
			done.add(file);
		};
		for (const file of files) visit(file, []);
	});

	test('no two exports of the published code share a name', () => {
		const places = new Map<string, string[]>();
		for (const file of published) {
			for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(EXPORTED)) {
				places.set(name, [...(places.get(name) ?? []), file]);
			}
		}
		const shared = [...places].filter(([, where]) => where.length > 1);
		expect(shared).toEqual([]);
	});
});
