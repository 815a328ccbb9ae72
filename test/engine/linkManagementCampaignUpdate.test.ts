import type { IDataObject } from 'n8n-workflow';

import { fakeService } from '../fakeService';
import type { FakeRequest, FakeService, Respond } from '../fakeService';
import { byId, jsonOf } from './harness';
import type { NodeRun } from './harness';
import { byName, continuing, itemsOf, runAt } from './linkManagementSupport';

/** A service with campaigns, which does what it is told unless `respond` says something else. */
async function account(campaigns: IDataObject[], respond: Respond = () => undefined) {
	const service = await fakeService((request) => {
		const own = respond(request);
		if (own !== undefined) return own;
		if (request.method === 'GET') {
			const { length: result } = campaigns;
			return { error: 0, data: { result, perpage: 100, maxpage: 1, nextpage: null, campaigns } };
		}
		const id = Number(request.path.split('/')[3]);
		Object.assign(
			campaigns.find((each) => Number(each.id) === id)!,
			request.json,
		);
		return { error: 0, id };
	});
	const names = () =>
		service.requests.flatMap(({ method, json }) =>
			method === 'PUT' ? [(json as IDataObject).name] : [],
		);
	return { ...service, names };
}

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

describe.each([false, true])('Campaign: Update without a name (routed: %s)', (routed) => {
	it('keeps the name that an earlier item set, over three items', async () => {
		const service = await account([{ id: 7, name: 'Old' }]);
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
		expect(service.names()).toEqual(['New', 'New', 'New']);
	});

	it('keeps the order of the items where one gives the name of the campaign and one its ID', async () => {
		const service = await account([{ id: 7, name: 'Old' }]);
		await update(
			service,
			[
				{ campaign: byName('Old'), name: 'First' },
				{ campaign: byId(7), name: 'Second' },
				{ campaign: byId(7), public: true },
			],
			{ routed },
		);
		expect(service.names()).toEqual(['First', 'Second', 'Second']);
	});

	it('never mixes up the names of two accounts, with a key per item', async () => {
		const accounts = [
			await account([{ id: 7, name: 'Of A' }]),
			await account([{ id: 7, name: 'Of B' }]),
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
		expect(accounts.map(({ names }) => names())).toEqual([
			['Of A', 'Of A'],
			['Of B', 'Of B'],
		]);
	});
});

describe('Campaign: Update without a name', () => {
	it('sends a numeric name as text, although the list has it as a number', async () => {
		const service = await account([{ id: 7, name: 2030 }]);
		const { error } = await update(service, [{ campaign: byId(7), public: true }]);
		expect(error).toBeUndefined();
		expect(service.names()).toEqual(['2030']);
	});

	it('says what to do where the list has no name', async () => {
		const service = await account([{ id: 7, name: null }]);
		const { error } = await update(service, [{ campaign: byId(7), public: true }]);
		expect(error?.message).toContain('The campaign 7 has no name');
	});

	it('reads the list again after an update that may have been carried out', async () => {
		const campaigns: IDataObject[] = [{ id: 7, name: 'Old' }];
		const service = await account(campaigns, ({ method, json }: FakeRequest) => {
			const { name, public: isPublic } = (json ?? {}) as IDataObject;
			if (method !== 'PUT' || name !== 'New' || isPublic !== undefined) return undefined;
			campaigns[0]!.name = 'New';
			return { status: 500, body: { error: 1, message: 'Oops' } };
		});
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
		expect(campaigns[0]).toMatchObject({ name: 'New', public: true });
	});

	it.each([
		['the name of another case', byName('spring'), 'No campaign has the name "spring"'],
		['an ID that does not exist', byId(9999), 'No campaign has the ID 9999'],
	])('changes nothing for %s', async (_, campaign, message) => {
		const service = await account([{ id: 7, name: 'Spring' }]);
		const { error } = await update(service, [{ campaign, public: true }]);
		expect(error?.message).toContain(message);
		expect(service.names()).toEqual([]);
	});
});
