import { connect } from '../../../nodes/shared/http/connection';
import { CanceledError, isNotFound, ServiceError } from '../../../nodes/shared/http/errors';
import { InputError } from '../../../nodes/shared/http/inputError';
import { sendRequest } from '../../../nodes/shared/http/request';
import type { ApiRequest, SendOptions, Upload } from '../../../nodes/shared/http/request';
import { scriptedHost, service, useFakeClock } from './scriptedHost';
import type { ScriptedAnswer, Step } from './scriptedHost';

const clock = useFakeClock();

beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});

/** Sends requests to a service that answers with these steps. */
function scripted(...steps: Step[]) {
	const { host, asked, apiKey, credentialsGiven } = scriptedHost(...steps);

	async function send(request: Partial<ApiRequest> = {}, sending?: SendOptions): Promise<unknown> {
		const connection = await connect(host, service);
		const whole: ApiRequest = { method: 'GET', path: '/api/account', ...request };
		return await clock.until(sendRequest(host, connection, whole, sending));
	}

	async function failure(...args: Parameters<typeof send>): Promise<ServiceError> {
		const error: unknown = await send(...args).catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(ServiceError);
		return error as ServiceError;
	}

	const start = clock.now();
	const waited = () => clock.now() - start;

	return { asked, apiKey, credentialsGiven, send, failure, waited };
}

function networkError(code: string, message = code): Error {
	return Object.assign(new Error(message), { code });
}

function refusal(seconds: number, status = 429): ScriptedAnswer {
	return { status, headers: { 'retry-after': String(seconds) } };
}

const WRONG_KEY = 'credential-invalid';
const MISCONFIGURED = 'configuration-invalid';
const UNAVAILABLE = 'temporarily-unavailable';
const GONE = new InputError('The file is gone');

function fail(error: Error): never {
	throw error;
}

// test/engine/everyOperation.test.ts covers how requests arrive.
it('sends a request with n8n’s settings and the credential that was read, and follows no redirect', async () => {
	const { asked, apiKey, credentialsGiven, send } = scripted({});
	const proxy = { host: 'proxy', port: 1 };
	await send({}, { engineOptions: { timeout: 5, proxy } });
	expect(asked[0]).toMatchObject({ timeout: 5, proxy, disableFollowRedirect: true });
	expect(asked[0]).toMatchObject({ encoding: 'text', headers: { Accept: 'application/json' } });
	// Otherwise n8n would read and decrypt it for each request.
	expect(credentialsGiven).toEqual([expect.objectContaining({ apiKey: ` ${apiKey} ` })]);
});

describe('sendRequest: retries', () => {
	// retry.test.ts covers which requests are retried.
	it.each<[string, attempts: number, ApiRequest['method'], Step]>([
		['a GET whose gateway fails', 4, 'GET', { status: 502 }],
		['a POST whose gateway fails', 1, 'POST', { status: 502 }],
		['a GET that fails in a 200', 1, 'GET', { body: { error: 1, message: 'No' } }],
		['a POST that can’t connect', 4, 'POST', networkError('ECONNREFUSED')],
	])('%s is sent %d time(s)', async (_, attempts, method, step) => {
		const { asked, failure, waited } = scripted(step);
		await failure({ method });
		expect(asked).toHaveLength(attempts);
		expect(waited()).toBe(attempts === 1 ? 0 : 500 + 1_000 + 2_000);
	});

	it('returns the response of the attempt that succeeds', async () => {
		const broken = networkError('ECONNRESET');
		const { asked, send } = scripted({ status: 502 }, broken, { body: { error: 0, data: 1 } });
		expect(await send()).toEqual({ error: 0, data: 1 });
		expect(asked).toHaveLength(3);
	});

	it('waits before a retry as long as the service asks, but not for more than a minute', async () => {
		const { failure, waited } = scripted(refusal(60, 408), refusal(61, 503), {});
		const problem = await failure();
		expect(waited()).toBe(60_000);
		expect(problem.description).toContain('Try again in 61 s');
		expect(problem.failure).toEqual({ cause: UNAVAILABLE, retryAfterMs: 61_000 });
	});

	// response.test.ts covers which messages are refusals.
	it.each<[ApiRequest['method'], string, ScriptedAnswer]>([
		['DELETE', 'a 429', { status: 429 }],
		['POST', 'an error in a 200', { body: { error: 1, message: 'Rate limit exceeded' } }],
		['POST', 'a 403 in plain text', { status: 403, body: 'Too many requests, slow down.' }],
	])('sends a %s again after a rejection with %s', async (method, _, response) => {
		const { asked, send, waited } = scripted({ ...refusal(7, 200), ...response }, {});
		await send({ method });
		expect(asked).toHaveLength(2);
		expect(waited()).toBe(7_000);
	});

	it('fails with the service’s message if it keeps rejecting the request', async () => {
		const body = { error: 1, message: 'Slow down' };
		const { asked, failure } = scripted({ ...refusal(1), body });
		const message = "You've reached the rate limit of the Test Service API key: Slow down";
		expect(await failure()).toMatchObject({ message, httpCode: '429', inEditor: undefined });
		expect(asked).toHaveLength(8);
	});
});

