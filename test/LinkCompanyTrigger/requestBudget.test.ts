import { companyStatusChanged } from '../../nodes/LinkCompanyTrigger/events/companyStatusChanged';
import { forgetEverything } from '../../nodes/LinkCompanyTrigger/pollCache';
import {
	DAY,
	HOUR,
	MINUTE,
	outage,
	RegistryModel,
	restartAll,
	TriggerModel,
} from './registryModel';

const rows: Array<Record<string, unknown>> = [];

beforeEach(forgetEverything);
afterEach(() => jest.restoreAllMocks());
afterAll(() => {
	if (process.env.VERBOSE) console.table(rows);
});

interface Scenario {
	companies: number;
	perDay: number;
	scheduler: 'classic' | 'durable';
	/** Minutes between polls; several values alternate from week to week. */
	pollEvery: number[];
	/** Hours between restarts. */
	restartEvery?: number;
	triggers?: number;
	/** Steps of the clock, each after so many hours. */
	clock?: { everyHours: number; steps: number[] };
	/** Hours between outages of three hours. */
	outageEvery?: number;
}

/** Eight weeks of polls. */
async function simulate(scenario: Scenario): Promise<RegistryModel> {
	const { companies, perDay, scheduler, pollEvery, restartEvery = Infinity } = scenario;
	const { triggers: count = 1, clock, outageEvery = Infinity } = scenario;
	const registry = new RegistryModel(companies);
	const begin = registry.time;
	const elapsed = () => registry.time - begin;
	const parameters = {
		watch: 'text',
		watchListText: registry.idnos,
		options: { dailyRequests: perDay, checkDigit: false },
	};
	const triggers = Array.from(
		{ length: count },
		(_, index) =>
			new TriggerModel(registry, {
				event: companyStatusChanged,
				parameters,
				scheduler,
				name: `trigger ${index}`,
			}),
	);
	registry.hostile = () => {
		if (elapsed() > DAY && elapsed() % (outageEvery * HOUR) < 3 * HOUR) throw outage();
	};
	for (const trigger of triggers) await trigger.publish().catch(() => {});
	let restarts = 1;
	let steps = 1;
	while (elapsed() < 56 * DAY) {
		const week = Math.floor(elapsed() / (7 * DAY));
		const every = pollEvery[week % pollEvery.length]! * MINUTE;
		registry.time = begin + (Math.floor(elapsed() / every) + 1) * every;
		if (clock && elapsed() > steps * clock.everyHours * HOUR) {
			registry.clockError += clock.steps[(steps - 1) % clock.steps.length]!;
			steps++;
		}
		if (elapsed() > restarts * restartEvery * HOUR) {
			restarts++;
			await restartAll(triggers);
		}
		for (const trigger of triggers) await trigger.poll().catch(() => {});
	}
	return registry;
}

const BASE: Scenario = { companies: 300, perDay: 80, scheduler: 'classic', pollEvery: [60] };

/** Names of the scenarios, and what each adds to 300 companies, 80 requests a day, hourly polls. */
const SCENARIOS: Array<[string, Partial<Scenario>]> = [
	['no restart', {}],
	['a restart a day', { restartEvery: 24 }],
	['a restart every two days', { restartEvery: 48 }],
	['a restart a week', { restartEvery: 168 }],
	['a restart a day, durable', { restartEvery: 24, scheduler: 'durable' }],
	['polls every 30 minutes, a restart a day', { pollEvery: [30], restartEvery: 24 }],
	['a poll a day', { pollEvery: [1440] }],
	['poll times change every week', { pollEvery: [60, 1440, 25], restartEvery: 168 }],
	['60 companies, a restart a day', { companies: 60, restartEvery: 24 }],
	['outages of 3 hours', { outageEvery: 30 }],
	['the clock steps back 2 s a day', { clock: { everyHours: 24, steps: [-2_000] } }],
	['the clock is set forward and back', { clock: { everyHours: 13, steps: [HOUR, -HOUR] } }],
	['two triggers', { triggers: 2 }],
];

