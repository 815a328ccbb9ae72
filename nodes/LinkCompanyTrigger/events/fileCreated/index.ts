import { files } from '../../../LinkManagement/collections';
import { linkManagement } from '../../../LinkManagement/service';
import type { Json } from '../../../shared/http/envelope';
import { InputError } from '../../../shared/http/errors';
import type { PollSettings, PreparedEvent, TriggerEvent } from '../../event';
import type { PollClient } from '../../pollClient';
import { fileCreatedFields } from './fields';
import { pollFiles } from './poll';
import { fileStateSchema, storedFiles } from './state';
import type { FileState } from './state';

export const fileCreated: TriggerEvent<FileState> = {
	value: 'fileCreated',
	name: 'File Created',
	description: 'When a file is uploaded to the Link Management account',
	service: linkManagement,
	fields: fileCreatedFields,
	state: fileStateSchema,
	prepare,
};

function prepare({ parameter, warn }: PollSettings): PreparedEvent<FileState> {
	const name = String(parameter('name', '') ?? '').trim();
	return {
		async poll(stored, { client, reader, emitExisting }) {
			// Without the filter, so that changing it keeps the state.
			const list = { page: async (page: number) => await client.page(files, page), warn };
			const { state, events } = await pollFiles(stored, list, reader, { emitExisting });
			return { state: state && storedFiles(state), events: events.filter(withName(name)) };
		},
		async sample(client) {
			return await newestFile(client, name);
		},
	};
}

/** Whether a file's name contains a text, in upper or lower case. */
function withName(text: string): (file: Json) => boolean {
	const comparable = (value: unknown) =>
		String(value ?? '')
			.normalize()
			.toLowerCase();
	return ({ name }) => comparable(name).includes(comparable(text));
}

/** The newest file of the first page or of the last, as far as the service finds it by its name. */
async function newestFile(client: PollClient, name: string): Promise<Json> {
	const query = name === '' ? undefined : { name };
	const first = await client.page(files, 1, query);
	const lastPage = first.lastPage ?? 1;
	const last = lastPage > 1 ? await client.page(files, lastPage, query) : undefined;
	const [file] = [...first.rows, ...(last?.rows ?? [])]
		.filter(withName(name))
		.sort((a, b) => Number(b.id) - Number(a.id));
	if (file) return file;
	throw new InputError(
		name === '' ? 'There is no file yet' : `There is no file whose name contains "${name}"`,
		'Upload a file in the service, e.g. with the Link Management node, then fetch the test event again.',
	);
}
