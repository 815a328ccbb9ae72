import type { INodeType } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { operationsOf, samplesOf } from './reference';

/** A generated part of a document, with the name in its markers. */
interface Block {
	file: string;
	block: string;
	content(): Promise<string>;
}

function samples(file: string, { description }: INodeType, ...sampled: string[]): Block {
	return { file, block: 'samples', content: async () => await samplesOf(description, sampled) };
}

const links = new LinkManagement();

export const generatedBlocks: Block[] = [
	{
		file: 'docs/link-management.md',
		block: 'operations',
		content: async () => operationsOf(links.description),
	},
	samples('docs/link-management.md', links, 'file.upload', 'qrCode.getAll'),
	samples('docs/company-registry.md', new CompanyRegistry(), 'company.get'),
	samples('docs/trigger.md', new CompanyRegistryTrigger(), 'companyStatusChanged'),
];
