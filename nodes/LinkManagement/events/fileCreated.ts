import { InputError } from '../../shared/http/inputError';
import type { TriggerEvent } from '../../shared/poll/event';
import { newRows } from '../../shared/poll/newRows';
import { fileRecord, files } from '../api';
import { nameContains, nameFilter } from '../panel';
import { watchedList } from './list';

export const fileCreated: TriggerEvent = {
	name: 'File Created',
	description: 'When a file is uploaded to your Link Management account',
	output: fileRecord.fields,
	fields: [nameContains],
	watch(parameter) {
		const { text, matches } = nameFilter(parameter);
		return newRows({
			// Without the service's filter, so that changing it keeps the state.
			list: watchedList(files),
			event: (file) => (matches(file) ? file : undefined),
			none: new InputError(
				text === '' ? 'There are no files yet' : `No file has a name that contains "${text}"`,
				'Upload a file to the service, e.g. with the Link Management node, then select Fetch Test Event again.',
			),
		});
	},
};
