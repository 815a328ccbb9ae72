import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { operationsIn } from '../../nodes/shared/node/operation';
import { anonymous, byId, normalized } from '../cases/operationCase';
import { jsonOf, runNode } from '../engine/harness';
import { fakeService } from '../fakeService';

const read = (path: string) => readFileSync(join(__dirname, '..', '..', path), 'utf8');

/** A use of an operation in documents.txt. */
interface Scene {
	service: string;
	/** The sentence that it shows. */
	says: string;
	operation: string;
	given: INodeParameters;
	requests: Array<{ request: string; body?: unknown }>;
	responses: Array<{ status: number; body: unknown }>;
	output?: IDataObject[];
	error?: string;
}

interface Reference {
	says: string;
	file: string;
	words: string;
}

const json = (text: string): unknown => JSON.parse(text);

/** `#4` stands for the record with the ID 4, and `@https://…` for a typed address. */
function parametersOf(text: string): INodeParameters {
	return JSON.parse(text, (_, value: unknown) => {
		if (typeof value !== 'string') return value;
		if (/^#\d+$/.test(value)) return byId(Number(value.slice(1)));
		return value.startsWith('@') ? { __rl: true, mode: 'address', value: value.slice(1) } : value;
	}) as INodeParameters;
}

function requestOf(text: string): Scene['requests'][number] {
	const [, request = '', body] = /^(\S+ \S+)(?: (.+))?$/.exec(text)!;
	return { request: normalized(request), body: body && json(body) };
}

function responseOf(text: string): Scene['responses'][number] {
	const [, status = '200', body = ''] = /^(?:(\d{3}) )?(.*)$/.exec(text)!;
	return { status: Number(status), body: body.startsWith('{') ? json(body) : body };
}

function readDocuments(): { scenes: Scene[]; references: Reference[] } {
	const [, ...sections] = read('test/contract/documents.txt').split('\n## ');
	const scenes: Scene[] = [];
	const references: Reference[] = [];
	for (const section of sections) {
		const [heading = '', ...lines] = section.trim().split('\n');
		const [service = '', topic = ''] = heading.split(': ');
		let says = topic;
		for (const line of lines) {
			const [, sign, text = ''] = /^(?:([$><=!@]) )?(.*)$/.exec(line)!;
			const scene = scenes.at(-1)!;
			const [, first = '', rest = ''] = /^(\S+) (.*)$/.exec(text) ?? [];
			const start = { operation: first, requests: [], responses: [] };
			if (sign === '$') scenes.push({ service, says, given: parametersOf(rest), ...start });
			else if (sign === '>') scene.requests.push(requestOf(text));
			else if (sign === '<') scene.responses.push(responseOf(text));
			else if (sign === '=') scene.output = json(text) as IDataObject[];
			else if (sign === '!') scene.error = text;
			else if (sign === '@') references.push({ says, file: first.slice(0, -1), words: rest });
			else if (text) says = text;
		}
	}
	return { scenes, references };
}

const { scenes, references } = readDocuments();

const FILE = { data: 'dGhlIGZpbGU=', mimeType: 'text/plain', fileName: 'a b?.txt' };

async function play({ service, operation, given, responses }: Scene) {
	const { baseUrl, apiKey, requests } = await fakeService(({ number }) => responses[number - 1]);
	const type = service === 'links' ? 'linkManagement' : 'companyRegistry';
	const plan = { plan: 'custom', requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 };
	const [resource, name] = operation.split('.');
	const { items, error } = await runNode({
		type,
		parameters: { resource, operation: name, ...given },
		credentials: { [`${type}Api`]: { baseUrl, apiKey, variant: service, ...plan } },
		items: [{ json: {}, binary: { data: FILE } }],
	});
	return { output: jsonOf(items), error, apiKey, requests };
}

it.each(scenes)('$service: $says $operation $given', async (scene) => {
	const { output, error, apiKey, requests } = await play(scene);
	const sent = requests.map(({ method, url, text, json: body }) => {
		return { request: normalized(`${method} ${url}`), body: text ? (body ?? text) : undefined };
	});
	expect(sent).toEqual(scene.requests);
	if (scene.error) expect(`${error?.message} ${error?.description}`).toContain(scene.error);
	else expect({ output, error }).toEqual({ output: scene.output, error: undefined });
	for (const { headers, url, json: body } of requests) {
		const { authorization, 'x-api-key': key, 'content-type': type } = headers;
		const isLinks = scene.service === 'links';
		expect({ authorization, key }).toEqual(
			isLinks ? { authorization: `Bearer ${apiKey}` } : { key: apiKey },
		);
		expect(url).not.toContain(apiKey);
		if (body) expect(type).toBe('application/json');
	}
});

it.each(references)('$says is tested in $file ($words)', ({ file, words }) => {
	const titles = [...read(file).matchAll(/'([^'\n]+)',\s*(?:async )?\(/g)].map(
		([, title]) => title,
	);
	expect(titles).toContainEqual(expect.stringContaining(words));
});

it('documents.txt has a scene for every endpoint that an operation calls', () => {
	const called = [new LinkManagement(), new CompanyRegistry()].flatMap(({ description }) =>
		operationsIn(description.properties).flatMap(({ operation }) =>
			operation.endpoints.map(({ method, path }) => anonymous(`${method} ${path}`)),
		),
	);
	const shown = scenes.flatMap(({ requests }) => requests.map(({ request }) => request));
	for (const endpoint of new Set(called)) {
		const pattern = new RegExp(`^${endpoint.replace(/:/g, '[^/?]+')}\\?`);
		expect(shown).toContainEqual(expect.stringMatching(pattern));
	}
});

it('the documents list 13 types of pixels and 3 of channel items, and so do the nodes', () => {
	const documented =
		'gtmpixel gapixel fbpixel adwordspixel linkedinpixel twitterpixel adrollpixel quorapixel ' +
		'pinterest bing snapchat reddit tiktok';
	const { properties } = new LinkManagement().description;
	const valuesOf = (parameter: string) => {
		const { options = [] } = properties.find(({ name }) => name === parameter)!;
		return options.map((option) => ('value' in option ? String(option.value) : '')).sort();
	};
	expect(valuesOf('type')).toEqual(documented.split(' ').sort());
	expect(valuesOf('itemType')).toEqual(['bio', 'links', 'qr']);
});
