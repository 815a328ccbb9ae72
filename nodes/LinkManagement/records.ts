import { isJson, readRecord, without } from '../shared/http/envelope';
import type { FindRecord } from '../shared/node/outputs';
import type { RecordSchema } from '../shared/node/records';

/** The records of the service (docs/services.md, "Link Management: records"). */

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

export const domainRecord: RecordSchema = {
	fields: { id: 'integer', domain: 'string', redirectroot: 'string', redirect404: 'string' },
};

export const overlayRecord: RecordSchema = {
	fields: { id: 'integer', type: 'string', name: 'string', date: 'string' },
};

/**
 * Its name is always under `name`: create, update and some list entries return it under `domain`.
 * `rotator` is a URL, or false when the campaign has none.
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

export const splashRecord: RecordSchema = {
	fields: { id: 'integer', name: 'string', date: 'string' },
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

export const pixelRecord: RecordSchema = {
	fields: { id: 'integer', type: 'string', name: 'string', tag: 'string', date: 'string' },
};

/** Older installations return the name of a single QR code as `title`. */
export const qrCodeRecord: RecordSchema = {
	fields: { id: 'integer', link: 'string', scans: 'integer', name: 'string', date: 'string' },
	tidy: (record) =>
		record.title === undefined ? record : { ...record, name: record.name ?? record.title },
};

/**
 * The single QR code. The API's documentation does not show where it is; some installations send it in
 * `details`, with statistics in `data`.
 */
export const pickQrCode: FindRecord = (body) => {
	const { data, details } = body;
	if (isJson(details)) return { ...details, ...(isJson(data) ? { statistics: data } : {}) };
	return readRecord(body, ['data', 'qr', 'code']);
};

/** The response of a create that only returns the ID. */
export const newRecord: RecordSchema = { fields: { id: 'integer' } };

/** The response of an update that only returns a message. */
export const changedRecord: RecordSchema = { fields: { id: 'integer', message: 'string' } };

/** The same for the account, whose path has no ID. */
export const changedAccount: RecordSchema = { fields: { message: 'string' } };
