import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../shared/http/clock';
import { unexpectedShape, without } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import { ServiceError } from '../../shared/http/errors';
import type { ApiRequest } from '../../shared/http/request';
import { readPath } from '../../shared/http/values';
import type { CheckOperation, OperationCall, RunOperation } from '../../shared/node/operation';
import { requireVariant } from '../api';
import type { Variant } from '../api';
import {
	COMPANY_FIELDS,
	CREDIT_FIELDS,
	idnoOf,
	RECOMMENDATION_FIELDS,
	sentFields,
	simplify,
} from '../company';
import { findByIdno, readCompanyRecord, RECORD_PATHS, searchByText, SEARCH_PATHS } from '../search';
import { checkIdno } from '../idno';
import { changesOf } from '../output/changes';
import { wantsCheckDigit } from '../output/outputs';
import { shapeOutput } from '../output/selectFields';
import { LEAST_SCORE, wantedCompany } from '../names/compare';
import { contradictionsOf } from '../names/decide';
import { applyMinimum, hasName, searchByName } from '../names/search';
import { alternativesOf, kindsOf, notChecked, notFound, outputItem, roundedScore } from './output';
import type { RowOutcome } from './output';
import { RunReport } from './report';
import { rowOf, wasCheckedRecently } from './row';
import type { Row } from './row';

const newReport = () => new RunReport();

/** Checks a row's settings before any row is looked up. */
export const checkRow: CheckOperation = (call) => {
	rowOf(call, inputFields(call));
};

/**
 * Adds a company's data to a row. Not finding a company isn't an error, only a failure of the service
 * is. If the quota runs out and the node continues on errors, the remaining rows come back as not
 * checked.
 */
export const enrichCompany: RunOperation = async (call) => {
	const input = inputFields(call);
	const row = rowOf(call, input);
	const report = call.shared('report', newReport);
	call.noticeAtEnd(report.hints);
	report.noteRow(row.columns);
	noteFields(report, row, input);
	const variant = await variantFor(call, row);
	const skipped = wasCheckedRecently(call, row, input);
	const outcome = skipped ? notChecked(skipped) : await lookUp(call, row, variant);
	const names = [...COMPANY_FIELDS, ...(row.addCredit ? RECOMMENDATION_FIELDS : [])];
	const { company, recommendation, matchStatus } = outcome;
	const recommended = recommendedFields(recommendation);
	const sent = company && { ...recordOf(company, names), ...recommended };
	report.noteOutcome(outcome, sent?.idno);
	const changes = sent ? changesOf(row.compareWith, input, sent) : null;
	if (row.onlyChangedRows && !changes?.length) {
		report.noteLeftOut(outcome);
		return [];
	}
	const raw = { ...Object.fromEntries(names.map((name) => [name, null])), ...sent };
	const fields = shapeOutput(call, { ...company, ...recommended }, names, {
		raw,
		also: recommendation,
	});
	return [
		outputItem(row, input, outcome, {
			fields,
			checkedAt: matchStatus === 'notChecked' ? null : new Date(systemClock.now()).toISOString(),
			...(row.compareWith.length > 0 && { changes }),
		}),
	];
};

function inputFields({ context }: OperationCall): IDataObject {
	const item = context.getInputData() as { json?: IDataObject } | undefined;
	return item?.json ?? {};
}

async function variantFor(call: OperationCall, { addCredit }: Row): Promise<Variant> {
	if (!addCredit) return await requireVariant(call, ['v1', 'unversioned']);
	const instead = 'turn off "Add Credit Recommendation"';
	return await requireVariant(call, ['v1'], 'The credit recommendation', instead);
}

function noteFields(report: RunReport, { compareWith, ...row }: Row, input: Json): void {
	const note = (option: string, field: string) =>
		report.noteField(option, field, readPath(input, field) !== undefined);
	for (const { rowField } of compareWith) note('Compare With', rowField);
	if (row.skipWithinDays > 0 && row.choosesCheckedAt) note('Checked At Field', row.checkedAtField);
}

