import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';

import { CompanyRegistry } from '../../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../../nodes/LinkManagement/LinkManagementTrigger.node';
import type { Host } from '../../../tools/host';
import { PROJECT_DIR, readManifest } from '../../../tools/package';

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

/** What n8n's workflow builder and MCP server see of this package. */
export interface AiView {
	/** The nodes that a search finds, best first, without the package's name for its own nodes. */
	search(question: string): string[];
	/** By node: its entry in the catalog, and the types that are generated for it. */
	texts: Record<string, { entry: string; types: string }>;
}

/** Reads descriptions with the code of an installed n8n. */
export async function aiView({ dir }: Pick<Host, 'dir'>): Promise<AiView> {
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
	const shortName = (id: string) => id.replace(`${packageName}.`, '');
	return {
		search: (question) => parser.searchNodeTypes(question, 5).map(({ id }) => shortName(id)),
		texts: Object.fromEntries(
			own.map((node) => [
				shortName(node.name),
				{
					entry: catalog.formatNodeResult(parser, node.name, 1),
					types: synthesizeNodeTypeDef(node).trim(),
				},
			]),
		),
	};
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