describe('sendRequest: uploads', () => {
	const content = Buffer.from('x');
	const file: Upload = { content, contentType: 'text/plain', size: 1 };

	it('opens the file to upload for each attempt, and closes it afterwards', async () => {
		const opened: Array<jest.Mock> = [];
		const upload = async (): Promise<Upload> => {
			opened.push(jest.fn());
			const copy = Buffer.from(`copy ${opened.length}`);
			return { ...file, content: copy, size: copy.length, release: opened.at(-1)! };
		};
		const { asked, send } = scripted(refusal(1), networkError('ECONNREFUSED'), {});
		await send({ method: 'POST', upload });
		expect(asked.map(({ body }) => String(body))).toEqual(['copy 1', 'copy 2', 'copy 3']);
		expect(asked[2]!.headers).toMatchObject({ 'Content-Type': 'text/plain', 'Content-Length': 6 });
		for (const release of opened) expect(release).toHaveBeenCalledTimes(1);
	});

	it('gives an upload enough time for a slow connection, unless the user sets a timeout', async () => {
		// 1 GB at 256 kbit/s takes 8 hours and 41 minutes.
		const upload = async () => ({ ...file, size: 1_000_000_000 });
		const { asked, send } = scripted({}, {});
		await send({ method: 'POST', upload }, { engineOptions: { timeout: 300_000 } });
		expect(asked[0]!.timeout).toBe(300_000 + 31_250_000);
		await send({ method: 'POST', upload }, { engineOptions: { timeout: 20_000 } });
		expect(asked[1]!.timeout).toBe(20_000);
	});

	const unclosable = async () => ({ ...file, release: () => fail(GONE) });

	it.each<[string, sent: number, Partial<ApiRequest>, SendOptions?]>([
		['opening the file', 0, { upload: async () => fail(GONE) }],
		['closing the file', 1, { upload: unclosable }],
		['traffic', 0, {}, { traffic: { before: () => fail(GONE) } }],
	])('an error in %s doesn’t make the next request wait', async (...row) => {
		const [, sent, request, options] = row;
		const { asked, send, waited } = scripted({});
		await expect(send({ method: 'POST', ...request }, options)).rejects.toBe(GONE);
		expect(asked).toHaveLength(sent);
		await send();
		expect(waited()).toBe(0);
	});
});

it('tells the sender before every attempt, including retries', async () => {
	const log: string[] = [];
	const answers = [{ status: 502 }, refusal(1), {}].map((answer) => async () => {
		log.push('sent');
		return answer;
	});
	const { send } = scripted(...answers);
	await send({}, { traffic: { before: () => void log.push('before') } });
	expect(log).toEqual(answers.flatMap(() => ['before', 'sent']));
});

