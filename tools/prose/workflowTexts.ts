import type { SourceText } from './sourceTexts';

interface WorkflowJson {
	name: string;
	nodes: Array<{ name: string; notes?: string; parameters: { content?: unknown } }>;
}

/** The texts of a workflow: its name, its nodes' names, and its sticky notes. */
export function workflowTexts(content: string): Array<Pick<SourceText, 'text' | 'line'>> {
	const { name, nodes } = JSON.parse(content) as WorkflowJson;
	const lines = content.split('\n');
	const lineOf = (text: string) => {
		const found = lines.findIndex((line) => line.includes(JSON.stringify(text)));
		return found + 1;
	};
	const texts = [
		name,
		...nodes.flatMap((node) => [node.name, node.notes, node.parameters.content]),
	];
	return texts
		.filter((text): text is string => typeof text === 'string' && text !== '')
		.map((text) => ({ text, line: lineOf(text) }));
}
