import fc from 'fast-check';
import { NodeApiError } from 'n8n-workflow';

import { sendRequest } from '../../../nodes/shared/http/sendRequest';
import type { ApiRequest, SendOptions, Upload } from '../../../nodes/shared/http/sendRequest';
import { InputError, ServiceError, CancelledError } from '../../../nodes/shared/http/errors';
import type { FakeClock } from './fakeClock';
import { node, scriptedHost, service, useFakeClock } from './scriptedHost';
import type { ScriptedAnswer, Step } from './scriptedHost';
import { connect } from '../../../nodes/shared/http/connection';
import type { Host } from '../../../nodes/shared/http/connection';
import { toNodeError } from '../../../nodes/shared/node/nodeError';

let clock: FakeClock;

beforeEach(() => {
	clock = useFakeClock();
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
	jest.restoreAllMocks();
});

/** Sends requests to a service that answers by a script. */
function scripted(...steps: Step[]) {
	const { host, asked, apiKey } = scriptedHost(...steps);

	async function send(request: Partial<ApiRequest> = {}, sending?: SendOptions): Promise<unknown> {
		const connection = await connect(host, service);
		const sent = sendRequest(
			host,
			connection,
			{ method: 'GET', path: '/api/account', ...request },
			sending,
		);
		sent.catch(() => {});
		return await clock.until(sent);
	}

	async function failure(
		request?: Partial<ApiRequest>,
		sending?: SendOptions,
	): Promise<ServiceError> {
		const error: unknown = await send(request, sending).catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(ServiceError);
		return error as ServiceError;
	}

	return { asked, apiKey, send, failure };
}

function networkError(code: string, message = code): Error {
	return Object.assign(new Error(message), { code });
}

describe('what is sent', () => {
	it('is a GET with its query and without a body', async () => {
		const { asked, send } = scripted({ body: { error: 0, data: { id: 1 } } });
		const request = { path: '/api/qr/:id', values: { id: '7' }, query: { page: 2 } };
		expect(await send(request)).toEqual({ error: 0, data: { id: 1 } });
		expect(asked).toHaveLength(1);
		expect(asked[0]).toMatchObject({ method: 'GET', url: '/api/qr/7', qs: { page: 2 } });
		expect(asked[0]).not.toHaveProperty('body');
	});

	it('is JSON with its content type', async () => {
		const { asked, send } = scripted({});
		await send({ method: 'POST', body: { name: 'Ünï' } });
		expect(asked[0]!.body).toBe('{"name":"Ünï"}');
		expect(asked[0]!.headers).toMatchObject({ 'Content-Type': 'application/json' });
	});

	it('keeps n8n’s settings for every request, and follows no redirect', async () => {
		const { asked, send } = scripted({});
		const proxy = { host: 'proxy', port: 1 };
		await send({}, { engineOptions: { timeout: 5, proxy } });
		expect(asked[0]).toMatchObject({ timeout: 5, proxy, disableFollowRedirect: true });
	});
});

describe('the credential', () => {
	const request: ApiRequest = { method: 'GET', path: '/api/account' };

	it('is passed to n8n as it was read for the connection', async () => {
		const { host, apiKey, credentialsGiven } = scriptedHost({});
		const connection = await connect(host, service);
		await clock.until(sendRequest(host, connection, request));
		expect(credentialsGiven).toEqual([expect.objectContaining({ apiKey: ` ${apiKey} ` })]);
	});

	it('is read again by n8n when the request has waited for more than a minute', async () => {
		const { host, credentialsGiven } = scriptedHost({});
		const connection = await connect(host, service);
		await clock.until(clock.sleep(60_001));
		await clock.until(sendRequest(host, connection, request));
		expect(credentialsGiven).toEqual([undefined]);
	});
});

