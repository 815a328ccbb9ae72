import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { reference } from './reference';

/** The generated parts of documents, with the names in their markers. */
export const generatedBlocks = [
	{
		file: 'docs/link-management.md',
		block: 'reference',
		content: async () =>
			await reference(new LinkManagement().description, [
				'campaign.create',
				'file.upload',
				'qrCode.getAll',
			]),
	},
	{
		file: 'docs/company-registry.md',
		block: 'reference',
		content: async () =>
			await reference(new CompanyRegistry().description, [
				'company.enrich',
				'company.get',
				'creditRecommendation.get',
			]),
	},
	{
		file: 'docs/trigger.md',
		block: 'link reference',
		content: async () =>
			await reference(new LinkManagementTrigger().description, ['fileCreated', 'qrCodeScanned']),
	},
	{
		file: 'docs/trigger.md',
		block: 'registry reference',
		content: async () =>
			await reference(new CompanyRegistryTrigger().description, ['companyStatusChanged']),
	},
];
