import type { IDataObject } from 'n8n-workflow';
import type { ZodTypeAny } from 'zod';
import { z } from 'zod';

import { without } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import type { OperationCall, RunOperation } from '../../shared/node/operation';
import { ServiceError } from '../../shared/http/errors';
import type { Schema } from '../../shared/node/recordSchema';
import { unexpected } from '../../shared/node/outputs';
import { isBlank, required, ValidationFailure } from '../../shared/node/validators';
import type { Validator } from '../../shared/node/validators';
import { DEFAULT_PREFIX } from './fields';
import { checkIdno, IDNO_LENGTH } from '../idno';
import { makeKnownCompanies } from './knownCompanies';
import { bestMatch, longestWord, searchWords } from './nameMatch';
import { companiesIn, companyRecord, idnoOf, isActive, nameOf, recordIn } from '../records';
import { shapeOutput } from '../outputMode';
import { wantsCheckDigit } from '../outputs';
import { COMPANY_FIELDS, CREDIT_FIELDS, simplify } from '../simplify';
import { SEARCHES } from '../collections';
import { requireVariant } from '../service';
import type { Variant } from '../service';

/** What the look-up of a row came to. */
interface Match {
	/** The company, as the search showed it; absent when none is meant for certain. */
	company?: Json;
	/** 1 for an IDNO; for a name how alike the best one is, also where that is not enough. */
	matchScore: number;
	matchedBy: 'idno' | 'name' | null;
	/** How many other companies came into question. */
	candidates: number;
	/** Why no company was found. */
	reason: string | null;
}

/** Options of the operation; see fields.ts for what they mean. */
interface Options {
	prefix?: string;
	includeInputFields?: boolean;
	searchAgain?: boolean;
	nameAsFallback?: boolean;
	reuseIdentical?: boolean;
}

const share: Validator = (value) => {
	const number = isBlank(value) ? NaN : Number(value);
	return number >= 0 && number <= 1
		? number
		: new ValidationFailure('must be a number from 0 to 1');
};

/**
 * Answers a row of a CRM with the row and the company it means. A company that is not found is an
 * answer, too; only a service that cannot be asked is an error.
 */
export const enriched: RunOperation = async (call) => {
	const row = rowOf(call);
	// Before anything is awaited: by then the rows with an IDNO must know what they wait for.
	const searched = isNamed(row) ? call.shared(makeKnownCompanies).announceNameSearch() : undefined;
	try {
		return [await enrich(call, row)];
	} finally {
		searched?.();
	}
};

/** The fields beside those of the row, with the prefix that they have by default. */
export const enrichedRow: Schema = () =>
	z.object({
		found: z.boolean(),
		matchScore: z.number(),
		matchedBy: z.string().nullable(),
		candidates: z.number(),
		reason: z.string().nullable(),
		...Object.fromEntries(
			Object.entries(companyRecord.schema().shape).map(([name, type]) => [
				DEFAULT_PREFIX + name,
				type as ZodTypeAny,
			]),
		),
	});

/** By what a row is looked up. */
interface Row {
	idno: unknown;
	name: string;
}

function rowOf(call: OperationCall): Row {
	return {
		idno: call.parameter<unknown>('companyIdno', ''),
		name: String(call.parameter<unknown>('companyName', '') ?? '').trim(),
	};
}

/** Whether the row is searched by its name in the first place. */
function isNamed({ idno, name }: Row): boolean {
	return isBlank(idno) && name !== '' && !isNumber(name);
}

async function enrich(call: OperationCall, row: Row): Promise<IDataObject> {
	const options = call.parameter<Options>('options', {});
	const minScore = required<number>(share, call.parameter('minScore', 0.8), 'Minimum Match Score');
	const addCredit = call.parameter<unknown>('addCredit', false) === true;
	const variant = await requireVariant(
		call,
		addCredit ? ['v1'] : ['v1', 'unversioned'],
		addCredit ? 'The credit recommendation' : undefined,
	);
	const { company, ...outcome } = await lookUp(call, row, variant, minScore, options);
	const credit = company && addCredit ? await creditOf(call, company) : {};
	const fields = company
		? shapeOutput(call, { ...company, ...credit }, [...COMPANY_FIELDS, ...Object.keys(credit)])
		: {};
	return {
		...(options.includeInputFields === false ? {} : inputFields(call)),
		found: company !== undefined,
		...outcome,
		...withPrefix(fields, options.prefix ?? DEFAULT_PREFIX),
	};
}

function inputFields({ context }: OperationCall): IDataObject {
	const item = context.getInputData() as { json?: IDataObject } | undefined;
	return item?.json ?? {};
}

function withPrefix(fields: Json, prefix: string): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [prefix + name, value]),
	) as IDataObject;
}

