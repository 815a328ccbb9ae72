import type { LoggedRequest } from '../../sandbox';
import { companyRegistryCases, linkManagementCases } from '../cases';
import type { OperationCase } from '../cases';
import { normalized, parametersOf, variantOf } from '../cases/operationCase';
import { startStage, type Stage } from './support/stage';
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

/** The service of the sandbox that a node calls. */
interface Service {
	baseUrl: string;
	requests: readonly LoggedRequest[];
}

let stage: Stage;

beforeAll(async () => {
	stage = await startStage();
});

afterAll(async () => await stage?.cleanup.run());

beforeEach(() => stage.sandbox.reset());

// test/engine/operations.test.ts checks that every operation has a case.
describe('Operations in a running n8n', () => {
	it.each(titled(linkManagementCases))(
		'Link Management %s sends its requests and returns its fields in a running n8n',
		async (_title, each) => {
			const node = linkManagement(NODE, stage.credentials.links, parametersOf(each));
			await check(each, node, stage.sandbox.links);
		},
	);

	it.each(titled(companyRegistryCases))(
		'Company Registry %s sends its requests and returns its fields in a running n8n',
		async (_title, each) => {
			const variant = variantOf(each);
			const { registry, registryUnversioned } = stage.credentials;
			const credential = variant === 'v1' ? registry : registryUnversioned;
			const node = companyRegistry(NODE, credential, parametersOf(each));
			await check(each, node, stage.sandbox.registry[variant]);
		},
	);

	function titled(cases: OperationCase[]): Array<[string, OperationCase]> {
		return cases.map((each) => [`${each.operation} ${each.variants?.[0] ?? ''}`.trim(), each]);
	}

	/** Runs the case against the sandbox, and compares its requests and fields. */
	async function check(
		{ operation, documented, input = {}, file, exchanges, output }: OperationCase,
		node: NodeDraft,
		service: Service,
	): Promise<void> {
		const rows = [{ ...input, content: file?.content }];
		const nodes = [...startWith(rows), ...(file ? [fileNode(file)] : []), node];
		const execution = await runByHand(stage.api, chain(operation, nodes));
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		// Without `documented`, an operation may send more requests here, e.g. for further pages.
		if (documented) expectRequests(exchanges, service);
		const outputs = outputOf(execution, NODE);
		for (const { json, from } of outputs) {
			expect(from).toBe(0);
			expect(Object.keys(json)).toEqual(expect.arrayContaining(Object.keys(output[0] ?? {})));
		}
		// The sandbox has no file with the case's name.
		if (operation !== 'file.getAll') expect(outputs).not.toEqual([]);
	}

	function expectRequests(exchanges: OperationCase['exchanges'], service: Service): void {
		const prefix = new URL(service.baseUrl).pathname;
		const sent = service.requests.map(({ method, rawPath, body }) => [
			normalized(`${method} ${rawPath.slice(prefix.length)}`),
			body,
		]);
		expect(sent).toEqual(
			// The sandbox doesn't keep the content of files.
			exchanges.map(({ request, body }) => [
				normalized(request),
				typeof body === 'string' ? undefined : body,
			]),
		);
	}

	function fileNode({ name }: { name: string }): NodeDraft {
		return {
			name: 'File',
			type: 'n8n-nodes-base.convertToFile',
			typeVersion: 1.1,
			parameters: {
				operation: 'toText',
				sourceProperty: 'content',
				options: { fileName: name },
			},
		};
	}
});
