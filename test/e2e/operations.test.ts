import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { companyRegistryCases, linkManagementCases } from '../cases';
import { FILE, hasFile, normalized, parametersOf } from '../cases/operationCase';
import { credentialData, startStage, type Stage } from './support/stage';
import {
	chain,
	companyRegistry,
	linkManagement,
	outputOf,
	runByHand,
	startWith,
	type NodeDraft,
} from '../../tools/stage/workflows';

const NODE = 'Operation';

let stage: Stage;
/** The only one that n8n's nodes may use. */
let folder = '';

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'n8n-e2e-files-'));
	stage = await startStage({ env: { N8N_RESTRICT_FILE_ACCESS_TO: folder } });
	stage.cleanup.add(async () => await rm(folder, { recursive: true }));
});

afterAll(async () => await stage?.cleanup.run());

beforeEach(() => stage.sandbox.reset());

/** The file of an upload, made from the input's field `content`. */
const fileNode: NodeDraft = {
	name: 'File',
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: {
		operation: 'toText',
		sourceProperty: 'content',
		options: { fileName: FILE.name },
	},
};

const CASES = [...linkManagementCases, ...companyRegistryCases];

// test/engine/everyOperation.test.ts checks that every operation has a case.
it.each(CASES)(
	'$node: $operation ($variant) sends its requests and returns its fields in a running n8n',
	async (each) => {
		const { node: nodeName, operation, variant, isDocumented, exchanges, output } = each;
		const isLinks = nodeName === 'linkManagement';
		const { links, registry, registryUnversioned } = stage.credentials;
		const ofRegistry = variant === 'v1' ? registry : registryUnversioned;
		const node = isLinks
			? linkManagement(NODE, links, parametersOf(each))
			: companyRegistry(NODE, ofRegistry, parametersOf(each));
		const rows = startWith([{ content: FILE.content }]);
		const nodes = [...rows, ...(hasFile(each) ? [fileNode] : []), node];
		const execution = await runByHand(stage.api, chain(operation, nodes));
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		const service = isLinks ? stage.sandbox.links : stage.sandbox.registry[variant];
		const prefix = new URL(service.baseUrl).pathname;
		const sent = service.requests.map(({ method, rawPath, body }) => [
			normalized(`${method} ${rawPath.slice(prefix.length)}`),
			body,
		]);
		// The sandbox doesn't keep the content of files.
		const expected = exchanges.map(({ request, body }) => [
			normalized(request),
			typeof body === 'string' ? undefined : body,
		]);
		// An operation of several requests may send more requests here, e.g. for further pages.
		if (isDocumented) expect(sent).toEqual(expected);
		const outputs = outputOf(execution, NODE);
		for (const { json, from } of outputs) {
			expect(from).toBe(0);
			expect(Object.keys(json)).toEqual(expect.arrayContaining(Object.keys(output[0] ?? {})));
		}
		// The sandbox has no file with the case's name.
		if (operation !== 'file.getAll') expect(outputs).not.toEqual([]);
	},
);

const withoutFiles: NodeDraft = {
	name: 'Without files',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: { mode: 'raw', jsonOutput: '{}', options: { stripBinary: true } },
};

const download: NodeDraft = {
	name: 'File',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		url: '={{ $json.url }}',
		options: { response: { response: { responseFormat: 'file', outputPropertyName: 'picture' } } },
	},
};

const onDisk = (name: string, parameters: INodeParameters): NodeDraft => ({
	name,
	type: 'n8n-nodes-base.readWriteFile',
	parameters,
});

const written = {
	operation: 'write',
	fileName: "={{ $('Rows').item.json.folder }}/notes.txt",
	options: {},
};
const read = { fileSelector: '={{ $json.fileName }}', options: {} };

it.each<[from: string, nodes: NodeDraft[], given: object, name: RegExp]>([
	['a download', [download], { binaryPropertyName: 'picture' }, /^openapi|^links/],
	[
		'a file on disk',
		[fileNode, onDisk('Write', written), onDisk('Read', read)],
		{},
		/^notes\.txt$/,
	],
	[
		'a node further back',
		[fileNode, withoutFiles],
		{ binaryPropertyName: "={{ $('File').item.binary.data }}" },
		/^çà & là 50%\.txt$/,
	],
])('uploads %s in a running n8n', async (_, nodes, given, name) => {
	const { api, credentials, sandbox } = stage;
	const url = `${sandbox.url}/openapi/links.json`;
	const rows = startWith([{ content: FILE.content, folder, url }]);
	const upload = linkManagement(NODE, credentials.links, {
		resource: 'file',
		operation: 'upload',
		...given,
	} as INodeParameters);
	const execution = await runByHand(api, chain('Upload', [...rows, ...nodes, upload]));
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	expect(sandbox.links.state.files.all().at(-1)?.name).toMatch(name);
});

// test/engine/credentials.test.ts covers what each response means.
it.each(['links', 'registry', 'registryUnversioned'] as const)(
	'n8n’s test of the credential %s passes with a pasted key and address, and fails with a wrong key',
	async (which) => {
		const { id, name, type } = stage.credentials[which];
		const own = credentialData(stage.sandbox)[which];
		const { apiKey, baseUrl } = own;
		const test = async (change: object) =>
			await stage.api.post<{ message: string }>('/rest/credentials/test', {
				credentials: { id, name, type, data: { ...own, ...change } },
			});
		const pasted = { apiKey: ` ${apiKey}\n`, baseUrl: `${baseUrl}/api/` };
		expect(await test(pasted)).toMatchObject({ status: 'OK' });
		const wrong = await test({ apiKey: 'no-such-key' });
		expect(wrong).toMatchObject({ status: 'Error' });
		expect(wrong.message).toMatch(/API key/);
		expect(wrong.message).not.toContain('no-such-key');
	},
);
