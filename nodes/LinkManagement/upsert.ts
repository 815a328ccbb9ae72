import { without } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import { ServiceError } from '../shared/http/errors';
import type { ApiRequest } from '../shared/http/sendRequest';
import { composed } from '../shared/node/endpoint';
import type { OperationCall, OperationRouting } from '../shared/node/operation';
import { withoutEnvelope, withoutEmpty } from '../shared/node/outputs';
import { idAndNameFirst } from '../shared/node/recordSchema';
import { emptyParameter } from '../shared/node/validators';
import { findByKey, forgetIndex, idOf } from './lookup';
import type { KeysOf, Kind } from './lookup';
import { inTurn } from './turns';

export interface Upsert {
	kind: Kind;
	/**
	 * What identifies a record, in the record and in the item's fields. Default: that of the kind.
	 */
	keysOf?: KeysOf;
	/** Continues "3 campaigns have", e.g. `the name "Spring sale"`. */
	describe(given: Json): string;
	/** The fields that identify a record: an update does not change them. */
	identifying: string[];
	createPath: string;
	/** With the placeholder `:id`. */
	updatePath: string;
	/** Identifying fields that the API requires in an update. */
	sentWithUpdates?: string[];
}

/** A record as the run knows it after the items so far. */
interface Known {
	record: Json;
	/** The fields as the run sent them: the service may return them written differently. */
	sent: Json;
}

/** The records that a run has written, by account and key. */
const newKnown = () => new Map<string, Known>();

/**
 * Create or Update: updates the record that the given fields identify, or creates it. Items run in
 * parallel, but those of the same record run one after the other, so it is created once. An update
 * that would change nothing is not sent: any number of items with the same fields costs one write.
 */
export function upserted(upsert: Upsert): OperationRouting {
	const { kind, createPath, updatePath } = upsert;
	const { path, record } = kind.collection;
	return composed(
		async (call) => {
			// Before the first await, so items are checked and queued in order.
			const key = keyOf(upsert, call.inputs.body);
			const known = await inTurn(call, key, async () => await createOrUpdate(upsert, call, key));
			return [idAndNameFirst(known.record)] as never;
		},
		record?.schema,
		[
			{ method: 'GET', path },
			{ method: 'POST', path: createPath },
			{ method: 'PUT', path: updatePath },
		],
	);
}

/** @throws InputError when a field that identifies the record is empty */
function keyOf({ kind, keysOf = kind.keysOf, identifying }: Upsert, given: Json): string {
	const missing = identifying.find((name) => given[name] === undefined);
	if (missing) throw emptyParameter(missing.charAt(0).toUpperCase() + missing.slice(1));
	return keysOf(given)[0] ?? '';
}

async function createOrUpdate(upsert: Upsert, call: OperationCall, key: string): Promise<Known> {
	const known = (await knownRecord(call, key)) ?? (await find(upsert, call, key));
	const next = known ? await update(upsert, call, key, known) : await create(upsert, call, key);
	await noteKnown(call, key, next);
	return next;
}

async function knownRecord(call: OperationCall, key: string): Promise<Known | undefined> {
	return call.shared(newKnown).get(await keyInRun(call, key));
}

async function noteKnown(call: OperationCall, key: string, known: Known | undefined) {
	const all = call.shared(newKnown);
	const name = await keyInRun(call, key);
	if (known) all.set(name, known);
	else all.delete(name);
}

async function keyInRun(call: OperationCall, key: string): Promise<string> {
	return `${(await call.connection()).account.identity} ${key}`;
}

async function find(upsert: Upsert, call: OperationCall, key: string): Promise<Known | undefined> {
	const { kind, describe, keysOf } = upsert;
	const record = await findByKey(call, kind, key, describe(call.inputs.body), keysOf);
	return record && { record, sent: {} };
}

async function create(upsert: Upsert, call: OperationCall, key: string): Promise<Known> {
	const body = withoutEmpty(call.inputs.body);
	const returned = await write(upsert, call, key, {
		method: 'POST',
		path: upsert.createPath,
		body,
	});
	return { record: { ...body, ...returned }, sent: body };
}

async function update(
	upsert: Upsert,
	call: OperationCall,
	key: string,
	known: Known,
): Promise<Known> {
	const { identifying, updatePath: path, sentWithUpdates = [] } = upsert;
	const given = call.inputs.body;
	const optional = without(given, ...identifying);
	const present: Json = { ...known.record, ...known.sent };
	const changes = Object.entries(optional).some(([name, value]) => {
		return !(name in present) || (present[name] ?? '') !== value;
	});
	if (!changes) return known;
	const id = await idOfKnown(upsert, call, key, known);
	const required = sentWithUpdates.map((name) => [name, given[name]]);
	const body: Json = { ...Object.fromEntries(required), ...optional };
	const returned = await write(upsert, call, key, { method: 'PUT', path, values: { id }, body });
	return {
		record: { ...known.record, ...body, ...returned, id: known.record.id ?? Number(id) },
		sent: { ...known.sent, ...body },
	};
}

/** A service that creates a record without returning its id still lists it. */
async function idOfKnown(
	upsert: Upsert,
	call: OperationCall,
	key: string,
	{ record }: Known,
): Promise<string> {
	if (record.id !== undefined) return idOf(record);
	await forgetIndex(call, upsert.kind);
	return idOf((await find(upsert, call, key))?.record ?? record);
}

/**
 * Sends a write and returns the fields of the record in the response. A PUT is sent again when
 * "Retry On Fail" repeats the item: otherwise, items of the same record could end in a different
 * order.
 */
async function write(
	{ kind }: Upsert,
	call: OperationCall,
	key: string,
	request: ApiRequest,
): Promise<Json> {
	const response = call
		.send(request, { fresh: request.method === 'PUT' })
		.then((body) => without(withoutEnvelope(body), 'message'));
	await response.catch(async (error) => {
		if (wasRejected(error)) return;
		// It may have been carried out, so the next item of this record reads the list first.
		await noteKnown(call, key, undefined);
		await forgetIndex(call, kind);
	});
	const returned = await response;
	return kind.collection.record?.tidy?.(returned) ?? returned;
}

/** Whether the service says that it did not carry out the request. */
function wasRejected(error: unknown): boolean {
	return error instanceof ServiceError && !error.failure && Number(error.httpCode) < 500;
}
