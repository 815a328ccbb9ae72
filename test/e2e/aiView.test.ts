import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { operationsIn } from '../../nodes/shared/node/operation';
import { provideHost } from '../../tools/host';
import { PROJECT_DIR } from '../../tools/package';

/** What n8n's workflow builder and MCP server see of the package, by the code of an installed n8n. */
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

const NODES = [CompanyRegistry, CompanyRegistryTrigger, LinkManagement, LinkManagementTrigger];
const PREFIX = 'n8n-nodes-link-company.';

let catalog: NodeCatalog;
let parser: NodeTypeParser;
/** The types that n8n generates, by node. */
let types: Record<string, string>;

beforeAll(async () => {
	const { dir } = await provideHost();
	const load = createRequire(join(dir, 'node_modules', 'n8n', 'package.json'));
	catalog = load('@n8n/ai-utilities/node-catalog') as NodeCatalog;
	const synthesizer = load('./dist/modules/mcp-registry/synthesize-type-def') as TypeSynthesizer;
	const own = await Promise.all(NODES.map(async (Node) => await asLoaded(new Node())));
	const core = await readFile(load.resolve('n8n-nodes-base/dist/types/nodes.json'), 'utf8');
	parser = new catalog.NodeTypeParser([...(JSON.parse(core) as INodeTypeDescription[]), ...own]);
	types = Object.fromEntries(
		own.map((node) => [
			node.name.slice(PREFIX.length),
			synthesizer.synthesizeNodeTypeDef(node).trim(),
		]),
	);
});

/** As n8n loads a node: prefixed with the package's name, without functions, with codex. */
async function asLoaded({ constructor, description }: INodeType): Promise<INodeTypeDescription> {
	const folder = constructor.name.replace('Trigger', '');
	const path = join(PROJECT_DIR, 'nodes', folder, `${constructor.name}.node.json`);
	const { alias } = JSON.parse(await readFile(path, 'utf8')) as { alias: string[] };
	return {
		...(JSON.parse(JSON.stringify(description)) as INodeTypeDescription),
		name: PREFIX + description.name,
		codex: { alias },
	};
}

it.each([
	['company registry', 'companyRegistry'],
	['company status', 'companyRegistryTrigger'],
	['credit rating', 'companyRegistry'],
	['enrich', 'companyRegistry'],
	['short link', 'linkManagement'],
	['QR codes', 'linkManagement'],
	['file uploaded', 'linkManagementTrigger'],
])('an AI builder that searches for "%s" finds %s', (question, node) => {
	const found = parser.searchNodeTypes(question, 5).map(({ id }) => id);
	expect(found).toContain(PREFIX + node);
});

it('an AI builder reads each node’s hints and related nodes, and every operation, in the catalog', () => {
	for (const Node of NODES) {
		const { name, properties, builderHint = {} } = new Node().description;
		const entry = catalog.formatNodeResult(parser, PREFIX + name, 1);
		expect(entry).toContain(`@builderHint ${builderHint.searchHint}`);
		for (const { nodeType, relationHint } of builderHint.relatedNodes ?? []) {
			expect(entry).toContain(`- ${nodeType}: "${relationHint}"`);
		}
		for (const { option } of operationsIn(properties)) {
			expect(entry).toMatch(new RegExp(`- ${option.value}\\n +${escaped(option.description!)}\\n`));
		}
	}
});

it('an AI builder’s types say what an operation returns, and what its choices mean', () => {
	const enrich = typeOf('companyRegistry', 'CompanyRegistryV1CompanyEnrichParams');
	expect(enrich).toMatch(/^ +\* Output: \{ match_status: string, .*registry_state: string \}$/m);
	expect(enrich).toMatch(/@builderHint auto: Look for columns .*; choose: Drag your columns/);
	expect(enrich).toContain("columns?: 'auto' | 'choose' | Expression<string>;");
	expect(enrich).toContain('@displayOptions.show { columns: ["choose"] }');

	const upload = typeOf('linkManagement', 'LinkManagementV1FileUploadParams');
	expect(upload).toContain('* Output: { id: number, name: string, shorturl: string }');
	expect(upload).toMatch(/@searchListMethod searchDomainAddresses[^]*mode: 'list' \| 'address'/);

	const { companyRegistryTrigger } = types;
	expect(companyRegistryTrigger).toMatch(/fieldsToWatch\?: Array<'disappearance' \| .*'status'>;/);
	expect(companyRegistryTrigger).toContain('companyRegistryApi: CredentialReference;');
	expect(companyRegistryTrigger).toContain('isTrigger: true;');
});

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function typeOf(node: string, name: string): string {
	return new RegExp(`^export type ${name} = \\{[^]*?^\\};`, 'm').exec(types[node]!)?.[0] ?? '';
}
