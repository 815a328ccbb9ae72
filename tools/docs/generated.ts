import type { INodeType } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { eventsOf, operationsOf, samplesOf } from './reference';

/** A generated part of a document, with the name in its markers. */
interface Block {
	file: string;
	block: string;
	content(): Promise<string>;
}

function nodeBlocks(file: string, { description }: INodeType, sampled: string[]): Block[] {
	return [
		{ file, block: 'operations', content: async () => operationsOf(description) },
		{ file, block: 'samples', content: async () => await samplesOf(description, sampled) },
	];
}

function triggerBlock(block: string, { description }: INodeType, sampled: string[]): Block {
	return {
		file: 'docs/trigger.md',
		block,
		async content() {
			const samples = await samplesOf(description, sampled);
			return `### ${description.displayName}\n\n${eventsOf(description)}\n\n${samples}`;
		},
	};
}

export const generatedBlocks: Block[] = [
	...nodeBlocks('docs/link-management.md', new LinkManagement(), [
		'campaign.create',
		'file.upload',
		'qrCode.getAll',
	]),
	...nodeBlocks('docs/company-registry.md', new CompanyRegistry(), [
		'company.enrich',
		'company.get',
	]),
	triggerBlock('link reference', new LinkManagementTrigger(), ['qrCodeScanned']),
	triggerBlock('registry reference', new CompanyRegistryTrigger(), ['companyStatusChanged']),
];
