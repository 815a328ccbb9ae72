import { z } from 'zod';

import type { Collection } from './collection';
import { withSchema } from './endpoint';
import type { Output } from './endpoint';
import { isJson, requirePage, unexpectedShape, without } from '../http/envelope';
import type { Json } from '../http/envelope';
import { collectRows } from '../http/pagination';
import { InputError } from '../http/errors';
import { field, recordOf } from './recordSchema';
import type { RecordSchema, Schema } from './recordSchema';
import { required, wholeNumber } from './validators';

/** One item per row of a list, following "Return All" and "Limit". */
export function list({
	keys,
	record,
	pageSize,
}: Pick<Collection, 'keys' | 'record' | 'pageSize'>): Output {
	return withSchema(record?.schema, async (request, call) => {
		const rows = await collectRows(
			async (page, limit) => {
				const query = { ...request.query, limit, page };
				const body = await call.send({ ...request, query });
				return requirePage(body, keys);
			},
			{
				rows: wantedRows(call.parameter('returnAll', false), call.parameter('limit', 50)),
				pageSize,
			},
		);
		return record ? rows.map((row) => recordOf(record, row)) : rows;
	});
}

/** Number of rows that "Return All" and "Limit" ask for; Infinity for all. */
export function wantedRows(returnAll: unknown, limit: unknown): number {
	if (returnAll === true || returnAll === 'true') return Infinity;
	return required<number>(wholeNumber(1), limit, 'Limit');
}

/** Finds the record in a body; undefined when it is not there. */
export type FindRecord = (body: Json) => Json | undefined;

const fromData: FindRecord = (body) => (isJson(body.data) ? body.data : undefined);

/** The one record that a GET answers. */
export function record(kind: RecordSchema, pick: FindRecord = fromData): Output {
	return withSchema(kind.schema, async (request, call) => {
		const body = await call.send(request);
		const found = isJson(body) ? pick(body) : undefined;
		if (!found) throw unexpectedShape('a record', body);
		return [recordOf(kind, found)];
	});
}

/**
 * A new record: its id and what the service returned, without the envelope. It exists by now, so
 * whatever the service returned is accepted: an error would make the user create it again.
 */
export function created({ schema, tidy = asItCame }: RecordSchema): Output {
	return withSchema(schema, async (request, call) => {
		const body = await call.send({ ...request, body: call.inputs.body });
		return [tidy(withoutEnvelope(body))];
	});
}

/** A changed record: the id it was addressed by and what the service returned. */
export function updated({ schema, tidy = asItCame }: RecordSchema): Output {
	return withSchema(schema, async (request, call) => {
		const { body, path } = call.inputs;
		if (Object.keys(body).length === 0) {
			throw new InputError(
				'There is nothing to update',
				'Add at least one of the optional fields and fill it in.',
			);
		}
		const answer = withoutEnvelope(await call.send({ ...request, body }));
		const [id] = Object.values(path);
		return [tidy(id === undefined ? answer : { id: Number(id), ...answer })];
	});
}

const asItCame = (came: Json) => came;

/** The confirmation that a record is gone. */
export const deleted: Output = withSchema(
	() => z.object({ deleted: z.boolean(), id: field.id() }),
	async (request, call) => {
		withoutEnvelope(await call.send(request));
		const [id] = Object.values(call.inputs.path);
		return [{ deleted: true, id: Number(id) }];
	},
);

/** A record was put into another: what the path names, and the service's message. */
export function assigned(output: Schema): Output {
	return withSchema(output, async (request, call) => {
		const answer = withoutEnvelope(await call.send(request));
		const named = Object.entries(call.inputs.path).map(([name, value]) => [
			name,
			/^\d+$/.test(value) ? Number(value) : value,
		]);
		return [{ ...Object.fromEntries(named), ...answer }];
	});
}

/**
 * What a write answered, without `error`. Where neither that nor anything the document promises
 * is there, it was no answer of this API.
 */
export function withoutEnvelope(body: unknown): Json {
	if (!isJson(body) || !['error', 'id', 'message'].some((key) => key in body)) {
		throw unexpectedShape('a confirmation with "error", "id" or "message"', body);
	}
	return without(body, 'error');
}

export { unexpectedShape as unexpected };
