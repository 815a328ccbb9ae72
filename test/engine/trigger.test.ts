import type { INodeParameters } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { byId, runNode } from './harness';
import { TriggerHost, type TriggerSetting } from './pollHarness';

let sandbox: Sandbox;
let keys = 0;

/** A new key for each test, because a key's limiter outlives the test. */
async function start(options: SandboxOptions = {}): Promise<void> {
	const apiKey = `trigger-key-${process.pid}-${++keys}`;
	// Without this limit in headers, the nodes would keep to the documented rate, and tests would wait.
	const rateLimit = { limit: 10_000 };
	sandbox = await startSandbox({
		...options,
		links: { apiKey, rateLimit, ...options.links },
		registry: { companies: 60, v1: { apiKey, rateLimit, dailyQuota: { limit: null } } },
	});
}

afterEach(async () => await sandbox.close());

type Setting = Omit<TriggerSetting, 'credentials' | 'scheduler'> & Partial<TriggerSetting>;

function credentialsOf(): TriggerSetting['credentials'] {
	const { links, registry } = sandbox;
	return {
		linkManagementApi: { baseUrl: links.baseUrl, apiKey: links.apiKey },
		companyRegistryApi: {
			variant: 'v1',
			plan: 'businessPro',
			baseUrl: registry.v1.baseUrl,
			apiKey: registry.v1.apiKey,
		},
	};
}

function hostOf(setting: Setting): TriggerHost {
	return new TriggerHost({ scheduler: 'classic', ...setting, credentials: credentialsOf() });
}

const services = () => [sandbox.links, sandbox.registry.v1];

const companies = () => sandbox.registry.v1.control.all();

interface Happening {
	/** The event's parameters. Default: none. */
	parameters?(): INodeParameters;
	/** Makes something happen, and returns the fields that its events must have. */
	make(): object[];
}

/** What causes each event. */
const happenings: Record<string, Happening> = {
	fileCreated: {
		make: () => [{ id: sandbox.links.control.addFile({ name: 'invoice.pdf' }).id }],
	},
	fileDownloaded: {
		make: () => {
			const now = sandbox.links.control.download(7, 2);
			return [{ id: 7, downloads: now, previousDownloads: now - 2, newDownloads: 2 }];
		},
	},
	qrCodeCreated: {
		make: () => [{ id: sandbox.links.control.addQr().id }],
	},
	qrCodeScanned: {
		make: () => {
			const now = sandbox.links.control.scan(7, 3);
			return [{ id: 7, scans: now, previousScans: now - 3, newScans: 3 }];
		},
	},
	channelItemAdded: {
		parameters: () => ({ channelId: byId(1) }),
		make: () => {
			const id = itemId++;
			sandbox.links.control.addItem(1, { type: 'qr', id });
			return [{ type: 'qr', id }];
		},
	},
	companyStatusChanged: {
		parameters: () => ({
			watch: 'list',
			companies: {
				company: [0, 1, 2].map((index) => ({
					idno: { __rl: true, mode: 'list', value: companies()[index]!.idno },
				})),
			},
		}),
		make: () => {
			const { idno, name, status } = companies()[1]!;
			sandbox.registry.v1.control.update(idno, { status: `not ${status}` });
			const changes = `status: ${String(status)} → not ${String(status)}`;
			return [{ idno, name, status: `not ${status}`, previousStatus: status, changes }];
		},
	},
	companyFound: {
		parameters: () => ({ searchFilters: { q: 'Vinăria Nouă' } }),
		make: () => {
			const idno = String(1_026_600_012_347 + found++);
			sandbox.registry.v1.control.add({ idno, name: `Vinăria Nouă ${found} SRL` });
			return [{ idno }];
		},
	},
};

let itemId = 20;
let found = 0;

describe.each(['classic', 'durable'] as const)('Trigger with the %s scheduler', (scheduler) => {
	describe.each(Object.entries(happenings))('%s', (event, { parameters = () => ({}), make }) => {
		const publish = async () => {
			await start();
			if (event === 'companyFound') make();
			const host = hostOf({ scheduler, parameters: { event, ...parameters() } });
			await host.activate();
			return host;
		};

		it(`${event} only records what exists when published, then emits each event once`, async () => {
			const host = await publish();
			await host.tick();
			expect(host.executions).toEqual([]);
			const expected = make();
			await host.tick();
			await host.tick();
			expect(host.executions).toHaveLength(1);
			expect(host.take()).toMatchObject(expected);
			expect([host.errors, host.warnings]).toEqual([[], []]);
		});

		it(`${event} resumes after a restart, and after publishing again following quiet polls`, async () => {
			const host = await publish();
			const first = make();
			await host.tick();
			expect(host.take()).toMatchObject(first);
			const second = make();
			await host.restart();
			await host.tick();
			expect(host.take()).toMatchObject(second);
			await host.tick();
			await host.activate();
			await host.tick();
			const third = make();
			await host.activate();
			await host.tick();
			expect(host.take()).toMatchObject(third);
			expect(host.warnings).toEqual([]);
		});

		it(`${event} returns a sample event with an event’s fields, and leaves the state unchanged`, async () => {
			const host = await publish();
			const before = JSON.stringify(host.database);
			const [sample] = (await host.fetchTestEvent())!;
			expect(JSON.stringify(host.database)).toBe(before);
			make();
			await host.tick();
			const [event] = host.take();
			expect(Object.keys(sample!.json).sort()).toEqual(Object.keys(event!).sort());
		});

		it(`${event} emits an event once if polls overlap`, async () => {
			const host = await publish();
			const expected = make();
			for (const service of services()) service.configure({ latencyMs: 30 });
			await Promise.all([host.tick(), host.tick(), host.tick()]);
			await host.tick();
			expect(host.take()).toMatchObject(expected);
			expect(host.executions).toHaveLength(1);
		});

		it(`${event} starts over and warns if the state is damaged`, async () => {
			const host = await publish();
			for (const text of ['{"version":3,', '"text"', '{"version":0,"data":{}}', '']) {
				host.state = text;
				await host.restart();
				await host.tick();
			}
			const state = JSON.parse(host.state!) as object;
			host.state = JSON.stringify({ ...state, data: { lap: 5 } });
			await host.restart();
			await host.tick();
			expect(host.errors).toEqual([]);
			expect(host.warnings.length).toBeGreaterThanOrEqual(5);
			expect(host.take()).toEqual([]);
			const expected = make();
			await host.tick();
			expect(host.take()).toMatchObject(expected);
		});
	});
});

