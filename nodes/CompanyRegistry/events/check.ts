import { isJson } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import { concernsKey, ServiceError } from '../../shared/http/errors';
import type { ApiRequest } from '../../shared/http/request';
import { isBlank } from '../../shared/node/validators';
import { otherVariant } from '../api';
import type { Variant } from '../api';
import { fieldIn, fieldsOf, nameOf } from '../company';
import type { FieldValue, Scalar } from '../company';
import { isSameValue } from '../output/changes';
import { findByIdno, readCompanyRecord } from '../search';

/** Fields that come with the credit recommendation, named as in the API. */
export const CREDIT_WATCHABLE = [
	'rating',
	'score',
	'insolvency_risk',
	'recommended_limit_mdl',
] as const;
/** The fields that can be watched without the full record. */
export const WATCHABLE = ['status', ...CREDIT_WATCHABLE] as const;

/** Where a company's status can be read, in the order in which they are tried. */
export const SOURCES = ['credit', 'dossier', 'search'] as const;
export type Source = (typeof SOURCES)[number];

const SOURCE_NAMES = {
	credit: 'the credit recommendation',
	dossier: 'the full record',
	search: 'a search',
} satisfies Record<Source, string>;

/** What the user wants to watch. */
export interface Watched {
	/** Of {@link WATCHABLE}. */
	fields: readonly string[];
	/** Other fields of the full record. */
	others: readonly string[];
	/** Whether a missing company is an event. */
	disappearance: boolean;
}

/** A field's value. Of a list, it's the text of each entry. */
export type Value = Scalar | readonly string[];

/** A company's values, by field. A field that no response has is absent, unlike one that is null. */
export type Values = Readonly<Record<string, Value>>;

/** A company as the registry shows it. */
export interface ShownCompany {
	idno: string;
	name?: string;
	values: Values;
	/** The record as returned, preferably the full one. */
	details: Json;
}

export interface Client {
	variant: Variant;
	send(request: ApiRequest): Promise<unknown>;
}

/** @throws InputError if the variant of the API doesn't have a watched field */
export function requireFields(variant: Variant, { fields, others }: Watched): void {
	if (variant === 'v1') return;
	const isCredit = fields.some((field) => field !== 'status');
	if (!isCredit && others.length === 0) return;
	const what = isCredit
		? 'A rating, score, insolvency risk or recommended limit'
		: 'The parameter "Other Fields to Watch"';
	throw otherVariant(what, variant, 'watch only Status and Disappearance');
}

const needsCredit = ({ fields }: Watched) => fields.some((field) => field !== 'status');

/** Where to look for the company, or for its status if that's watched. */
function sourcesFor(variant: Variant, watched: Watched): readonly Source[] {
	if (variant !== 'v1') return ['search'];
	if (!watched.fields.includes('status')) {
		if (needsCredit(watched)) return ['credit'];
		if (watched.others.length > 0) return ['dossier'];
	}
	return SOURCES;
}

/** Requests that a check takes. @param source undefined as long as it isn't known */
export function requestsPerCheck(
	variant: Variant,
	watched: Watched,
	source: Source | undefined,
): number {
	const sources = source ? [source] : sourcesFor(variant, watched);
	const others = watched.others.length > 0 ? ['dossier'] : [];
	return new Set([...sources, ...(needsCredit(watched) ? ['credit'] : []), ...others]).size;
}

/**
 * Reads one company. The status comes from the first source that shows one, which is then kept, because
 * another may word it differently. Other fields always come from the same records.
 *
 * @param known the source of the status, if a check has found it
 * @returns undefined if the registry says that the company doesn't exist
 * @throws ServiceError
 */
export async function readWatched(
	idno: string,
	watched: Watched,
	client: Client,
	known?: Source,
): Promise<{ source: Source; shown: ShownCompany } | undefined> {
	const records = new Map<Source, Json | undefined>();
	const read = async (source: Source) => {
		if (!records.has(source)) {
			const record = readFrom(source, idno, client).catch(explainDenial(source));
			records.set(source, await record);
		}
		return records.get(source);
	};
	const sources = known ? [known] : sourcesFor(client.variant, watched);
	const source = sources.length === 1 ? sources[0] : await findSource(sources, read);
	const main = source && (await read(source));
	if (!main) return undefined;

	const credit = needsCredit(watched) ? await read('credit') : records.get('credit');
	// A company that only lacks a full record hasn't disappeared.
	const full = watched.others.length > 0 ? await read('dossier') : undefined;
	const details = full ?? main;
	const name = nameOf(main) ?? nameOf(details);
	const values = {
		...valuesOf(main, ['status']),
		...valuesOf(credit, CREDIT_WATCHABLE),
		...valuesOf(full, watched.others),
	};
	return { source, shown: { idno, ...(name !== undefined && { name }), values, details } };
}

