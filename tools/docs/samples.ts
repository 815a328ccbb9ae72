import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { DATA_END_MS } from '../../sandbox/shared/data';
import { CASES, type NodeName } from '../../test/cases';
import { runCase } from '../../test/cases/runCase';
import { jsonOf, TriggerHost } from '../engine';
import { credentialData } from '../stage/stage';

const COMPANY = '1000600900002';

/** What happens in the sandbox before a trigger emits its sample. */
const HAPPENINGS: Record<string, (sandbox: Sandbox) => unknown> = {
	fileCreated: ({ links }) => links.control.addFile({ name: 'invoice.pdf' }),
	qrCodeScanned: ({ links }) => links.control.scan(20, 3),
	companyStatusChanged: ({ registry }) =>
		registry.v1.control.update(COMPANY, { status: 'in_liquidation' }),
};

/** An output item of an operation, such as `campaign.create`, or of a trigger's event. */
export async function sampleOf(node: string, value: string): Promise<IDataObject> {
	const happening = HAPPENINGS[value];
	const items = happening
		? await eventItems(value, happening)
		: await operationItems(node as NodeName, value);
	const [item] = items;
	if (!item) throw new Error(`${value} has no output`);
	return withFixedDate(item);
}

/** Runs the operation's case through n8n's engine. */
async function operationItems(node: NodeName, operation: string): Promise<IDataObject[]> {
	const operationCase = CASES[node].find((each) => each.operation === operation);
	if (!operationCase) throw new Error(`test/cases has no ${operation} for ${node}`);
	const { items, error } = await runCase(node, operationCase);
	if (error) throw error;
	return jsonOf(items);
}

/** Lets an event happen in a sandbox with a fixed time, and polls. */
async function eventItems(
	event: string,
	happen: (sandbox: Sandbox) => unknown,
): Promise<IDataObject[]> {
	const sandbox = await startSandbox({ clock: () => DATA_END_MS });
	const { links, registry } = credentialData(sandbox);
	const host = new TriggerHost({
		scheduler: 'classic',
		parameters: { event, companies: { company: [{ idno: COMPANY }] } },
		credentials: { linkManagementApi: links, companyRegistryApi: registry },
	});
	try {
		await host.activate();
		happen(sandbox);
		await host.tick();
		return host.take();
	} finally {
		await sandbox.close();
	}
}

/** The node reads the real clock. */
function withFixedDate(item: IDataObject): IDataObject {
	const checkedAt = new Date(DATA_END_MS).toISOString();
	return 'registry_checked_at' in item ? { ...item, registry_checked_at: checkedAt } : item;
}
