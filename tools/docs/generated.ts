import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { agentToolsTable } from './agentTools';
import { reference } from './reference';

const linkManagement = new LinkManagement().description;
const companyRegistry = new CompanyRegistry().description;
const linkTrigger = new LinkManagementTrigger().description;
const registryTrigger = new CompanyRegistryTrigger().description;

/** The generated parts of documents, with the names in their markers. */
const BLOCKS: Array<[file: string, block: string, content: () => Promise<string> | string]> = [
	['docs/link-management.md', 'reference', () => reference(linkManagement)],
	['docs/link-management.md', 'agent tools', () => agentToolsTable(linkManagement)],
	['docs/company-registry.md', 'reference', () => reference(companyRegistry)],
	['docs/company-registry.md', 'agent tools', () => agentToolsTable(companyRegistry)],
	['docs/trigger.md', 'link reference', () => reference(linkTrigger)],
	['docs/trigger.md', 'registry reference', () => reference(registryTrigger)],
];

export const generatedBlocks = BLOCKS.map(([file, block, content]) => ({ file, block, content }));
