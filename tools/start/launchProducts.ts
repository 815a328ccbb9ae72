import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import { byId, jsonOf, runNode } from '../engine';
import { table } from '../cli/tables';
import { listIn, nodeIn, readExample } from '../examples';
import { credentialsOf } from './services';

const EXAMPLE = 'launch-a-campaign';

/** Creates a campaign for each product of the example, with its link and a channel for all. */
export async function launchProducts(sandbox: Sandbox): Promise<string> {
	const { workflow } = await readExample(EXAMPLE);
	const products = listIn(workflow, 'Products to launch');
	const { linkManagementApi } = credentialsOf(sandbox);
	const run = async (
		parameters: INodeParameters,
		items?: INodeExecutionData[],
	): Promise<IDataObject[]> => {
		const outcome = await runNode({
			type: 'linkManagement',
			parameters,
			credentials: { linkManagementApi },
			items,
		});
		if (outcome.error) throw outcome.error;
		return jsonOf(outcome.items);
	};

	const [channel] = await run(nodeIn(workflow, 'Create a channel').parameters);
	const campaigns = await run(
		nodeIn(workflow, 'Create a campaign').parameters,
		products.map((json) => ({ json })),
	);
	const launches = products.map(({ product, linkId }, index) => ({
		json: { product, linkId, campaignId: campaigns[index]?.id },
	}));
	await run(
		{
			resource: 'campaign',
			operation: 'addLink',
			campaignId: byId('={{ $json.campaignId }}'),
			linkId: '={{ $json.linkId }}',
		},
		launches,
	);
	await run(
		{
			resource: 'channel',
			operation: 'addItem',
			channelId: byId(Number(channel?.id)),
			itemType: 'links',
			itemId: '={{ $json.linkId }}',
		},
		launches,
	);
	const launched = await run(
		{
			resource: 'campaign',
			operation: 'update',
			campaignId: byId('={{ $json.campaignId }}'),
			campaignName: '={{ $json.product }}',
			campaignFields: { public: true },
		},
		launches,
	);
	return table(
		['Product', 'Link', 'Campaign', 'Public', 'Rotator'],
		launched.map(({ id, name, public: isPublic, rotator }, index) => [
			name,
			products[index]?.linkId,
			id,
			isPublic,
			rotator,
		]),
		{ right: [1, 2] },
	);
}
