import { qrCodeRecord } from '../../../LinkManagement/records';
import { linkManagement } from '../../../LinkManagement/service';
import { qrCodes } from '../../../LinkManagement/collections';
import { isJson, readPage } from '../../../shared/http/envelope';
import type { Json, Page } from '../../../shared/http/envelope';
import { PAGE_SIZE } from '../../../shared/http/pagination';
import { InputError } from '../../../shared/http/errors';
import { recordOf } from '../../../shared/node/recordSchema';
import { unexpected } from '../../../shared/node/outputs';
import { positiveId, required, wholeNumber } from '../../../shared/node/validators';
import type { PollClient } from '../../pollClient';
import { searchQrCodes } from '../../../LinkManagement/listSearch';
import { qrCodeScannedFields } from './fields';
import type { PollSettings, PreparedEvent, TriggerEvent } from '../../event';
import { decodedBy } from '../../state';
import { decodeCodes, encodeCodes, pollQrCodes } from './poll';
import type { QrList, QrState } from './poll';

export const qrCodeScanned: TriggerEvent<QrState> = {
	value: 'qrCodeScanned',
	name: 'QR Code Scanned',
	description: 'When a QR code of the Link Management account was scanned',
	service: linkManagement,
	fields: qrCodeScannedFields,
	listSearch: { searchQrCodes },
	state: () => decodedBy(stateIn),
	prepare,
};

function prepare({ parameter }: PollSettings): PreparedEvent<QrState> {
	const chosen = chosenIn(parameter);
	const wanted = parameter<unknown>('minimumScans', 1);
	const minimum = required<number>(wholeNumber(1), wanted, 'Minimum New Scans');
	return {
		async poll(stored, { client, reader, emitExisting }) {
			const options = { emitExisting, chosen, minimum };
			const outcome = await pollQrCodes(stored, listOf(client), reader, options);
			const { state, events } = outcome;
			return { state: { ...state, codes: encodeCodes(state.codes) }, events };
		},
		async sample(access) {
			return await mostScanned(listOf(access), chosen);
		},
	};
}

function chosenIn(parameter: PollSettings['parameter']): ReadonlySet<number> | undefined {
	if (parameter<string>('qrCodes', 'all') !== 'chosen') return undefined;
	const { code = [] } = parameter<{ code?: Array<{ qrCodeId?: unknown }> }>('chosenQrCodes', {});
	const ids = code.map(({ qrCodeId }) => (isJson(qrCodeId) ? qrCodeId.value : qrCodeId));
	if (ids.length === 0) {
		throw new InputError('No QR code is chosen', 'Add the codes to watch, or set QR Codes to All.');
	}
	return new Set(ids.map((id) => Number(required<string>(positiveId, id, 'QR Code'))));
}

/** Link-management spec, "QR codes". */
function listOf(access: PollClient): QrList {
	return {
		async page(page, size): Promise<Page> {
			const query = { limit: size, page };
			const body = await access.send({ method: 'GET', path: qrCodes.path, query });
			const read = readPage(body, qrCodes.keys);
			if (!read) throw unexpected('a list under "qrs"', body);
			return { ...read, rows: read.rows.map((row) => recordOf(qrCodeRecord, row)) };
		},
	};
}

/** @returns undefined when there is none, or one that cannot be read */
function stateIn(data: unknown): QrState | undefined {
	if (!isJson(data) || typeof data.codes !== 'string') return undefined;
	const codes = decodeCodes(data.codes);
	const { beginning, nextPage, disturbed } = data;
	const flags = typeof beginning === 'boolean' && typeof disturbed === 'boolean';
	if (!codes || !flags || !Number.isSafeInteger(nextPage)) return undefined;
	return { ...data, codes } as unknown as QrState;
}

/** The code of the first page that was scanned most, as if its last scan were new. */
async function mostScanned(list: QrList, chosen: ReadonlySet<number> | undefined): Promise<Json> {
	const { rows } = await list.page(1, PAGE_SIZE);
	const wanted = rows.filter(({ id }) => !chosen || chosen.has(Number(id)));
	const [code] = wanted.sort((a, b) => Number(b.scans) - Number(a.scans));
	const scans = Number(code?.scans ?? 0);
	if (code && scans > 0) return { ...code, scans, previousScans: scans - 1, newScans: 1 };
	throw new InputError(
		code ? 'No QR code has been scanned yet' : 'There is no QR code yet',
		code
			? `Scan one, e.g. "${String(code.name ?? code.id)}", then fetch the test event again.`
			: 'Create a QR code in the service and scan it, then fetch the test event again.',
	);
}
