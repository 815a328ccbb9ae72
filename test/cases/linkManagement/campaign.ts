import { byId } from '../operationCase';
import type { OperationCase } from '../operationCase';
import { allListed, deleteOne, getMany, getOne } from './lists';

const created = {
	public: true,
	rotator: 'https://lnk.example/r/spring-sale',
	list: 'https://lnk.example/u/demo/spring-sale-76',
};

const updated = {
	public: true,
	rotator: false,
	list: 'https://lnk.example/u/demo/summer-12',
};

export const campaignCases: OperationCase[] = [
	{
		operation: 'campaign.addLink',
		documented: { endpoint: 'POST /api/campaign/:campaignid/assign/:linkid' },
		parameters: { campaignId: byId(12), linkId: '42' },
		exchanges: [
			{
				request: 'POST /api/campaign/12/assign/42',
				response: { error: 0, message: 'Link has been added to the campaign' },
			},
		],
		output: [{ campaignId: 12, linkId: 42, message: 'Link has been added to the campaign' }],
	},
	{
		operation: 'campaign.create',
		documented: { endpoint: 'POST /api/campaign/add', fields: ['name', 'slug', 'public'] },
		parameters: {
			campaignName: 'Spring sale',
			campaignFields: { public: true, slug: 'spring-sale' },
		},
		exchanges: [
			{
				request: 'POST /api/campaign/add',
				body: { name: 'Spring sale', public: true, slug: 'spring-sale' },
				// The API returns the name under `domain`.
				response: { error: 0, id: 76, domain: 'Spring sale', ...created },
			},
		],
		output: [{ id: 76, name: 'Spring sale', ...created }],
	},
	deleteOne('campaign', 12, 'Campaign has been deleted'),
	getOne('campaign', '/api/campaigns', 'campaigns', {
		id: 12,
		name: 'Trade Fair',
		public: false,
		rotator: 'https://lnk.example/r/trade-fair',
		list: 'https://lnk.example/u/demo/trade-fair-12',
	}),
	getMany('campaign', '/api/campaigns', 'campaigns', {
		id: 75,
		name: 'Trade Fair',
		public: false,
		rotator: 'https://lnk.example/r/trade-fair',
		list: 'https://lnk.example/u/demo/trade-fair-75',
	}),
	{
		operation: 'campaign.update',
		documented: { endpoint: 'PUT /api/campaign/:id/update', fields: ['name', 'slug', 'public'] },
		parameters: {
			campaignId: byId(12),
			campaignName: 'Summer sale',
			campaignFields: { public: true, slug: 'summer' },
		},
		exchanges: [
			{
				request: 'PUT /api/campaign/12/update',
				body: { name: 'Summer sale', public: true, slug: 'summer' },
				response: { error: 0, id: 12, domain: 'Summer sale', ...updated },
			},
		],
		output: [{ id: 12, name: 'Summer sale', ...updated }],
	},
	{
		operation: 'campaign.upsert',
		parameters: { campaignName: 'Spring sale', campaignFields: { public: true } },
		exchanges: [
			allListed('/api/campaigns', 'campaigns', [{ id: 12, name: 'Trade Fair' }]),
			{
				request: 'POST /api/campaign/add',
				body: { name: 'Spring sale', public: true },
				response: { error: 0, id: 76, domain: 'Spring sale', public: true, rotator: false },
			},
		],
		output: [{ id: 76, name: 'Spring sale', public: true, rotator: false, created: true }],
	},
];
