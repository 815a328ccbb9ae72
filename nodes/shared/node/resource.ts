import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Service } from '../http/connection';
import { explainChoices } from './builderHint';
import { routedItems } from './entryPoints';

/** The declaration of a resource. */
export interface Resource {
	/** In the panel's list of resources. */
	name: string;
	/** Its value in `displayOptions` and workflows. */
	value: string;
	/** What it is, for AI builders and the panel's list. */
	description: string;
	/** The operations, and the fields that only this resource has. */
	properties: INodeProperties[];
	/** Fields that come below those which resources share, e.g. filters below the limit. */
	lastProperties?: INodeProperties[];
}

/** The exports of a node's resources/index.ts, in any order. */
type Resources = Record<string, Resource>;

function sorted(resources: Resources): Resource[] {
	return Object.values(resources).sort((a, b) => a.name.localeCompare(b.name));
}

/** Subtitle of a node on the canvas, with the names in the panel: "Get Many: CTA Overlay". */
export function subtitleOf(resources: Resources): string {
	const all = Object.values(resources);
	const operations = all
		.flatMap(({ properties }) => properties.filter(({ name }) => name === 'operation'))
		.flatMap(({ options }) => (options ?? []) as INodePropertyOptions[]);
	const named = (parameter: string, options: Array<Pick<INodePropertyOptions, 'name' | 'value'>>) =>
		`(${JSON.stringify(Object.fromEntries(options.map(({ name, value }) => [value, name])))}[$parameter.${parameter}] ?? $parameter.${parameter})`;
	return `={{ ${named('operation', operations)} + ": " + ${named('resource', all)} }}`;
}

/** What a node's description and its entry points are made of. */
interface NodeParts {
	service: Service;
	resources: Resources;
	/** Value of the resource that a new node starts with. */
	defaultResource: string;
	/**
	 * Fields of several resources: n8n evaluates a parameter once per declaration, so each name is
	 * declared once.
	 */
	sharedFields: INodeProperties[];
	/** Fields below all others, such as the collection "Options". */
	lastFields: INodeProperties[];
}

/** The properties of a node's description, in the order of the panel. */
export function nodeProperties(parts: NodeParts): INodeProperties[] {
	const { service, resources, defaultResource, sharedFields, lastFields } = parts;
	const inOrder = sorted(resources);
	const fields = [
		...inOrder.flatMap(({ properties }) => properties),
		...sharedFields,
		...inOrder.flatMap(({ lastProperties = [] }) => lastProperties),
		...lastFields,
	];
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
