import type { Variant } from '../../../nodes/CompanyRegistry/api';
import { hours } from '../../shared/poll/pollModel';
import { idnoOf, Registry } from './registryModel';

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

	it('finds a new company on the second page even if the total only counts the first one', async () => {
		const registry = new Registry(60);
		registry.total = 50;
		const trigger = registry.trigger(found, 1_000_000, 'classic', 'unversioned');
		await trigger.publish();
		const idno = registry.add(70);
		expect(await hours(3, trigger)).toMatchObject([{ idno }]);
	});

	it('warns once if the service returns the same companies for every page', async () => {
		const registry = new Registry(60);
		registry.fault = () => ({ body: { success: true, data: registry.shown().slice(0, 50) } });
		const trigger = registry.trigger(found, 1_000_000, 'classic', 'unversioned');
		await trigger.publish();
		await hours(3, trigger);
		expect(trigger.warnings).toEqual([
			expect.stringContaining('the same 50 records for every page'),
		]);
	});

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

	it('reads a search that has been changed right away, even if the allowance is used up', async () => {
		const registry = new Registry(60);
		const trigger = registry.trigger(found, 40, 'classic', 'unversioned');
		for (const q of ['Compan', 'Compa', 'Comp', 'Com', 'Co']) {
			await trigger.publish();
			trigger.setting.parameters.searchFilters = { q };
		}
		registry.requests.length = 0;
		await trigger.publish();
		expect(registry.requests).toHaveLength(2);
	});

	it('starts an event with the IDNO, name and status, whatever the record calls them', async () => {
		const registry = new Registry(1);
		const trigger = registry.trigger(found);
		await trigger.publish();
		const fiscal_code = idnoOf(7);
		const record = { city: 'Orhei', fiscal_code, denumire: 'Nufărul SRL', status: 'active' };
		registry.shown = () => [record];
		const [event] = await hours(1, trigger);
		expect(Object.entries(event!)).toEqual([
			...Object.entries({ idno: fiscal_code, name: 'Nufărul SRL', status: 'active' }),
			...Object.entries(record).filter(([field]) => field !== 'status'),
		]);
	});

	it('checks the filters before it sends a request, and ignores empty ones', async () => {
		const registry = new Registry(1);
		const searchFilters = { q: 'Company', region: ' ', caen: 'IT' };
		const trigger = registry.trigger({ event: 'companyFound', searchFilters });
		await expect(trigger.publish()).rejects.toThrow('"CAEN Code"');
		expect(registry.requests).toEqual([]);
		searchFilters.caen = '';
		const queries: unknown[] = [];
		registry.fault = (_, query) => void queries.push(query);
		await trigger.publish();
		expect(queries).toEqual([{ q: 'Company', limit: 50 }]);
	});

	it('reads no more pages at once than a quarter of the budget', async () => {
		const registry = new Registry(1_000);
		await registry.trigger(found, 40, 'classic', 'unversioned').publish();
		expect(registry.requests).toHaveLength(8);
	});

	it('is quiet in polls for which the allowance has no request left', async () => {
		const registry = new Registry(60);
		const trigger = registry.trigger(found, 10, 'classic', 'unversioned');
		await trigger.publish();
		await hours(12, trigger);
		expect(registry.requests.length).toBeLessThan(2 * 12);
		expect(trigger.errors).toEqual([]);
	});

	it('accepts a search of 50,000 companies', async () => {
		const registry = new Registry(60);
		registry.total = 50_000;
		const trigger = registry.trigger(found, 1_000_000, 'classic', 'unversioned');
		expect(await trigger.test()).toMatchObject({ name: 'Sample: Company 49' });
	});

	it('emits each new company, even if the records have no IDNO', async () => {
		const registry = new Registry(1);
		const trigger = registry.trigger(found);
		await trigger.publish();
		const added = [{ name: 'Nufărul SRL' }, { name: 'Zefirul SRL' }];
		registry.shown = () => [...registry.companies.values(), ...added];
		expect(await hours(2, trigger)).toMatchObject(added);
	});

	it('rejects a search whose results fill a page of the V1 API if the registry doesn’t say how many there are', async () => {
		const registry = new Registry(50);
		const results = registry.shown();
		registry.fault = () => ({ body: { success: true, results } });
		await expect(registry.trigger(found).publish()).rejects.toThrow(
			'The search finds more companies, but the registry shows only 50 of them',
		);
	});

	it.each([[[0, 1]], [[1, 0]]])(
		'emits the head office rather than a branch with the same IDNO (order: %j)',
		async (order) => {
			const registry = new Registry(1);
			const trigger = registry.trigger(found);
			await trigger.publish();
			const idno = idnoOf(7);
			const rows = [
				{ idno, name: 'Nufărul SRL, filiala Cahul', status: 'closed' },
				{ idno, name: 'Nufărul SRL', status: 'active' },
			];
			registry.shown = () => order.map((at) => rows[at]!);
			expect(await hours(1, trigger)).toMatchObject([{ name: 'Nufărul SRL', status: 'active' }]);
		},
	);
});
