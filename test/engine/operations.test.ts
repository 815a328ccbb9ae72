import { callAsTool } from './contexts';
import { jsonOf, nodeClasses, PACKAGE } from './harness';

import type { IDataObject } from 'n8n-workflow';

import { operationsIn } from '../../nodes/shared/node/operation';
import { CASES } from '../cases';
import type { NodeName, OperationCase } from '../cases';
import { byExpressions, itemOf, byAgent, normalized, variantOf } from '../cases/operationCase';
import { credentialFor, documentedServer, runCase } from '../cases/runCase';
import type { ReceivedRequest } from '../cases/runCase';
import { pairedWith } from './support';

const NODES = Object.keys(CASES) as NodeName[];

/** Every case of both nodes, with a name. */
const cases = NODES.flatMap((node) =>
	CASES[node].map((each) => {
		const variant = each.variants ? ` (${each.variants.join(', ')})` : '';
		return [`${node} ${each.operation}${variant}`, node, each] as const;
	}),
);

const described = (node: NodeName) => nodeClasses[`${PACKAGE}.${node}`]!.description;

/** A case of the node's own may leave fields out; documented output must match exactly. */
function expectOutput(records: IDataObject[], { output, documented }: OperationCase, times = 1) {
	const again = output.map((item) => ('created' in item ? { ...item, created: false } : item));
	const expected = Array.from({ length: times }, (_, at) => (at === 0 ? output : again)).flat();
	if (documented) expect(records).toEqual(expected);
	else expect(records).toMatchObject(expected);
}

/** The output where there is no input item, as in an agent's tool. */
function withoutInput({ input = {}, output }: OperationCase): IDataObject[] {
	return output.map((record) =>
		Object.fromEntries(Object.entries(record).filter(([name]) => !(name in input))),
	);
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

describe('an operation', () => {
	test.each(cases)('%s sends what the API documents and nothing else', async (_, node, each) => {
		const { items, error, received, credential } = await runCase(node, each);
		expect(error).toBeUndefined();
		expect(received.map(({ request, body }) => [normalized(request), body])).toEqual(
			each.exchanges.map(({ request, body }) => [normalized(request), body]),
		);
		for (const { headers, body } of received) {
			expect(headers).toMatchObject(
				node === 'linkManagement'
					? { authorization: `Bearer ${String(credential.apiKey)}` }
					: { 'x-api-key': credential.apiKey },
			);
			expect(headers.accept).toBe('application/json');
			const type = each.file?.mimeType ?? (body === undefined ? undefined : 'application/json');
			expect(headers['content-type']).toBe(type);
		}
		expectOutput(jsonOf(items), each);
		expect(JSON.stringify(items)).not.toContain('pass word');
	});

	test.each(cases)('%s takes its values from expressions, item by item', async (_, node, each) => {
		const { parameters, fields } = byExpressions(each);
		const item = itemOf(each);
		const { items, error, received } = await runCase(node, each, {
			parameters,
			items: [1, 2].map(() => ({ ...item, json: { ...item.json, ...fields } })),
		});
		expect(error).toBeUndefined();
		expect(unexpected(received)).toEqual([]);
		expectOutput(jsonOf(items), each, 2);
		expect(pairedWith(items)).toEqual([0, 1].flatMap((index) => each.output.map(() => index)));
	});

	// A tool gets no files, so nothing could be uploaded.
	test.each(cases.filter(([, , { file }]) => !file))(
		'%s can be used by an agent',
		async (_, node, each) => {
			const { baseUrl, received } = await documentedServer(each.exchanges);
			const { parameters, args } = byAgent(each);
			const credential = credentialFor(node, baseUrl, variantOf(each));
			const credentials = { [`${node}Api`]: credential };
			const { tool, answers } = await callAsTool(node, parameters, credentials, [args]);
			expect(tool.description).toMatch(/^[A-Z].* in [A-Z]/);
			// Where the list has more pages, a notice to the agent follows the records.
			const records = JSON.parse(answers[0]!) as IDataObject[];
			expectOutput(
				records.filter(({ truncated }) => !truncated),
				{ ...each, output: withoutInput(each) },
			);
			expect(unexpected(received)).toEqual([]);
			expect(received).toHaveLength(each.exchanges.length);
		},
	);

	// An operation of the API is one request, and fails where all such operations do.
	test.each(cases.filter(([, , { documented }]) => !documented))(
		'%s returns one error item if it fails with Continue',
		async (_, node, each) => {
			const broken = each.exchanges.map((exchange) => ({
				...exchange,
				response: { error: 1, success: false, message: 'Broken on purpose' },
			}));
			const { items, error } = await runCase(
				node,
				{ ...each, exchanges: broken },
				{ settings: { onError: 'continueRegularOutput' }, items: [itemOf(each), itemOf(each)] },
			);
			expect(error).toBeUndefined();
			if (each.exchanges.length === 0) return;
			expect(pairedWith(items)).toEqual([0, 1]);
			for (const record of jsonOf(items)) {
				expect(record).toEqual({
					error: expect.stringMatching(/^Broken on purpose.*\. \w.*\.$/) as string,
				});
			}
		},
	);
});
