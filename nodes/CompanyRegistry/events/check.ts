import { isJson } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import { concernsKey, ServiceError } from '../../shared/http/errors';
import type { ApiRequest } from '../../shared/http/request';
import { isSameValue } from '../../shared/node/texts';
import { isBlank } from '../../shared/node/validators';
import { otherVariant } from '../api';
import type { Variant } from '../api';
import { fieldIn, fieldsOf, nameOf } from '../company';
import type { FieldValue, Scalar } from '../company';
import { findByIdno, readCompanyRecord } from '../search';

/** The fields that can be watched without the full record, named as in the API. */
export const WATCHABLE = [
	'status',
	'rating',
	'score',
	'insolvency_risk',
	'recommended_limit_mdl',
] as const;
const CREDIT_FIELDS = WATCHABLE.slice(1);

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
	const isStatusOnly = others.length === 0 && fields.every((field) => field === 'status');
	if (variant === 'v1' || isStatusOnly) return;
	throw otherVariant('Any field but the status', variant, 'watch only Status and Disappearance');
}

/** Whether a check reads the source of the status: other fields have records of their own. */
export function needsSource({ fields, others }: Watched): boolean {
	return fields.includes('status') || fields.length + others.length === 0;
}

/** The records of a company that a check reads. */
function recordsFor(source: Source, watched: Watched): Source[] {
	const needed = new Set(needsSource(watched) ? [source] : []);
	if (watched.fields.some((field) => field !== 'status')) needed.add('credit');
	if (watched.others.length > 0) needed.add('dossier');
	return [...needed];
}

/** Requests that a check takes. @param source undefined as long as it isn't known */
export function requestsPerCheck(variant: Variant, watched: Watched, source?: Source): number {
	const isSought = source === undefined && variant === 'v1' && needsSource(watched);
	return isSought ? SOURCES.length : recordsFor(source ?? 'search', watched).length;
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
	const read = async (from: Source) => {
		if (!records.has(from)) {
			records.set(from, await readFrom(from, idno, client).catch(explainDenial(from)));
		}
		return records.get(from);
	};
	const isSought = client.variant === 'v1' && needsSource(watched);
	const source = known ?? (isSought ? await findSource(read) : 'search');
	const [first, ...others] = recordsFor(source, watched);
	const main = first && (await read(first));
	if (!main) return undefined;
	// A company that only lacks another record hasn't disappeared.
	for (const other of others) await read(other);

	const [credit, full] = [records.get('credit'), records.get('dossier')];
	const details = full ?? main;
	const name = nameOf(main) ?? nameOf(details);
	const values = {
		...valuesOf(records.get(source) ?? main, ['status']),
		...valuesOf(credit, CREDIT_FIELDS),
		...valuesOf(full, watched.others),
	};
	return { source, shown: { idno, ...(name !== undefined && { name }), values, details } };
}

async function readFrom(
	source: Source,
	idno: string,
	{ variant, send }: Client,
): Promise<Json | undefined> {
	return source === 'search'
		? (await findByIdno(send, variant, idno)).company
		: await readCompanyRecord(send, source, idno);
}

/** The first source that shows a status, or else the first that shows the company. */
async function findSource(read: (source: Source) => Promise<Json | undefined>): Promise<Source> {
	let denial: Error | undefined;
	let showing: Source | undefined;
	for (const source of SOURCES) {
		const record = await read(source).catch((error: unknown) => {
			if (!isDenied(error)) throw error;
			denial ??= error;
		});
		if (record && !isBlank(fieldIn(fieldsOf(record), 'status'))) return source;
		if (record) showing ??= source;
	}
	if (!showing && denial) throw denial;
	return showing ?? 'credit';
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
	if (!record) return {};
	const fields = fieldsOf(record);
	const values = names.map((name) => [name, fieldIn(fields, name)] as const);
	const sent = values.filter((entry): entry is [string, FieldValue] => entry[1] !== undefined);
	return Object.fromEntries(sent.map(([name, value]) => [name, valueOf(value)]));
}

export function valueOf(value: FieldValue): Value {
	if (Array.isArray(value)) return value.map(entryText);
	return isJson(value) ? entryText(value) : (value as Scalar);
}

/** Fields that say when a service read or wrote a record, and not what's in it. */
const TIMES = /^(last_?)?(checked|fetched|read|retrieved|synced|updated)(_?(at|on|date))?$/i;

/** All of an entry in words, e.g. `Ana Rusu (share: 50)`. */
function entryText(entry: unknown): string {
	if (!isJson(entry)) return typeof entry === 'object' ? JSON.stringify(entry) : String(entry);
	const { name, ...others } = entry;
	const texts = Object.entries(others)
		.filter(([field, value]) => !TIMES.test(field) && !isBlank(value))
		.map(([field, value]) => `${field}: ${entryText(value)}`);
	const details = texts.sort().join(', ');
	return isBlank(name) ? details : [entryText(name), details && `(${details})`].join(' ').trim();
}

const entriesOf = (value: Value): Scalar[] => (isBlank(value) ? [] : ([value].flat() as Scalar[]));

/** The entries of a value that another doesn't have. Case, spaces and order don't matter. */
function entriesBeside(value: Value, other: Value): Scalar[] {
	const plain = (entry: Scalar) => (typeof entry === 'string' ? entry.toLowerCase() : entry);
	const others = entriesOf(other).map(plain);
	return entriesOf(value).filter(
		(entry) => !others.some((each) => isSameValue(each, plain(entry))),
	);
}

/** Whether a user would call two values equal. */
export function isUnchanged(last: Value, now: Value): boolean {
	return entriesBeside(last, now).length === 0 && entriesBeside(now, last).length === 0;
}

/** A value in a cell of n8n's table. */
export function cellOfValue(value: Value | undefined): Scalar {
	return Array.isArray(value) ? value.join(', ') : ((value ?? null) as Scalar);
}

/** E.g. `status: active → in_liquidation`. Of a list, it names only the entries that differ. */
export function changeText(field: string, last: Value = null, now: Value = null): string {
	const inWords = (value: Value, other: Value) => entriesBeside(value, other).join(', ') || 'none';
	return `${field}: ${inWords(last, now)} → ${inWords(now, last)}`;
}
