import { readExamples } from '../examples';
import type { Example } from '../examples';

/** The example workflows as a list: name, and what the first sentence of their note says. */
export async function examplesList(): Promise<string> {
	return (await readExamples()).map(line).join('\n');
}

function line({ name, workflow }: Example): string {
	return `- [${workflow.name}](../examples/${name}.json): ${firstSentence(noteOf(workflow))}`;
}

function noteOf({ name, nodes }: Example['workflow']): string {
	const note = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote');
	if (!note) throw new Error(`The workflow "${name}" has no note`);
	return String(note.parameters.content);
}

/** Of a note's text, without its heading. */
export function firstSentence(note: string): string {
	const [paragraph = ''] = note.split(/\n+/).filter((text) => text !== '' && !text.startsWith('#'));
	return /^.*?(?<!e\.g)[.!?](?= |$)/.exec(paragraph)?.[0] ?? paragraph;
}
