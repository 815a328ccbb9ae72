import type { IDataObject } from 'n8n-workflow';

import type { FakeService } from '../fakeService';
import { byId, jsonOf } from './harness';
import type { NodeRun } from './harness';
import { byName, campaignService, continuing, ENTRY_POINTS, itemsOf, runAt } from './support';

/** The names that the service was given for its campaigns. */
const namesGiven = ({ requests }: FakeService) =>
	requests.flatMap(({ method, json }) => (method === 'PUT' ? [(json as IDataObject).name] : []));

/** Updates the campaign 7, unless a row gives another one. */
async function update(service: FakeService, rows: IDataObject[], more: Partial<NodeRun> = {}) {
	const items = itemsOf(...rows.map((row) => ({ campaign: byId(7), ...row })));
	const parameters = {
		resource: 'campaign',
		operation: 'update',
		campaignId: '={{ $json.campaign }}',
		campaignName: '={{ $json.name }}',
		campaignFields: { public: '={{ $json.public }}' },
	};
	return await runAt(service, parameters, { items, ...more });
}

describe.each(ENTRY_POINTS)('Campaign: Update without a name, by %s', (_entryPoint, routed) => {
	it.each<[string, IDataObject[], string[]]>([
		[
			'keeps the name that an earlier item set, over three items',
			[{ name: 'New' }, { public: true }, { public: false }],
			['New', 'New', 'New'],
		],
		[
			'keeps the order of the items where one gives the name of the campaign and one its ID',
			[{ campaign: byName('Old'), name: 'First' }, { name: 'Second' }, { public: true }],
			['First', 'Second', 'Second'],
		],
	])('%s', async (_, items, names) => {
		const service = await campaignService([{ id: 7, name: 'Old' }]);
		const { error } = await update(service, items, { routed });
		expect(error).toBeUndefined();
		expect(namesGiven(service)).toEqual(names);
	});

	it('never mixes up the names of two accounts, with a key per item', async () => {
		const accounts = [
			await campaignService([{ id: 7, name: 'Of A' }]),
			await campaignService([{ id: 7, name: 'Of B' }]),
		];
		const rows = [true, false, true, false].map((isPublic) => ({ public: isPublic }));
		const { error } = await update(accounts[0]!, rows, {
			credentials: { linkManagementApi: (index: number) => accounts[index % 2]!.credential },
			routed,
		});
		expect(error).toBeUndefined();
		expect(accounts.map(namesGiven)).toEqual([
			['Of A', 'Of A'],
			['Of B', 'Of B'],
		]);
	});
});

describe('Campaign: Update without a name', () => {
	it('sends a numeric name as text, although the list has it as a number', async () => {
		const service = await campaignService([{ id: 7, name: 2030 }]);
		const { error } = await update(service, [{ public: true }]);
		expect(error).toBeUndefined();
		expect(namesGiven(service)).toEqual(['2030']);
	});

	it('says what to do where the list has no name', async () => {
		const service = await campaignService([{ id: 7, name: null }]);
		const { error } = await update(service, [{ public: true }]);
		expect(error?.message).toContain('The campaign 7 has no name');
	});

	it('reads the list again after an update that may have been carried out', async () => {
		const service = await campaignService([{ id: 7, name: 'Old' }], (_, write) =>
			write === 2 ? { status: 500, body: { error: 1, message: 'Oops' } } : undefined,
		);
		const { items } = await update(
			service,
			[{ public: false }, { name: 'New' }, { public: true }],
			continuing,
		);
		expect(jsonOf(items)).toHaveLength(3);
		expect(service.campaigns[0]).toMatchObject({ name: 'New', public: true });
	});
});
