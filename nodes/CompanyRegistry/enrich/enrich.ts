import { shown } from '../../shared/http/credential';
import {
	CanceledError,
	isDenied,
	isInvalidInput,
	isOutOfRequests,
	ServiceError,
} from '../../shared/http/errors';
import type { Json } from '../../shared/http/json';
import { withRemedy } from '../../shared/node/nodeError';
import type { Operation, OperationCall } from '../../shared/node/operation';
import { callVariant, otherVariant } from '../api';
import type { Variant } from '../api';
import { idnoOf, nameOf } from '../company';
import { checkIdno, idnoWithin } from '../idno';
import { LEAST_SCORE, wantedCompany } from '../names/compare';
import type { MatchQuality } from '../names/compare';
import { candidateOf, contradictionsOf, decide } from '../names/decide';
import { applyMinimum, searchByName } from '../names/search';
import type { NameSearch } from '../names/search';
import { readShape } from '../output/shape';
import { findByIdno, readCompanyRecord, searchByText } from '../search';
import { alternativesOf, ENRICHED_ROW, notFound, outputItem } from './item';
import type { RowOutcome } from './item';
import { RunReport, waitingFor } from './report';
import { isSkipped, rowOf } from './row';
import type { Row } from './row';

/** Adds a company's data to rows. Not finding a company isn't an error, nor is running out of quota. */
export const enrich: Operation = {
	endpoints: [],
	fields: ENRICHED_ROW,
	prepare(call) {
		const row = rowOf(call);
		const shape = readShape(call);
		return {
			// The rows that were checked longest ago go first, those that were never checked before all others.
			rank: row.earlier.checkedAt ?? -Infinity,
			async run() {
				const report = call.run.report(() => new RunReport());
				const variant = await callVariant(call);
				if (row.addCredit && variant !== 'v1') {
					const instead = 'turn off "Add Credit Recommendation"';
					throw otherVariant('The credit recommendation', variant, instead);
				}
				const outcome = await lookUp(call, row, variant);
				report.note(row, outcome);
				return [outputItem(shape, row, outcome)];
			},
		};
	},
};

async function lookUp(call: OperationCall, row: Row, variant: Variant): Promise<RowOutcome> {
	if (isSkipped(row)) {
		return notFound(`Checked in the last ${row.skipDays} days.`, { result: 'skipped' });
	}
	return await findCompany(call, row, variant)
		.then(async (found) => (row.addCredit ? await withCredit(call, found) : found))
		.catch(async (error: unknown) => await outcomeOf(call, error));
}

/** Running out of requests is an outcome of the row, as is a search that the service rejects. */
async function outcomeOf(call: OperationCall, error: unknown): Promise<RowOutcome> {
	// One odd row must not stop a list every night.
	if (isInvalidInput(error))
		return notFound(await textOf(call, error), { note: 'rejected', error });
	if (!isOutOfRequests(error) && !(error instanceof CanceledError)) throw error;
	return notFound(`Waiting for ${waitingFor(error)}.`, { result: 'waiting', error });
}

/** The message and what to do next, since a row has only one field for both. */
async function textOf(call: OperationCall, error: ServiceError): Promise<string> {
	const { mask } = (await call.connection()).account;
	return shown(withRemedy(error), mask);
}

function sentences(...texts: Array<string | null | undefined | false>): string {
	return texts.filter(Boolean).join(' ');
}

/** Looks a row up by its IDNO, or by its name if the IDNO doesn't lead to a company. */
async function findCompany(call: OperationCall, row: Row, variant: Variant): Promise<RowOutcome> {
	const { name, minScore } = row;
	const written = row.idno === '' ? idnoWithin(name) : (idnoWithin(row.idno) ?? row.idno);
	const isNamed = name !== '' && name !== written;
	if (written === undefined || row.excluded.has(written)) {
		if (isNamed) return outcomeByName(await searchName(call, row, variant), row);
		if (written) return notFound(`The option "Exclude IDNOs" excludes the row's IDNO ${written}.`);
		return notFound('The row has neither an IDNO nor a name.', { note: 'unmapped' });
	}
	const { idno, ...check } = checkIdno(written, { checkDigit: true });
	// An invalid IDNO doesn't cost a request.
	const company = check.valid ? await findByIdno(call, variant, idno) : undefined;
	const outcome = company && compareWithRow(row, company);
	if (outcome) return outcome;
	const unknown = check.valid ? `No company has the IDNO ${idno}.` : check.reason;
	const reason = company ? `The row's number ${idno} is the IDNO of ${nameOf(company)}.` : unknown;
	if (!isNamed || minScore === LEAST_SCORE.exact) return notFound(reason);
	const searched = await searchName(call, row, variant);
	return outcomeByName(searched, row, reason, (found) => {
		if (company) return 'exact';
		// An unknown IDNO is often that of a dissolved company, whose name may be another one's by now.
		return isTypo(idno, found ?? '') ? 'strong' : 'likely';
	});
}

