import { isDenied, isMissing, isRefused } from '../../shared/http/errors';
import { InputError } from '../../shared/http/inputError';
import { isJson, type Json } from '../../shared/http/json';
import type { Sender } from '../../shared/http/request';
import type { Fields } from '../../shared/node/collection';
import { isBlank } from '../../shared/node/values';
import type { Session } from '../../shared/poll/session';
import { variantOf, type Variant } from '../api';
import { fieldIn, fieldsOf, nameOf, type Scalar } from '../company';
import { entryText, isUnchanged } from '../output/changes';
import { findByIdno, readCompanyRecord } from '../search';

/** The fields of a credit recommendation that can be watched, named as in the API. */
export const WATCHABLE_CREDIT = {
	rating: 'string',
	score: 'number',
	insolvency_risk: 'string',
	recommended_limit_mdl: 'number',
} satisfies Fields;
/** The fields that can be watched without the full record. */
export const WATCHABLE: readonly string[] = ['status', ...Object.keys(WATCHABLE_CREDIT)];

/** Where a company's status can be read, in the order in which they are tried. */
export const SOURCES = ['credit', 'dossier', 'search'] as const;
export type Source = (typeof SOURCES)[number];

export interface Watched {
	/** Of {@link WATCHABLE}, and then others of the full record. */
	fields: readonly string[];
	/** Whether a missing company is an event. */
	disappearance: boolean;
}

/** A company's values, by field. A field that no response has is absent, unlike one that is null. */
export type Values = Readonly<Record<string, unknown>>;

export interface ShownCompany {
	idno: string;
	name: string | undefined;
	values: Values;
	/** The record as returned, preferably the full one; null if there's none any more. */
	details: Json | null;
}

export class CompanyReader {
	private readonly variant: Variant;
	/** Whether a check reads the source of the status. Other fields are in records of their own. */
	private readonly needsSource: boolean;
	/** Whether a company has been read where it's looked for first. */
	private hasRead = false;

	/**
	 * @param source where the status is read, if a check has found it. It's kept, because another source may
	 * word the status differently.
	 * @throws InputError if the credential's variant of the API doesn't have a watched field
	 */
	constructor(
		{ connection }: Session,
		private readonly fields: readonly string[],
		public source?: Source,
	) {
		this.variant = variantOf(connection.account.settings);
		this.needsSource = fields.includes('status') || fields.length === 0;
		if (this.variant === 'v1') return;
		this.source = 'search';
		if (fields.every((field) => field === 'status')) return;
		throw new InputError(
			'With the Unversioned API, you can only watch Status and Disappearance',
			'Other fields are only available in the V1 API. Remove them, or select a credential whose API Variant is V1.',
		);
	}

	/** Requests that a check takes. It may try all sources as long as none is known. */
	requests(source = this.source): number {
		return this.needsSource && !source ? SOURCES.length : this.recordsFor(source).length;
	}

	/**
	 * Reads one company.
	 *
	 * @param lastName the company's name at the last check. If two records have the IDNO, it tells them apart.
	 * @returns undefined if the registry says that the company doesn't exist
	 * @throws ServiceError
	 */
	async read(sender: Sender, idno: string, lastName?: string): Promise<ShownCompany | undefined> {
		const isSame = (record: Json) => Number(isUnchanged(lastName, nameOf(record)));
		const records = new Map<Source, Json | undefined>();
		const read = async (from: Source) => {
			if (records.has(from)) return records.get(from);
			const reading =
				from === 'search'
					? findByIdno(sender, this.variant, idno, isSame)
					: readCompanyRecord(sender, from, idno);
			const record = await reading.catch((error: unknown) => {
				// Once this poll has read a company, it isn't the address that doesn't exist.
				if (!this.hasRead || !isMissing(error)) throw error;
				return undefined;
			});
			records.set(from, record);
			return record;
		};
		const source = this.needsSource ? (this.source ?? (await findSource(read))) : undefined;
		const [first = SOURCES[0], ...more] = this.recordsFor(source);
		let refusal: unknown;
		let main = await read(first).catch((error: unknown) => {
			const isOwn = this.hasRead && isRefused(error) && !isDenied(error);
			if (first !== 'credit' || !isOwn) throw error;
			refusal = error;
			return undefined;
		});
		// The registry can have a company without a recommendation, or refuse one for it.
		if (!main && first === 'credit') main = await read('dossier').catch(unlessDenied);
		if (!main && refusal) throw refusal;
		if (!main) return undefined;
		this.hasRead ||= !refusal;
		this.source ??= source;
		// A company that only lacks another record hasn't disappeared.
		for (const other of more) await read(other);

		const [credit, full] = [records.get('credit'), records.get('dossier')];
		const others = this.fields.filter((field) => !WATCHABLE.includes(field));
		const values = {
			...valuesOf(main, ['status']),
			...valuesOf(credit, Object.keys(WATCHABLE_CREDIT)),
			...valuesOf(full, others),
		};
		return { idno, name: nameOf(main), values, details: full ?? main };
	}

	/** The records that a check reads, starting with the one that has the status. */
	private recordsFor(source: Source | undefined): Source[] {
		const needed = new Set(this.needsSource && source ? [source] : []);
		if (this.fields.some((field) => field in WATCHABLE_CREDIT)) needed.add('credit');
		if (this.fields.some((field) => !WATCHABLE.includes(field))) needed.add('dossier');
		return [...needed];
	}
}

/** For what goes on if the key or its plan doesn't include this kind of record. @throws any other error */
function unlessDenied(error: unknown): undefined {
	if (!isDenied(error)) throw error;
}

/** The first source that shows a status. */
async function findSource(read: (source: Source) => Promise<Json | undefined>): Promise<Source> {
	for (const source of SOURCES) {
		const record = await read(source).catch(unlessDenied);
		if (record && !isBlank(fieldIn(fieldsOf(record), 'status'))) return source;
	}
	// If that's denied, reading it says why.
	return 'credit';
}

function valuesOf(record: Json | undefined, names: readonly string[]): Values {
	const fields = fieldsOf(record ?? {});
	const values = names.map((name) => [name, fieldIn(fields, name)] as const);
	return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A value in a cell of n8n's table. */
export function cellOfValue(value: unknown): Scalar {
	if (Array.isArray(value)) return value.map(entryText).join(', ');
	return isJson(value) ? entryText(value) : ((value ?? null) as Scalar);
}
