import { isJson, without } from '../transport/envelope';
import type { Json } from '../transport/envelope';
import type { Pick } from '../transport/returns';

/**
 * A campaign, its name always under `name`: create, update and the odd list entry carry it under
 * `domain` (spec, "Campaign").
 */
export function campaignRecord(record: Json): Json {
	const { name, domain } = record;
	if (name !== undefined || domain === undefined) return record;
	return { ...without(record, 'domain'), name: domain };
}

/**
 * The single QR record, whose place the document leaves open: under `data`; under `details`, with
 * statistics in `data` beside it; or at the top level. Older installations call the name `title`.
 */
export const pickQrCode: Pick = (body) => {
	const { data, details } = body;
	if (isJson(details)) return { ...details, ...(isJson(data) ? { statistics: data } : {}) };
	if (isJson(data)) return data;
	return 'id' in body ? without(body, 'error', 'message') : undefined;
};

export function qrCodeRecord(record: Json): Json {
	return record.name === undefined && record.title !== undefined
		? { ...record, name: record.title }
		: record;
}
