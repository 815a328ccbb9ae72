import { runNode, type NodeOutcome, type NodeRun } from '../engine/harness';

import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { fakeService } from '../fakeService';
import { itemOf, normalized, parametersOf, type Exchange, type Scene } from './operationCase';

export interface ReceivedRequest {
	/** e.g. `GET /api/campaigns?limit=50&page=1`. */
	request: string;
	headers: IncomingHttpHeaders;
	/** Parsed if the request is JSON. */
	body: unknown;
	/** Whether the case expects this request. */
	expected: boolean;
}

interface CaseOutcome extends NodeOutcome {
	received: ReceivedRequest[];
	credential: ICredentialDataDecryptedObject;
}

/** Answers the requests of a case, however often they come, and any other with 404. */
export async function documentedServer(exchanges: Exchange[]) {
	const received: ReceivedRequest[] = [];
	const { baseUrl, close } = await fakeService(({ method, url, headers, text, json }) => {
		const request = `${method} ${url}`;
		const isJson = headers['content-type'] === 'application/json';
		const body = text === '' ? undefined : isJson ? json : text;
		const match = exchanges.find(
			(each) =>
				normalized(each.request) === normalized(request) && isDeepStrictEqual(each.body, body),
		);
		received.push({ request, headers, body, expected: match !== undefined });
		return match
			? { status: match.status, body: match.response }
			: { status: 404, body: { error: 1 } };
	});
	return { baseUrl, received, close };
}

/** Runs a scene through n8n's engine, against a server that answers as documented. */
export async function runCase(scene: Scene, more: Partial<NodeRun> = {}): Promise<CaseOutcome> {
	const server = await documentedServer(scene.exchanges);
	try {
		const { baseUrl, received } = server;
		const credential = credentialFor(scene, baseUrl);
		const outcome = await runNode({
			type: scene.node,
			parameters: parametersOf(scene),
			credentials: { [`${scene.node}Api`]: credential },
			items: [itemOf(scene)],
			...more,
		});
		return { ...outcome, received, credential };
	} finally {
		await server.close();
	}
}

let keys = 0;

/** A new key by default, because the process keeps one limiter per key. */
export function credentialFor(
	{ node, variant }: Pick<Scene, 'node' | 'variant'>,
	baseUrl: string,
	apiKey = `secret-key-${process.pid}-case-${++keys}`,
): ICredentialDataDecryptedObject {
	if (node === 'linkManagement') return { baseUrl, apiKey };
	const plan = { plan: 'custom', requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 };
	return { variant, baseUrl, apiKey, ...plan };
}
