import { companyRegistryCases, linkManagementCases } from '../cases';
import { normalized, parametersOf, variantOf } from '../cases/operationCase';
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

beforeAll(async () => {
	stage = await startStage();
});

afterAll(async () => await stage?.cleanup.run());

beforeEach(() => stage.sandbox.reset());

/** The file of a case, made from the input's field `content`. */
const fileNode = (fileName: string): NodeDraft => ({
	name: 'File',
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: { operation: 'toText', sourceProperty: 'content', options: { fileName } },
});

const CASES = [
	...linkManagementCases.map((each) => ({ each, variant: undefined })),
	...companyRegistryCases.map((each) => ({ each, variant: variantOf(each) })),
].map((one) => [`${one.each.operation} ${one.each.variants?.[0] ?? ''}`.trim(), one] as const);

// test/engine/operations.test.ts checks that every operation has a case.
it.each(CASES)(
	'%s sends its requests and returns its fields in a running n8n',
	async (_, { each, variant }) => {
		const { operation, documented, input = {}, file, exchanges, output } = each;
		const { links, registry, registryUnversioned } = stage.credentials;
		const ofRegistry = variant === 'v1' ? registry : registryUnversioned;
		const node = variant
			? companyRegistry(NODE, ofRegistry, parametersOf(each))
			: linkManagement(NODE, links, parametersOf(each));
		const rows = startWith([{ ...input, content: file?.content }]);
		const nodes = [...rows, ...(file ? [fileNode(file.name)] : []), node];
		const execution = await runByHand(stage.api, chain(operation, nodes));
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		const service = variant ? stage.sandbox.registry[variant] : stage.sandbox.links;
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
		// Without `documented`, an operation may send more requests here, e.g. for further pages.
		if (documented) expect(sent).toEqual(expected);
		const outputs = outputOf(execution, NODE);
		for (const { json, from } of outputs) {
			expect(from).toBe(0);
			expect(Object.keys(json)).toEqual(expect.arrayContaining(Object.keys(output[0] ?? {})));
		}
		// The sandbox has no file with the case's name.
		if (operation !== 'file.getAll') expect(outputs).not.toEqual([]);
	},
);

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
