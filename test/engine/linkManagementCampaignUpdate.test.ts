import type { IDataObject } from 'n8n-workflow';

import type { FakeService } from '../fakeService';
import { byId, jsonOf } from './harness';
import type { NodeRun } from './harness';
import { byName, campaignService, continuing, ENTRY_POINTS, itemsOf, runAt } from './support';

/** The names that the service was given for its campaigns. */
const namesGiven = ({ requests }: FakeService) =>
	requests.flatMap(({ method, json }) => (method === 'PUT' ? [(json as IDataObject).name] : []));

async function update(service: FakeService, items: IDataObject[], more: Partial<NodeRun> = {}) {
	const parameters = {
		resource: 'campaign',
		operation: 'update',
		campaignId: '={{ $json.campaign }}',
		campaignName: '={{ $json.name }}',
		campaignFields: { public: '={{ $json.public }}' },
	};
	return await runAt(service, parameters, { items: itemsOf(...items), ...more });
}

describe.each(ENTRY_POINTS)('Campaign: Update without a name, by %s', (_entryPoint, routed) => {
	it('keeps the name that an earlier item set, over three items', async () => {
		const service = await campaignService([{ id: 7, name: 'Old' }]);
		const { error } = await update(
			service,
			[
				{ campaign: byId(7), name: 'New' },
				{ campaign: byId(7), public: true },
				{ campaign: byId(7), public: false },
			],
			{ routed },
		);
		expect(error).toBeUndefined();
		expect(namesGiven(service)).toEqual(['New', 'New', 'New']);
	});

	it('keeps the order of the items where one gives the name of the campaign and one its ID', async () => {
		const service = await campaignService([{ id: 7, name: 'Old' }]);
		await update(
			service,
			[
				{ campaign: byName('Old'), name: 'First' },
				{ campaign: byId(7), name: 'Second' },
				{ campaign: byId(7), public: true },
			],
			{ routed },
		);
		expect(namesGiven(service)).toEqual(['First', 'Second', 'Second']);
	});

	it('never mixes up the names of two accounts, with a key per item', async () => {
		const accounts = [
			await campaignService([{ id: 7, name: 'Of A' }]),
			await campaignService([{ id: 7, name: 'Of B' }]),
		];
		const rows = [true, false, true, false].map((isPublic) => ({
			campaign: byId(7),
			public: isPublic,
		}));
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
		const { error } = await update(service, [{ campaign: byId(7), public: true }]);
		expect(error).toBeUndefined();
		expect(namesGiven(service)).toEqual(['2030']);
	});

	it('says what to do where the list has no name', async () => {
		const service = await campaignService([{ id: 7, name: null }]);
		const { error } = await update(service, [{ campaign: byId(7), public: true }]);
		expect(error?.message).toContain('The campaign 7 has no name');
	});

	it('reads the list again after an update that may have been carried out', async () => {
		const service = await campaignService([{ id: 7, name: 'Old' }], (_, write) =>
			write === 2 ? { status: 500, body: { error: 1, message: 'Oops' } } : undefined,
		);
		const { items } = await update(
			service,
			[
				{ campaign: byId(7), public: false },
				{ campaign: byId(7), name: 'New' },
				{ campaign: byId(7), public: true },
			],
			continuing,
		);
		expect(jsonOf(items)).toHaveLength(3);
		expect(service.campaigns[0]).toMatchObject({ name: 'New', public: true });
	});
});
