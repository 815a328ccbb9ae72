import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../shared/node/inputs';
import { endpoint } from '../../shared/node/operation';
import type { Resource } from '../../shared/node/resource';
import { createRecord, updateRecord } from '../../shared/node/outputs';
import { webAddress } from '../../shared/node/validators';
import { domains, changedRecord, newRecord } from '../api';
import { clearableText, deleteBy, getMany, optionalFields, recordLocator, showFor } from '../panel';
import { domainKind, getFromList } from '../lookup';
import { createOrUpdate } from '../upsert';

function address(operation: string, hint: string): INodeProperties {
	return inBody(
		{
			displayName: 'Domain',
			name: 'domain',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://go.example.com',
			hint,
			description: 'URL of the domain, starting with http:// or https://',
			displayOptions: showFor('domain', operation),
		},
		webAddress,
	);
}

/** docs/maintainers/services.md, "Link Management: requests". */
export const domain: Resource = {
	name: 'Domain',
	value: 'domain',
	description: "A branded domain, which short links can use instead of the service's own",
	operations: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create branded domain',
			description: 'Add a branded domain',
			routing: endpoint('POST', '/api/domain/add', createRecord(newRecord)),
		},
		createOrUpdate({
			kind: domainKind,
			identifying: ['domain'],
			createPath: '/api/domain/add',
			updatePath: '/api/domain/:id/update',
		}),
		deleteBy('=/api/domain/{{$parameter["domainId"]}}/delete', 'branded domain'),
		getFromList(domainKind, 'domainId', 'branded domain'),
		getMany(domains, 'branded domains'),
		{
			name: 'Update',
			value: 'update',
			action: 'Update branded domain',
			description: 'Change where a branded domain redirects its visitors',
			routing: endpoint(
				'PUT',
				'=/api/domain/{{$parameter["domainId"]}}/update',
				updateRecord(changedRecord),
			),
		},
	],
	properties: [
		recordLocator(
			{
				displayName: 'Domain',
				name: 'domainId',
				displayOptions: showFor('domain', 'delete', 'get', 'update'),
			},
			'searchDomains',
			{ kind: domainKind, placeholder: 'e.g. https://go.example.com' },
		),
		address('create', "The domain's DNS must already point to the link service"),
		address('upsert', 'Updates the branded domain with this address, or creates one'),
		...optionalFields('domain', {
			name: 'domainFields',
			default: {},
			options: [
				...clearableText(
					{
						displayName: '404 Redirect',
						name: 'redirect404',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://example.com/not-found',
						description: "Where visitors go if their short link doesn't exist",
					},
					webAddress,
				),
				...clearableText(
					{
						displayName: 'Root Redirect',
						name: 'redirectroot',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://example.com',
						description: 'Where visitors go if they open the domain without a short link',
					},
					webAddress,
				),
			],
		}),
	],
};
