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
import type { ApiRequest } from '../shared/http/sendRequest';
import { withoutEnvelope, withoutEmpty } from '../shared/node/outputs';
import { emptyParameter, meansTheSame } from '../shared/node/validators';

/** The keys of a record, or of the fields that a user entered. */
export type KeysOf = (record: Json) => string[];

/** A kind of record that the API can only list: the node finds single records in the list. */
export interface Kind {
	collection: Collection;
	/** In messages, e.g. "campaign". The plural adds an "s". */
	noun: string;
	/** What identifies a record for users, e.g. "name", and the keys to find it by. */
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
	keysOf: ({ domain }) => {
		const address = normalAddress(domain);
		return [address, address.replace(/^https?:/, '')];
	},
};

/** Host in lower case and no slash at the end. Without a scheme it starts with `//`. */
function normalAddress(value: unknown): string {
	const given = normalText(value);
	const hasScheme = /^https?:\/\//i.test(given);
	const url = hasScheme ? given : `https://${given}`;
	if (given === '' || !URL.canParse(url)) return given;
	const { href } = new URL(url);
	return (hasScheme ? href : href.replace(/^https:/, '')).replace(/\/+$/, '');
}

/** A list as it was read, by the keys of its records. */
type Index = Map<string, Json[]>;

/** A list of the service, indexed when a record is first looked for. */
interface ReadList {
	records: Json[];
	indexes: Map<KeysOf, Index>;
	/** The number of the last write that certainly came before it was read. */
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

/** The lists that a run has read from an account, by path. */
const newLists = () => new Map<string, Promise<ReadList>>();

/** The list of a kind, read once per run. */
async function readList(call: OperationCall, { collection }: Kind): Promise<ReadList> {
	const lists = await call.remembered(newLists);
	let list = call.reuses ? lists.get(collection.path) : undefined;
	if (!list) {
		list = readAll(call, collection);
		lists.set(collection.path, list);
	}
	return await list;
}

/** The next item that needs the list reads it again. */
async function forgetList(call: OperationCall, { collection }: Kind): Promise<void> {
	(await call.remembered(newLists)).delete(collection.path);
}

async function readAll(call: OperationCall, collection: Collection): Promise<ReadList> {
	const { path, keys, pageSize, record } = collection;
	const lastWrite = writeCount;
	const { rows } = await readRows(
		async (page, limit) => {
			const query = { limit, page };
			// The run caches the list, so a second read has to go to the service.
			return requirePage(await call.send({ method: 'GET', path, query }, { fresh: true }), keys);
		},
		{ pageSize },
	);
	return { records: rows.map((row) => tidyRecord(record, row)), indexes: new Map(), lastWrite };
}

/** Maximum number of IDs in an error. */
const NAMED_IDS = 10;

/**
 * The only record with a key, or undefined.
 *
 * @param what continues the error's sentence, e.g. `the name "Spring sale"`
 * @throws ServiceError when several records match
 */
async function findByKey(
	call: OperationCall,
	kind: Kind,
	key: string,
	what: string,
	keysOf = kind.keysOf,
): Promise<Json | undefined> {
	const rows = recordsWith(await readList(call, kind), keysOf, key);
	// A list can show a record twice.
	const found = [...new Map(rows.map((row) => [readId(row.id) ?? row, row])).values()];
	if (found.length < 2) return found[0];
	const ids = found.slice(0, NAMED_IDS).map(({ id }) => String(id));
	const named = ids.join(', ') + (found.length > NAMED_IDS ? ', …' : '');
	const records = `${found.length} ${kind.noun}s`;
	throw new ServiceError(`${records} have ${what}: IDs ${named}`, {
		description: `Select one of them by its ID, or give each ${kind.noun} a unique ${kind.calledBy}.`,
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
		description: `Check that it's spelled exactly as in the service. To create a ${noun} that doesn't exist yet, use Create or Update.`,
		httpCode: '404',
	});
}

/** For a record locator with the mode "By Name". */
export function idByName(kind: Kind): FindByName {
	return async (call, name) => requireId(await findNamed(call, kind, name));
}

/**
 * The ID in the form that paths need.
 *
 * @throws ServiceError when the service lists a record without one
 */
function requireId(record: Json): string {
	const id = readId(record.id);
	if (id !== undefined && /^\d+$/.test(id)) return id;
	throw unexpectedShape('a record with an ID', record);
}

/**
 * The operation Get of a kind without an endpoint for a single record: finds it in the list.
 *
 * @param parameter the record locator
 */
export function findInList(kind: Kind, parameter: string): OperationRouting {
	const { path, record } = kind.collection;
	return composeOperation(
		async (call) => {
			const { [parameter]: named } = call.inputs.named;
			const { [parameter]: id = '' } = call.inputs.path;
			const found = named ? findNamed(call, kind, named.name) : findById(call, kind, id);
			// Items that find the same record must not share the object.
			return [deepCopy(await found)] as never;
		},
		record?.fields,
		[{ method: 'GET', path }],
	);
}

interface Upsert {
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

/** What is known about a record. */
interface Known {
	record: Json;
	/** The fields as they were sent: the service may return something else. */
	sent: Json;
}

/** A write of Create or Update. */
interface Written {
	/** Later writes have higher numbers. */
	number: number;
	/** The record after the write; undefined if it isn't certain what the write did. */
	known?: Known;
}

/** The last write to each record, by list and key. */
type Writes = Map<string, Written>;

/** Those of a run to the records of an account. */
const newWrites = (): Writes => new Map();

/**
 * The latest of all runs in this process, by account as well, the oldest first: a list that a run read
 * before another run created a record doesn't show it.
 */
const latestWrites: Writes = new Map();
const KEPT_WRITES = 10_000;
let writeCount = 0;

/** Noted for later attempts: this item has created the record, or may have. */
const CREATED = 'created';

/**
 * Create or Update: updates the record that the given fields identify, or creates it. Items run in
 * parallel, but those of the same record run one after the other, so it is created once. An update
 * that would change nothing is not sent: any number of items with the same fields costs one write.
 */
export function createOrUpdateRecord(upsert: Upsert): OperationRouting {
	const { kind, createPath, updatePath } = upsert;
	const { path, record } = kind.collection;
	return composeOperation(
		async (call) => {
			// Before the first await, so that items are queued in order.
			const key = requireKey(upsert, call.inputs.body);
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
		({ inputs }) => requireKey(upsert, inputs.body),
	);
}

/** @throws InputError when a field that identifies the record is empty */
function requireKey({ kind, keysOf = kind.keysOf, identifying }: Upsert, given: Json): string {
	const missing = identifying.find((name) => given[name] === undefined);
	if (missing) throw emptyParameter(missing.charAt(0).toUpperCase() + missing.slice(1));
	return keysOf(given)[0] ?? '';
}

async function createOrUpdate(upsert: Upsert, call: OperationCall, key: string): Promise<Known> {
	const { kind } = upsert;
	const name = `${kind.collection.path} ${key}`;
	const known = (await fromLastWrite(call, kind, name)) ?? (await find(upsert, call, key));
	const writing = known ? update(upsert, call, key, known) : create(upsert, call, key);
	const next = await writing.catch(async (error: unknown) => {
		if (!wasRejected(error)) {
			// The write may have been carried out, so the next item of this record reads the list.
			await noteWrite(call, name);
			await forgetList(call, kind);
		}
		throw error;
	});
	if (next !== known) await noteWrite(call, name, next);
	return next;
}

async function noteWrite(call: OperationCall, name: string, known?: Known): Promise<void> {
	const { identity } = (await call.connection()).account;
	const written = { number: ++writeCount, known };
	(await call.remembered(newWrites)).set(name, written);
	latestWrites.delete(`${identity} ${name}`);
	latestWrites.set(`${identity} ${name}`, written);
	const [oldest = ''] = latestWrites.keys();
	if (latestWrites.size > KEPT_WRITES) latestWrites.delete(oldest);
}

/** What is known from the last write to a record, unless the list that the run has read is newer. */
async function fromLastWrite(
	call: OperationCall,
	kind: Kind,
	name: string,
): Promise<Known | undefined> {
	const { identity } = (await call.connection()).account;
	const own = (await call.remembered(newWrites)).get(name);
	const last = latestWrites.get(`${identity} ${name}`) ?? own;
	if (!last || last === own) return own?.known;
	const { lastWrite } = await readList(call, kind);
	if (last.number <= lastWrite) return undefined;
	if (!last.known) await forgetList(call, kind);
	return last.known;
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
			`The service changed ${describe(body)} when it stored the ${kind.noun}. The next run won't recognize it and will create a duplicate. Change your data to the value the service stored.`,
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
	// As the user wrote them: the list may show them as HTML, e.g. with &amp;.
	const required = sentWithUpdates.map((name) => [name, given[name]]);
	const body: Json = { ...Object.fromEntries(required), ...wanted };
	const id = requireId(record);
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
	return tidyRecord(kind.collection.record, without(withoutEnvelope(body), 'message'));
}

/** Whether the service says that it did not carry out the request. */
function wasRejected(error: unknown): boolean {
	return error instanceof ServiceError && !error.failure && Number(error.httpCode) < 500;
}

/** Documented fields first, in their order, wherever the record came from. */
function inOrder({ kind }: Upsert, record: Json, created: boolean): Json {
	const documented = Object.keys(kind.collection.record?.fields ?? {});
	const columns = documented.filter((name) => name in record).map((name) => [name, record[name]]);
	const others = without(record, ...documented, 'created');
	// Right after the name, where it's visible without scrolling.
	const place = columns.findIndex(([name]) => name === 'name') + 1 || 2;
	return Object.fromEntries([
		...columns.slice(0, place),
		['created', created],
		...columns.slice(place),
		...Object.entries(others),
	]) as Json;
}
