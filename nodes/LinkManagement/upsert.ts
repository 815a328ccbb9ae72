import { without } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import { ServiceError } from '../shared/http/errors';
import type { ApiRequest } from '../shared/http/sendRequest';
import { composed } from '../shared/node/operation';
import type { OperationCall, OperationRouting } from '../shared/node/operation';
import { withoutEnvelope, withoutEmpty } from '../shared/node/outputs';
import { tidied } from '../shared/node/records';
import { emptyParameter, meansTheSame } from '../shared/node/validators';
import { findByKey, forgetList, requiredId } from './lookup';
import type { KeysOf, Kind } from './lookup';

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

/** A record as far as the run knows it after the items processed so far. */
interface Known {
	record: Json;
	/** The fields as the run sent them: the service may return something else. */
	sent: Json;
}

/** The records that a run has written to an account, by list and key. */
const newKnown = () => new Map<string, Known>();

/** What an item notes for its next tries: it has created the record, or may have. */
const CREATED = 'created';

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
			// Before the first await, so that items are validated and queued in order.
			const key = keyOf(upsert, call.inputs.body);
			return await call.inTurn(`${path} ${key}`, async () => {
				const { record } = await createOrUpdate(upsert, call, key);
				return [inOrder(upsert, record, call.notes.has(CREATED))] as never;
			});
		},
		{ ...record?.fields, created: 'boolean' },
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
	const all = await call.remembered(newKnown);
	const name = `${upsert.kind.collection.path} ${key}`;
	const known = all.get(name) ?? (await find(upsert, call, key));
	const writing = known ? update(upsert, call, key, known) : create(upsert, call, key);
	const next = await writing.catch(async (error: unknown) => {
		if (!wasRejected(error)) {
			// The write may have been carried out, so the next item of this record reads the list.
			all.delete(name);
			await forgetList(call, upsert.kind);
		}
		throw error;
	});
	all.set(name, next);
	return next;
}

async function find(upsert: Upsert, call: OperationCall, key: string): Promise<Known | undefined> {
	const { kind, describe, keysOf } = upsert;
	const record = await findByKey(call, kind, key, describe(call.inputs.body), keysOf);
	return record && { record, sent: {} };
}

async function create(upsert: Upsert, call: OperationCall, key: string): Promise<Known> {
	const { kind, keysOf = kind.keysOf, describe } = upsert;
	const body = withoutEmpty(call.inputs.body);
	call.notes.set(CREATED, true);
	const writing = write(upsert, call, { method: 'POST', path: upsert.createPath, body });
	const returned = await writing.catch((error: unknown) => {
		if (wasRejected(error)) call.notes.delete(CREATED);
		throw error;
	});
	const record = { ...body, ...returned };
	if (keysOf(record)[0] !== key) {
		call.hint(
			`The service changed ${describe(body)} when it stored the ${kind.noun}. The next run will not find it and will create it again. Use the value that the service stored.`,
			'warning',
		);
	}
	return { record, sent: body };
}

async function update(
	upsert: Upsert,
	call: OperationCall,
	key: string,
	known: Known,
): Promise<Known> {
	const { identifying, updatePath: path, sentWithUpdates = [] } = upsert;
	const { body: given, validators } = call.inputs;
	const present: Json = { ...known.record, ...known.sent };
	const wanted = without(given, ...identifying);
	const isPresent = ([name, value]: [string, unknown]) =>
		name in present && meansTheSame(validators[name], present[name] ?? '', value);
	if (Object.entries(wanted).every(isPresent)) return known;
	const { record } = known.record.id === undefined ? await listed(upsert, call, key, known) : known;
	// As the service has them: the item may write them differently.
	const required = sentWithUpdates.map((name) => [name, String(record[name] ?? given[name])]);
	const body: Json = { ...Object.fromEntries(required), ...wanted };
	const id = requiredId(record);
	const returned = await write(upsert, call, { method: 'PUT', path, values: { id }, body });
	return {
		record: { ...record, ...body, ...returned, id: record.id },
		sent: { ...known.sent, ...wanted },
	};
}

/** A service may create a record without returning its ID, but it lists the record. */
async function listed(
	upsert: Upsert,
	call: OperationCall,
	key: string,
	known: Known,
): Promise<Known> {
	await forgetList(call, upsert.kind);
	return (await find(upsert, call, key)) ?? known;
}

/**
 * Sends a write and returns the fields of the record in the response. A PUT is sent again when
 * "Retry On Fail" repeats the item: otherwise, items of the same record could end in a different
 * order.
 */
async function write({ kind }: Upsert, call: OperationCall, request: ApiRequest): Promise<Json> {
	const body = await call.send(request, { fresh: request.method === 'PUT' });
	return tidied(kind.collection.record, without(withoutEnvelope(body), 'message'));
}

/** Whether the service says that it did not carry out the request. */
function wasRejected(error: unknown): boolean {
	return error instanceof ServiceError && !error.failure && Number(error.httpCode) < 500;
}

/** The documented fields in their order, whether the record was listed or written just now. */
function inOrder({ kind }: Upsert, record: Json, created: boolean): Json {
	const documented = Object.keys(kind.collection.record?.fields ?? {});
	const first = documented.filter((name) => name in record).map((name) => [name, record[name]]);
	const others = without(record, ...documented, 'created');
	return { ...Object.fromEntries(first), created, ...others };
}
