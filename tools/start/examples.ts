import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowFile } from '../host';
import { PROJECT_DIR } from '../package';

const EXAMPLES_DIR = join(PROJECT_DIR, 'examples');

/** A workflow of examples/, by its file name without `.json`. */
export interface Example {
	name: string;
	workflow: WorkflowFile & {
		/** Whether it is to be published, so that its trigger works by itself. */
		active?: boolean;
	};
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

/** @throws an Error for the user that names the examples there are */
export function findExample(examples: Example[], name: string): Example {
	const found = examples.find((example) => example.name === name);
	if (found) return found;
	const names = examples.map((example) => example.name).join(', ');
	throw new Error(`There is no example "${name}". There are: ${names}`);
}

const TRIGGERS = [
	'@n8n/n8n-nodes-langchain.chatTrigger',
	'n8n-nodes-base.manualTrigger',
	'n8n-nodes-base.scheduleTrigger',
	'n8n-nodes-link-company.linkCompanyTrigger',
];

/** The name of the node that a workflow starts with; the package's trigger brings a test event. */
export function triggerOf({ name, nodes }: WorkflowFile): string {
	const trigger = nodes.find(({ type }) => TRIGGERS.includes(type));
	if (!trigger) throw new Error(`The workflow "${name}" has no trigger`);
	return trigger.name;
}

/** The examples that start by themselves. */
export function activeOf(examples: Example[]): Example[] {
	return examples.filter(({ workflow }) => workflow.active);
}
