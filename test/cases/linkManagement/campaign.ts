import { byId } from '../operationCase';
import type { OperationCase } from '../operationCase';
import { createOne, deleteOne, getMany, getOne, updateOne, upsertOne } from './lists';

const record = {
	name: 'Trade Fair',
	public: false,
	rotator: 'https://lnk.example/r/trade-fair',
	list: 'https://lnk.example/u/demo/trade-fair-12',
};

const created = {
	id: 76,
	public: true,
	rotator: 'https://lnk.example/r/spring-sale',
	list: 'https://lnk.example/u/demo/spring-sale-76',
};

const updated = {
	id: 12,
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
	createOne(
		'campaign',
		{
			parameters: {
				campaignName: 'Spring sale',
				campaignFields: { public: true, slug: 'spring-sale' },
			},
			body: { name: 'Spring sale', public: true, slug: 'spring-sale' },
		},
		// The API returns the name under `domain`.
		{ domain: 'Spring sale', ...created },
		{ name: 'Spring sale', ...created },
	),
	deleteOne('campaign', 12),
	getOne('campaign', { id: 12, ...record }),
	getMany('campaign', '/api/campaigns', 'campaigns', { id: 75, ...record }),
	updateOne(
		'campaign',
		12,
		{
			parameters: {
				campaignName: 'Summer sale',
				campaignFields: { public: true, slug: 'summer' },
			},
			body: { name: 'Summer sale', public: true, slug: 'summer' },
		},
		{ domain: 'Summer sale', ...updated },
		{ name: 'Summer sale', ...updated },
	),
	upsertOne(
		'campaign',
		{ id: 12, name: 'Trade Fair' },
		{
			parameters: { campaignName: 'Spring sale', campaignFields: { public: true } },
			body: { name: 'Spring sale', public: true },
		},
		{ id: 76, domain: 'Spring sale', public: true, rotator: false },
	),
];