it('two triggers that a copied workflow gives the same node ID both emit', async () => {
	await start();
	const [files, codes] = ['fileCreated', 'qrCodeCreated'].map((event) => {
		const identity = { id: 'copied', name: event, workflow: 'one' };
		return hostOf({ parameters: { event }, identity });
	}) as [TriggerHost, TriggerHost];
	for (const host of [files, codes]) await host.activate();
	const added = [sandbox.links.control.addFile().id, sandbox.links.control.addQr().id];
	for (const host of [files, codes]) await host.tick();
	expect([files, codes].map((host) => host.take().map(({ id }) => id))).toEqual(
		added.map((id) => [id]),
	);
});

it('fails to publish with a wrong key, and says that the trigger isn’t running', async () => {
	await start();
	const host = hostOf({ parameters: { event: 'fileCreated' } });
	host.setting.credentials.linkManagementApi!.apiKey = 'wrong';
	await expect(host.activate()).rejects.toMatchObject({
		message: expect.stringMatching(/^File Created: .*Check the API Key in .*isn't running yet/),
		failure: { cause: 'credential-invalid' },
	});
});

it('a trigger with an unknown event fails to publish and to test', async () => {
	await start();
	const host = hostOf({ parameters: { event: 'fileDeleted' } });
	const message = 'The parameter "Trigger On" must be one of channelItemAdded';
	await expect(host.activate()).rejects.toThrow(message);
	await expect(host.fetchTestEvent()).rejects.toThrow(message);
});

it.each([
	[{ event: 'fileCreated', name: '={{ ["offer", "invoice"] }}' }, 'The parameter "Name Contains"'],
	[{ event: 'channelItemAdded' }, 'The parameter "Channel" is empty'],
	[{ event: 'companyStatusChanged', watch: 'idnos' }, 'The parameter "Companies to Watch" must be'],
])('a trigger whose parameters are %j fails to publish', async (parameters, message) => {
	await start();
	await expect(hostOf({ parameters }).activate()).rejects.toThrow(message);
});

it.each([
	['IDNOs', { watchListText: '={{ $json.idno }}' }, "hasn't been executed"],
	[
		'Options',
		{
			watchListText: '1003600015231',
			options: { dailyRequests: '={{ $("Sheet").item.json.most }}' },
		},
		"Referenced node doesn't exist",
	],
])(
	'a trigger whose expression in "%s" uses an input fails to publish, and names the parameter and the reason',
	async (...row) => {
		const [label, parameters, reason] = row;
		await start();
		const host = hostOf({
			parameters: { event: 'companyStatusChanged', watch: 'text', ...parameters },
		});
		await expect(host.activate()).rejects.toThrow(
			new RegExp(`The expression in "${label}" failed: .*${reason}\\. A trigger has no input`),
		);
	},
);

it('a trigger shares its key’s rate limit with the nodes, and a rejected poll tells n8n when to try again', async () => {
	await start({ links: { rateLimit: { limit: 2, windowMs: 60_000 } } });
	const host = hostOf({ parameters: { event: 'fileCreated' }, budgetMs: 3_000 });
	// Reading the account and the first page uses up the window's two requests.
	await host.activate();
	const { error } = await runNode({
		type: 'linkManagement',
		parameters: { resource: 'file', operation: 'getAll', options: { onRateLimit: 'fail' } },
		credentials: { linkManagementApi: credentialsOf().linkManagementApi! },
	});
	expect(error?.message).toMatch(/rate limit/i);
	await host.tick();
	const [rejected] = host.errors as unknown as Array<{ failure: { retryAfterMs: number } }>;
	expect(rejected).toMatchObject({ httpCode: '429', failure: { cause: 'rate-limited' } });
	expect(rejected!.failure.retryAfterMs).toBeGreaterThan(50_000);
});

it('a new key for the same account loses no event, even if the account can’t be read at first, and no key is stored', async () => {
	await start();
	const host = hostOf({ parameters: { event: 'fileCreated' } });
	await host.activate();
	const { id } = sandbox.links.control.addFile();
	const key = `${sandbox.links.apiKey}-2`;
	sandbox.links.configure({ otherApiKeys: [key] });
	host.setting.credentials.linkManagementApi!.apiKey = key;
	sandbox.links.inject({ path: '/api/account', status: 503, times: 'always' });
	await host.tick();
	expect(host.errors).toHaveLength(1);
	sandbox.links.clearFaults();
	await host.tick();
	expect(host.take()).toMatchObject([{ id }]);
	// The second key contains the first.
	expect(host.state).not.toContain(sandbox.links.apiKey);
});
