import { requirePage, unexpectedShape } from '../shared/http/envelope';
import { ServiceError } from '../shared/http/errors';
import { readId, without } from '../shared/http/json';
import type { Json } from '../shared/http/json';
import { readRows } from '../shared/http/pages';
import { processMap } from '../shared/http/processMap';
import type { ApiRequest } from '../shared/http/request';
import { shorten } from '../shared/http/text';
import { tidyRecord } from '../shared/node/collection';
import type { Collection } from '../shared/node/collection';
import type {
	FindByName,
	Inputs,
	Operation,
	OperationCall,
	OperationRouting,
} from '../shared/node/operation';
import { withoutEnvelope } from '../shared/node/outputs';
import { normalText } from '../shared/node/texts';
import { flag } from '../shared/node/validators';
import { campaigns, channels, domains, pixels } from './api';

/** A kind of record that the API can only list, so the node looks up single records in the list. */
export interface Kind {
	collection: Collection;
	/** For messages, e.g. "campaign". The plural adds an "s". */
	noun: string;
	/** What users know a record by, for messages, e.g. "name". */
	calledBy: string;
	/** What a record is found by. Also takes the same fields as entered by a user. */
	keyOf(record: Json): string;
}

const byName = { calledBy: 'name', keyOf: ({ name }: Json) => normalText(name) };

export const campaignKind: Kind = { collection: campaigns, noun: 'campaign', ...byName };

export const channelKind: Kind = { collection: channels, noun: 'channel', ...byName };

export const pixelKind: Kind = { collection: pixels, noun: 'pixel', ...byName };

export const domainKind: Kind = {
	collection: domains,
	noun: 'domain',
	calledBy: 'address',
	keyOf: ({ domain }) => normalAddress(domain),
};

