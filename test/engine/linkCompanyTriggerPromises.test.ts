import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { byId } from './harness';
import { TriggerHost, type Scheduler, type TriggerSetting } from './pollHarness';

interface Answer {
	status?: number;
	headers?: Record<string, string>;
	body: unknown;
}

/** An account of the link service, as far as the trigger reads it. */
const account = {
	/** Account by API key. */
	keys: {} as Record<string, unknown>,
	files: [] as Array<{ id: number; name: string; date: string }>,
	codes: [] as Array<{ id: number; name: string; scans: number; date: string }>,
	pageSize: 100,
	requests: [] as string[],
	/** Answers instead of the service. */
	fault: (() => undefined) as (path: string) => Answer | undefined,
};

let server: Server;
let baseUrl = '';
let keys = 0;
let key = '';

beforeAll(async () => {
	server = createServer((request, response) => {
		const { status = 200, headers, body } = answerTo(request);
		response.writeHead(status, {
			'Content-Type': 'application/json',
			'X-RateLimit-Limit': '100000',
			'X-RateLimit-Remaining': '99999',
			...headers,
		});
		response.end(JSON.stringify(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll((done) => {
	server.closeAllConnections();
	server.close(done);
});

beforeEach(() => {
	key = `promise-key-${process.pid}-${++keys}`;
	account.keys = { [key]: 7 };
	account.files = Array.from({ length: 150 }, (_, index) => fileOf(index + 1)).reverse();
	account.codes = Array.from({ length: 150 }, (_, index) => codeOf(index + 1, 40));
	account.pageSize = 100;
	account.requests = [];
	account.fault = () => undefined;
});

const dateOf = (id: number) =>
	new Date(Date.UTC(2025, 0, 1) + id * 1000).toISOString().slice(0, 19).replace('T', ' ');
const fileOf = (id: number, name = `file ${id}`) => ({ id, name, date: dateOf(id) });
const codeOf = (id: number, scans: number) => ({
	id,
	name: `code ${id}`,
	scans,
	date: dateOf(id),
});

function upload(name?: string): number {
	const id = Math.max(0, ...account.files.map((file) => file.id)) + 1;
	account.files = [fileOf(id, name), ...account.files];
	return id;
}

function answerTo({ url = '', headers }: IncomingMessage): Answer {
	const { pathname, searchParams } = new URL(url, baseUrl);
	account.requests.push(pathname);
	const fault = account.fault(pathname);
	if (fault) return fault;
	const owner = account.keys[String(headers.authorization).replace('Bearer ', '')];
	if (owner === undefined) {
		return { status: 401, body: { error: 1, message: 'The API key is not valid' } };
	}
	if (pathname === '/api/account') return { body: { error: 0, data: { id: owner } } };
	const rows: unknown[] = pathname === '/api/files' ? account.files : account.codes;
	const page = Number(searchParams.get('page'));
	const maxpage = Math.max(1, Math.ceil(rows.length / account.pageSize));
	const counters = {
		result: rows.length,
		perpage: account.pageSize,
		currentpage: page,
		nextpage: page < maxpage ? page + 1 : null,
		maxpage,
	};
	const shown = rows.slice((page - 1) * account.pageSize, page * account.pageSize);
	return pathname === '/api/files'
		? { body: { error: '0', ...counters, list: shown } }
		: { body: { error: '0', data: { ...counters, qrs: shown } } };
}

function hostOf(
	parameters: INodeParameters,
	setting: Partial<TriggerSetting> & { scheduler?: Scheduler } = {},
): TriggerHost {
	return new TriggerHost({
		scheduler: 'classic',
		...setting,
		parameters,
		credentials: { linkManagementApi: { baseUrl, apiKey: key } },
	});
}

const files = { event: 'fileCreated' };
const scans = { event: 'qrCodeScanned' };

const table: Array<Record<string, unknown>> = [];
afterAll(() => {
	if (process.env.VERBOSE) console.table(table);
});

/** Gives the trigger a second key of the same account, or of another one. */
function newKey(host: TriggerHost, owner: unknown): void {
	const other = `${key}-new`;
	account.keys[other] = owner;
	host.setting.credentials.linkManagementApi!.apiKey = other;
}

describe('an edit', () => {
	const edits: Array<[string, (host: TriggerHost) => void, number]> = [
		['nothing', () => {}, 0],
		['the name filter', (host) => host.edit({ name: 'new' }), 0],
		['the minimum of scans', (host) => host.edit({ minimumScans: 2 }), 0],
		['the poll times', (host) => host.edit({ pollTimes: { item: [{ mode: 'everyHour' }] } }), 0],
		['Emit Existing Records', (host) => host.edit({ options: { emitExisting: true } }), 0],
		['the key, for the same account', (host) => newKey(host, 7), 1],
	];

	it.each(edits)('of %s loses no file and emits no wrong one', async (what, edit, asked) => {
		const host = hostOf(files);
		await host.activate();
		await host.tick();
		const id = upload('a new file');
		account.requests = [];
		edit(host);
		await host.activate();
		await host.tick();
		const emitted = host.take().map((item) => item.id);
		expect(emitted).toEqual([id]);
		expect(account.requests.filter((path) => path === '/api/account')).toHaveLength(asked);
		expect(host.warnings).toEqual([]);
		table.push({
			event: 'File Created',
			edit: what,
			lost: 0,
			false: 0,
			'requests beside the polls': asked,
		});
	});

	it.each(edits)('of %s loses no scan and emits no wrong one', async (what, edit, asked) => {
		const host = hostOf(scans);
		await host.activate();
		await host.tick();
		account.codes[120]!.scans += 3;
		account.requests = [];
		edit(host);
		await host.activate();
		await host.tick();
		expect(host.take()).toMatchObject([{ id: 121, newScans: 3 }]);
		expect(account.requests.filter((path) => path === '/api/account')).toHaveLength(asked);
		expect(host.warnings).toEqual([]);
		table.push({
			event: 'QR Code Scanned',
			edit: what,
			lost: 0,
			false: 0,
			'requests beside the polls': asked,
		});
	});

	it('of the key, for another account, starts over without a warning', async () => {
		for (const parameters of [files, scans]) {
			const host = hostOf(parameters);
			await host.activate();
			upload();
			account.codes[120]!.scans += 3;
			newKey(host, 8);
			await host.activate();
			await host.tick();
			expect(host.take()).toEqual([]);
			expect(host.warnings).toEqual([]);
		}
	});

	it('of the key warns when the service does not return the account', async () => {
		account.fault = (path) =>
			path === '/api/account' ? { status: 404, body: { error: 1, message: 'no' } } : undefined;
		const host = hostOf(files);
		await host.activate();
		const id = upload();
		await host.tick();
		expect(host.take()).toMatchObject([{ id }]);
		newKey(host, 7);
		await host.activate();
		expect(host.warnings[0]).toContain('does not tell whether the account is the same');
	});

	it('never puts the key into the state', async () => {
		const host = hostOf(files);
		await host.activate();
		expect(host.state).toBeDefined();
		expect(host.state).not.toContain(key);
	});
});

describe('a failing service', () => {
	it.each([files, scans])('fails the publication with a wrong key: %j', async (parameters) => {
		account.keys = {};
		const host = hostOf(parameters);
		const error = await host.activate().catch((e: Error) => e);
		expect(error).toMatchObject({
			failure: { cause: 'credential-invalid' },
			description: expect.stringContaining("isn't running yet"),
		});
	});

	it.each([files, scans])('fails the publication when page 2 fails: %j', async (parameters) => {
		account.files.reverse();
		account.pageSize = 10;
		let pages = 0;
		account.fault = (path) =>
			path !== '/api/account' && ++pages > 1
				? { status: 422, body: { error: 1, message: 'broken' } }
				: undefined;
		await expect(hostOf(parameters).activate()).rejects.toThrow();
	});

	it.each([files, scans])(
		'fails a later poll, and then nothing is lost: %j',
		async (parameters) => {
			const host = hostOf(parameters);
			await host.activate();
			await host.tick();
			account.fault = () => ({ body: { error: 1, message: 'The plan has ended' } });
			const id = upload();
			account.codes[0]!.scans += 1;
			await host.tick();
			expect(host.errors).toHaveLength(1);
			account.fault = () => undefined;
			await host.tick();
			expect(host.take()).toMatchObject([parameters === files ? { id } : { id: 1, newScans: 1 }]);
		},
	);

	it('does not keep a poll waiting longer than it has time', async () => {
		const host = hostOf(files, { budgetMs: 5_000 });
		await host.activate();
		account.fault = () => ({
			status: 429,
			headers: { 'Retry-After': '8' },
			body: { error: 1, message: 'Too many requests' },
		});
		const before = Date.now();
		await host.tick();
		expect(host.errors).toHaveLength(1);
		expect(Date.now() - before).toBeLessThan(5_000);
	});

	it('reports a row without an id', async () => {
		account.files = [{ name: 'nameless', date: dateOf(1) } as (typeof account.files)[number]];
		const error = await hostOf(files)
			.activate()
			.catch((e: Error) => e);
		expect(error).toMatchObject({ description: expect.stringContaining('"id"') });
	});
});

describe('the state', () => {
	const numbers = [2e9, -1, 1.5, '"x"', 'null', '[]'];

	it.each([files, scans])(
		'starts over when any number in it was changed: %j',
		async (parameters) => {
			const host = hostOf(parameters);
			await host.activate();
			const sound = host.state!;
			const places = [...sound.matchAll(/:(-?\d+)/g)];
			for (const [index, { 0: found, index: at }] of places.entries()) {
				const value = numbers[index % numbers.length];
				host.state = `${sound.slice(0, at)}:${value}${sound.slice(at + found.length)}`;
				await host.restart();
				await host.tick();
			}
			expect(host.errors).toEqual([]);
			expect(host.warnings.length).toBe(places.length);
			expect(host.take()).toEqual([]);
			const id = upload();
			account.codes[0]!.scans += 1;
			await host.tick();
			expect(host.take()).toMatchObject([parameters === files ? { id } : { id: 1, newScans: 1 }]);
		},
	);

	it('that is damaged does not make existing records events', async () => {
		const host = hostOf({ ...files, options: { emitExisting: true } });
		host.state = '{"version":2,';
		await host.restart();
		await host.tick();
		expect(host.take()).toEqual([]);
		expect(host.warnings).toHaveLength(1);
	});
});

describe('a test event', () => {
	it('finds a chosen code on page 2', async () => {
		const chosenQrCodes = { code: [{ qrCodeId: byId(140) }] };
		const host = hostOf({ ...scans, qrCodes: 'chosen', chosenQrCodes });
		const [item] = (await host.fetchTestEvent())!;
		expect(item!.json).toMatchObject({ id: 140, scans: 40, previousScans: 39, newScans: 1 });
	});
});

describe('a quiet poll', () => {
	it('of files is one request', async () => {
		const host = hostOf(files);
		await host.activate();
		account.requests = [];
		await host.tick();
		expect(account.requests).toEqual(['/api/files']);
	});

	it('of QR codes is a request per page', async () => {
		const host = hostOf(scans);
		await host.activate();
		account.requests = [];
		await host.tick();
		expect(account.requests).toEqual(['/api/qr', '/api/qr']);
	});
});