it.each([429, 503])(
	'doesn’t wait after a %d if Retry-After is beyond the deadline',
	async (status) => {
		const { asked, failure, waited } = scripted(refusal(8, status));
		await failure({}, { deadline: clock.now() + 5_000 });
		expect(asked).toHaveLength(1);
		expect(waited()).toBe(0);
	},
);

it('a request that may never wait for the limit is retried all the same', async () => {
	const { asked, send } = scripted({ status: 503 }, {});
	await send({}, { waits: false });
	expect(asked).toHaveLength(2);
});

// limiter.test.ts covers canceling a wait for the rate limit.
it('canceling during the pause before a retry sends nothing more', async () => {
	const cancel = new AbortController();
	const { asked, send, waited } = scripted(async () => {
		cancel.abort();
		return { status: 503 };
	});
	await expect(send({}, { signal: cancel.signal })).rejects.toBeInstanceOf(CanceledError);
	expect(asked).toHaveLength(1);
	expect(waited()).toBe(0);
});

it('canceling the execution ends a request that is under way at once, and isn’t a network failure', async () => {
	const cancel = new AbortController();
	const { host, asked } = scriptedHost(async () => {
		return await new Promise((_, reject) => {
			const abort = () => reject(networkError('ERR_CANCELED'));
			cancel.signal.addEventListener('abort', abort);
			cancel.abort();
		});
	});
	host.getExecutionCancelSignal = () => cancel.signal;
	const connection = await connect(host, service);
	const sending = sendRequest(host, connection, { method: 'GET', path: '/api/account' });
	await expect(sending).rejects.toBeInstanceOf(CanceledError);
	expect(asked).toHaveLength(1);
});

describe('sendRequest: no waiting', () => {
	const LIMIT = "You've reached the rate limit of the Test Service API key";
	const QUOTA = "You've used up the quota of the Test Service API key: Daily quota exceeded";
	const quota = { success: false, error: 'Daily quota exceeded' };

	it('fails with the time at which the next window opens', async () => {
		const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '40' };
		const { asked, send, failure } = scripted({ headers });
		await send();
		const times = { retryAfterMs: 41_000, resetsAtEpochMs: clock.now() + 41_000 };
		expect(await failure({}, { waits: false })).toMatchObject({
			message: LIMIT,
			description: 'Try again in 41 s.',
			inEditor: 'To wait automatically, set "On Rate Limit" to Wait.',
			failure: { cause: 'rate-limited', ...times },
		});
		expect(asked).toHaveLength(1);
	});

	const known = { ...refusal(18_000), body: quota };
	const IN_FIVE_HOURS = /fail until the quota resets in 5\.0 h \(2026-05-04 17:00 UTC\)\.$/;
	const IN_90_S = /^Requests fail until the quota resets in 90 s \(/;
	const AT_MIDNIGHT = /until the quota resets\. .* usually reset at midnight\.$/;
	const UNKNOWN = /resets\. The service doesn't say when\.$/;

	it.each<[string, ScriptedAnswer, message: string, advice: RegExp]>([
		['the limit', refusal(90), LIMIT, /^Try again in 90 s\.$/],
		['the limit, without a time', {}, LIMIT, /^Try again in 60 s\./],
		['the quota', known, QUOTA, IN_FIVE_HOURS],
		['the quota, without a time', { body: quota }, QUOTA, AT_MIDNIGHT],
		['the quota, 90 s before its reset', { ...refusal(90), body: quota }, QUOTA, IN_90_S],
	])('says when to try again after a rejection because of %s', async (...row) => {
		const [, response, message, advice] = row;
		const { asked, failure } = scripted({ status: 429, ...response });
		const description = expect.stringMatching(advice) as string;
		expect(await failure({}, { waits: false })).toMatchObject({ message, description });
		expect(asked).toHaveLength(1);
	});

	it.each([
		'Monthly quota exceeded',
		'Limita de 1000 de cereri pe lună a fost atinsă',
		'Ați depășit cota lunară de cereri',
		'Исчерпана месячная квота запросов',
		'Исчерпана квота запросов на месяц',
	])('doesn’t say that the quota of a month resets at midnight: %s', async (error) => {
		const { failure } = scripted({ status: 429, body: { success: false, error } });
		const { message, description } = await failure({}, { waits: false });
		expect(message).toContain(error);
		expect(description).toMatch(UNKNOWN);
	});
});

