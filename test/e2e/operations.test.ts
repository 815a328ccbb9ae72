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

// Every operation has a case, and what a failed item becomes: test/engine/operations.test.ts.
describe('every operation in a running n8n', () => {
	it.each(titled(linkManagementCases))('Link Management: %s', async (_title, each) => {
		const node = linkManagement(NODE, stage.credentials.links, parametersOf(each));
		await check(each, node, stage.sandbox.links);
	});

	it.each(titled(companyRegistryCases))('Company Registry: %s', async (_title, each) => {
		const variant = variantOf(each);
		const { registry, registryUnversioned } = stage.credentials;
		const credential = variant === 'v1' ? registry : registryUnversioned;
		// The check of an IDNO needs no credential.
		const reference = each.exchanges.length > 0 ? credential : undefined;
		const node = companyRegistry(NODE, reference, parametersOf(each));
		await check(each, node, stage.sandbox.registry[variant]);
	});

	function titled(cases: OperationCase[]): Array<[string, OperationCase]> {
		return cases.map((each) => [`${each.operation} ${each.variants?.[0] ?? ''}`.trim(), each]);
	}

	/** Runs the case against the sandbox: the requests are the case's, and so are the fields. */
	async function check(
		{ operation, documented, input = {}, file, exchanges, output }: OperationCase,
		node: NodeDraft,
		service: Service,
	): Promise<void> {
		const rows = [{ ...input, content: file?.content }];
		const nodes = [...startWith(rows), ...(file ? [fileNode(file)] : []), node];
		const execution = await runByHand(stage.api, chain(operation, nodes));
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		// An operation of the node's own may need more requests in the sandbox, e.g. for further pages.
		if (documented) expectRequests(exchanges, service);
		const outputs = outputOf(execution, NODE);
		for (const { json, from } of outputs) {
			expect(from).toBe(0);
			expect(Object.keys(json)).toEqual(expect.arrayContaining(Object.keys(output[0] ?? {})));
		}
		// The sandbox has no file of the case's name.
		if (operation !== 'file.getAll') expect(outputs).not.toEqual([]);
	}

	function expectRequests(exchanges: OperationCase['exchanges'], service: Service): void {
		const prefix = new URL(service.baseUrl).pathname;
		const sent = service.requests.map(({ method, rawPath, body }) => [
			normalized(`${method} ${rawPath.slice(prefix.length)}`),
			body,
		]);
		expect(sent).toEqual(
			// The sandbox keeps no content of files.
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
