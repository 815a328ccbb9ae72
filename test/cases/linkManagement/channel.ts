import { byId } from '../operationCase';
import type { OperationCase } from '../operationCase';
import { createOne, deleteOne, getMany, getOne, updateOne, upsertOne } from './lists';

const record = { name: 'Partners', description: '', color: '#1A73E8', starred: false };
const fields = { description: 'Weekly', color: '#3B82F6', starred: true };
const created = { name: 'Newsletter', ...fields };
const updated = { color: '#00ff7F', description: 'Monthly', name: 'Letters', starred: false };
const message = 'Item has been added to the channel';

export const channelCases: OperationCase[] = [
	{
		operation: 'channel.addItem',
		documented: { endpoint: 'POST /api/channel/:channelid/assign/:type/:itemid' },
		parameters: { channelId: byId(3), itemType: 'links', itemId: byId(42) },
		exchanges: [
			{ request: 'POST /api/channel/3/assign/links/42', response: { error: 0, message } },
		],
		output: [{ channelId: 3, itemType: 'links', itemId: 42, message }],
	},
	createOne(
		'channel',
		{ parameters: { name: 'Newsletter', channelFields: fields }, body: created },
		{ id: 61, ...created },
	),
	deleteOne('channel', 3),
	getOne('channel', { id: 3, ...record }),
	getMany('channel', '/api/channels', 'channels', { id: 60, ...record }),
	{
		...getMany('channel', '/api/channel/1', 'items', {
			type: 'qr',
			id: 8,
			title: 'Student Offer',
			preview: 'https://lnk.example/qr/cBrGy7c.png',
			link: 'https://lnk.example/qr/cBrGy7c',
			date: '2025-07-27',
		}),
		operation: 'channel.getItems',
		documented: { endpoint: 'GET /api/channel/:id' },
		parameters: { channelId: byId(1), limit: 50 },
	},
	updateOne('channel', 3, { parameters: { channelFields: updated }, body: updated }),
	upsertOne(
		'channel',
		{ id: 3, name: 'Partners' },
		{
			parameters: { name: 'Newsletter', channelFields: { starred: true } },
			body: { name: 'Newsletter', starred: true },
		},
		{ id: 61, name: 'Newsletter', starred: true },
	),
];
