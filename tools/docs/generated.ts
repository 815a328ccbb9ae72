import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkCompanyTrigger } from '../../nodes/LinkCompanyTrigger/LinkCompanyTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { contents } from './contents';
import { examplesList } from './examples';
import { operationsOverview, operationsTable } from './operations';
import {
	eventsOptions,
	eventsReference,
	operationsOptions,
	operationsReference,
} from './reference';
import { sampleOf, triggerSample } from './samples';

/** A part of a document that repeats the code and is therefore made from it. */
export interface GeneratedBlock {
	/** Path from the project's root. */
	file: string;
	/** Name in the document's markers. */
	block: string;
	/** @param document the document as it is, for what is made from its other parts */
	content: (document: string) => string | Promise<string>;
}

const linkManagement = new LinkManagement().description;
const companyRegistry = new CompanyRegistry().description;
const trigger = new LinkCompanyTrigger().description;

const WITH_CONTENTS = [
	'docs/company-registry.md',
	'docs/link-management.md',
	'docs/rate-limits.md',
	'docs/services.md',
	'docs/trigger.md',
	'docs/troubleshooting.md',
];

export const generatedBlocks: GeneratedBlock[] = [
	...WITH_CONTENTS.map((file) => ({ file, block: 'contents', content: contents })),
	{
		file: 'README.md',
		block: 'link-management operations',
		content: () => operationsOverview(linkManagement),
	},
	{
		file: 'README.md',
		block: 'company-registry operations',
		content: () => operationsOverview(companyRegistry),
	},
	{ file: 'docs/examples.md', block: 'examples', content: examplesList },
	{
		file: 'docs/link-management.md',
		block: 'operations',
		content: () => operationsTable(linkManagement),
	},
	{
		file: 'docs/link-management.md',
		block: 'options',
		content: () => operationsOptions(linkManagement),
	},
	{
		file: 'docs/link-management.md',
		block: 'reference',
		content: async () => await operationsReference(linkManagement, sampleOf('linkManagement')),
	},
	{
		file: 'docs/company-registry.md',
		block: 'operations',
		content: () => operationsTable(companyRegistry),
	},
	{
		file: 'docs/company-registry.md',
		block: 'options',
		content: () => operationsOptions(companyRegistry),
	},
	{
		file: 'docs/company-registry.md',
		block: 'reference',
		content: async () => await operationsReference(companyRegistry, sampleOf('companyRegistry')),
	},
	{ file: 'docs/trigger.md', block: 'options', content: () => eventsOptions(trigger) },
	{
		file: 'docs/trigger.md',
		block: 'reference',
		content: async () => await eventsReference(trigger, triggerSample),
	},
];
