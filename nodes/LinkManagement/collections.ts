import type { Collection } from '../shared/node/records';
import {
	campaignRecord,
	channelRecord,
	domainRecord,
	fileRecord,
	overlayRecord,
	pixelRecord,
	qrCodeRecord,
	splashRecord,
} from './records';

/** The lists of the service (docs/services.md, "Link Management: requests"). */

export const campaigns: Collection = {
	path: '/api/campaigns',
	keys: ['campaigns'],
	record: campaignRecord,
	label: ({ name }) => name,
	url: ({ rotator, list }) => rotator || list,
};

export const channels: Collection = {
	path: '/api/channels',
	keys: ['channels'],
	record: channelRecord,
	label: ({ name }) => name,
};

export const ctaOverlays: Collection = {
	path: '/api/overlay',
	keys: ['cta'],
	record: overlayRecord,
};

export const domains: Collection = {
	path: '/api/domains',
	keys: ['domains'],
	record: domainRecord,
	label: ({ domain }) => domain,
	url: ({ domain }) => domain,
};

export const files: Collection = {
	path: '/api/files',
	keys: ['list'],
	record: fileRecord,
	label: ({ name }) => name,
};

export const pixels: Collection = {
	path: '/api/pixels',
	keys: ['pixels'],
	record: pixelRecord,
	label: ({ name }) => name,
};

export const qrCodes: Collection = {
	path: '/api/qr',
	keys: ['qrs'],
	record: qrCodeRecord,
	label: ({ name, link }) => name ?? link,
	url: ({ link }) => link,
};

export const splashPages: Collection = {
	path: '/api/splash',
	keys: ['splash'],
	record: splashRecord,
};