/** A domain is the same one with http:// and https://, in capitals, and with slashes at its end. */
function normalAddress(value: unknown): string {
	const given = normalText(value);
	const url = /^https?:\/\//i.test(given) ? given : `https://${given}`;
	if (!URL.canParse(url)) return given;
	return new URL(url).href.replace(/^https?:\/\//, '').replace(/\/+$/, '');
}

/** A list that a run reads. */
interface ReadList {
	records: Promise<Json[]>;
	/** The last write before the reading began. The list may not show later ones. */
	lastWrite: number;
}

/** Reads a list once per run and account, and again if it has to show a later write. */
async function recordsOf(call: OperationCall, { collection }: Kind, write = 0): Promise<Json[]> {
	const lists = await call.memo('lists', () => new Map<string, ReadList>());
	let list = lists.get(collection.path);
	if (!list || list.lastWrite < write) {
		list = { lastWrite: writeCount, records: readAll(call, collection) };
		lists.set(collection.path, list);
	}
	return await list.records;
}

/**
 * If rows move to other pages while the list is read, a record can slip past and would be created again.
 * So if a counter falls, or a row comes on two pages, the list is read once more.
 */
async function readAll(call: OperationCall, list: Collection, again = false): Promise<Json[]> {
	const { path, keys, pageSize, record } = list;
	const fetchPage = async (page: number, limit?: number) => {
		const request: ApiRequest = { method: 'GET', path, query: { limit, page } };
		return requirePage(await call.send(request, { fresh: true }), keys);
	};
	const { rows, last } = await readRows(fetchPage, { pageSize });
	if (last?.moved && !again) return await readAll(call, list, true);
	return rows.map((row) => tidyRecord(record, row));
}

/** Longest list of IDs in an error. */
const LONGEST_IDS = 80;

/**
 * Finds the record with a key; undefined if there isn't one.
 *
 * @param name what the user knows the record by, for the error
 * @param write the list has to show this write
 * @throws ServiceError if several records match
 */
async function findByKey(
	call: OperationCall,
	kind: Kind,
	key: string,
	name: string,
	write?: number,
): Promise<Json | undefined> {
	const { noun, calledBy, keyOf } = kind;
	const rows = (await recordsOf(call, kind, write)).filter((row) => keyOf(row) === key);
	// A list can have the same record twice.
	const found = [...new Map(rows.map((row) => [readId(row.id) ?? row, row])).values()];
	if (found.length < 2) return found[0];
	const ids = shorten(found.map(({ id }) => String(id)).join(', '), LONGEST_IDS);
	throw new ServiceError(`${found.length} ${noun}s have the ${calledBy} "${name}": IDs ${ids}`, {
		description: `Select one by its ID, or give each ${noun} a unique ${calledBy}.`,
	});
}

async function findById(call: OperationCall, kind: Kind, id: string): Promise<Json> {
	const found = (await recordsOf(call, kind)).find((record) => readId(record.id) === id);
	if (found) return found;
	throw new ServiceError(`No ${kind.noun} has the ID ${id}`, {
		description: `Select the ${kind.noun} from the list, or check the ID. It may belong to a different account.`,
		httpCode: '404',
	});
}

async function findNamed(call: OperationCall, kind: Kind, name: string): Promise<Json> {
	const found = await findByKey(call, kind, kind.keyOf({ name, domain: name }), name);
	if (found) return found;
	throw new ServiceError(`No ${kind.noun} has the ${kind.calledBy} "${name}"`, {
		description: `Check that it's spelled exactly as in the service. To create the ${kind.noun} if it doesn't exist, use Create or Update.`,
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
	const operation: Operation = {
		endpoints: [{ method: 'GET', path }],
		fields: record?.fields,
		prepare(call) {
			const { [parameter]: named } = call.inputs.named;
			const { [parameter]: id = '' } = call.inputs.path;
			const find = async () =>
				await (named ? findNamed(call, kind, named.name) : findById(call, kind, id));
			// Items that find the same record must not share the object.
			return { run: async () => [structuredClone(await find())] };
		},
	};
	return { operation };
}

interface Upsert {
	kind: Kind;
	/** The fields that identify a record, so an update can't change them. */
	identifying: string[];
	createPath: string;
	/** Has the placeholder `:id`. */
	updatePath: string;
	/** Identifying fields that the API nevertheless requires in every update. */
	sentWithUpdates?: string[];
}

/** A record as a run has written it, and the number of the write. */
interface Written {
	record: Json;
	write: number;
}

/**
 * Numbers of the latest writes by all runs in this process, oldest first. They tell a run that its list is
 * out of date, so that it doesn't create a record that another run has just created.
 */
const latestWrites = processMap<number>({ most: 10_000 });
let writeCount = 0;

function noteWrite(name: string): number {
	latestWrites.set(name, ++writeCount);
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
	const { path, record: schema } = kind.collection;
	const operation: Operation = {
		endpoints: [
			{ method: 'GET', path },
			{ method: 'POST', path: createPath },
			{ method: 'PUT', path: updatePath },
		],
		fields: { ...schema?.fields, created: 'boolean' },
		prepare(call) {
			const key = kind.keyOf(call.inputs.body);
			const write = async () => {
				const record = await createOrUpdate(upsert, call, key);
				const created = call.notes.has(CREATED);
				// Right after the ID and the name, where a table shows it without scrolling.
				return [tidyRecord(undefined, { created, ...without(record, 'created') })];
			};
			// Nothing is awaited before, so items take their turns in order.
			return { run: async () => await call.run.inTurn(`${path} ${key}`, write) };
		},
	};
	return { operation };
}

async function createOrUpdate(upsert: Upsert, call: OperationCall, key: string): Promise<Json> {
	const { kind, identifying, createPath } = upsert;
	const { identity } = (await call.connection()).account;
	const name = `${identity} ${kind.collection.path} ${key}`;
	const given = identifying.map((field) => call.inputs.body[field]).join(', ');
	const written = await call.memo('written', () => new Map<string, Written>());
	const own = written.get(name);
	const latest = latestWrites.get(name) ?? 0;
	// A service may not return the ID of a new record, so it's in the list.
	const isCurrent = own && own.write >= latest && own.record.id !== undefined;
	const known = isCurrent
		? own.record
		: ((await findByKey(call, kind, key, given, latest)) ?? own?.record);
	// A new record has nothing to clear.
	const filled = Object.entries(call.inputs.body).filter(([, value]) => value !== '');
	const request: ApiRequest | undefined = known
		? updateOf(upsert, call.inputs, known)
		: { method: 'POST', path: createPath, body: Object.fromEntries(filled) };
	if (!request) return known as Json;
	// If "Retry On Fail" repeats the item, an update is sent again even if it succeeded: another item may have
	// updated the record since, and the item that comes last has to win.
	const sending = call.send(request, { fresh: known !== undefined });
	const response = await sending.catch((error: unknown) => {
		// It may have been carried out, or the record may be gone, so the next item for it has to read the list.
		written.delete(name);
		noteWrite(name);
		if (!known && !isRejection(error)) call.notes.set(CREATED, true);
		throw error;
	});
	if (!known) call.notes.set(CREATED, true);
	const answer = without(withoutEnvelope(response), 'message');
	const returned = tidyRecord(kind.collection.record, answer);
	// First the fields that the service shows, so that a new record's columns are those of an updated one.
	const record: Json = {
		...{ ...known, ...returned },
		...request.body,
		...returned,
		...(known && { id: known.id }),
	};
	written.set(name, { record, write: noteWrite(name) });
	if (kind.keyOf(record) !== key) {
		call.run.notice(
			`The service changed the ${kind.calledBy} "${given}" when it stored the ${kind.noun}. The next run won't recognize it and will create a duplicate. To prevent that, change your data to the value that the service stored.`,
			'warning',
		);
	}
	return record;
}

/** The update that a record needs; undefined if it shows all given values already. */
function updateOf(
	{ identifying, sentWithUpdates = [], updatePath: path }: Upsert,
	{ body: given }: Inputs,
	known: Json,
): ApiRequest | undefined {
	const wanted = without(given, ...identifying);
	// A field that the list doesn't show, such as a campaign's slug, can have any value.
	const isShown = ([name, value]: [string, unknown]) => {
		if (typeof value === 'boolean') return flag(known[name]) === value;
		return name in known && formOf(known[name]) === formOf(value);
	};
	if (Object.entries(wanted).every(isShown)) return undefined;
	// Sent as the user wrote them, because the list may have HTML entities such as &amp;.
	const needed = Object.fromEntries(sentWithUpdates.map((name) => [name, given[name]]));
	return { method: 'PUT', path, values: { id: requireId(known) }, body: { ...needed, ...wanted } };
}

/** A value in one of the ways in which it can be written. */
function formOf(value: unknown): unknown {
	const text = normalText(value);
	if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase();
	return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).href : text;
}

/** Whether the service has told us that it didn't carry out the request. */
function isRejection(error: unknown): boolean {
	return error instanceof ServiceError && !error.failure && Number(error.httpCode) < 500;
}
