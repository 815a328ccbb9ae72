import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import { table } from '../cli/tables';
import { byId, jsonOf, runNode, TriggerHost } from '../engine';
import { listIn, nodeIn, readExample } from '../examples';
import { credentialData } from '../stage/stage';

const STATUS_TEXTS: Record<string, string> = { ambiguous: 'ambiguous', notFound: 'not found' };

/** Looks up the twelve CRM rows of an example, and returns them with their companies as a table. */
export async function enrichRows(sandbox: Sandbox): Promise<string> {
	const { workflow } = await readExample('enrich-crm-rows');
	const rows = listIn(workflow, 'Customers');
	const { items, error } = await runNode({
		type: 'companyRegistry',
		parameters: nodeIn(workflow, 'Look up the companies').parameters,
		credentials: { companyRegistryApi: credentialData(sandbox).registry },
		items: rows.map((json) => ({ json })),
	});
	if (error) throw error;
	const enriched = jsonOf(items);
	if (enriched.length !== rows.length) {
		throw new Error(`Enrich returned ${enriched.length} rows for ${rows.length}`);
	}
	const given = ({ name, idno }: IDataObject) => String(name || idno);
	const missing = enriched.filter(({ matchStatus }) => matchStatus !== 'found');
	// The example's last rows show what happens without a match.
	if (missing.length > rows.length / 2) throw new Error('Enrich found too few companies');
	return [
		table(
			['Row in the CRM', 'Company', 'IDNO', 'Status', 'Rating'],
			enriched.map((row) => [
				given(row),
				row.company_name ?? STATUS_TEXTS[String(row.matchStatus)],
				row.company_idno,
				row.company_status,
				row.company_rating,
			]),
		),
		...missing.map((row) => `${given(row)}: ${String(row.reason)}`),
	].join('\n');
}

/** Creates a campaign for each product of an example, with its link and a channel for all. */
export async function launchProducts(sandbox: Sandbox): Promise<string> {
	const { workflow } = await readExample('launch-a-campaign');
	const products = listIn(workflow, 'Products to launch');
	const run = async (parameters: INodeParameters, items?: INodeExecutionData[]) => {
		const credentials = { linkManagementApi: credentialData(sandbox).links };
		const outcome = await runNode({ type: 'linkManagement', parameters, credentials, items });
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
	const ofCampaign = { resource: 'campaign', campaignId: byId('={{ $json.campaignId }}') };
	await run({ ...ofCampaign, operation: 'addLink', linkId: '={{ $json.linkId }}' }, launches);
	const channelItem = { itemType: 'links', itemId: '={{ $json.linkId }}' };
	const channelId = byId(Number(channel?.id));
	await run(
		{ resource: 'channel', operation: 'addItem', channelId, ...channelItem } as INodeParameters,
		launches,
	);
	const change = { campaignName: '={{ $json.product }}', campaignFields: { public: true } };
	const launched = await run({ ...ofCampaign, operation: 'update', ...change }, launches);
	return table(
		['Product', 'Link', 'Campaign', 'Public', 'Rotator'],
		launched.map(({ id, name, public: isPublic, rotator }, index) => [
			...[name, products[index]?.linkId, id, isPublic, rotator],
		]),
	);
}

/** Activates the trigger, uploads a file, and returns what the next poll emits. */
export async function watchFiles(sandbox: Sandbox): Promise<string> {
	const host = new TriggerHost({
		scheduler: 'durable',
		parameters: { event: 'fileCreated' },
		credentials: { linkManagementApi: credentialData(sandbox).links },
	});
	await host.activate();
	const uploaded = sandbox.links.control.addFile({ name: 'price-list.pdf' });
	await host.tick();
	const [error] = host.errors;
	if (error) throw error;
	const emitted = host.take();
	if (emitted.length !== 1 || emitted[0]?.id !== uploaded.id) {
		throw new Error(`The trigger emitted ${emitted.length} files instead of the uploaded one`);
	}
	return table(
		['File', 'Name', 'Download URL', 'Date'],
		emitted.map(({ id, name, shorturl, date }) => [id, name, shorturl, date]),
	);
}
