import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { agentToolsTable } from './agentTools';
import { reference } from './reference';
import { eventSample, operationSample } from './samples';

/** A part of a document that is made from the code. */
export interface GeneratedBlock {
	/** Path from the project's root. */
	file: string;
	/** Name in the document's markers. */
	block: string;
	content: () => Promise<string>;
}

const linkManagement = new LinkManagement().description;
const companyRegistry = new CompanyRegistry().description;
const linkTrigger = new LinkManagementTrigger().description;
const registryTrigger = new CompanyRegistryTrigger().description;

export const generatedBlocks: GeneratedBlock[] = [
	{
		file: 'docs/link-management.md',
		block: 'reference',
		content: async () => await reference(linkManagement, operationSample('linkManagement')),
	},
	{
		file: 'docs/link-management.md',
		block: 'agent tools',
		content: async () => agentToolsTable(linkManagement),
	},
	{
		file: 'docs/company-registry.md',
		block: 'agent tools',
		content: async () => agentToolsTable(companyRegistry),
	},
	{
		file: 'docs/company-registry.md',
		block: 'reference',
		content: async () => await reference(companyRegistry, operationSample('companyRegistry')),
	},
	{
		file: 'docs/trigger.md',
		block: 'link reference',
		content: async () => await reference(linkTrigger, eventSample),
	},
	{
		file: 'docs/trigger.md',
		block: 'registry reference',
		content: async () => await reference(registryTrigger, eventSample),
	},
];
