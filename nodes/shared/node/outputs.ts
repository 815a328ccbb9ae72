import { readRecord, unexpectedShape } from '../http/envelope';
import { InputError } from '../http/inputError';
import { isJson, without, type Json } from '../http/json';
import { readRows, type FetchPage, type ListPage } from '../http/pages';
import type { ApiRequest } from '../http/request';
import type { Call } from './call';
import { pageReader, tidyRecord } from './collection';
import type { Collection, Fields, RecordSchema } from './collection';
import type { Output } from './operation';
import { readFlag, wholeNumber } from './validators';

/** Outputs one item per record in a list, following "Return All" and "Limit". */
export function listRecords(list: Collection): Output {
	return recordsFrom(list, (call, { values, query }) => pageReader(call, list, { values, query }));
}

/** Like {@link listRecords}, for a list whose pages need requests of their own. */
export function recordsFrom(
	{ record, pageSize }: { record?: RecordSchema; pageSize?: number },
	reader: (call: Call, request: ApiRequest) => FetchPage,
): Output {
	return {
		fields: record?.fields,
		prepare(call) {
			const wanted = rowsWanted(call);
			return async (request) => {
				const reading = { rows: wanted, pageSize };
				const { rows, last } = await readRows(reader(call, request), reading);
				const records = rows.slice(0, wanted);
				const isCut = rows.length > wanted || last?.next !== undefined;
				if (!isCut) noteMissing(call, rows.length, last);
				const cut = isCut ? { total: last?.page.total } : last?.page.hidden;
				return { records, cut };
			};
		},
	};
}

/** Shows a notice if a list that was read to its end counts more than its pages show, or shows a page again. */
export function noteMissing(call: Call, shown: number, last: ListPage | undefined): void {
	if (!last || last.page.hidden) return;
	const { missing, repeated } = last;
	if (missing === 0 || (!missing && !repeated)) return;
	const why = missing
		? `counts ${shown + missing} records, but its pages only show ${shown}`
		: `returned the same page again after ${shown} records`;
	call.run.notice(`The service ${why}. Some may be missing.`, 'warning');
}

/** The number of records that "Return All" and "Limit" ask for; Infinity for all. */
function rowsWanted(call: Call): number {
	if (readFlag(call.parameter('returnAll', false), 'Return All')) return Infinity;
	return wholeNumber(1)(call.parameter('limit', 50), 'Limit');
}

export type FindRecord = (body: Json) => Json | undefined;

/** The record in `data`, even if there are other fields next to it. */
const fromData: FindRecord = (body) => {
	const { data } = body;
	return isJson(data) && data.id !== undefined ? data : readRecord(body, ['data']);
};

export function getRecord(schema: RecordSchema, pick: FindRecord = fromData): Output {
	return {
		fields: schema.fields,
		prepare: (call) => async (request) => {
			const body = await call.send(request);
			const found = isJson(body) ? (pick(body) ?? {}) : {};
			// A single value could be the status of another API.
			const values = Object.values(found).filter((value) => typeof value !== 'object');
			if (found.id === undefined && values.length < 2) throw unexpectedShape('a record', body);
			return { records: [tidyRecord(schema, found)] };
		},
	};
}

/**
 * Outputs what a write returns. It has been carried out at this point, so any confirmation is accepted:
 * an error would make the user repeat it.
 *
 * @param recordOf takes the IDs in the path by their names there, as numbers if a number can hold them
 * @param hasBody whether the request has a body, which may be empty
 */
function confirmed(
	fields: Fields,
	recordOf: (confirmation: Json, ids: Json) => Json,
	hasBody = false,
): Output {
	return {
		fields,
		prepare: (call) => async (request) => {
			const { body } = call.inputs;
			const response = await call.send(hasBody ? { ...request, body } : request);
			const ids = Object.entries(request.values ?? {}).map(([name, id]) => {
				return [name, Number.isSafeInteger(Number(id)) ? Number(id) : id];
			});
			const record = recordOf(withoutEnvelope(response), Object.fromEntries(ids) as Json);
			return { records: [record] };
		},
	};
}

export function createRecord(schema: RecordSchema): Output {
	return confirmed(schema.fields, (confirmation) => tidyRecord(schema, confirmation), true);
}

export function updateRecord(schema: RecordSchema): Output {
	const recordOf = (confirmation: Json, ids: Json) => {
		const [id] = Object.values(ids);
		return tidyRecord(schema, { ...confirmation, ...(id !== undefined && { id }) });
	};
	const { fields, prepare } = confirmed(schema.fields, recordOf, true);
	return {
		fields,
		prepare(call) {
			if (Object.keys(call.inputs.body).length > 0) return prepare(call);
			throw new InputError(
				'There is nothing to update',
				'Add at least one field and enter a value.',
			);
		},
	};
}

/** Outputs a confirmation with the ID of the deleted record. */
export const deleteRecord = confirmed({ deleted: 'boolean', id: 'integer' }, (_, ids) => {
	const [id] = Object.values(ids);
	return { deleted: true, id };
});

/** Outputs the IDs in the path and the service's message, after one record was added to another. */
export function assignRecord(fields: Fields): Output {
	return confirmed(fields, (confirmation, ids) => ({ ...ids, ...confirmation }));
}

/** The fields of a response to a write, except those that only say that it succeeded. */
export function withoutEnvelope(body: unknown): Json {
	return isJson(body) ? without(body, 'error', 'success') : {};
}