describe('a repeated request', () => {
	const broken = networkError('ECONNRESET');
	const refusedConnection = networkError('ECONNREFUSED');

	it.each<[string, ApiRequest['method'], Step, number]>([
		['a GET after a gateway failed', 'GET', { status: 502 }, 4],
		['a PUT after the service was unavailable', 'PUT', { status: 503 }, 4],
		['a PUT after a gateway waited in vain', 'PUT', { status: 504 }, 4],
		['no POST after a gateway failed', 'POST', { status: 502 }, 1],
		['no DELETE after a gateway failed', 'DELETE', { status: 504 }, 1],
		['no GET after a failure of the service itself', 'GET', { status: 500 }, 1],
		['no GET after a failure in the body', 'GET', { body: { error: 1, message: 'No' } }, 1],
		['a GET after a broken connection', 'GET', broken, 4],
		['no POST after a broken connection', 'POST', broken, 1],
		['no DELETE after a broken connection', 'DELETE', broken, 1],
		['a POST that never left', 'POST', refusedConnection, 4],
		['a DELETE that never left', 'DELETE', networkError('EAI_AGAIN'), 4],
		[
			'no GET that timed out',
			'GET',
			networkError('ECONNABORTED', 'timeout of 300000ms exceeded'),
			1,
		],
		['no GET to a server that does not exist', 'GET', networkError('ENOTFOUND'), 1],
	])('is %s', async (_, method, step, attempts) => {
		const { asked, failure } = scripted(step);
		await failure({ method });
		expect(asked).toHaveLength(attempts);
	});

	it('returns the response of the successful attempt', async () => {
		const { asked, send } = scripted({ status: 502 }, broken, { body: { error: 0, data: 1 } });
		expect(await send()).toEqual({ error: 0, data: 1 });
		expect(asked).toHaveLength(3);
	});

	it('waits longer each time', async () => {
		const times: number[] = [];
		const { failure } = scripted(async () => {
			times.push(clock.now());
			return { status: 503 };
		});
		await failure();
		expect(times.map((time) => time - times[0]!)).toEqual([0, 500, 1_500, 3_500]);
	});

	it('waits as long as the service asks', async () => {
		const start = clock.now();
		const { asked, send } = scripted({ status: 503, headers: { 'retry-after': '20' } }, {});
		await send();
		expect(asked).toHaveLength(2);
		expect(clock.now() - start).toBe(20_000);
	});

	it('is not sent if the service asks for more than a minute', async () => {
		const { asked, failure } = scripted({ status: 503, headers: { 'retry-after': '120' } });
		const problem = await failure();
		expect(asked).toHaveLength(1);
		expect(problem.description).toContain('Try again in 2 min');
		expect(problem.failure).toEqual({
			cause: 'temporarily-unavailable',
			retryAfterMs: 120_000,
		});
	});

	it('is sent without an extra pause after a refusal, for every method', async () => {
		for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
			const start = clock.now();
			const { asked, send } = scripted({ status: 429, headers: { 'retry-after': '7' } }, {});
			await send({ method });
			expect(asked).toHaveLength(2);
			expect(clock.now() - start).toBe(7_000);
		}
	});

	it('is not counted among the attempts when it was rejected', async () => {
		const refusal = { status: 429, headers: { 'retry-after': '1' } };
		const { asked, send } = scripted(...Array.from({ length: 6 }, () => refusal), {});
		await send({ method: 'POST' });
		expect(asked).toHaveLength(7);
	});

	it('gives up with the message of a service that keeps rejecting', async () => {
		const { asked, failure } = scripted({ status: 429, body: { error: 1, message: 'Slow down' } });
		const problem = await failure();
		expect(asked).toHaveLength(8);
		expect(problem.message).toBe(
			'The rate limit of the Test Service API key is reached: Slow down',
		);
		expect(problem.httpCode).toBe('429');
	});

	it('gives up alone: requests to other endpoints are sent and succeed', async () => {
		const { host } = scriptedHost(async ({ url }) => ({
			status: url === '/api/refusing' ? 429 : 200,
			headers: { 'retry-after': '1' },
		}));
		const connection = await connect(host, service);
		const send = async (path: string) =>
			await sendRequest(host, connection, { method: 'GET', path }, { run: {} });
		const outcomes = await clock.until(
			Promise.allSettled(['/api/refusing', '/api/a', '/api/b', '/api/c'].map(send)),
		);
		expect(outcomes.map(({ status }) => status)).toEqual([
			'rejected',
			...Array<string>(3).fill('fulfilled'),
		]);
	});
});

