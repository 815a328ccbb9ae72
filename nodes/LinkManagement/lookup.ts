import { unexpectedShape } from '../shared/http/envelope';
import { ServiceError } from '../shared/http/errors';
import { readId, type Json } from '../shared/http/json';
import { readRows, type ListPage } from '../shared/http/pages';
import { processMap } from '../shared/http/processMap';
import type { ApiRequest } from '../shared/http/request';
import { shorten } from '../shared/http/text';
import type { Call, FindByName } from '../shared/node/call';
import { pageReader, type Collection } from '../shared/node/collection';
import type { Operation, OperationOption } from '../shared/node/operation';
import { sameText } from '../shared/node/texts';
import { campaigns, channels, domains, pixels } from './api';

// Finds records by name or ID in lists, since the API can't return most kinds of records one by one.

/** A kind of record that the API can only list, so the node looks up single records in the list. */
export interface Kind {
	collection: Collection;
	/** As in paths such as `/api/campaign/add`, and in messages. The plural adds an "s". */
	noun: string;
	/** What users know a record by, for messages, e.g. "name". */
	calledBy: string;
	/** What a record is found by. Also takes the same fields as entered by a user. */
	keyOf(record: Json): string;
}

const byName = { calledBy: 'name', keyOf: ({ name }: Json) => sameText(name) };

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
	const given = sameText(value);
	const url = /^https?:\/\//i.test(given) ? given : `https://${given}`;
	if (!URL.canParse(url)) return given;
	return new URL(url).href.replace(/^https?:\/\//, '').replace(/\/+$/, '');
}

/**
 * Numbers of the latest writes by all runs in this process, oldest first. They tell a run that its list is
 * out of date, so that it doesn't create a record that another run has just created.
 */
const latestWrites = processMap<number>();
let writeCount = 0;

/** The number of the last write to a record; 0 if none is known. */
export function latestWriteOf(name: string): number {
	return latestWrites.get(name) ?? 0;
}

/** Notes that a run has written a record, and returns the number of the write. */
export function noteWrite(name: string): number {
	latestWrites.set(name, ++writeCount);
	return writeCount;
}

/** A list's records by key and ID, because searching thousands of records for each item would take long. */
interface Records {
	byKey: Map<string, Json[]>;
	byId: Map<string, Json>;
	/** How many records the list has shown. */
	shown: number;
	last: ListPage | undefined;
}

interface ReadList {
	records: Promise<Records>;
	/** The last write before the reading began. The list may not show later ones. */
	lastWrite: number;
}

/** Reads a list once per run and account, and again if it has to show a later write. */
async function recordsOf(call: Call, kind: Kind, write = 0): Promise<Records> {
	const { path } = kind.collection;
	const lists = await call.memo('lists', () => new Map<string, ReadList>());
	let list = lists.get(path);
	if (!list || list.lastWrite < write) {
		list = { lastWrite: writeCount, records: readAll(call, kind) };
		lists.set(path, list);
	}
	return await list.records;
}

async function readAll(call: Call, kind: Kind): Promise<Records> {
	const { collection, keyOf } = kind;
	const send = async (request: ApiRequest) => await call.send({ ...request, fresh: true });
	const { rows, last } = await readRows(pageReader({ send }, collection), { isThorough: true });
	const records: Records = { byKey: new Map(), byId: new Map(), shown: rows.length, last };
	for (const row of rows) {
		const key = keyOf(row);
		const alike = records.byKey.get(key);
		if (alike) alike.push(row);
		else records.byKey.set(key, [row]);
		const id = readId(row.id);
		if (id !== undefined && !records.byId.has(id)) records.byId.set(id, row);
	}
	return records;
}

/**
 * A record that isn't on a list's pages may exist if the list counts more. If rows came twice or pages came
 * empty, its pages can't be relied on; otherwise, the count may include what the service doesn't show.
 *
 * @throws ServiceError if it isn't known whether the record exists
 */
