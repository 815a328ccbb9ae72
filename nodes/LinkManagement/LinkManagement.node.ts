import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { customOperations } from '../transport/customOperations';
import { describeNode } from '../transport/gate';
import { pagingFields, transportOptions } from '../transport/options';
import { nameOfNewRecord } from './fields';
import * as listSearch from './listSearch';
import { account } from './resources/account';
import { campaign } from './resources/campaign';
import { channel, channelFields } from './resources/channel';
import { ctaOverlay } from './resources/ctaOverlay';
import { domain } from './resources/domain';
import { file, fileFilters } from './resources/file';
import { pixel } from './resources/pixel';
import { qrCode } from './resources/qrCode';
import { splashPage } from './resources/splashPage';
import { linkManagement } from './service';

export class LinkManagement implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Management',
		name: 'linkManagement',
		icon: {
			light: 'file:../../icons/linkManagement.svg',
			dark: 'file:../../icons/linkManagement.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Manage campaigns, channels, files, pixels, QR codes and branded domains of short links',
		defaults: { name: 'Link Management' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true }],
		// Marks the node as declarative; every request goes through the gate (resources/*).
		requestDefaults: {},
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				default: 'campaign',
				options: [
					{ name: 'Account', value: 'account' },
					{ name: 'Campaign', value: 'campaign' },
					{ name: 'Channel', value: 'channel' },
					{ name: 'CTA Overlay', value: 'ctaOverlay' },
					{ name: 'Domain', value: 'domain' },
					{ name: 'File', value: 'file' },
					{ name: 'Pixel', value: 'pixel' },
					{ name: 'QR Code', value: 'qrCode' },
					{ name: 'Splash Page', value: 'splashPage' },
				],
			},
			...account,
			...campaign,
			...channel,
			...ctaOverlay,
			...domain,
			...file,
			...pixel,
			...qrCode,
			...splashPage,
			nameOfNewRecord,
			...channelFields,
			...pagingFields({ operation: ['getAll', 'getItems'] }),
			...fileFilters,
			transportOptions,
		],
	};

	methods = { listSearch };

	customOperations = customOperations(this.description);

	constructor() {
		describeNode(linkManagement, this.description);
	}
}
