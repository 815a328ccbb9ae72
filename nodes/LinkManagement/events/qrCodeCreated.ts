import { InputError } from '../../shared/http/inputError';
import type { TriggerEvent } from '../../shared/poll/event';
import { newRows } from '../../shared/poll/newRows';
import { qrCodeRecord, qrCodes } from '../api';
import { watchedList } from './list';

export const qrCodeCreated: TriggerEvent = {
	name: 'QR Code Created',
	description: 'When a QR code is created in your Link Management account',
	output: qrCodeRecord.fields,
	fields: [],
	watch: () =>
		newRows({
			list: watchedList(qrCodes),
			event: (code) => code,
			none: new InputError(
				'There are no QR codes yet',
				'Create a QR code in the service, then select Fetch Test Event again.',
			),
		}),
};
