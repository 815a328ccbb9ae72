import type { INodeTypeDescription } from 'n8n-workflow';

/** Every resource of a node with each of its operations, as the panel offers them. */
export function operationsOf({ properties }: INodeTypeDescription): Array<[string, string]> {
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(displayOptions?.show?.resource ?? []).flatMap((resource) =>
				(options ?? []).map((option): [string, string] => [
					String(resource),
					String((option as { value: unknown }).value),
				]),
			),
		);
}
