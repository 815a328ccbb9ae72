import type { INodeParameters } from 'n8n-workflow';

import { fastClock } from './companyRegistrySupport';
import { byId, jsonOf, runNode } from './harness';
import type { NodeOutcome, NodeRun } from './harness';
import { numbered } from './linkManagementSupport';
import { scriptedServer } from './scriptedServer';
import type { ScriptedResponse, ScriptedServer } from './scriptedServer';

/** A minute takes 60 ms. */
const SPEED = 1_000;
const MINUTE_MS = 60_000;

afterEach(() => jest.restoreAllMocks());

// n8n's engine loads much of itself in its first run, which would outlast a shortened window.
beforeAll(async () => {
	await links(await scriptedServer(() => ({ body: account })), getAccount);
});

const account = { error: 0, data: { id: 1, email: 'a@example.com' } };
const getAccount: INodeParameters = { resource: 'account', operation: 'get' };
const getQrCode: INodeParameters = {
	resource: 'qrCode',
	operation: 'get',
	qrCodeId: byId('={{ $json.id }}'),
};
const createCampaign: INodeParameters = {
	resource: 'campaign',
	operation: 'create',
	campaignName: '={{ "No. " + $json.id }}',
};
const keepGoing = { settings: { onError: 'continueRegularOutput' } } as const;

async function links(
	{ credential }: ScriptedServer,
	parameters: INodeParameters,
	more: Partial<NodeRun> = {},
): Promise<NodeOutcome> {
	return await runNode({
		type: 'linkManagement',
		parameters,
		credentials: { linkManagementApi: credential },
		...more,
	});
}

async function registry(
	{ credential }: ScriptedServer,
	parameters: INodeParameters,
	more: Partial<NodeRun> = {},
): Promise<NodeOutcome> {
	return await runNode({
		type: 'companyRegistry',
		parameters,
		credentials: { companyRegistryApi: { ...credential, variant: 'v1', plan: 'developerFree' } },
		...more,
	});
}

const qrCode = (path: string) => ({ error: 0, data: { id: Number(path.split('/').at(-1)) } });

describe('a message of the plan', () => {
	const rateHeaders = { 'x-ratelimit-limit': 30, 'x-ratelimit-remaining': 25 };

	it.each<[string, number, string, Record<string, number>]>([
		['with requests left', 403, 'Storage quota exceeded', rateHeaders],
		['without headers', 403, 'Storage quota exceeded', {}],
		['in a 200', 200, 'You have exceeded your monthly limit of file uploads', rateHeaders],
		['without headers', 200, 'You have exceeded your monthly limit of file uploads', {}],
		['of a search', 422, 'Too many results, refine your query', {}],
	])('is shown as it is and blocks nobody: %s, %d, %s', async (_, status, message, headers) => {
		const server = await scriptedServer(({ method }) =>
			method === 'POST' ? { status, headers, body: { error: 1, message } } : { body: account },
		);
		const { error } = await links(server, createCampaign, { items: numbered(1) });
		expect(error?.message).toBe(`${message} [item 0]`);
		const after = await links(server, getAccount);
		expect(after.error).toBeUndefined();
		expect(server.requests).toHaveLength(2);
	});
});

