import { isJson, requirePage } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import { concernsKey, isTemporary, ServiceError } from '../../shared/http/errors';
import { tidyRecord } from '../../shared/node/records';
import type { Collection } from '../../shared/node/records';
import { idOf } from '../../shared/poll/keys';
import type { Session, WatchedList } from '../../shared/poll/session';
import { pickQrCode, qrCodeRecord } from '../api';

/**
 * How a trigger reads a list of the API.
 *
 * @param values for the placeholders in the path
 */
export function watchedList(
	{ path, keys, record }: Pick<Collection, 'path' | 'keys' | 'record'>,
	{ values, ...more }: Partial<WatchedList> & { values?: Record<string, string> } = {},
): WatchedList {
	return {
		key: idOf,
		async page(session, page, limit) {
			const query = { ...(limit !== undefined && { limit }), page };
			const found = requirePage(await session.send({ method: 'GET', path, values, query }), keys);
			return { ...found, rows: found.rows.map((row) => tidyRecord(record, row)) };
		},
		...more,
	};
}

/**
 * Reads one QR code with its scans, which the API's documentation doesn't show for a single one.
 *
 * @returns undefined if the service doesn't show it, so that only the list can tell whether it exists
 */
export async function readQrCode(session: Session, id: string): Promise<Json | undefined> {
	const path = '/api/qr/:qrCodeId';
	const response = session.send({ method: 'GET', path, values: { qrCodeId: id } });
	const body = await response.catch((error: unknown) => {
		if (!(error instanceof ServiceError) || concernsKey(error) || isTemporary(error)) throw error;
	});
	const code = isJson(body) ? pickQrCode(body) : undefined;
	if (!code || code.scans === undefined || (idOf(code) ?? id) !== id) return undefined;
	return tidyRecord(qrCodeRecord, { id: Number(id), ...code });
}
