import { isRefused } from '../shared/http/errors';
import { without, type Json } from '../shared/http/json';
import type { ApiRequest } from '../shared/http/request';
import type { Call } from '../shared/node/call';
import { tidyRecord } from '../shared/node/collection';
import type { Operation, OperationOption } from '../shared/node/operation';
import { withoutEnvelope } from '../shared/node/outputs';
import { storedText } from '../shared/node/texts';
import { yesOrNo } from '../shared/node/values';
import { findByKey, latestWriteOf, noteWrite, requireId, type Kind } from './lookup';

// The operation Create or Update, which the API doesn't have.

/** What identifies a record, so an update can't change it. */
export interface Identity {
	fields: string[];
	/** Those of the fields that the API nevertheless requires in every update. */
	sentWithUpdates?: string[];
	/** Default: what the kind is found by elsewhere */
	by?: Pick<Kind, 'calledBy' | 'keyOf'>;
}

/** A record as a run has written it, and the number of the write. */
interface Written {
	record: Json;
	write: number;
}

/** Noted for when "Retry On Fail" repeats the item: it has created the record, or may have. */
const CREATED = 'created';
/** The same, if the service hasn't confirmed it. */
const UNCONFIRMED = 'unconfirmed';

/**
 * The operation Create or Update. Items run in parallel, but items for the same record take turns, so only
 * the first one creates it. An update that wouldn't change anything isn't sent.
 */
export function createOrUpdate(named: Kind, identity: Identity): OperationOption {
	const kind = { ...named, ...identity.by };
	const { path, record: schema } = kind.collection;
	const operation: Operation = {
		endpoints: [
			{ method: 'GET', path },
			{ method: 'POST', path: createPath(kind) },
			{ method: 'PUT', path: updatePath(kind) },
		],
		fields: { ...schema?.fields, created: 'boolean' },
		prepare(call) {
			const key = kind.keyOf(call.inputs.body);
			const run = async () => {
				const record = await write(kind, identity, call, key);
				const created = call.notes.has(CREATED);
				// Right after the ID and the name, where a table shows it without scrolling.
				const named = tidyRecord(undefined, { created, ...without(record, 'created') });
				return { records: [named] };
			};
			// Nothing is awaited before this, so items take their turns in order.
			return { run: async () => await call.run.inTurn(`${path} ${key}`, run) };
		},
	};
	return {
		name: 'Create or Update',
		value: 'upsert',
		action: `Create or update ${kind.noun}`,
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		routing: { operation },
	};
}

export const createPath = ({ noun }: Kind) => `/api/${noun}/add`;
const updatePath = ({ noun }: Kind) => `/api/${noun}/:id/update`;

async function write(kind: Kind, identity: Identity, call: Call, key: string): Promise<Json> {
	const { account } = await call.connection();
	const name = `${account.identity} ${kind.collection.path} ${key}`;
	const given = identity.fields.map((field) => call.inputs.body[field]).join(', ');
	const written = await call.memo('written', () => new Map<string, Written>());
	const own = written.get(name);
	const latest = latestWriteOf(name);
	// A service may not return the ID of a new record, so it's in the list.
	const isCurrent = own && own.write >= latest && own.record.id !== undefined;
	const known = isCurrent
		? own.record
		: ((await findByKey(call, kind, key, given, latest)) ?? own?.record);
	const writing = known ? update(kind, identity, call, known) : create(kind, call);
	const record = await writing.catch((error: unknown) => {
		// It may have been carried out, or the record may be gone, so the next item for it has to read the list.
		written.delete(name);
		noteWrite(name);
		throw error;
	});
	if (record === known) return record;
	written.set(name, { record, write: noteWrite(name) });
	if (kind.keyOf(record) !== key) {
		// One notice for all records that this happens to.
		call.run.memo('changed names', () =>
			call.run.notice(
				`The service changed the ${kind.calledBy} "${given}" when it stored the ${kind.noun}. The next run won't recognize it and will create a duplicate. To prevent that, change your data to the value that the service stored. This can concern more ${kind.noun}s.`,
				'warning',
			),
		);
	}
	return record;
}

async function create(kind: Kind, call: Call): Promise<Json> {
	// A new record has nothing to clear.
	const filled = Object.entries(call.inputs.body).filter(([, value]) => value !== '');
	const body = Object.fromEntries(filled);
	// If an earlier try may have failed, the request is sent again: the list was read after that try, and
	// doesn't have the record.
	const fresh = call.notes.has(UNCONFIRMED);
	const sending = call.send({ method: 'POST', path: createPath(kind), body, fresh });
	const response = await sending.catch((error: unknown) => {
		if (!isRefused(error)) call.notes.set(CREATED, true).set(UNCONFIRMED, true);
		throw error;
	});
	call.notes.set(CREATED, true);
	return withAnswer(kind, {}, body, response);
}

async function update(kind: Kind, identity: Identity, call: Call, known: Json): Promise<Json> {
	const request = updateOf(kind, identity, call.inputs.body, known);
	if (!request) return known;
	// If "Retry On Fail" repeats the item, the update is sent again even if it succeeded: another item may have
	// updated the record since, and the item that comes last has to win.
	const response = await call.send({ ...request, fresh: true });
	return { ...withAnswer(kind, known, request.body, response), id: known.id };
}

/**
 * The record after a write. The fields that the service shows come first, so that a new record's columns are
 * those of an updated one.
 */
function withAnswer(kind: Kind, known: Json, sent: ApiRequest['body'], response: unknown): Json {
	const answer = without(withoutEnvelope(response), 'message');
	const returned = tidyRecord(kind.collection.record, answer);
	return { ...known, ...returned, ...sent, ...returned };
}

/** The update that a record needs; undefined if it shows all given values already. */
function updateOf(
	kind: Kind,
	{ fields, sentWithUpdates = [] }: Identity,
	given: Json,
	known: Json,
): ApiRequest | undefined {
	const wanted = without(given, ...fields);
	// A field that the list doesn't show, such as a campaign's slug, can have any value.
	const isShown = ([name, value]: [string, unknown]) => {
		if (typeof value === 'boolean') return yesOrNo(known[name]) === value;
		return name in known && formOf(known[name]) === formOf(value);
	};
	if (Object.entries(wanted).every(isShown)) return undefined;
	// Sent as the user wrote them, because the list may have HTML entities such as &amp;.
	const needed = Object.fromEntries(sentWithUpdates.map((name) => [name, given[name]]));
	return {
		method: 'PUT',
		path: updatePath(kind),
		values: { id: requireId(known) },
		body: { ...needed, ...wanted },
	};
}

/** Colors and URLs can be written in several ways, e.g. #ABCDEF as #abcdef. */
function formOf(value: unknown): unknown {
	const text = storedText(value);
	if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase();
	return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).href : text;
}
