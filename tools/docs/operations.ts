import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

/** The operations of a node as a Markdown table, one row per operation. */
export function operationsTable(description: INodeTypeDescription): string {
	const rows = resourcesOf(description).flatMap((resource) =>
		operationsOf(description, String(resource.value)).map((operation) =>
			row(resource.name, operation.name, request(operation), operation.description ?? ''),
		),
	);
	return [
		row('Resource', 'Operation', 'Request', 'What it does'),
		'|---|---|---|---|',
		...rows,
	].join('\n');
}

function resourcesOf({ properties }: INodeTypeDescription): INodePropertyOptions[] {
	return optionsOf(properties.find(({ name }) => name === 'resource'));
}

function operationsOf({ properties }: INodeTypeDescription, resource: string) {
	return optionsOf(
		properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(resource),
		),
	);
}

function optionsOf(property: INodeProperties | undefined): INodePropertyOptions[] {
	return (property?.options ?? []) as INodePropertyOptions[];
}

/** Method and path of the endpoint; an operation without one works offline or combines others. */
function request({ routing }: INodePropertyOptions): string {
	const { method, url } = routing?.request ?? {};
	return method && url ? `\`${method} ${url}\`` : '';
}

function row(...cells: string[]): string {
	return `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
}
