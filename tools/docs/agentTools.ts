import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { entriesOf, isFor, SELECTORS, titleOf } from './description';
import type { Selection } from './description';
import { table } from './markdown';

/** Types of fields that n8n's editor lets the model fill in. */
const FILLED_BY_MODEL = ['boolean', 'json', 'number', 'resourceLocator', 'string'];

/** An operation as an AI agent's tool. */
interface AgentTool {
	title: string;
	selection: Selection;
	/** The description that n8n gives the model. */
	description: string;
	/** The fields that the model can fill in, with the names of their arguments. */
	fields: Array<[argument: string, field: INodeProperties]>;
}

export function agentToolsOf(node: INodeTypeDescription): AgentTool[] {
	return entriesOf(node).map((entry) => {
		const { selection } = entry;
		return {
			title: titleOf(entry),
			selection,
			description: NodeHelpers.makeDescription(selection, node),
			fields: node.properties
				.filter(({ type, name }) => FILLED_BY_MODEL.includes(type) && !SELECTORS.includes(name))
				.filter((field) => isFor(field, selection) && isAlwaysShown(field))
				.map((field) => [argumentOf(field), field]),
		};
	});
}

function isAlwaysShown({ displayOptions }: INodeProperties): boolean {
	return Object.keys(displayOptions?.show ?? {}).every((name) => SELECTORS.includes(name));
}

/** The argument's name as n8n's editor writes it for "Let the model define this parameter". */
function argumentOf({ displayName }: INodeProperties): string {
	return displayName.replace(/[^a-zA-Z0-9-]/g, '_').slice(0, 63);
}

/** The tools of a node as a Markdown table. */
export function agentToolsTable(node: INodeTypeDescription): string {
	const rows = agentToolsOf(node).map(({ title, description, fields }) => [
		title,
		description,
		fields.map(([argument]) => `\`${argument}\``).join(', '),
	]);
	return table(['Operation', 'What the model reads', 'Fields it can fill in'], rows);
}
