import type { IExecuteSingleFunctions, INode, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { isJson, single, type Json } from '../http/json';
import type { FindByName, Inputs } from './call';
import { emptyParameter, positiveId, text, type Validator } from './validators';
import { isBlank } from './values';

/**
 * A field that's sent to the service. n8n's own declarations say where its value goes: a query parameter or
 * a JSON field has `routing.send`, and the path of an endpoint names its fields itself.
 */
export interface SentField extends INodeProperties {
	/** What n8n's declarations have no place for. */
	check: {
		validator: Validator;
		/** Whether to send the field even if it's empty, so that the stored text is cleared. */
		clearable?: boolean;
		findByName?: FindByName;
	};
}

/** A field of the panel. It's for a text unless it says otherwise. */
export type Field = Partial<INodeProperties> & Pick<INodeProperties, 'displayName' | 'name'>;

function propertyOf({ displayName, ...more }: Field): INodeProperties {
	return { displayName, type: 'string', default: '', ...more };
}

/** A field that an endpoint's path names. */
export function inPath(
	field: Field,
	validator: Validator = positiveId,
	findByName?: FindByName,
): SentField {
	return { ...propertyOf(field), check: { validator, findByName } };
}

/** A field that's sent as the query parameter of the same name. */
export function inQuery(field: Field, validator: Validator = text): SentField {
	const send = { type: 'query' as const, property: field.name };
	return { ...propertyOf(field), routing: { send }, check: { validator } };
}

/** A field that's sent in the JSON body, by its own name or as another one. */
export function inBody(field: Field, validator: Validator = text, sentAs = field.name): SentField {
	const send = { type: 'body' as const, property: sentAs };
	return { ...propertyOf(field), routing: { send }, check: { validator } };
}

/** A field that the editor shows. */
export interface ShownField {
	/** The parameter's path in n8n, e.g. `campaignFields.name`. */
	parameter: string;
	property: SentField;
	place: 'path' | 'query' | 'body';
	/** Name of the placeholder, query parameter or JSON field. */
	name: string;
}

/**
 * The fields to send: those that the editor shows. They're the same for all items, because no field depends on
 * anything but the resource and the operation.
 */
export function shownFields(properties: INodeProperties[], node: INode): ShownField[] {
	const { parameters } = node;
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(parameters, property, node, null, parameters);
	const sent = (property: INodeProperties, parameter: string): ShownField[] => {
		if (!('check' in property)) return [];
		const { type: place = 'path', property: name = property.name } = property.routing?.send ?? {};
		return [{ parameter, property: property as SentField, place, name }];
	};
	return properties.filter(isShown).flatMap((property) => {
		if (property.type !== 'collection') return sent(property, property.name);
		const added = Object.keys(parameters[property.name] ?? {});
		return (property.options as INodeProperties[])
			.filter((option) => added.includes(option.name) && isShown(option))
			.flatMap((option) => sent(option, `${property.name}.${option.name}`));
	});
}

/**
 * Evaluates and validates an item's fields.
 *
 * @param isFromModel a model has to fill in every field, even those that it has nothing for
 * @throws InputError that names the first invalid one
 */
export function inputsOf(
	context: IExecuteSingleFunctions,
	fields: ShownField[],
	isFromModel: boolean,
): Inputs {
	const inputs: Inputs = { path: {}, query: {}, body: {} };
	for (const { parameter, property, place, name } of fields) {
		const { displayName, required } = property;
		const { validator, findByName, clearable } = property.check;
		const given: unknown = context.getNodeParameter(parameter);
		const value = single(enteredIn(given));
		if (isBlank(value, { orNull: isFromModel })) {
			if (required) throw emptyParameter(displayName);
			if (clearable && value === '' && !isFromModel && place !== 'path') inputs[place][name] = '';
			continue;
		}
		const find = isLocator(given) && given.mode === 'name' ? findByName : undefined;
		const validate = find ? text : validator;
		const result = validate(value, displayName, () => context.getTimezone());
		inputs[place][name] =
			place === 'path' ? { value: String(result), label: displayName, find } : result;
	}
	return inputs;
}

/** What the user entered or selected in a field, which may be a resource locator. */
export function enteredIn(value: unknown): unknown {
	return isLocator(value) ? value.value : value;
}

/**
 * Whether a value is a resource locator's. n8n marks them with `__rl`, but not inside a collection. Its
 * own `extractValue` would search all properties of the node, for every item.
 */
function isLocator(value: unknown): value is Json {
	if (!isJson(value) || !('value' in value)) return false;
	return 'mode' in value || Object.keys(value).length === 1;
}
