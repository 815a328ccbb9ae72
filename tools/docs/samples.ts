import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { DATA_END_MS } from '../../sandbox/shared/data';
import { jsonOf, runNode, TriggerHost } from '../engine';
import { credentialData } from '../stage/stage';

const COMPANY = '1000600900002';

/** What a user enters for an operation, and the input item. */
const OPERATIONS: Record<string, { parameters: INodeParameters; item?: INodeExecutionData }> = {
	'file.upload': {
		parameters: { fileFields: { name: 'January invoice', custom: 'invoice-2030-01' } },
		item: { json: {}, binary: { data: { data: 'aGVsbG8=', mimeType: 'text/plain' } } },
	},
	'qrCode.getAll': { parameters: { limit: 1 } },
	'company.get': { parameters: { idno: COMPANY } },
};

/** What happens in the sandbox before a trigger emits its sample. */
const HAPPENINGS: Record<string, (sandbox: Sandbox) => unknown> = {
	companyStatusChanged: ({ registry }) =>
		registry.v1.control.update(COMPANY, { status: 'in_liquidation' }),
};

/** An output item of an operation, such as `campaign.create`, or of a trigger's event. */
export async function sampleOf(node: string, value: string): Promise<IDataObject> {
	const sandbox = await startSandbox({ clock: () => DATA_END_MS });
	try {
		const happen = HAPPENINGS[value];
		const items = happen
			? await eventItems(sandbox, value, happen)
			: await operationItems(sandbox, node as 'linkManagement' | 'companyRegistry', value);
		const [item] = items;
		if (!item) throw new Error(`${value} has no output`);
		return item;
	} finally {
		await sandbox.close();
	}
}

function credentialsOf(sandbox: Sandbox) {
	const { links, registry } = credentialData(sandbox);
	return { linkManagementApi: links, companyRegistryApi: registry };
}

/** Runs an operation in n8n's engine. */
async function operationItems(
	sandbox: Sandbox,
	type: 'linkManagement' | 'companyRegistry',
	value: string,
): Promise<IDataObject[]> {
	const { parameters, item = { json: {} } } = OPERATIONS[value]!;
	const [resource, operation] = value.split('.');
	const { items, error } = await runNode({
		type,
		parameters: { resource, operation, ...parameters },
		credentials: credentialsOf(sandbox),
		items: [item],
	});
	if (error) throw error;
	return jsonOf(items);
}

/** Lets an event happen between two polls. */
async function eventItems(
	sandbox: Sandbox,
	event: string,
	happen: (sandbox: Sandbox) => unknown,
): Promise<IDataObject[]> {
	const host = new TriggerHost({
		scheduler: 'classic',
		parameters: { event, companies: { company: [{ idno: COMPANY }] } },
		credentials: credentialsOf(sandbox),
	});
	await host.activate();
	happen(sandbox);
	await host.tick();
	return host.take();
}
