import { byId, jsonOf } from './harness';

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';

import type { FaultInput } from '../../sandbox';
import type { LinkManagementBench } from './linkManagementSupport';
import { bench, itemsOf, numbered, pairedWith } from './linkManagementSupport';
import { timeLimit } from '../../tools/timeLimits';

const get = { resource: 'account', operation: 'get' };
const getQr = {
	resource: 'qrCode',
	operation: 'get',
	qrCodeId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
};
const put = {
	resource: 'channel',
	operation: 'update',
	channelId: byId(1),
	channelFields: { name: 'N' },
};
const post = {
	resource: 'campaign',
	operation: 'create',
	campaignName: '={{ "Campaign no. " + $json.id }}',
};
const remove = { resource: 'channel', operation: 'delete', channelId: byId(1) };

/** All that n8n keeps of a run, symbols, causes and stacks included. */
const everything = (value: unknown) =>
	inspect(value, { depth: 30, maxArrayLength: null, maxStringLength: null, showHidden: true });

const servers: Server[] = [];

afterEach(() => {
	for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Some other web server: answers every request alike. Returns its address. */
async function serverThatAnswers(
	status: number,
	contentType: string,
	body: string,
): Promise<string> {
	const server = createServer((_, response) => {
		response.writeHead(status, { 'Content-Type': contentType }).end(body);
	});
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('gateway errors and broken connections', () => {
	const faults: Array<[string, FaultInput]> = [
		['status 502', { status: 502 }],
		['status 503', { status: 503 }],
		['status 504', { status: 504 }],
		['a connection cut before any byte', { cut: 'before-any-byte' }],
		['a connection cut in the middle of the answer', { cut: 'mid-body' }],
	];

	test('a GET and a PUT are retried after each of these', async () => {
		await Promise.all(
			faults.flatMap(([, fault]) =>
				[get, put].map(async (parameters) => {
					const { run, links, requests } = await bench();
					links.inject(fault);
					const { items, error } = await run(parameters);
					expect({ fault, error, count: items.length }).toEqual({
						fault,
						error: undefined,
						count: 1,
					});
					expect(requests).toHaveLength(2);
					expect(requests[1]).toMatchObject({ status: 200, body: requests[0]!.body });
				}),
			),
		);
	});

	test.each(faults)('after %s a POST and a DELETE are not retried', async (_, fault) => {
		await Promise.all(
			[post, remove].map(async (parameters) => {
				const { run, links, requests } = await bench();
				links.inject({ ...fault, carryOut: true });
				const { error } = await run(parameters, { items: numbered(1) });
				expect(error).toBeDefined();
				expect(requests).toHaveLength(1);
			}),
		);
	});

	test('a GET that keeps failing ends after four attempts', async () => {
		const { run, links, lines } = await bench();
		links.inject({ status: 503, times: 'always' });
		const { error } = await run(get);
		expect(lines()).toEqual(Array(4).fill('GET /api/account 503'));
		expect(error).toMatchObject({
			message: 'Link Management returned a server error (HTTP 503) [item 0]',
			httpCode: '503',
		});
	});

	test.each([500, 501])(
		'status %d is not a gateway error, so nothing is repeated',
		async (status) => {
			const { run, links, requests } = await bench();
			links.inject({ status });
			const { error } = await run(get);
			expect(error).toMatchObject({ httpCode: String(status) });
			expect(requests).toHaveLength(1);
		},
	);
});

describe('responses that are not API responses', () => {
	const malformed = {
		html: /^There is no Link Management API at http/,
		empty: /^Link Management returned a response that cannot be read/,
		'cut-off-json': /^Link Management returned a response that cannot be read/,
		'wrong-shape': /^The response has an unexpected shape/,
	};

	test.each(Object.entries(malformed))(
		'%s is an error for every kind of request',
		async (kind, message) => {
			const list = { resource: 'pixel', operation: 'getAll' };
			const qr = { resource: 'qrCode', operation: 'get', qrCodeId: byId(1) };
			// To a write, "error": 0 is confirmation enough: an error would have it done again.
			const writes = kind === 'wrong-shape' ? [] : [put, post, remove];
			for (const parameters of [get, list, qr, ...writes]) {
				const { run, links, requests } = await bench();
				links.inject({ malformed: kind as 'html' });
				const { error } = await run(parameters, { items: numbered(1) });
				const name = `${parameters.resource} ${parameters.operation}`;
				expect({ name, message: error?.message }).toEqual({
					name,
					message: expect.stringMatching(message),
				});
				expect(error!.description).toBeTruthy();
				expect(requests).toHaveLength(1);
			}
		},
	);

	test.each([
		['a list of numbers', { error: 0, data: { pixels: [1, 2] } }],
		['a bare null', null],
		['a bare number', 5],
	])('%s where a list should be is an error that says what was expected', async (_, body) => {
		const { run, links } = await bench();
		links.inject({ status: 200, body: body ?? 'null' });
		const { error } = await run({ resource: 'pixel', operation: 'getAll' });
		expect(error!.message).toBe('The response has an unexpected shape [item 0]');
		expect(error!.description).toContain('Expected a list under "pixels"');
	});

	test('a byte order mark before the JSON is ignored', async () => {
		const { run, links } = await bench();
		links.inject({ status: 200, body: '\uFEFF{"error":0,"data":{"id":9}}' });
		expect(jsonOf((await run(get)).items)).toEqual([{ id: 9 }]);
	});
});

describe('failures that the service explains', () => {
	test.each([
		['with a fitting status', { errorStatus: 'http' }, '404'],
		['with status 200 and "error": 1', { errorStatus: 'ok', oneAs: 'number' }, '200'],
		['with status 200 and "error": "1"', { errorStatus: 'ok', oneAs: 'string' }, '200'],
	] as const)(
		'%s are errors that name the parameter and quote the service',
		async (_, settings, code) => {
			const { run, requests } = await bench(settings);
			const { error } = await run(getQr, { items: itemsOf({ id: 1 }, { id: 9999 }) });
			expect(error).toMatchObject({
				message: 'QR code does not exist [item 1]',
				description: expect.stringContaining('"QR Code" (9999)') as string,
				httpCode: code,
				context: { itemIndex: 1 },
			});
			expect(requests).toHaveLength(2);
		},
	);
});

describe('a failed connection', () => {
	const WRONG_KEY = 'Link Management did not accept the API key';

	test.each([
		['with status 401', { errorStatus: 'http' }, '401'],
		['with status 200 and "error": 1', { errorStatus: 'ok' }, '200'],
		['with status 200 and "error": "1"', { errorStatus: 'ok', oneAs: 'string' }, '200'],
	] as const)('a wrong key, rejected %s', async (_, settings, httpCode) => {
		const { run, credential } = await bench(settings);
		const { error } = await run(get, {
			credentials: { linkManagementApi: { ...credential, apiKey: 'no such key' } },
		});
		expect(error).toMatchObject({ message: `${WRONG_KEY} [item 0]`, httpCode });
		expect(error!.description).toContain('Check the API Key of the Link Management credential');
	});

	test('an expired key', async () => {
		const { run, credential } = await bench({ expiredApiKeys: ['old'] });
		const { error } = await run(get, {
			credentials: { linkManagementApi: { ...credential, apiKey: 'old' } },
		});
		expect(error!.message).toContain(WRONG_KEY);
		expect(error!.description).toContain('The API key has expired');
	});

	test('a server that drops the Authorization header', async () => {
		const { run } = await bench({ dropAuthorization: true });
		const { error } = await run(get);
		expect(error!.message).toContain(WRONG_KEY);
		expect(error!.description).toContain('drop the Authorization header');
	});

	test.each([
		['another path of the server', async ({ sandbox }: LinkManagementBench) => sandbox.url],
		['a path too much', async ({ credential }: LinkManagementBench) => `${credential.baseUrl}/v9`],
		[
			'a web page',
			async () => await serverThatAnswers(200, 'text/html', '<!doctype html><title>Shop</title>'),
		],
		['a web page for what is missing', async () => await serverThatAnswers(404, 'text/html', '')],
	])('a wrong base URL: %s', async (_, urlOf) => {
		const subject = await bench();
		const baseUrl = await urlOf(subject);
		const { error } = await subject.run(get, {
			credentials: { linkManagementApi: { ...subject.credential, baseUrl } },
		});
		expect(error!.message).toBe(`There is no Link Management API at ${baseUrl} [item 0]`);
		expect(error!.description).toContain('Check the Base URL of the credential');
	});

	test('a wrong base URL: another API', async () => {
		const baseUrl = await serverThatAnswers(200, 'application/json', '{"status":"up"}');
		const { run, credential } = await bench();
		for (const parameters of [get, put, post, remove]) {
			const { error } = await run(parameters, {
				items: numbered(1),
				credentials: { linkManagementApi: { ...credential, baseUrl } },
			});
			expect(error!.message).toContain('The response has an unexpected shape');
			expect(error!.description).toContain('got an object with status');
		}
	});

	test('a wrong base URL: a name that does not exist', async () => {
		const { run, credential } = await bench();
		const { error } = await run(get, {
			credentials: {
				linkManagementApi: { ...credential, baseUrl: 'http://no-such-host.invalid' },
			},
		});
		expect(error!.message).toContain(
			'Link Management could not be reached at http://no-such-host.invalid',
		);
		expect(error!.description).toMatch(/Base URL/);
	});

	test('a base URL that moved', async () => {
		const { run, credential, requests } = await bench();
		const server = createServer((_, response) => {
			response.writeHead(301, { Location: `${credential.baseUrl}/api/account?token=1` }).end();
		});
		servers.push(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const { error } = await run(get, {
			credentials: { linkManagementApi: { ...credential, baseUrl } },
		});
		expect(error!.message).toContain('The Base URL of the Link Management credential has moved');
		expect(error!.description).toContain(`${credential.baseUrl}/api/account.`);
		// The key does not follow.
		expect(requests).toEqual([]);
	});

	test.each(['', 'example.com', 'ftp://example.com', 'https://'])(
		'a base URL that is none: "%s"',
		async (baseUrl) => {
			const { run, credential } = await bench();
			const { error } = await run(get, {
				credentials: { linkManagementApi: { ...credential, baseUrl } },
			});
			expect(error!.message).toMatch(
				/^The Base URL of the credential is (empty|not a web address)/,
			);
		},
	);

	test('a service that is down', async () => {
		const { run, credential, sandbox } = await bench();
		await sandbox.close();
		const { run: outcome, error } = await run(get);
		expect(everything(outcome)).not.toContain(credential.apiKey);
		expect(error!.message).toBe(
			`Link Management could not be reached at ${credential.baseUrl} [item 0]`,
		);
		expect(error!.description).toContain('The service is probably down');
	});

	test('a service that does not answer in time', async () => {
		const { run, requests } = await bench({ latencyMs: 3000 });
		const { error } = await run({ ...get, requestOptions: { timeout: 200 } });
		expect(error!.description).toContain('It did not respond in time');
		expect(requests).toHaveLength(1);
	});
});

describe('base URLs', () => {
	test.each(['', '/', '//', '/api', '/api/', '  '])('may end with "%s"', async (end) => {
		const { run, credential, requests } = await bench();
		const { error } = await run(get, {
			credentials: { linkManagementApi: { ...credential, baseUrl: credential.baseUrl + end } },
		});
		expect(error).toBeUndefined();
		expect(requests[0]!.rawPath).toBe('/links/api/account');
	});

	test.each(['', '/a', '/deep/er'])('may have the prefix "%s"', async (basePath) => {
		const { run, requests } = await bench({ basePath });
		expect((await run(get)).error).toBeUndefined();
		expect(requests[0]!.rawPath).toBe(`${basePath}/api/account`);
	});

	test('a key with spaces around it is the same key', async () => {
		const { run, credential } = await bench();
		const { error } = await run(get, {
			credentials: { linkManagementApi: { ...credential, apiKey: ` ${credential.apiKey}\n` } },
		});
		expect(error).toBeUndefined();
	});
});

describe('an item that fails', () => {
	test('without "continue" is the error, with its index, and no other item is sent any more', async () => {
		const { run, links, requests } = await bench({
			latencyMs: 30,
			rateLimit: { limit: 4, windowMs: 1000, reset: 'epochMs' },
		});
		links.inject({ path: '/api/qr/3', status: 500 });
		const started = Date.now();
		const { error, items } = await run(getQr, { items: numbered(40) });
		expect(error!.message).toContain('(HTTP 500) [item 2]');
		expect(error!.context.itemIndex).toBe(2);
		expect(items).toEqual([]);
		// One window; the other nine were not waited for.
		expect(requests.length).toBeLessThanOrEqual(5);
		expect(Date.now() - started).toBeLessThan(timeLimit(3000));
	});

	test('with "continue" is one paired error item, and the others are done', async () => {
		const { run, links, requests } = await bench();
		links.inject({ path: '/api/qr/2', status: 500 });
		const { items, error } = await run(getQr, {
			items: numbered(5),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4]);
		expect(jsonOf(items)[1]).toEqual({ error: expect.stringContaining('(HTTP 500) [item 1]') });
		expect(requests).toHaveLength(5);
	});

	test('in the middle of a list returns one error item, not half a list', async () => {
		const { run, links } = await bench();
		links.inject({
			path: '/api/campaigns',
			after: 1,
			status: 400,
			body: { error: 1, message: 'No' },
		});
		const { items } = await run(
			{ resource: 'campaign', operation: 'getAll', returnAll: true },
			{ items: itemsOf({}), settings: { onError: 'continueRegularOutput' } },
		);
		expect(jsonOf(items)).toEqual([{ error: 'No [item 0]' }]);
	});
});

describe('"Retry On Fail"', () => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	/** Names of the campaigns that the test has created. */
	const created = ({ links }: LinkManagementBench) =>
		links.state.campaigns
			.all()
			.map(({ name }) => name)
			.filter((name) => name.startsWith('Campaign no.'))
			.sort();

	test('does not repeat the writes that succeeded', async () => {
		const subject = await bench({ latencyMs: 5 });
		subject.links.inject({ method: 'POST', after: 2, status: 500 });
		const { items, error } = await subject.run(post, { items: numbered(6), settings });
		expect(error).toBeUndefined();
		expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4, 5]);
		expect(created(subject)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `Campaign no. ${n}`));
		expect(subject.requests.filter(({ status }) => status === 200)).toHaveLength(6);
		expect(new Set(jsonOf(items).map(({ id }) => id)).size).toBe(6);
	});

	test('does not repeat them with "continue" either', async () => {
		const subject = await bench();
		subject.links.inject({ method: 'POST', status: 500 });
		const { items } = await subject.run(post, {
			items: numbered(4),
			settings: { ...settings, onError: 'continueRegularOutput' },
		});
		expect(created(subject)).toHaveLength(new Set(created(subject)).size);
		expect(jsonOf(items).every((json) => !('error' in json))).toBe(true);
	});

	test('sends a failed look-up again', async () => {
		const { run, links, lines } = await bench();
		links.inject({ status: 500, times: 2 });
		const { error } = await run(get, { settings });
		expect(error).toBeUndefined();
		expect(lines()).toEqual([500, 500, 200].map((status) => `GET /api/account ${status}`));
	});

	test('gives up after its number of tries', async () => {
		const { run, links, requests } = await bench();
		links.inject({ status: 500, times: 'always' });
		const { error } = await run(post, { items: numbered(1), settings });
		expect(error).toMatchObject({ httpCode: '500' });
		expect(requests).toHaveLength(3);
	});

	test('a node that runs again creates again', async () => {
		const subject = await bench();
		for (let i = 0; i < 2; i++) await subject.run(post, { items: numbered(1), settings });
		expect(created(subject)).toHaveLength(2);
	});
});

