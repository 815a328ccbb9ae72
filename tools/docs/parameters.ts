import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { choicesOf, conditionsOf, isFor } from './description';
import type { Selection } from './description';
import { table } from './markdown';

/** A field that the panel shows whatever is chosen: the choices themselves, and "Options". */
function isCommon({ displayOptions }: INodeProperties): boolean {
	return displayOptions === undefined;
}

/**
 * The parameters that belong to a selection as a Markdown table, the fields of a collection below
 * it. Empty where there are none.
 */
export function parametersTable(
	{ properties }: INodeTypeDescription,
	selection: Selection,
): string {
	const own = properties.filter((property) => !isCommon(property));
	const rows = rowsOf(own, selection, properties);
	if (rows.length === 0) return '';
	return table(['Parameter', 'Type', 'Required', 'Default', 'Description'], rows);
}

/**
 * The collection "Options", which a node has once for all selections.
 *
 * @param selections what can be chosen, by the name under which the page speaks of it
 */
export function optionsTable(
	{ properties }: INodeTypeDescription,
	selections: ReadonlyArray<readonly [name: string, selection: Selection]>,
): string {
	const options = properties.find(({ name }) => name === 'options');
	const rows = fieldsOf(options).map((option) => {
		const offering = selections.filter(([, selection]) => isFor(option, selection));
		const left = selections.filter((each) => !offering.includes(each));
		return [
			option.displayName,
			typeOf(option),
			defaultOf(option),
			offeredBy(
				offering.map(([name]) => name),
				left.map(([name]) => name),
			),
			descriptionOf(option, {}, properties),
		];
	});
	return table(['Option', 'Type', 'Default', 'Offered by', 'Description'], rows);
}

function offeredBy(offering: string[], left: string[]): string {
	if (left.length === 0) return 'all';
	const [names, prefix] = left.length < offering.length ? [left, 'all but '] : [offering, ''];
	return prefix + names.join(', ');
}

/** @param within display name of the collection that the properties are in */
function rowsOf(
	properties: INodeProperties[],
	selection: Selection,
	all: INodeProperties[],
	within = '',
): string[][] {
	return (
		properties
			// A hidden parameter is for workflows of earlier versions.
			.filter(({ name, type }) => !['notice', 'hidden'].includes(type) && !(name in selection))
			.filter((property) => isFor(property, selection))
			.flatMap((property) => {
				const label = within + property.displayName;
				const cells = [
					label,
					typeOf(property),
					property.required ? 'yes' : '',
					defaultOf(property),
					descriptionOf(property, selection, all),
				];
				return [cells, ...rowsOf(fieldsOf(property), selection, all, `${label} → `)];
			})
	);
}

/** The fields in a collection, or in the entries of a fixed collection. */
function fieldsOf(property: INodeProperties | undefined): INodeProperties[] {
	if (property?.type === 'collection') return (property.options ?? []) as INodeProperties[];
	if (property?.type !== 'fixedCollection') return [];
	return (property.options ?? []).flatMap((entry) => ('values' in entry ? entry.values : []));
}

const TYPES: Partial<Record<INodeProperties['type'], string>> = {
	boolean: 'on or off',
	collection: 'fields to add',
	color: 'color',
	dateTime: 'date',
	fixedCollection: 'entries to add',
	multiOptions: 'choice of several',
	number: 'number',
	options: 'choice',
	resourceLocator: 'record from the list, or its ID',
	string: 'text',
};

function typeOf({ type, typeOptions = {} }: INodeProperties): string {
	const { minValue, maxValue, password, multipleValues } = typeOptions;
	const word = TYPES[type] ?? type;
	if (password) return `${word}, hidden`;
	if (type === 'string' && multipleValues) return 'list of texts';
	if (type !== 'number' || minValue === undefined) return word;
	return maxValue === undefined
		? `${word}, at least ${minValue}`
		: `${word} from ${minValue} to ${maxValue}`;
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

function descriptionOf(
	property: INodeProperties,
	selection: Selection,
	all: INodeProperties[],
): string {
	const { description = '', hint, placeholder = '' } = property;
	const example = placeholder.startsWith('e.g.') ? [capitalised(placeholder)] : [];
	const shownWhen = conditionsOf(property, selection)
		.filter(([name]) => !isChosen(name))
		.map(([name, values]) => {
			const other = all.find((each) => each.name === name);
			const words = values.map((value) => wordFor(other, value)).join(' or ');
			return `Shown when *${other?.displayName ?? name}* is ${words}.`;
		});
	const sentences = [description, hint, ...shownWhen].filter(Boolean).map(asSentence);
	return [[...sentences, ...example].join(' '), ...choices(property)].filter(Boolean).join('<br>');
}

/** Names of the fields by which a page is divided. */
function isChosen(name: string): boolean {
	return ['resource', 'operation', 'event'].includes(name.replace(/^\//, ''));
}

/** What can be chosen: in one line, or a line each where they are explained. */
function choices(property: INodeProperties): string[] {
	if (property.type !== 'options' && property.type !== 'multiOptions') return [];
	const offered = choicesOf(property);
	if (offered.every(({ description }) => !description)) {
		const how = property.type === 'multiOptions' ? 'Any of' : 'One of';
		return [`${how}: ${offered.map(({ name }) => name).join(', ')}.`];
	}
	return offered.map(({ name, description = '' }) => `*${name}*: ${description}`);
}

function asSentence(text: string | undefined = ''): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
