import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Variant } from '../../../nodes/CompanyRegistry/api';
import { clock, DAY, HOUR, hours, MINUTE, type Answer } from '../../shared/poll/pollModel';
import { idnoOf, listOf, Registry } from './registryModel';

const found = { event: 'companyFound', searchFilters: { q: 'Company' } };

describe.each(['classic', 'durable'] as const)('New Company Found (%s scheduler)', (scheduler) => {
	const searching = (registry: Registry, perDay = 1_000_000) =>
		registry.trigger(found, perDay, scheduler, 'unversioned');

	it('emits a new company that comes last in a search sorted by descending IDNO', async () => {
		const registry = new Registry(0);
		for (let index = 100; index > 0; index--) registry.add(index);
		const trigger = searching(registry);
		await trigger.publish();
		await hours(2, trigger);
		const idno = registry.add(0);
		expect(await hours(2, trigger)).toMatchObject([{ idno }]);
	});

	it('watches a search that lists a company twice, on the same page or on two pages', async () => {
		for (const count of [40, 120]) {
			const registry = new Registry(count);
			const first = { ...registry.companies.get(idnoOf(0))!, city: 'Orhei' };
			registry.shown = () => [...registry.companies.values(), first];
			const trigger = searching(registry);
			await trigger.publish();
			await hours(1, trigger);
			registry.requests.length = 0;
			await hours(1, trigger);
			expect(registry.requests).toHaveLength(Math.ceil((count + 1) / 50));
			const idno = registry.add(5_000);
			expect(await hours(1, trigger)).toMatchObject([{ idno }]);
		}
	});

	it('watches a search of 53 companies whose order changes with every request', async () => {
		const registry = new Registry(53);
		let turn = 0;
		registry.shown = () => {
			const all = [...registry.companies.values()];
			const from = (turn++ * 17) % all.length;
			return [...all.slice(from), ...all.slice(0, from)];
		};
		const trigger = searching(registry);
		await trigger.publish();
		expect(await hours(12, trigger)).toEqual([]);
		const idno = registry.add(5_000);
		expect(await hours(6, trigger)).toMatchObject([{ idno }]);
		expect(trigger.errors).toEqual([]);
	});
});

describe('New Company Found', () => {
	it('emits a new company in a search of 20 pages with 27 requests a day and a nightly restart', async () => {
		const registry = new Registry(1_000);
		const trigger = registry.trigger(found, 34, 'durable', 'unversioned');
		await trigger.publish();
		// With this poll, the durable scheduler stores the baseline that publishing began.
		await hours(1, trigger);
		for (let day = 0; day < 4; day++) {
			await registry.restart();
			await hours(23, trigger);
		}
		expect(trigger.events).toEqual([]);
		const idno = registry.add(5_000);
		for (let day = 0; day < 2; day++) {
			await registry.restart();
			await hours(23, trigger);
		}
		expect(trigger.events).toMatchObject([{ idno }]);
		expect(trigger.errors).toEqual([]);
	});

	it.each<[number, Variant, string]>([
		[60_000, 'unversioned', 'finds more than 50,000 companies'],
		[120, 'v1', 'finds 120 companies, but the registry shows only 50 of them'],
	])(
		'rejects a search of %s companies with the %s API after one request, and its sample event as well',
		async (...row) => {
			const [total, variant, message] = row;
			const registry = new Registry(60);
			registry.total = total;
			const trigger = registry.trigger(found, 1_000_000, 'classic', variant);
			await expect(trigger.publish()).rejects.toThrow(message);
			expect(registry.requests).toHaveLength(1);
			await expect(trigger.test()).rejects.toThrow(message);
		},
	);

	it('warns once when a V1 search grows beyond 50 companies, and fails to publish once it is edited', async () => {
		const registry = new Registry(49);
		const trigger = registry.trigger(found);
		await trigger.publish();
		for (let index = 60; index < 70; index++) registry.add(index);
		await hours(2, trigger);
		expect(trigger.events).toHaveLength(1);
		expect(trigger.warnings).toEqual([expect.stringContaining('The search finds 59 companies')]);
		trigger.setting.parameters.searchFilters = { q: 'Comp' };
		await expect(trigger.publish()).rejects.toThrow('The search finds 59 companies');
	});

	it('hides the key in errors and in n8n’s log if the registry quotes it instead of sending companies', async () => {
		const registry = new Registry(60);
		const trigger = registry.trigger(found, 1_000_000, 'classic', 'unversioned');
		await trigger.publish();
		const { apiKey } = trigger.setting.credentials;
		const body = { message: `No companies for ${String(apiKey)}` };
		registry.fault = (_, { page }) => (page === 2 ? { body } : undefined);
		registry.add(70);
		await hours(1, trigger);
		expect(trigger.warnings).toEqual([expect.stringContaining('No companies for ***')]);
		registry.fault = () => ({ body });
		await hours(1, trigger);
		expect(trigger.errors.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^New Company Found: No companies for \*\*\*\./),
		]);
	});

	it('emits the head office rather than a branch with the same IDNO', async () => {
		const registry = new Registry(1);
		const trigger = registry.trigger(found);
		await trigger.publish();
		const idno = idnoOf(7);
		registry.shown = () => [
			{ idno, name: 'Nufărul SRL, filiala Cahul', status: 'closed' },
			{ idno, name: 'Nufărul SRL', status: 'active' },
		];
		expect(await hours(1, trigger)).toMatchObject([{ name: 'Nufărul SRL', status: 'active' }]);
	});
});

