import { z } from 'zod';

import { endpoint } from '../../shared/node/endpoint';
import { inBody, inPath } from '../../shared/node/inputs';
import { field } from '../../shared/node/recordSchema';
import type { Resource } from '../../shared/node/resource';
import { assigned, created, deleted, list, updated } from '../../shared/node/outputs';
import { flag, hexColor, oneOf } from '../../shared/node/validators';
import { channels } from '../collections';
import { recordLocator, showFor } from '../fields';
import { changedRecord, channelItemRecord, channelRecord } from '../records';

/** Kinds of items that a channel holds (spec, "Channel item"). */
const ITEM_TYPES = [
	{ name: 'Bio Page', value: 'bio' },
	{ name: 'Link', value: 'links' },
	{ name: 'QR Code', value: 'qr' },
];

/** What comes out when an item was put into a channel. */
const itemInChannel = () =>
	z.object({
		channelId: field.id(),
		itemType: field.text(),
		itemId: field.id(),
		message: field.text(),
	});

/** Spec, "Channels". */
export const channel: Resource = {
	name: 'Channel',
	value: 'channel',
	properties: [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: ['channel'] } },
			default: 'create',
			options: [
				{
					name: 'Add Item',
					value: 'addItem',
					action: 'Add an item to a channel',
					description: 'Put a link, bio page or QR code into a channel',
					routing: endpoint(
						'POST',
						'/api/channel/:channelId/assign/:itemType/:itemId',
						assigned(itemInChannel),
					),
				},
				{
					name: 'Create',
					value: 'create',
					action: 'Create a channel',
					description: 'Create a channel, a group of links, bio pages and QR codes',
					routing: endpoint('POST', '/api/channel/add', created(channelRecord)),
				},
				{
					name: 'Delete',
					value: 'delete',
					action: 'Delete a channel',
					description: 'Delete a channel. Its items stay, but no longer belong to it.',
					routing: endpoint('DELETE', '/api/channel/:channelId/delete', deleted),
				},
				{
					name: 'Get Items',
					value: 'getItems',
					action: 'Get the items of a channel',
					description: 'List the links, bio pages and QR codes of a channel',
					routing: endpoint(
						'GET',
						'/api/channel/:channelId',
						list({ keys: ['items'], record: channelItemRecord }),
					),
				},
				{
					name: 'Get Many',
					value: 'getAll',
					action: 'Get many channels',
					description: 'List the channels of the account',
					routing: endpoint('GET', channels.path, list(channels)),
				},
				{
					name: 'Update',
					value: 'update',
					action: 'Update a channel',
					description: 'Change the name, description, color or star of a channel',
					routing: endpoint('PUT', '/api/channel/:channelId/update', updated(changedRecord)),
				},
			],
		},
		recordLocator(
			{
				displayName: 'Channel',
				name: 'channelId',
				description: 'The channel to work with',
				displayOptions: showFor('channel', 'addItem', 'delete', 'getItems', 'update'),
			},
			'searchChannels',
		),
		inPath(
			{
				displayName: 'Item Type',
				name: 'itemType',
				type: 'options',
				options: ITEM_TYPES,
				default: 'links',
				required: true,
				description: 'What kind of item to put into the channel',
				displayOptions: showFor('channel', 'addItem'),
			},
			oneOf(ITEM_TYPES.map(({ value }) => value)),
		),
		inPath({
			displayName: 'Item ID',
			name: 'itemId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 42',
			description: 'ID of the link, bio page or QR code',
			displayOptions: showFor('channel', 'addItem'),
		}),
	],
	lastProperties: [
		{
			displayName: 'Additional Fields',
			name: 'channelFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			displayOptions: showFor('channel', 'create', 'update'),
			options: [
				inBody(
					{
						displayName: 'Color',
						name: 'color',
						type: 'color',
						default: '#3B82F6',
						description: 'Color of the channel’s badge, of the form #RRGGBB',
					},
					hexColor,
				),
				inBody({
					displayName: 'Description',
					name: 'description',
					type: 'string',
					default: '',
					description: 'What the channel is for',
				}),
				inBody({
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Newsletter',
					description: 'New name of the channel',
					displayOptions: { show: { '/operation': ['update'] } },
				}),
				inBody(
					{
						displayName: 'Starred',
						name: 'starred',
						type: 'boolean',
						default: false,
						description: 'Whether the channel is marked with a star',
					},
					flag,
				),
			],
		},
	],
};
