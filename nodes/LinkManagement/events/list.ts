import { isJson, requirePage } from '../../shared/http/envelope';
import type { Json, Page } from '../../shared/http/envelope';
import { ServiceError } from '../../shared/http/errors';
import { isAboutLimit, PAGE_SIZE } from '../../shared/http/pages';
import { tidyRecord } from '../../shared/node/records';
import type { Collection } from '../../shared/node/records';
import { idOf } from '../../shared/poll/keys';
import type { WatchedList } from '../../shared/poll/lap';
import type { Session } from '../../shared/poll/session';
import { pickQrCode, qrCodeRecord } from '../api';

/**
 * How a trigger reads a list of the API. All pages have the same size, because a service may order rows
 * with equal sort keys differently if the size varies.
 *
 * @param values for the placeholders in the path
 */
export function watchedList(
	{ path, keys, record }: Pick<Collection, 'path' | 'keys' | 'record'>,
	{ values, ...more }: Partial<WatchedList> & { values?: Record<string, string> } = {},
): WatchedList {
	let size: number | undefined = PAGE_SIZE;
	let sizeIsKnown = false;
	return {
		key: idOf,
		async page({ send }, number) {
			const fetchPage = async (limit: number | undefined) => {
				const query = { ...(limit ? { limit } : {}), page: number };
				return requirePage(await send({ method: 'GET', path, values, query }), keys);
			};
			const read = sizeIsKnown
				? { page: await fetchPage(size), size }
				: await readFirstPage(fetchPage, size);
			({ size } = read);
			sizeIsKnown = true;
			const { page } = read;
			return { ...page, rows: page.rows.map((row) => tidyRecord(record, row)) };
		},
		...more,
	};
}

/** Errors that don't show whether the code exists. After any other error, look for it in the list. */
const CANNOT_TELL = new Set([
	'credential-invalid',
	'rate-limited',
	'quota-exhausted',
	'temporarily-unavailable',
]);

/**
 * Reads one QR code with its scans, which the API's documentation doesn't show for a single one.
 *
 * @returns undefined if the service doesn't show it
 */
export async function readQrCode({ send }: Session, id: string): Promise<Json | undefined> {
	const path = '/api/qr/:qrCodeId';
	const response = send({ method: 'GET', path, values: { qrCodeId: id } });
	const body = await response.catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw error;
		if (CANNOT_TELL.has(error.failure?.cause ?? '')) throw error;
	});
	const code = isJson(body) ? pickQrCode(body) : undefined;
	if (!code || code.scans === undefined || (idOf(code) ?? id) !== id) return undefined;
	return tidyRecord(qrCodeRecord, { id: Number(id), ...code });
}

/**
 * Reads the first page of a list. If the service rejects the page size, reads it again without
 * `limit`. The remaining pages have to be read with the `size` that's returned.
 */
async function readFirstPage(
	fetchPage: (size: number | undefined) => Promise<Page>,
	size: number | undefined,
): Promise<{ page: Page; size: number | undefined }> {
	let usedSize = size;
	const page = await fetchPage(size).catch(async (error: unknown) => {
		if (size === undefined || !isAboutLimit(error)) throw error;
		usedSize = undefined;
		return await fetchPage(undefined);
	});
	return { page, size: usedSize };
}
