import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../operationCase';
import type { OperationCase } from '../operationCase';
import { createOne, deleteOne, getMany, getOne, updateOne, upsertOne } from './lists';

const addressesOf = (slug: string, id: number) => ({
	rotator: `https://lnk.example/r/${slug}`,
	list: `https://lnk.example/u/demo/${slug}-${id}`,
});

const record = { name: 'Trade Fair', public: false, ...addressesOf('trade-fair', 12) };
const created = { id: 76, public: true, ...addressesOf('spring-sale', 76) };
const updated = { id: 12, public: true, ...addressesOf('summer', 12), rotator: false };
const message = 'Link has been added to the campaign';

const write = (name: string, fields: INodeParameters) => ({
	parameters: { campaignName: name, campaignFields: fields },
	body: { name, ...fields },
});

export const campaignCases: OperationCase[] = [
	{
		operation: 'campaign.addLink',
		documented: { endpoint: 'POST /api/campaign/:campaignid/assign/:linkid' },
		parameters: { campaignId: byId(12), linkId: '42' },
		exchanges: [{ request: 'POST /api/campaign/12/assign/42', response: { error: 0, message } }],
		output: [{ campaignId: 12, linkId: 42, message }],
	},
	createOne(
		'campaign',
		write('Spring sale', { public: true, slug: 'spring-sale' }),
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
		write('Summer sale', { public: true, slug: 'summer' }),
		{ domain: 'Summer sale', ...updated },
		{ name: 'Summer sale', ...updated },
	),
	upsertOne('campaign', { id: 12, name: 'Trade Fair' }, write('Spring sale', { public: true }), {
		id: 76,
		domain: 'Spring sale',
		public: true,
		rotator: false,
	}),
];
