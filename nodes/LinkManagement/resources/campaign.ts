import { z } from 'zod';

import { endpoint } from '../../shared/node/endpoint';
import { inBody, inPath } from '../../shared/node/inputs';
import { field } from '../../shared/node/recordSchema';
import type { Resource } from '../../shared/node/resource';
import { assigned, created, deleted, list, updated } from '../../shared/node/outputs';
import { flag, text } from '../../shared/node/validators';
import { campaigns } from '../collections';
import { recordLocator, showFor } from '../fields';
import { campaignRecord } from '../records';

/** What comes out when a link was put into a campaign. */
const linkInCampaign = () =>
	z.object({ campaignId: field.id(), linkId: field.id(), message: field.text() });

/** Spec, "Campaigns". */
export const campaign: Resource = {
	name: 'Campaign',
	value: 'campaign',
	properties: [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: ['campaign'] } },
			default: 'create',
			options: [
				{
					name: 'Add Link',
					value: 'addLink',
					action: 'Add a link to a campaign',
					description: 'Put a short link into a campaign',
					routing: endpoint(
						'POST',
						'/api/campaign/:campaignId/assign/:linkId',
						assigned(linkInCampaign),
					),
				},
				{
					name: 'Create',
					value: 'create',
					action: 'Create a campaign',
					description: 'Create a campaign, a group of short links',
					routing: endpoint('POST', '/api/campaign/add', created(campaignRecord)),
				},
				{
					name: 'Delete',
					value: 'delete',
					action: 'Delete a campaign',
					description: 'Delete a campaign',
					routing: endpoint('DELETE', '/api/campaign/:campaignId/delete', deleted),
				},
				{
					name: 'Get Many',
					value: 'getAll',
					action: 'Get many campaigns',
					description: 'List the campaigns of the account',
					routing: endpoint('GET', campaigns.path, list(campaigns)),
				},
				{
					name: 'Update',
					value: 'update',
					action: 'Update a campaign',
					description: 'Change the name, slug or access of a campaign',
					routing: endpoint('PUT', '/api/campaign/:campaignId/update', updated(campaignRecord)),
				},
			],
		},
		recordLocator(
			{
				displayName: 'Campaign',
				name: 'campaignId',
				description: 'The campaign to work with',
				displayOptions: showFor('campaign', 'addLink', 'delete', 'update'),
			},
			'searchCampaigns',
		),
		inPath({
			displayName: 'Link ID',
			name: 'linkId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 42',
			description: 'ID of the short link to put into the campaign',
			displayOptions: showFor('campaign', 'addLink'),
		}),
		inBody(
			{
				displayName: 'Name',
				name: 'campaignName',
				type: 'string',
				default: '',
				required: true,
				placeholder: 'e.g. Spring sale',
				description: 'Name of the campaign from now on',
				displayOptions: showFor('campaign', 'update'),
			},
			text,
			'name',
		),
		{
			displayName: 'Additional Fields',
			name: 'campaignFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			displayOptions: showFor('campaign', 'create', 'update'),
			options: [
				inBody({
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Spring sale',
					description: 'Name of the campaign',
					displayOptions: { show: { '/operation': ['create'] } },
				}),
				inBody(
					{
						displayName: 'Public',
						name: 'public',
						type: 'boolean',
						default: false,
						description: 'Whether everybody can see the list of the campaign’s links',
					},
					flag,
				),
				inBody({
					displayName: 'Rotator Slug',
					name: 'slug',
					type: 'string',
					default: '',
					placeholder: 'e.g. spring-sale',
					description:
						'End of the rotator address, which sends each visitor to one of the campaign’s links',
				}),
			],
		},
	],
};