it.each([
	['no reset of a quota that the service has not announced', {}, undefined],
	['the announced reset of a quota', refusal(18_000), 18_000_000],
])('tells n8n %s', async (_, more, inMs) => {
	const body = { success: false, error: 'Daily quota exceeded' };
	const { failure } = scripted({ status: 429, ...more, body });
	const problem = await failure({}, { waits: false });
	// An error workflow would otherwise try again every minute of the night.
	const at = inMs && clock.now() + inMs;
	expect(problem.resetsAt).toBe(at);
	expect(problem.failure).toMatchObject({ cause: 'quota-exhausted', resetsAtEpochMs: at });
});

// test/engine/phases.test.ts covers failures without an answer, and test/engine/leaks.test.ts that none contains a
// part of the key.
describe('sendRequest: error messages', () => {
	const page = (status: number) => ({ status, body: '<html>An error page</html>' });
	const failed = (status: number, message: string) => ({ status, body: { error: 1, message } });

	const unsendable = networkError('ERR_INVALID_TUPLE', 'No pairs');
	const restricted = Object.assign(new Error('The address is restricted'), {
		description: 'Ask n8n.',
	});
	// The HTTP client has begun the request when n8n stops it.
	const blocked = Object.assign(new Error('Wrapped', { cause: restricted }), { request: {} });
	const cutOff = { body: '{"error":0,"data":[{"id":1' };
	const redirect = (location: string) => ({ status: 302, headers: { location } });
	const moved = redirect('https://new.example/a/api/b?c=1');

	it.each<[what: string, Step, RegExp, cause?: string]>([
		['a wrong key', failed(401, 'No'), /didn't accept the API key/, WRONG_KEY],
		['a missing right', failed(403, 'Not yours to change.'), /^Not yours to change/],
		[
			'a web page',
			page(200),
			/^There is no Test Service API at https:\/\/links\.example, but a web page$/,
			UNAVAILABLE,
		],
		['a 404 page', page(404), /There is no Test Service API/, MISCONFIGURED],
		['a file that a server finds too large', page(413), /too large for Test Service \(HTTP 413\)/],
		['a firewall', page(403), /^Something in front of Test Service .* \(HTTP 403\)/, UNAVAILABLE],
		['a service that is down', page(503), /returned a server error \(HTTP 503\)/, UNAVAILABLE],
		[
			'a redirect',
			redirect('/api/x/?token=1#a'),
			/^https:.* redirects to \/api\/x\/$/,
			MISCONFIGURED,
		],
		['a request that can’t be sent', unsendable, /^Nothing was sent: No pairs$/, MISCONFIGURED],
		['a rejected value', failed(400, 'Bad color'), /^Bad color$/],
		['a missing record', failed(404, 'Not found'), /^Not found$/],
		['a failure without a message', { body: { error: 1 } }, /rejected the request \(HTTP 200\)/],
		['an answer that confirms nothing', { body: { message: 'Queued' } }, /^Queued$/, UNAVAILABLE],
	])('reports %s', async (_, step, message, cause = '') => {
		const problem = await scripted(step).failure();
		expect(problem.message).toMatch(message);
		expect(problem.failure?.cause ?? '').toBe(cause);
		expect(problem.description!.includes('Mind the header.')).toBe(cause === WRONG_KEY);
	});

	const MAYBE =
		/The service may have processed the request\. Check that first, then try again later\./;
	const AGAIN = /(^|\. )Try again later\./;
	const ASK =
		/^Something in front of the service asks for a login, or the service has moved\. .* only to an address that you know\. The node doesn't follow redirects/m;
	const base = (url: string) => new RegExp(`^Enter ${url} as the Base URL\\.`, 'm');
	const LOGIN =
		/^Check the credential's Base URL\. If it's right, .* in front of the service asks for a login/m;
	const HOST = 'links.example';
	const ADDRESS =
		/at https:\S+\/api\/x\nCheck "Path" or the credential's Base URL\. The Base URL is the service's URL without \/api,/;
	const CHECK_SETTINGS =
		/^Nothing was sent: No pairs\nCheck the Test Service credential and the "Request Options"/;
	const REJECTED = /^Bad color\nTest Service rejected the request\. Check the parameters\.$/;
	const LATER = /^Try again later\.$/m;
	const BROKEN = /^The connection broke\. Try again later\.$/m;
	const longPast = { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' };
	const typed = { isTypedPath: true, path: '/api/x?key=1' };
	const record = { path: '/api/qr/:id', values: { id: '5' } };

	it.each<[string, Partial<ApiRequest>, Step, RegExp]>([
		['where there is no API, without the query', typed, page(404), ADDRESS],
		['to ask about another host', {}, moved, ASK],
		[
			'to ask the provider about another host with the same path',
			{},
			redirect('https://x.example/api/account'),
			/^Something .* Enter https:\/\/x\.example as the Base URL only if your provider confirms/m,
		],
		['that a path may have got a slash', {}, redirect('/api/account/'), LOGIN],
		['to ask about a bare host', {}, redirect('https://x.example/'), ASK],
		[
			'to ask if a redirect leads out of encryption',
			{},
			redirect(`http://${HOST}/api/account`),
			ASK,
		],
		['to ask if a redirect leads nowhere', {}, redirect('http://'), ASK],
		[
			'that a redirect has no target',
			{},
			{ status: 302 },
			/^https:\/\/links\.example redirects\nSome/,
		],
		['where a redirect leads, but no secrets', {}, redirect('/x#token=1'), /redirects to \/x$/m],
		[
			'to use www',
			{},
			redirect(`https://www.${HOST}/api/account?a=1`),
			base(`https://www.${HOST}`),
		],
		['to use another port', {}, redirect(`https://${HOST}:8443/`), base(`https://${HOST}:8443`)],
		['to use a path prefix', {}, redirect('/x/api/account'), base(`https://${HOST}/x`)],
		[
			'which path prefix a record shows',
			record,
			redirect('/x/api/qr/5'),
			base(`https://${HOST}/x`),
		],
		['that a login may be wanted', {}, redirect('/login'), LOGIN],
		['that a login may be wanted at the start page', {}, redirect('/'), LOGIN],
		[
			'to correct a path that the user entered',
			{ isTypedPath: true, path: '/account' },
			redirect('/api/account'),
			/^Check "Path" or the/m,
		],
		['nothing that a redirect says', {}, redirect('/{to}{service}'), LOGIN],
		['what to check if nothing was sent', { method: 'POST' }, unsendable, CHECK_SETTINGS],
		[
			'that the server may want a client certificate',
			{},
			Object.assign(networkError('EPROTO', 'sslv3 alert bad certificate'), {
				request: { socket: { secureConnecting: true } },
			}),
			/it requires a client certificate/,
		],
		[
			'what n8n says about an address that it protects',
			{},
			blocked,
			/^Nothing was sent: .*\nAsk n8n/,
		],
		[
			'that a cut-off body can’t be read',
			{},
			cutOff,
			/can't be read\n.* invalid or truncated JSON/,
		],
		[
			'what was received',
			{},
			{ body: { message: 'Queued' } },
			/^Queued\nThe .* message \(HTTP 200\)/,
		],
		['that an empty body can’t be read', typed, { body: ' ' }, /can't be read\n.* an empty body/],
		['that an empty answer can’t be read', { method: 'POST' }, { body: '' }, /can't be read/],
		['that a value was rejected', {}, failed(400, 'Bad color'), REJECTED],
		['in its own words that a connection broke', {}, networkError('ECONNRESET'), BROKEN],
		['to send a smaller file', { method: 'POST' }, page(413), /^Send a smaller file/m],
		['that a smaller file may arrive in time', {}, page(408), /\(HTTP 408\)\n.* a smaller one/],
		['which status has not been processed', {}, page(421), /didn't process .* \(HTTP 421\)\nTry/],
		[
			'when to repeat a request that hasn’t been processed',
			{},
			{ ...page(425), headers: { 'retry-after': '120' } },
			/didn't process .* \(HTTP 425\)\nTry again in 2 min/,
		],
		['which requests a firewall should let through', {}, page(403), /to https:\S+\/api through\./],
		['to wait no longer if the time has passed', {}, { status: 503, headers: longPast }, LATER],
	])('says %s', async (_, request, step, advice) => {
		const { message, description } = await scripted(step).failure(request);
		expect(`${message}\n${description}`).toMatch(advice);
	});

	it.each<[what: string, Step, isUnknown: boolean, advice: RegExp]>([
		['a gateway’s error', page(502), true, MAYBE],
		['a cut-off body', cutOff, true, MAYBE],
		['an answer that confirms nothing', { body: { message: 'Queued' } }, true, MAYBE],
		['a web page', page(200), true, MAYBE],
		[
			'a redirect',
			redirect('/login'),
			true,
			/^Check the credential.* may have processed the request\.$/,
		],
		['an unknown address', page(404), false, /^Check the credential/],
		['an error of the service', page(500), false, MAYBE],
		['a service that is busy', page(503), false, MAYBE],
		['a load balancer that has waited for the request', page(408), false, MAYBE],
		['a firewall', page(403), false, AGAIN],
	])('says after %s whether a write may have been carried out: %p', async (...row) => {
		const [, step, isUnknown, advice] = row;
		for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
			const problem = await scripted(step).failure({ method });
			expect(problem.mayBeCarriedOut).toBe(isUnknown);
			expect(problem.description).toMatch(advice);
		}
		for (const method of ['GET', 'PUT'] as const) {
			const repeatable = await scripted(step).failure({ method });
			expect(repeatable.mayBeCarriedOut).toBe(false);
			expect(repeatable.description).not.toMatch(MAYBE);
		}
	});
});

it('sends any JSON to a path that the user typed, and returns any JSON', async () => {
	const { asked, send } = scripted({ body: { state: 'up' } });
	const typed = { method: 'POST', path: '/api/x', isTypedPath: true } as const;
	expect(await send({ ...typed, body: [1, 2] })).toEqual({ state: 'up' });
	expect(asked[0]!.body).toBe('[1,2]');
});

it('sends a request outside the quota even if the quota is used up', async () => {
	const rejection = { ...refusal(18_000), body: { success: false, error: 'Daily quota exceeded' } };
	const { asked, send, failure } = scripted(rejection, {});
	await failure({}, { waits: false });
	await failure({}, { waits: false });
	await send({ outsideQuota: true });
	expect(asked).toHaveLength(2);
});

it('reads HTTP 204 as an empty object', async () => {
	expect(await scripted({ status: 204, body: '' }).send({ method: 'DELETE' })).toEqual({});
});

it.each<[status: number, body: unknown, isMissing: boolean]>([
	[404, { error: 1, message: 'Not found' }, true],
	[404, { error: '1', message: 'Not found' }, true],
	[404, { success: false, message: 'Not found' }, true],
	[410, { message: 'Gone' }, true],
	[404, { message: 'Not found' }, false],
	[404, { error: 1, message: 'The route api/x could not be found.' }, false],
	[400, { error: 1, message: 'Not found' }, false],
])('a %d with the body %j says that a record is missing: %p', async (status, body, isMissing) => {
	expect(isNotFound(await scripted({ status, body }).failure())).toBe(isMissing);
});