describe('an upload', () => {
	function file() {
		const opened: Array<jest.Mock> = [];
		const upload = async (): Promise<Upload> => {
			const release = jest.fn();
			opened.push(release);
			const content = Buffer.from(`copy ${opened.length}`);
			return { content, contentType: 'text/plain', size: content.length, release };
		};
		return { opened, upload };
	}

	it('opens the file for every attempt and closes it after each', async () => {
		const { opened, upload } = file();
		const { asked, send } = scripted(
			{ status: 429, headers: { 'retry-after': '1' } },
			networkError('ECONNREFUSED'),
			{},
		);
		await send({ method: 'POST', upload });
		expect(asked.map(({ body }) => String(body))).toEqual(['copy 1', 'copy 2', 'copy 3']);
		expect(asked[2]!.headers).toMatchObject({ 'Content-Type': 'text/plain', 'Content-Length': 6 });
		for (const release of opened) expect(release).toHaveBeenCalledTimes(1);
	});

	it('is not repeated when the connection broke while it was sent', async () => {
		const { opened, upload } = file();
		const { failure } = scripted(networkError('EPIPE'));
		await failure({ method: 'POST', upload });
		expect(opened).toHaveLength(1);
		expect(opened[0]).toHaveBeenCalledTimes(1);
	});

	it('has enough time for a slow connection, unless the user set a timeout', async () => {
		const upload = async () => ({
			content: Buffer.from('x'),
			contentType: 'video/mp4',
			// 1 GB at 256 kbit/s takes 8 hours and 41 minutes.
			size: 1_000_000_000,
		});
		const { asked, send } = scripted({}, {});
		await send({ method: 'POST', upload }, { engineOptions: { timeout: 300_000 } });
		expect(asked[0]!.timeout).toBe(300_000 + 31_250_000);
		await send({ method: 'POST', upload }, { engineOptions: { timeout: 20_000 } });
		expect(asked[1]!.timeout).toBe(20_000);
	});

	it('whose release fails gives its slot back', async () => {
		const { host } = scriptedHost({});
		const connection = await connect(host, service);
		const upload = async (): Promise<Upload> => ({
			content: Buffer.from('x'),
			contentType: 'text/plain',
			size: 1,
			release: () => {
				throw new Error('Already closed');
			},
		});
		const request: ApiRequest = { method: 'POST', path: '/api/files/upload/x', upload };
		await expect(clock.until(sendRequest(host, connection, request))).rejects.toThrow('closed');
		expect(connection.limiter.idle).toBe(true);
	});

	it('that cannot be opened sends nothing and says why', async () => {
		const { asked, send } = scripted({});
		const upload = async () => await Promise.reject(new InputError('The file is gone'));
		await expect(send({ method: 'POST', upload })).rejects.toThrow(
			new InputError('The file is gone'),
		);
		expect(asked).toEqual([]);
		// And the next request need not wait for one that never was.
		const before = clock.now();
		await send();
		expect(clock.now()).toBe(before);
	});
});

describe('before every attempt', () => {
	it('the caller is called, retries included', async () => {
		const beforeAttempt = jest.fn();
		const { send } = scripted(
			{ status: 502 },
			{ status: 429, headers: { 'retry-after': '1' } },
			{},
		);
		await send({}, { beforeAttempt });
		expect(beforeAttempt).toHaveBeenCalledTimes(3);
	});

	it('the caller can keep it from being sent', async () => {
		const { asked, send } = scripted({});
		const beforeAttempt = () => {
			throw new InputError('The budget is exhausted');
		};
		await expect(send({}, { beforeAttempt })).rejects.toThrow('The budget is exhausted');
		expect(asked).toEqual([]);
		const start = clock.now();
		await send();
		expect(clock.now()).toBe(start);
	});
});

describe('a slot of the rate limiter', () => {
	it('is given back when a response cannot be read', async () => {
		const { host } = scriptedHost({});
		const unreadable = {
			...host,
			helpers: {
				httpRequestWithAuthentication: async () => ({
					get statusCode(): number {
						throw new RangeError('Too deep');
					},
					headers: {},
				}),
			},
		} as unknown as Host;
		const connection = await connect(host, service);
		const request: ApiRequest = { method: 'GET', path: '/api/x' };
		for (let at = 0; at < 25; at++) {
			await expect(clock.until(sendRequest(unreadable, connection, request))).rejects.toThrow(
				RangeError,
			);
		}
		expect(connection.limiter.idle).toBe(true);
		expect(await clock.until(sendRequest(host, connection, request))).toEqual({ error: 0 });
	});
});

