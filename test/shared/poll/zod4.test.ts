import { Registry } from '../../CompanyRegistry/events/registryModel';
import { hours } from './pollModel';
import { watching } from './watch';

/** The nodes get n8n's version of zod. Version 3.25 also contains version 4. */
jest.mock('zod', () => jest.requireActual<object>('zod/v4'));

const STATES = ['fileCreated', 'qrCodeCreated', 'fileDownloaded', 'qrCodeScanned'];

it.each(STATES)('the stored state of %s can be read with zod 4', async (event) => {
	for (const order of ['newestFirst', 'none'] as const) {
		const watch = await watching({ event }, 250, { order });
		await hours(2, watch);
		const [id] = watch.list.add();
		watch.list.rows.at(-1)!.count = 2;
		expect(await hours(1, watch)).toMatchObject([{ id }]);
		await watch.restart();
		const [later] = watch.list.add();
		watch.list.rows.at(-1)!.count = 1;
		expect(await hours(1, watch)).toMatchObject([{ id: later }]);
		expect([watch.warnings, watch.errors]).toEqual([[], []]);
	}
});

it('the stored states of the Company Registry Trigger can be read with zod 4', async () => {
	const registry = new Registry(10);
	const changed = registry.watch(registry.idnos);
	const found = registry.trigger({ event: 'companyFound', searchFilters: { q: 'Company' } });
	for (const trigger of [changed, found]) await trigger.publish();
	await registry.restart();
	await hours(1, changed, found);
	const idno = registry.add(20);
	const first = registry.idnos[0]!;
	registry.set(first, { status: 'dissolved' });
	const events = await hours(1, changed, found);
	expect(events).toMatchObject([{ idno: first, previousStatus: 'active' }, { idno }]);
	expect([changed, found].flatMap(({ warnings, errors }) => [...warnings, ...errors])).toEqual([]);
});
