import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came in. */
export interface ReceivedRequest {
	method: string;
	/** Path and query. */
	url: string;
	headers: Record<string, unknown>;
	body: string;
}

export type Respond = (request: {
	method: string;
	url: URL;
	body: string;
	/** From 1. */
	number: number;
}) => { status?: number; body: unknown; headers?: Record<string, string> };

export interface ServiceUnderTest {
	baseUrl: string;
	/** Differs for each service: the process keeps one rate limiter per key. */
	apiKey: string;
	requests: ReceivedRequest[];
}

const closing: Array<() => Promise<void>> = [];
let services = 0;

afterEach(async () => {
	await Promise.all(closing.splice(0).map(async (close) => await close()));
});

/** A service of which the test decides every response; it has no rate limit. */
export async function jsonService(respond: Respond): Promise<ServiceUnderTest> {
	const requests: ReceivedRequest[] = [];
	const server = createServer((request, response) => {
		const { method = '', url = '', headers } = request;
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = Buffer.concat(chunks).toString('utf8');
			requests.push({ method, url, headers, body });
			const number = requests.length;
			const result = respond({ method, url: new URL(url, 'http://localhost'), body, number });
			response.writeHead(result.status ?? 200, {
				'content-type': 'application/json',
				'x-ratelimit-limit': '1000000',
				'x-ratelimit-remaining': '999999',
				...result.headers,
			});
			response.end(JSON.stringify(result.body));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	closing.push(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		apiKey: `secret-key-${process.pid}-json-${++services}`,
		requests,
	};
}
