import { clearable, inBody } from '../../shared/node/inputs';
import type { Resource } from '../../shared/node/resource';
import { created, deleted, list, updated } from '../../shared/node/outputs';
import { webAddress } from '../../shared/node/validators';
import { domains } from '../collections';
import { CLEARABLE, recordLocator, showFor } from '../fields';
import { domainKind, endpoint, foundInList } from '../lookup';
import { changedRecord, newRecord } from '../records';
import { upserted } from '../upsert';

/** docs/services.md, "Link Management: requests". */
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
					action: 'Create branded domain',
					description:
						'Add a branded domain. It must already point to the server of the link service.',
					routing: endpoint('POST', '/api/domain/add', created(newRecord)),
				},
				{
					name: 'Create or Update',
					value: 'upsert',
					action: 'Create or update branded domain',
					description:
						'Create a new record, or update the current one if it already exists (upsert)',
					routing: upserted({
						kind: domainKind,
						describe: ({ domain: address }) => `the address "${String(address)}"`,
						identifying: ['domain'],
						createPath: '/api/domain/add',
						updatePath: '/api/domain/:id/update',
					}),
				},
				{
					name: 'Delete',
					value: 'delete',
					action: 'Delete branded domain',
					description: 'Remove a branded domain from the account',
					routing: endpoint('DELETE', '/api/domain/:domainId/delete', deleted),
				},
				{
					name: 'Get',
					value: 'get',
					action: 'Get branded domain',
					description: 'Get a branded domain by its ID or address, from the list of domains',
					routing: foundInList('domainId'),
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
					action: 'Update branded domain',
					description: 'Change where a branded domain redirects its visitors',
					routing: endpoint('PUT', '/api/domain/:domainId/update', updated(changedRecord)),
				},
			],
		},
		recordLocator(
			{
				displayName: 'Domain',
				name: 'domainId',
				description: 'The branded domain to work with',
				displayOptions: showFor('domain', 'delete', 'get', 'update'),
			},
			'searchDomains',
			{ displayName: 'By Address', placeholder: 'e.g. https://go.example.com' },
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
				displayOptions: showFor('domain', 'create', 'upsert'),
			},
			webAddress,
		),
		{
			displayName: 'Fields to Set',
			name: 'domainFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			description: 'Only the fields added here are sent; an update leaves the others as they are',
			displayOptions: showFor('domain', 'create', 'update', 'upsert'),
			options: [
				clearable(
					inBody(
						{
							displayName: '404 Redirect',
							name: 'redirect404',
							type: 'string',
							default: '',
							placeholder: 'e.g. https://example.com/not-found',
							hint: CLEARABLE,
							description: 'Where visitors go if their short link does not exist',
						},
						webAddress,
					),
				),
				clearable(
					inBody(
						{
							displayName: 'Root Redirect',
							name: 'redirectroot',
							type: 'string',
							default: '',
							placeholder: 'e.g. https://example.com',
							hint: CLEARABLE,
							description: 'Where visitors go if they open the domain without a short link',
						},
						webAddress,
					),
				),
			],
		},
	],
};
