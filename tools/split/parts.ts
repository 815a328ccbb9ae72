/** One of the two packages that this tree could be split into. */
export interface Part {
	packageName: string;
	description: string;
	/** Folder and class of the node. */
	node: string;
	/** Class of the credential, whose file name it is too. */
	credential: string;
	/** Credential type; the trigger's events that use it belong to the part. */
	credentialType: string;
	/** Replaces the names of the trigger, longest first. */
	triggerNames: Array<[from: string, to: string]>;
}

export const PARTS: Part[] = [
	{
		packageName: 'n8n-nodes-link-management',
		description: 'n8n nodes for managing short links, QR codes, pixels and files',
		node: 'LinkManagement',
		credential: 'LinkManagementApi',
		credentialType: 'linkManagementApi',
		triggerNames: [
			['Link & Company Trigger', 'Link Management Trigger'],
			['LinkCompanyTrigger', 'LinkManagementTrigger'],
			['linkCompanyTrigger', 'linkManagementTrigger'],
		],
	},
	{
		packageName: 'n8n-nodes-company-registry',
		description: 'n8n nodes for looking up companies of the Republic of Moldova',
		node: 'CompanyRegistry',
		credential: 'CompanyRegistryApi',
		credentialType: 'companyRegistryApi',
		triggerNames: [
			['Link & Company Trigger', 'Company Registry Trigger'],
			['LinkCompanyTrigger', 'CompanyRegistryTrigger'],
			['linkCompanyTrigger', 'companyRegistryTrigger'],
		],
	},
];
