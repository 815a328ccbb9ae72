import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/http/inputError';
import { isJson, type Json } from '../../shared/http/json';
import { oneOf } from '../../shared/node/validators';
import { counters } from '../../shared/poll/counters';
import type { Parameter, TriggerEvent } from '../../shared/poll/event';
import { qrCodeRecord, qrCodes } from '../api';
import { minimumField, minimumIn, watchedId, watchedRecord } from '../panel';
import { watchedList } from './list';

const which: INodeProperties = {
	displayName: 'QR Codes',
	name: 'qrCodes',
	type: 'options',
	default: 'all',
	options: [
		{ name: 'All', value: 'all', description: 'Every QR code in your account' },
		{ name: 'Selected', value: 'chosen', description: 'Only the QR codes you select' },
	],
	description: 'Which QR codes to watch',
};

const selected: INodeProperties = {
	displayName: 'QR Codes to Watch',
	name: 'chosenQrCodes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add QR code',
	default: {},
	displayOptions: { show: { qrCodes: ['chosen'] } },
	options: [
		{
			displayName: 'QR Code',
			name: 'code',
			values: [watchedRecord({ displayName: 'QR Code', name: 'qrCodeId' }, 'searchQrCodes')],
		},
	],
};

export const qrCodeScanned: TriggerEvent = {
	name: 'QR Code Scanned',
	description: 'When a QR code in your Link Management account is scanned',
	output: { ...qrCodeRecord.fields, newScans: 'integer', previousScans: 'integer' },
	fields: [which, selected, minimumField('Scans')],
	watch(parameter) {
		const only = selectedIn(parameter);
		return counters({
			list: watchedList(qrCodes),
			field: 'scans',
			noun: 'Scans',
			only,
			minimum: minimumIn(parameter, 'Scans'),
			none: noneScanned,
		});
	},
};

function noneScanned(code: Json | undefined, missing: readonly string[]): InputError {
	if (missing.length > 0) {
		return new InputError(
			`These selected QR codes don't exist: ${missing.join(', ')}`,
			'Remove them from "QR Codes to Watch", or select other codes.',
		);
	}
	return code
		? new InputError(
				'None of the watched QR codes has been scanned yet',
				`Scan one, e.g. "${String(code.name ?? code.id)}", then select Fetch Test Event again.`,
			)
		: new InputError(
				'There are no QR codes yet',
				'Create a QR code in the service and scan it, then select Fetch Test Event again.',
			);
}

/** The selected codes by ID, with what the user calls them. */
function selectedIn(parameter: Parameter): ReadonlyMap<string, string> | undefined {
	const choice = oneOf(['all', 'chosen'])(parameter('qrCodes', 'all'), 'QR Codes');
	if (choice === 'all') return undefined;
	const { code = [] } = parameter<{ code?: Array<{ qrCodeId?: unknown }> }>('chosenQrCodes', {});
	if (code.length === 0) {
		throw new InputError(
			'No QR codes are selected',
			'Add the codes to watch, or set "QR Codes" to All.',
		);
	}
	return new Map(code.map(({ qrCodeId }) => namedCode(qrCodeId)));
}

function namedCode(locator: unknown): [id: string, name: string] {
	const id = watchedId(locator, 'QR Code');
	const { cachedResultName } = isJson(locator) ? locator : {};
	return [
		id,
		typeof cachedResultName === 'string' ? `"${cachedResultName}" (ID ${id})` : `ID ${id}`,
	];
}