describe('cancelling the execution', () => {
	/** Cancels as soon as the service has received this many requests. */
	function cancelAfter(count: number, requests: readonly unknown[]): AbortSignal {
		const cancel = new AbortController();
		const timer = setInterval(() => {
			if (requests.length < count) return;
			clearInterval(timer);
			cancel.abort();
		}, 5);
		return cancel.signal;
	}

	test('ends the wait for the rate limit, regardless of the length of the window', async () => {
		const { run, requests } = await bench({
			rateLimit: { limit: 2, windowMs: 3_600_000, reset: 'epochMs' },
		});
		const cancel = cancelAfter(2, requests);
		const { run: outcome } = await run(post, { items: numbered(10), cancel });
		// Not "error", which would start the error workflow.
		expect(outcome.status).toBe('canceled');
	});

	test('sends nothing in the next window', async () => {
		const windowMs = 1200;
		const { run, requests } = await bench({ rateLimit: { limit: 2, windowMs, reset: 'epochMs' } });
		await run(post, { items: numbered(10), cancel: cancelAfter(2, requests) });
		await new Promise((resolve) => setTimeout(resolve, windowMs + 100));
		expect(requests).toHaveLength(2);
	});

	test('ends a request before its response', async () => {
		const { run, requests } = await bench({ latencyMs: 4000 });
		await run(get, { cancel: cancelAfter(1, requests) });
		expect(requests).toEqual([expect.objectContaining({ status: 0 })]);
	});

	test('ends the pause before a retry', async () => {
		const { run, links, requests } = await bench();
		links.inject({ status: 503, times: 'always' });
		await run(get, { cancel: cancelAfter(1, requests) });
		expect(requests.length).toBeLessThanOrEqual(2);
	});
});