/** A company as the service sent it, with the documented fields under their documented names. */
function recordOf(company: Json, names: readonly string[]): Json {
	const known = new Set(names);
	const others = Object.entries(company).filter(
		([name, value]) => !known.has(name) || typeof value === 'object',
	);
	const idno = idnoOf(company);
	return {
		...Object.fromEntries(others),
		...(idno !== undefined && { idno }),
		...sentFields(company, names),
	};
}

/** A credit recommendation as flat fields, without `scoring` and its other groups. */
function recommendedFields(recommendation: Json | undefined): Json {
	if (!recommendation) return {};
	const sent = sentFields(recommendation, CREDIT_FIELDS);
	const simple = { ...simplify(recommendation, CREDIT_FIELDS), ...sent };
	const unsent = CREDIT_FIELDS.filter((name) => !(name in sent));
	return without(simple, 'idno', 'name', 'status', ...unsent);
}

async function lookUp(call: OperationCall, row: Row, variant: Variant): Promise<RowOutcome> {
	const outcome = await findCompany(call, row, variant).catch((error: unknown) => {
		if (!isOutOfRequests(error) || !call.context.continueOnFail()) throw error;
		return notChecked(inOneText(error), 'outOfRequests');
	});
	const { company, source } = outcome;
	if (!company || !row.addCredit) return outcome;
	return await creditOf(call, company).then(
		(recommendation) => ({
			...outcome,
			recommendation,
			source: [source, RECORD_PATHS.credit].join(', '),
		}),
		(error: unknown): RowOutcome => {
			if (!(error instanceof ServiceError) || !call.context.continueOnFail()) throw error;
			return {
				...outcome,
				matchStatus: 'notChecked',
				reason: `The company was found, but its credit recommendation couldn't be read: ${inOneText(error)}`,
				...(isOutOfRequests(error) && { cause: 'outOfRequests' }),
			};
		},
	);
}

function isOutOfRequests(error: unknown): error is ServiceError {
	const causes = ['quota-exhausted', 'rate-limited'];
	return error instanceof ServiceError && causes.includes(error.failure?.cause ?? '');
}

/** The message and what to do next, since a row has only one field for both. */
function inOneText({ message, description }: ServiceError): string {
	const sentence = message.replace(/[.\s]*$/, '.');
	return description === undefined ? sentence : `${sentence} ${description}`;
}

async function findCompany(call: OperationCall, row: Row, variant: Variant): Promise<RowOutcome> {
	const { idno, name } = row;
	const given = isNoIdno(idno) ? idnoWithin(name) : (idnoWithin(idno) ?? idno);
	if (given === undefined) {
		if (name !== '') return await findByName(call, row, variant);
		return notFound('The row has neither an IDNO nor a name.', { cause: 'unmapped' });
	}
	const outcome = await rowByIdno(call, row, given, variant);
	// If the IDNO belongs to a company of a different name, a person has to decide.
	const isWrong = outcome.cause === 'invalidIdno' || outcome.cause === 'unknownIdno';
	const mayFallBack = row.nameAsFallback && row.minScore <= BEST_FALLBACK;
	if (!isWrong || !mayFallBack || name === '' || name === given) return outcome;
	const named = await findByName(call, row, variant);
	const sentences = [named.company && 'Found by its name.', outcome.reason, named.reason];
	return {
		...named,
		matchScore: Math.min(named.matchScore, BEST_FALLBACK),
		matchQuality: named.matchQuality === 'exact' ? 'strong' : named.matchQuality,
		reason: sentences.filter(Boolean).join(' '),
	};
}

/** The best score of a company that doesn't have the row's IDNO. */
const BEST_FALLBACK = 0.99;

