import type { INodeProperties, PreSendAction } from 'n8n-workflow';

import type { Json } from './envelope';
import { InputProblem } from './problems';
import type { Rule } from './rules';
import { checked, emptyParameter, isBlank, positiveId, text } from './rules';

/** What the user filled in for one item, checked, sorted by where it goes in the request. */
export interface Inputs {
	path: Record<string, string>;
	query: Json;
	body: Json;
	/** Display names of the path's parameters, for errors about a record that is not there. */
	labels: Record<string, string>;
	/** The first thing that was wrong. */
	problem?: InputProblem;
}

/**
 * Inputs by the options object of the request that n8n is about to make. n8n merges the values of
 * all fields into it and then calls each field's function below, which moves the value out,
 * checked. A problem is kept until the gate runs: an error thrown here would reach the user
 * without the item it belongs to.
 */
const collected = new WeakMap<object, Inputs>();

export function inputsOf(options: object): Inputs {
	let inputs = collected.get(options);
	if (!inputs) {
		inputs = { path: {}, query: {}, body: {}, labels: {} };
		collected.set(options, inputs);
	}
	return inputs;
}

/** A field whose value fills the placeholder of the same name in the endpoint's path. */
export function inPath(property: INodeProperties, rule: Rule = positiveId): INodeProperties {
	return field(property, 'path', rule);
}

/** A field that is sent as the query parameter of the same name. */
export function inQuery(property: INodeProperties, rule: Rule = text): INodeProperties {
	return field(property, 'query', rule);
}

/**
 * A field that is sent as a JSON field.
 *
 * @param sentAs the JSON field's name, where it is not the parameter's
 */
export function inBody(
	property: INodeProperties,
	rule: Rule = text,
	sentAs = property.name,
): INodeProperties {
	return field(property, 'body', rule, sentAs);
}

type Place = 'path' | 'query' | 'body';

function field(
	property: INodeProperties,
	place: Place,
	rule: Rule,
	name = property.name,
): INodeProperties {
	const { displayName, required } = property;
	// n8n knows bodies and queries only, so path values ride in the query until they are moved.
	const type = place === 'body' ? 'body' : 'query';
	const take: PreSendAction = async function (options) {
		const carrier = (type === 'body' ? options.body : options.qs) as Json;
		const value = carrier[name];
		delete carrier[name];
		const inputs = inputsOf(options);
		if (place === 'path') inputs.labels[name] = displayName;
		if (isBlank(value)) {
			if (required) inputs.problem ??= emptyParameter(displayName);
			return options;
		}
		const result = checked(rule, value, displayName);
		if (result instanceof InputProblem) inputs.problem ??= result;
		else inputs[place][name] = result as string;
		return options;
	};
	return {
		...property,
		routing: { send: { type, property: name, propertyInDotNotation: false, preSend: [take] } },
	};
}