function checkMissing({ shown, last }: Records, { noun }: Kind, call: Call): void {
	if (!last || (!last.missing && !last.repeated)) return;
	const counted = last.missing ? `${shown + last.missing}` : 'more';
	const counts = `The service counts ${counted} ${noun}s, but its pages only show ${shown}`;
	if (last.moved || last.repeated) {
		throw new ServiceError(`The list of ${noun}s is incomplete`, {
			description: `${counts}, so the ${noun} may exist. Nothing was created or changed. Try again later.`,
			kind: 'unconfirmed',
		});
	}
	call.run.notice(`${counts}. Any ${noun} that they don't show would be created again.`, 'warning');
}

const LONGEST_IDS = 80;

/**
 * Finds the record with a key; undefined if there isn't one.
 *
 * @param name what the user knows the record by, for the error
 * @param write the list has to show this write
 * @throws ServiceError if several records match
 */
export async function findByKey(
	call: Call,
	kind: Kind,
	key: string,
	name: string,
	write?: number,
): Promise<Json | undefined> {
	const { noun, calledBy } = kind;
	const records = await recordsOf(call, kind, write);
	const rows = records.byKey.get(key) ?? [];
	if (rows.length === 0) checkMissing(records, kind, call);
	// A list can have the same record twice.
	const found = [...new Map(rows.map((row) => [readId(row.id) ?? row, row])).values()];
	if (found.length < 2) return found[0];
	const ids = shorten(found.map(({ id }) => String(id)).join(', '), LONGEST_IDS);
	throw new ServiceError(`${found.length} ${noun}s have the ${calledBy} "${name}": IDs ${ids}`, {
		description: `Select one by its ID, or give each ${noun} a unique ${calledBy}.`,
	});
}

/** The record that an ID or a name selects. @throws ServiceError if there isn't exactly one */
async function findSelected(
	call: Call,
	kind: Kind,
	value: string,
	isNamed: boolean,
): Promise<Json> {
	const { noun, calledBy, keyOf } = kind;
	const found = isNamed
		? await findByKey(call, kind, keyOf({ name: value, domain: value }), value)
		: (await recordsOf(call, kind)).byId.get(value);
	if (found) return found;
	const what = isNamed ? `${calledBy} "${value}"` : `ID ${value}`;
	const advice = isNamed
		? {
				description: "Check that it's spelled exactly as in the service.",
				inEditor: `To create the ${noun} if it doesn't exist, use Create or Update.`,
			}
		: { description: 'Check the ID. It may belong to a different account.' };
	throw new ServiceError(`No ${noun} has the ${what}`, { ...advice, kind: 'notFound' });
}

/** Finds the ID for a record that is selected "By Name". */
export function idByName(kind: Kind): FindByName {
	return async (call, name) => requireId(await findSelected(call, kind, name, true));
}

/**
 * The record's ID, in the form that paths need.
 *
 * @throws ServiceError if the service returned the record without an ID
 */
export function requireId(record: Json): string {
	const id = readId(record.id);
	if (id !== undefined && /^\d+$/.test(id)) return id;
	throw unexpectedShape('a record with an ID', record);
}

/** The operation Get, for records that have no endpoint of their own. Looks the record up in the list. */
export function getFromList(kind: Kind, called: string): OperationOption {
	const { path, record } = kind.collection;
	const operation: Operation = {
		endpoints: [{ method: 'GET', path }],
		fields: record?.fields,
		prepare(call) {
			const { value = '', find: isNamed } = call.inputs.path[`${kind.noun}Id`] ?? {};
			// Items that find the same record must not share the object.
			const find = async () => await findSelected(call, kind, value, !!isNamed);
			return { run: async () => ({ records: [structuredClone(await find())] }) };
		},
	};
	return {
		name: 'Get',
		value: 'get',
		action: `Get ${called}`,
		description: `Get a ${called} by its ID or ${kind.calledBy}`,
		routing: { operation },
	};
}
