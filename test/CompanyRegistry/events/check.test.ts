import type { IDataObject } from 'n8n-workflow';

import { hours, type Answer } from '../../shared/poll/pollModel';
import { idnoOf, listOf, Registry, watchingFields, watchingStatus } from './registryModel';

it('keeps the last value of a field that responses lack for a while', async () => {
	const registry = new Registry(1);
	registry.set(idnoOf(0), { status: null, scoring: { rating: 'B' } });
	const trigger = watchingFields(registry, ['rating']);
	await trigger.publish();
	registry.set(idnoOf(0), { scoring: {} });
	expect(await hours(2, trigger)).toEqual([]);
	registry.set(idnoOf(0), { scoring: { rating: 'C' } });
	const values = { status: null, previousStatus: null, previousRating: 'B', rating: 'C' };
	expect(await hours(1, trigger)).toMatchObject([values]);
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
	['scores that are null while they are calculated', { scoring: { score: 1 } }, { scoring: null }],
	['a status in other letters or with other spaces', {}, { status: ' Active ' }],
	['a number as text', { score: 70 }, { score: '70.00' }],
	['the status of a license', {}, { status: undefined, license: { status: 'expired' } }],
	['the seventh of eight directors', { board }, { board: [...'ABCDEFXH'] }, 'board: G → X'],
	['directors in another order', { board }, { board: [...board].reverse() }],
	[
		'directors with other spaces and letters',
		{ board: ['ANA  Ţurcanu '] },
		{ board: ['Ana Țurcanu'] },
	],
	['a board that is dissolved', { board: ['A'] }, { board: [] }, 'board: A → none'],
	[
		'the share of a founder',
		{ founders: founders(50) },
		{ founders: founders(70) },
		'founders: Ana Rusu (share: 50) → Ana Rusu (share: 70)',
	],
	['the time at which a list was read', checked('2026-01-01'), checked('2026-01-02')],
	['fields of a license in another order', license({ a: 1, b: 2 }), license({ b: 2, a: 1 })],
	[
		'a risk and a limit',
		{ recommended_limit_mdl: 50_000, insolvency_risk: 'low' },
		{ recommended_limit_mdl: 9_000, insolvency_risk: 'high' },
		'insolvency_risk: low → high; recommended_limit_mdl: 50000 → 9000',
	],
])('%s is a change, or none', async (...row) => {
	const [, before, after, ...changes] = row;
	const registry = new Registry(2);
	registry.set(idnoOf(0), before);
	const credit = ['recommended_limit_mdl', 'insolvency_risk', 'status', 'rating', 'score'];
	const trigger = watchingFields(registry, credit);
	trigger.setting.parameters.otherFieldsToWatch = 'board, founders, licenses';
	await trigger.publish();
	registry.set(idnoOf(0), after);
	expect((await hours(1, trigger)).map((event) => event.changes)).toEqual(changes);
});

