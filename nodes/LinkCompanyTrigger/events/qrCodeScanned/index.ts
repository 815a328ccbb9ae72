import { qrCodes } from '../../../LinkManagement/collections';
import { searchQrCodes } from '../../../LinkManagement/listSearch';
import { linkManagement } from '../../../LinkManagement/service';
import { isJson } from '../../../shared/http/envelope';
import type { Json, Page } from '../../../shared/http/envelope';
import { InputError } from '../../../shared/http/errors';
import { positiveId, required, wholeNumber } from '../../../shared/node/validators';
import type { PollSettings, PreparedEvent, TriggerEvent } from '../../event';
import { newPass, notePage, pageAfter } from '../../listPass';
import type { PollClient } from '../../pollClient';
import { qrCodeScannedFields } from './fields';
import { pollQrCodes } from './poll';
import { qrStateSchema, storedCodes } from './state';
import type { QrState } from './state';

export const qrCodeScanned: TriggerEvent<QrState> = {
	value: 'qrCodeScanned',
	name: 'QR Code Scanned',
	description: 'When a QR code of the Link Management account is scanned',
	service: linkManagement,
	fields: qrCodeScannedFields,
	listSearch: { searchQrCodes },
	state: qrStateSchema,
	prepare,
};

function prepare({ parameter }: PollSettings): PreparedEvent<QrState> {
	const chosen = chosenIn(parameter);
	const wanted = parameter<unknown>('minimumScans', 1);
	const minimum = required<number>(wholeNumber(1), wanted, 'Minimum New Scans');
	return {
		async poll(stored, { client, reader, emitExisting }) {
			const options = { emitExisting, chosen, minimum };
			const list = { page: async (page: number) => await client.page(qrCodes, page) };
			const { state, events } = await pollQrCodes(stored, list, reader, options);
			return { state: state && storedCodes(state), events };
		},
		async sample(client) {
			return await mostScanned(client, chosen);
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

/** The code that was scanned most, as if its last scan were new: of the first page, or of those chosen. */
async function mostScanned(client: PollClient, chosen?: ReadonlySet<number>): Promise<Json> {
	const found = new Map<number, Json>();
	const pass = newPass(1);
	for (let next: number | undefined = 1; next !== undefined;) {
		pass.page = next;
		const page: Page = await client.page(qrCodes, next);
		notePage(pass, page);
		for (const row of page.rows) {
			if (!chosen || chosen.has(Number(row.id))) found.set(Number(row.id), row);
		}
		const enough = chosen ? found.size === chosen.size : true;
		next = enough ? undefined : pageAfter(pass, page);
	}
	const [code] = [...found.values()].sort((a, b) => Number(b.scans) - Number(a.scans));
	const scans = Number(code?.scans ?? 0);
	if (code && scans > 0) return { ...code, scans, previousScans: scans - 1, newScans: 1 };
	throw noScans(code, chosen !== undefined);
}

function noScans(code: Json | undefined, chosen: boolean): InputError {
	if (code) {
		return new InputError(
			'No QR code has been scanned yet',
			`Scan one, e.g. "${String(code.name ?? code.id)}", then fetch the test event again.`,
		);
	}
	return new InputError(
		chosen ? 'None of the chosen QR codes exists' : 'There is no QR code yet',
		chosen
			? 'Select other QR codes, or set QR Codes to All.'
			: 'Create a QR code in the service and scan it, then fetch the test event again.',
	);
}
