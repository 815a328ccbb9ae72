import { DAY_MS, systemClock } from '../../shared/http/clock';
import {
	isDenied,
	isInvalidInput,
	isOutOfRequests,
	serviceErrorOf,
} from '../../shared/http/errors';
import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { isBlank } from '../../shared/node/validators';
import { COMPANY_FIELDS, idnoOf, nameOf, readCompany } from '../company';
import { isIdno, readIdno } from '../idno';
import { compare, LEAST_SCORE, type MatchQuality } from '../names/compare';
import { candidateOf, contradictionsOf } from '../names/decide';
import { isUnchanged } from '../output/changes';
import { findByIdno, readCompanyRecord } from '../search';
import { CHECK_FAILED, CREDIT_WAITS } from './earlier';
import { wantedOf, type Check } from './newMatch';
import { ROLES, rowOutcome, sentences, textOf, type RowOutcome } from './outcome';
import { isEndOfRequests, waitingFor } from './requests';
import type { Row } from './row';
import { SEARCHED_AT } from './state';

/** How old a search's data may be if the recommendation shows nothing new. */
const SEARCH_LASTS_MS = 30 * DAY_MS;
/** Fields that only a search has. */
const ONLY_SEARCHED = COMPANY_FIELDS.filter((field) => !['idno', 'name', 'status'].includes(field));

/** The row's IDNO, if it isn't the known company's. */
function otherIdno(row: Row): string | undefined {
	const idno = readIdno(row.idno);
	return idno === row.earlier.idno ? undefined : idno;
}

/** The company that an earlier run has found for the row, unless the row means another one by now. */
export function companyToKeep(row: Row): string | undefined {
	const { corrected, earlier, excluded } = row;
	const { idno } = earlier;
	const isCorrected = corrected.has('name') || corrected.has('idno');
	if (idno === undefined || isCorrected || excluded.has(idno)) return undefined;
	// Where it isn't stored what the row said, the IDNO of an exact match has been corrected if it differs.
	const [quality, input] = [earlier.values.get('match_quality'), earlier.values.get('match_input')];
	const wasExact = isBlank(input) && (isBlank(quality) || quality === 'exact');
	return wasExact && isIdno(otherIdno(row)) ? undefined : idno;
}

/** Why the row isn't the one that was checked, e.g. `At the last check, the row's name was "Agro".` */
export function correctionText({ corrected }: Row): string {
	const [[role, from] = []] = corrected;
	if (role === undefined) return '';
	return from
		? `At the last check, the row's ${ROLES[role]} was "${from}".`
		: `At the last check, the row had no ${ROLES[role]}.`;
}

/**
 * Looks up the company that an earlier run has found, by its IDNO alone. It stays the row's company even
 * if the registry has renamed or moved it. With the recommendation, which has the name and the status, the
 * search is left out if it would show nothing new.
 *
 * @returns undefined if what was corrected in the row contradicts the company
 */
export async function checkKnown(check: Check, idno: string): Promise<RowOutcome | undefined> {
	const { row, variant, sender } = check;
	const isEnough = row.addCredit && row.corrected.size === 0 && isSearched(row);
	const first = isEnough ? await readRecommendation(check, idno) : undefined;
	if (first?.record && isAsStored(row, first.record)) return stayed(row, first.record);
	// Of two records with the IDNO, the one of last time.
	const isStored = (each: Json) => Number(isUnchanged(row.earlier.field('name'), nameOf(each)));
	const company = (await findByIdno(sender, variant, idno, isStored)) ?? first?.record;
	if (contradictsCorrection(row, company)) return undefined;
	if (!company) return notShown(row);
	const found = { ...stayed(row, company), isSearched: true };
	return row.addCredit ? await withCredit(check, found) : found;
}

/** Whether a corrected cell speaks against the company as it's shown, or as it was shown last. */
function contradictsCorrection(row: Row, company: Json | undefined): boolean {
	if (row.corrected.size === 0) return false;
	const shown = company ?? row.earlier.company;
	return contradictionsOf(wantedOf(row, row.corrected), shown).length > 0;
}

function isSearched({ earlier }: Row): boolean {
	const at = readMoment(earlier.values.get(SEARCHED_AT));
	if (at !== undefined) return systemClock.now() - at < SEARCH_LASTS_MS;
	return ONLY_SEARCHED.some((field) => !isBlank(earlier.field(field)));
}

