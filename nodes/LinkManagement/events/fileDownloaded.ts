import { InputError } from '../../shared/http/inputError';
import { counters } from '../../shared/poll/counters';
import type { TriggerEvent } from '../../shared/poll/event';
import { fileRecord, files } from '../api';
import { minimumField, minimumIn, nameContains, nameFilter } from '../panel';
import { watchedList } from './list';

export const fileDownloaded: TriggerEvent = {
	name: 'File Downloaded',
	description: 'When a file in your Link Management account is downloaded',
	output: { ...fileRecord.fields, newDownloads: 'integer', previousDownloads: 'integer' },
	fields: [nameContains, minimumField('Downloads')],
	watch(parameter) {
		const { matches, noMatch } = nameFilter(parameter);
		return counters({
			list: watchedList(files),
			field: 'downloads',
			noun: 'Downloads',
			matches,
			minimum: minimumIn(parameter, 'Downloads'),
			none: (file) =>
				file
					? new InputError(
							'None of the watched files has been downloaded yet',
							`Open the short link of one, e.g. "${String(file.name ?? file.id)}", then select Fetch Test Event again.`,
						)
					: new InputError(
							noMatch,
							'Upload a file to the service and download it, then select Fetch Test Event again.',
						),
		});
	},
};
