import { unexpectedShape, without } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import {
	CancelledError,
	concernsKey,
	isOutOfRequests,
	ServiceError,
} from '../../shared/http/errors';
import type { ApiRequest } from '../../shared/http/request';
import { isTool } from '../../shared/node/operation';
import type { Operation, OperationCall } from '../../shared/node/operation';
import { requireVariant } from '../api';
import type { Variant } from '../api';
import {
	COMPANY_FIELDS,
	CREDIT_FIELDS,
	idnoOf,
	nameOf,
	RECOMMENDATION_FIELDS,
	sentFields,
	simplify,
} from '../company';
import { checkIdno, idnosIn, readIdno } from '../idno';
import { checkShape, shapeOutput } from '../output/selectFields';
import { findByIdno, readCompanyRecord, searchByText } from '../search';
import { LEAST_SCORE, wantedCompany } from '../names/compare';
import type { MatchQuality } from '../names/compare';
import { candidateOf, contradictionsOf, decide } from '../names/decide';
import type { ComparedCandidate } from '../names/decide';
import { applyMinimum, hasName, searchByName } from '../names/search';
import type { NameSearch } from '../names/search';
import { isIdno } from './columns';
import { alternativesOf, ENRICHED_ROW, notFound, outputItem } from './output';
import type { CompanyColumns, RowOutcome } from './output';
import { RunReport, waitingFor } from './report';
import { rankOf, rowOf, skipReason } from './row';
import type { Row } from './row';

function reportOf(call: OperationCall): RunReport {
	return call.shared('report', () => new RunReport(call.context.continueOnFail()));
}

/** Adds a company's data to rows. Not finding a company isn't an error, nor is running out of quota. */
export const enrich: Operation = {
	endpoints: [],
	fields: ENRICHED_ROW,
	check(call) {
		rowOf(call);
		checkShape(call);
	},
	rank: rankOf,
	async run(call) {
		const row = rowOf(call);
		const report = reportOf(call);
		call.noticeAtEnd(report.hints);
		report.noteRow(row);
		const variant = await variantFor(call, row);
		const skipped = skipReason(call, row);
		const outcome = skipped ? unchecked('skipped', skipped) : await lookUp(call, row, variant);
		report.noteOutcome(row, outcome);
		return [outputItem(row, outcome, companyColumns(call, row, outcome))];
	},
};

async function variantFor(call: OperationCall, { addCredit }: Row): Promise<Variant> {
	if (!addCredit) return await requireVariant(call, ['v1', 'unversioned']);
	const instead = 'turn off "Add Credit Recommendation"';
	return await requireVariant(call, ['v1'], 'The credit recommendation', instead);
}

/** The company's data as columns, the documented ones under their documented names. */
function companyColumns(
	call: OperationCall,
	{ addCredit }: Row,
	{ company = {}, recommendation = {} }: RowOutcome,
): CompanyColumns {
	const names = [...COMPANY_FIELDS, ...(addCredit ? RECOMMENDATION_FIELDS : [])];
	const none = Object.fromEntries(names.map((name) => [name, null]));
	const recommended = recommendedFields(recommendation);
	const sent = { ...company, ...sentFields(company, names), ...recommended };
	const record = { ...company, ...recommended };
	const others = { raw: { ...none, ...sent }, also: recommendation };
	return { fields: shapeOutput(call, record, names, others), sent };
}

/** A credit recommendation as flat fields, without `scoring` and its other groups. */
function recommendedFields(recommendation: Json): Json {
	const sent = sentFields(recommendation, CREDIT_FIELDS);
	const unsent = CREDIT_FIELDS.filter((name) => !(name in sent));
	const simple = { ...simplify(recommendation, CREDIT_FIELDS), ...sent };
	return without(simple, 'idno', 'name', 'status', ...unsent);
}

/** For a row that was skipped, or that ran out of requests. */
function unchecked(result: 'skipped' | 'waiting' | 'failed', reason: string): RowOutcome {
	return { ...notFound(reason), result };
}

async function lookUp(call: OperationCall, row: Row, variant: Variant): Promise<RowOutcome> {
	const found = await orWaiting(call, findCompany(call, row, variant));
	const { company } = found;
	if (!company || !row.addCredit) return found;
	return { ...(await orWaiting(call, withCredit(call, found, company))), company };
}

/** Running out of requests is an outcome of the row, as is a search that the service rejects. */
async function orWaiting(call: OperationCall, outcome: Promise<RowOutcome>): Promise<RowOutcome> {
	return await outcome.catch((error: unknown) => {
		// One odd row must not stop a list every night.
		if (isRejected(error)) return notFound(inOneText(error), { isRejected: true });
		const isWaiting = isOutOfRequests(error) || error instanceof CancelledError;
		if (!isWaiting || isTool(call.context)) throw error;
		reportOf(call).noteWaiting(error);
		return unchecked('waiting', `Waiting for ${waitingFor(error)}.`);
	});
}

