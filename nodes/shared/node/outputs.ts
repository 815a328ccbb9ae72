import { z } from 'zod';

import { isJson, requirePage, unexpectedShape, without } from '../http/envelope';
import type { Json, Page } from '../http/envelope';
import { InputError } from '../http/errors';
import { collectRows } from '../http/pagination';
import type { Collection } from './collection';
import type { Output } from './endpoint';
import type { OperationCall } from './operation';
import { field, idAndNameFirst, recordOf } from './recordSchema';
import type { RecordSchema, Schema } from './recordSchema';
import { required, wholeNumber } from './validators';

const LIST_CHANGED =
	'The list changed while it was read, so its pages were read again. Records that were added or deleted in the meantime may or may not be included.';

/** One record per row of a list, following "Return All", "Limit" and "Start at Page". */
export function list({
	keys,
	record,
	pageSize,
}: Pick<Collection, 'keys' | 'record' | 'pageSize'>): Output {
	return {
		schema: record?.schema,
		async run(request, call) {
			const skipped = firstPage(call) - 1;
			const rows = await collectRows(
				async (page, limit, fresh) => {
					const query = { ...request.query, limit, page: page + skipped };
					const body = await call.send({ ...request, query }, { fresh });
					return withoutPages(requirePage(body, keys), skipped);
				},
				{ rows: rowsWanted(call), pageSize, onShift: () => call.hint(LIST_CHANGED) },
			);
			return record ? rows.map((row) => recordOf(record, row)) : rows;
		},
	};
}

/** Number of records that "Return All" and "Limit" request; Infinity for all. */
export function rowsWanted(call: OperationCall): number {
	const returnAll = call.parameter<unknown>('returnAll', false);
	if (returnAll === true || returnAll === 'true') return Infinity;
	return required<number>(wholeNumber(1), call.parameter('limit', 50), 'Limit');
}

function firstPage(call: OperationCall): number {
	const { startAtPage = 1 } = call.parameter<{ startAtPage?: unknown }>('options', {});
	return required<number>(wholeNumber(1), startAtPage, 'Start at Page');
}

/** The counters of a page as if the list began after the first `skipped` pages. */
export function withoutPages(page: Page, skipped: number): Page {
	const { currentPage, nextPage, lastPage, perPage, total } = page;
	if (skipped === 0) return page;
	return {
		...page,
		currentPage: currentPage && currentPage - skipped,
		nextPage: nextPage ? nextPage - skipped : nextPage,
		lastPage: lastPage && Math.max(0, lastPage - skipped),
		total: total && perPage && Math.max(0, total - skipped * perPage),
	};
}

/** Finds the record in a body; undefined when it is not there. */
export type FindRecord = (body: Json) => Json | undefined;

const fromData: FindRecord = (body) => (isJson(body.data) ? body.data : undefined);

/** The one record that a GET returns. */
export function record(recordSchema: RecordSchema, pick: FindRecord = fromData): Output {
	return {
		schema: recordSchema.schema,
		async run(request, call) {
			const body = await call.send(request);
			const found = isJson(body) ? pick(body) : undefined;
			if (!found) throw unexpectedShape('a record', body);
			return [recordOf(recordSchema, found)];
		},
	};
}

/**
 * A new record: its id and what the service returned, without the envelope. The record exists
 * already, so any confirmation is accepted: after an error, the user would create it again.
 */
export function created({ schema, tidy = unchanged }: RecordSchema): Output {
	return {
		schema,
		async run(request, call) {
			const body = withoutEmpty(call.inputs.body);
			const response = await call.send({ ...request, body });
			return [idAndNameFirst(tidy(withoutEnvelope(response)))];
		},
	};
}

/** A changed record: the id it was addressed by and what the service returned. */
export function updated({ schema, tidy = unchanged }: RecordSchema): Output {
	return {
		schema,
		async run(request, call) {
			const { body, path } = call.inputs;
			if (Object.keys(body).length === 0) {
				throw new InputError(
					'There is nothing to update',
					'Add at least one field and enter a value.',
				);
			}
			const confirmation = withoutEnvelope(await call.send({ ...request, body }));
			const [id] = Object.values(path);
			return [idAndNameFirst(tidy({ ...(id && { id: Number(id) }), ...confirmation }))];
		},
	};
}

/** A new record has nothing that an empty text could clear. */
export function withoutEmpty(body: Json): Json {
	return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
}

const unchanged = (record: Json) => record;

/** The confirmation that a record is gone. */
export const deleted: Output = {
	schema: () => z.object({ deleted: z.boolean(), id: field.id() }),
	async run(request, call) {
		withoutEnvelope(await call.send(request));
		const [id] = Object.values(call.inputs.path);
		return [{ deleted: true, id: Number(id) }];
	},
};

/** A record was added to another: what the path names, and the service's message. */
export function assigned(schema: Schema): Output {
	return {
		schema,
		async run(request, call) {
			const confirmation = withoutEnvelope(await call.send(request));
			const named = Object.entries(call.inputs.path).map(([name, value]) => [
				name,
				/^\d+$/.test(value) ? Number(value) : value,
			]);
			return [{ ...Object.fromEntries(named), ...confirmation }];
		},
	};
}

/**
 * The response to a write, without `error`.
 *
 * @throws ServiceError when it has nothing that the API documents for a write
 */
export function withoutEnvelope(body: unknown): Json {
	if (!isJson(body) || !['error', 'id', 'message'].some((key) => key in body)) {
		throw unexpectedShape('a confirmation with "error", "message" or an ID', body);
	}
	return without(body, 'error');
}

export { unexpectedShape as unexpected };
