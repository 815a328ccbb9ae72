import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import { table } from '../cli/tables';
import { jsonOf, runNode, TriggerHost } from '../engine';
import { listIn, nodeIn, readExample } from '../examples';
import { credentialData } from '../stage/stage';

const PRODUCTS = [
	...['Apple Juice', 'Cherry Jam', 'Goat Cheese', 'Grape Seed Oil', 'Honey', 'Lavender Soap'],
	...['Plum Brandy', 'Red Wine', 'Rose Water', 'Sheep Wool Socks', 'Sunflower Oil', 'Walnuts'],
];

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
	const missing = enriched.filter((row) => row.match_status !== 'found');
	// The example's last rows show what happens without a match.
	if (missing.length > rows.length / 2) throw new Error('Enrich found too few companies');
	return [
		table(
			['Row in the CRM', 'Company', 'IDNO', 'Status', 'Rating'],
			enriched.map((row) => [
				given(row),
				row.registry_name ?? row.match_status,
				row.registry_idno,
				row.registry_status,
				row.registry_rating,
			]),
		),
		...missing.map((row) => `${given(row)}: ${String(row.match_reason)}`),
	].join('\n');
}

/** Creates more campaigns than the rate limit allows at once. */
export async function createCampaigns(sandbox: Sandbox): Promise<string> {
	const { items, error } = await runNode({
		type: 'linkManagement',
		parameters: { resource: 'campaign', operation: 'create', campaignName: '={{ $json.product }}' },
		credentials: { linkManagementApi: credentialData(sandbox).links },
		items: PRODUCTS.map((product) => ({ json: { product } })),
	});
	if (error) throw error;
	const campaigns = jsonOf(items);
	if (campaigns.length !== PRODUCTS.length) {
		throw new Error(
			`Create returned ${campaigns.length} campaigns for ${PRODUCTS.length} products`,
		);
	}
	return table(
		['Product', 'Campaign ID', 'Page with its links'],
		campaigns.map(({ id, name, list }) => [name, id, list]),
	);
}

/** Activates the trigger, uploads a file, and returns the items that the next poll starts the workflow with. */
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
