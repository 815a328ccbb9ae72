import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';

import { fakeService } from '../fakeService';
import { normalized } from './operationCase';
import type { Exchange } from './operationCase';

export interface ReceivedRequest {
	/** e.g. `GET /api/campaigns?limit=50&page=1`. */
	request: string;
	headers: IncomingHttpHeaders;
	/** Parsed if it is JSON. */
	body: unknown;
	/** Whether a case expects it. */
	expected: boolean;
}

export interface DocumentedServer {
	baseUrl: string;
	received: ReceivedRequest[];
	close(): Promise<void>;
}

/** Responds to exactly the requests of a case, as often as they come, and records all others. */
export async function documentedServer(exchanges: Exchange[]): Promise<DocumentedServer> {
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
			? { body: match.response }
			: { status: 404, body: { error: 1, message: 'Unexpected' } };
	});
	return { baseUrl, received, close };
}
