import { inBody, inPath } from '../../shared/node/inputs';
import { endpoint } from '../../shared/node/operation';
import type { Resource } from '../../shared/node/resource';
import { assignRecord, listRecords } from '../../shared/node/outputs';
import { flag, hexColor, oneOf } from '../../shared/node/validators';
import { showFor } from '../../shared/node/options';
import { channelItems, channelRecord } from '../api';
import { channelKind } from '../lookup';
import { operationsOf } from '../operations';
import { clearableText, inUpdates, optionalFields, recordLocator } from '../panel';

/** What a channel can contain (docs/maintainers/services.md, "Link Management: records"). */
const ITEM_TYPES = [
	{ name: 'Bio Page', value: 'bio' },
	{ name: 'Link', value: 'links' },
	{ name: 'QR Code', value: 'qr' },
];

export const channel: Resource = {
	name: 'Channel',
	value: 'channel',
	description: 'A named collection of links, bio pages and QR codes',
	defaultOperation: 'create',
	operations: operationsOf(channelKind, {
		create: 'Create a channel, a group of links, bio pages and QR codes',
		delete: 'Delete a channel and unassign its items',
		update: "Change a channel's name, description or color, or star it",
		returned: { create: channelRecord },
		identity: { fields: ['name'] },
		others: [
			{
				name: 'Add Item',
				value: 'addItem',
				action: 'Add item to channel',
				description: 'Add a link, bio page or QR code to a channel',
				routing: endpoint(
					'POST',
					'/api/channel/:channelId/assign/:itemType/:itemId',
					assignRecord({
						channelId: 'integer',
						itemType: 'string',
						itemId: 'integer',
						message: 'string',
					}),
				),
			},
			{
				name: 'Get Items',
				value: 'getItems',
				action: 'Get channel items',
				description: 'List the links, bio pages and QR codes in a channel',
				routing: endpoint('GET', channelItems.path, listRecords(channelItems)),
			},
		],
	}),
	properties: [
		recordLocator(channelKind, 'e.g. Newsletter', 'addItem', 'getItems'),
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
			required: true,
			placeholder: 'e.g. 42',
			description:
				'ID of the link, bio page or QR code. To look it up, use QR Code: Get Many, or Channel: Get Items for a channel that contains it.',
			displayOptions: showFor('channel', 'addItem'),
		}),
		inBody({
			displayName: 'Name',
			name: 'name',
			required: true,
			placeholder: 'e.g. Newsletter',
			description:
				'Name of the channel. Create or Update updates the channel with exactly this name, or creates one.',
			displayOptions: showFor('channel', 'create', 'upsert'),
		}),
		...optionalFields('channel', [
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
			...clearableText({
				displayName: 'Description',
				name: 'description',
				placeholder: 'e.g. Links in our emails',
				description: 'What the channel is for',
			}),
			inBody({
				displayName: 'Name',
				name: 'name',
				placeholder: 'e.g. Newsletter',
				description: 'New name of the channel',
				displayOptions: inUpdates,
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
		]),
	],
};
