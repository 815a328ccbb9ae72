import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** What a file under resources/ declares. */
export interface Resource {
	/** In the panel's list of resources. */
	name: string;
	/** As `displayOptions` and workflows have it. */
	value: string;
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

/** What the selector "Resource" offers. */
export function resourceOptions(resources: Resources): INodePropertyOptions[] {
	return sorted(resources).map(({ name, value }) => ({ name, value }));
}

/**
 * The operations and fields of all resources, in the order of the panel.
 *
 * @param shared fields of several resources: n8n evaluates a parameter once per declaration, so
 * each name is declared once
 */
export function resourceProperties(
	resources: Resources,
	shared: INodeProperties[],
): INodeProperties[] {
	return [
		...sorted(resources).flatMap(({ properties }) => properties),
		...shared,
		...sorted(resources).flatMap(({ lastProperties = [] }) => lastProperties),
	];
}
