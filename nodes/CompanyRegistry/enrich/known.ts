import { DAY_MS, systemClock } from '../../shared/http/clock';
import { isDenied, isInvalidInput, isOutOfRequests, ServiceError } from '../../shared/http/errors';
import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { isBlank } from '../../shared/node/validators';
import { COMPANY_FIELDS, idnoOf, nameOf, readCompany } from '../company';
import { isIdno, readIdno } from '../idno';
import { compare, LEAST_SCORE, wantedCompany } from '../names/compare';
import type { MatchQuality } from '../names/compare';
import { candidateOf, contradictionsOf } from '../names/decide';
import { isUnchanged } from '../output/changes';
import { findByIdno, readCompanyRecord } from '../search';
import { contradictsCorrection } from './newMatch';
import type { Check } from './newMatch';
import { ROLES, rowOutcome, sentences, textOf } from './outcome';
import type { RowOutcome } from './outcome';
import { isEndOfRequests, MOST_FAILURES, waitingFor } from './requests';
import type { FailedReading } from './requests';
import type { Row } from './row';
import { PREFIX, SEARCHED_AT } from './state';

/** How old a search's data may be if the recommendation shows nothing new. */
const SEARCH_LASTS_MS = 30 * DAY_MS;
/** Fields that only a search has. */
const ONLY_SEARCHED = COMPANY_FIELDS.filter((field) => !['idno', 'name', 'status'].includes(field));

/** Begins the reason of a row that is due again, although it has the date of a check. */
export const CHECK_FAILED = 'The check failed.';
/** Begins the reason of a row whose recommendation is the only thing that's missing. */
const CREDIT_WAITS = 'The credit recommendation is waiting for';
const NOT_SHOWN = /not shown since (\d{4}-\d\d-\d\d)/i;

const storedIn = ({ earlier }: Row, field: string) => earlier.values.get(PREFIX + field);
const reasonIn = ({ earlier }: Row) => String(earlier.values.get('match_reason'));

/** The IDNO of the company that an earlier run has found for the row. */
export function knownIdno(row: Row): string | undefined {
	return readIdno(storedIn(row, 'idno'));
}

/** Whether the row means another company than the one that was checked, so its columns can't stay. */
export function isDue(row: Row): boolean {
	return row.corrected.size > 0 || row.excluded.has(knownIdno(row) ?? '');
}

/** The row's IDNO, if it isn't the known company's. */
function otherIdno(row: Row): string | undefined {
	const idno = readIdno(row.idno);
	return idno === knownIdno(row) ? undefined : idno;
}

/** The company that an earlier run has found for the row, unless the row means another one by now. */
export function companyToKeep(row: Row): string | undefined {
	const { corrected, earlier, excluded } = row;
	const idno = knownIdno(row);
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

/** Whether the last check has failed, so the row isn't skipped although it has its date. */
export function hasFailed(row: Row): boolean {
	return reasonIn(row).startsWith(CHECK_FAILED);
}

/** Whether the quota ended at the row's recommendation, so one request finishes it. */
export function isUnfinished(row: Row): boolean {
	return reasonIn(row).startsWith(CREDIT_WAITS);
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
	const recommended = first && 'record' in first ? first.record : undefined;
	if (recommended && isAsStored(row, recommended)) return stayed(row, recommended);
	const company = (await findByIdno(sender, variant, idno)) ?? recommended;
	if (contradictsCorrection(row, company ?? storedFields(row, COMPANY_FIELDS))) return undefined;
	if (!company) return notShown(row);
	const found = { ...stayed(row, company), isSearched: true };
	return row.addCredit ? await withCredit(check, found, first) : found;
}

function storedFields(row: Row, fields: readonly string[]): Json {
	return Object.fromEntries(fields.map((field) => [field, storedIn(row, field)]));
}

function isSearched(row: Row): boolean {
	const at = readMoment(row.earlier.values.get(SEARCHED_AT));
	if (at !== undefined) return systemClock.now() - at < SEARCH_LASTS_MS;
	return ONLY_SEARCHED.some((field) => !isBlank(storedIn(row, field)));
}

/** Whether a record shows the name and the status that the row has. */
function isAsStored(row: Row, record: Json): boolean {
	const { name, status } = readCompany(record);
	const isSame = isUnchanged(storedIn(row, 'name'), name);
	return isSame && status !== undefined && isUnchanged(storedIn(row, 'status'), status);
}

/** The outcome for a company that is still the row's. */
function stayed(row: Row, company: Json): RowOutcome {
	const stored = row.earlier.values.get('match_quality');
	const isKnown = String(stored) in LEAST_SCORE && stored !== 'none';
	const quality = isKnown ? (stored as MatchQuality) : 'exact';
	const known = { ...storedFields(row, ONLY_SEARCHED), ...company };
	const wanted = wantedCompany(row.name, row.isOwnPlace ? row.city : '', row.legalForm);
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

/** Since when the registry hasn't shown the row's company, by the last check. */
function missingSince(row: Row): string | undefined {
	return NOT_SHOWN.exec(reasonIn(row))?.[1];
}

/** What the row says about a company that the registry hasn't shown. */
export function missingText(row: Row): string {
	const since = missingSince(row);
	return since === undefined ? '' : `Not shown since ${since}.`;
}

/** The registry may miss a company for a night, so it's gone only if a check on a later day misses it again. */
function notShown(row: Row): RowOutcome {
	const today = new Date(systemClock.now()).toISOString().slice(0, 10);
	const since = missingSince(row) ?? today;
	const isGone = since !== today || row.earlier.values.get('match_status') === 'notFound';
	if (!isGone) return rowOutcome('notShown', `Not shown since ${since}.`);
	return rowOutcome('gone', `No longer in the registry. Not shown since ${since}.`);
}

/** Adds a company's recommendation, which has been read already if `first` is given. */
export async function withCredit(
	check: Check,
	found: RowOutcome,
	first?: Reading,
): Promise<RowOutcome> {
	const idno = found.company && idnoOf(found.company);
	if (idno === undefined) return found;
	const reading = first ?? (await readRecommendation(check, idno).catch(unfinished));
	if ('record' in reading) return { ...found, company: { ...reading.record, ...found.company } };
	const { reason, isTemporary } = reading;
	return isTemporary
		? { ...found, reason: sentences(reason, found.reason), note: 'incomplete' }
		: { ...found, reason: sentences(found.reason, reason) };
}

/** The search has been paid for, so its result counts although the quota has ended. */
function unfinished(error: unknown): FailedReading {
	if (!isEndOfRequests(error)) throw error;
	return { reason: `${CREDIT_WAITS} ${waitingFor(error)}.`, isTemporary: true };
}

type Reading = { record: Json | undefined } | FailedReading;

/** Reads a recommendation. After three failures in a row, the run asks for no more of them. */
async function readRecommendation(check: Check, idno: string): Promise<Reading> {
	const { unread } = check.requests;
	const latest = [...unread].at(MOST_FAILURES - 1);
	if (latest) return latest;
	return await readCompanyRecord(check.sender, 'credit', idno).then(
		(record) => {
			unread.clear();
			return { record };
		},
		async (error: unknown) => {
			// The API doesn't document how it says that an existing company has no recommendation.
			if (isInvalidInput(error)) return { record: undefined };
			if (isOutOfRequests(error) || !(error instanceof ServiceError)) throw error;
			const isTemporary = !isDenied(error);
			const text = `The credit recommendation couldn't be read: ${await textOf(check.call, error)}`;
			const failure = { reason: sentences(isTemporary && CHECK_FAILED, text), isTemporary };
			unread.add(failure);
			return failure;
		},
	);
}
