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
		const { matches, noMatch } = nameFilter(parameter);
		return newRows({
			// Without the service's filter, so that changing it keeps the state.
			list: watchedList(files),
			event: (file) => (matches(file) ? file : undefined),
			none: new InputError(
				noMatch,
				'Upload a file to the service, e.g. with the Link Management node, then select Fetch Test Event again.',
			),
		});
	},
};
