import { z } from 'zod';

import { isJson, without } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import { field } from '../shared/node/recordSchema';
import type { RecordSchema } from '../shared/node/recordSchema';
import type { FindRecord } from '../shared/node/outputs';

/** The records of the service (docs/services.md, "Link Management: records"). */

export const accountRecord: RecordSchema = {
	name: 'an account',
	schema: () =>
		z.object({
			id: field.id(),
			email: field.text(),
			username: field.text(),
			avatar: field.text(),
			status: field.text(),
			expires: field.text(),
			registered: field.text(),
		}),
};

export const domainRecord: RecordSchema = {
	name: 'a branded domain',
	schema: () =>
		z.object({
			id: field.id(),
			domain: field.text(),
			redirectroot: field.text(),
			redirect404: field.text(),
		}),
};

export const overlayRecord: RecordSchema = {
	name: 'a CTA overlay',
	schema: () =>
		z.object({ id: field.id(), type: field.text(), name: field.text(), date: field.text() }),
};

/**
 * Its name is always under `name`: create, update and some list entries return it under `domain`.
 * `rotator` is a URL, or false when the campaign has none.
 */
export const campaignRecord: RecordSchema = {
	name: 'a campaign',
	schema: () =>
		z.object({
			id: field.id(),
			name: field.text(),
			public: field.flag(),
			rotator: z.union([z.string(), z.literal(false)]).nullish(),
			list: field.text(),
		}),
	tidy: (record) => {
		const { name, domain } = record;
		if (name !== undefined || domain === undefined) return record;
		return { ...without(record, 'domain'), name: domain };
	},
};

export const channelRecord: RecordSchema = {
	name: 'a channel',
	schema: () =>
		z.object({
			id: field.id(),
			name: field.text(),
			description: field.text(),
			color: field.text(),
			starred: field.flag(),
		}),
};

export const channelItemRecord: RecordSchema = {
	name: 'a channel item',
	schema: () =>
		z.object({
			type: field.text(),
			id: field.id(),
			title: field.text(),
			preview: field.text(),
			link: field.text(),
			date: field.text(),
		}),
};

export const splashRecord: RecordSchema = {
	name: 'a splash page',
	schema: () => z.object({ id: field.id(), name: field.text(), date: field.text() }),
};

export const fileRecord: RecordSchema = {
	name: 'a file',
	schema: () =>
		z.object({
			id: field.id(),
			name: field.text(),
			downloads: field.whole(),
			shorturl: field.text(),
			date: field.text(),
		}),
};

export const pixelRecord: RecordSchema = {
	name: 'a pixel',
	schema: () =>
		z.object({
			id: field.id(),
			type: field.text(),
			name: field.text(),
			tag: field.text(),
			date: field.text(),
		}),
};

/** Older installations return the name of a single QR code as `title`. */
export const qrCodeRecord: RecordSchema = {
	name: 'a QR code',
	schema: () =>
		z.object({
			id: field.id(),
			link: field.text(),
			scans: field.whole(),
			name: field.text(),
			date: field.text(),
		}),
	tidy: (record) =>
		record.name === undefined && record.title !== undefined
			? { ...record, name: record.title }
			: record,
};

/**
 * The single QR code. The API's documentation does not show where it is: in `data`; in `details`, with
 * statistics in `data`; or at the top level.
 */
export const pickQrCode: FindRecord = (body: Json) => {
	const { data, details } = body;
	if (isJson(details)) return { ...details, ...(isJson(data) ? { statistics: data } : {}) };
	if (isJson(data)) return data;
	return 'id' in body ? without(body, 'error', 'message') : undefined;
};

/** The response of a create that returns the id alone. */
export const newRecord: RecordSchema = {
	name: 'a new record',
	schema: () => z.object({ id: field.id() }),
};

/** The response of an update that returns a message alone. */
export const changedRecord: RecordSchema = {
	name: 'a changed record',
	schema: () => z.object({ id: field.id(), message: field.text() }),
};

/** The same for the account, whose path has no id. */
export const changedAccount: RecordSchema = {
	name: 'a changed account',
	schema: () => z.object({ message: field.text() }),
};