/** Whether the service rejected a search for its content. */
function isRejected(error: unknown): error is ServiceError {
	const codes = ['200', '400', '422'];
	return error instanceof ServiceError && !error.failure && codes.includes(error.httpCode ?? '');
}

/** The message and what to do next, since a row has only one field for both. */
function inOneText({ message, description }: ServiceError): string {
	return sentences(message.replace(/[.\s]*$/, '.'), description);
}

function sentences(...texts: Array<string | null | undefined | false>): string {
	return texts.filter(Boolean).join(' ');
}

async function findCompany(call: OperationCall, row: Row, variant: Variant): Promise<RowOutcome> {
	const { idno, name, minScore } = row;
	const given = isNoIdno(idno) ? idnoWithin(name) : (idnoWithin(idno) ?? idno);
	if (given === undefined) {
		if (name !== '') return await findByName(call, row, variant);
		return notFound('The row has neither an IDNO nor a name.', { isUnmapped: true });
	}
	const byIdno = await outcomeOfIdno(call, row, given, variant);
	if (!byIdno.isWrongIdno || minScore === LEAST_SCORE.exact || name === '' || name === given) {
		return byIdno;
	}
	return await findByName(call, row, variant, byIdno);
}

/** The IDNO in a text, unless it has several. */
function idnoWithin(text: string): string | undefined {
	const idnos = new Set(idnosIn(text).filter(isIdno));
	return readIdno(text) ?? (idnos.size === 1 ? [...idnos][0] : undefined);
}

/** Spreadsheets often have "-", "n/a" or 0 for an empty cell. */
const isNoIdno = (value: string) => !/[1-9]/.test(value);

/** The outcome of looking up an IDNO. */
interface IdnoOutcome extends RowOutcome {
	/** Whether the IDNO doesn't lead to the row's company, so that its name may. */
	isWrongIdno?: boolean;
	/** The best quality of a company that's found by the name instead. */
	bestByName?: (idno: string | undefined) => MatchQuality;
}

/** Looks up an IDNO. An invalid one doesn't cost a request. */
async function outcomeOfIdno(
	call: OperationCall,
	row: Row,
	value: string,
	variant: Variant,
): Promise<IdnoOutcome> {
	const check = checkIdno(value, { checkDigit: true });
	const { idno } = check;
	const isWrongIdno = true;
	if (!check.valid) {
		const bestByName = (found = '') => (isTypo(idno, found) ? 'strong' : 'likely');
		return { ...notFound(check.reason), isWrongIdno, bestByName };
	}
	if (row.excluded.has(idno)) {
		const reason = `The option "Exclude IDNOs" excludes the row's IDNO ${idno}.`;
		return { ...notFound(reason), isWrongIdno, bestByName: () => 'likely' };
	}
	const { company, isCutOff } = await findByIdno(sendBy(call), variant, idno);
	if (isCutOff) {
		return notFound(`The search for the IDNO ${idno} has more results than were read.`);
	}
	if (!company) {
		// Often a dissolved company, whose name may belong to another one by now.
		const reason = `No company has the IDNO ${idno}.`;
		return { ...notFound(reason), isWrongIdno, bestByName: () => 'likely' };
	}
	return compareWithRow(row, company, idno);
}

/** Compares the row's other values with the company that has its IDNO. */
function compareWithRow(row: Row, company: Json, idno: string): IdnoOutcome {
	const { name, city, legalForm, minScore, isIdnoNamed } = row;
	const wanted = wantedCompany(name, city, legalForm);
	const differences = contradictionsOf(wanted, company);
	if (!isIdnoNamed && differences.some(({ kind }) => kind === 'words')) {
		const reason = `The row's number ${idno} is the IDNO of ${nameOf(company) ?? 'another company'}.`;
		return { ...notFound(reason), isWrongIdno: true };
	}
	const quality =
		differences.length === 0 ? 'exact' : isAnother(wanted, company) ? 'likely' : 'strong';
	const reason = sentences(...differences.map(({ text }) => text));
	if (LEAST_SCORE[quality] < minScore) {
		const candidate = candidateOf(company);
		const alternatives = alternativesOf(candidate ? [candidate] : []);
		return notFound(reason, { alternatives, refused: quality });
	}
	return { ...{ result: 'found', company, reason, quality }, alternatives: '' };
}

/** Whether a company has an entirely different name than the row. */
function isAnother(wanted: ReturnType<typeof wantedCompany>, company: Json): boolean {
	const candidate = candidateOf(company);
	if (!candidate || !hasName(wanted)) return false;
	const { found, alternatives } = decide(wanted, [candidate]);
	return !found && alternatives.length === 0;
}

