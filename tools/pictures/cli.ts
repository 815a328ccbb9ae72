import '../cli/resolveSources';

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Editor } from '../../test/e2e/support/editor';
import { CREDENTIALS, readExample } from '../examples';
import type { WorkflowFile } from '../host';
import { buildPackage, PROJECT_DIR } from '../package';
import { OWNER, startStage } from '../stage/stage';
import type { SandboxCredentials } from '../stage/stage';

const IMAGES = join(PROJECT_DIR, 'docs', 'images');

/** An example with the credentials of the stage. */
async function example(name: string, credentials: SandboxCredentials): Promise<WorkflowFile> {
	const { workflow } = await readExample(name);
	for (const node of workflow.nodes) {
		for (const [type, { id }] of Object.entries(node.credentials ?? {})) {
			const stored = credentials[CREDENTIALS[id as keyof typeof CREDENTIALS]];
			if (stored) node.credentials = { ...node.credentials, [type]: stored };
		}
	}
	return workflow;
}

/** A trigger that watches companies. */
function watching(
	companies: ReadonlyArray<{ idno: string; name: string }>,
	credentials: SandboxCredentials,
): WorkflowFile {
	const picked = companies.map(({ idno, name }) => ({
		idno: { __rl: true, mode: 'list', value: idno, cachedResultName: `${name} (${idno})` },
	}));
	return {
		id: 'watch-companies',
		name: 'Watch companies',
		nodes: [
			{
				id: 'trigger',
				name: 'Company Registry Trigger',
				type: 'n8n-nodes-link-company.companyRegistryTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {
					event: 'companyStatusChanged',
					watch: 'list',
					companies: { company: picked },
				},
				credentials: { companyRegistryApi: credentials.registry },
			},
		],
		connections: {},
	};
}

/** Takes the pictures of the README in a real n8n, from the examples and the sandbox. */
async function main(): Promise<void> {
	await buildPackage();
	const { api, cleanup, credentials, n8n, sandbox } = await startStage();
	try {
		const editor = await Editor.open(n8n.url, OWNER);
		cleanup.add(async () => await editor.close());
		const keep = async (name: string, path: string) =>
			await copyFile(path, join(IMAGES, `${name}.png`));
		const executed = async (workflow: WorkflowFile, type: string) => {
			await editor.openWorkflow(await api.createWorkflow(workflow));
			const node = workflow.nodes.find((each) => each.type.endsWith(`.${type}`));
			await editor.openNode(node?.name ?? '');
			await editor.executeStep();
			await editor.showAs('table');
			return await editor.screenshot(type, editor.panel);
		};

		const enrich = await example('enrich-crm-rows', credentials);
		await keep('enrich', await executed(enrich, 'companyRegistry'));
		const watched = watching(sandbox.registry.v1.state.all().slice(0, 3), credentials);
		await keep('trigger', await executed(watched, 'companyRegistryTrigger'));
		const agent = await api.createWorkflow(await example('ai-agent', credentials));
		await keep('agent', await editor.screenshot('agent', await editor.openWorkflow(agent)));
	} finally {
		await cleanup.run();
	}
}

void main();
