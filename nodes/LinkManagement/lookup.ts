import { requirePage, unexpectedShape } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import { ServiceError } from '../shared/http/errors';
import { collectRows } from '../shared/http/pagination';
import type { Collection } from '../shared/node/collection';
import { composed, endpoint as rowOf } from '../shared/node/endpoint';
import type { Output } from '../shared/node/endpoint';
import type { OperationCall, OperationRouting } from '../shared/node/operation';
import { idAndNameFirst } from '../shared/node/recordSchema';
import { campaigns, channels, domains, pixels } from './collections';

/** A kind of record that the API only lists: the node finds single records in the list. */
export interface Kind {
	collection: Collection;
	/** In messages, e.g. "campaign" and "campaigns". */
	noun: string;
	plural: string;
	/** What identifies a record for users, e.g. "name", and the keys that it is found under. */
	calledBy: string;
	keysOf: KeysOf;
}

/** The keys under which a record, or the same fields as a user entered them, can be found. */
export type KeysOf = (record: Json) => string[];

const byName: KeysOf = ({ name }) => [normalText(name)];

export const campaignKind: Kind = {
	collection: campaigns,
	noun: 'campaign',
	plural: 'campaigns',
	calledBy: 'name',
	keysOf: byName,
};

export const channelKind: Kind = {
	collection: channels,
	noun: 'channel',
	plural: 'channels',
	calledBy: 'name',
	keysOf: byName,
};

export const domainKind: Kind = {
	collection: domains,
	noun: 'domain',
	plural: 'domains',
	calledBy: 'address',
	keysOf: ({ domain }) => {
		const address = normalAddress(domain);
		return [address, address.replace(/^https?:/, '')];
	},
};

export const pixelKind: Kind = {
	collection: pixels,
	noun: 'pixel',
	plural: 'pixels',
	calledBy: 'name',
	keysOf: byName,
};

/** By the parameter that names a record of the kind. */
const KINDS = {
	campaignId: campaignKind,
	channelId: channelKind,
	domainId: domainKind,
	pixelId: pixelKind,
} satisfies Record<string, Kind>;

type NamedParameter = keyof typeof KINDS;

const NAMED_PARAMETERS = Object.keys(KINDS) as NamedParameter[];

/** Spaces around a name and the two ways of writing an accented letter make no difference. */
export function normalText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number'
		? String(value).trim().normalize('NFC')
		: '';
}

/** Host in lower case and no slash at the end. Without a scheme it starts with `//`. */
function normalAddress(value: unknown): string {
	const given = normalText(value);
	const hasScheme = /^https?:\/\//i.test(given);
	if (given === '' || !URL.canParse(hasScheme ? given : `https://${given}`)) return given;
	const { href } = new URL(hasScheme ? given : `https://${given}`);
	return (hasScheme ? href : href.replace(/^https:/, '')).replace(/\/+$/, '');
}

/** A list as it was read, and how to find records in it. */
class RecordIndex {
	private readonly byId: Map<string, Json>;
	private readonly byKey = new Map<KeysOf, Map<string, Json[]>>();

	constructor(private readonly records: Json[]) {
		this.byId = new Map(records.map((record) => [idText(record.id), record]));
	}

	withId(id: string): Json | undefined {
		return this.byId.get(id);
	}

	withKey(keysOf: KeysOf, key: string): Json[] {
		let index = this.byKey.get(keysOf);
		if (!index) {
			index = new Map();
			for (const record of this.records) {
				for (const each of new Set(keysOf(record))) {
					index.set(each, [...(index.get(each) ?? []), record]);
				}
			}
			this.byKey.set(keysOf, index);
		}
		return index.get(key) ?? [];
	}
}

/** The lists that a run has read, by account and path. */
const newLists = () => new Map<string, Promise<RecordIndex>>();

/** The list of a kind, read once per run. */
async function readIndex(call: OperationCall, { collection }: Kind): Promise<RecordIndex> {
	const { reuseIdentical } = call.parameter<{ reuseIdentical?: boolean }>('options', {});
	const lists = call.shared(newLists);
	const key = await listKeyOf(call, collection);
	let list = reuseIdentical === false ? undefined : lists.get(key);
	if (!list) {
		list = readAll(call, collection).then((records) => new RecordIndex(records));
		lists.set(key, list);
	}
	return await list;
}

/** Makes the next item that needs the list read it again. */
export async function forgetIndex(call: OperationCall, { collection }: Kind): Promise<void> {
	call.shared(newLists).delete(await listKeyOf(call, collection));
}