describe('the key', () => {
	const failures: Array<[string, (subject: LinkManagementBench) => void | Promise<void>]> = [
		[
			'in an explanation of the service',
			({ links }) =>
				links.inject({ status: 400, body: { error: 1, message: `No ${links.apiKey} here` } }),
		],
		[
			'in a refusal of the key',
			({ links }) =>
				links.inject({ status: 401, body: { error: 1, message: `API key ${links.apiKey}?` } }),
		],
		[
			'in the address of a redirect',
			({ links }) => links.inject({ status: 302, headers: { Location: `/${links.apiKey}` } }),
		],
		['in a web page', ({ links }) => links.inject({ status: 200, body: `<html>${links.apiKey}` })],
		['in text', ({ links }) => links.inject({ status: 200, body: `text ${links.apiKey}` })],
		['with a broken connection', ({ links }) => links.inject({ cut: 'mid-body' })],
		['with an error of the service', ({ links }) => links.inject({ status: 500 })],
	];

	test.each(failures)('is in no error: %s', async (_, prepare) => {
		const subject = await bench();
		await prepare(subject);
		const { run: outcome, error } = await subject.run(post, { items: numbered(1) });
		expect(error).toBeDefined();
		expect(everything(outcome)).not.toContain(subject.credential.apiKey);
		expect(everything(error)).not.toContain(subject.credential.apiKey);
	});

	test('is in no output, with "continue" and without', async () => {
		const subject = await bench();
		subject.links.inject({
			path: '/api/qr/1',
			status: 400,
			body: { error: 1, message: `No ${subject.links.apiKey} here` },
		});
		const outcome = await subject.run(getQr, {
			items: numbered(2),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(jsonOf(outcome.items)[0]).toEqual({ error: 'No *** here [item 0]' });
		expect(everything(outcome.run)).not.toContain(subject.credential.apiKey);
	});
});

test('many waiting items cause no process warning', async () => {
	const warnings: string[] = [];
	const listen = ({ message }: Error) => warnings.push(message);
	process.on('warning', listen);
	const { run } = await bench({
		latencyMs: 5,
		rateLimit: { limit: 50, windowMs: 800, reset: 'epochMs' },
	});
	const { items } = await run(getQr as INodeParameters, { items: numbered(80) });
	await new Promise((resolve) => setImmediate(resolve));
	process.off('warning', listen);
	expect(items).toHaveLength(80);
	expect(warnings).toEqual([]);
});
