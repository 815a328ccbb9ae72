import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';

import { normalized } from './operationCase';
import type { Exchange } from './operationCase';

export interface ReceivedRequest {
	/** e.g. `GET /api/campaigns?limit=50&page=1`. */
	request: string;
	headers: IncomingHttpHeaders;
	/** Parsed where it is JSON. */
	body: unknown;
	/** Whether a case expects it. */
	expected: boolean;
}

export interface DocumentedServer {
	baseUrl: string;
	received: ReceivedRequest[];
	close(): Promise<void>;
}

/** Answers exactly the requests of a case, as often as they come, and notes all others. */
export async function documentedServer(exchanges: Exchange[]): Promise<DocumentedServer> {
	const received: ReceivedRequest[] = [];
	const server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const request = `${incoming.method} ${incoming.url}`;
			const { headers } = incoming;
			const body = bodyOf(Buffer.concat(chunks), headers);
			const match = exchanges.find(
				(each) =>
					normalized(each.request) === normalized(request) && isDeepStrictEqual(each.body, body),
			);
			received.push({ request, headers, body, expected: match !== undefined });
			outgoing.writeHead(match ? 200 : 404, {
				'Content-Type': 'application/json',
				// More than any test needs: they must not wait for the documented limits.
				'X-RateLimit-Limit': '1000000',
				'X-RateLimit-Remaining': '999999',
			});
			outgoing.end(JSON.stringify(match ? match.response : { error: 1, message: 'Unexpected' }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { baseUrl: `http://127.0.0.1:${port}`, received, close: async () => await closed(server) };
}

function bodyOf(content: Buffer, headers: IncomingHttpHeaders): unknown {
	const text = content.toString();
	if (text === '') return undefined;
	return headers['content-type'] === 'application/json' ? (JSON.parse(text) as unknown) : text;
}

async function closed(server: Server): Promise<void> {
	await new Promise((resolve) => server.close(resolve));
}
