import { byId } from '../operationCase';
import type { OperationCase } from '../operationCase';
import { allListed, deleteOne, getMany, getOne } from './lists';

const record = {
	name: 'Partners',
	description: '',
	color: '#1A73E8',
	starred: false,
};

const created = {
	id: 61,
	name: 'Newsletter',
	description: 'Weekly',
	color: '#3B82F6',
	starred: true,
};

export const channelCases: OperationCase[] = [
	{
		operation: 'channel.addItem',
		documented: { endpoint: 'POST /api/channel/:channelid/assign/:type/:itemid' },
		parameters: { channelId: byId(3), itemType: 'links', itemId: byId(42) },
		exchanges: [
			{
				request: 'POST /api/channel/3/assign/links/42',
				response: { error: 0, message: 'Item has been added to the channel' },
			},
		],
		output: [
			{
				channelId: 3,
				itemType: 'links',
				itemId: 42,
				message: 'Item has been added to the channel',
			},
		],
	},
	{
		operation: 'channel.create',
		documented: {
			endpoint: 'POST /api/channel/add',
			fields: ['name', 'description', 'color', 'starred'],
		},
		parameters: {
			name: 'Newsletter',
			channelFields: { color: '#3B82F6', description: 'Weekly', starred: true },
		},
		exchanges: [
			{
				request: 'POST /api/channel/add',
				body: { name: 'Newsletter', color: '#3B82F6', description: 'Weekly', starred: true },
				response: { error: 0, ...created },
			},
		],
		output: [created],
	},
	deleteOne('channel', 3, 'Channel has been deleted'),
	getOne('channel', '/api/channels', 'channels', { id: 3, ...record }),
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
		documented: { endpoint: 'GET /api/channel/:id', fields: ['limit', 'page'] },
		parameters: { channelId: byId(1), limit: 50 },
	},
	{
		operation: 'channel.update',
		documented: {
			endpoint: 'PUT /api/channel/:id/update',
			fields: ['name', 'description', 'color', 'starred'],
		},
		parameters: {
			channelId: byId(3),
			channelFields: { color: '#00ff7F', description: 'Monthly', name: 'Letters', starred: false },
		},
		exchanges: [
			{
				request: 'PUT /api/channel/3/update',
				body: { color: '#00ff7F', description: 'Monthly', name: 'Letters', starred: false },
				response: { error: 0, message: 'Channel has been updated' },
			},
		],
		output: [{ id: 3, message: 'Channel has been updated' }],
	},
	{
		operation: 'channel.upsert',
		parameters: { name: 'Newsletter', channelFields: { starred: true } },
		exchanges: [
			allListed('/api/channels', 'channels', [{ id: 3, name: 'Partners' }]),
			{
				request: 'POST /api/channel/add',
				body: { name: 'Newsletter', starred: true },
				response: { error: 0, id: 61, name: 'Newsletter', starred: true },
			},
		],
		output: [{ id: 61, name: 'Newsletter', starred: true, created: true }],
	},
];
