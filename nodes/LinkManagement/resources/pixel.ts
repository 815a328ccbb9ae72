import type { INodeProperties } from 'n8n-workflow';

import { inBody } from '../../shared/node/inputs';
import { endpoint } from '../../shared/node/operation';
import type { Resource } from '../../shared/node/resource';
import { createRecord, updateRecord } from '../../shared/node/outputs';
import { normalText } from '../../shared/node/texts';
import { oneOf } from '../../shared/node/validators';
import { pixels, changedRecord, newRecord } from '../api';
import { deleteBy, getMany, recordLocator, showFor, UNCHANGED } from '../panel';
import { getFromList, pixelKind } from '../lookup';
import { createOrUpdate } from '../upsert';
import type { Kind } from '../lookup';

/** docs/maintainers/services.md, "Link Management: records". */
const PIXEL_TYPES = [
	{ name: 'AdRoll', value: 'adrollpixel' },
	{ name: 'Bing', value: 'bing' },
	{ name: 'Facebook', value: 'fbpixel' },
	{ name: 'Google Ads', value: 'adwordspixel' },
	{ name: 'Google Analytics', value: 'gapixel' },
	{ name: 'Google Tag Manager', value: 'gtmpixel' },
	{ name: 'LinkedIn', value: 'linkedinpixel' },
	{ name: 'Pinterest', value: 'pinterest' },
	{ name: 'Quora', value: 'quorapixel' },
	{ name: 'Reddit', value: 'reddit' },
	{ name: 'Snapchat', value: 'snapchat' },
	{ name: 'TikTok', value: 'tiktok' },
	{ name: 'Twitter', value: 'twitterpixel' },
];

/** Identifies a pixel by its tag, which is unique within a type. The name is only a label. */
const byTypeAndTag: Kind['keyOf'] = ({ type, tag }) => `${normalText(type)} ${normalText(tag)}`;

function tag(more: Pick<INodeProperties, 'hint' | 'displayOptions'>): INodeProperties {
	return inBody({
		displayName: 'Tag',
		name: 'tag',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. GTM-ABC123',
		description: 'Tag or ID that the advertising or analytics service gave you',
		...more,
	});
}

/** docs/maintainers/services.md, "Link Management: requests". */
export const pixel: Resource = {
	name: 'Pixel',
	value: 'pixel',
	description:
		'A tracking pixel for an advertising or analytics service, such as Google Tag Manager',
	defaultOperation: 'create',
	operations: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create pixel',
			description: 'Add a tracking pixel for an advertising or analytics service',
			routing: endpoint('POST', '/api/pixel/add', createRecord(newRecord)),
		},
		createOrUpdate({
			kind: { ...pixelKind, calledBy: 'type and tag', keyOf: byTypeAndTag },
			identifying: ['type', 'tag'],
			sentWithUpdates: ['tag'],
			createPath: '/api/pixel/add',
			updatePath: '/api/pixel/:id/update',
		}),
		deleteBy('=/api/pixel/{{$parameter["pixelId"]}}/delete', 'pixel'),
		getFromList(pixelKind, 'pixelId'),
		getMany(pixels, 'pixels'),
		{
			name: 'Update',
			value: 'update',
			action: 'Update pixel',
			description: 'Change the tag or the name of a tracking pixel',
			routing: endpoint(
				'PUT',
				'=/api/pixel/{{$parameter["pixelId"]}}/update',
				updateRecord(changedRecord),
			),
		},
	],
	properties: [
		recordLocator(
			{
				displayName: 'Pixel',
				name: 'pixelId',
				displayOptions: showFor('pixel', 'delete', 'get', 'update'),
			},
			'searchPixels',
			{ kind: pixelKind, placeholder: 'e.g. Shop visitors' },
		),
		inBody(
			{
				displayName: 'Type',
				name: 'type',
				type: 'options',
				options: PIXEL_TYPES,
				default: 'gtmpixel',
				required: true,
				description: 'The service the pixel belongs to',
				displayOptions: showFor('pixel', 'create', 'upsert'),
			},
			oneOf(PIXEL_TYPES.map(({ value }) => value)),
		),
		tag({ displayOptions: showFor('pixel', 'create', 'update') }),
		tag({
			hint: 'Updates the pixel with this type and exactly this tag, or creates one',
			displayOptions: showFor('pixel', 'upsert'),
		}),
		inBody({
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Shop visitors',
			description: 'Name of the pixel',
			displayOptions: showFor('pixel', 'create', 'upsert'),
		}),
		{
			displayName: 'Update Fields',
			name: 'pixelFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			description: UNCHANGED,
			displayOptions: showFor('pixel', 'update'),
			options: [
				inBody({
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Shop visitors',
					description: 'New name of the pixel',
				}),
			],
		},
	],
};
