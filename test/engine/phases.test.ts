import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { systemClock } from '../../nodes/shared/http/clock';
import { FAILURES, PHASES } from '../../nodes/shared/http/failures';
import type { FailureKind, FailureTexts } from '../../nodes/shared/http/failures';
import { fakeService } from '../fakeService';
import { selfSigned } from '../selfSigned';
import { searchList, testCredential } from './contexts';
import { runNode, type NodeOutcome } from './harness';
import { TriggerHost } from './pollHarness';
import { itemsOf, listOf, numbered, runAt, withCheckDigit } from './support';

// Where a request fails, with real sockets: what follows for every kind of caller.

const create: INodeParameters = {
	resource: 'campaign',
	operation: 'create',
	campaignName: '={{ $json.id }}',
};
const list: INodeParameters = { resource: 'campaign', operation: 'getAll' };
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY'];

const servers: Server[] = [];
const sockets = new Set<Socket>();

/** A server that does this with the first data of each connection. */
async function socketServer(onData: (socket: Socket) => void): Promise<Place> {
	let attempts = 0;
	let received = 0;
	const server = createServer((socket) => {
		attempts++;
		sockets.add(socket.on('error', () => undefined));
		socket.once('data', (data) => {
			if (/^(GET|POST) /.test(data.toString())) received++;
			onData(socket);
		});
	});
	const port = await listening(server);
	return { host: `127.0.0.1:${port}`, attempts: () => attempts, received: () => received };
}

async function listening(server: Server): Promise<number> {
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}

/** Where requests go. */
interface Place {
	host: string;
	attempts(): number;
	/** Requests that have reached the service. */
	received(): number;
}

const answers = (head: string, body = '') =>
	socketServer((socket) => socket.end(`HTTP/1.1 ${head}\r\n\r\n${body}`));
const nowhere = (host: string) => async (): Promise<Place> => ({
	host,
	attempts: () => NaN,
	received: () => 0,
});
const silent = () => socketServer(() => undefined);

async function plainService(): Promise<Place> {
	const { baseUrl, requests } = await fakeService(() => ({ error: 0, id: 1 }));
	const received = () => requests.length;
	return { host: baseUrl.replace('http://', ''), attempts: () => NaN, received };
}

async function untrusted(): Promise<Place> {
	let received = 0;
	const server = createTlsServer(selfSigned(), (_, response) => {
		received++;
		response.end('{}');
	});
	const host = `localhost:${await listening(server)}`;
	return { host, attempts: () => NaN, received: () => received };
}

/** A name that can't be looked up, and how often it's tried. */
function unknownName(
	code: string,
	isBroken: (attempt: number) => boolean = () => true,
	host = '127.0.0.1',
) {
	return async (): Promise<Place> => {
		let attempts = 0;
		const lookup = dns.lookup as unknown as (...given: unknown[]) => void;
		jest.spyOn(dns, 'lookup').mockImplementation(((...given: unknown[]) => {
			const [hostname, options, done] = given as [string, object, (error?: Error) => void];
			if (hostname !== 'service.test') return lookup(...given);
			if (!isBroken(++attempts)) return lookup('127.0.0.1', options, done);
			const message = `getaddrinfo ${code} ${hostname}`;
			return done(Object.assign(new Error(message), { code, hostname, syscall: 'getaddrinfo' }));
		}) as never);
		const port = host.split(':')[1] ?? '80';
		return { host: `service.test:${port}`, attempts: () => attempts, received: () => 0 };
	};
}

/** Nothing listens at either address of the name. Node.js then reports an error for each address. */
async function closedAddresses(): Promise<Place> {
	const lookup = dns.lookup as unknown as (...given: unknown[]) => void;
	jest.spyOn(dns, 'lookup').mockImplementation(((...given: unknown[]) => {
		const [hostname, , done] = given as [string, object, (error: null, found: object[]) => void];
		if (hostname !== 'service.test') return lookup(...given);
		return done(null, [
			{ address: '127.0.0.1', family: 4 },
			{ address: '127.0.0.2', family: 4 },
		]);
	}) as never);
	return await nowhere('service.test:1')();
}

beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	// Pauses before retries take no time.
	const sleep = systemClock.sleep.bind(systemClock);
	jest.spyOn(systemClock, 'sleep').mockImplementation(async (ms, signal) => {
		await sleep(ms < 5_000 ? 0 : ms, signal);
	});
});

