import { inBody } from '../../shared/node/inputs';
import type { Resource } from '../../shared/node/resource';
import { normalText } from '../../shared/node/texts';
import { oneOf } from '../../shared/node/validators';
import { showFor } from '../../shared/node/options';
import { pixelKind } from '../lookup';
import { operationsOf } from '../operations';
import { inUpdates, optionalFields, recordLocator } from '../panel';

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

export const pixel: Resource = {
	name: 'Pixel',
	value: 'pixel',
	description:
		'A tracking pixel for an advertising or analytics service, such as Google Tag Manager',
	defaultOperation: 'create',
	operations: operationsOf(pixelKind, {
		create: 'Add a tracking pixel for an advertising or analytics service',
		update: 'Change the tag or the name of a tracking pixel',
		identity: {
			fields: ['type', 'tag'],
			sentWithUpdates: ['tag'],
			// The tag is unique within a type. The name is only a label.
			by: {
				calledBy: 'type and tag',
				keyOf: (record) => `${normalText(record.type)} ${normalText(record.tag)}`,
			},
		},
	}),
	properties: [
		recordLocator(pixelKind, 'e.g. Shop visitors'),
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
		inBody({
			displayName: 'Tag',
			name: 'tag',
			required: true,
			placeholder: 'e.g. GTM-ABC123',
			description:
				'Tag or ID that the advertising or analytics service gave you. Create or Update updates the pixel with this type and exactly this tag, or creates one.',
			displayOptions: showFor('pixel', 'create', 'update', 'upsert'),
		}),
		inBody({
			displayName: 'Name',
			name: 'name',
			required: true,
			placeholder: 'e.g. Shop visitors',
			description: 'Name of the pixel',
			displayOptions: showFor('pixel', 'create', 'upsert'),
		}),
		...optionalFields('pixel', [
			inBody({
				displayName: 'Name',
				name: 'name',
				placeholder: 'e.g. Shop visitors',
				description: 'New name of the pixel',
				displayOptions: inUpdates,
			}),
		]),
	],
};
