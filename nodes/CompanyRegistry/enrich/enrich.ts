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
import { idnoOf, nameOf } from '../company';
import { checkIdno, idnosIn, readIdno } from '../idno';
import { LEAST_SCORE, wantedCompany } from '../names/compare';
import type { MatchQuality } from '../names/compare';
import { candidateOf, contradictionsOf, decide } from '../names/decide';
import { applyMinimum, hasName, searchByName } from '../names/search';
import type { NameSearch } from '../names/search';
import { checkShape } from '../output/selectFields';
import { findByIdno, readCompanyRecord, searchByText } from '../search';
import { isIdno } from './columns';
import { alternativesOf, ENRICHED_ROW, notFound, outputItem } from './output';
import type { RowOutcome } from './output';
import { RunReport, waitingFor } from './report';
import { rankOf, rowOf, skipReason } from './row';
import type { Row } from './row';

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
		const report = call.shared('report', () => new RunReport(call.context.continueOnFail()));
		call.noticeAtEnd(report.hints);
		report.noteRow(row);
		const variant = row.addCredit
			? await requireVariant(call, ['v1'], 'The credit recommendation', WITHOUT_CREDIT)
			: await requireVariant(call, ['v1', 'unversioned']);
		const skipped = skipReason(row);
		const outcome = skipped ? notChecked('skipped', skipped) : await lookUp({ call, row, variant });
		report.noteOutcome(row, outcome);
		return [outputItem(call, row, outcome)];
	},
};

const WITHOUT_CREDIT = 'turn off "Add Credit Recommendation"';

/** What looking up a row needs. */
interface LookUp {
	call: OperationCall;
	row: Row;
	variant: Variant;
}

function notChecked(result: 'skipped' | 'waiting' | 'failed', reason: string): RowOutcome {
	return { ...notFound(reason), result };
}

async function lookUp(looking: LookUp): Promise<RowOutcome> {
	const { call, row } = looking;
	const found = await orWaiting(call, findCompany(looking));
	const { company } = found;
	if (!company || !row.addCredit) return found;
	return { ...(await orWaiting(call, withCredit(call, found, company))), company };
}

/** Running out of requests is an outcome of the row, as is a search that the service rejects. */
async function orWaiting(call: OperationCall, outcome: Promise<RowOutcome>): Promise<RowOutcome> {
	return await outcome.catch(async (error: unknown) => {
		// One odd row must not stop a list every night.
		if (isRejection(error)) return notFound(await inOneText(call, error), { rejection: error });
		const isWaiting = isOutOfRequests(error) || error instanceof CancelledError;
		if (!isWaiting || isTool(call.context)) throw error;
		return { ...notChecked('waiting', `Waiting for ${waitingFor(error)}.`), failure: error };
	});
}

/** Whether the service rejected a request for its content. */
function isRejection(error: unknown): error is ServiceError {
	const codes = ['200', '400', '422'];
	return error instanceof ServiceError && !error.failure && codes.includes(error.httpCode ?? '');
}

/** The message and what to do next, since a row has only one field for both. */
async function inOneText(
	call: OperationCall,
	{ message, description }: ServiceError,
): Promise<string> {
	const { account } = await call.connection();
	return account.mask(sentences(message.replace(/[.\s]*$/, '.'), description));
}

function sentences(...texts: Array<string | null | undefined | false>): string {
	return texts.filter(Boolean).join(' ');
}

/** Looks a row up by its IDNO, or by its name if the IDNO doesn't lead to a company. */
async function findCompany(looking: LookUp): Promise<RowOutcome> {
	const { idno, name, minScore } = looking.row;
	// Spreadsheets often have "-", "n/a" or 0 for an empty cell.
	const given = /[1-9]/.test(idno) ? (idnoWithin(idno) ?? idno) : idnoWithin(name);
	if (given === undefined) {
		if (name !== '') return await findByName(looking);
		return notFound('The row has neither an IDNO nor a name.', { isUnmapped: true });
	}
	const byIdno = await outcomeOfIdno(looking, given);
	const mayFallBack = byIdno.bestByName && minScore < LEAST_SCORE.exact;
	if (!mayFallBack || name === '' || name === given) return byIdno;
	return await findByName(looking, byIdno);
}

/** The IDNO in a text, unless it has several. */
function idnoWithin(text: string): string | undefined {
	const idnos = new Set(idnosIn(text).filter(isIdno));
	return readIdno(text) ?? (idnos.size === 1 ? [...idnos][0] : undefined);
}

/** The outcome of looking up an IDNO. */
interface IdnoOutcome extends RowOutcome {
	/** The best quality of a company that's found by the name instead, if the IDNO leads to none. */
	bestByName?: (idno: string | undefined) => MatchQuality;
}

/** Looks up an IDNO. An invalid one doesn't cost a request. */
async function outcomeOfIdno({ call, row, variant }: LookUp, value: string): Promise<IdnoOutcome> {
	const { idno, ...check } = checkIdno(value, { checkDigit: true });
	if (!check.valid) {
		const bestByName = (found = '') => (isTypo(idno, found) ? 'strong' : 'likely');
		return { ...notFound(check.reason), bestByName };
	}
	if (row.excluded.has(idno)) {
		const reason = `The option "Exclude IDNOs" excludes the row's IDNO ${idno}.`;
		// The column that the option reads has IDNOs too.
		return { ...notFound(reason), bestByName: () => (row.isIdnoNamed ? 'likely' : 'exact') };
	}
	const { company, isCutOff } = await findByIdno(
		async (each) => await call.send(each),
		variant,
		idno,
	);
	if (company) return compareWithRow(row, company, idno);
	if (isCutOff) {
		return notFound(`The search for the IDNO ${idno} has more results than the node read.`);
	}
	// Often a dissolved company, whose name may belong to another one by now.
	return { ...notFound(`No company has the IDNO ${idno}.`), bestByName: () => 'likely' };
}

