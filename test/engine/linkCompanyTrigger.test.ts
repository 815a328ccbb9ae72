import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { byId } from './harness';
import { TriggerHost, type Scheduler, type TriggerSetting } from './pollHarness';
import { timeLimit } from '../../tools/timeLimits';

let sandbox: Sandbox;
let keys = 0;

/** A key of its own for every test: the limiter of a key outlives it. */
async function start(options: SandboxOptions = {}): Promise<void> {
	const apiKey = `trigger-key-${process.pid}-${++keys}`;
	// Without headers, the nodes keep to the documented rate, and a test would wait.
	const rateLimit = { limit: 10_000 };
	sandbox = await startSandbox({
		companies: 60,
		...options,
		links: { apiKey, rateLimit, ...options.links },
		registry: {
			companies: 60,
			...options.registry,
			v1: { apiKey, rateLimit, dailyQuota: { limit: null }, ...options.registry?.v1 },
			unversioned: { apiKey, rateLimit, dailyQuota: { limit: null } },
		},
	} as SandboxOptions);
}

afterEach(async () => {
	await sandbox.close();
});

type Setting = Omit<TriggerSetting, 'credentials' | 'scheduler'> & { scheduler?: Scheduler };

function hostOf({ scheduler = 'classic', ...setting }: Setting): TriggerHost {
	const { links, registry } = sandbox;
	return new TriggerHost({
		scheduler,
		...setting,
		credentials: {
			linkManagementApi: { baseUrl: links.baseUrl, apiKey: links.apiKey },
			companyRegistryApi: {
				variant: 'v1',
				plan: 'businessPro',
				baseUrl: registry.v1.baseUrl,
				apiKey: registry.v1.apiKey,
			},
		},
	});
}

const files = { event: 'fileCreated' };
const scans = { event: 'qrCodeScanned' };

function watching(...indexes: number[]) {
	const idnos = indexes.map((index) => companies()[index]!.idno);
	return { event: 'companyStatusChanged', watch: 'list', watchList: idnos };
}

function companies() {
	return sandbox.registry.v1.control.all();
}

/** Something that triggers each event, and what the event should emit. */
const happenings = {
	fileCreated: {
		parameters: () => files,
		make: () => [{ id: sandbox.links.control.addFile({ name: 'invoice.pdf' }).id }],
	},
	qrCodeScanned: {
		parameters: () => scans,
		make: () => {
			const now = sandbox.links.control.scan(7, 3);
			return [{ id: 7, scans: now, previousScans: now - 3, newScans: 3 }];
		},
	},
	companyStatusChanged: {
		parameters: () => watching(0, 1, 2),
		make: () => {
			const { idno, name, status } = companies()[1]!;
			sandbox.registry.v1.control.update(idno, { status: `not ${status}` });
			return [{ idno, name, status: `not ${status}`, previousStatus: status }];
		},
	},
};

