import { deepCopy } from 'n8n-workflow';
import { requirePage, unexpectedShape, without } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import { ServiceError } from '../shared/http/errors';
import { readRows } from '../shared/http/pages';
import { composeOperation } from '../shared/node/operation';
import type { FindByName, OperationCall, OperationRouting } from '../shared/node/operation';
import { tidyRecord } from '../shared/node/records';
import type { Collection } from '../shared/node/records';
import { readId } from '../shared/http/values';
import { normalText } from '../shared/node/texts';
import { campaigns, channels, domains, pixels } from './api';
import type { ApiRequest } from '../shared/http/request';
import { withoutEnvelope, withoutEmpty } from '../shared/node/outputs';
import { emptyParameter, meansTheSame } from '../shared/node/validators';

/** The record keys under which to find a record. Also takes the same fields as entered by a user. */
export type KeysOf = (record: Json) => string[];

/** A kind of record that the API can only list, so the node looks up single records in the list. */
export interface Kind {
	collection: Collection;
	/** For messages, e.g. "campaign". The plural adds an "s". */
	noun: string;
	/** What users know a record by, for messages, e.g. "name". */
	calledBy: string;
	keysOf: KeysOf;
}

const byName = { calledBy: 'name', keysOf: ({ name }: Json) => [normalText(name)] };

export const campaignKind: Kind = { collection: campaigns, noun: 'campaign', ...byName };

export const channelKind: Kind = { collection: channels, noun: 'channel', ...byName };

export const pixelKind: Kind = { collection: pixels, noun: 'pixel', ...byName };

export const domainKind: Kind = {
	collection: domains,
	noun: 'domain',
	calledBy: 'address',
	keysOf: ({ domain }) => [normalAddress(domain)],
};

/**
 * A domain's address without scheme and slashes at the end, and with the host in lower case: a domain is
 * the same one with http:// and https://.
 */
