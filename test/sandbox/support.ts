import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';

export type Call = (method: string, path: string, body?: unknown) => ReturnType<typeof request>;

const running: Sandbox[] = [];

/** A sandbox that closes after the test. Link Management has no rate limit unless `options` sets one. */
export async function sandboxFor(options: SandboxOptions = {}): Promise<Sandbox> {
	const links = { rateLimit: { limit: null }, ...options.links };
	const sandbox = await startSandbox({ ...options, links });
	running.push(sandbox);
	return sandbox;
}

afterEach(async () => {
	await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});

/** Calls Link Management with its key. */
export function linkCaller({ links }: Sandbox, key: string = links.apiKey): Call {
	return (method, path, body) =>
		request(links.baseUrl + path, { Authorization: `Bearer ${key}` }, method, body);
}

/** Calls an API variant of the registry with its key. */
export function registryCaller(service: Sandbox['registry']['v1'], key = service.apiKey): Call {
	return (method, path, body) =>
		request(service.baseUrl + path, { 'X-API-Key': key }, method, body);
}

/** Sends text unchanged, and anything else as JSON. */
export async function request(
	url: string,
	headers: Record<string, string> = {},
	method = 'GET',
	body?: unknown,
) {
	const type = typeof body === 'string' ? 'text/plain' : 'application/json';
	const response = await fetch(url, {
		method,
		headers: body === undefined ? headers : { 'Content-Type': type, ...headers },
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
		redirect: 'manual',
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, json: jsonIn(text) };
}

/** Undefined if the text isn't JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function jsonIn(text: string): any {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A clock that only moves when the test moves it. */
export function manualClock() {
	let time = Date.UTC(2026, 0, 15, 12, 0, 0);
	return { now: () => time, advance: (ms: number) => void (time += ms) };
}
