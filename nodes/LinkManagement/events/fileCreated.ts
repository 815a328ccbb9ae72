import { InputError } from '../../shared/http/errors';
import type { TriggerEvent } from '../../shared/poll/event';
import { newRows } from '../../shared/poll/newRows';
import { fileRecord, files } from '../api';
import { nameContains, nameFilter } from '../panel';
import { watchedList } from './list';

export const fileCreated: TriggerEvent = {
	value: 'fileCreated',
	name: 'File Created',
	description: 'When a file is uploaded to the Link Management account',
	output: fileRecord.fields,
	fields: [nameContains],
	watch(parameter) {
		const { text, matches } = nameFilter(parameter);
		return newRows({
			// Without the filter, so that changing it keeps the state.
			list: () => watchedList(files),
			samples: () => watchedList(files, { query: text === '' ? {} : { name: text } }),
			event: (file) => (matches(file) ? file : undefined),
			none: new InputError(
				text === '' ? 'There is no file yet' : `There is no file whose name contains "${text}"`,
				'Upload a file in the service, e.g. with the Link Management node, then fetch the test event again.',
			),
		});
	},
};
