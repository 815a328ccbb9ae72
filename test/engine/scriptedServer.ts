import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedRequest {
	method: string;
	/** Without the query. */
	path: string;
	query: URLSearchParams;
	/** Ms since the epoch, in real time. */
	at: number;
}

export interface ScriptedResponse {
	status?: number;
	headers?: Record<string, string | number>;
	/** Text as is, anything else as JSON. */
	body?: unknown;
}

export interface ScriptedServer {
	baseUrl: string;
	/** A credential for the server, with a key of its own. */
	credential: { baseUrl: string; apiKey: string };
	requests: ScriptedRequest[];
}

const running: Server[] = [];
let servers = 0;

afterEach(async () => {
	for (const server of running.splice(0)) {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
});

/** A server over real HTTP that responds as a function says. Ends with the test. */
export async function scriptedServer(
	respond: (request: ScriptedRequest, count: number) => ScriptedResponse,
): Promise<ScriptedServer> {
	const requests: ScriptedRequest[] = [];
	const server = createServer((incoming, outgoing) => {
		const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://localhost');
		const request: ScriptedRequest = {
			method: incoming.method ?? '',
			path: pathname,
			query: searchParams,
			at: Date.now(),
		};
		incoming.resume().on('end', () => {
			requests.push(request);
			const { status = 200, headers = {}, body = { error: 0 } } = respond(request, requests.length);
			outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
			outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	running.push(server);
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return { baseUrl, credential: { baseUrl, apiKey: `key-${process.pid}-${++servers}` }, requests };
}
