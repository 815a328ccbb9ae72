import { z } from 'zod';

import { clearable, inBody, inPath } from '../../shared/node/inputs';
import { field } from '../../shared/node/recordSchema';
import type { Resource } from '../../shared/node/resource';
import { assigned, created, deleted, list, updated } from '../../shared/node/outputs';
import { flag, hexColor, oneOf } from '../../shared/node/validators';
import { channels } from '../collections';
import { CLEARABLE, idValidation, recordLocator, showFor } from '../fields';
import { channelKind, endpoint, foundInList } from '../lookup';
import { changedRecord, channelItemRecord, channelRecord } from '../records';
import { upserted } from '../upsert';

/** Kinds of items that a channel holds (docs/services.md, "Link Management: records"). */
const ITEM_TYPES = [
	{ name: 'Bio Page', value: 'bio' },
	{ name: 'Link', value: 'links' },
	{ name: 'QR Code', value: 'qr' },
];

/** Output of Add Item. */
const itemInChannel = () =>
	z.object({
		channelId: field.id(),
		itemType: field.text(),
		itemId: field.id(),
		message: field.text(),
	});

/** docs/services.md, "Link Management: requests". */
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
					action: 'Add item to channel',
					description: 'Add a link, bio page or QR code to a channel',
					routing: endpoint(
						'POST',
						'/api/channel/:channelId/assign/:itemType/:itemId',
						assigned(itemInChannel),
					),
				},
				{
					name: 'Create',
					value: 'create',
					action: 'Create channel',
					description: 'Create a channel, a group of links, bio pages and QR codes',
					routing: endpoint('POST', '/api/channel/add', created(channelRecord)),
				},
				{
					name: 'Create or Update',
					value: 'upsert',
					action: 'Create or update channel',
					description:
						'Create a new record, or update the current one if it already exists (upsert)',
					routing: upserted({
						kind: channelKind,
						describe: ({ name }) => `the name "${String(name)}"`,
						identifying: ['name'],
						createPath: '/api/channel/add',
						updatePath: '/api/channel/:id/update',
					}),
				},
				{
					name: 'Delete',
					value: 'delete',
					action: 'Delete channel',
					description: 'Delete a channel. Its items stay, but no longer belong to it.',
					routing: endpoint('DELETE', '/api/channel/:channelId/delete', deleted),
				},
				{
					name: 'Get',
					value: 'get',
					action: 'Get channel',
					description: 'Get a channel by its ID or name, from the list of channels',
					routing: foundInList('channelId'),
				},
				{
					name: 'Get Items',
					value: 'getItems',
					action: 'Get channel items',
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
					action: 'Update channel',
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
				displayOptions: showFor('channel', 'addItem', 'delete', 'get', 'getItems', 'update'),
			},
			'searchChannels',
			{ displayName: 'By Name', placeholder: 'e.g. Newsletter' },
		),
		inPath(
			{
				displayName: 'Item Type',
				name: 'itemType',
				type: 'options',
				options: ITEM_TYPES,
				default: 'links',
				required: true,
				description: 'What kind of item to add to the channel',
				displayOptions: showFor('channel', 'addItem'),
			},
			oneOf(ITEM_TYPES.map(({ value }) => value)),
		),
		inPath({
			displayName: 'Item ID',
			name: 'itemId',
			type: 'resourceLocator',
			default: { mode: 'id', value: '' },
			required: true,
			description:
				'The item to add. The list shows QR codes; the API does not list links and bio pages, so enter their IDs.',
			modes: [
				{
					displayName: 'By ID',
					name: 'id',
					type: 'string',
					placeholder: 'e.g. 42',
					validation: idValidation,
				},
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					typeOptions: { searchListMethod: 'searchChannelItems', searchable: true },
				},
			],
			displayOptions: showFor('channel', 'addItem'),
		}),
	],
	lastProperties: [
		{
			displayName: 'Fields to Set',
			name: 'channelFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			description: 'Only the fields added here are sent; an update leaves the others as they are',
			displayOptions: showFor('channel', 'create', 'update', 'upsert'),
			options: [
				inBody(
					{
						displayName: 'Color',
						name: 'color',
						type: 'color',
						default: '#3B82F6',
						description: 'Badge color of the channel, in the format #RRGGBB',
					},
					hexColor,
				),
				clearable(
					inBody({
						displayName: 'Description',
						name: 'description',
						type: 'string',
						default: '',
						hint: CLEARABLE,
						description: 'What the channel is for',
					}),
				),
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
