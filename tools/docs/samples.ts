import type { IDataObject } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { DATA_END_MS } from '../../sandbox/shared/data';
import { CASES, type NodeName } from '../../test/cases';
import { runCase } from '../../test/cases/runCase';
import { jsonOf, TriggerHost } from '../engine';
import { credentialData } from '../stage/stage';
import type { Selection } from './description';

/** An output item of an operation or event. */
export async function sampleOf(node: string, { event, ...operation }: Selection) {
	return event ? await eventSample(event) : await operationSample(node as NodeName, operation);
}

/** The operation's case, run through n8n's engine. */
async function operationSample(node: NodeName, { resource, operation }: Selection) {
	const name = `${resource}.${operation}`;
	const operationCase = CASES[node].find((each) => each.operation === name);
	if (!operationCase) throw new Error(`test/cases has no ${name} for ${node}`);
	const { items, error } = await runCase(node, operationCase);
	if (error) throw error;
	return found(jsonOf(items), name);
}

/** The company whose status changes. */
const WATCHED_COMPANY = '1000600900002';

/** The channel to which an item is added. */
const WATCHED_CHANNEL = 1;

/** A company that the sandbox doesn't have. */
const FOUND_COMPANY = { idno: '1026600012347', name: 'Vin de Soroca SRL', region: 'Soroca' };

/** What the trigger starts a workflow with when something happens. */
async function eventSample(event: string): Promise<IDataObject> {
	// A sandbox of its own for each sample, at an hour that is always the same.
	const sandbox = await startSandbox({ clock: () => DATA_END_MS });
	const { links, registry } = credentialData(sandbox);
	const host = new TriggerHost({
		scheduler: 'classic',
		parameters: {
			event,
			companies: { company: [{ idno: WATCHED_COMPANY }] },
			searchFilters: { q: 'Vin', region: 'Soroca' },
			channelId: WATCHED_CHANNEL,
		},
		credentials: { linkManagementApi: links, companyRegistryApi: registry },
	});
	try {
		await host.activate();
		HAPPENINGS[event]?.(sandbox);
		await host.tick();
		return found(host.take(), event);
	} finally {
		await sandbox.close();
	}
}

/** What happens in the services for each event. */
const HAPPENINGS: Record<string, (sandbox: Sandbox) => void> = {
	fileCreated: ({ links }) => void links.control.addFile({ name: 'invoice.pdf' }),
	fileDownloaded: ({ links }) => void links.control.download(20, 3),
	qrCodeCreated: ({ links }) => void links.control.addQr({ name: 'Menu' }),
	qrCodeScanned: ({ links }) => void links.control.scan(20, 3),
	channelItemAdded: ({ links }) => links.control.addItem(WATCHED_CHANNEL, { type: 'qr', id: 20 }),
	companyFound: ({ registry }) => void registry.v1.control.add(FOUND_COMPANY),
	companyStatusChanged: ({ registry }) =>
		void registry.v1.control.update(WATCHED_COMPANY, { status: 'in_liquidation' }),
};

function found([item]: IDataObject[], what: string): IDataObject {
	if (!item) throw new Error(`${what} has no output`);
	// The node reads the real clock.
	const checkedAt = new Date(DATA_END_MS).toISOString();
	return 'company_checkedAt' in item ? { ...item, company_checkedAt: checkedAt } : item;
}