describe('a maximum wait', () => {
	it('does not wait for a Retry-After that is longer', async () => {
		const start = clock.now();
		for (const status of [429, 503]) {
			const { asked, failure } = scripted({ status, headers: { 'retry-after': '8' } });
			await failure({}, { maxWaitMs: 5_000 });
			expect(asked).toHaveLength(1);
		}
		expect(clock.now()).toBe(start);
	});

	it('covers all waits of a request together', async () => {
		const { asked, failure } = scripted({ status: 429, headers: { 'retry-after': '4' } });
		const start = clock.now();
		await failure({}, { maxWaitMs: 10_000 });
		expect(asked).toHaveLength(3);
		expect(clock.now() - start).toBeLessThanOrEqual(10_000);
	});

	it('of zero concerns the rate limit only', async () => {
		const { asked, send } = scripted({ status: 503 }, {});
		await send({}, { maxWaitMs: 0 });
		expect(asked).toHaveLength(2);
	});
});

describe('the wait for the rate limit', () => {
	it('is reported once, in total', async () => {
		const refusal = { status: 429, headers: { 'retry-after': '3' } };
		const { send } = scripted(refusal, refusal, {});
		const onRateLimitWait = jest.fn();
		await send({}, { onRateLimitWait });
		expect(onRateLimitWait.mock.calls).toEqual([[6_000]]);
	});

	it('is not reported if there was none', async () => {
		const onRateLimitWait = jest.fn();
		await scripted({}).send({}, { onRateLimitWait });
		expect(onRateLimitWait).not.toHaveBeenCalled();
	});
});

describe('cancelling', () => {
	it('while the request waits for the rate limit ends it immediately', async () => {
		const cancel = new AbortController();
		const { send } = scripted({ status: 429 });
		const sent = send({}, { signal: cancel.signal });
		await clock.advance(1_000);
		const before = clock.now();
		cancel.abort();
		await expect(sent).rejects.toBeInstanceOf(CancelledError);
		expect(clock.now()).toBe(before);
	});

	it('during the pause before another attempt sends nothing more', async () => {
		const cancel = new AbortController();
		const { asked, send } = scripted(async () => {
			cancel.abort();
			return { status: 503 };
		});
		const start = clock.now();
		await expect(send({}, { signal: cancel.signal })).rejects.toBeInstanceOf(CancelledError);
		expect(asked).toHaveLength(1);
		expect(clock.now()).toBe(start);
	});

	it('while the request is in flight is distinguished from a broken connection', async () => {
		const cancel = new AbortController();
		const { asked, send } = scripted(async () => {
			cancel.abort();
			throw networkError('ERR_CANCELED');
		});
		await expect(send({}, { signal: cancel.signal })).rejects.toBeInstanceOf(CancelledError);
		expect(asked).toHaveLength(1);
	});
});

describe('without waiting', () => {
	const usedUp = (reset: number) => ({
		headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) },
	});

	it('an exhausted window fails with the time at which it opens', async () => {
		const { asked, send, failure } = scripted(usedUp(40));
		await send();
		const problem = await failure({}, { maxWaitMs: 0 });
		expect(asked).toHaveLength(1);
		expect(problem.message).toBe('The rate limit of the Test Service API key is reached');
		expect(problem.description).toBe(
			"Try again in 41 s. To wait automatically, set 'On Rate Limit' to Wait.",
		);
		expect(problem.failure).toMatchObject({
			cause: 'rate-limited',
			retryAfterMs: 41_000,
			resetsAtEpochMs: clock.now() + 41_000,
		});
	});

	it('a refusal fails, too, and says when to try again', async () => {
		const { asked, failure } = scripted({ status: 429, headers: { 'retry-after': '90' } });
		const problem = await failure({}, { maxWaitMs: 0 });
		expect(asked).toHaveLength(1);
		expect(problem.description).toContain('Try again in 2 min.');
	});

	it('an exhausted daily quota fails at once even if requests may wait long', async () => {
		const { asked, failure } = scripted({
			status: 429,
			body: { success: false, error: 'Daily quota exceeded' },
		});
		const problem = await failure();
		expect(asked).toHaveLength(1);
		expect(problem.message).toBe(
			'The quota of the Test Service API key is exhausted: Daily quota exceeded',
		);
		expect(problem.description).toContain('does not say when');
		expect(problem.failure).toMatchObject({ cause: 'quota-exhausted' });
	});
});

