import { fileRecord } from '../../../LinkManagement/records';
import { linkManagement } from '../../../LinkManagement/service';
import { files } from '../../../LinkManagement/collections';
import { isJson, readPage } from '../../../shared/http/envelope';
import type { Page } from '../../../shared/http/envelope';
import { InputError } from '../../../shared/http/errors';
import { recordOf } from '../../../shared/node/recordSchema';
import { unexpected } from '../../../shared/node/outputs';
import type { PollClient } from '../../pollClient';
import { fileCreatedFields } from './fields';
import type { PollSettings, PreparedEvent, TriggerEvent } from '../../event';
import { decodedBy } from '../../state';
import { pollFiles } from './poll';
import type { FileList } from './poll';
import type { FileState, ListOrder } from './state';
import { deltasOf, fromDeltas } from '../../numberText';
import { idOf } from './snapshot';

export const fileCreated: TriggerEvent<FileState> = {
	value: 'fileCreated',
	name: 'File Created',
	description: 'When a file was uploaded to the Link Management account',
	service: linkManagement,
	fields: fileCreatedFields,
	state: () => decodedBy(stateIn),
	prepare,
};

function prepare({ parameter }: PollSettings): PreparedEvent<FileState> {
	const name = String(parameter('name', '') ?? '').trim();
	return {
		async poll(stored, { client, reader, emitExisting }) {
			const list = listOf(client, name);
			const { state, events } = await pollFiles(stored, list, reader, { emitExisting });
			return { state: state && { ...state, emitted: deltasOf(state.emitted).join('.') }, events };
		},
		async sample(access) {
			return await newest(listOf(access, name), name);
		},
	};
}

/** Link-management spec, "Files". */
function listOf(access: PollClient, name: string): FileList {
	return {
		async page(page, size): Promise<Page> {
			const query = { ...(name === '' ? {} : { name }), limit: size, page };
			const body = await access.send({ method: 'GET', path: files.path, query });
			const read = readPage(body, files.keys);
			if (!read) throw unexpected('a list under "list"', body);
			return { ...read, rows: read.rows.map((row) => recordOf(fileRecord, row)) };
		},
	};
}

const ORDERS: ListOrder[] = ['newestFirst', 'oldestFirst', 'none'];

/** @returns undefined when there is none, or one that cannot be read */
function stateIn(data: unknown): FileState | undefined {
	if (!isJson(data)) return undefined;
	const { mark, order, pageSize, emitted, sweptTo, end, place, sweep } = data;
	const ids = typeof emitted === 'string' ? idsIn(emitted) : undefined;
	const sound =
		areNumbers(mark, pageSize, sweptTo) &&
		ORDERS.includes(order as ListOrder) &&
		(place === undefined || (isJson(place) && areNumbers(place.newer, place.older ?? 0))) &&
		(end === undefined || (isJson(end) && areNumbers(end.position, end.id))) &&
		(sweep === undefined || isSweep(sweep));
	if (!ids || !sound) return undefined;
	return { ...data, emitted: ids } as unknown as FileState;
}

function isSweep(sweep: unknown): boolean {
	if (!isJson(sweep) || !Array.isArray(sweep.tail)) return false;
	const { tail, position, page, top, rows, trend } = sweep;
	return areNumbers(...(tail as unknown[]), position, page, top, rows) && typeof trend === 'string';
}

function areNumbers(...values: unknown[]): boolean {
	return values.every(Number.isSafeInteger);
}

function idsIn(text: string): number[] | undefined {
	return text === '' ? [] : fromDeltas(text.split('.'));
}

const SAMPLE_PAGE = 100;

/** The newest file of the first page or, where that is full, of the last. */
async function newest(list: FileList, name: string) {
	const first = await list.page(1, SAMPLE_PAGE);
	const others = first.lastPage ?? 1;
	const last = others > 1 ? await list.page(others, SAMPLE_PAGE) : first;
	const [file] = [...first.rows, ...last.rows].sort((a, b) => idOf(b) - idOf(a));
	if (file) return file;
	throw new InputError(
		name === '' ? 'There is no file yet' : `There is no file whose name contains "${name}"`,
		'Upload a file in the service, e.g. with the Link Management node, then fetch the test event again.',
	);
}
