import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { companyRegistryCases } from './support/companyRegistryCases';
import { linkManagementCases } from './support/linkManagementCases';
import { byId, type OperationCase } from './support/operationCase';
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
} from './support/workflows';

const NODE = 'Operation';

let stage: Stage;

beforeAll(async () => {
	stage = await startStage();
});

afterAll(async () => await stage?.cleanup.run());

beforeEach(() => stage.sandbox.reset());

describe('every operation in a running n8n', () => {
	it.each(titled(linkManagementCases))('Link Management: %s', async (_title, operationCase) => {
		const parameters = parametersOf(operationCase);
		await check(operationCase, linkManagement(NODE, stage.credentials.links, parameters));
	});

	it.each(titled(companyRegistryCases))(
		'Company Registry: %s',
		async (_title, { credential, ...operationCase }) => {
			const reference = credential && stage.credentials[credential];
			const parameters = parametersOf(operationCase);
			await check(operationCase, companyRegistry(NODE, reference, parameters));
		},
	);

	it('leaves none out', async () => {
		const nodes = await stage.api.nodeTypes();
		for (const [name, cases] of [
			['linkManagement', linkManagementCases],
			['companyRegistry', companyRegistryCases],
		] as const) {
			const node = nodes.find((type) => type.name === `${stage.manifest.name}.${name}`);
			const offered = node ? operationsOf(node).map((words) => words.join(', ')) : [];
			const covered = cases.map(({ resource, operation }) => `${resource}, ${operation}`);
			expect([...new Set(covered)].sort()).toEqual(offered.sort());
		}
	});

	function titled<Case extends OperationCase & { credential?: string }>(
		cases: Case[],
	): Array<[string, Case]> {
		return cases.map((operationCase) => {
			const { resource, operation, credential } = operationCase;
			return [`${resource}, ${operation}${credential ? ` (${credential})` : ''}`, operationCase];
		});
	}

	function parametersOf({ resource, operation, parameters }: OperationCase): INodeParameters {
		return { resource, operation, ...parameters };
	}

	/** Runs the operation and compares its output with the case, row by row. */
	async function check(operationCase: OperationCase, node: NodeDraft): Promise<void> {
		const { rows, before, expected, after, resource, operation } = operationCase;
		const wanted = expected(stage.sandbox);
		const nodes = [...startWith(rows), ...(before ? [before] : []), node];
		const execution = await runByHand(stage.api, chain(`${resource}, ${operation}`, nodes));
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(outputOf(execution, NODE)).toEqual(
			wanted.flatMap((records, from) =>
				records.map((record) => ({ json: expect.objectContaining(record), from })),
			),
		);
		after?.(stage.sandbox);
	}
});

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
			message: /"Company".*1000600900003.*item 1/,
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
