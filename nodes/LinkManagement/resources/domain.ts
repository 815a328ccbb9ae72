import { endpoint } from '../../shared/node/endpoint';
import { inBody } from '../../shared/node/inputs';
import type { Resource } from '../../shared/node/resource';
import { created, deleted, list, updated } from '../../shared/node/outputs';
import { webAddress } from '../../shared/node/validators';
import { domains } from '../collections';
import { recordLocator, showFor } from '../fields';
import { changedRecord, newRecord } from '../records';

/** Spec, "Branded domains". */
export const domain: Resource = {
	name: 'Domain',
	value: 'domain',
	properties: [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: ['domain'] } },
			default: 'getAll',
			options: [
				{
					name: 'Create',
					value: 'create',
					action: 'Create a branded domain',
					description:
						'Add a branded domain. It must already point to the server of the link service.',
					routing: endpoint('POST', '/api/domain/add', created(newRecord)),
				},
				{
					name: 'Delete',
					value: 'delete',
					action: 'Delete a branded domain',
					description: 'Remove a branded domain from the account',
					routing: endpoint('DELETE', '/api/domain/:domainId/delete', deleted),
				},
				{
					name: 'Get Many',
					value: 'getAll',
					action: 'Get many branded domains',
					description: 'List the branded domains of the account',
					routing: endpoint('GET', domains.path, list(domains)),
				},
				{
					name: 'Update',
					value: 'update',
					action: 'Update a branded domain',
					description: 'Change where a branded domain sends its visitors',
					routing: endpoint('PUT', '/api/domain/:domainId/update', updated(changedRecord)),
				},
			],
		},
		recordLocator(
			{
				displayName: 'Domain',
				name: 'domainId',
				description: 'The branded domain to work with',
				displayOptions: showFor('domain', 'delete', 'update'),
			},
			'searchDomains',
		),
		inBody(
			{
				displayName: 'Domain',
				name: 'domain',
				type: 'string',
				default: '',
				required: true,
				placeholder: 'e.g. https://go.example.com',
				description: 'Address of the domain, with http:// or https://',
				displayOptions: showFor('domain', 'create'),
			},
			webAddress,
		),
		{
			displayName: 'Additional Fields',
			name: 'domainFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			displayOptions: showFor('domain', 'create', 'update'),
			options: [
				inBody(
					{
						displayName: '404 Redirect',
						name: 'redirect404',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://example.com/not-found',
						description: 'Where visitors go whose short link does not exist',
					},
					webAddress,
				),
				inBody(
					{
						displayName: 'Root Redirect',
						name: 'redirectroot',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://example.com',
						description: 'Where visitors go who open the domain without a short link',
					},
					webAddress,
				),
			],
		},
	],
};