describe.each(['classic', 'durable'] as const)(
	'the trigger under the %s scheduler',
	(scheduler) => {
		describe.each(Object.entries(happenings))('%s', (_event, { parameters, make }) => {
			it('remembers existing records at activation, then emits each event once', async () => {
				await start();
				const host = hostOf({ scheduler, parameters: parameters() });
				await host.activate();
				await host.tick();
				expect(host.executions).toEqual([]);
				const expected = make();
				await host.tick();
				await host.tick();
				expect(host.executions).toHaveLength(1);
				expect(host.take()).toMatchObject(expected);
				expect(host.errors).toEqual([]);
				expect(host.warnings).toEqual([]);
			});

			it('neither loses nor repeats an event when a poll fails', async () => {
				await start();
				const host = hostOf({ scheduler, parameters: parameters() });
				await host.activate();
				const expected = make();
				for (const service of [sandbox.links, sandbox.registry.v1]) {
					service.inject({ status: 500, times: 'always' });
				}
				await host.tick();
				expect(host.errors).toHaveLength(1);
				expect(host.executions).toEqual([]);
				for (const service of [sandbox.links, sandbox.registry.v1]) service.clearFaults();
				await host.tick();
				await host.tick();
				expect(host.take()).toMatchObject(expected);
				expect(host.errors).toHaveLength(1);
			});

			it('resumes after a restart and emits what happened in the meantime', async () => {
				await start();
				const host = hostOf({ scheduler, parameters: parameters() });
				await host.activate();
				const first = make();
				await host.tick();
				expect(host.take()).toMatchObject(first);
				await host.tick();
				const expected = make();
				await host.restart();
				await host.tick();
				await host.tick();
				expect(host.take()).toMatchObject(expected);
				expect(host.warnings).toEqual([]);
			});

			it('starts over with a warning when the state is damaged or from another version', async () => {
				await start();
				const host = hostOf({ scheduler, parameters: parameters() });
				for (const text of ['{"version":1,', '"text"', '{"version":0,"data":{}}']) {
					host.state = text;
					await host.restart();
					await host.tick();
				}
				expect(host.errors).toEqual([]);
				expect(host.warnings[0]).toMatch(/saved state is damaged .* starts over/);
				expect(host.take()).toEqual([]);
			});

			it('starts over with a warning when the data of the event are damaged', async () => {
				await start();
				const host = hostOf({ scheduler, parameters: parameters() });
				await host.activate();
				await host.tick();
				const state = JSON.parse(host.state!) as object;
				for (const data of [
					{},
					5,
					{ mark: 'x' },
					{ codes: '1.', companies: { rows: 'x', words: [] } },
				]) {
					host.state = JSON.stringify({ ...state, data });
					await host.restart();
					await host.tick();
					expect(host.errors).toEqual([]);
				}
				expect(host.warnings.length).toBeGreaterThanOrEqual(4);
				expect(host.take()).toEqual([]);
			});

			it('shows a test event and changes nothing', async () => {
				await start();
				const host = hostOf({ scheduler, parameters: parameters() });
				await host.activate();
				const before = JSON.stringify(host.database);
				const [sample] = (await host.fetchTestEvent())!;
				make();
				await host.tick();
				const [event] = host.take();
				expect(Object.keys(sample!.json).sort()).toEqual(Object.keys(event!).sort());
				expect(before).not.toBe('{}');
				host.executions.length = 0;
				const stored = JSON.stringify(host.database);
				await host.fetchTestEvent();
				expect(JSON.stringify(host.database)).toBe(stored);
				expect(host.executions).toEqual([]);
			});

			it('skips a tick while another poll is running', async () => {
				await start();
				const host = hostOf({ scheduler, parameters: parameters() });
				await host.activate();
				const expected = make();
				for (const service of [sandbox.links, sandbox.registry.v1])
					service.configure({ latencyMs: 30 });
				await Promise.all([host.tick(), host.tick(), host.tick()]);
				await host.tick();
				expect(host.executions).toHaveLength(1);
				expect(host.take()).toMatchObject(expected);
			});

			it('works on n8n versions without a poll budget', async () => {
				await start();
				const host = hostOf({ scheduler, parameters: parameters(), old: true });
				await host.activate();
				const expected = make();
				await host.tick();
				expect(host.take()).toMatchObject(expected);
			});
		});
	},
);

