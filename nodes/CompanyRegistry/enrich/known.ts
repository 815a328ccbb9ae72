import { DAY_MS, systemClock } from '../../shared/http/clock';
import { isDenied, isInvalidInput, isOutOfRequests, ServiceError } from '../../shared/http/errors';
import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { isBlank } from '../../shared/node/validators';
import { COMPANY_FIELDS, fieldIn, fieldsOf, idnoOf, nameOf } from '../company';
import { isIdno, readIdno } from '../idno';
import { compare, LEAST_SCORE, wantedCompany } from '../names/compare';
import type { MatchQuality } from '../names/compare';
import { candidateOf, contradictionsOf } from '../names/decide';
import { isUnchanged } from '../output/changes';
import { findByIdno, readCompanyRecord } from '../search';
import { CHECK_FAILED, ROLES, rowOutcome, sentences, textOf } from './item';
import type { RowOutcome } from './item';
import { contradictsCorrection } from './newMatch';
import type { Check } from './newMatch';
import { MOST_FAILURES } from './requests';
import type { FailedReading } from './requests';
import type { Row } from './row';
import { PREFIX, SEARCHED_AT } from './state';

/** How old a search's data may be if the recommendation shows nothing new. */
const SEARCH_LASTS_MS = 30 * DAY_MS;
/** Fields that only a search has. */
const ONLY_SEARCHED = COMPANY_FIELDS.filter((field) => !['idno', 'name', 'status'].includes(field));

const storedIn = ({ earlier }: Row, field: string) => earlier.values.get(PREFIX + field);

/** The IDNO of the company that an earlier run has found for the row. */
export function knownIdno(row: Row): string | undefined {
	return readIdno(storedIn(row, 'idno'));
}

/** Whether the row means another company than the one that was checked, so its columns can't stay. */
export function isDue(row: Row): boolean {
	return row.corrected.size > 0 || row.excluded.has(knownIdno(row) ?? '');
}

/** Whether the row's IDNO differs from that of its exact match, if what it said then isn't stored. */
export function hasOtherIdno({ idno, earlier: { values } }: Row): boolean {
	const isExact = [undefined, null, '', 'exact'].includes(values.get('match_quality') as string);
	const isStored = !isBlank(values.get('match_input'));
	return isExact && !isStored && isIdno(idno) && !isUnchanged(values.get(`${PREFIX}idno`), idno);
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
export function hasFailed({ earlier }: Row): boolean {
	return String(earlier.values.get('match_reason')).startsWith(CHECK_FAILED);
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
	if (!company) return notShown(row);
	if (contradictsCorrection(row, company)) return undefined;
	const found = { ...stayed(row, company), isSearched: true };
	return row.addCredit ? await withCredit(check, found, first) : found;
}

function isSearched(row: Row): boolean {
	const at = readMoment(row.earlier.values.get(SEARCHED_AT));
	if (at !== undefined) return systemClock.now() - at < SEARCH_LASTS_MS;
	return ONLY_SEARCHED.some((field) => !isBlank(storedIn(row, field)));
}

/** Whether a record shows the name and the status that the row has. */
function isAsStored(row: Row, record: Json): boolean {
	const [name, status] = [nameOf(record), fieldIn(fieldsOf(record), 'status')];
	const isSame = isUnchanged(storedIn(row, 'name'), name);
	return isSame && !isBlank(status) && isUnchanged(storedIn(row, 'status'), status);
}

/** The outcome for a company that is still the row's. */
function stayed(row: Row, company: Json): RowOutcome {
	const stored = row.earlier.values.get('match_quality');
	const quality = String(stored) in LEAST_SCORE ? (stored as MatchQuality) : 'exact';
	const fields = ONLY_SEARCHED.map((field) => [field, storedIn(row, field)]);
	const known = { ...Object.fromEntries(fields), ...company } as Json;
	const wanted = wantedCompany(row.name, row.isOwnPlace ? row.city : '', row.legalForm);
	const candidate = quality === 'exact' || row.name === '' ? undefined : candidateOf(known);
	const differences = candidate
		? compare(wanted, candidate).differences
		: contradictionsOf(wanted, known);
	const written = readIdno(row.idno);
	const isOfAnother = written !== undefined && written !== idnoOf(company);
	const reason = sentences(
		isOfAnother && `The row's number ${written} isn't this company's IDNO.`,
		...differences.map(({ text }) => text),
	);
	return rowOutcome('found', reason, { company, quality: quality === 'none' ? 'exact' : quality });
}

const NOT_SHOWN = /not shown since (\d{4}-\d\d-\d\d)/i;

/** What the row says about a company that the registry hasn't shown. */
export function missedSince({ earlier }: Row): string {
	const [, since] = NOT_SHOWN.exec(String(earlier.values.get('match_reason'))) ?? [];
	return since === undefined ? '' : `Not shown since ${since}.`;
}

/**
 * The registry may miss a company for a night, so the row says so first, and tells it as a change on a
 * later day. After that, it's no news any more.
 */
function notShown({ earlier }: Row): RowOutcome {
	const today = new Date(systemClock.now()).toISOString().slice(0, 10);
	const [, since = today] = NOT_SHOWN.exec(String(earlier.values.get('match_reason'))) ?? [];
	const isTold = earlier.values.get('match_status') === 'notFound';
	if (!isTold && since === today) return rowOutcome('notShown', `Not shown since ${since}.`);
	return rowOutcome('notShown', `No longer in the registry, not shown since ${since}.`, {
		isGone: true,
		news: isTold ? undefined : 'no longer in the registry',
	});
}

/** Adds a company's recommendation, which has been read already if `first` is given. */
export async function withCredit(
	check: Check,
	found: RowOutcome,
	first?: Reading,
): Promise<RowOutcome> {
	const idno = found.company && idnoOf(found.company);
	if (idno === undefined) return found;
	const reading = first ?? (await readRecommendation(check, idno));
	if (!('reason' in reading)) {
		return { ...found, company: { ...reading.record, ...found.company } };
	}
	const { reason, isTemporary } = reading;
	if (!isTemporary) return { ...found, reason: sentences(found.reason, reason) };
	return { ...found, reason: sentences(CHECK_FAILED, reason, found.reason), note: 'incomplete' };
}

type Reading = { record?: Json } | FailedReading;

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
			const reason = `The credit recommendation couldn't be read: ${await textOf(check.call, error)}`;
			const failure = { reason, isTemporary: !isDenied(error) };
			unread.add(failure);
			return failure;
		},
	);
}
