import { PACKAGE, additionalData, node, nodeClasses, nodeTypes } from './harness';

import { CredentialTestContext, ExecuteContext, LoadOptionsContext } from 'n8n-core';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INode,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';

/** Runs the parts of n8n outside workflow executions: credential tests, searchable lists, tools. */

function workflowOf(nodes: INode[], connections: IConnections = {}): Workflow {
	return new Workflow({ id: 'context-test', nodes, connections, active: false, nodeTypes });
}

type Credentials = Record<string, ICredentialDataDecryptedObject>;

/** The node under test. */
function subjectOf(type: string, parameters: INodeParameters, credentials: Credentials): INode {
	const names = Object.keys(credentials).map((name) => [name, { id: name, name }]);
	return { ...node('Subject', type, parameters), credentials: Object.fromEntries(names) };
}

/**
 * Tests a credential as n8n's `credentials-tester.service` does, which n8n-core doesn't contain:
 * with the function that a node names in `testedBy` for this type.
 */
export async function testCredential(
	type: string,
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	for (const { description, methods } of Object.values(nodeClasses)) {
		const used = description.credentials?.find(({ name }) => name === type);
		const test = methods?.credentialTest?.[String(used?.testedBy)];
		if (test) return await test.call(new CredentialTestContext(), { id: '', name: '', type, data });
	}
	throw new Error(`No node tests ${type}`);
}

interface ListRequest {
	/** What the user typed. */
	filter?: string;
	/** Requests the next page. */
	token?: string;
	/** What the node's panel currently contains. */
	parameters?: INodeParameters;
}

/** The node of a type as the editor calls it, with what its panel currently contains. */
function inEditor(type: string, credentials: Credentials, parameters: INodeParameters) {
	const subject = subjectOf(`${PACKAGE}.${type}`, {}, credentials);
	const additional = { ...additionalData(credentials), currentNodeParameters: parameters };
	const context = new LoadOptionsContext(workflowOf([subject]), subject, additional, '');
	return {
		methods: nodeClasses[subject.type]!.methods!,
		context: context as ILoadOptionsFunctions,
	};
}

/** Opens a "From List" field of a node, as the editor does. */
export async function searchList(
	type: string,
	method: string,
	credentials: Credentials,
	{ filter, token, parameters = {} }: ListRequest = {},
): Promise<INodeListSearchResult> {
	const { methods, context } = inEditor(type, credentials, parameters);
	return await methods.listSearch![method]!.call(context, filter, token);
}

interface Tool {
	name: string;
	description: string;
	schema: { shape: Record<string, unknown> };
	invoke(args: Record<string, unknown>): Promise<string>;
}

/**
 * Lets an agent call a node as a tool, which n8n-core creates.
 *
 * @param calls the arguments of each call; with `atOnce`, the calls run in parallel
 * @returns the tool, and the answer or error message of each call
 */
export async function callAsTool(
	type: string,
	parameters: INodeParameters,
	credentials: Credentials,
	calls: Array<Record<string, unknown>>,
	settings: Partial<INode> = {},
	{ atOnce = false } = {},
): Promise<{ tool: Tool; answers: string[] }> {
	const toolType = `${PACKAGE}.${type}Tool`;
	nodeClasses[toolType] ??= asTool(nodeClasses[`${PACKAGE}.${type}`]!);
	const answers: string[] = [];
	let seen: Tool | undefined;
	nodeClasses['test.agent'] = agent(async function (this: IExecuteFunctions) {
		const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as [Tool];
		seen = tool;
		const call = async (args: Record<string, unknown>) =>
			await tool.invoke(args).catch((error: Error) => error.message);
		if (atOnce) answers.push(...(await Promise.all(calls.map(call))));
		else for (const args of calls) answers.push(await call(args));
		return [[{ json: {} }]];
	});
	const subject = { ...subjectOf(toolType, parameters, credentials), ...settings };
	const parent = node('Agent', 'test.agent', {});
	const workflow = workflowOf([subject, parent], {
		Subject: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
	});
	const runData = createRunExecutionData({});
	const main = [[{ json: {} }]];
	const context = new ExecuteContext(
		workflow,
		parent,
		additionalData(credentials),
		'manual',
		runData,
		0,
		main[0]!,
		{ main },
		{ node: parent, data: { main }, source: null },
		[],
		new AbortController().signal,
	);
	await workflow.expression.acquireIsolate();
	try {
		await nodeClasses['test.agent'].execute!.call(context as unknown as IExecuteFunctions);
	} finally {
		await workflow.expression.releaseIsolate();
	}
	return { tool: seen!, answers };
}

/** The tool that n8n creates from a node with `usableAsTool`. */
function asTool(nodeType: INodeType): INodeType {
	const description = Object.assign(
		Object.create(nodeType.description) as INodeType['description'],
		{ name: `${nodeType.description.name}Tool`, inputs: [], outputs: ['ai_tool'] },
	);
	return Object.create(nodeType, { description: { value: description } }) as INodeType;
}

function agent(execute: NonNullable<INodeType['execute']>): INodeType {
	return {
		description: {
			...nodeClasses['test.items']!.description,
			name: 'agent',
			inputs: ['main', { type: 'ai_tool' }],
		},
		execute,
	};
}
