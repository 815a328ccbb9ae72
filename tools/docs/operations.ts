import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { operationsOf, titleOf } from './description';
import { slugOf, table } from './markdown';

/** The operations of a node as a Markdown table, one row per operation, with links to each. */
export function operationsTable(description: INodeTypeDescription): string {
	const rows = operationsOf(description).map((operation) => {
		const { resource, option } = operation;
		const link = `[${option.name}](#${slugOf(titleOf(operation))})`;
		return [resource, link, requests(option), option.description ?? ''];
	});
	return table(['Resource', 'Operation', 'Request', 'What it does'], rows);
}

/** The same in short, one row per resource. */
export function operationsOverview(description: INodeTypeDescription): string {
	const byResource = new Map<string, string[]>();
	for (const { resource, option } of operationsOf(description)) {
		byResource.set(resource, [...(byResource.get(resource) ?? []), option.name]);
	}
	const rows = [...byResource].map(([resource, names]) => [resource, names.join(', ')]);
	return table(['Resource', 'Operations'], rows);
}

/** Method and path of each endpoint; an operation without one works offline or combines others. */
export function requests({ routing }: INodePropertyOptions): string {
	const { method, url } = routing?.request ?? {};
	const { paths = [url] } = (routing?.operations?.pagination ?? {}) as { paths?: unknown[] };
	return paths
		.filter(Boolean)
		.map((path) => `\`${method} ${String(path)}\``)
		.join(', ');
}
