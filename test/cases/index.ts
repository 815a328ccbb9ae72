import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, type Exchange, type OperationCase, type Scene } from './operationCase';

export type { Exchange, OperationCase, Scene } from './operationCase';

/** A sentence of documents.txt that a test shows, and words of that test's title. */
interface Reference {
	says: string;
	file: string;
	words: string;
}

const COMPOSED = 'What the nodes make of several requests';

/** `#4` is the record with the ID 4, `@https://…` a typed address, and `~Name` a typed name. */
function parametersOf(text: string): INodeParameters {
	const modes: Record<string, string> = { '@': 'address', '~': 'name' };
	return JSON.parse(text, (_, value: unknown) => {
		if (typeof value !== 'string') return value;
		if (/^#\d+$/.test(value)) return byId(Number(value.slice(1)));
		const mode = modes[value[0] ?? ''];
		return mode ? { __rl: true, mode, value: value.slice(1) } : value;
	}) as INodeParameters;
}

function requestOf(text: string): Exchange {
	const [, request = '', body] = /^(\S+ \S+)(?: (.+))?$/.exec(text)!;
	return { request, body: body && (JSON.parse(body) as unknown), status: 200, response: '' };
}

function responseOf(text: string): Partial<Exchange> {
	const [, status = '200', body = ''] = /^(?:(\d{3}) )?(.*)$/.exec(text)!;
	const response: unknown = /^[[{]/.test(body) ? JSON.parse(body) : body;
	return { status: Number(status), response };
}

function readDocuments(): { scenes: Scene[]; references: Reference[] } {
	const path = join(__dirname, '..', 'contract', 'documents.txt');
	const [, ...sections] = readFileSync(path, 'utf8').split('\n## ');
	const scenes: Scene[] = [];
	const references: Reference[] = [];
	for (const section of sections) {
		const [heading = '', ...lines] = section.trim().split('\n');
		const [service = '', topic = ''] = heading.split(': ');
		const node = service === 'links' ? 'linkManagement' : 'companyRegistry';
		const variant = service === 'unversioned' ? service : 'v1';
		// These are the nodes' own; the documents have no such operation.
		const isComposed = topic === COMPOSED;
		let says = topic;
		for (const line of lines) {
			const [, sign, text = ''] = /^(?:([$><=!@]) )?(.*)$/.exec(line)!;
			const [, first = '', rest = ''] = /^(\S+) (.*)$/.exec(text) ?? [];
			const scene = scenes.at(-1)!;
			if (sign === '$') {
				const parameters = parametersOf(rest);
				const isDocumented = !isComposed && first !== 'apiRequest.send';
				const about = { node, variant, says, isDocumented } as const;
				scenes.push({ ...about, operation: first, parameters, exchanges: [], errors: [] });
			} else if (sign === '>') scene.exchanges.push(requestOf(text));
			else if (sign === '<') Object.assign(scene.exchanges.at(-1)!, responseOf(text));
			else if (sign === '=') scene.output = JSON.parse(text) as IDataObject[];
			else if (sign === '!') scene.errors.push(text);
			else if (sign === '@') references.push({ says, file: first.slice(0, -1), words: rest });
			else if (text) says = text;
		}
	}
	return { scenes, references };
}

export const { scenes, references } = readDocuments();

/** The cases by node: the first scene of each operation and variant that returns something. */
function casesOf(node: Scene['node']): OperationCase[] {
	const cases = new Map<string, OperationCase>();
	for (const scene of scenes) {
		const { operation, variant, output } = scene;
		const key = `${operation} ${variant}`;
		if (scene.node === node && output && !cases.has(key)) cases.set(key, { ...scene, output });
	}
	return [...cases.values()];
}

export const companyRegistryCases = casesOf('companyRegistry');
export const linkManagementCases = casesOf('linkManagement');
export const CASES = {
	linkManagement: linkManagementCases,
	companyRegistry: companyRegistryCases,
};

export type NodeName = keyof typeof CASES;
