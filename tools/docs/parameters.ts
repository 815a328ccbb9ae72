import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { choicesOf, conditionsOf, isFor, SELECTORS, titleOf } from './description';
import type { Entry } from './description';
import { table } from './markdown';

/** A field of a panel. */
export interface Parameter {
	/** Display name, with the names of the collections that it is in. */
	label: string;
	property: INodeProperties;
	/** The operations or events that have it. */
	usedBy: Entry[];
}

/** All fields of a panel without repeats. A collection is followed by its fields. */
export function parametersOf({ properties }: INodeTypeDescription, entries: Entry[]): Parameter[] {
	return fieldsUnder(
		properties.filter(({ name }) => !SELECTORS.includes(name)),
		entries,
		'',
	);
}

function fieldsUnder(properties: INodeProperties[], entries: Entry[], within: string): Parameter[] {
	return properties
		.filter(({ type }) => type !== 'notice' && type !== 'hidden')
		.flatMap((property) => {
			const label = within + property.displayName;
			const usedBy = entries.filter(({ selection }) => isFor(property, selection));
			const inside = fieldsUnder(fieldsOf(property), usedBy, `${label} → `);
			return property.name === 'options' ? inside : [{ label, property, usedBy }, ...inside];
		});
}

/** The fields in a collection, or in the entries of a fixed collection. */
function fieldsOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	if (type !== 'fixedCollection') return [];
	return options.flatMap((entry) => ('values' in entry ? entry.values : []));
}

/**
 * Parameters as a Markdown table, or '' without parameters.
 *
 * @param entries the operations or events to choose from in this table
 */
export function parametersTable(
	parameters: Parameter[],
	entries: Entry[],
	{ properties }: INodeTypeDescription,
): string {
	if (parameters.length === 0) return '';
	const rows = alike(parameters).map((group) => {
		const [{ label, property }] = group;
		const usedBy = entries.filter((entry) => group.some((each) => each.usedBy.includes(entry)));
		return [
			label,
			usersOf(usedBy, entries),
			typeOf(property),
			defaultOf(property),
			descriptionOf(property, shownWhen(group, entries, properties)),
		];
	});
	return table(['Parameter', 'Used by', 'Type', 'Default', 'Description'], rows);
}

type Alike = [Parameter, ...Parameter[]];

/** Parameters that differ only in where they are shown, such as one that two events have. */
function alike(parameters: Parameter[]): Alike[] {
	const groups = new Map<string, Alike>();
	for (const parameter of parameters) {
		const { label, property } = parameter;
		const { description, hint, placeholder } = property;
		const parts = [typeOf(property), defaultOf(property), description, hint, placeholder];
		const key = JSON.stringify([label, ...parts, choices(property)]);
		const group = groups.get(key);
		if (group) group.push(parameter);
		else groups.set(key, [parameter]);
	}
	return [...groups.values()];
}

/** When the panel shows the field, e.g. "Shown when *Return All* is on." */
function shownWhen(group: Alike, entries: Entry[], all: INodeProperties[]): string[] {
	const conditions = group.map(({ property }) => conditionsText(property, all));
	if (conditions.every((each) => each === conditions[0])) {
		return conditions[0] ? [`Shown when ${conditions[0]}.`] : [];
	}
	const users = group.map(({ usedBy }) => namesOf(usedBy, entries));
	if (users.every((each) => each === users[0]))
		return [`Shown when ${conditions.join(', or when ')}.`];
	return group.flatMap((_, index) =>
		conditions[index] ? [`In ${users[index]}, shown when ${conditions[index]}.`] : [],
	);
}

function conditionsText(property: INodeProperties, all: INodeProperties[]): string {
	const texts = conditionsOf(property).map(([name, values]) => {
		const other = all.find((each) => each.name === name);
		const words = values.map((value) => wordFor(other, value));
		const last = words.pop()!;
		const either = words.length > 0 ? `${words.join(', ')} or ${last}` : last;
		return `*${other?.displayName ?? name}* is ${either}`;
	});
	const last = texts.pop() ?? '';
	return texts.length > 0 ? `${texts.join(', ')} and ${last}` : last;
}

/** The operations that use a parameter, in words: `all`, `all but …`, or their names. */
function usersOf(used: Entry[], entries: Entry[]): string {
	if (used.length === entries.length) return 'all';
	const left = entries.filter((entry) => !used.includes(entry));
	return left.length < 3 && used.length > 3
		? `all but ${namesOf(left, entries)}`
		: namesOf(used, entries);
}

function namesOf(listed: Entry[], entries: Entry[]): string {
	const isWhole = (name: string) =>
		entries.every((entry) => entry.name !== name || listed.includes(entry));
	return [
		...new Set(listed.map((entry) => (isWhole(entry.name) ? entry.name : titleOf(entry)))),
	].join(', ');
}

const TYPES: Partial<Record<INodeProperties['type'], string>> = {
	boolean: 'on or off',
	collection: 'fields to add',
	color: 'color',
	dateTime: 'date',
	fixedCollection: 'entries to add',
	json: 'JSON',
	multiOptions: 'choice of several',
	number: 'number',
	options: 'choice',
	resourceLocator: 'record',
	string: 'text',
};

function typeOf({ type, typeOptions = {}, required }: INodeProperties): string {
	const { minValue, maxValue, password, multipleValues } = typeOptions;
	const range = maxValue === undefined ? `at least ${minValue}` : `${minValue} to ${maxValue}`;
	return [
		type === 'string' && multipleValues ? 'list of texts' : (TYPES[type] ?? type),
		...(password ? ['masked'] : []),
		...(type === 'number' && minValue !== undefined ? [range] : []),
		...(required ? ['required'] : []),
	].join(', ');
}

function defaultOf(property: INodeProperties): string {
	const { default: value } = property;
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (typeof value === 'number') return String(value);
	const values = [value].flat().filter((each) => typeof each === 'string' && each !== '');
	return values.map((each) => wordFor(property, each)).join(', ');
}

/** What the panel shows for a value. */
function wordFor(property: INodeProperties | undefined, value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	const isChoice = property?.type === 'options' || property?.type === 'multiOptions';
	const choice = isChoice ? choicesOf(property).find((each) => each.value === value) : undefined;
	return choice ? choice.name : `\`${String(value)}\``;
}

/** n8n's linter requires this sentence, with a link, for lists that the editor loads. */
const ASKED_BY_LINTER = /^Choose from the list, or specify IDs? using an <a .*?<\/a>\.? ?/;

function descriptionOf(property: INodeProperties, conditions: string[]): string {
	const { description, hint, placeholder = '' } = property;
	const example = placeholder.startsWith('e.g.') ? [`E${placeholder.slice(1)}`] : [];
	const own = description?.replace(ASKED_BY_LINTER, '');
	const sentences = [own, hint, ...conditions].flatMap((text) =>
		text ? [/[.!?]$/.test(text) ? text : `${text}.`] : [],
	);
	return [[...sentences, ...example].join(' '), ...choices(property)].filter(Boolean).join('<br>');
}

/** A field's choices, on one line, or on a line each if they have descriptions. */
function choices(property: INodeProperties): string[] {
	if (property.type !== 'options' && property.type !== 'multiOptions') return [];
	const offered = choicesOf(property);
	// The editor loads the choices.
	if (offered.length === 0) return [];
	if (offered.every(({ description }) => !description)) {
		const how = property.type === 'multiOptions' ? 'Any of' : 'One of';
		return [`${how}: ${offered.map(({ name }) => name).join(', ')}.`];
	}
	return offered.map(({ name, description }) =>
		description ? `*${name}*: ${description}` : `*${name}*`,
	);
}
