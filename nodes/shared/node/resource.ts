import { deepCopy, type INodeProperties } from 'n8n-workflow';

import type { Service } from '../http/connection';
import { explainChoices, typeText } from './builderHint';
import { routedItems } from './entryPoints';
import type { OperationOption } from './operation';
import { shownName } from './options';

export interface Resource {
	name: string;
	/** Value of the parameter `resource` in workflows and `displayOptions`. */
	value: string;
	/** Description in the panel, which AI builders read as well. */
	description: string;
	/** The one that's selected first. Default: `getAll` */
	defaultOperation?: string;
	operations: OperationOption[];
	properties: INodeProperties[];
}

/** The exports of a node's resources/index.ts. Their order doesn't matter. */
type Resources = Record<string, Resource>;

/** The node's subtitle on the canvas, with the panel's names: "Get Many: CTA Overlay". */
export function subtitleOf(resources: Resources): string {
	const all = Object.values(resources);
	const operations = all.flatMap((resource) => resource.operations);
	return `={{ ${shownName('operation', operations)} + ": " + ${shownName('resource', all)} }}`;
}

/**
 * Tells AI builders what each operation does and which fields its output has. The types that n8n
 * generates have the description of the *first* operation with the same value, and no output.
 *
 * @param advice more sentences, by `resource.operation`
 * @returns `extraTypeDefContent` of the node's `builderHint`
 */
export function operationHints(resources: Resources, advice: Record<string, string>) {
	return Object.values(resources).flatMap((resource) =>
		resource.operations.map(({ value, description, routing: { operation } }) => {
			const output = operation.fields && `Output: ${typeText(operation.fields)}`;
			const more = advice[`${resource.value}.${String(value)}`];
			return {
				displayOptions: { show: { resource: [resource.value], operation: [value] } },
				content: [description, output, more].filter(Boolean).join('\n'),
			};
		}),
	);
}

interface NodeParts {
	service: Service;
	resources: Resources;
	defaultResource: string;
	/**
	 * Fields at the end of the panel, such as "Options", and those of several resources. n8n evaluates a
	 * parameter once per declaration, so there's one.
	 */
	sharedFields: INodeProperties[];
}

/** The properties in a node's description, in the order of the panel. */
export function nodeProperties(parts: NodeParts): INodeProperties[] {
	const { service, resources, defaultResource, sharedFields } = parts;
	const inOrder = Object.values(resources).sort((a, b) => a.name.localeCompare(b.name));
	// Modules share fields, and n8n adds its "Custom API Call" to lists in place.
	const fields = deepCopy([
		...inOrder.flatMap((resource) => [operationField(resource), ...resource.properties]),
		...sharedFields,
	]);
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			default: defaultResource,
			options: inOrder.map(({ name, value, description }) => ({ name, value, description })),
			routing: routedItems(service, fields),
		},
		...explainChoices(fields),
	];
}

function operationField(resource: Resource): INodeProperties {
	const { value, operations, defaultOperation = 'getAll' } = resource;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		default: defaultOperation,
		options: operations,
	};
}
