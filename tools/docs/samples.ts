import type { IDataObject } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { DATA_END_MS } from '../../sandbox/shared/dates';
import { runNode } from '../../test/engine/harness';
import { TriggerHost } from '../../test/engine/pollHarness';
import {
	companyRegistrySamples,
	linkManagementSamples,
	FOUND_COMPANY,
	WATCHED_COMPANY,
} from './sampleCases';
import type { SampleCase } from './sampleCases';

/** Gives an item as an operation really puts it out. */
export type Sample = (resource: string, operation: string) => Promise<IDataObject>;

/** An item that the Link Management node puts out. */
export const linkManagementSample: Sample = async (resource, operation) =>
	await withSandbox(async ({ links: { baseUrl, apiKey } }) => {
		const { parameters, items } = caseOf(linkManagementSamples, resource, operation);
		return await itemOf('linkManagement', {
			parameters: { resource, operation, ...parameters },
			credentials: { linkManagementApi: { baseUrl, apiKey } },
			items,
		});
	});

/** An item that the Company Registry node puts out. */
export const companyRegistrySample: Sample = async (resource, operation) =>
	await withSandbox(async ({ registry }) => {
		const {
			parameters,
			items,
			variant = 'v1',
		} = caseOf(companyRegistrySamples, resource, operation);
		const { baseUrl, apiKey } = registry[variant];
		return await itemOf('companyRegistry', {
			parameters: { resource, operation, ...parameters },
			credentials: { companyRegistryApi: { variant, baseUrl, apiKey } },
			items,
		});
	});

/** What the trigger starts a workflow with when something happens. */
export async function triggerSample(event: string): Promise<IDataObject> {
	return await withSandbox(async (sandbox) => {
		const { links, registry } = sandbox;
		const host = new TriggerHost({
			scheduler: 'classic',
			parameters: {
				event,
				companies: { company: [{ idno: WATCHED_COMPANY }] },
				searchFilters: { q: 'Vin', region: 'Soroca' },
			},
			credentials: {
				linkManagementApi: { baseUrl: links.baseUrl, apiKey: links.apiKey },
				companyRegistryApi: {
					variant: 'v1',
					baseUrl: registry.v1.baseUrl,
					apiKey: registry.v1.apiKey,
				},
			},
		});
		await host.activate();
		HAPPENINGS[event]?.(sandbox);
		await host.tick();
		return found(host.take(), event);
	});
}

/** What each event tells of. */
const HAPPENINGS: Record<string, (sandbox: Sandbox) => void> = {
	fileCreated: ({ links }) => void links.control.addFile({ name: 'invoice.pdf' }),
	qrCodeScanned: ({ links }) => void links.control.scan(20, 3),
	companyFound: ({ registry }) =>
		void registry.v1.control.add({
			idno: FOUND_COMPANY,
			name: 'Vin de Soroca SRL',
			region: 'Soroca',
		}),
	companyStatusChanged: ({ registry }) =>
		void registry.v1.control.update(WATCHED_COMPANY, { status: 'in_liquidation' }),
};

/** A sandbox of its own for each sample, at an hour that is always the same. */
async function withSandbox<T>(use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
	const sandbox = await startSandbox({ clock: () => DATA_END_MS });
	try {
		return await use(sandbox);
	} finally {
		await sandbox.close();
	}
}

function caseOf(
	cases: Record<string, SampleCase>,
	resource: string,
	operation: string,
): SampleCase {
	const sample = cases[`${resource}.${operation}`];
	if (!sample) throw new Error(`tools/docs/sampleCases.ts has no ${resource}.${operation}`);
	return sample;
}

async function itemOf(
	type: string,
	run: Omit<Parameters<typeof runNode>[0], 'type'>,
): Promise<IDataObject> {
	const { items, error } = await runNode({ type, ...run });
	if (error) throw error;
	return found(
		items.map(({ json }) => json),
		type,
	);
}

function found([item]: IDataObject[], what: string): IDataObject {
	if (!item) throw new Error(`Nothing came out of ${what}`);
	return item;
}