describe('the budget of a key', () => {
	const parameters = (registry: RegistryModel, dailyRequests: number) => ({
		watch: 'text',
		watchListText: registry.idnos,
		options: { dailyRequests, checkDigit: false },
	});

	it('lets a first publication read immediately, and reports when nothing is left for another', async () => {
		const registry = new RegistryModel(100);
		const setting = { event: companyStatusChanged, parameters: parameters(registry, 80) };
		await new TriggerModel(registry, setting).publish();
		expect(registry.requests).toHaveLength(20);
		const second = new TriggerModel(registry, { ...setting, name: 'second' });
		await expect(second.publish()).rejects.toMatchObject({
			message: 'The daily budget of 80 requests is exhausted',
			description: expect.stringMatching(/^The next request can be sent in \d+ min\./),
			failure: { cause: 'quota-exhausted' },
		});
	});

	it.each(['classic', 'durable'] as const)(
		'has a reserve for the polls after a restart, but not after the next one (%s)',
		async (scheduler) => {
			const registry = new RegistryModel(100);
			const setting = { event: companyStatusChanged, scheduler };
			const trigger = new TriggerModel(registry, {
				...setting,
				parameters: parameters(registry, 80),
			});
			await trigger.publish();
			await trigger.poll();
			for (const expected of [24, 24]) {
				await restartAll([trigger]);
				for (let i = 0; i < 3; i++) await trigger.poll();
				expect(registry.requests).toHaveLength(expected);
			}
		},
	);

	it('is shared evenly by the triggers of a key, and unused requests are available to the others', async () => {
		const registry = new RegistryModel(103);
		const idnos = registry.idnos;
		const triggers = [idnos.slice(0, 50), idnos.slice(50, 100), idnos.slice(100)].map(
			(watchListText, index) =>
				new TriggerModel(registry, {
					event: companyStatusChanged,
					parameters: { ...parameters(registry, 80), watchListText },
					name: `trigger ${index}`,
				}),
		);
		for (const trigger of triggers) await trigger.publish().catch(() => {});
		for (let hour = 0; hour < 24 * 28; hour++) {
			registry.time += HOUR;
			for (const trigger of triggers) await trigger.poll().catch(() => {});
		}
		const looks = (list: string[]) =>
			list.reduce((sum, idno) => sum + (registry.lookedAt.get(idno) ?? 0), 0) / 28;
		const [first, second, small] = [idnos.slice(0, 50), idnos.slice(50, 100), idnos.slice(100)].map(
			looks,
		);
		expect(first! / second!).toBeGreaterThan(0.8);
		expect(first! / second!).toBeLessThan(1.25);
		expect(small!).toBeGreaterThan(15);
		expect(first! + second! + small!).toBeGreaterThan(60);
		expect(registry.mostInADay).toBeLessThanOrEqual(80);
	});

	it('holds if n8n restarts before it has stored the state of the first poll', async () => {
		const registry = new RegistryModel(300);
		const trigger = new TriggerModel(registry, {
			event: companyStatusChanged,
			scheduler: 'durable',
			parameters: parameters(registry, 80),
		});
		await trigger.publish();
		await restartAll([trigger]);
		for (let hour = 0; hour < 48; hour++) {
			await trigger.poll();
			registry.time += HOUR;
		}
		expect(registry.mostInADay).toBeLessThanOrEqual(80);
	});

	it('counts the hours between a restart and the next poll', async () => {
		const registry = new RegistryModel(100);
		const trigger = new TriggerModel(registry, {
			event: companyStatusChanged,
			scheduler: 'durable',
			parameters: parameters(registry, 80),
		});
		await trigger.publish();
		await trigger.poll();
		registry.time += 18 * HOUR;
		await restartAll([trigger]);
		registry.time += 6 * HOUR;
		const before = registry.requests.length;
		await trigger.poll();
		expect(registry.requests.length - before).toBeGreaterThan(8);
		expect(registry.mostInADay).toBeLessThanOrEqual(80);
	});

	it('is carried over to another key, and a lower budget applies immediately', async () => {
		const registry = new RegistryModel(100);
		const setting = { event: companyStatusChanged, parameters: parameters(registry, 80) };
		const trigger = new TriggerModel(registry, setting);
		await trigger.publish();
		trigger.apiKey = 'rotated';
		for (let i = 0; i < 3; i++) await trigger.poll();
		expect(registry.requests).toHaveLength(20);
		trigger.parameters = parameters(registry, 10);
		registry.time += 12 * HOUR;
		for (let i = 0; i < 3; i++) await trigger.poll();
		expect(registry.requests).toHaveLength(20);
	});

	it('starts empty when the clock is set back by hours', async () => {
		const registry = new RegistryModel(100);
		const setting = { event: companyStatusChanged, parameters: parameters(registry, 80) };
		const trigger = new TriggerModel(registry, setting);
		await trigger.publish();
		registry.clockError = -30 * DAY;
		await trigger.poll();
		expect(registry.requests).toHaveLength(20);
		registry.time += 4 * HOUR;
		await trigger.poll();
		expect(registry.requests.length).toBeGreaterThan(22);
		expect(registry.mostInADay).toBeLessThanOrEqual(80);
	});
});

describe('requests over eight weeks', () => {
	it.each(SCENARIOS)('are spread evenly and within the budget: %s', async (name, more) => {
		const scenario = { ...BASE, ...more };
		const registry = await simulate(scenario);
		const looks = registry.idnos.map((idno) => registry.lookedAt.get(idno) ?? 0);
		const [least, most] = [Math.min(...looks), Math.max(...looks)];
		rows.push({
			scenario: name,
			'a day': (registry.requests.length / 56).toFixed(1),
			'never looked at': looks.filter((count) => count === 0).length,
			least,
			most,
			'most in 24 h': registry.mostInADay,
			budget: scenario.perDay,
		});
		expect(least).toBeGreaterThan(0);
		expect(most).toBeLessThanOrEqual(2 * least);
		expect(registry.mostInADay).toBeLessThanOrEqual(scenario.perDay);
	});
});
