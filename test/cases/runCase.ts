import { runNode } from '../engine/harness';
import type { NodeOutcome, NodeRun } from '../engine/harness';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Variant } from '../../nodes/CompanyRegistry/service';
import type { NodeName } from '.';
import { documentedServer } from './documentedServer';
import type { ReceivedRequest } from './documentedServer';
import { itemOf, parametersOf, variantOf } from './operationCase';
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
