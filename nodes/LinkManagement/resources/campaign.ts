import { z } from 'zod';

import { unexpectedShape } from '../../shared/http/envelope';
import type { Output } from '../../shared/node/endpoint';
import { clearable, inBody, inPath } from '../../shared/node/inputs';
import type { OperationCall } from '../../shared/node/operation';
import { field } from '../../shared/node/recordSchema';
import type { Resource } from '../../shared/node/resource';
import { assigned, created, deleted, list, updated } from '../../shared/node/outputs';
import { flag, text } from '../../shared/node/validators';
import { campaigns } from '../collections';
import { CLEARABLE, recordLocator, showFor } from '../fields';
import { campaignKind, endpoint, findById, foundInList } from '../lookup';
import { campaignRecord } from '../records';
import { inTurn } from '../turns';
import { upserted } from '../upsert';

/** Output of Add Link. */
const linkInCampaign = () =>
	z.object({ campaignId: field.id(), linkId: field.id(), message: field.text() });

const newNames = () => new Map<string, unknown>();

/**
 * The API requires the name, so an update without one sends the current one. Updates of the same
 * campaign run one after the other, so none restores a name that an earlier item changed.
 */
const updatedCampaign: Output = {
	schema: campaignRecord.schema,
	async run(request, call) {
		const { campaignId = '' } = call.inputs.path;
		return await inTurn(call, campaignId, async () => {
			const { body } = call.inputs;
			const names = call.shared(newNames);
			if (Object.keys(body).length > 0 && body.name === undefined) {
				const name = names.get(campaignId) ?? (await presentName(call, campaignId));
				call.inputs.body = { name, ...body };
			}
			const records = await updated(campaignRecord).run(request, call);
			names.set(campaignId, call.inputs.body.name);
			return records;
		});
	},
};

async function presentName(call: OperationCall, id: string): Promise<unknown> {
	const record = await findById(call, campaignKind, id);
	if (typeof record.name !== 'string') throw unexpectedShape('a campaign with a "name"', record);
	return record.name;
}

/** docs/services.md, "Link Management: requests". */
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
					action: 'Add link to campaign',
					description: 'Add a short link to a campaign',
					routing: endpoint(
						'POST',
						'/api/campaign/:campaignId/assign/:linkId',
						assigned(linkInCampaign),
					),
				},
				{
					name: 'Create',
					value: 'create',
					action: 'Create campaign',
					description: 'Create a campaign, a group of short links',
					routing: endpoint('POST', '/api/campaign/add', created(campaignRecord)),
				},
				{
					name: 'Create or Update',
					value: 'upsert',
					action: 'Create or update campaign',
					description:
						'Create a new record, or update the current one if it already exists (upsert)',
					routing: upserted({
						kind: campaignKind,
						describe: ({ name }) => `the name "${String(name)}"`,
						identifying: ['name'],
						sentWithUpdates: ['name'],
						createPath: '/api/campaign/add',
						updatePath: '/api/campaign/:id/update',
					}),
				},
				{
					name: 'Delete',
					value: 'delete',
					action: 'Delete campaign',
					description: 'Delete a campaign',
					routing: endpoint('DELETE', '/api/campaign/:campaignId/delete', deleted),
				},
				{
					name: 'Get',
					value: 'get',
					action: 'Get campaign',
					description: 'Get a campaign by its ID or name, from the list of campaigns',
					routing: foundInList('campaignId'),
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
					action: 'Update campaign',
					description: 'Change the name, slug or access of a campaign',
					routing: endpoint('PUT', '/api/campaign/:campaignId/update', updatedCampaign),
				},
			],
		},
		recordLocator(
			{
				displayName: 'Campaign',
				name: 'campaignId',
				description: 'The campaign to work with',
				displayOptions: showFor('campaign', 'addLink', 'delete', 'get', 'update'),
			},
			'searchCampaigns',
			{ displayName: 'By Name', placeholder: 'e.g. Spring sale' },
		),
		inPath({
			displayName: 'Link ID',
			name: 'linkId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 42',
			description:
				'ID of the short link to add. Channel: Get Items returns it for the links of a channel; the API has no list of all links.',
			displayOptions: showFor('campaign', 'addLink'),
		}),
		inBody(
			{
				displayName: 'Name',
				name: 'campaignName',
				type: 'string',
				default: '',
				placeholder: 'e.g. Spring sale',
				hint: 'Create: if empty, the service chooses a name. Update: if empty, the current name is kept, for one request more.',
				description: 'Name of the campaign. Create or Update requires it.',
				displayOptions: showFor('campaign', 'create', 'update', 'upsert'),
			},
			text,
			'name',
		),
		{
			displayName: 'Fields to Set',
			name: 'campaignFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			description: 'Only the fields added here are sent; an update leaves the others as they are',
			displayOptions: showFor('campaign', 'create', 'update', 'upsert'),
			options: [
				// For workflows saved before the Name at the top existed.
				inBody({
					displayName: 'Name',
					name: 'name',
					type: 'hidden',
					default: '',
					description: 'Name of the campaign',
					displayOptions: { show: { '/operation': ['create'] } },
				}),
				inBody(
					{
						displayName: 'Public',
						name: 'public',
						type: 'boolean',
						default: false,
						description: "Whether anyone can see the campaign's list of links",
					},
					flag,
				),
				clearable(
					inBody({
						displayName: 'Rotator Slug',
						name: 'slug',
						type: 'string',
						default: '',
						placeholder: 'e.g. spring-sale',
						hint: CLEARABLE,
						description:
							'End of the rotator URL, which redirects each visitor to one of the links of the campaign',
					}),
				),
			],
		},
	],
};
