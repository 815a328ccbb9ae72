import { readdirSync, readFileSync } from 'fs';
import { join, relative, resolve } from 'path';
import ts from 'typescript';

const root = resolve(__dirname, '../..');

function sourcesIn(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file));
}

const files = ['nodes', 'credentials', 'sandbox'].flatMap(sourcesIn);
const published = files.filter((file) => !file.startsWith('sandbox'));

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

	test('the sandbox imports nothing from tools/', () => {
		const found = importsFrom('sandbox').filter((each) => / → tools\//.test(each));
		expect(found).toEqual([]);
	});

	test.each([
		['nodes/shared', /nodes\/(LinkManagement|CompanyRegistry)|credentials/],
		['nodes/shared/http', /nodes\/shared\/(node|poll|apiRequest)/],
		['nodes/LinkManagement', /nodes\/CompanyRegistry/],
		['nodes/CompanyRegistry', /nodes\/LinkManagement/],
	])('%s imports nothing that matches %s', (folder, unknown) => {
		const found = importsFrom(folder).filter((each) => unknown.test(each.split(' → ')[1]!));
		expect(found).toEqual([]);
	});

	test('published code and the sandbox have no circular imports', () => {
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
