import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { LoggedRequest } from '../../sandbox';
import { CASES, companyRegistryCases, linkManagementCases } from '../cases';
import type { OperationCase } from '../cases';
import { normalized, parametersOf, variantOf } from '../cases/operationCase';
import { operationsOf } from './support/operations';
import { startStage, type Stage } from './support/stage';
import {
	chain,
	companyRegistry,
	linkManagement,
	outputOf,
	passOn,
	runByHand,
	startWith,
	type NodeDraft,
	type Output,
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

	it('leaves none out', async () => {
		const nodes = await stage.api.nodeTypes();
		for (const [name, cases] of Object.entries(CASES)) {
			const node = nodes.find((type) => type.name === `${stage.manifest.name}.${name}`);
			const offered = node ? operationsOf(node).map((words) => words.join('.')) : [];
			const covered = cases.map(({ operation }) => operation);
			expect([...new Set(covered)].sort()).toEqual(offered.sort());
		}
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

/** A record chosen by the id in a field of the item. */
function byId(field: string): INodeParameters {
	return { __rl: true, mode: 'id', value: `={{ $json.${field} }}` };
}

describe('items that fail in a running n8n', () => {
	const UNKNOWN_CAMPAIGN = 99_999;
	const BAD_IDNO = '1000600900003';
	const FAILING = [
		{
			node: 'Link Management',
			rows: [{ id: 3 }, { id: UNKNOWN_CAMPAIGN }, { id: 4 }],
			draft: (settings: Partial<NodeDraft>) =>
				linkManagement(
					NODE,
					stage.credentials.links,
					{ resource: 'campaign', operation: 'delete', campaignId: byId('id') },
					settings,
				),
			good: [
				{ deleted: true, id: 3 },
				{ deleted: true, id: 4 },
			],
			message: /Campaign does not exist.*item 1/,
		},
		{
			node: 'Company Registry',
			rows: [{ idno: '1000600900002' }, { idno: BAD_IDNO }, { idno: '1001600900009' }],
			draft: (settings: Partial<NodeDraft>) =>
				companyRegistry(
					NODE,
					stage.credentials.registry,
					{ resource: 'company', operation: 'get', idno: '={{ $json.idno }}' },
					settings,
				),
			good: [{ idno: '1000600900002' }, { idno: '1001600900009' }],
			message: /"Company Name or IDNO".*1000600900003.*item 1/,
		},
	];

	it.each(FAILING)(
		'$node stops the workflow with an error that names the item',
		async ({ rows, draft, message }) => {
			const execution = await run(rows, draft({}));
			expect(execution.status).toBe('error');
			expect(execution.error?.message).toMatch(message);
			expect(execution.error?.description).toBeTruthy();
		},
	);

	it.each(FAILING)(
		'$node returns one error item and pairs each item if it continues on errors',
		async ({ rows, draft, good, message }) => {
			const execution = await run(rows, draft({ onError: 'continueRegularOutput' }));
			expect(execution.status).toBe('success');
			expect(outputOf(execution, NODE)).toEqual([
				record(good[0], 0),
				record({ error: expect.stringMatching(message) }, 1),
				record(good[1], 2),
			]);
		},
	);

	it.each(FAILING)(
		'$node puts the error item, paired, on the error output when told to',
		async ({ rows, draft, good, message }) => {
			const node = draft({ onError: 'continueErrorOutput' });
			const workflow = chain(
				'Error output',
				[...startWith(rows), node, passOn('Good')],
				[{ from: NODE, output: 1, to: passOn('Bad') }],
			);
			const execution = await runByHand(stage.api, workflow);
			expect(execution.status).toBe('success');
			expect(outputOf(execution, NODE, 0)).toEqual([record(good[0], 0), record(good[1], 2)]);
			expect(outputOf(execution, NODE, 1)).toEqual([
				record({ error: expect.stringMatching(message) }, 1),
			]);
			expect(outputOf(execution, 'Bad')).toHaveLength(1);
		},
	);

	async function run(rows: IDataObject[], node: NodeDraft) {
		return await runByHand(stage.api, chain('Failing items', [...startWith(rows), node]));
	}

	function record(fields: object | undefined, from: number): Output {
		return { json: expect.objectContaining(fields ?? {}) as IDataObject, from };
	}
});