describe('an endpoint that always answers 429', () => {
	it.each<[string, Record<string, string>]>([
		['without headers', {}],
		['with Retry-After', { 'retry-after': '5' }],
	])('fails alone, in the words of the service: %s', async (_, headers) => {
		fastClock(SPEED);
		const server = await scriptedServer(({ method, path }) =>
			method === 'POST'
				? { status: 429, headers, body: { error: 1, message: 'Campaigns are full' } }
				: { body: qrCode(path) },
		);
		const [writes, ...reads] = await Promise.all([
			links(server, createCampaign, { items: numbered(1) }),
			...[1, 2, 3].map(async (id) => await links(server, getQrCode, { items: [{ json: { id } }] })),
		]);
		expect(writes.error?.message).toContain('Campaigns are full');
		expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(8);
		for (const read of reads) expect(read.error).toBeUndefined();
	});

	it('does not fail requests that come while the key is blocked', async () => {
		fastClock(SPEED);
		const server = await scriptedServer(({ method, path }) =>
			method === 'POST' ? { status: 429, body: { error: 1 } } : { body: qrCode(path) },
		);
		const writing = links(server, createCampaign, { items: numbered(1) });
		// The fifth refusal comes after about 288 s.
		while (server.requests.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
		const reads = await links(server, getQrCode, { items: numbered(3) });
		expect(reads.error).toBeUndefined();
		expect(reads.items).toHaveLength(3);
		expect((await writing).error?.httpCode).toBe('429');
	});
});

describe('a forecast in a successful response', () => {
	const now = Date.UTC(2026, 4, 4, 12);
	const localTime = (ms: number) => new Date(ms + 3 * 3_600_000).toISOString().slice(0, 19);

	it.each<[string, () => string]>([
		['local time without a zone', () => localTime(Date.now() + MINUTE_MS).replace('T', ' ')],
		['epoch seconds of local time', () => String(Math.ceil(Date.now() / 1000) + 3 * 3_600)],
		['31 days', () => String(31 * 24 * 3_600)],
		['microseconds', () => String(now * 1_000)],
	])('delays nobody longer than a minute: %s', async (_, reset) => {
		const started = Date.now();
		const clock = fastClock(SPEED);
		const server = await scriptedServer(() => ({
			headers: {
				'x-ratelimit-limit': 30,
				'x-ratelimit-remaining': 0,
				'x-ratelimit-reset': reset(),
			},
			body: account,
		}));
		await links(server, getAccount);
		const before = clock();
		const { error } = await links(server, getAccount);
		expect(error).toBeUndefined();
		expect(server.requests.map(({ path }) => path)).toEqual(['/api/account', '/api/account']);
		// With some room for what the engine itself takes at this speed.
		expect(clock() - before).toBeLessThan(10 * MINUTE_MS);
		expect(Date.now() - started).toBeLessThan(10_000);
	});
});

describe('an exhausted daily quota', () => {
	const company = { success: true, idno: '1003600015231', name: 'X' };
	const getCompany = { resource: 'company', operation: 'get', idno: '1003600015231' };

	it('does not block Get Status, and is checked once a minute', async () => {
		const clock = fastClock(SPEED);
		let used = true;
		const server = await scriptedServer(({ path }): ScriptedResponse => {
			if (path.endsWith('/status')) return { body: { success: true, daily_remaining: 0 } };
			if (!used) return { body: company };
			return { status: 429, headers: { 'retry-after': '18000' }, body: { success: false } };
		});
		const first = await registry(server, getCompany);
		expect(first.error?.message).toContain('quota');
		expect(server.requests).toHaveLength(1);

		const status = await registry(server, { resource: 'apiKey', operation: 'getStatus' });
		expect(status.error).toBeUndefined();
		expect(jsonOf(status.items)).toMatchObject([{ daily_remaining: 0 }]);

		used = false;
		const from = clock();
		let outcome = await registry(server, getCompany);
		while (outcome.error && clock() - from < 5 * MINUTE_MS) {
			await new Promise((resolve) => setTimeout(resolve, 10));
			outcome = await registry(server, getCompany);
		}
		expect(outcome.error).toBeUndefined();
	});

	it('is not inferred from a message that also names a minute', async () => {
		fastClock(SPEED);
		const server = await scriptedServer((_, count) =>
			count === 1
				? {
						status: 429,
						body: { success: false, message: '10 requests per minute and 100 per day' },
					}
				: { body: company },
		);
		const { error } = await registry(server, getCompany);
		expect(error).toBeUndefined();
		expect(server.requests).toHaveLength(2);
	});
});

describe('headers that mean "unlimited"', () => {
	it.each([
		['-1', '-1'],
		['0', '0'],
		['NaN', 'NaN'],
	])('say nothing: limit %s, remaining %s', async (limit, remaining) => {
		const server = await scriptedServer(({ path }) => ({
			headers: { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining },
			body: qrCode(path),
		}));
		const started = Date.now();
		const { items, error } = await links(server, getQrCode, { items: numbered(30) });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(30);
		expect(Date.now() - started).toBeLessThan(20_000);
	});
});

describe('a short run behind a long one', () => {
	it('waits for one window, not for the long run', async () => {
		const windowMs = 400;
		const limit = 10;
		let window = { endsAt: 0, used: 0 };
		const server = await scriptedServer(({ path, at }) => {
			if (at >= window.endsAt) window = { endsAt: at + windowMs, used: 0 };
			const allowed = window.used < limit;
			if (allowed) window.used++;
			const headers = {
				'x-ratelimit-limit': limit,
				'x-ratelimit-remaining': limit - window.used,
				'x-ratelimit-reset': window.endsAt,
			};
			return allowed
				? { headers, body: path === '/api/account' ? account : qrCode(path) }
				: { status: 429, headers, body: { error: 1, message: 'Too many requests' } };
		});
		const long = links(server, getQrCode, { items: numbered(100) });
		while (server.requests.length < limit) await new Promise((resolve) => setTimeout(resolve, 5));
		const short = await links(server, getAccount);
		expect(short.error).toBeUndefined();
		const position = server.requests.findIndex(({ path }) => path === '/api/account');
		expect(position).toBeLessThan(2 * limit + 2);
		expect((await long).items).toHaveLength(100);
	});
});

describe('a list', () => {
	const rows = (count: number) =>
		Array.from({ length: count }, (_, at) => ({ id: at + 1, name: `Row ${at + 1}` }));
	const getAll = { resource: 'pixel', operation: 'getAll', returnAll: true };

	it('loses no row when one is deleted after page 1', async () => {
		const list = rows(250);
		const server = await scriptedServer(({ query }, count) => {
			if (count === 2) list.splice(3, 1);
			const page = Number(query.get('page'));
			const pixels = list.slice((page - 1) * 100, page * 100);
			const maxpage = Math.ceil(list.length / 100);
			const counters = { result: list.length, perpage: 100, currentpage: page, maxpage };
			return { body: { error: 0, data: { ...counters, nextpage: null, pixels } } };
		});
		const { items } = await links(server, getAll);
		const ids = jsonOf(items).map(({ id }) => id);
		expect(rows(250).filter(({ id }) => id !== 4 && !ids.includes(id))).toEqual([]);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('that claims 50 pages but has one costs at most two more requests', async () => {
		const server = await scriptedServer(({ query }) => {
			const page = Number(query.get('page'));
			const pixels = page === 1 ? rows(30) : [];
			const counters = { result: 30, perpage: 100, currentpage: page, nextpage: null, maxpage: 50 };
			return { body: { error: 0, data: { ...counters, pixels } } };
		});
		const { items } = await links(server, getAll);
		expect(items).toHaveLength(30);
		expect(server.requests.length).toBeLessThanOrEqual(3);
	});
});

describe('responses that are hard to read', () => {
	it('do not exhaust the key’s slots', async () => {
		const deep = `${'{"error":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
		const server = await scriptedServer(({ path }) =>
			path === '/api/account' ? { body: account } : { status: 400, body: deep },
		);
		const { items } = await links(server, getQrCode, { items: numbered(25), ...keepGoing });
		expect(jsonOf(items).every(({ error }) => typeof error === 'string')).toBe(true);
		expect((await links(server, getAccount)).error).toBeUndefined();
	});
});

describe('the key in a message of the service', () => {
	it.each(['k"ey/with\\all+of é it', '1234567890123', 'täst"\\/'])(
		'is redacted however it is written: %s',
		async (apiKey) => {
			const forms = [
				apiKey,
				JSON.stringify(apiKey).slice(1, -1),
				encodeURIComponent(apiKey),
				new URLSearchParams({ apiKey }).toString().slice(7),
			];
			const server = await scriptedServer(() => ({
				status: 400,
				body: { error: 1, message: `You sent ${forms.join(' and ')}.` },
			}));
			server.credential.apiKey = apiKey;
			const { error } = await runNode({
				type: 'linkManagement',
				parameters: getAccount,
				credentials: { linkManagementApi: { ...server.credential, apiKey } },
			});
			expect(error?.message).toBe('You sent *** and *** and *** and ***. [item 0]');
		},
	);
});
