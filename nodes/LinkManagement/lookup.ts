import { deepCopy } from 'n8n-workflow';

import { requirePage, unexpectedShape } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import { ServiceError } from '../shared/http/errors';
import { collectRows } from '../shared/http/pagination';
import { composed } from '../shared/node/operation';
import type { FindByName, OperationCall, OperationRouting } from '../shared/node/operation';
import { tidied } from '../shared/node/records';
import type { Collection } from '../shared/node/records';
import { normalText } from '../shared/node/texts';
import { campaigns, channels, domains, pixels } from './collections';

/** The keys of a record, or of the same fields as a user entered them. */
export type KeysOf = (record: Json) => string[];

/** A kind of record that the API can only list: the node finds single records in the list. */
export interface Kind {
	collection: Collection;
	/** In messages, e.g. "campaign"; its plural adds an "s". */
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

/** By path, id or {@link KeysOf}. The records are indexed when they are first needed. */
interface ReadList {
	records: Json[];
	indexes: Map<KeysOf, Index>;
}

const byId: KeysOf = ({ id }) => [idText(id)];

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
export async function forgetList(call: OperationCall, { collection }: Kind): Promise<void> {
	(await call.remembered(newLists)).delete(collection.path);
}

async function readAll(call: OperationCall, collection: Collection): Promise<ReadList> {
	const { path, keys, pageSize, record } = collection;
	const rows = await collectRows(
		async (page, limit) => {
			const query = { limit, page };
			// The run keeps the list; a second reading has to be a real one.
			return requirePage(await call.send({ method: 'GET', path, query }, { fresh: true }), keys);
		},
		{ rows: Infinity, pageSize },
	);
	return { records: rows.map((row) => tidied(record, row)), indexes: new Map() };
}

/** Maximum number of IDs in an error. */
const NAMED_IDS = 10;

/**
 * The only record with a key, or undefined.
 *
 * @param what continues the error's sentence, e.g. `the name "Spring sale"`
 * @throws ServiceError when several records match
 */
export async function findByKey(
	call: OperationCall,
	kind: Kind,
	key: string,
	what: string,
	keysOf = kind.keysOf,
): Promise<Json | undefined> {
	const found = recordsWith(await readList(call, kind), keysOf, key);
	if (found.length < 2) return found[0];
	const ids = found.slice(0, NAMED_IDS).map(({ id }) => String(id));
	const named = ids.join(', ') + (found.length > NAMED_IDS ? ', …' : '');
	const records = `${found.length} ${kind.noun}s`;
	throw new ServiceError(`${records} have ${what}: IDs ${named}`, {
		description: `Select one of them by its ID, or give each ${kind.noun} a unique ${kind.calledBy}.`,
	});
}

export async function findById(call: OperationCall, kind: Kind, id: string): Promise<Json> {
	const [found] = recordsWith(await readList(call, kind), byId, id);
	if (found) return found;
	throw new ServiceError(`No ${kind.noun} has the ID ${id}`, {
		description: `Select the ${kind.noun} from the list, or check the ID. It may belong to another account.`,
		httpCode: '404',
	});
}

async function findNamed(call: OperationCall, kind: Kind, name: string): Promise<Json> {
	const { noun, calledBy, keysOf } = kind;
	const [key = ''] = keysOf({ name, domain: name });
	const found = await findByKey(call, kind, key, `the ${calledBy} "${name}"`);
	if (found) return found;
	throw new ServiceError(`No ${noun} has the ${calledBy} "${name}"`, {
		description: `Check the spelling, which is case-sensitive. Create or Update creates a ${noun} that does not exist.`,
		httpCode: '404',
	});
}

/** For a record locator with the mode "By Name". */
export function idByName(kind: Kind): FindByName {
	return async (call, name) => requiredId(await findNamed(call, kind, name));
}

/** Services write IDs as numbers or text. Empty if there is none. */
function idText(id: unknown): string {
	const number = typeof id === 'string' ? Number(id) : id;
	return Number.isSafeInteger(number) && Number(number) > 0 ? String(number) : '';
}

/**
 * The ID in the form that paths need.
 *
 * @throws ServiceError when the service lists a record without one
 */
export function requiredId(record: Json): string {
	const id = idText(record.id);
	if (id !== '') return id;
	throw unexpectedShape('a record with an ID', record);
}

/**
 * The operation Get of a kind without an endpoint for a single record: finds it in the list.
 *
 * @param parameter the record locator
 */
export function foundInList(kind: Kind, parameter: string): OperationRouting {
	const { path, record } = kind.collection;
	return composed(
		async (call) => {
			const { [parameter]: named } = call.inputs.named;
			const { [parameter]: id = '' } = call.inputs.path;
			const found = named ? findNamed(call, kind, named.name) : findById(call, kind, id);
			// Items that find one record must not share the object.
			return [deepCopy(await found)] as never;
		},
		record?.fields,
		[{ method: 'GET', path }],
	);
}
