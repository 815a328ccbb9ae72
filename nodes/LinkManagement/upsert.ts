import { without } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import { ServiceError } from '../shared/http/errors';
import { composed } from '../shared/node/endpoint';
import type { OperationCall, OperationRouting } from '../shared/node/operation';
import { withoutEnvelope, withoutEmpty } from '../shared/node/outputs';
import { idAndNameFirst } from '../shared/node/recordSchema';
import { findByKey, forgetIndex, idOf } from './lookup';
import type { KeysOf, Kind } from './lookup';
import { inTurn } from './turns';

export interface Upsert {
	kind: Kind;
	/** What identifies a record, in the record as in what the item gives. Default: what the kind has. */
	keysOf?: KeysOf;
	/** Continues "3 campaigns have", e.g. `the name "Spring sale"`. */
	describe(given: Json): string;
	/** The fields that identify a record: an update does not change them. */
	identifying: string[];
	createPath: string;
	/** With the placeholder `:id`. */
	updatePath: string;
	/** Identifying fields that an update requires all the same. */
	sentWithUpdates?: string[];
}

/** What an item knows of the record that earlier items of the run have written. */
interface Written {
	record: Json;
	/** The fields as they were sent: what the service makes of them may be written differently. */
	sent: Json;
}

const newWrites = () => new Map<string, Written>();

/**
 * Create or Update: updates the record that the given fields identify, or creates it. Items run side
 * by side, but those of one record take turns, so that it is created once. What would change nothing
 * is not sent: any number of items with the same fields costs one write.
 */
export function upserted(upsert: Upsert): OperationRouting {
	const { kind, createPath, updatePath } = upsert;
	const { path, record } = kind.collection;
	return composed(
		async (call) => {
			const key = keyOf(upsert, call.inputs.body);
			const { record: result, sent } = await inTurn(
				call,
				key,
				async () => await createOrUpdate(upsert, call, key),
			);
			return [idAndNameFirst({ ...withoutEmpty(sent), ...result })] as never;
		},
		record?.schema,
		[
			{ method: 'GET', path },
			{ method: 'POST', path: createPath },
			{ method: 'PUT', path: updatePath },
		],
	);
}

function keyOf({ kind, keysOf = kind.keysOf }: Upsert, given: Json): string {
	return keysOf(given)[0] ?? '';
}

async function createOrUpdate(upsert: Upsert, call: OperationCall, key: string): Promise<Written> {
	const writes = call.shared(newWrites);
	const { identity } = (await call.connection()).account;
	const writtenAs = `${identity} ${key}`;
	const known = writes.get(writtenAs) ?? (await find(upsert, call, key));
	const written = known ? await update(upsert, call, key, known) : await create(upsert, call);
	writes.set(writtenAs, written);
	return written;
}

async function find(
	upsert: Upsert,
	call: OperationCall,
	key: string,
): Promise<Written | undefined> {
	const { kind, describe, keysOf } = upsert;
	const record = await findByKey(call, kind, key, describe(call.inputs.body), keysOf);
	return record && { record, sent: {} };
}

async function create({ kind, createPath }: Upsert, call: OperationCall): Promise<Written> {
	const body = withoutEmpty(call.inputs.body);
	const creation = call
		.send({ method: 'POST', path: createPath, body })
		.then((response) => ({ record: merged(kind, body, response), sent: body }));
	await creation.catch(async (error) => {
		// It may exist now, so the next item with its name reads the list before it creates one.
		if (!wasRefused(error)) await forgetIndex(call, kind);
	});
	return await creation;
}

/** The service said that it did not carry out the request. */
function wasRefused(error: unknown): boolean {
	return error instanceof ServiceError && !error.failure && Number(error.httpCode) < 500;
}

async function update(
	upsert: Upsert,
	call: OperationCall,
	key: string,
	known: Written,
): Promise<Written> {
	const { kind, identifying, updatePath, sentWithUpdates = [] } = upsert;
	const given = call.inputs.body;
	const optional = without(given, ...identifying);
	const present: Json = { ...known.record, ...known.sent };
	const changes = Object.entries(optional).some(([name, value]) => {
		return !(name in present) || (present[name] ?? '') !== value;
	});
	if (!changes) return known;
	const id = await idOfKnown(upsert, call, key, known);
	const body = { ...pick(given, sentWithUpdates), ...optional };
	const response = await call.send({ method: 'PUT', path: updatePath, values: { id }, body });
	const record = merged(kind, { ...known.record, ...body }, response);
	return {
		record: { ...record, id: known.record.id ?? Number(id) },
		sent: { ...known.sent, ...body },
	};
}

/** A service that creates a record without telling its id still lists it. */
async function idOfKnown(
	upsert: Upsert,
	call: OperationCall,
	key: string,
	{ record }: Written,
): Promise<string> {
	if (record.id !== undefined) return idOf(record);
	await forgetIndex(call, upsert.kind);
	return idOf((await find(upsert, call, key))?.record ?? record);
}

/** The record with what the service returned, without the envelope. */
function merged({ collection }: Kind, record: Json, response: unknown): Json {
	const returned = without(withoutEnvelope(response), 'message');
	return { ...record, ...(collection.record?.tidy?.(returned) ?? returned) };
}

function pick(record: Json, fields: string[]): Json {
	return Object.fromEntries(fields.map((name) => [name, record[name]]));
}
