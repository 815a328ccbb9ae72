import type {
	IExecutePaginationFunctions,
	INode,
	INodeProperties,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { isJson } from '../http/envelope';
import type { Json } from '../http/envelope';
import { InputError } from '../http/errors';
import type { Validator } from './validators';
import { checked, emptyParameter, isBlank, positiveId, text } from './validators';

/** What the user filled in for one item, checked, sorted by where it goes in the request. */
export interface Inputs {
	path: Record<string, string>;
	query: Json;
	body: Json;
	/** Display names of the path's parameters, for errors about a record that is not there. */
	labels: Record<string, string>;
	/** The first thing that was wrong. */
	problem?: InputError;
}

/** Where a field's value goes in a request, and what is checked before. */
export interface Destination {
	place: 'path' | 'query' | 'body';
	/** Name of the placeholder, the query parameter or the JSON field. */
	name: string;
	validator: Validator;
}

/**
 * Beside the properties, not as n8n's `routing` in them: n8n would evaluate the value of each
 * field with `routing` twice per item on top of what it evaluates anyway, and an expression is
 * the dearest part of an item.
 */
const destinations = new WeakMap<INodeProperties, Destination>();

/** Where the field is sent, if it is sent at all. */
export function destinationOf(property: INodeProperties): Destination | undefined {
	return destinations.get(property);
}

/** A field whose value fills the placeholder of the same name in the endpoint's path. */
export function inPath(
	property: INodeProperties,
	validator: Validator = positiveId,
): INodeProperties {
	return field(property, { place: 'path', name: property.name, validator });
}

/** A field that is sent as the query parameter of the same name. */
export function inQuery(property: INodeProperties, validator: Validator = text): INodeProperties {
	return field(property, { place: 'query', name: property.name, validator });
}

/**
 * A field that is sent as a JSON field.
 *
 * @param sentAs the JSON field's name, where it is not the parameter's
 */
export function inBody(
	property: INodeProperties,
	validator: Validator = text,
	sentAs = property.name,
): INodeProperties {
	return field(property, { place: 'body', name: sentAs, validator });
}

function field(property: INodeProperties, destination: Destination): INodeProperties {
	destinations.set(property, destination);
	return property;
}

/** A field that the editor shows for a node's parameters, and that is sent. */
export interface ShownField {
	/** As n8n addresses the parameter, e.g. `campaignFields.name`. */
	parameter: string;
	property: INodeProperties;
	destination: Destination;
}

/** The fields of a node that are sent with its resource and operation: the same for all items. */
export function shownFields(node: INode, description: INodeTypeDescription): ShownField[] {
	const { parameters } = node;
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(parameters, property, node, description, parameters);
	return description.properties.filter(isShown).flatMap((property): ShownField[] => {
		if (property.type !== 'collection') return sent(property, property.name);
		const added = Object.keys(parameters[property.name] ?? {});
		return ((property.options ?? []) as INodeProperties[])
			.filter((option) => added.includes(option.name) && isShown(option))
			.flatMap((option) => sent(option, `${property.name}.${option.name}`));
	});
}

function sent(property: INodeProperties, parameter: string): ShownField[] {
	const destination = destinations.get(property);
	return destination ? [{ parameter, property, destination }] : [];
}

/** Evaluates and checks the fields for the context's item. */
export function inputsOf(context: IExecutePaginationFunctions, fields: ShownField[]): Inputs {
	const inputs: Inputs = { path: {}, query: {}, body: {}, labels: {} };
	for (const { parameter, property, destination } of fields) {
		const { displayName, required } = property;
		const { place, name, validator } = destination;
		const value = located(context.getNodeParameter(parameter));
		if (place === 'path') inputs.labels[name] = displayName;
		if (isBlank(value)) {
			if (required) inputs.problem ??= emptyParameter(displayName);
			continue;
		}
		const result = checked(validator, value, displayName);
		if (result instanceof InputError) inputs.problem ??= result;
		else inputs[place][name] = result as string;
	}
	return inputs;
}

/**
 * What was chosen in a resource locator; other values as they are. n8n's own `extractValue` does
 * the same for our modes, but first searches all properties of the node, for every item.
 */
function located(value: unknown): unknown {
	return isJson(value) && value.__rl === true ? value.value : value;
}
