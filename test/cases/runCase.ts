import { runNode } from '../engine/harness';
import type { NodeOutcome, NodeRun } from '../engine/harness';

import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../nodes/CompanyRegistry/service';
import type { NodeName } from '.';
import { documentedServer } from './documentedServer';
import type { ReceivedRequest } from './documentedServer';
import type { OperationCase } from './operationCase';

export interface CaseOutcome extends NodeOutcome {
	received: ReceivedRequest[];
	credential: ICredentialDataDecryptedObject;
}

/** Runs a case through n8n's engine, against a server that answers as the API documents it. */
export async function runCase(
	node: NodeName,
	operationCase: OperationCase,
	{ variant, ...more }: Partial<NodeRun> & { variant?: Variant } = {},
): Promise<CaseOutcome> {
	const server = await documentedServer(operationCase.exchanges);
	try {
		const { baseUrl, received } = server;
		const credential = credentialFor(node, baseUrl, variant ?? variantOf(operationCase));
		const outcome = await runNode({
			type: node,
			parameters: parametersOf(operationCase),
			credentials: { [`${node}Api`]: credential },
			items: [itemOf(operationCase)],
			...more,
		});
		return { ...outcome, received, credential };
	} finally {
		await server.close();
	}
}

export function variantOf({ variants }: OperationCase): Variant {
	return variants?.[0] ?? 'v1';
}

let keys = 0;

/** A key of its own: the process keeps one limiter per key. */
export function credentialFor(
	node: NodeName,
	baseUrl: string,
	variant: Variant,
	apiKey = `secret-key-${process.pid}-case-${++keys}`,
): ICredentialDataDecryptedObject {
	if (node === 'linkManagement') return { baseUrl, apiKey };
	const plan = { plan: 'custom', requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 };
	return { variant, baseUrl, apiKey, ...plan };
}

/** The parameters with the resource and the operation. */
export function parametersOf({ operation, parameters }: OperationCase): INodeParameters {
	const [resource = '', name = ''] = operation.split('.');
	return { resource, operation: name, ...parameters };
}

/** The input item. */
export function itemOf({ input = {}, file }: OperationCase) {
	if (!file) return { json: input };
	const { name, mimeType, content } = file;
	const data = { data: Buffer.from(content).toString('base64'), mimeType, fileName: name };
	return { json: input, binary: { data } };
}

/** Chosen in the panel: n8n allows no expression there, or the value belongs to the field itself. */
const LITERAL = ['resource', 'operation', '__rl', 'mode'];

/** The parameters with every value left to an expression, and the fields that the input then has. */
export function byExpressions(operationCase: OperationCase): {
	parameters: INodeParameters;
	fields: IDataObject;
} {
	const fields: IDataObject = {};
	const leave = (name: string, value: unknown): unknown => {
		if (LITERAL.includes(name)) return value;
		if (typeof value === 'object' && value !== null) return leaveIn(value);
		const field = `${name}_${Object.keys(fields).length}`;
		fields[field] = value as IDataObject[string];
		return `={{ $json.${field} }}`;
	};
	const leaveIn = (values: object): object =>
		Object.fromEntries(Object.entries(values).map(([name, value]) => [name, leave(name, value)]));
	return { parameters: leaveIn(parametersOf(operationCase)) as INodeParameters, fields };
}