describe('a refusal without status 429', () => {
	it.each<[string, ScriptedAnswer]>([
		['200 with an error', { body: { error: 1, message: 'Rate limit exceeded' } }],
		[
			'200 with an error and no requests left',
			{
				headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '5' },
				body: { error: 1, message: 'Rate limit exceeded' },
			},
		],
		['200 with an error as text', { body: { error: '1', message: 'Too many requests.' } }],
		['403', { status: 403, body: { error: 1, message: 'API limit reached' } }],
		['403 with plain text', { status: 403, body: 'Too many requests, slow down.' }],
	])('is followed by a wait: %s', async (_, refusal) => {
		const { asked, send } = scripted({ headers: { 'retry-after': '5' }, ...refusal }, {});
		await send({ method: 'POST' });
		expect(asked).toHaveLength(2);
	});

	it('is ignored if the headers show that requests are left', async () => {
		const { asked, failure } = scripted({
			headers: { 'x-ratelimit-remaining': '17' },
			body: { error: 1, message: 'Channel limit reached. Please upgrade.' },
		});
		expect((await failure({ method: 'POST' })).message).toBe(
			'Channel limit reached. Please upgrade.',
		);
		expect(asked).toHaveLength(1);
	});
});

describe('the message of a failure', () => {
	it.each<[string, Step, RegExp, string | undefined]>([
		[
			'a wrong key',
			{ status: 401, body: { error: 1, message: 'No' } },
			/did not accept the API key/,
			'credential-invalid',
		],
		[
			'a wrong key in a 200',
			{ body: { error: 1, message: 'Invalid API key' } },
			/did not accept the API key/,
			'credential-invalid',
		],
		[
			'a web page',
			{ body: '<!DOCTYPE html><title>Welcome</title>' },
			/There is no Test Service API at https:\/\/links\.example$/,
			'configuration-invalid',
		],
		[
			'a 404 page',
			{ status: 404, body: '<html>Nothing here</html>' },
			/There is no Test Service API/,
			'configuration-invalid',
		],
		[
			'a page of nginx that says that a file is too large',
			{ status: 413, body: '<html><h1>413 Request Entity Too Large</h1></html>' },
			/rejected the request as too large \(HTTP 413\)/,
			undefined,
		],
		[
			'a page that says that the URL is too long',
			{ status: 414, body: '<html>414 Request-URI Too Large</html>' },
			/rejected the URL as too long \(HTTP 414\)/,
			undefined,
		],
		[
			'a page that says that the request took too long',
			{ status: 408, body: '<html>408 Request Time-out</html>' },
			/did not receive the request in time \(HTTP 408\)/,
			undefined,
		],
		[
			'a page of a firewall',
			{ status: 403, body: '<html>403 Forbidden</html>' },
			/denied access \(HTTP 403\)/,
			undefined,
		],
		[
			'a proxy that wants a password',
			{ status: 407, body: '<html>Proxy Authentication Required</html>' },
			/The proxy did not accept the request \(HTTP 407\)/,
			undefined,
		],
		[
			'a missing permission',
			{ status: 401, body: { error: 1, message: 'You are unauthorized to assign this link' } },
			/^You are unauthorized to assign this link$/,
			undefined,
		],
		[
			'a key that cannot be sent',
			networkError('ERR_INVALID_CHAR'),
			/The API key of the Test Service credential cannot be sent/,
			'credential-invalid',
		],
		[
			'a redirect',
			{ status: 301, headers: { location: 'https://new.example/api?x=1' } },
			/has moved/,
			'configuration-invalid',
		],
		[
			'a server without such a name',
			networkError('ENOTFOUND'),
			/could not be reached/,
			'configuration-invalid',
		],
		[
			'a bad certificate',
			networkError('CERT_HAS_EXPIRED'),
			/could not be reached/,
			'configuration-invalid',
		],
		[
			'a closed port',
			networkError('ECONNREFUSED'),
			/could not be reached/,
			'temporarily-unavailable',
		],
		[
			'a slow service',
			networkError('ETIMEDOUT'),
			/could not be reached/,
			'temporarily-unavailable',
		],
		[
			'a service that is down',
			{ status: 503, body: '<html>Down</html>' },
			/returned a server error \(HTTP 503\)/,
			'temporarily-unavailable',
		],
		['an empty body', { body: '' }, /cannot be read/, 'temporarily-unavailable'],
		[
			'a cut-off body',
			{ body: '{"error":0,"data":[{"id":1' },
			/cannot be read/,
			'temporarily-unavailable',
		],
		[
			'a rejected value',
			{ status: 400, body: { error: 1, message: 'Bad color' } },
			/^Bad color$/,
			undefined,
		],
		[
			'a missing record',
			{ status: 404, body: { error: 1, message: 'Not found' } },
			/^Not found$/,
			undefined,
		],
		[
			'a failure without words',
			{ body: { error: 1 } },
			/rejected the request \(HTTP 200\)/,
			undefined,
		],
	])('tells %s', async (_, step, message, cause) => {
		const { failure } = scripted(step);
		const problem = await failure();
		expect(problem.message).toMatch(message);
		expect(problem.failure?.cause).toBe(cause);
		expect(problem.description).toMatch(/\w/);
	});

	it('advises to look for the record before a create is repeated', async () => {
		const { failure } = scripted({ status: 500 });
		expect((await failure({ method: 'POST' })).description).toMatch(/whether the record exists/);
	});

	it('is about the path where the user entered it', async () => {
		const { failure } = scripted({ status: 404, body: '<html>Not found</html>' });
		const problem = await failure({ path: '/api/none', isTypedPath: true });
		expect(problem.message).toBe('No endpoint at /api/none. Check the Path.');
		expect(problem.description).toMatch(/Base URL/);
	});

	it('says where a redirect leads, without its query', async () => {
		const { failure } = scripted({
			status: 302,
			headers: { location: 'https://new.example/a?b=1' },
		});
		const { description } = await failure();
		expect(description).toContain('https://new.example/a.');
		expect(description).not.toContain('b=1');
	});

	it('says what was expected and what was received', async () => {
		const { failure } = scripted({ body: '{"error":0,' });
		expect((await failure()).description).toMatch(
			/Expected a JSON object.*HTTP 200, 11 characters/,
		);
	});

	it('mentions other reasons why a right key can fail', async () => {
		const { failure } = scripted({ status: 401, body: '' });
		expect((await failure()).description).toContain('Mind the header.');
	});

	it.each([
		['as it is', (error: Error) => error],
		['as a cause', (error: Error) => new Error('Wrapped', { cause: error })],
		['in an error of n8n', (error: Error) => new NodeApiError(node, error as never)],
	])('finds the code of a network error %s', async (_, wrap) => {
		const { asked, failure } = scripted(wrap(networkError('ECONNREFUSED', 'connect ECONNREFUSED')));
		expect((await failure({ method: 'POST' })).message).toMatch(/could not be reached/);
		expect(asked).toHaveLength(4);
	});
});