describe('Source of the status', () => {
	const DENIED = { status: 403, body: { success: false, message: 'Not in your plan' } };
	const UNRATED = { body: { success: true, name: 'Company', scoring: { rating: 'B' } } };

	it.each<[string, Record<string, Answer>, source: string]>([
		['the full record, if the plan has no recommendations', { credit: DENIED }, '/company/'],
		['the full record, if recommendations have no status', { credit: UNRATED }, '/company/'],
		['a search, if the plan has neither', { credit: DENIED, company: DENIED }, '/search'],
	])('reads the status from %s', async (_, answers, source) => {
		const registry = new Registry(3);
		const paths: string[] = [];
		registry.fault = (path) => {
			paths.push(path);
			return answers[path.split('/').at(-2)!];
		};
		const trigger = watchingFields(registry, ['status']);
		await trigger.publish();
		paths.length = 0;
		registry.set(idnoOf(1), { status: 'dissolved' });
		expect(await hours(1, trigger)).toMatchObject([{ changes: 'status: active → dissolved' }]);
		// The source is kept, so a check takes a single request.
		expect(paths).toEqual(Array(3).fill(expect.stringContaining(source)));
	});

	it('can watch Disappearance alone with a plan that has no recommendations', async () => {
		const registry = new Registry(2);
		registry.fault = (path) => (path.includes('/credit/') ? DENIED : undefined);
		const trigger = watchingFields(registry, ['disappearance']);
		await trigger.publish();
		registry.companies.delete(idnoOf(1));
		expect(await hours(26, trigger)).toMatchObject([{ idno: idnoOf(1), previousStatus: 'active' }]);
	});

	const NOT_RATED = { status: 404, body: { success: false, message: 'No recommendation' } };

	it('reads a company that has no recommendation any more from its full record', async () => {
		const registry = new Registry(3);
		const trigger = watchingFields(registry, ['status', 'disappearance']);
		await trigger.publish();
		registry.fault = (path) => (path.endsWith(`/credit/${idnoOf(1)}`) ? NOT_RATED : undefined);
		registry.set(idnoOf(1), { status: 'dissolved' });
		const changes = 'status: active → dissolved';
		expect(await hours(30, trigger)).toMatchObject([{ idno: idnoOf(1), changes }]);
		expect(trigger.warnings).toEqual([]);
	});

	it.each([
		{ status: 422, body: { success: false, message: 'Company is not active' } },
		{ status: 404, body: { error: 'Not found' } },
		{ status: 200, body: { success: false, message: 'No scoring available' } },
	])(
		'reads a company whose recommendation is refused from its full record: %j',
		async (refusal) => {
			const registry = new Registry(3);
			const trigger = watchingFields(registry, ['status']);
			await trigger.publish();
			registry.fault = (path) => (path.endsWith(`/credit/${idnoOf(1)}`) ? refusal : undefined);
			registry.set(idnoOf(1), { status: 'dissolved' });
			const changes = 'status: active → dissolved';
			expect(await hours(30, trigger)).toMatchObject([{ idno: idnoOf(1), changes }]);
		},
	);

	it.each([
		{ status: 404, body: { error: 'Not found' } },
		{ status: 404, body: { detail: 'Not found.' } },
		{ status: 200, body: { success: false, message: 'COMPANY_NOT_FOUND' } },
		{ status: 200, body: { success: true, message: 'Company not found' } },
		{ status: 200, body: { success: false, message: 'Nu există companie cu acest IDNO' } },
	])('a company of which the registry says %j disappears', async (none) => {
		const registry = new Registry(3);
		const trigger = watchingFields(registry, ['status', 'disappearance']);
		await trigger.publish();
		registry.fault = (path) => (path.endsWith(idnoOf(1)) ? none : undefined);
		expect(await hours(30, trigger)).toMatchObject([{ changedFields: ['disappearance'] }]);
	});

	it.each([
		{ status: 404, body: { error: 'Not found' } },
		{ status: 200, body: { success: false, message: 'Account does not exist' } },
	])('polls fail, and nothing disappears, if the whole registry says %j', async (fault) => {
		for (const count of [1, 3]) {
			const registry = new Registry(count);
			const trigger = watchingFields(registry, ['status', 'disappearance']);
			await trigger.publish();
			registry.fault = () => fault;
			expect(await hours(40, trigger)).toEqual([]);
			expect(trigger.errors.length).toBeGreaterThan(30);
		}
	});

	it('polls fail if the recommendations of all companies are refused', async () => {
		const registry = new Registry(3);
		const trigger = watchingFields(registry, ['status', 'rating']);
		registry.set(idnoOf(0), { rating: 'A' });
		await trigger.publish();
		const body = { success: false, message: 'Your account has been suspended' };
		registry.fault = (path) => (path.includes('/credit/') ? { status: 422, body } : undefined);
		expect(await hours(10, trigger)).toEqual([]);
		expect(trigger.errors[0]?.message).toContain('suspended');
	});

	it('misses a company that has no recommendation any more if the plan has no full records', async () => {
		const registry = new Registry(3);
		const trigger = watchingFields(registry, ['status', 'disappearance']);
		await trigger.publish();
		registry.fault = (path) =>
			path.includes('/company/') ? DENIED : path.endsWith(idnoOf(1)) ? NOT_RATED : undefined;
		expect(await hours(26, trigger)).toMatchObject([{ changedFields: ['disappearance'] }]);
	});

	it('says that a company doesn’t exist, even if the plan has no full records', async () => {
		const registry = new Registry(0);
		registry.fault = (path) => (path.includes('/company/') ? DENIED : undefined);
		const trigger = registry.watch([idnoOf(0)]);
		await expect(trigger.publish()).rejects.toThrow("The registry doesn't have the company");
	});

	it('fails to publish with the reason for the first source if the plan has none', async () => {
		const registry = new Registry(1);
		registry.fault = (path) => ({ ...DENIED, body: { success: false, message: `No ${path}` } });
		await expect(registry.watch(registry.idnos).publish()).rejects.toThrow('/credit/');
	});

	it('keeps the source, so polls fail with the reason if the plan no longer has recommendations', async () => {
		const { registry, trigger } = await watchingStatus(3);
		registry.fault = (path) => (path.includes('/credit/') ? DENIED : undefined);
		expect(await hours(2, trigger)).toEqual([]);
		expect(trigger.errors[0]?.message).toMatch(/Not in your plan.* key and plan/);
	});
});

