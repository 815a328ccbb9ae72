import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../shared/http/clock';
import type { Json } from '../../shared/http/envelope';
import { unexpectedShape, without } from '../../shared/http/envelope';
import { ServiceError } from '../../shared/http/errors';
import type { OperationCall, RunOperation } from '../../shared/node/operation';
import { MAX_RESULTS, requireVariant, unlessNone } from '../api';
import {
	COMPANY_FIELDS,
	CREDIT_FIELDS,
	hasNameField,
	idnoOf,
	nameOf,
	RECOMMENDATION_FIELDS,
} from '../companyFields';
import { SEARCH_PATHS, findCompanies } from '../companySearch';
import { checkIdno, idnoWithin } from '../idno';
import { shapeOutput } from '../output/selectFields';
import { companyWith, wantsCheckDigit } from '../output/outputs';
import type { Variant } from '../api';
import { simplify } from '../output/simplify';
import { changesOf } from '../output/changes';
import { LEAST_SCORE, wantedCompany } from './match/compare';
import { companyOf, contradictionsOf } from './match/decide';
import { alternativesOf, kindsOf, notChecked, notFound, outputItem, roundedScore } from './output';
import type { RowOutcome } from './output';
import { wasCheckedRecently, rowOf } from './row';
import type { Row } from './row';
import { applyMinimum, hasName, searchByName } from './match/search';
import type { Search } from './match/search';

const CREDIT_PATH = '/api/v1/credit/:idno';

/**
 * Adds the company to each row of a CRM. A row without a company is a result, too; only a failure of
 * the service is an error. If no requests are left and the node continues on errors, the other rows
 * are returned as not checked.
 */
export const enrichCompany: RunOperation = async (call) => {
	const input = inputFields(call);
	const row = rowOf(call);
	const variant = row.addCredit
		? await requireVariant(
				call,
				['v1'],
				'The credit recommendation',
				'turn off "Add Credit Recommendation"',
			)
		: await requireVariant(call, ['v1', 'unversioned']);
	const skipped = wasCheckedRecently(call, row, input);
	const outcome = skipped ? notChecked(skipped) : await lookUp(call, row, variant);
	hintAt(call, outcome);
	const { company, matchStatus } = outcome;
	const names = [...COMPANY_FIELDS, ...(row.addCredit ? RECOMMENDATION_FIELDS : [])];
	const record = { ...Object.fromEntries(names.map((name) => [name, null])), ...company };
	const compared = company && { ...sentFields(company, names), ...company };
	const changes = compared ? changesOf(row.compareWith, input, compared) : null;
	if (row.onlyChangedRows && !changes?.length) return [];
	return [
		outputItem(row, input, outcome, {
			fields: shapeOutput(call, record, names),
			checkedAt: matchStatus === 'notChecked' ? null : new Date(systemClock.now()).toISOString(),
			...(row.compareWith.length > 0 && { changes }),
		}),
	];
};

/** A record's fields by their documented names, without those that the service did not send. */
function sentFields(record: Json, names: readonly string[]): Json {
	const simple = simplify(record, names);
	return without(simple, ...names.filter((name) => simple[name] === null && !(name in record)));
}

function inputFields({ context }: OperationCall): IDataObject {
	const item = context.getInputData() as { json?: IDataObject } | undefined;
	return item?.json ?? {};
}

function hintAt(call: OperationCall, { matchStatus, reason }: RowOutcome): void {
	if (matchStatus === 'ambiguous') {
		call.hint(
			'Some rows match several companies equally well. They are marked with "ambiguous"; map "City or Region" or "Legal Form" to decide between the companies.',
			'warning',
		);
	}
	if (reason === NOTHING_MAPPED) {
		call.hint(
			'Some rows have neither an IDNO nor a name. Map your IDNO column to "IDNO" or the name column to "Name".',
			'warning',
		);
	}
}

const NOTHING_MAPPED = 'The row has neither an IDNO nor a name.';

async function lookUp(call: OperationCall, row: Row, variant: Variant): Promise<RowOutcome> {
	return await withCredit(call, row, findCompany(call, row, variant)).catch((error: unknown) => {
		const isOutOfRequests =
			error instanceof ServiceError &&
			['quota-exhausted', 'rate-limited'].includes(error.failure?.cause ?? '');
		if (!isOutOfRequests || !call.context.continueOnFail()) return Promise.reject(error as Error);
		call.hint('Some rows were not checked, because no requests were left.', 'warning');
		return notChecked(error.message);
	});
}

async function withCredit(
	call: OperationCall,
	{ addCredit }: Row,
	found: Promise<RowOutcome>,
): Promise<RowOutcome> {
	const outcome = await found;
	const { company } = outcome;
	if (!company || !addCredit) return outcome;
	const credit = await creditOf(call, company);
	const source = `${outcome.source}, ${CREDIT_PATH}`;
	return { ...outcome, company: { ...company, ...credit }, source };
}