afterEach(async () => {
	jest.restoreAllMocks();
	for (const name of PROXY_VARIABLES) delete process.env[name];
	for (const socket of sockets) socket.destroy();
	await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

let keys = 0;
const credentialAt = (baseUrl: string) => ({ baseUrl, apiKey: `phase-key-${++keys}` });

const textOf = ({ error }: Pick<NodeOutcome, 'error'>) =>
	`${error?.message}\n${String(error?.description)}`;

/** What each caller gets. */
async function post(baseUrl: string) {
	return await runAt({ credential: credentialAt(baseUrl) }, create, { items: numbered(1) });
}

async function get(baseUrl: string) {
	return await runAt({ credential: credentialAt(baseUrl) }, list);
}

async function published(baseUrl: string) {
	const credentials = { linkManagementApi: credentialAt(baseUrl) };
	const host = new TriggerHost({
		scheduler: 'durable',
		parameters: { event: 'fileCreated' },
		credentials,
	});
	const error = await host.activate().catch((caught: unknown) => caught);
	return error as { message: string; failure?: { cause: string } };
}

async function enriched(baseUrl: string) {
	const plan = { plan: 'custom', requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 };
	const credential = { ...credentialAt(baseUrl), variant: 'unversioned', ...plan };
	const idnos = Array.from({ length: 15 }, (_, row) => withCheckDigit(String(1e11 + row)));
	return await runNode({
		type: 'companyRegistry',
		parameters: { resource: 'company', operation: 'enrich' },
		credentials: { companyRegistryApi: credential },
		items: itemsOf(...idnos.map((idno) => ({ idno }))),
		settings: { onError: 'continueRegularOutput' },
	});
}

async function tested(baseUrl: string) {
	return (await testCredential('linkManagementApi', credentialAt(baseUrl))).message;
}

async function picked(baseUrl: string) {
	const credentials = { linkManagementApi: credentialAt(baseUrl) };
	const search = searchList('linkManagement', 'searchCampaigns', credentials);
	const error = await search.catch((caught: unknown) => caught);
	return error as NonNullable<NodeOutcome['error']>;
}

interface Row {
	at(): Promise<Place>;
	/** Where it fails, or what the answer is read as. */
	phase: FailureKind;
	scheme?: 'https';
	/** Whether `at` is a proxy. */
	proxy?: true;
	/** How often a GET and a POST are tried. */
	tries: [get: number, post: number];
	/** Whether requests reach the service. */
	reaches?: true;
	says: RegExp;
	/** What the credential test says, if n8n's older helper, which sends it, tells it less. */
	test?: RegExp;
}

const UNREACHABLE = /couldn't be reached at http/;
const gzip = '200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5';

/** It comes back, but can't be decoded. */
const DAMAGED: Omit<Row, 'at'> = {
	phase: 'undecodable',
	tries: [1, 1],
	reaches: true,
	says: /can't be read.*damaged/s,
};

const ROWS: Record<string, Row> = {
	'a name that can’t be looked up': {
		at: unknownName('ENOTFOUND'),
		phase: 'lookUp',
		tries: [4, 4],
		says: /couldn't be looked up.*typo.*for a moment/,
	},
	'a name server that fails': {
		at: unknownName('ESERVFAIL'),
		phase: 'lookUp',
		tries: [4, 4],
		says: /couldn't be looked up/,
	},
	'a closed port': {
		at: nowhere('127.0.0.1:1'),
		phase: 'connection',
		tries: [NaN, NaN],
		says: UNREACHABLE,
	},
	'an unreachable network': {
		at: nowhere('255.255.255.255'),
		phase: 'connection',
		tries: [NaN, NaN],
		says: UNREACHABLE,
	},
	'a connection that’s closed during TLS': {
		at: () => socketServer((socket) => socket.end()),
		scheme: 'https',
		phase: 'tls',
		tries: [4, 4],
		says: /before it was encrypted, so nothing was sent/,
	},
	'a connection that’s reset during TLS': {
		at: () => socketServer((socket) => socket.resetAndDestroy()),
		scheme: 'https',
		phase: 'tls',
		tries: [4, 4],
		says: /before it was encrypted, so nothing was sent/,
		test: /The connection broke/,
	},
	'https to a plain port': {
		at: plainService,
		scheme: 'https',
		phase: 'plainPort',
		tries: [NaN, NaN],
		says: /doesn't speak HTTPS.*http:\/\//,
	},
	'an untrusted certificate': {
		at: untrusted,
		scheme: 'https',
		phase: 'certificate',
		tries: [NaN, NaN],
		says: /certificate isn't valid.*"Ignore SSL Issues \(Insecure\)" in the credential/,
	},
	'a connection that breaks after the request': {
		at: () => socketServer((socket) => socket.destroy()),
		phase: 'sending',
		tries: [4, 1],
		reaches: true,
		says: /The connection broke/,
	},
	'an answer that’s cut in the middle': {
		at: () => answers('200 OK\r\nContent-Length: 100', '{"error":0'),
		phase: 'sending',
		tries: [4, 1],
		reaches: true,
		says: /The connection broke/,
		test: /There is no Link Management API/,
	},
	'gzip that isn’t': {
		at: () => answers(gzip, 'hello'),
		...DAMAGED,
		test: /There is no Link Management API/,
	},
	'brotli that isn’t': {
		at: () => answers('200 OK\r\nContent-Encoding: br\r\nContent-Length: 2', '{}'),
		...DAMAGED,
		test: /There is no Link Management API/,
	},
	'a broken header': {
		at: () => answers('200 OK\r\nX-Broken: \u0001\r\nContent-Length: 2', '{}'),
		...DAMAGED,
	},
	'a proxy that asks for a login, for https': {
		at: () => answers('407 Proxy Authentication Required\r\nContent-Length: 2', 'no'),
		scheme: 'https',
		proxy: true,
		phase: 'proxyLogin',
		tries: [1, 1],
		says: /^The proxy .* asks for a login \(HTTP 407\).* user and password .*http:\/\/user:password@/s,
	},
	'a proxy that asks for a login, for http': {
		at: () => answers('407 Proxy Authentication Required\r\nContent-Length: 2', 'no'),
		proxy: true,
		phase: 'proxyLogin',
		tries: [1, 1],
		says: /^The proxy .* asks for a login \(HTTP 407\).* user and password .*http:\/\/user:password@/s,
	},
	'a proxy that refuses the connection to the service': {
		at: () => answers('403 Forbidden\r\nContent-Length: 0'),
		scheme: 'https',
		proxy: true,
		phase: 'denied',
		tries: [1, 1],
		says: /something in front of the service, such as a firewall or a proxy/,
	},
	'a proxy that hangs up': {
		at: () => socketServer((socket) => socket.end()),
		scheme: 'https',
		proxy: true,
		phase: 'proxy',
		tries: [4, 4],
		says: /^The proxy between n8n and .* couldn't be reached.*\(HTTP_PROXY, HTTPS_PROXY\)/s,
	},
	'a proxy that isn’t there, for https': {
		at: nowhere('127.0.0.1:1'),
		scheme: 'https',
		proxy: true,
		phase: 'proxy',
		tries: [NaN, NaN],
		says: /^The proxy between n8n and .* couldn't be reached.*\(HTTP_PROXY, HTTPS_PROXY\)/s,
	},
	'a proxy that isn’t there, for http': {
		at: nowhere('127.0.0.1:1'),
		proxy: true,
		phase: 'proxy',
		tries: [NaN, NaN],
		says: /^The proxy between n8n and .* couldn't be reached.*\(HTTP_PROXY, HTTPS_PROXY\)/s,
	},
	'a proxy with two addresses that isn’t there': {
		at: closedAddresses,
		proxy: true,
		phase: 'proxy',
		tries: [NaN, NaN],
		says: /^The proxy between n8n and .* couldn't be reached.*\(HTTP_PROXY, HTTPS_PROXY\)/s,
	},
	'a proxy whose name can’t be looked up': {
		at: nowhere('no-such-proxy.invalid:3128'),
		scheme: 'https',
		proxy: true,
		phase: 'proxy',
		tries: [NaN, NaN],
		says: /^The proxy between n8n and .* couldn't be reached.*\(HTTP_PROXY, HTTPS_PROXY\)/s,
	},
};

const MAYBE = /The service may have processed the request/;

describe.each(Object.entries(ROWS))('%s', (_, { at, phase, scheme = 'http', proxy, ...row }) => {
	const { tries, reaches = false, says } = row;
	const facts: FailureTexts = FAILURES[phase];

	/** The Base URL of a place, and what has been tried there. */
	async function place() {
		const { host, attempts, received } = await at();
		const tried = (usual: number) => (Number.isNaN(attempts()) ? usual : attempts());
		if (!proxy) return { baseUrl: `${scheme}://${host}`, tried, received };
		for (const name of PROXY_VARIABLES) process.env[name] = `http://${host}`;
		return { baseUrl: `${scheme}://links.example`, tried, received: () => 0 };
	}

	test('a failed GET is repeated if it may work in a moment', async () => {
		const { baseUrl, tried, received } = await place();
		const outcome = await get(baseUrl);
		expect(textOf(outcome)).toMatch(says);
		expect(textOf(outcome)).not.toMatch(MAYBE);
		expect(tried(tries[0])).toBe(tries[0]);
		expect(received() > 0).toBe(reaches);
	});

	test('a failed POST is repeated only if the service can’t have it', async () => {
		const { baseUrl, tried, received } = await place();
		const outcome = await post(baseUrl);
		expect(textOf(outcome)).toMatch(says);
		expect(MAYBE.test(textOf(outcome))).toBe(facts.carriedOut !== 'no');
		expect(tried(tries[1])).toBe(tries[1]);
		expect(received()).toBe(reaches ? 1 : 0);
	});

	test('a trigger tells n8n’s scheduler when to poll again', async () => {
		const { baseUrl } = await place();
		const { message, failure } = await published(baseUrl);
		expect(message.replace(/^.*?: /, '')).toMatch(says);
		expect(failure?.cause).toBe(facts.cause);
	});

	test('Enrich asks for no more rows than needed, and keeps the others', async () => {
		const { baseUrl } = await place();
		const { items } = await enriched(baseUrl);
		const waiting = items.filter(
			({ json }) => json.match_status === 'notChecked' && !json.registry_checked_at,
		);
		expect(waiting.length).toBeGreaterThanOrEqual(phase === 'denied' ? 0 : 5);
	});

	test('the credential test and a picker explain a failure in the same words as the nodes', async () => {
		const { baseUrl } = await place();
		const message = await tested(baseUrl);
		expect(message).toMatch(row.test ?? says);
		const error = await picked(baseUrl);
		expect(textOf({ error })).toMatch(says);
	});
});

test.each(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA'])(
	'a create whose server can’t be looked up once (%s) is sent once',
	async (code) => {
		const service = await fakeService(({ number }) => ({ error: 0, id: number }));
		const host = service.baseUrl.replace('http://', '');
		const { host: name } = await unknownName(code, (attempt) => attempt === 1, host)();
		const { error } = await post(`http://${name}`);
		expect(error).toBeUndefined();
		expect(service.lines()).toEqual(['POST /api/campaign/add']);
	},
);

test('a published trigger polls again soon after a look-up that failed', async () => {
	let isBroken = false;
	const service = await fakeService(({ path }) =>
		path === '/api/account' ? { error: 0, data: { id: 1 } } : listOf('file', []),
	);
	const host = service.baseUrl.replace('http://', '');
	const { host: name } = await unknownName('ENOTFOUND', () => isBroken, host)();
	const credentials = { linkManagementApi: credentialAt(`http://${name}`) };
	const parameters = { event: 'fileCreated' };
	const trigger = new TriggerHost({ scheduler: 'durable', parameters, credentials });
	await trigger.activate();
	isBroken = true;
	await trigger.tick();
	expect(trigger.errors.at(-1)?.failure?.cause).toBe('temporarily-unavailable');
});

test.each([
	['GET', list, false],
	['POST', create, true],
])('a %s that times out is sent once, and may have arrived', async (_, parameters, isUnclear) => {
	const { host, attempts } = await silent();
	const service = { credential: credentialAt(`http://${host}`) };
	const requestOptions = { timeout: 200 };
	const outcome = await runAt(service, { ...parameters, requestOptions }, { items: numbered(1) });
	expect(textOf(outcome)).toMatch(/didn't respond in time/);
	expect(MAYBE.test(textOf(outcome))).toBe(isUnclear);
	expect(attempts()).toBe(1);
});

test('the maintainers’ docs have the table of phases', () => {
	const docs = readFileSync(join(__dirname, '../../docs/maintainers/development.md'), 'utf8');
	const [, section = ''] = docs.split('### Where a request fails\n');
	const rows = section
		.split('\n###')[0]!
		.matchAll(/^\| `(\w+)`.*\| (\w+) \| (\w+) \| `(.+)` \|$/gm);
	const facts = Object.entries<FailureTexts>(PHASES).map(([phase, row]) => [
		phase,
		row.carriedOut,
		row.passesSoon ? 'yes' : 'no',
		row.cause,
	]);
	expect([...rows].map(([, ...row]) => row)).toEqual(facts);
});