async function lookUp(
	call: OperationCall,
	row: Row,
	variant: Variant,
	minScore: number,
	{ nameAsFallback, searchAgain }: Options,
): Promise<Match> {
	const { idno, name } = row;
	const byName = async () => await lookUpName(call, variant, name, minScore, searchAgain === true);
	if (isNamed(row)) return await byName();
	if (isBlank(idno)) {
		if (name === '') return notFound('The row has neither an IDNO nor a name.');
		return await lookUpIdno(call, variant, name);
	}
	const match = await lookUpIdno(call, variant, idno);
	if (match.company || !nameAsFallback || name === '') return match;
	return await byName();
}

/** No company is called by thirteen digits. */
function isNumber(name: string): boolean {
	return new RegExp(`^\\d{${IDNO_LENGTH}}$`).test(name);
}

/** An IDNO that cannot exist is not sent. */
async function lookUpIdno(call: OperationCall, variant: Variant, value: unknown): Promise<Match> {
	const check = checkIdno(value, { checkDigit: wantsCheckDigit(call) });
	if (!check.valid) return notFound(check.reason);
	const { reuseIdentical } = call.parameter<Options>('options', {});
	const known =
		reuseIdentical === false
			? undefined
			: await call.shared(makeKnownCompanies).find(await identityOf(call), check.idno);
	const rows = known ? [known] : (await search(call, variant, check.idno)).rows;
	const company = rows.find((row) => idnoOf(row) === check.idno);
	if (!company) return notFound(`No company has the IDNO ${check.idno}.`);
	return {
		matchScore: 1,
		matchedBy: 'idno',
		candidates: rows.length - 1,
		reason: null,
		company,
	};
}

async function lookUpName(
	call: OperationCall,
	variant: Variant,
	name: string,
	minScore: number,
	searchAgain: boolean,
): Promise<Match> {
	const words = searchWords(name);
	if (words === '') return notFound('The name has neither letters nor digits.');
	let { rows, total } = await search(call, variant, words);
	call.shared(makeKnownCompanies).keep(await identityOf(call), rows);
	if (rows.length === 0 && searchAgain && longestWord(name) !== words) {
		({ rows, total } = await search(call, variant, longestWord(name)));
	}
	const best = bestMatch(name, rows.map(candidateOf));
	if (!best) return notFound('The search has no results for the name.');
	const matchScore = Math.round(best.score * 1000) / 1000;
	if (matchScore < minScore) {
		return {
			...notFound(`No name is like it enough; the most similar is ${best.candidate.name}.`),
			matchScore,
			candidates: total,
		};
	}
	return {
		matchScore,
		matchedBy: 'name',
		candidates: total - 1,
		reason: null,
		company: best.candidate.row,
	};
}

async function identityOf(call: OperationCall): Promise<string> {
	return (await call.connection()).account.identity;
}

function candidateOf(row: Json) {
	const name = nameOf(row);
	if (name === undefined) throw unexpected('companies with a "name"', row);
	return { name, active: isActive(row), idno: idnoOf(row) ?? '', row };
}

function notFound(reason: string): Match {
	return { matchScore: 0, matchedBy: null, candidates: 0, reason };
}

interface Found {
	rows: Json[];
	/** Results altogether, of which `rows` are the first. */
	total: number;
}

async function search(call: OperationCall, variant: Variant, q: string): Promise<Found> {
	const { path, query } = SEARCHES[variant];
	const body = await unlessUnknown(
		call.send({
			method: 'GET',
			path,
			query: { q, ...query(1) },
		}),
	);
	const { rows, total = 0 } = body === undefined ? { rows: [] } : companiesIn(body);
	return { rows, total: Math.max(total, rows.length) };
}

/** The recommendation's own fields, flat. A company without one keeps them empty. */
async function creditOf(call: OperationCall, company: Json): Promise<Json> {
	const idno = idnoOf(company);
	if (idno === undefined) throw unexpected('a company with an "idno"', company);
	const body = await unlessUnknown(
		call.send({ method: 'GET', path: '/api/v1/credit/:idno', values: { idno } }),
	);
	const credit = simplify(body === undefined ? {} : recordIn(body), CREDIT_FIELDS);
	return without(credit, 'idno', 'name', 'status');
}

/** Undefined where the service says that there is no such record, in whichever way it does. */
async function unlessUnknown(answer: Promise<unknown>): Promise<unknown> {
	return await answer.catch((error: unknown) =>
		saysUnknown(error) ? undefined : Promise.reject(error as Error),
	);
}

/** The status of an unknown record is not shown; 200 with a failure in the body is possible. */
function saysUnknown(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.failure) return false;
	return ['404', '410', '200'].includes(error.httpCode ?? '');
}