it('sends a rejected key only once, both when it looks for the source of the status and in each poll', async () => {
	const rejected = () => ({ status: 401, body: { success: false, message: 'Unknown key' } });
	const registry = new Registry(3);
	registry.fault = rejected;
	const trigger = registry.watch(registry.idnos);
	await expect(trigger.publish()).rejects.toThrow();
	expect(registry.requests).toHaveLength(1);
	registry.fault = () => undefined;
	await trigger.publish();
	registry.fault = rejected;
	registry.requests.length = 0;
	await hours(2, trigger);
	expect(registry.requests).toHaveLength(2);
});

it('takes the first value of a field that is watched later for its old one, even if no company had a value before', async () => {
	const { registry, trigger } = await watchingStatus(2);
	trigger.setting.parameters.fieldsToWatch = ['rating'];
	await trigger.publish();
	for (const rating of ['B', 'C']) {
		registry.set(idnoOf(0), { scoring: { rating } });
		await hours(1, trigger);
	}
	expect(trigger.events).toMatchObject([{ changes: 'rating: B → C' }]);
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
		registry.fault = (path) => {
			const company = registry.companies.get(path.split('/').at(-1)!);
			return { body: { success: true, ...company, isFull: path.includes('/company/') } };
		};
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
		expect(Object.entries(event!).at(-1)).toMatchObject(['details', { isFull: true }]);
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
		const details = { idno: idnoOf(1), scoring: { rating: 'D' } };
		expect(await hours(1, trigger)).toMatchObject([{ changes: 'rating: B → D', details }]);
	});

	it('warns once of a field that no response has any more, and of one that none ever had', async () => {
		const { registry, trigger } = await watchOthers('administrators, directr', ['status']);
		const warning = (field: string) =>
			expect.stringContaining(`none of the responses in this poll has the field "${field}"`);
		expect(trigger.warnings).toEqual([warning('directr')]);
		for (const idno of registry.idnos) registry.set(idno, { administrators: undefined });
		await hours(3, trigger);
		expect(trigger.warnings).toEqual([warning('directr'), warning('administrators')]);
	});

	it('doesn’t warn of a field that only some companies have', async () => {
		const { registry, trigger } = await watchOthers('administrators', ['status']);
		registry.set(idnoOf(1), { administrators: undefined });
		await hours(3, trigger);
		expect(trigger.warnings).toEqual([]);
	});

	it('fails to publish, and to fetch a test event, if no response has the fields', async () => {
		await expect(watchOthers('directr', [])).rejects.toThrow("don't contain these fields: directr");
		const trigger = watchingFields(new Registry(2), ['rating']);
		await expect(trigger.publish()).rejects.toThrow("don't contain these fields: rating");
		await expect(trigger.test()).rejects.toThrow("don't contain these fields: rating");
	});
});

it('follows the record whose name the company had at its last check if the Unversioned API returns two with its IDNO', async () => {
	const registry = new Registry(2);
	const parameters = { ...listOf(registry.idnos), options: { checkDigit: false } };
	const trigger = registry.trigger(parameters, 1_000_000, 'durable', 'unversioned');
	await trigger.publish();
	const companies = registry.shown;
	const former = { idno: idnoOf(1), name: 'Former name', status: 'renamed' };
	registry.shown = () => [former, ...companies()];
	expect(await hours(2, trigger)).toEqual([]);
	registry.set(idnoOf(1), { name: 'COMPANY  1', status: 'dissolved' });
	expect(await hours(2, trigger)).toMatchObject([{ changes: 'status: active → dissolved' }]);
});
