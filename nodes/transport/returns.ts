import type { Returns } from './endpoint';
import { describeShape, isJson, readPage, without } from './envelope';
import type { Json } from './envelope';
import { collectRows } from './paging';
import { InputProblem, ServiceProblem } from './problems';
import { required, wholeNumber } from './rules';

/** Cleans up one record; the default leaves it as it came. */
export type Tidy = (record: Json) => Json;

const asItCame: Tidy = (record) => record;

export interface ListSettings {
	/** Rows per page to ask for, where the service documents a maximum. */
	pageSize?: number;
}

/**
 * One item per row of a list, following "Return All" and "Limit".
 *
 * @param keys names under which the rows may stand, the documented one first
 */
export function list(
	keys: readonly [string, ...string[]],
	tidy: Tidy = asItCame,
	{ pageSize }: ListSettings = {},
): Returns {
	return async (request, call) => {
		const rows = await collectRows(
			async (page, limit) => {
				const query = { ...request.query, limit, page };
				const body = await call.send({ ...request, query });
				const read = readPage(body, keys);
				if (!read) throw unexpected(`a list under "${keys[0]}"`, body);
				return read;
			},
			{ rows: wantedRows(call.parameter('returnAll', false), call.parameter('limit', 50)), pageSize },
		);
		return rows.map(tidy);
	};
}

function wantedRows(returnAll: unknown, limit: unknown): number {
	if (returnAll === true || returnAll === 'true') return Infinity;
	return required<number>(wholeNumber(1), limit, 'Limit');
}

/** Finds the record in a body; undefined when it is not there. */
export type Pick = (body: Json) => Json | undefined;

const fromData: Pick = (body) => (isJson(body.data) ? body.data : undefined);

/** The one record that a GET answers. */
export function record(pick: Pick = fromData, tidy: Tidy = asItCame): Returns {
	return async (request, call) => {
		const body = await call.send(request);
		const found = isJson(body) ? pick(body) : undefined;
		if (!found) throw unexpected('a record', body);
		return [tidy(found)];
	};
}

/** A new record: its id and what the service returned, without the envelope. */
export function created(tidy: Tidy = asItCame): Returns {
	return async (request, call) => {
		const body = await call.send({ ...request, body: call.inputs.body });
		return [tidy(withoutEnvelope(body))];
	};
}

/** A changed record: the id it was addressed by and what the service returned. */
export function updated(tidy: Tidy = asItCame): Returns {
	return async (request, call) => {
		const { body, path } = call.inputs;
		if (Object.keys(body).length === 0) {
			throw new InputProblem(
				'There is nothing to update',
				'Add at least one of the optional fields and fill it in.',
			);
		}
		const answer = await call.send({ ...request, body });
		const [id] = Object.values(path);
		return [tidy({ ...(id === undefined ? {} : { id: Number(id) }), ...withoutEnvelope(answer) })];
	};
}

/** The confirmation that a record is gone. */
export const deleted: Returns = async (request, call) => {
	withoutEnvelope(await call.send(request));
	const [id] = Object.values(call.inputs.path);
	return [{ deleted: true, id: Number(id) }];
};

/** A record was put into another: both ids, as the path names them, and the service's message. */
export const assigned: Returns = async (request, call) => {
	const answer = withoutEnvelope(await call.send(request));
	const ids = Object.entries(call.inputs.path).map(([name, value]) => [
		name,
		/^\d+$/.test(value) ? Number(value) : value,
	]);
	return [{ ...Object.fromEntries(ids), ...answer }];
};

/**
 * What a write answered, without `error`. Where neither that nor anything the document promises
 * is there, it was no answer of this API.
 */
export function withoutEnvelope(body: unknown): Json {
	if (!isJson(body) || !['error', 'id', 'message'].some((key) => key in body)) {
		throw unexpected('a confirmation with "error", "id" or "message"', body);
	}
	return without(body, 'error');
}

export function unexpected(expected: string, came: unknown): ServiceProblem {
	return new ServiceProblem('The answer of the service has an unexpected shape', {
		description: `Expected ${expected}, but ${describeShape(came)} came.`,
		failure: { cause: 'node-defect' },
	});
}
