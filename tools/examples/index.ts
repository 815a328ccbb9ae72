import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../host';
import { PROJECT_DIR } from '../package';
import type { SandboxCredentials } from '../stage/stage';

export const EXAMPLES_DIR = join(PROJECT_DIR, 'examples');

/** A workflow of examples/, by its file name without `.json`. */
export interface Example {
	name: string;
	workflow: WorkflowFile;
}

/** All example workflows, in the order of their file names. */
export async function readExamples(): Promise<Example[]> {
	const files = (await readdir(EXAMPLES_DIR)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(files.map(async (file) => await readExample(file.slice(0, -5))));
}

export async function readExample(name: string): Promise<Example> {
	const text = await readFile(join(EXAMPLES_DIR, `${name}.json`), 'utf8');
	return { name, workflow: JSON.parse(text) as WorkflowFile };
}

/** The credentials that the examples refer to, by their IDs; tools/stage creates them. */
export const CREDENTIALS: Record<string, keyof SandboxCredentials> = {
	linkCompanyLinks: 'links',
	linkCompanyRegistry: 'registry',
	linkCompanyRegistryUnversioned: 'registryUnversioned',
};

/** Selects the sandbox's credentials in an example, whose nodes then need no sample data. */
export function selectCredentials(
	{ nodes, pinData = {} }: WorkflowFile,
	stored: SandboxCredentials,
): void {
	for (const node of nodes) {
		for (const [type, { id }] of Object.entries(node.credentials ?? {})) {
			const { id: storedId, name } = stored[CREDENTIALS[id!]!];
			node.credentials = { [type]: { id: storedId, name } };
			delete pinData[node.name];
		}
	}
}

/** The name of the node that a workflow starts with. */
export function triggerOf({ name, nodes }: WorkflowFile): string {
	const trigger = nodes.find(({ type }) => type.endsWith('Trigger'));
	if (!trigger) throw new Error(`The workflow "${name}" has no trigger`);
	return trigger.name;
}

/** @throws when the workflow has no node of that name */
export function nodeIn({ name, nodes }: WorkflowFile, nodeName: string): INode {
	const found = nodes.find((node) => node.name === nodeName);
	if (!found) throw new Error(`The workflow "${name}" has no node "${nodeName}"`);
	return found;
}

/** The records that an Edit Fields node of a workflow holds as a JSON array in its only field. */
export function listIn(workflow: WorkflowFile, nodeName: string): IDataObject[] {
	const { assignments } = nodeIn(workflow, nodeName).parameters as unknown as {
		assignments: { assignments: [{ value: string }] };
	};
	return JSON.parse(assignments.assignments[0].value) as IDataObject[];
}