function normalAddress(value: unknown): string {
	const given = normalText(value);
	const url = /^https?:\/\//i.test(given) ? given : `https://${given}`;
	return URL.canParse(url)
		? new URL(url).href.replace(/^https?:\/\//, '').replace(/\/+$/, '')
		: given;
}

/** The records of a list by record key. */
type Index = Map<string, Json[]>;

/** A list that a run has read. An index is built when it's first used. */
interface ReadList {
	records: Json[];
	indexes: Map<KeysOf, Index>;
	/** The last write that was complete when reading began. The list may not show later ones. */
	lastWrite: number;
}

const byId: KeysOf = ({ id }) => [readId(id) ?? ''];

function recordsWith({ records, indexes }: ReadList, keysOf: KeysOf, key: string): Json[] {
	let index = indexes.get(keysOf);
	if (!index) {
		index = new Map();
		for (const record of records) {
			for (const each of new Set(keysOf(record))) {
				const others = index.get(each);
				if (others) others.push(record);
				else index.set(each, [record]);
			}
		}
		indexes.set(keysOf, index);
	}
	return index.get(key) ?? [];
}

/** The lists that a run has read, by path. Each account has its own. */
const newLists = () => new Map<string, Promise<ReadList>>();

/** Reads a list once per run. */
async function readList(call: OperationCall, { collection }: Kind): Promise<ReadList> {
	const lists = await call.memo('lists', newLists);
	let list = lists.get(collection.path);
	if (!list) {
		list = readAll(call, collection);
		lists.set(collection.path, list);
	}
	return await list;
}

/** Makes the next item that needs the list read it again. */
async function forgetList(call: OperationCall, { collection }: Kind): Promise<void> {
	(await call.memo('lists', newLists)).delete(collection.path);
}

async function readAll(call: OperationCall, collection: Collection): Promise<ReadList> {
	const { path, keys, pageSize, record } = collection;
	const lastWrite = writeCount;
	const { rows } = await readRows(
		async (page, limit) => {
			const query = { limit, page };
			// The list itself is kept, so if it's read again, it's to see what has changed.
			return requirePage(await call.send({ method: 'GET', path, query }, { fresh: true }), keys);
		},
		{ pageSize },
	);
	return { records: rows.map((row) => tidyRecord(record, row)), indexes: new Map(), lastWrite };
}

/** Maximum number of IDs in an error. */
const NAMED_IDS = 10;

/**
 * Finds the record with a key; undefined if there isn't one.
 *
 * @param what what the records have in common, for the error, e.g. `the name "Spring sale"`
 * @throws ServiceError if several records match
 */
async function findByKey(
	call: OperationCall,
	kind: Kind,
	key: string,
	what: string,
	keysOf = kind.keysOf,
): Promise<Json | undefined> {
	const rows = recordsWith(await readList(call, kind), keysOf, key);
	// If the list shifts while it's read, a record appears on two pages.
	const found = [...new Map(rows.map((row) => [readId(row.id) ?? row, row])).values()];
	if (found.length < 2) return found[0];
	const ids = found.slice(0, NAMED_IDS).map(({ id }) => String(id));
	const named = ids.join(', ') + (found.length > NAMED_IDS ? ', …' : '');
	const records = `${found.length} ${kind.noun}s`;
	throw new ServiceError(`${records} have ${what}: IDs ${named}`, {
		description: `Select one by its ID, or give each ${kind.noun} a unique ${kind.calledBy}.`,
	});
}

async function findById(call: OperationCall, kind: Kind, id: string): Promise<Json> {
	const [found] = recordsWith(await readList(call, kind), byId, id);
	if (found) return found;
	throw new ServiceError(`No ${kind.noun} has the ID ${id}`, {
		description: `Select the ${kind.noun} from the list, or check the ID. It may belong to a different account.`,
		httpCode: '404',
	});
}

async function findNamed(call: OperationCall, kind: Kind, name: string): Promise<Json> {
	const { noun, calledBy, keysOf } = kind;
	const [key = ''] = keysOf({ name, domain: name });
	const found = await findByKey(call, kind, key, `the ${calledBy} "${name}"`);
	if (found) return found;
	throw new ServiceError(`No ${noun} has the ${calledBy} "${name}"`, {
		description: `Check that it's spelled exactly as in the service. To create the ${noun} if it doesn't exist, use Create or Update.`,
		httpCode: '404',
	});
}

/** Finds the ID for a record that is selected "By Name". */
export function idByName(kind: Kind): FindByName {
	return async (call, name) => requireId(await findNamed(call, kind, name));
}

/**
 * The record's ID, in the form that paths need.
 *
 * @throws ServiceError if the service returned the record without an ID
 */
function requireId(record: Json): string {
	const id = readId(record.id);
	if (id !== undefined && /^\d+$/.test(id)) return id;
	throw unexpectedShape('a record with an ID', record);
}

/**
 * The operation Get, for records that have no endpoint of their own. Looks the record up in the list.
 *
 * @param parameter name of the field that selects the record
 */
export function findInList(kind: Kind, parameter: string): OperationRouting {
	const { path, record } = kind.collection;
	return composeOperation(
		async (call) => {
			const { [parameter]: named } = call.inputs.named;
			const { [parameter]: id = '' } = call.inputs.path;
			const found = named ? findNamed(call, kind, named.name) : findById(call, kind, id);
			// Items that find the same record must not share the object.
			return [deepCopy(await found)];
		},
		record?.fields,
		[{ method: 'GET', path }],
	);
}

interface Upsert {
	kind: Kind;
	/** Replaces the kind's `keysOf`, for records that Create or Update identifies differently. */
	keysOf?: KeysOf;
	/** Ends the error "3 campaigns have …", e.g. `the name "Spring sale"`. */
	describe(given: Json): string;
	/** The fields that identify a record, so an update can't change them. */
	identifying: string[];
	createPath: string;
	/** Has the placeholder `:id`. */
	updatePath: string;
	/** Identifying fields that the API nevertheless requires in every update. */
	sentWithUpdates?: string[];
}

interface Known {
	record: Json;
	/** The fields as last sent. The service may return them in a different form. */
	sent: Json;
	/** The number of the write that left the record like this; absent if it was read from the list. */
	write?: number;
}

/** The records that a run has written to an account. */
const newKnown = () => new Map<string, Known>();

/**
 * Numbers of the latest writes by all runs in this process, oldest first. They tell a run that its list is
 * out of date, so that it doesn't create a record that another run has just created.
 */
const latestWrites = new Map<string, number>();
const KEPT_WRITES = 10_000;
let writeCount = 0;

function noteWrite(name: string): number {
	latestWrites.delete(name);
	latestWrites.set(name, ++writeCount);
	const [oldest = ''] = latestWrites.keys();
	if (latestWrites.size > KEPT_WRITES) latestWrites.delete(oldest);
	return writeCount;
}

/** Noted for when "Retry On Fail" repeats the item: it has created the record, or may have. */
const CREATED = 'created';

/**
 * The operation Create or Update. Items run in parallel, but items for the same record take turns, so only
 * the first one creates it. An update that wouldn't change anything isn't sent.
 */
export function createOrUpdateRecord(upsert: Upsert): OperationRouting {
	const { kind, createPath, updatePath } = upsert;
	const { path, record } = kind.collection;
	return composeOperation(
		async (call) => {
			// Runs before the first await, so items take their turns in order.
			const key = requireKey(upsert, call.inputs.body);
			return await call.inTurn(`${path} ${key}`, async () => {
				const { record } = await createOrUpdate(upsert, call, key);
				return [inOrder(upsert, record, call.notes.has(CREATED))];
			});
		},
		{ ...record?.fields, created: 'boolean' },
		[
			{ method: 'GET', path },
			{ method: 'POST', path: createPath },
			{ method: 'PUT', path: updatePath },
		],
		({ inputs }) => requireKey(upsert, inputs.body),
	);
}

/** @throws InputError if a field that identifies the record is empty */
function requireKey({ kind, keysOf = kind.keysOf, identifying }: Upsert, given: Json): string {
	const missing = identifying.find((name) => given[name] === undefined);
	if (missing) throw emptyParameter(missing.charAt(0).toUpperCase() + missing.slice(1));
	return keysOf(given)[0] ?? '';
}

async function createOrUpdate(upsert: Upsert, call: OperationCall, key: string): Promise<Known> {
	const { kind } = upsert;
	const { identity } = (await call.connection()).account;
	const name = `${identity} ${kind.collection.path} ${key}`;
	const own = await call.memo('written', newKnown);
	const latest = latestWrites.get(name) ?? 0;
	let known = own.get(name);
	if (!known?.write || known.write < latest) {
		if (latest > (await readList(call, kind)).lastWrite) await forgetList(call, kind);
		known = await find(upsert, call, key);
	}
	const writing = known ? update(upsert, call, key, known) : create(upsert, call, key);
	const next = await writing.catch((error: unknown) => {
		// The write may have been carried out, so the next item for this record has to read the list.
		if (!wasRejected(error)) noteWrite(name);
		throw error;
	});
	if (next !== known) own.set(name, { ...next, write: noteWrite(name) });
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
		call.notice(
			`The service changed ${describe(body)} when it stored the ${kind.noun}. The next run won't recognize it and will create a duplicate. To prevent that, change your data to the value that the service stored.`,
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
	// Sent as the user wrote them, because the list may have HTML entities such as &amp;.
	const required = sentWithUpdates.map((name) => [name, given[name]]);
	const body: Json = { ...Object.fromEntries(required), ...wanted };
	const id = requireId(record);
	const returned = await write(upsert, call, { method: 'PUT', path, values: { id }, body });
	return {
		record: { ...record, ...body, ...returned, id: record.id },
		sent: { ...known.sent, ...wanted },
	};
}

/** Gets a new record's ID from the list, for services that don't return it when they create the record. */
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
 * Sends a write and returns the fields of the record in the response. If "Retry On Fail" repeats the item,
 * a PUT is sent again even if it succeeded: another item may have updated the record since, and the item
 * that comes last has to win.
 */
async function write({ kind }: Upsert, call: OperationCall, request: ApiRequest): Promise<Json> {
	const body = await call.send(request, { fresh: request.method === 'PUT' });
	return tidyRecord(kind.collection.record, without(withoutEnvelope(body), 'message'));
}

/** Whether the service has told us that it didn't carry out the request. */
function wasRejected(error: unknown): boolean {
	return error instanceof ServiceError && !error.failure && Number(error.httpCode) < 500;
}

/** Documented fields first, so that a created, an updated and a listed record have the same columns. */
function inOrder({ kind }: Upsert, record: Json, created: boolean): Json {
	const documented = Object.keys(kind.collection.record?.fields ?? {});
	const columns = documented.filter((name) => name in record).map((name) => [name, record[name]]);
	const others = without(record, ...documented, 'created');
	// Right after the name, where a table shows it without scrolling.
	const place = columns.findIndex(([name]) => name === 'name') + 1 || 2;
	return Object.fromEntries([
		...columns.slice(0, place),
		['created', created],
		...columns.slice(place),
		...Object.entries(others),
	]) as Json;
}
