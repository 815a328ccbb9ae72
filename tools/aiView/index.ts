import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { table } from '../docs/markdown';
import type { Host } from '../host';
import { PROJECT_DIR, readManifest } from '../package';

/** The page that shows what an AI reads. */
export const AI_VIEW = join(PROJECT_DIR, 'docs', 'ai-view.md');

/** What people ask an AI for, and the node that should be among the first five results. */
const QUESTIONS: ReadonlyArray<[question: string, node: string]> = [
	['company registry', 'companyRegistry'],
	['company status', 'companyRegistryTrigger'],
	['credit rating', 'companyRegistry'],
	['enrich', 'companyRegistry'],
	['short link', 'linkManagement'],
	['QR codes', 'linkManagement'],
	['file uploaded', 'linkManagementTrigger'],
];

/** The types that the page shows in full, in addition to the triggers' short ones. */
const SHOWN = [
	'CompanyRegistryV1CompanyEnrichParams',
	'CompanyRegistryV1CompanyGetParams',
	'CompanyRegistryV1CreditRecommendationGetParams',
	'LinkManagementV1FileUploadParams',
];

/** The parts of n8n that turn descriptions into texts for an AI. */
interface NodeCatalog {
	NodeTypeParser: new (types: INodeTypeDescription[]) => NodeTypeParser;
	formatNodeResult(parser: NodeTypeParser, nodeId: string, version: number): string;
}
interface NodeTypeParser {
	searchNodeTypes(query: string, limit: number): Array<{ id: string }>;
}
interface TypeSynthesizer {
	synthesizeNodeTypeDef(description: INodeTypeDescription): string;
}

/** The nodes as n8n loads them: prefixed with the package's name, without functions, with codex. */
async function loadedNodes(packageName: string): Promise<INodeTypeDescription[]> {
	const nodes = [
		new CompanyRegistry(),
		new CompanyRegistryTrigger(),
		new LinkManagement(),
		new LinkManagementTrigger(),
	];
	return await Promise.all(
		nodes.map(async ({ constructor, description }) => {
			const folder = constructor.name.replace('Trigger', '');
			const path = join(PROJECT_DIR, 'nodes', folder, `${constructor.name}.node.json`);
			const { alias } = JSON.parse(await readFile(path, 'utf8')) as { alias: string[] };
			return {
				...(JSON.parse(JSON.stringify(description)) as INodeTypeDescription),
				name: `${packageName}.${description.name}`,
				codex: { alias },
			};
		}),
	);
}

/**
 * The page in Markdown, generated with the code of an installed n8n: what its workflow builder and
 * MCP server find, and the types that they generate for community nodes.
 */
export async function aiViewPage({ dir }: Pick<Host, 'dir'>): Promise<string> {
	const load = createRequire(join(dir, 'node_modules', 'n8n', 'package.json'));
	const catalog = load('@n8n/ai-utilities/node-catalog') as NodeCatalog;
	const { synthesizeNodeTypeDef } = load(
		'./dist/modules/mcp-registry/synthesize-type-def',
	) as TypeSynthesizer;
	const { name: packageName } = await readManifest(PROJECT_DIR);
	const own = await loadedNodes(packageName);
	const corePath = load.resolve('n8n-nodes-base/dist/types/nodes.json');
	const core = JSON.parse(await readFile(corePath, 'utf8')) as INodeTypeDescription[];
	const parser = new catalog.NodeTypeParser([...core, ...own]);
	const places = QUESTIONS.map(([question, node]) => {
		const found = parser.searchNodeTypes(question, 5).map(({ id }) => id);
		const place = found.indexOf(`${packageName}.${node}`);
		return [question, node, place < 0 ? 'not found' : String(place + 1)];
	});
	const types = own.map((node) => synthesizeNodeTypeDef(node).trim());
	const [registry = '', registryTrigger = '', links = '', linkTrigger = ''] = types;
	const shown = SHOWN.map((name) => typeNamed(name, name.startsWith('Link') ? links : registry));
	return [
		'# What an AI builder sees',
		"n8n's workflow builder and its MCP server read the descriptions of installed community nodes. This page is made by n8n's own code (`npm run ai-view`), and an end-to-end test compares it.",
		'## Search\n\nPlace of the node among all nodes of n8n and of this package:',
		table(['Search', 'Node', 'Place'], places),
		...own.map((node) => code(catalog.formatNodeResult(parser, node.name, 1))),
		'## Types\n\nThe triggers, and four of the 44 operations:',
		...[...shown, registryTrigger, linkTrigger].map((text) => code(text, 'ts')),
	]
		.join('\n\n')
		.concat('\n');
}

function code(text: string, language = 'text'): string {
	return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** The declaration of a type with its comment. @throws if the type isn't declared */
function typeNamed(name: string, declarations: string): string {
	const [found] = new RegExp(`^export type ${name} = \\{[^]*?^\\};`, 'm').exec(declarations) ?? [];
	if (!found) throw new Error(`n8n generates no type ${name}`);
	return found;
}
