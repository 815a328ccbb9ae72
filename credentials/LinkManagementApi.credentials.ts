import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { baseUrl, ignoreSslIssues, sendingKey } from './settings';

/** The API key is sent as a bearer token (docs/maintainers/services.md, "Link Management: requests"). */
export class LinkManagementApi implements ICredentialType {
	name = 'linkManagementApi';

	displayName = 'Link Management API';

	icon: Icon = {
		light: 'file:../icons/linkManagement.svg',
		dark: 'file:../icons/linkManagement.dark.svg',
	};

	documentationUrl =
		'https://github.com/link-company/n8n-nodes-link-company/blob/main/docs/link-management.md#credential';

	properties: INodeProperties[] = [
		baseUrl,
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The key that the service generated when you registered',
		},
		ignoreSslIssues,
	];

	// A property, because the editor gets a spread copy of the type. Without it, HTTP Request leaves the type out.
	authenticate = sendingKey((key) => ({ Authorization: `Bearer ${key}` }));
}