describe('a refusal of one request alone', () => {
	it('fails that request with the service’s message, and others with the key continue', async () => {
		const { asked, send, failure } = scripted(
			{
				status: 429,
				headers: { 'retry-after': '3600', 'x-ratelimit-remaining': '25' },
				body: { error: 1, message: 'Too many uploads' },
			},
			{},
		);
		const start = clock.now();
		const problem = await failure({ method: 'POST' });
		expect(problem.message).toBe('Too many uploads');
		expect(problem.description).toContain('in 1.0 h');
		await send();
		expect(asked).toHaveLength(2);
		expect(clock.now()).toBe(start);
	});
});

describe('success and failure in the body', () => {
	it('takes HTTP 204 as a success', async () => {
		expect(await scripted({ status: 204, body: '' }).send({ method: 'DELETE' })).toEqual({});
	});

	it.each([[0], ['0'], [false], [null], ['']])('takes "error": %j as a success', async (error) => {
		expect(await scripted({ body: { error, id: 5 } }).send()).toEqual({ error, id: 5 });
	});

	it('takes a body without "error" as a success', async () => {
		expect(await scripted({ body: { success: true, data: [] } }).send()).toMatchObject({
			data: [],
		});
	});

	it.each([
		[{ error: 1 }],
		[{ error: '1' }],
		[{ error: true }],
		[{ error: 'Broken' }],
		[{ error: { message: 'Broken' } }],
		[{ success: false }],
		[{ success: 'false' }],
	])('takes %j as a failure', async (body) => {
		await scripted({ body }).failure();
	});

	it('reads past a byte order mark', async () => {
		expect(await scripted({ body: '\uFEFF{"error":0}' }).send()).toEqual({ error: 0 });
	});
});