describe('fileCreated', () => {
	it('keeps its state when the name filter changes', async () => {
		await start();
		const host = hostOf({ parameters: files });
		await host.activate();
		sandbox.links.control.addFile({ name: 'report.pdf' });
		sandbox.links.control.addFile({ name: 'photo.png' });
		host.edit({ name: 'report' });
		await host.activate();
		await host.tick();
		expect(host.take()).toMatchObject([{ name: 'report.pdf' }]);
		sandbox.links.control.addFile({ name: 'photo 2.png' });
		sandbox.links.control.addFile({ name: 'Report 2.pdf' });
		await host.tick();
		expect(host.take()).toMatchObject([{ name: 'Report 2.pdf' }]);
		expect(host.warnings).toEqual([]);
	});

	it('keeps its state with a new key of the same account', async () => {
		await start();
		const host = hostOf({ parameters: files });
		await host.activate();
		const { id } = sandbox.links.control.addFile();
		const other = `${sandbox.links.apiKey}-2`;
		sandbox.links.configure({ otherApiKeys: [other] });
		host.setting.credentials.linkManagementApi!.apiKey = other;
		await host.activate();
		expect(host.take()).toMatchObject([{ id }]);
		expect(host.state).not.toContain(other);
	});

	it('emits existing records at the first poll if the option is on', async () => {
		await start({ links: { counts: { files: 120 } } });
		const host = hostOf({ parameters: { ...files, options: { emitExisting: true } } });
		await host.activate();
		await host.tick();
		expect(host.take().map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
	});

	it('explains what to do when there is no file to show', async () => {
		await start({ links: { counts: { files: 0 } } });
		const error = await hostOf({ parameters: files })
			.fetchTestEvent()
			.catch((e: Error) => e);
		expect(error).toMatchObject({
			message: 'File Created: There is no file yet',
			description: expect.stringContaining('Upload a file'),
		});
	});

	it('shows the newest file as a test event, wherever the list has it', async () => {
		for (const order of ['newest-first', 'oldest-first'] as const) {
			await start({ links: { order: { files: order } } });
			const [item] = (await hostOf({ parameters: files }).fetchTestEvent())!;
			expect(item!.json.id).toBe(180);
			if (order === 'newest-first') await sandbox.close();
		}
	});
});

describe('qrCodeScanned', () => {
	it('watches chosen codes only, and only from a minimum of new scans', async () => {
		await start();
		const chosenQrCodes = { code: [{ qrCodeId: byId(3) }, { qrCodeId: byId(4) }] };
		const host = hostOf({
			parameters: { ...scans, qrCodes: 'chosen', chosenQrCodes, minimumScans: 2 },
		});
		await host.activate();
		sandbox.links.control.scan(3, 1);
		sandbox.links.control.scan(4, 2);
		sandbox.links.control.scan(5, 9);
		await host.tick();
		expect(host.take()).toMatchObject([{ id: 4, newScans: 2 }]);
		sandbox.links.control.scan(3, 1);
		await host.tick();
		expect(host.take()).toMatchObject([{ id: 3, newScans: 2 }]);
	});

	it('cannot be published with chosen codes but none selected', async () => {
		await start();
		const host = hostOf({ parameters: { ...scans, qrCodes: 'chosen' } });
		await expect(host.activate()).rejects.toThrow('QR Code Scanned: No QR code is chosen');
		expect(sandbox.links.requests).toEqual([]);
	});

	it('explains what to do when nothing has been scanned', async () => {
		await start();
		sandbox.links.control.resetScans();
		const error = await hostOf({ parameters: scans })
			.fetchTestEvent()
			.catch((e: Error) => e);
		expect(error).toMatchObject({
			message: 'QR Code Scanned: No QR code has been scanned yet',
			description: expect.stringContaining('Scan one, e.g.'),
		});
	});
});

describe('companyStatusChanged', () => {
	const text = (watchListText: unknown) =>
		({ event: 'companyStatusChanged', watch: 'text', watchListText }) as Setting['parameters'];

	it('accepts lines, commas and the result of an expression', async () => {
		await start();
		const [a, b, c] = companies().map(({ idno }) => idno);
		for (const given of [
			`${a}\n${b}, ${c}\n\n`,
			[a, Number(b), c],
			`={{ [{ idno: "${a}" }, { idno: "${b}" }, "${c}"] }}`,
		]) {
			sandbox.registry.v1.clearRequests();
			await hostOf({ parameters: text(given) }).activate();
			expect(sandbox.registry.v1.requests.map(({ path }) => path)).toEqual(
				[a, b, c].map((idno) => `/api/v1/credit/${idno}`),
			);
		}
	});

	it('fails the activation with the line that is wrong, before anything is sent', async () => {
		await start();
		const [a] = companies().map(({ idno }) => idno);
		const host = hostOf({ parameters: text(`${a}\n\n1003600015232`) });
		const error = await host.activate().catch((e: Error) => e);
		expect(error).toMatchObject({
			message:
				'Company Status Changed: Line 3 of the watch list is not a valid IDNO: 1003600015232',
			description: expect.stringContaining('The last digit is 2'),
		});
		expect(sandbox.registry.v1.requests).toEqual([]);
		expect(host.state).toBeUndefined();
	});

	it('takes companies that are selected by name together with those of an earlier list', async () => {
		await start();
		const [a, b] = companies().map(({ idno }) => idno);
		const company = [{ idno: { __rl: true, mode: 'list', value: a, cachedResultName: 'A' } }];
		const host = hostOf({ parameters: { ...watching(1), companies: { company } } });
		await host.activate();
		expect(sandbox.registry.v1.requests.map(({ path }) => path.split('/').at(-1))).toEqual([a, b]);
	});

	it('accepts numbers without a check digit when the option is off', async () => {
		await start();
		sandbox.registry.v1.control.add({ idno: '1003600015232' });
		const host = hostOf({
			parameters: { ...text('1003600015232'), options: { checkDigit: false } },
		});
		await host.activate();
		expect(sandbox.registry.v1.requests.map(({ status }) => status)).toEqual([200]);
	});

	it.each(['credit', 'dossier', 'search'])('reads the status from the %s', async (statusSource) => {
		await start();
		const host = hostOf({ parameters: { ...watching(3), statusSource } });
		await host.activate();
		const { idno, status } = companies()[3]!;
		sandbox.registry.v1.control.update(idno, { status: 'gone' });
		await host.tick();
		expect(host.take()).toMatchObject([{ idno, status: 'gone', previousStatus: status }]);
	});

	it('watches the companies of a search, 50 per request', async () => {
		await start({ registry: { companies: 40 } });
		const { region } = companies()[0]!;
		const found = companies().filter((company) => company.region === region);
		const parameters = {
			event: 'companyStatusChanged',
			watch: 'search',
			searchFilters: { region },
		};
		const host = hostOf({ parameters });
		await host.activate();
		sandbox.registry.v1.control.update(found.at(-1)!.idno, { status: 'gone' });
		await host.tick();
		expect(host.take()).toMatchObject([{ idno: found.at(-1)!.idno, status: 'gone' }]);
		expect(sandbox.registry.v1.requests).toHaveLength(2);
	});

	it.each(['ignored', 'honoured', 'refused'] as const)(
		'copes with a V1 search that has %s pages',
		async (searchPage) => {
			await start({ registry: { companies: 400, v1: { searchPage } } });
			const searchFilters = { q: '10' };
			const parameters = { event: 'companyStatusChanged', watch: 'search', searchFilters };
			const host = hostOf({ parameters });
			await host.activate();
			const pages = searchPage === 'honoured' ? 8 : 1;
			sandbox.registry.v1.clearRequests();
			await host.tick();
			expect(sandbox.registry.v1.requests).toHaveLength(pages);
			sandbox.registry.v1.control.update(companies()[pages * 50 - 1]!.idno, { status: 'gone' });
			await host.tick();
			expect(host.take()).toMatchObject([{ status: 'gone' }]);
			expect(host.errors).toEqual([]);
		},
	);

	it('watches further fields and says which of them changed', async () => {
		await start();
		const fieldsToWatch = ['status', 'rating', 'recommendedLimitMdl'];
		const host = hostOf({ parameters: { ...watching(0), fieldsToWatch } });
		await host.activate();
		const { idno, rating } = companies()[0]!;
		sandbox.registry.v1.control.update(idno, { rating: rating === 'A' ? 'B' : 'A', limit: 123 });
		await host.tick();
		expect(host.take()).toMatchObject([
			{
				changedFields: ['rating', 'recommendedLimitMdl'],
				previousRating: rating,
				recommendedLimitMdl: 123,
			},
		]);
	});

	it('counts retries as requests and stops at half of the daily budget', async () => {
		await start();
		const host = hostOf({ parameters: { ...watching(...Array(30).keys()), dailyRequests: 12 } });
		sandbox.registry.v1.inject({ status: 503, times: 3 });
		await host.activate();
		expect(sandbox.registry.v1.requests).toHaveLength(5);
		await host.tick();
		expect(sandbox.registry.v1.requests).toHaveLength(5);
		expect(host.errors).toEqual([]);
	});

	it('refuses a budget that the plan does not allow', async () => {
		await start();
		const host = hostOf({ parameters: { ...watching(0), dailyRequests: 20_000 } });
		await expect(host.activate()).rejects.toThrow('more than the plan allows (10000 per day)');
	});

	it('shows the change of one company although another cannot be read', async () => {
		await start();
		const host = hostOf({ parameters: watching(0, 1) });
		await host.activate();
		const [a, b] = companies().map(({ idno }) => idno);
		sandbox.registry.v1.control.remove(a!);
		sandbox.registry.v1.control.update(b!, { status: 'gone' });
		await host.tick();
		expect(host.take()).toMatchObject([{ idno: b }]);
		expect(host.warnings[0]).toContain(a);
	});
});

describe('the time of a poll', () => {
	const slow = { limit: 3, windowMs: 60_000 };

	it('is not spent waiting: the poll keeps what it read before the limit, and the next one continues', async () => {
		await start({ links: { rateLimit: slow, counts: { qrs: 120 }, maxPageSize: 50 } });
		const host = hostOf({ parameters: scans, budgetMs: timeLimit(3_000) });
		const before = Date.now();
		await host.activate();
		expect(Date.now() - before).toBeLessThan(timeLimit(2_000));
		expect(sandbox.links.requests).toHaveLength(3);
	});

	it('says when the limit opens again, so that n8n does not poll before', async () => {
		await start({ links: { rateLimit: slow } });
		const host = hostOf({ parameters: files, budgetMs: 3_000 });
		await host.activate();
		await host.tick();
		await host.tick();
		const [error] = host.errors;
		expect(error).toMatchObject({
			httpCode: '429',
			failure: { cause: 'rate-limited' },
			message: expect.stringMatching(/^File Created: The rate limit/),
			description: expect.stringContaining('Nothing is lost'),
		});
		const { failure } = error as unknown as { failure: { retryAfterMs: number } };
		expect(failure.retryAfterMs).toBeGreaterThan(50_000);
	});

	it('continues a long list in the next poll', async () => {
		await start({ links: { counts: { files: 50 } } });
		const host = hostOf({ parameters: files, budgetMs: 1_000 });
		await host.activate();
		for (let i = 0; i < 400; i++) sandbox.links.control.addFile();
		sandbox.links.configure({ latencyMs: 120 });
		const ids: unknown[] = [];
		for (let i = 0; i < 6; i++) {
			await host.tick();
			const taken = host.take().map(({ id }) => id);
			if (i === 0) expect(taken.length).toBeLessThan(400);
			ids.push(...taken);
		}
		const inOrder = ids.map(Number).sort((a, b) => a - b);
		expect(inOrder).toEqual(Array.from({ length: 400 }, (_, index) => 51 + index));
	});

	it('gives different advice for a wrong key and an outage', async () => {
		await start();
		const host = hostOf({ parameters: files });
		await host.activate();
		host.setting.credentials.linkManagementApi!.apiKey = 'wrong';
		await host.tick();
		expect(host.errors[0]).toMatchObject({
			failure: { cause: 'credential-invalid' },
			description: expect.stringContaining('Action required'),
		});
	});
});
