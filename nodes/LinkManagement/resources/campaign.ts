import type { INodeProperties } from 'n8n-workflow';

import { inBody, inPath } from '../../shared/node/inputs';
import { endpoint } from '../../shared/node/operation';
import type { Resource } from '../../shared/node/resource';
import { assignRecord } from '../../shared/node/outputs';
import { flag, linkEnding, text } from '../../shared/node/validators';
import { showFor } from '../../shared/node/options';
import { campaignRecord } from '../api';
import { campaignKind } from '../lookup';
import { operationsOf } from '../operations';
import { optionalFields, recordLocator } from '../panel';

function campaignName(
	more: Pick<INodeProperties, 'required' | 'description' | 'displayOptions'>,
): INodeProperties {
	const field = { displayName: 'Name', name: 'campaignName', placeholder: 'e.g. Spring sale' };
	return inBody({ ...field, ...more }, text, 'name');
}

export const campaign: Resource = {
	name: 'Campaign',
	value: 'campaign',
	description:
		'A group of short links, with a rotator URL that redirects each visitor to one of them',
	defaultOperation: 'create',
	operations: operationsOf(campaignKind, {
		create: 'Create a campaign, a group of short links',
		update: "Change a campaign's name, rotator slug or visibility",
		returned: { create: campaignRecord, update: campaignRecord },
		identity: { fields: ['name'], sentWithUpdates: ['name'] },
		others: [
			{
				name: 'Add Link',
				value: 'addLink',
				action: 'Add link to campaign',
				description: 'Add a short link to a campaign',
				routing: endpoint(
					'POST',
					'/api/campaign/:campaignId/assign/:linkId',
					assignRecord({ campaignId: 'integer', linkId: 'integer', message: 'string' }),
				),
			},
		],
	}),
	properties: [
		recordLocator(campaignKind, 'e.g. Spring sale', 'addLink'),
		inPath({
			displayName: 'Link ID',
			name: 'linkId',
			required: true,
			placeholder: 'e.g. 42',
			description: 'ID of the short link. To look it up, use Channel: Get Items.',
			displayOptions: showFor('campaign', 'addLink'),
		}),
		campaignName({
			description: 'Name of the new campaign. Optional.',
			displayOptions: showFor('campaign', 'create'),
		}),
		campaignName({
			required: true,
			description:
				'Update: the new name or the current one, because the API requires it. Create or Update: the exact name of the campaign to update or create.',
			displayOptions: showFor('campaign', 'update', 'upsert'),
		}),
		...optionalFields('campaign', [
			inBody(
				{
					displayName: 'Public',
					name: 'public',
					type: 'boolean',
					default: false,
					description: 'Whether the campaign is publicly accessible',
				},
				flag,
			),
			inBody(
				{
					displayName: 'Rotator Slug',
					name: 'slug',
					placeholder: 'e.g. spring-sale',
					description:
						"End of the rotator URL, which sends each visitor to one of the campaign's links",
				},
				linkEnding,
			),
		]),
	],
};