/**
 * Compares the row's other values with the company that has its IDNO. Undefined if the company has another
 * name and the column's heading doesn't call the number an IDNO: then it belongs to something else.
 */
function compareWithRow(row: Row, company: Json): RowOutcome | undefined {
	const wanted = wantedCompany(row.name, row.isOwnPlace ? row.city : '', row.legalForm);
	const candidates = [candidateOf(company)].filter((each) => each !== undefined);
	const differences = contradictionsOf(wanted, company);
	const hasOtherName = differences.some(({ kind }) => kind === 'words');
	if (hasOtherName && !row.isIdnoNamed) return undefined;
	// An entirely different name isn't even an alternative.
	const isAnother = hasOtherName && decide(wanted, candidates).alternatives.length === 0;
	const quality = differences.length === 0 ? 'exact' : isAnother ? 'likely' : 'strong';
	const reason = sentences(...differences.map(({ text }) => text));
	return LEAST_SCORE[quality] < row.minScore
		? notFound(reason, { note: 'belowMinimum', alternatives: alternativesOf(candidates) })
		: notFound(reason, { result: 'found', company, quality });
}

/** Whether two numbers differ by one digit, or by two neighbors in the other order. */
function isTypo(a: string, b: string): boolean {
	let start = 0;
	while (start < a.length && a[start] === b[start]) start++;
	const isRest = (ofA: number, ofB: number) => a.slice(start + ofA) === b.slice(start + ofB);
	const isSwapped = a[start] === b[start + 1] && a[start + 1] === b[start] && isRest(2, 2);
	return isRest(1, 1) || isRest(1, 0) || isRest(0, 1) || isSwapped;
}

/**
 * @param idnoReason why the row's IDNO hasn't led to a company
 * @param bestFor the best quality of a company with this IDNO
 */
function outcomeByName(
	searched: NameSearch,
	{ minScore }: Row,
	idnoReason = '',
	bestFor: (idno: string | undefined) => MatchQuality = () => 'exact',
): RowOutcome {
	const result = applyMinimum(searched, minScore);
	const { found, ambiguous, reason, alternatives } = result;
	const best = bestFor(found?.idno);
	if (!found || LEAST_SCORE[best] < minScore) {
		const otherIdno = found && `${found.title} has this name, but a different IDNO.`;
		return notFound(sentences(idnoReason, otherIdno ?? reason), {
			result: ambiguous ? 'ambiguous' : 'notFound',
			note: searched.found && 'belowMinimum',
			alternatives: alternativesOf(found ? [found, ...alternatives] : alternatives),
		});
	}
	return notFound(sentences(idnoReason && 'Found by its name.', idnoReason, reason), {
		result: 'found',
		company: found.company,
		quality: LEAST_SCORE[best] < found.score ? best : found.quality,
		alternatives: alternativesOf(alternatives),
	});
}

/** Searches for a row's name. A place that needn't be the company's decides only between namesakes. */
async function searchName(call: OperationCall, row: Row, variant: Variant): Promise<NameSearch> {
	const { name, city, isOwnPlace, legalForm, excluded } = row;
	const search = async (place: string) => {
		const wanted = wantedCompany(name, place, legalForm);
		return await searchByName(wanted, searchByText(call, variant), { excluded });
	};
	const result = await search(isOwnPlace ? city : '');
	if (!result.ambiguous || isOwnPlace) return result;
	const placed = await search(city);
	const isThere = placed.found?.differences.every(({ kind }) => kind !== 'city');
	return isThere ? placed : result;
}

/** How many denials in a row mean that the plan has no recommendations. */
const MOST_DENIALS = 3;

/** Adds a company's recommendation. If the plan has none, it isn't requested again in this run. */
async function withCredit(call: OperationCall, found: RowOutcome): Promise<RowOutcome> {
	const idno = found.company && idnoOf(found.company);
	if (idno === undefined) return found;
	const denials = await call.memo('denials', () => ({ inARow: 0, reason: '' }));
	const denied = () => ({ ...found, reason: sentences(found.reason, denials.reason) });
	if (denials.inARow >= MOST_DENIALS) return denied();
	return await readCompanyRecord(call, 'credit', idno).then(
		(recommendation) => {
			denials.inARow = 0;
			return { ...found, company: { ...recommendation, ...found.company } };
		},
		async (error: unknown) => {
			// The API doesn't document how it says that an existing company has no recommendation.
			if (isInvalidInput(error)) return found;
			if (isOutOfRequests(error) || !(error instanceof ServiceError)) throw error;
			const reason = `The credit recommendation couldn't be read: ${await textOf(call, error)}`;
			if (!isDenied(error)) {
				if (!call.context.continueOnFail()) throw error;
				return { ...found, result: 'failed', reason };
			}
			denials.reason = reason;
			denials.inARow++;
			return denied();
		},
	);
}