describe('the key', () => {
	/** Everything about an error that could be shown, logged or stored. */
	function traces(error: unknown): string {
		const shown = toNodeError(node, error, 0);
		const { message, description, stack, messages } = shown;
		const own = error as ServiceError;
		return [
			JSON.stringify(shown),
			...[message, description, stack, ...messages, own.message, own.description, own.stack],
		].join('\n');
	}

	it('never appears in an error of the service or the network', async () => {
		const filler = fc.string({ maxLength: 320 });
		const status = fc.constantFrom(200, 200, 201, 301, 400, 401, 403, 404, 422, 500, 502);
		const shape = fc.constantFrom<(text: string) => unknown>(
			(text) => text,
			(text) => ({ error: 1, message: text }),
			(text) => ({ error: text }),
			(text) => ({ success: false, errors: [{ detail: text }, text] }),
			(text) => `<html>${text}</html>`,
			(text) => `{"error":0,"data":"${text}`,
		);
		const fails = fc.constantFrom<(text: string) => Error>(
			(text) => new Error(text),
			(text) => networkError('ECONNRESET', text),
			(text) => new NodeApiError(node, networkError('EPIPE', text) as never),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(filler, { maxLength: 3 }),
				status,
				fc.option(fails),
				shape,
				async (fillers, status, fails, shape) => {
					const { apiKey, send } = scripted(async () => {
						const text = ['', ...fillers, ''].join(apiKey);
						if (fails) throw fails(text);
						const location = `https://x.example/${encodeURIComponent(apiKey)}/${apiKey}`;
						return { status, headers: { location }, body: shape(text) };
					});
					const error: unknown = await send({ method: 'POST' }).catch((caught: unknown) => caught);
					if (!(error instanceof Error)) return;
					expect(traces(error)).not.toContain(apiKey);
					expect(traces(error)).not.toContain(encodeURIComponent(apiKey));
				},
			),
			{ numRuns: 300 },
		);
	});

	it('leaves no part behind where a long message is truncated', async () => {
		for (let before = 280; before <= 300; before++) {
			const { apiKey, failure } = scripted(async () => ({
				body: { error: 1, message: `${'x'.repeat(before)}${apiKey}` },
			}));
			expect(traces(await failure())).not.toContain(apiKey.slice(0, 2));
		}
	});

	it('is not kept in the facts about the credential', async () => {
		const { host, apiKey } = scriptedHost({});
		const { account } = await connect(host, service);
		expect(account.identity).toMatch(/^[0-9a-f]{64}$/);
		expect(JSON.stringify(account)).not.toContain(apiKey.slice(0, 7));
	});
});

describe('a credential', () => {
	it('that is missing is named', async () => {
		const host = {
			getNode: () => ({ ...node, credentials: undefined }),
			getCredentials: async () => await Promise.reject(new Error('Not required')),
		} as unknown as Host;
		await expect(connect(host, service)).rejects.toThrow('The Test Service credential is missing');
	});

	it('shares its limiter with another spelling of the same credential', async () => {
		const hostWith = (baseUrl: string, apiKey: unknown) =>
			({
				getNode: () => node,
				getCredentials: async () => ({ baseUrl, apiKey }),
			}) as unknown as Host;
		const [one, same, other] = await Promise.all([
			connect(hostWith('https://a.example', 'k'), service),
			connect(hostWith(' https://A.example/api/ ', ' k '), service),
			connect(hostWith('https://a.example', 'k2'), service),
		]);
		expect(one!.limiter).toBe(same!.limiter);
		expect(one!.limiter).not.toBe(other!.limiter);
	});

	it('may have a number for a key', async () => {
		const connections = await Promise.all(
			[1001, '1001', 1002].map(async (apiKey) => {
				const credential = { baseUrl: 'https://a.example', apiKey };
				const host = { getNode: () => node, getCredentials: async () => credential };
				return await connect(host as unknown as Host, service);
			}),
		);
		const [number, text, other] = connections.map(({ account }) => account);
		expect(number!.identity).toBe(text!.identity);
		expect(number!.identity).not.toBe(other!.identity);
		expect(number!.mask('Key 1001')).toBe('Key ***');
	});
});