/** Whether a record shows the name and the status that the row has. */
function isAsStored(row: Row, record: Json): boolean {
	const { name, status } = readCompany(record);
	const isSame = isUnchanged(row.earlier.field('name'), name);
	return isSame && status !== undefined && isUnchanged(row.earlier.field('status'), status);
}

/** The outcome for a company that is still the row's. */
function stayed(row: Row, company: Json): RowOutcome {
	const stored = row.earlier.values.get('match_quality');
	const isKnown = String(stored) in LEAST_SCORE && stored !== 'none';
	const quality = isKnown ? (stored as MatchQuality) : 'exact';
	const known = { ...row.earlier.company, ...company };
	const wanted = wantedOf(row);
	const candidate = quality === 'exact' || row.name === '' ? undefined : candidateOf(known);
	const differences = candidate
		? compare(wanted, candidate).differences
		: contradictionsOf(wanted, known);
	const other = otherIdno(row);
	// The row hasn't been corrected, so an exact match that has another name now was renamed.
	const isRenamed = !candidate && differences.some(({ kind }) => kind === 'words');
	const texts = isRenamed
		? [`The registry has renamed this company to ${nameOf(known)?.replace(/\.$/, '')}.`]
		: differences.map(({ text }) => text);
	const reason = sentences(
		other && `The row's number ${other} isn't this company's IDNO.`,
		...texts,
	);
	return rowOutcome('found', reason, { company, quality });
}

/** What the row says about a company that the registry hasn't shown. */
export function missingText({ earlier }: Row): string {
	const since = earlier.missingSince;
	return since === undefined ? '' : `Not shown since ${since}.`;
}

/** The registry may miss a company for a night, so it's gone only if a check on a later day misses it again. */
function notShown({ earlier }: Row): RowOutcome {
	const today = new Date(systemClock.now()).toISOString().slice(0, 10);
	const since = earlier.missingSince ?? today;
	const isGone = since !== today || earlier.status === 'notFound';
	const reason = sentences(isGone && 'No longer in the registry.', `Not shown since ${since}.`);
	return rowOutcome('notShown', reason, isGone ? { note: 'gone' } : {});
}

/** A company's recommendation, if it has one, or why it couldn't be read. */
interface CreditReading {
	record?: Json;
	reason?: string;
	/** It may be readable another time, unlike one that the plan lacks. */
	isTemporary?: boolean;
}

/** Adds a company's recommendation. */
export async function withCredit(check: Check, found: RowOutcome): Promise<RowOutcome> {
	const idno = found.company && idnoOf(found.company);
	if (idno === undefined) return found;
	const reading = await readRecommendation(check, idno).catch(unfinished);
	const { record, reason, isTemporary } = reading;
	return {
		...found,
		company: { ...record, ...found.company },
		reason: isTemporary ? sentences(reason, found.reason) : sentences(found.reason, reason),
		note: isTemporary ? 'incomplete' : found.note,
	};
}

/** The search has been paid for, so its result counts although the quota has ended. */
function unfinished(error: unknown): CreditReading {
	if (!isEndOfRequests(error)) throw error;
	return { reason: `${CREDIT_WAITS} ${waitingFor(error)}.`, isTemporary: true };
}

/** Reads a recommendation. After three failures in a row, the run asks for no more of them. */
async function readRecommendation(check: Check, idno: string): Promise<CreditReading> {
	const { requests, sender, call } = check;
	const { outage } = requests.credits;
	// A run sends the same request once, so a row can ask twice.
	const read = outage ? Promise.reject(outage) : readCompanyRecord(sender, 'credit', idno);
	return await read.then(
		(record) => {
			requests.credits.note();
			return { record };
		},
		async (error: unknown) => {
			// The API doesn't document how it says that an existing company has no recommendation.
			if (isInvalidInput(error)) return {};
			if (isOutOfRequests(error)) throw error;
			const failure = serviceErrorOf(error);
			requests.credits.note(failure);
			const isTemporary = !isDenied(failure);
			const text = `The credit recommendation couldn't be read: ${await textOf(call, failure)}`;
			return { reason: sentences(isTemporary && CHECK_FAILED, text), isTemporary };
		},
	);
}