/** A company whose name scores less has an entirely different one. */
const LEAST_ALIKE = 0.15;

/** Compares the row's other values with the company that has its IDNO. */
function compareWithRow(row: Row, company: Json, idno: string): IdnoOutcome {
	const wanted = wantedCompany(row.name, row.isOwnPlace ? row.city : '', row.legalForm);
	const candidates = [candidateOf(company)].filter((each) => each !== undefined);
	const differences = contradictionsOf(wanted, company);
	const hasOtherName = differences.some(({ kind }) => kind === 'words');
	if (hasOtherName && !row.isIdnoNamed) {
		const reason = `The row's number ${idno} is the IDNO of ${nameOf(company)}.`;
		return { ...notFound(reason), bestByName: () => 'exact' };
	}
	const isAnother = hasOtherName && decide(wanted, candidates).score < LEAST_ALIKE;
	const quality = differences.length === 0 ? 'exact' : isAnother ? 'likely' : 'strong';
	const missed = notFound(sentences(...differences.map(({ text }) => text)));
	if (LEAST_SCORE[quality] >= row.minScore) return { ...missed, result: 'found', company, quality };
	return { ...missed, alternatives: alternativesOf(candidates), isRefused: true };
}

/** Whether two numbers differ by one digit, or by two neighbors in the other order. */
function isTypo(a: string, b: string): boolean {
	let start = 0;
	while (start < a.length && a[start] === b[start]) start++;
	const isRest = (ofA: number, ofB: number) => a.slice(start + ofA) === b.slice(start + ofB);
	const isSwapped = a[start] === b[start + 1] && a[start + 1] === b[start] && isRest(2, 2);
	return isRest(1, 1) || isRest(1, 0) || isRest(0, 1) || isSwapped;
}

/** @param byIdno what looking up the row's IDNO has found out before */
async function findByName(looking: LookUp, byIdno?: IdnoOutcome): Promise<RowOutcome> {
	const searched = await searchFor(looking);
	if (!searched) return notFound('The name contains only punctuation or contact details.');
	const best = byIdno?.bestByName?.(searched.found?.idno) ?? 'exact';
	const limited = limitedTo(best, searched);
	const { found, ambiguous, reason, ...result } = applyMinimum(limited, looking.row.minScore);
	const isRefused = !found && limited.found !== undefined;
	const isOther = isRefused && limited !== searched;
	const outcome = notFound(
		sentences(
			byIdno && found && 'Found by its name.',
			byIdno?.reason,
			isOther ? `${limited.found?.title} has this name, but a different IDNO.` : reason,
		),
		{ alternatives: alternativesOf(result.alternatives), isRefused },
	);
	if (found) return { ...outcome, result: 'found', company: found.company, quality: found.quality };
	return ambiguous ? { ...outcome, result: 'ambiguous' } : outcome;
}

/** Searches for a row's name. A place that needn't be the company's decides only between namesakes. */
async function searchFor({ call, row, variant }: LookUp): Promise<NameSearch | undefined> {
	const { name, city, isOwnPlace, legalForm, excluded } = row;
	const search = async (place: string) => {
		const wanted = wantedCompany(name, place, legalForm);
		return await searchByName(wanted, searchByText(call, variant), { excluded });
	};
	if (!hasName(wantedCompany(name))) return undefined;
	const result = await search(isOwnPlace ? city : '');
	if (!result.ambiguous || isOwnPlace) return result;
	const placed = await search(city);
	const isThere = placed.found?.differences.every(({ kind }) => kind !== 'city');
	return isThere ? placed : result;
}

/** Lowers the quality of the company that was found. */
function limitedTo(best: MatchQuality, result: NameSearch): NameSearch {
	const { found } = result;
	const limit = { exact: Infinity, strong: LEAST_SCORE.exact, likely: LEAST_SCORE.strong, none: 0 };
	if (!found || found.score < limit[best]) return result;
	const score = limit[best] - 0.01;
	return { ...result, found: { ...found, quality: best, score }, score };
}

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
	if (idno === undefined) return found;
	const denials = await call.memo('denials', () => ({ inARow: 0, reason: '' }));
	if (denials.reason) return { ...found, reason: sentences(found.reason, denials.reason) };
	const send = async (request: ApiRequest) => await call.send(request);
	return await readCompanyRecord(send, 'credit', idno).then(
		(recommendation) => {
			denials.inARow = 0;
			return { ...found, recommendation };
		},
		async (error: unknown) => {
			// The API doesn't document how it says that an existing company has no recommendation.
			if (isRejection(error)) return found;
			if (concernsKey(error) || !(error instanceof ServiceError)) throw error;
			const reason = `The credit recommendation couldn't be read: ${await inOneText(call, error)}`;
			if (error.failure || error.httpCode !== '403') {
				if (!call.context.continueOnFail()) throw error;
				return notChecked('failed', `The company was found. ${reason}`);
			}
			denials.inARow++;
			const isOfPlan = ABOUT_PLAN.test(error.message) || denials.inARow >= MOST_DENIALS;
			if (isOfPlan) denials.reason = reason;
			return { ...found, reason: sentences(found.reason, reason) };
		},
	);
}
