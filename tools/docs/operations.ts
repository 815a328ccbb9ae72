import type { INodeTypeDescription } from 'n8n-workflow';

import { operationsOf, titleOf } from './description';
import type { DocumentedOperation } from './description';
import { slugOf, table } from './markdown';

/** The operations of a node as a Markdown table, one row per operation, with links to each. */
export function operationsTable(description: INodeTypeDescription): string {
	const rows = operationsOf(description).map((operation) => {
		const { resourceName, option } = operation;
		const link = `[${option.name}](#${slugOf(titleOf(operation))})`;
		return [resourceName, link, requests(operation), option.description ?? ''];
	});
	return table(['Resource', 'Operation', 'Request', 'What it does'], rows);
}

/** The same in short, one row per resource. */
export function operationsOverview(description: INodeTypeDescription): string {
	const byResource = new Map<string, string[]>();
	for (const { resourceName, option } of operationsOf(description)) {
		byResource.set(resourceName, [...(byResource.get(resourceName) ?? []), option.name]);
	}
	const rows = [...byResource].map(([resource, names]) => [resource, names.join(', ')]);
	return table(['Resource', 'Operations'], rows);
}

/** Method and path of each endpoint; an operation without one works offline or combines others. */
export function requests({ operation }: DocumentedOperation): string {
	return operation.endpoints.map(({ method, path }) => `\`${method} ${path}\``).join(', ');
}
