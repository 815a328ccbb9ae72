import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { operationsIn } from '../../nodes/shared/node/operation';
import type { OfferedOperation } from '../../nodes/shared/node/operation';

/** What is chosen in a panel: the resource and operation of a node, or the event of a trigger. */
export type Selection = Record<string, string>;

/** One operation of a node. */
export interface DocumentedOperation extends OfferedOperation {
	/** In the panel, e.g. `Campaign`. */
	resourceName: string;
	selection: Selection;
}

/** The operations of a node, in the order of its panel. */
export function operationsOf({ properties }: INodeTypeDescription): DocumentedOperation[] {
	const resources = choicesOf(properties.find(({ name }) => name === 'resource'));
	return operationsIn(properties).map((offered) => {
		const { resource, option } = offered;
		return {
			...offered,
			resourceName: resources.find(({ value }) => value === resource)?.name ?? resource,
			selection: { resource, operation: String(option.value) },
		};
	});
}

/** Title of an operation in a document, e.g. `Campaign: Add Link`. */
export function titleOf({ resourceName, option }: DocumentedOperation): string {
	return `${resourceName}: ${option.name}`;
}

/** The options of a field to choose from. */
export function choicesOf(property: INodeProperties | undefined): INodePropertyOptions[] {
	return (property?.options ?? []) as INodePropertyOptions[];
}

/** Whether a field can be shown with this selection, whatever the other fields hold. */
export function isFor({ displayOptions = {} }: INodeProperties, selection: Selection): boolean {
	const { show = {}, hide = {} } = displayOptions;
	return Object.entries(selection).every(([name, value]) => {
		const [shown, hidden] = [show, hide].map((rules) => rules[name] ?? rules[`/${name}`]);
		return (!shown || shown.includes(value)) && !hidden?.includes(value);
	});
}

/** Conditions under which a field is shown, beside the selection: by the name of another field. */
export function conditionsOf(
	{ displayOptions = {} }: INodeProperties,
	selection: Selection,
): Array<[name: string, values: unknown[]]> {
	return Object.entries(displayOptions.show ?? {})
		.filter(([name]) => !(name.replace(/^\//, '') in selection))
		.map(([name, values]) => [name, (values ?? []) as unknown[]]);
}