async function readFrom(
	source: Source,
	idno: string,
	{ variant, send }: Client,
): Promise<Json | undefined> {
	if (source !== 'search') return await readCompanyRecord(send, source, idno);
	const { company, isCutOff } = await findByIdno(send, variant, idno);
	if (!isCutOff) return company;
	throw new ServiceError(`The first search results don't include the company ${idno}`, {
		description: 'Check the IDNO with Company: Search.',
	});
}

/** The first source that shows a status, or else one that has the field, or at least the company. */
async function findSource(
	sources: readonly Source[],
	read: (source: Source) => Promise<Json | undefined>,
): Promise<Source | undefined> {
	let best: { source: Source; rank: number } | undefined;
	let denial: unknown;
	for (const source of sources) {
		const record = await read(source).catch((error: unknown) => {
			if (!isDenied(error)) throw error;
			denial ??= error;
		});
		if (!record) continue;
		const status = fieldIn(fieldsOf(record), 'status');
		if (!isBlank(status)) return source;
		const rank = status === undefined ? 0 : 1;
		if (!best || rank > best.rank) best = { source, rank };
	}
	if (!best && denial) throw denial as Error;
	return best?.source;
}

/** The key or its plan doesn't include this kind of record. */
function isDenied(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.httpCode === '403' && !concernsKey(error);
}

function explainDenial(source: Source) {
	return (error: unknown): never => {
		if (!isDenied(error)) throw error;
		const where = `The trigger reads these fields from ${SOURCE_NAMES[source]}. If your key doesn't include that, watch other fields, or replace the trigger node with a new one, which looks for another source of the status.`;
		const description = [error.description, where].filter(Boolean).join(' ');
		throw new ServiceError(error.message, { ...error, description });
	};
}

function valuesOf(record: Json | undefined, names: readonly string[]): Values {
	const fields = record ? fieldsOf(record) : new Map<string, FieldValue>();
	const values = names.map((name) => [name, fieldIn(fields, name)] as const);
	const sent = values.filter((entry): entry is [string, FieldValue] => entry[1] !== undefined);
	return Object.fromEntries(sent.map(([name, value]) => [name, valueOf(value)]));
}

export function valueOf(value: FieldValue): Value {
	if (Array.isArray(value)) return value.map(entryText);
	return isJson(value) ? entryText(value) : (value as Scalar);
}

/** Fields that say when a service read or wrote a record, and not what's in it. */
const TIMES =
	/^(?:last_?)?(?:checked|fetched|read|retrieved|queried|synced|updated|modified|generated)(?:_?(?:at|on|date|time))?$|^(?:timestamp|last_?update|as_of)$/i;

/** All of an entry in words, e.g. `Ana Rusu (share: 50)`. */
function entryText(entry: unknown): string {
	if (!isJson(entry)) return typeof entry === 'object' ? JSON.stringify(entry) : String(entry);
	const { name, ...others } = entry;
	const texts = Object.entries(others)
		.filter(([field, value]) => !TIMES.test(field) && !isBlank(value))
		.map(([field, value]) => `${field}: ${entryText(value)}`)
		.sort();
	const details = texts.join(', ');
	return isBlank(name) ? details : [entryText(name), details && `(${details})`].join(' ').trim();
}

/** Whether a user would call two values equal. A list may come in any order. */
export function isUnchanged(last: Value, now: Value): boolean {
	if (!Array.isArray(last) && !Array.isArray(now)) return isSameValue(plain(last), plain(now));
	const entries = (value: Value) => entriesOf(value).map(plain).sort();
	const [before, after] = [entries(last), entries(now)];
	return (
		before.length === after.length && before.every((entry, at) => isSameValue(entry, after[at]))
	);
}

function plain(value: unknown): unknown {
	return typeof value === 'string' ? value.toLowerCase() : value;
}

function entriesOf(value: Value): readonly Scalar[] {
	if (Array.isArray(value)) return value;
	return isBlank(value) ? [] : [value as Scalar];
}

/** A value in a cell of n8n's table. */
export function cellOfValue(value: Value | undefined): Scalar {
	return Array.isArray(value) ? value.join(', ') : ((value ?? null) as Scalar);
}

/** E.g. `status: active → in_liquidation`. Of a list, it names only the entries that differ. */
export function changeText(field: string, last: Value | undefined, now: Value | undefined): string {
	const isList = Array.isArray(last) || Array.isArray(now);
	const without = (value: Value = null, other: Value = null) => {
		const others = entriesOf(other).map(plain);
		return isList ? entriesOf(value).filter((each) => !others.includes(plain(each))) : value;
	};
	const inWords = (value: Value | readonly Scalar[]) =>
		(Array.isArray(value) ? value.join(', ') : String(value ?? '')) || 'none';
	return `${field}: ${inWords(without(last, now))} → ${inWords(without(now, last))}`;
}
