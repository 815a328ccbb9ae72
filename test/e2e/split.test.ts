import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { freePort, N8nApi, provideHost } from '../../tools/host';
import { installPackage } from '../../tools/package';
import { generatePart } from '../../tools/split/generate';
import { PARTS } from '../../tools/split/parts';
import { Cleanup } from '../../tools/cli/cleanup';
import { OWNER, startWatched } from './support/stage';

describe('the two packages that the tree can be split into', () => {
	const cleanup = new Cleanup();
	let nodes: INodeTypeDescription[];
	let credentials: string[];

	beforeAll(async () => {
		const temporary = async (name: string) => {
			const folder = await mkdtemp(join(tmpdir(), `n8n-e2e-split-${name}-`));
			cleanup.add(async () => await rm(folder, { recursive: true, force: true }));
			return folder;
		};
		const userFolder = await temporary('user');
		for (const part of PARTS) {
			const projectDir = await generatePart(part, await temporary(part.node));
			await installPackage(userFolder, { projectDir });
		}
		const host = await provideHost();
		const n8n = await startWatched('n8n', { host, userFolder, port: await freePort() });
		cleanup.add(async () => await n8n.stop());
		const api = new N8nApi(n8n.url);
		await api.setUpOwner(OWNER);
		nodes = await api.nodeTypes();
		credentials = (await api.credentialTypes()).map(({ name }) => name);
	});

	afterAll(async () => await cleanup.run());

	const described = (name: string) => nodes.find((node) => node.name === name);
	const eventsOf = (name: string) => {
		const event = described(name)?.properties.find((property) => property.name === 'event');
		const values = event?.options?.map((option) => 'value' in option && option.value);
		return { values: values?.sort(), byDefault: event?.default };
	};

	it('load in n8n, each with its node, its credential and its trigger', () => {
		const names = nodes.map(({ name }) => name);
		expect(names).toEqual(
			expect.arrayContaining([
				'n8n-nodes-link-management.linkManagement',
				'n8n-nodes-link-management.linkManagementTrigger',
				'n8n-nodes-company-registry.companyRegistry',
				'n8n-nodes-company-registry.companyRegistryTrigger',
			]),
		);
		expect(credentials).toEqual(
			expect.arrayContaining(['linkManagementApi', 'companyRegistryApi']),
		);
	});

	it('have the events of their own service, and one of them as default', () => {
		const links = eventsOf('n8n-nodes-link-management.linkManagementTrigger');
		const companies = eventsOf('n8n-nodes-company-registry.companyRegistryTrigger');
		expect(links.values).toEqual(['fileCreated', 'qrCodeScanned']);
		expect(links.values).toContain(links.byDefault);
		expect(companies.values).toContain('companyStatusChanged');
		expect(companies.values).not.toContain('fileCreated');
		expect(companies.values).toContain(companies.byDefault);
	});
});
