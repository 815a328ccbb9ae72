import type { INodeProperties } from 'n8n-workflow';

import { inBody, inPath } from '../../shared/node/inputs';
import { endpoint } from '../../shared/node/operation';
import type { Resource } from '../../shared/node/resource';
import { assignRecord, createRecord, updateRecord } from '../../shared/node/outputs';
import { flag, linkEnding, text } from '../../shared/node/validators';
import { campaigns, campaignRecord } from '../api';
import { deleteBy, getMany, optionalFields, recordLocator, showFor } from '../panel';
import { campaignKind, getFromList } from '../lookup';
import { createOrUpdate } from '../upsert';

/** Output of Add Link. */
const LINK_IN_CAMPAIGN = { campaignId: 'integer', linkId: 'integer', message: 'string' } as const;

/** "Name" means something different to each operation, so each has its own texts. */
function campaignName(
	operation: string,
	texts: Pick<INodeProperties, 'required' | 'hint' | 'description'>,
): INodeProperties {
	return inBody(
		{
			displayName: 'Name',
			name: 'campaignName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Spring sale',
			displayOptions: showFor('campaign', operation),
			...texts,
		},
		text,
		'name',
	);
}

/** docs/maintainers/services.md, "Link Management: requests". */
export const campaign: Resource = {
	name: 'Campaign',
	value: 'campaign',
	description:
		'A group of short links, with a rotator URL that redirects each visitor to one of them',
	defaultOperation: 'create',
	operations: [
		{
			name: 'Add Link',
			value: 'addLink',
			action: 'Add link to campaign',
			description: 'Add a short link to a campaign',
			routing: endpoint(
				'POST',
				'=/api/campaign/{{$parameter["campaignId"]}}/assign/{{$parameter["linkId"]}}',
				assignRecord(LINK_IN_CAMPAIGN),
			),
		},
		{
			name: 'Create',
			value: 'create',
			action: 'Create campaign',
			description: 'Create a campaign, a group of short links',
			routing: endpoint('POST', '/api/campaign/add', createRecord(campaignRecord)),
		},
		createOrUpdate({
			kind: campaignKind,
			identifying: ['name'],
			sentWithUpdates: ['name'],
			createPath: '/api/campaign/add',
			updatePath: '/api/campaign/:id/update',
		}),
		deleteBy('=/api/campaign/{{$parameter["campaignId"]}}/delete', 'campaign'),
		getFromList(campaignKind, 'campaignId'),
		getMany(campaigns, 'campaigns'),
		{
			name: 'Update',
			value: 'update',
			action: 'Update campaign',
			description: "Change a campaign's name, rotator slug or visibility",
			routing: endpoint(
				'PUT',
				'=/api/campaign/{{$parameter["campaignId"]}}/update',
				updateRecord(campaignRecord),
			),
		},
	],
	properties: [
		recordLocator(
			{
				displayName: 'Campaign',
				name: 'campaignId',
				displayOptions: showFor('campaign', 'addLink', 'delete', 'get', 'update'),
			},
			'searchCampaigns',
			{ kind: campaignKind, placeholder: 'e.g. Spring sale' },
		),
		inPath({
			displayName: 'Link ID',
			name: 'linkId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 42',
			description: 'ID of the short link. To look it up, use Channel: Get Items.',
			displayOptions: showFor('campaign', 'addLink'),
		}),
		campaignName('create', {
			description: 'Name of the new campaign. Optional.',
		}),
		campaignName('update', {
			required: true,
			hint: 'The API needs a name in every update. To keep the current one, enter it again.',
			description: 'New name of the campaign, or its current one',
		}),
		campaignName('upsert', {
			required: true,
			hint: 'Updates the campaign with exactly this name, or creates one',
			description: 'Name of the campaign. Case matters.',
		}),
		...optionalFields(
			'campaign',
			{
				name: 'campaignFields',
				// Shows both fields from the start. An empty one isn't sent.
				default: { slug: '', public: '' },
				options: [
					inBody(
						{
							displayName: 'Rotator Slug',
							name: 'slug',
							type: 'string',
							default: '',
							placeholder: 'e.g. spring-sale',
							description:
								"End of the rotator URL, which sends each visitor to one of the campaign's links",
						},
						linkEnding,
					),
					inBody(
						{
							displayName: 'Public',
							name: 'public',
							type: 'options',
							options: [
								{ name: 'No', value: false },
								{ name: 'Not Set', value: '' },
								{ name: 'Yes', value: true },
							],
							default: '',
							description: 'Whether the campaign is publicly accessible',
						},
						flag,
					),
				],
			},
			{
				upsert: 'When updating, leave a field empty to keep its current value',
				update: 'Leave a field empty to keep its current value',
			},
		),
	],
};
