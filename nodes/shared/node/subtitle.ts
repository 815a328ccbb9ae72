import type { INodePropertyOptions } from 'n8n-workflow';

import type { Resource } from './resource';

/**
 * A node's subtitle on the canvas, with operation and resource in words, e.g. "Get many: QR code".
 *
 * @returns n8n's expression for it, which only the editor evaluates
 */
export function subtitleOf(resources: Record<string, Resource>): string {
	const all = Object.values(resources);
	const operations = all.flatMap(({ properties }) =>
		properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [] }) => options as INodePropertyOptions[])
			.map(({ name, value }) => [value, capitalized(inLowerCase(name))] as const),
	);
	const names = all.map(({ name, value }) => [value, inLowerCase(name)] as const);
	return `={{ ${lookUp(operations, 'operation')} + ": " + ${lookUp(names, 'resource')} }}`;
}

function lookUp(words: ReadonlyArray<readonly [unknown, string]>, parameter: string): string {
	const table = JSON.stringify(Object.fromEntries(words));
	return `(${table})[$parameter["${parameter}"]]`;
}

/** Abbreviations such as "QR" stay as they are. */
function inLowerCase(name: string): string {
	return name.replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());
}

function capitalized(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}
