import { callAsTool } from './contexts';
import { jsonOf, nodeClasses, PACKAGE } from './harness';

import type { IDataObject } from 'n8n-workflow';

import { operationsIn } from '../../nodes/shared/node/operation';
import { CASES, type NodeName, type OperationCase } from '../cases';
import { byAgent, byExpressions, hasFile, itemOf, normalized } from '../cases/operationCase';
import { credentialFor, documentedServer, runCase, type ReceivedRequest } from '../cases/runCase';
import { pairedWith } from './support';

const NODES = Object.keys(CASES) as NodeName[];

const described = (node: NodeName) => nodeClasses[`${PACKAGE}.${node}`]!.description;

/** Every case of both nodes, with a name. */
const cases = NODES.flatMap((node) =>
	CASES[node].map((each) => [`${node} ${each.operation} (${each.variant})`, node, each] as const),
);

/** Those that are a single request of n8n's. The body of an upload is a file. */
const declared = cases.filter(([, node, { operation, exchanges }]) => {
	const all = operationsIn(described(node).properties);
	const { option } = all.find(
		(each) => operation === `${each.resource}.${String(each.option.value)}`,
	)!;
	return option.routing.request && exchanges.length === 1 && operation !== 'file.upload';
});

/** Documented output must match exactly. */
function expectOutput(records: IDataObject[], { output, isDocumented }: OperationCase, times = 1) {
	const again = output.map((item) => ('created' in item ? { ...item, created: false } : item));
	const expected = Array.from({ length: times }, (_, at) => (at === 0 ? output : again)).flat();
	if (isDocumented) expect(records).toEqual(expected);
	else expect(records).toMatchObject(expected);
}

const unexpected = (received: ReceivedRequest[]) =>
	received.filter(({ expected }) => !expected).map(({ request, body }) => ({ request, body }));

test.each(NODES)('every operation of %s has a case', (node) => {
	const offered = operationsIn(described(node).properties).map(
		({ resource, option }) => `${resource}.${String(option.value)}`,
	);
	expect([...new Set(CASES[node].map(({ operation }) => operation))].sort()).toEqual(
		offered.sort(),
	);
});

describe('Operation', () => {
	test.each(declared)('%s sends what n8n sends without its code', async (_, _node, each) => {
		const ours = await runCase(each);
		const theirs = await runCase(each, { declared: true });
		// The node reads lists page by page.
		const sent = ({ received }: typeof ours) =>
			received.map(({ request, body }) => [
				normalized(request.replace(/\b(limit|page)=\d+&?/g, '')),
				body,
			]);
		expect(sent(theirs)).toEqual(sent(ours));
	});

	test.each(cases)('%s takes its values from expressions, item by item', async (_, _node, each) => {
		const { parameters, fields } = byExpressions(each);
		const item = itemOf(each);
		const { items, error, received } = await runCase(each, {
			parameters,
			items: [1, 2].map(() => ({ ...item, json: { ...item.json, ...fields } })),
		});
		expect(error).toBeUndefined();
		expect(unexpected(received)).toEqual([]);
		expectOutput(jsonOf(items), each, 2);
		expect(pairedWith(items)).toEqual([0, 1].flatMap((index) => each.output.map(() => index)));
	});

	// A tool gets no files that it could upload.
	test.each(cases.filter(([, , each]) => !hasFile(each)))(
		'%s can be used by an agent',
		async (_, node, each) => {
			const { baseUrl, received } = await documentedServer(each.exchanges);
			const { parameters, args } = byAgent(each);
			const credential = credentialFor(each, baseUrl);
			const credentials = { [`${node}Api`]: credential };
			// A search answers a model briefly, unless the tool says otherwise.
			const whole = each.operation === 'company.search' ? { output: 'raw' } : {};
			const all = { ...whole, ...parameters };
			const { tool, answers } = await callAsTool(node, all, credentials, [args]);
			expect(tool.description).toMatch(/^[A-Z].* in [A-Z]/);
			// If the list continues, a notice for the agent follows the records.
			const records = JSON.parse(answers[0]!) as IDataObject[];
			expectOutput(
				records.filter(({ truncated }) => !truncated),
				each,
			);
			expect(unexpected(received)).toEqual([]);
			expect(received).toHaveLength(each.exchanges.length);
		},
	);

	// Documented operations share one code path for failures; these have their own requests. For Enrich,
	// a rejected search is a row's result.
	const composed = cases.filter(
		([, , { isDocumented, exchanges, operation }]) =>
			!isDocumented && exchanges.length > 0 && operation !== 'company.enrich',
	);
	test.each(composed)(
		'%s returns one error item per failed item with On Error: Continue',
		async (_, _node, each) => {
			const broken = each.exchanges.map((exchange) => ({
				...exchange,
				response: { error: 1, success: false, message: 'Broken on purpose' },
			}));
			const { items, error } = await runCase(
				{ ...each, exchanges: broken },
				{ settings: { onError: 'continueRegularOutput' }, items: [itemOf(each), itemOf(each)] },
			);
			expect(error).toBeUndefined();
			expect(pairedWith(items)).toEqual([0, 1]);
			for (const record of jsonOf(items)) {
				expect(record).toEqual({
					error: expect.stringMatching(/^Broken on purpose.*\. \w.*\.$/) as string,
				});
			}
		},
	);
});