async function listKeyOf(call: OperationCall, { path }: Collection): Promise<string> {
	const { identity } = (await call.connection()).account;
	return `${identity} ${path}`;
}

async function readAll(call: OperationCall, collection: Collection): Promise<Json[]> {
	const { path, keys, pageSize, record } = collection;
	const rows = await collectRows(
		async (page, limit) => {
			const query = { limit, page };
			// The index is what the run keeps; a second reading has to be a real one.
			return requirePage(await call.send({ method: 'GET', path, query }, { fresh: true }), keys);
		},
		{ rows: Infinity, pageSize },
	);
	return rows.map((row) => record?.tidy?.(row) ?? row);
}

/** Most ids that an error lists. */
const NAMED_IDS = 10;

/**
 * The only record with one of the keys, or undefined.
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
	const [found, ...others] = (await readIndex(call, kind)).withKey(keysOf, key);
	if (others.length === 0) return found;
	const ids = [found, ...others].map((record) => String(record?.id));
	const named = ids.slice(0, NAMED_IDS).join(', ') + (ids.length > NAMED_IDS ? ', …' : '');
	throw new ServiceError(`${ids.length} ${kind.plural} have ${what}: IDs ${named}`, {
		description: `Select one of them by its ID, or give each ${kind.noun} a unique ${kind.calledBy}.`,
	});
}

export async function findById(call: OperationCall, kind: Kind, id: string): Promise<Json> {
	const found = (await readIndex(call, kind)).withId(id);
	if (found) return found;
	throw new ServiceError(`No ${kind.noun} has the ID ${id}`, {
		description: `Select the ${kind.noun} from the list, or check the ID. It may belong to another account.`,
		httpCode: '404',
	});
}

async function findByName(call: OperationCall, kind: Kind, name: string): Promise<Json> {
	const { noun, calledBy, keysOf } = kind;
	const [key = ''] = keysOf({ name, domain: name });
	const found = await findByKey(call, kind, key, `the ${calledBy} "${name}"`);
	if (found) return found;
	throw new ServiceError(`No ${noun} has the ${calledBy} "${name}"`, {
		description: `Check the spelling, upper and lower case included. Create or Update creates a ${noun} that does not exist.`,
		httpCode: '404',
	});
}

/** Services write ids as numbers or text. Empty if there is none. */
function idText(id: unknown): string {
	const number = typeof id === 'string' ? Number(id) : id;
	return Number.isSafeInteger(number) && Number(number) > 0 ? String(number) : '';
}

/**
 * The id in the form that paths need.
 *
 * @throws ServiceError when the service lists a record without one
 */
export function idOf(record: Json): string {
	const id = idText(record.id);
	if (id !== '') return id;
	throw unexpectedShape('a record with an ID', record);
}

/**
 * The operation Get of a kind without an endpoint for a single record: finds it in the list.
 *
 * @param parameter the record locator
 */
export function foundInList(parameter: NamedParameter): OperationRouting {
	const kind: Kind = KINDS[parameter];
	const { path, record } = kind.collection;
	return composed(
		async (call) => {
			const { [parameter]: name } = call.inputs.named;
			const { [parameter]: id = '' } = call.inputs.path;
			const found = name ? await findByName(call, kind, name) : await findById(call, kind, id);
			return [idAndNameFirst(found)] as never;
		},
		record?.schema,
		[{ method: 'GET', path }],
	);
}

/** Table row of an endpoint whose path may name records by their names. */
export function endpoint(
	method: Parameters<typeof rowOf>[0],
	path: string,
	output: Output,
): OperationRouting {
	return rowOf(method, path, {
		...output,
		async run(request, call) {
			await resolveNames(call);
			return await output.run({ ...request, values: call.inputs.path }, call);
		},
	});
}

/** Fills the path with the ids of records that are given by name. */
async function resolveNames(call: OperationCall): Promise<void> {
	const { named, path, labels } = call.inputs;
	const ids: Record<string, string> = {};
	for (const parameter of NAMED_PARAMETERS) {
		const name = named[parameter];
		if (name !== undefined) ids[parameter] = idOf(await findByName(call, KINDS[parameter], name));
	}
	const known: Record<string, string> = { ...path, ...ids };
	// In the order of the panel, which is that of the output's columns.
	const inOrder = Object.keys(labels).filter((parameter) => parameter in known);
	call.inputs.path = Object.fromEntries(inOrder.map((parameter) => [parameter, known[parameter]!]));
}
