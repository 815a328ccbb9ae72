import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';

export interface Reply {
	status: number;
	headers: Headers;
	text: string;
	/** The parsed body; undefined if it is not JSON. */
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	json: any;
}

export type Call = (method: string, path: string, body?: unknown) => Promise<Reply>;

const running: Sandbox[] = [];

/** A sandbox that is closed after the test; link service without a limit unless one is given. */
export async function sandboxFor(options: SandboxOptions = {}): Promise<Sandbox> {
	const links = { rateLimit: { limit: null }, ...options.links };
	const sandbox = await startSandbox({ ...options, links });
	running.push(sandbox);
	return sandbox;
}

afterEach(async () => {
	await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});

/** Calls the link service with its key. */
export function linkCaller({ links }: Sandbox, key: string = links.apiKey): Call {
	return (method, path, body) =>
		request(links.baseUrl + path, { Authorization: `Bearer ${key}` }, method, body);
}

/** Calls a variant of the registry with its key. */
export function registryCaller(service: Sandbox['registry']['v1'], key = service.apiKey): Call {
	return (method, path, body) =>
		request(service.baseUrl + path, { 'X-API-Key': key }, method, body);
}

/** Calls the control interface. */
export function controlCaller({ url }: Sandbox): Call {
	return (method, path, body) => request(url + path, {}, method, body);
}

export async function request(
	url: string,
	headers: Record<string, string> = {},
	method = 'GET',
	body?: unknown,
): Promise<Reply> {
	const response = await fetch(url, {
		method,
		headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
		body: body === undefined ? undefined : JSON.stringify(body),
		redirect: 'manual',
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, json: parse(text) };
}

/** A clock that only moves when the test moves it. */
export function manualClock(start = Date.UTC(2026, 0, 15, 12, 0, 0)) {
	let now = start;
	return {
		now: () => now,
		advance: (ms: number) => {
			now += ms;
		},
	};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
