import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface FakeRequest {
	method: string;
	/** The path without the query. */
	path: string;
	query: URLSearchParams;
	/** Path and query as they were sent. */
	url: string;
	headers: IncomingHttpHeaders;
	text: string;
	/** The parsed body; undefined if it isn't JSON. */
	json: unknown;
	/** Counts from 1. */
	number: number;
}

export interface FakeResponse {
	/** Default: 200. */
	status?: number;
	headers?: Record<string, string | number>;
	/** Text and bytes are sent as they are, anything else as JSON. */
	body?: unknown;
}

/**
 * Answers a request with a response or with a JSON value, or breaks the connection if it returns
 * undefined. An object with any key besides `status`, `headers` and `body` is a JSON value.
 */
export type Respond = (request: FakeRequest) => unknown;

export interface FakeService {
	baseUrl: string;
	/** Differs per service, because the process keeps one rate limiter per key. */
	apiKey: string;
	credential: { baseUrl: string; apiKey: string };
	requests: FakeRequest[];
	/** Each request as `GET /api/campaigns?page=1`. */
	lines(): string[];
	/** Only needed within a test: services that are still running are closed at the end of the file. */
	close(): Promise<void>;
}

/** More requests than any test sends, so that the documented limits don't slow tests down. */
const PLENTY = { 'x-ratelimit-limit': 1_000_000, 'x-ratelimit-remaining': 999_999 };

const running = new Set<FakeService>();
let started = 0;

// Outside Jest, the caller closes its services.
if (typeof afterAll === 'function') {
	afterAll(async () => {
		await Promise.all([...running].map(async (service) => await service.close()));
	});
}

/**
 * Starts an HTTP service on a free port that answers with `respond`.
 *
 * @param headers default headers of every response; `{}` for a service without rate-limit headers
 */
export async function fakeService(
	respond: Respond,
	{ headers: defaults = PLENTY }: { headers?: Record<string, string | number> } = {},
): Promise<FakeService> {
	const requests: FakeRequest[] = [];
	const server = createServer(async (incoming, outgoing) => {
		const chunks: Buffer[] = [];
		try {
			for await (const chunk of incoming) chunks.push(chunk as Buffer);
		} catch {
			return; // The caller hung up.
		}
		const text = Buffer.concat(chunks).toString();
		const { method = '', url = '/', headers } = incoming;
		const { pathname: path, searchParams: query } = new URL(url, 'http://localhost');
		const number = requests.length + 1;
		const json = parsed(text);
		const request = { method, path, query, url, headers, text, json, number };
		requests.push(request);
		let result: unknown;
		try {
			result = await respond(request);
		} catch (error) {
			result = { status: 500, body: `The fake service failed: ${String(error)}` };
		}
		if (result === undefined) {
			incoming.socket.destroy();
			return;
		}
		const response = isResponse(result) ? result : { body: result };
		const { status = 200, headers: own, body = '' } = response;
		const type =
			typeof body === 'string' && parsed(body) === undefined ? 'text/html' : 'application/json';
		outgoing.writeHead(status, { 'content-type': type, ...defaults, ...own });
		outgoing.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const apiKey = `secret-key-${process.pid}-${++started}`;
	const service: FakeService = {
		baseUrl,
		apiKey,
		credential: { baseUrl, apiKey },
		requests,
		lines: () => requests.map(({ method, url }) => `${method} ${url}`),
		async close() {
			if (!running.delete(service)) return;
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
	running.add(service);
	return service;
}

function isResponse(result: unknown): result is FakeResponse {
	if (typeof result !== 'object' || result === null) return false;
	const { status } = result as FakeResponse;
	const keys = Object.keys(result);
	const isKnown = keys.every((key) => ['status', 'headers', 'body'].includes(key));
	return keys.length > 0 && isKnown && (status === undefined || typeof status === 'number');
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
