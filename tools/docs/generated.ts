// With its extension: without it, Node would find the codex file LinkManagement.node.json first.
import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node.ts';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node.ts';
import { operationsTable } from './operations';

/** A part of a document that repeats the code and is therefore made from it. */
export interface GeneratedBlock {
	/** Path from the project's root. */
	file: string;
	/** Name in the document's markers. */
	block: string;
	content: () => string;
}

export const generatedBlocks: GeneratedBlock[] = [
	{
		file: 'README.md',
		block: 'link-management operations',
		content: () => operationsTable(new LinkManagement().description),
	},
	{
		file: 'README.md',
		block: 'company-registry operations',
		content: () => operationsTable(new CompanyRegistry().description),
	},
];
