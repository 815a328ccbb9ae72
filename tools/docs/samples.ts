import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../sandbox';
import { DATA_END_MS } from '../../sandbox/shared/data';
import { CASES, type NodeName } from '../../test/cases';
import { runCase } from '../../test/cases/runCase';
import { jsonOf } from '../engine';
import type { Selection } from './description';
import { happen, watch } from './watch';

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

/** The item with which the trigger starts a workflow. */
async function eventSample(event: string): Promise<IDataObject> {
	// Each sample gets its own sandbox with a fixed time.
	const sandbox = await startSandbox({ clock: () => DATA_END_MS });
	const host = watch(event, sandbox, 'classic');
	try {
		await host.activate();
		happen(event, sandbox);
		await host.tick();
		return found(host.take(), event);
	} finally {
		await sandbox.close();
	}
}

function found([item]: IDataObject[], what: string): IDataObject {
	if (!item) throw new Error(`${what} has no output`);
	// The node reads the real clock.
	const checkedAt = new Date(DATA_END_MS).toISOString();
	return 'company_checkedAt' in item ? { ...item, company_checkedAt: checkedAt } : item;
}
