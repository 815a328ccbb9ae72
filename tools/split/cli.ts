import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../host';
import { packPackage, PROJECT_DIR, readManifest, writeJson } from '../package';
import { scan } from '../scan/cli';

const OUTPUT = join(PROJECT_DIR, 'test-results', 'split');

/** One package per service, for n8n's rule of one service per package. */
const PARTS = [
	{
		service: 'LinkManagement',
		name: 'n8n-nodes-link-management',
		description: 'n8n nodes for managing short links, QR codes, pixels and files',
		keywords: ['short link', 'url shortener', 'qr code'],
		documents: ['link-management.md', 'trigger.md', 'delivery.md'],
	},
	{
		service: 'CompanyRegistry',
		name: 'n8n-nodes-company-registry',
		description: 'n8n nodes for looking up Moldovan companies',
		keywords: ['company registry', 'moldova', 'idno'],
		documents: ['company-registry.md', 'trigger.md', 'delivery.md'],
	},
];
type Part = (typeof PARTS)[number];

/** Code and project files that both packages have. */
const SHARED_CODE = ['nodes/shared'];
const SHARED_FILES = ['LICENSE.md', 'CHANGELOG.md', 'tsconfig.json', 'eslint.config.mjs'];

/**
 * Writes the two packages that this one can be split into: sources, compiled files and archive. A
 * service is a folder under nodes/ and a credential, so this copies folders and changes names.
 */
async function main(): Promise<void> {
	await rm(OUTPUT, { recursive: true, force: true });
	const manifest = await readManifest(PROJECT_DIR);
	for (const part of PARTS) {
		const folder = join(OUTPUT, part.name);
		await copyFiles(part, folder);
		await writeFile(join(folder, 'README.md'), await readme(part, manifest.name));
		await writeJson(join(folder, 'package.json'), splitManifest(part, manifest));
		await symlink(join(PROJECT_DIR, 'node_modules'), join(folder, 'node_modules'), 'junction');
		await run('npm', ['run', 'lint'], { cwd: folder });
		const support = await run('npx', ['n8n-node', 'cloud-support'], { cwd: folder });
		if (!/enabled/i.test(support)) throw new Error(support);
		await scan(folder);
		console.log(await packPackage(OUTPUT, folder));
	}
}

/** The service's sources and compiled files; node types begin with the package's name. */
async function copyFiles({ service, name }: Part, folder: string): Promise<void> {
	const icon = service.charAt(0).toLowerCase() + service.slice(1);
	const own = [
		`nodes/${service}`,
		`credentials/${service}Api.credentials.ts`,
		`icons/${icon}.svg`,
		`icons/${icon}.dark.svg`,
	];
	const code = [...own, ...SHARED_CODE];
	const compiled = code.map((path) => `dist/${path.replace(/\.ts$/, '.js')}`);
	for (const path of [...SHARED_FILES, ...code, ...compiled]) {
		await cp(join(PROJECT_DIR, path), join(folder, path), { recursive: true });
	}
	for (const node of [service, `${service}Trigger`]) {
		for (const root of ['.', 'dist']) {
			const type = join(folder, root, 'nodes', service, `${node}.node`);
			await renameTypes(`${type}.json`, name);
			await renameTypes(`${type}.${root === 'dist' ? 'js' : 'ts'}`, name);
		}
	}
}

/** Renames the node types that a file mentions, which begin with the package's name. */
async function renameTypes(file: string, name: string): Promise<void> {
	const content = await readFile(file, 'utf8');
	await writeFile(file, content.replaceAll('n8n-nodes-link-company.', `${name}.`));
}

function splitManifest({ service, name, description, keywords }: Part, manifest: object): object {
	const { n8n, ...rest } = manifest as { n8n: { nodes: string[]; credentials: string[] } };
	const own = (paths: string[]) => paths.filter((path) => path.includes(`/${service}`));
	const renamed = JSON.parse(
		JSON.stringify(rest).replaceAll('n8n-nodes-link-company', name),
	) as object;
	return {
		...renamed,
		...{ name, description },
		keywords: ['n8n-community-node-package', 'n8n', ...keywords],
		scripts: { build: 'n8n-node build', lint: 'n8n-node lint' },
		devDependencies: undefined,
		n8n: { ...n8n, nodes: own(n8n.nodes), credentials: own(n8n.credentials) },
	};
}

/** The service's own documents, with links to all other documents on the web. */
async function readme({ name, description, documents }: Part, origin: string): Promise<string> {
	const home = `https://github.com/link-company/${origin}/blob/main/docs/`;
	const texts = await Promise.all(
		documents.map(async (file) => await readFile(join(PROJECT_DIR, 'docs', file), 'utf8')),
	);
	const body = texts.join('\n').replace(/\]\((?!https?:|#)([^)]+)\)/g, `](${home}$1)`);
	return `# ${name}\n\n${description}.\n\n${body.replace(/^#/gm, '##')}`;
}

void main();
