import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import type { Service } from '../shared/http/connection';
import { hasContent, readRecord } from '../shared/http/envelope';
import { isTemporary, ServiceError } from '../shared/http/errors';
import { isJson, readId, without } from '../shared/http/json';
import type { Collection, RecordSchema } from '../shared/node/collection';
import { credentialTest } from '../shared/node/credentialTest';
import type { FindRecord } from '../shared/node/outputs';
import { isBlank, yesOrNo } from '../shared/node/values';
import type { TriggerService } from '../shared/poll/event';

export const linkManagement: Service = {
	name: 'Link Management',
	credential: 'linkManagementApi',
	// docs/maintainers/services.md, "Link Management: limits".
	rate: () => ({ limit: 30, windowMs: 60_000 }),
	// `error` is what counts (docs/maintainers/services.md, "Link Management: errors"). Without it, a GET has succeeded
	// if the requested data is there, and a write if it returns the record's ID.
	succeeded(body, { method }) {
		const { error, success, id } = isJson(body) ? body : {};
		if (error !== undefined) return isBlank(error) || yesOrNo(error) === false;
		if (success !== undefined) return yesOrNo(success) === true;
		const isThere = method === 'GET' ? hasContent(body) : readId(id) !== undefined;
		return isThere || undefined;
	},
	things:
		/\b(?:links?|urls?|channels?|campaigns?|domains?|pixels?|codes?|clicks?|scans?|linkuri)\b/,
	keyHint:
		'If the key is correct, a web server or proxy may be stripping the header that contains it.',
};

/**
 * The ID of the key's account; undefined if the service doesn't show it.
 *
 * @throws ServiceError if the service might show it later
 */
export const accountId: TriggerService['account'] = async (sender) => {
	const sent = sender.send({ method: 'GET', path: '/api/account' });
	const body = await sent.catch((error: unknown) => {
		if (!(error instanceof ServiceError) || isTemporary(error)) throw error;
	});
	return readId(readRecord(body, ['data'])?.id);
};

// Records: docs/maintainers/services.md, "Link Management: records".

export const accountRecord: RecordSchema = {
	fields: {
		id: 'integer',
		email: 'string',
		username: 'string',
		avatar: 'string',
		status: 'string',
		expires: 'string',
		registered: 'string',
	},
};

/**
 * Create, update and some lists return a campaign's name as `domain`; the output always has it as `name`.
 * `rotator` is a URL, or false if there isn't one.
 */
export const campaignRecord: RecordSchema = {
	fields: {
		id: 'integer',
		name: 'string',
		public: 'boolean',
		rotator: 'string|boolean',
		list: 'string',
	},
	tidy: (record) => {
		const { name, domain } = record;
		if ((name ?? domain) === name) return record;
		return { ...without(record, 'domain'), name: domain };
	},
};

export const channelRecord: RecordSchema = {
	fields: {
		id: 'integer',
		name: 'string',
		description: 'string',
		color: 'string',
		starred: 'boolean',
	},
};

export const channelItemRecord: RecordSchema = {
	fields: {
		type: 'string',
		id: 'integer',
		title: 'string',
		preview: 'string',
		link: 'string',
		date: 'string',
	},
};

export const fileRecord: RecordSchema = {
	fields: {
		id: 'integer',
		name: 'string',
		downloads: 'integer',
		shorturl: 'string',
		date: 'string',
	},
};

/** Older installations return the name of a single QR code as `title`. */
export const qrCodeRecord: RecordSchema = {
	fields: { id: 'integer', link: 'string', scans: 'integer', name: 'string', date: 'string' },
	tidy: (record) =>
		record.title === undefined ? record : { ...record, name: record.name ?? record.title },
};

/**
 * Finds the QR code in the response to a Get. The API doesn't document where it is: some installations
 * send it as `details`, and its statistics as `data`.
 */
export const pickQrCode: FindRecord = (body) => {
	const { data, details } = body;
	if (isJson(details)) return { ...details, ...(isJson(data) ? { statistics: data } : {}) };
	const named = [data, body.qr, body.code].filter(isJson);
	return named.find(({ id }) => id !== undefined) ?? readRecord(body, ['data', 'qr', 'code']);
};

/** For creates whose response has nothing but the ID. */
export const newRecord: RecordSchema = { fields: { id: 'integer' } };

/** For updates that return only a message. The ID comes from the path. */
export const changedRecord: RecordSchema = { fields: { id: 'integer', message: 'string' } };

/** For the account, whose path has no ID. */
export const changedAccount: RecordSchema = { fields: { message: 'string' } };

// Lists: docs/maintainers/services.md, "Link Management: endpoints".

/** @param key the documented name of the rows */
function listAt(path: string, key: string, record: RecordSchema): Collection {
	return { path, keys: [key], record };
}

export const campaigns = listAt('/api/campaigns', 'campaigns', campaignRecord);

export const channels = listAt('/api/channels', 'channels', channelRecord);

export const channelItems = listAt('/api/channel/:channelId', 'items', channelItemRecord);

export const ctaOverlays = listAt('/api/overlay', 'cta', {
	fields: { id: 'integer', type: 'string', name: 'string', date: 'string' },
});

const domainRecord: RecordSchema = {
	fields: { id: 'integer', domain: 'string', redirectroot: 'string', redirect404: 'string' },
};

export const domains: Collection = {
	...listAt('/api/domains', 'domains', domainRecord),
	label: ({ domain }) => domain,
};

export const files = listAt('/api/files', 'list', fileRecord);

export const pixels = listAt('/api/pixels', 'pixels', {
	fields: { id: 'integer', type: 'string', name: 'string', tag: 'string', date: 'string' },
});

export const qrCodes: Collection = {
	...listAt('/api/qr', 'qrs', qrCodeRecord),
	label: ({ name, link }) => name ?? link,
};

export const splashPages = listAt('/api/splash', 'splash', {
	fields: { id: 'integer', name: 'string', date: 'string' },
});

export const testLinkManagementKey = credentialTest(
	linkManagement,
	new LinkManagementApi(),
	() => '/api/account',
	'data',
);