/** Finds the IDNO in a text; undefined if it has several. Phone numbers start with 00. */
function idnoWithin(text: string): string | undefined {
	if (checkIdno(text, { checkDigit: false }).valid) return text;
	const numbers = text.match(/(?<!\d)(?!00)\d{13}(?!\d)/g) ?? [];
	const idnos = numbers.filter((number) => checkIdno(number, { checkDigit: true }).valid);
	return new Set(idnos).size === 1 ? idnos[0] : undefined;
}

/** Spreadsheets often have "-", "n/a" or 0 for an empty cell. */
const isNoIdno = (value: string) => !/[1-9]/.test(value);

/** Looks up an IDNO. An invalid one doesn't cost a request. */
async function rowByIdno(
	call: OperationCall,
	row: Row,
	value: string,
	variant: Variant,
): Promise<RowOutcome> {
	const check = checkIdno(value, { checkDigit: wantsCheckDigit(call) });
	if (!check.valid) return notFound(check.reason, { cause: 'invalidIdno' });
	const { idno } = check;
	if (row.excluded.has(idno)) {
		const reason = `The option "Not These IDNOs" excludes the row's IDNO ${idno}.`;
		return notFound(reason, { cause: 'invalidIdno' });
	}
	const send = async (request: ApiRequest) => await call.send(request);
	const { company, isCutOff } = await findByIdno(send, variant, idno);
	const source = SEARCH_PATHS[variant];
	if (isCutOff) {
		const reason = `The search for the IDNO ${idno} has more results than were read.`;
		return notFound(reason, { source });
	}
	if (!company) {
		return notFound(`No company has the IDNO ${idno}.`, { cause: 'unknownIdno', source });
	}
	const { name, city, legalForm, minScore } = row;
	const differences = contradictionsOf(wantedCompany(name, city, legalForm), company);
	const isExact = differences.length === 0;
	const matchScore = isExact ? LEAST_SCORE.exact : LEAST_SCORE.strong;
	const details = {
		candidates: 1,
		differences: kindsOf({ differences }),
		source,
		matchScore,
	};
	const reason = differences.map(({ text }) => text).join(' ') || null;
	if (matchScore < minScore) return notFound(reason, details);
	return {
		...{ ...details, matchStatus: 'found', company, matchedBy: 'idno', reason },
		...{ matchQuality: isExact ? 'exact' : 'strong', alternatives: [] },
	};
}

async function findByName(call: OperationCall, row: Row, variant: Variant): Promise<RowOutcome> {
	const { name, city, legalForm, excluded, minScore } = row;
	const wanted = wantedCompany(name, city, legalForm);
	if (!hasName(wanted)) {
		return notFound('The name contains only punctuation or contact details.');
	}
	const search = searchByText(call, variant);
	const result = applyMinimum(await searchByName(wanted, search, { excluded }), minScore);
	const { found, ambiguous, results, score, reason } = result;
	const [nearest] = result.alternatives;
	const details = {
		...{ candidates: results, matchScore: roundedScore(score), source: SEARCH_PATHS[variant] },
		alternatives: alternativesOf(result.alternatives),
	};
	if (!found) {
		const differences = nearest && !ambiguous ? kindsOf(nearest) : [];
		const missed = notFound(reason, { ...details, differences });
		return ambiguous ? { ...missed, matchStatus: 'ambiguous' } : missed;
	}
	return {
		...{ ...details, matchStatus: 'found', company: found.company, matchedBy: 'name' },
		...{ matchQuality: found.quality, differences: kindsOf(found), reason },
	};
}

/** The company's recommendation; undefined if the service has none. */
async function creditOf(call: OperationCall, company: Json): Promise<Json | undefined> {
	const idno = idnoOf(company);
	if (idno === undefined) throw unexpectedShape('a company with an "idno"', company);
	const send = async (request: ApiRequest) => await call.send(request);
	return await readCompanyRecord(send, 'credit', idno).catch((error: unknown) => {
		// The API doesn't document how it says that an existing company has no recommendation.
		const isRejected = error instanceof ServiceError && !error.failure;
		if (!isRejected || !['400', '422'].includes(error.httpCode ?? '')) throw error;
		return undefined;
	});
}