describe('Company Status Changed', () => {
	const watch = (registry: Registry, fieldsToWatch: string[], options = {}) => {
		const trigger = registry.watch(registry.idnos, options);
		trigger.setting.parameters.fieldsToWatch = fieldsToWatch;
		return trigger;
	};

	/** Publishes a trigger that watches the status of this many companies. */
	const watching = async (companies: number, perDay?: number) => {
		const registry = new Registry(companies);
		const trigger = registry.watch(registry.idnos, {}, perDay);
		await trigger.publish();
		return { registry, trigger };
	};

	it('emits a change a minute after the first publication, which uses a quarter of the budget', async () => {
		const registry = new Registry(3);
		const trigger = registry.watch(registry.idnos, {}, 100);
		await trigger.publish();
		registry.set(idnoOf(1), { status: 'dissolved' });
		clock.now += MINUTE;
		expect(await trigger.tick()).toMatchObject([{ idno: idnoOf(1), status: 'dissolved' }]);
		for (let minute = 0; minute < 60; minute++) {
			clock.now += MINUTE;
			await trigger.tick();
		}
		// A quarter of the budget of 80 requests, and the few checks that came due within the hour.
		expect(registry.requests.length).toBeLessThanOrEqual(20 + 5);
	});

	it('keeps the last value of a field that responses lack for a while', async () => {
		const registry = new Registry(1);
		registry.set(idnoOf(0), { status: null, scoring: { rating: 'B' } });
		const trigger = watch(registry, ['rating']);
		await trigger.publish();
		registry.set(idnoOf(0), { scoring: {} });
		expect(await hours(2, trigger)).toEqual([]);
		registry.set(idnoOf(0), { scoring: { rating: 'C' } });
		expect(await hours(1, trigger)).toMatchObject([{ previousRating: 'B', rating: 'C' }]);
	});

	const broken = { status: 500, body: { success: false, message: 'broken' } };
	const odd = { status: 422, body: { success: false, message: 'no data' } };
	const ofAll = () => true;
	const of =
		(...indexes: number[]) =>
		(path: string) =>
			indexes.some((index) => path.endsWith(idnoOf(index)));

	// A company that can be read changes after a day. Polls go on for two more.
	it.each<[string, (path: string) => boolean, Answer, events: number, errors: number, log: number]>(
		[
			['HTTP 500 for one company', of(4), broken, 1, 0, 1],
			['HTTP 422 for one company', of(4), odd, 1, 0, 1],
			['a page of a proxy for one company', of(4), { body: '<html>' }, 1, 0, 1],
			['HTTP 500 for three companies in a row', of(3, 4, 5), broken, 1, 0, 3],
			['HTTP 500 for all', ofAll, broken, 0, 72, 0],
			['a page of a proxy for all', ofAll, { status: 404, body: '<html>' }, 0, 72, 0],
		],
	)('%s: the right events, failed polls and warnings', async (...row) => {
		const [, fails, answer, events, errors, warnings] = row;
		const { registry, trigger } = await watching(12, 120);
		registry.fault = (path) => (fails(path) ? answer : undefined);
		await hours(24, trigger);
		registry.set(idnoOf(9), { status: 'insolvent' });
		await hours(48, trigger);
		expect(trigger.events).toHaveLength(events);
		expect(trigger.errors).toHaveLength(errors);
		expect(trigger.warnings).toHaveLength(warnings);
		for (const idno of errors === 0 ? registry.idnos : []) {
			if (!fails(idno)) expect(registry.checks.get(idno)).toBeGreaterThanOrEqual(8);
		}
	});

	it('whichever companies fail for good, all others are checked', async () => {
		const indexes = [...Array(8).keys()];
		const failing = fc.subarray(indexes, { minLength: 1, maxLength: 6 });
		const property = async (failed: number[]) => {
			const { registry, trigger } = await watching(8);
			registry.fault = (path) => (of(...failed)(path) ? broken : undefined);
			registry.checks.clear();
			await hours(48, trigger);
			const readable = indexes.filter((index) => !failed.includes(index)).map(idnoOf);
			expect([...registry.checks.keys()].sort()).toEqual(readable);
		};
		await fc.assert(fc.asyncProperty(failing, property), { numRuns: 30 });
	});

	it('a trigger can be published right after an attempt that found none of the companies', async () => {
		const registry = new Registry(12);
		const unknown = Array.from({ length: 14 }, (_, index) => idnoOf(index + 500));
		const trigger = registry.watch(unknown, {}, 100);
		for (let attempt = 0; attempt < 4; attempt++) {
			await expect(trigger.publish()).rejects.toThrow("The registry doesn't have");
		}
		Object.assign(trigger.setting.parameters, listOf(registry.idnos));
		await trigger.publish();
		expect(registry.checks.size).toBeGreaterThan(0);
		expect(registry.requests.length).toBeLessThanOrEqual(80);
		registry.companies.clear();
		await expect(trigger.test()).rejects.toThrow("The registry doesn't have");
	});

	it('a trigger can be published if only one of twenty companies can be read', async () => {
		const registry = new Registry(20);
		registry.fault = (path) => (of(19)(path) ? undefined : odd);
		const trigger = watch(registry, ['status']);
		await trigger.publish();
		registry.set(idnoOf(19), { status: 'dissolved' });
		expect(await hours(2, trigger)).toMatchObject([{ idno: idnoOf(19) }]);
	});

	describe('Disappearance', () => {
		const missing = async (steps: number[]) => {
			const registry = new Registry(2);
			const trigger = watch(registry, ['status', 'disappearance']);
			await trigger.publish();
			const company = registry.companies.get(idnoOf(0))!;
			registry.companies.delete(idnoOf(0));
			for (const step of steps) {
				clock.now += step;
				await trigger.tick();
			}
			return { registry, trigger, company };
		};

		it.each([
			['once after a day and three checks', [HOUR, 12 * HOUR, 12 * HOUR], 1],
			['never after two checks a month apart', [HOUR, 30 * DAY], 0],
			['never because a clock is corrected', [365 * DAY, -365 * DAY, HOUR, HOUR], 0],
			['once a day after a clock is corrected', [365 * DAY, -365 * DAY, 5 * HOUR, DAY], 1],
			['never within a day', Array<number>(23).fill(HOUR), 0],
		])('emits the disappearance of a company %s', async (_when, steps, count) => {
			const { events } = (await missing(steps)).trigger;
			const gone = { previousStatus: 'active', changedFields: ['disappearance'], details: null };
			expect(events).toMatchObject(Array(count).fill(gone));
		});

		const none = { success: false, message: 'No such company' };
		const missed = { status: 404, body: none };
		it.each<[string, Answer, companies: number, fails: (path: string) => boolean, events: number]>([
			['with HTTP 404, if it’s the only one', missed, 1, ofAll, 1],
			['with HTTP 404, like all others', missed, 20, ofAll, 0],
			['with success: false', { body: none }, 2, of(0), 1],
			['with success: false, if it’s the only one', { body: none }, 1, ofAll, 0],
			['with HTTP 500', broken, 2, of(0), 0],
			['with HTTP 403', { status: 403, body: odd.body }, 2, of(0), 0],
		])('a company that is answered %s disappears or not', async (...row) => {
			const [, answer, companies, fails, count] = row;
			const registry = new Registry(companies);
			const trigger = watch(registry, ['status', 'disappearance']);
			await trigger.publish();
			registry.fault = (path) => (fails(path) ? answer : undefined);
			expect(await hours(48, trigger)).toHaveLength(count);
			registry.fault = () => undefined;
			const back = { previousStatus: null, changes: 'status: none → active' };
			expect(await hours(1, trigger)).toMatchObject(Array(count).fill(back));
		});

		it('starts waiting again if a company that came back disappears again', async () => {
			const { registry, trigger, company } = await missing(Array<number>(20).fill(HOUR));
			registry.companies.set(idnoOf(0), company);
			await hours(1, trigger);
			registry.companies.delete(idnoOf(0));
			expect(await hours(20, trigger)).toEqual([]);
			expect(await hours(6, trigger)).toHaveLength(1);
			expect(trigger.warnings).toHaveLength(1);
		});
	});

	it('watches companies of the Unversioned API by searches', async () => {
		const registry = new Registry(3);
		const parameters = { ...listOf(registry.idnos), options: { checkDigit: false } };
		const trigger = registry.trigger(parameters, 1_000_000, 'classic', 'unversioned');
		await trigger.publish();
		registry.set(idnoOf(0), { status: 'dissolved' });
		expect(await hours(1, trigger)).toMatchObject([{ idno: idnoOf(0), status: 'dissolved' }]);
		registry.companies.delete(idnoOf(1));
		trigger.setting.parameters.fieldsToWatch = ['status', 'disappearance'];
		expect(await hours(26, trigger)).toMatchObject([{ changedFields: ['disappearance'] }]);
		expect(trigger.errors).toEqual([]);
	});

	it.each<[string, Variant, fields: string[], others: string, message: string]>([
		['a rating', 'unversioned', ['rating'], '', 'only available in the V1 API'],
		['an address', 'unversioned', [], 'address', 'only available in the V1 API'],
		['an unknown field', 'v1', ['ratings'], '', '"Fields to Watch" must be one of status, rating'],
		['nothing', 'v1', [], ' ', 'The parameter "Fields to Watch" is empty'],
	])('refuses to watch %s with the %s API before sending a request', async (...row) => {
		const [, variant, fieldsToWatch, otherFieldsToWatch, message] = row;
		const registry = new Registry(1);
		const others = { otherFieldsToWatch, options: { checkDigit: false } };
		const parameters = { ...listOf(registry.idnos), fieldsToWatch, ...others };
		const trigger = registry.trigger(parameters, 1_000_000, 'classic', variant);
		await expect(trigger.publish()).rejects.toThrow(message);
		expect(registry.requests).toEqual([]);
	});

	const board = [...'ABCDEFGH'];
	const founders = (share: number) => [
		{ name: 'Ana Rusu', share },
		{ name: 'Ion Popa', share: 20 },
	];
	const license = (fields: IDataObject) => ({ licenses: [{ name: 'A', ...fields }] });
	const checked = (at: string) => license({ checked_at: at });

	it.each<[string, IDataObject, IDataObject, string?]>([
		['a rating that is withdrawn', { rating: 'B' }, { rating: null }, 'rating: B → none'],
		['a first rating', { rating: null }, { rating: 'E' }, 'rating: none → E'],
		['a status that becomes empty', {}, { status: '' }, 'status: active → none'],
		['a rating that is missing', { rating: 'B' }, { rating: undefined }],
		[
			'scores that are null while they are calculated',
			{ scoring: { score: 1 } },
			{ scoring: null },
		],
		['a status in other letters or with other spaces', {}, { status: ' Active ' }],
		['a number as text', { score: 70 }, { score: '70.00' }],
		['the status of a license', {}, { status: undefined, license: { status: 'expired' } }],
		['the seventh of eight directors', { board }, { board: [...'ABCDEFXH'] }, 'board: G → X'],
		['directors in another order', { board }, { board: [...board].reverse() }],
		['a board that is dissolved', { board: ['A'] }, { board: [] }, 'board: A → none'],
		[
			'the share of a founder',
			{ founders: founders(50) },
			{ founders: founders(70) },
			'founders: Ana Rusu (share: 50) → Ana Rusu (share: 70)',
		],
		['the time at which a list was read', checked('2026-01-01'), checked('2026-01-02')],
		['fields of a license in another order', license({ a: 1, b: 2 }), license({ b: 2, a: 1 })],
	])('%s is a change, or none', async (...row) => {
		const [, before, after, ...changes] = row;
		const registry = new Registry(2);
		registry.set(idnoOf(0), before);
		const trigger = watch(registry, ['status', 'rating', 'score']);
		trigger.setting.parameters.otherFieldsToWatch = 'board, founders, licenses';
		await trigger.publish();
		registry.set(idnoOf(0), after);
		expect((await hours(1, trigger)).map((event) => event.changes)).toEqual(changes);
	});

	describe('Source of the status', () => {
		const DENIED = { status: 403, body: { success: false, message: 'Not in your plan' } };

		it('reads the status from the full record, or else from a search, if the plan has no recommendations', async () => {
			for (const denied of [['/credit/'], ['/credit/', '/company/']]) {
				const registry = new Registry(3);
				registry.fault = (path) =>
					denied.some((part) => path.includes(part)) ? DENIED : undefined;
				const trigger = watch(registry, ['status']);
				await trigger.publish();
				registry.requests.length = 0;
				registry.set(idnoOf(1), { status: 'dissolved' });
				expect(await hours(1, trigger)).toMatchObject([{ changes: 'status: active → dissolved' }]);
				// The source is kept, so a check takes a single request.
				expect(registry.requests).toHaveLength(3);
			}
		});

		it('keeps the source, so polls fail with the reason if the plan no longer has recommendations', async () => {
			const { registry, trigger } = await watching(3);
			registry.fault = (path) => (path.includes('/credit/') ? DENIED : undefined);
			expect(await hours(2, trigger)).toEqual([]);
			expect(trigger.errors[0]?.message).toMatch(/Not in your plan.* key and plan/);
		});
	});

	describe('Other fields of the full record', () => {
		const watchOthers = async (others: unknown, fieldsToWatch: string[], perDay = 1_000_000) => {
			const registry = new Registry(4);
			for (const [index, idno] of registry.idnos.entries()) {
				registry.set(idno, {
					scoring: { rating: 'B' },
					registry_data: { address: `Street ${index}` },
					administrators: [{ name: 'Ana Rusu' }, { name: 'Ion Lungu' }],
				});
			}
			const paths: string[] = [];
			registry.fault = (path) => {
				paths.push(path.replace(/\d{13}/, ':idno'));
				return undefined;
			};
			const trigger = registry.watch(registry.idnos, {}, perDay);
			Object.assign(trigger.setting.parameters, { otherFieldsToWatch: others, fieldsToWatch });
			await trigger.publish();
			return { registry, trigger, paths };
		};

		it('reads the status from the recommendation and other fields from the full record, and emits the changes right after the status', async () => {
			const { registry, trigger, paths } = await watchOthers('administrators, address', ['status']);
			registry.set(idnoOf(2), { administrators: [{ name: 'Ana Rusu' }] });
			const [event] = await hours(1, trigger);
			expect(Object.entries(event!).slice(0, -1)).toEqual([
				['idno', idnoOf(2)],
				['name', 'Company 2'],
				['status', 'active'],
				['changes', 'administrators: Ion Lungu → none'],
				['changedFields', ['administrators']],
				['previousStatus', 'active'],
				['previousAdministrators', 'Ana Rusu, Ion Lungu'],
				['previousAddress', 'Street 2'],
				['rating', 'B'],
				['administrators', 'Ana Rusu'],
				['address', 'Street 2'],
			]);
			expect(Object.keys(event!).at(-1)).toBe('details');
			expect(new Set(paths)).toEqual(new Set(['/api/v1/credit/:idno', '/api/v1/company/:idno']));
		});

		it('takes two requests per check if the rating is watched as well, so each company is checked half as often', async () => {
			const { registry, trigger, paths } = await watchOthers(['address'], ['rating']);
			expect(paths).toHaveLength(8);
			registry.set(idnoOf(1), { scoring: { rating: 'C' }, registry_data: { address: 'Moved' } });
			expect(await hours(1, trigger)).toMatchObject([
				{ changes: 'rating: B → C; address: Street 1 → Moved' },
			]);
			const { registry: small, trigger: slow } = await watchOthers(['address'], ['rating'], 40);
			await hours(24 * 6, slow);
			expect(small.mostInADay).toBeLessThanOrEqual(32);
			expect(Math.min(...small.checks.values())).toBeGreaterThan(2 * 6);
		});

		it('watches the rating of a company that has no full record, which isn’t a disappearance', async () => {
			const { registry, trigger } = await watchOthers(['address'], ['rating', 'disappearance']);
			const missing = { status: 404, body: { success: false, message: 'No full record' } };
			registry.fault = (path) => (path.endsWith(`/company/${idnoOf(1)}`) ? missing : undefined);
			expect(await hours(30, trigger)).toEqual([]);
			registry.set(idnoOf(1), { scoring: { rating: 'D' } });
			expect(await hours(1, trigger)).toMatchObject([{ changes: 'rating: B → D' }]);
		});

		it('fails to publish, and to fetch a test event, if no response has the fields', async () => {
			await expect(watchOthers('directr', [])).rejects.toThrow(
				"don't contain these fields: directr",
			);
			const trigger = watch(new Registry(2), ['rating']);
			await expect(trigger.publish()).rejects.toThrow("don't contain these fields: rating");
			await expect(trigger.test()).rejects.toThrow("don't contain these fields: rating");
		});
	});

	it('goes on if the company that was shown last has left the list and another can’t be read', async () => {
		const { registry, trigger } = await watching(3);
		const [first = '', second = ''] = registry.idnos;
		Object.assign(trigger.setting.parameters, listOf([first, second]));
		registry.fault = (path) => (path.endsWith(first) ? odd : undefined);
		registry.set(second, { status: 'dissolved' });
		expect(await hours(1, trigger)).toMatchObject([{ idno: second }]);
		expect(trigger.errors).toEqual([]);
	});

	it('sends a rejected key only once when it looks for the source of the status', async () => {
		const registry = new Registry(3);
		registry.fault = () => ({ status: 401, body: { success: false, message: 'Unknown key' } });
		await expect(registry.watch(registry.idnos).publish()).rejects.toThrow();
		expect(registry.requests).toHaveLength(1);
	});

	it('ends a poll after a few failures in an outage, and checks all companies afterwards', async () => {
		const { registry, trigger } = await watching(20);
		registry.fault = () => broken;
		registry.requests.length = 0;
		await hours(1, trigger);
		expect(registry.requests.length).toBeLessThanOrEqual(3);
		registry.fault = () => undefined;
		// One company that failed, and one that wasn't checked.
		for (const index of [0, 15]) registry.set(idnoOf(index), { status: 'dissolved' });
		const events = await hours(1, trigger);
		expect(events.map(({ idno }) => idno).sort()).toEqual([idnoOf(0), idnoOf(15)]);
	});

	it('returns a sample event with the current values, another status before, and a name that says so', async () => {
		const registry = new Registry(2);
		const trigger = watch(registry, ['status', 'insolvency_risk']);
		registry.set(idnoOf(0), { scoring: { insolvency_risk: 'low' } });
		expect(await trigger.test()).toMatchObject({
			name: 'Sample: Company 0',
			changes: 'status: suspended → active',
			changedFields: ['status'],
			...{ previousInsolvencyRisk: 'low', insolvency_risk: 'low' },
		});
	});

	it('emits every watched company once with "Emit Existing Records"', async () => {
		const registry = new Registry(3);
		const trigger = watch(registry, ['status'], { emitExisting: true });
		await trigger.publish();
		await hours(2, trigger);
		expect(trigger.events).toHaveLength(3);
	});
});
