import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../host';
import { PROJECT_DIR } from '../package';

const EXAMPLES_DIR = join(PROJECT_DIR, 'examples');

/** A workflow of examples/, by its file name without `.json`. */
export interface Example {
	name: string;
	workflow: WorkflowFile;
}

/** All example workflows, in the order of their file names. */
export async function readExamples(): Promise<Example[]> {
	const files = (await readdir(EXAMPLES_DIR)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => ({
			name: file.slice(0, -'.json'.length),
			workflow: JSON.parse(await readFile(join(EXAMPLES_DIR, file), 'utf8')) as WorkflowFile,
		})),
	);
}

/** The credentials that the examples refer to, by their IDs; tools/stage creates them. */
export const CREDENTIALS = {
	linkCompanyLinks: 'links',
	linkCompanyRegistry: 'registry',
	linkCompanyRegistryUnversioned: 'registryUnversioned',
} as const;

/** One example by its name. */
export async function readExample(name: string): Promise<Example> {
	return findExample(await readExamples(), name);
}

/** @throws an Error for the user that lists the examples */
export function findExample(examples: Example[], name: string): Example {
	const found = examples.find((example) => example.name === name);
	if (found) return found;
	const names = examples.map((example) => example.name).join(', ');
	throw new Error(`There is no example "${name}". There are: ${names}`);
}

/** The name of the node that a workflow starts with. */
export function triggerOf({ name, nodes }: WorkflowFile): string {
	const trigger = nodes.find(({ type }) => type.endsWith('Trigger'));
	if (!trigger) throw new Error(`The workflow "${name}" has no trigger`);
	return trigger.name;
}

/** The examples whose triggers watch the sandbox. */
const TO_PUBLISH = ['watch-companies', 'watch-new-files', 'watch-qr-scans'];

/** The examples to publish in the editor of `npm run dev`. The files themselves are inactive. */
export function toPublish(examples: Example[]): Example[] {
	return examples.filter(({ name }) => TO_PUBLISH.includes(name));
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