async function findCompany(call: OperationCall, row: Row, variant: Variant): Promise<RowOutcome> {
	const { idno, name } = row;
	const search = companySearch(call, variant);
	const given = isNoIdno(idno) ? idnoWithin(name) : idno;
	if (given === undefined) {
		return name === '' ? notFound(NOTHING_MAPPED) : await findByName(row, search);
	}
	const outcome = await findByIdno(call, row, given, search);
	const hasOtherName = name !== '' && name !== given;
	if (outcome.company || !row.nameAsFallback || !hasOtherName) return outcome;
	return await findByName(row, search);
}

/** Lists write "-", "n/a" or 0 where there is none. */
const isNoIdno = (value: string) => !/[1-9]/.test(value);

interface CompanySearch {
	/** The path that it reads. */
	source: string;
	send: Search;
}

/** Invalid IDNOs are not sent. */
async function findByIdno(
	call: OperationCall,
	row: Row,
	value: string,
	{ source, send }: CompanySearch,
): Promise<RowOutcome> {
	const check = checkIdno(value, { checkDigit: wantsCheckDigit(call) });
	if (!check.valid) return notFound(check.reason);
	const { rows } = await send(check.idno, 1);
	const company = companyOf(rows, check.idno);
	if (!company) return notFound(`No company has the IDNO ${check.idno}.`, { source });
	const differences = contradictionsOf(wantedCompany(row.name, row.city, row.legalForm), company);
	const isExact = differences.length === 0;
	const matchScore = isExact ? LEAST_SCORE.exact : LEAST_SCORE.strong;
	const details = {
		...{ candidates: rows.length, differences: kindsOf({ differences }), source },
		matchScore,
	};
	const reason = differences.map(({ text }) => text).join(' ') || null;
	if (matchScore < row.minScore) return notFound(reason, details);
	return {
		...{
			...details,
			matchStatus: 'found',
			company: identified(company),
			matchedBy: 'idno',
			reason,
		},
		...{ matchQuality: isExact ? 'exact' : 'strong', alternatives: [] },
	};
}

async function findByName(row: Row, { source, send }: CompanySearch): Promise<RowOutcome> {
	const { name, city, legalForm, searches, minScore } = row;
	const wanted = wantedCompany(name, city, legalForm);
	if (!hasName(wanted)) {
		return notFound('The name contains only punctuation or contact details.');
	}
	const result = applyMinimum(await searchByName(wanted, send, { searches }), minScore);
	const { found, ambiguous, results, score, reason } = result;
	const [nearest] = result.alternatives;
	const details = {
		...{ candidates: results, matchScore: roundedScore(score), source },
		alternatives: alternativesOf(result.alternatives),
	};
	if (!found) {
		const differences = nearest && !ambiguous ? kindsOf(nearest) : [];
		const missed = notFound(reason, { ...details, differences });
		return ambiguous ? { ...missed, matchStatus: 'ambiguous' } : missed;
	}
	return {
		...{ ...details, matchStatus: 'found', company: identified(found.company), matchedBy: 'name' },
		...{ matchQuality: found.quality, differences: kindsOf(found), reason },
	};
}

/** With the documented names of its two main fields, regardless of the service's names. */
function identified(company: Json): Json {
	return {
		...(idnoOf(company) !== undefined && { idno: idnoOf(company) }),
		...(nameOf(company) !== undefined && { name: nameOf(company) }),
		...company,
	};
}

/** The company search of the credential's variant. */
export function companySearch(call: OperationCall, variant: Variant): CompanySearch {
	return {
		source: SEARCH_PATHS[variant],
		async send(text, page) {
			const search = { variant, query: { q: text }, page, limit: MAX_RESULTS };
			const found = await findCompanies(async (request) => await call.send(request), search);
			const { rows, matches, more } = found;
			if (rows.length > 0 && !rows.some(hasNameField)) {
				throw unexpectedShape('companies with a "name"', rows[0]);
			}
			return { rows, total: Math.max(matches ?? 0, rows.length), more };
		},
	};
}

/** The recommendation's fields, flattened; none without a recommendation. */
async function creditOf(call: OperationCall, company: Json): Promise<Json> {
	const idno = idnoOf(company);
	if (idno === undefined) throw unexpectedShape('a company with an "idno"', company);
	const body = await unlessNone(call.send({ method: 'GET', path: CREDIT_PATH, values: { idno } }));
	if (body === undefined) return {};
	return without(sentFields(companyWith(idno, body), CREDIT_FIELDS), 'idno', 'name', 'status');
}