/** Whether two numbers differ by one digit, or by two neighbors in the other order. */
function isTypo(a: string, b: string): boolean {
	let start = 0;
	while (start < a.length && a[start] === b[start]) start++;
	const isRest = (ofA: number, ofB: number) => a.slice(start + ofA) === b.slice(start + ofB);
	const isSwapped = a[start] === b[start + 1] && a[start + 1] === b[start] && isRest(2, 2);
	return isRest(1, 1) || isRest(1, 0) || isRest(0, 1) || isSwapped;
}

async function findByName(
	call: OperationCall,
	row: Row,
	variant: Variant,
	byIdno?: IdnoOutcome,
): Promise<RowOutcome> {
	const { minScore } = row;
	const result = await searchFor(call, row, variant);
	if (!result) return notFound('The name contains only punctuation or contact details.');
	const best = result.found && byIdno?.bestByName?.(result.found.idno);
	const limited = best ? limitedTo(best, result) : result;
	const applied = applyMinimum(limited, minScore);
	const { found, ambiguous } = applied;
	const alternatives = alternativesOf(applied.alternatives);
	const otherIdno = best && !found && `${limited.found?.title} isn't the company of this IDNO.`;
	const reason = sentences(
		byIdno && found && 'Found by its name.',
		byIdno?.reason,
		otherIdno || applied.reason,
	);
	if (found) {
		const { company, quality } = found;
		return { result: 'found', company, quality, alternatives, reason };
	}
	const refused = limited.found?.quality;
	return {
		...notFound(reason, { alternatives, refused }),
		...(ambiguous && { result: 'ambiguous' }),
	};
}

/** Searches for a row's name. A place that needn't be the company's decides only between namesakes. */
async function searchFor(
	call: OperationCall,
	{ name, city, otherPlace, legalForm, excluded }: Row,
	variant: Variant,
): Promise<NameSearch | undefined> {
	const wanted = wantedCompany(name, city, legalForm);
	if (!hasName(wanted)) return undefined;
	const search = searchByText(call, variant);
	const result = await searchByName(wanted, search, { excluded });
	if (!result.ambiguous || otherPlace === '') return result;
	const placed = await searchByName(wantedCompany(name, otherPlace, legalForm), search, {
		excluded,
	});
	const isThere = placed.found?.differences.every(({ kind }) => kind !== 'city');
	return isThere ? placed : result;
}

/** Lowers the quality of the company that was found. */
function limitedTo(best: MatchQuality, result: NameSearch): NameSearch {
	const { found } = result;
	if (!found) return result;
	const most = best === 'strong' ? LEAST_SCORE.exact : LEAST_SCORE.strong;
	if (found.score < most) return result;
	const limited: ComparedCandidate = { ...found, quality: best, score: most - 0.01 };
	return { ...result, found: limited, score: limited.score };
}

/** What the run knows about recommendations that the service denied. */
const newDenials = () => ({ inARow: 0, reason: '' });

/** How many denials in a row mean that the plan has no recommendations. */
const MOST_DENIALS = 3;

const ABOUT_PLAN =
	/plan|upgrade|subscri|permission|\brights?\b|includ|abonament|drept|permis|план|тариф|подписк|прав/i;

/** Adds a company's recommendation. If the plan has none, it isn't requested again in this run. */
async function withCredit(
	call: OperationCall,
	found: RowOutcome,
	company: Json,
): Promise<RowOutcome> {
	const idno = idnoOf(company);
	if (idno === undefined) throw unexpectedShape('a company with an "idno"', company);
	const denials = await call.memo('denials', newDenials);
	if (denials.reason) return { ...found, reason: sentences(found.reason, denials.reason) };
	return await readCompanyRecord(sendBy(call), 'credit', idno).then(
		(recommendation) => {
			denials.inARow = 0;
			return { ...found, recommendation };
		},
		(error: unknown) => {
			if (concernsKey(error) || !(error instanceof ServiceError)) throw error;
			const { failure, httpCode, message } = error;
			// The API doesn't document how it says that an existing company has no recommendation.
			if (!failure && ['400', '422'].includes(httpCode ?? '')) return found;
			const reason = `The credit recommendation couldn't be read: ${inOneText(error)}`;
			if (failure || httpCode !== '403') {
				if (!call.context.continueOnFail()) throw error;
				return unchecked('failed', `The company was found. ${reason}`);
			}
			denials.inARow++;
			const isPlan = ABOUT_PLAN.test(message) || denials.inARow >= MOST_DENIALS;
			if (isPlan) denials.reason = reason;
			return { ...found, reason: sentences(found.reason, reason) };
		},
	);
}

function sendBy(call: OperationCall) {
	return async (request: ApiRequest) => await call.send(request);
}
