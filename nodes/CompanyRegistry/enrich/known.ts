import { DAY_MS, HOUR_MS, systemClock } from '../../shared/http/clock';
import type { Json } from '../../shared/http/json';
import { isoDayOf } from '../../shared/http/moments';
import { nameOf, readCompany } from '../company';
import { readIdno } from '../idno';
import { compare, LEAST_SCORE, type MatchQuality } from '../names/compare';
import { candidateOf, contradictionsOf, reasonOf } from '../names/decide';
import { isUnchanged } from '../output/changes';
import { findByIdno } from '../search';
import { readRecommendation } from './credit';
import type { Check } from './newMatch';
import { ROLES, sentences, type Found, type NotShown } from './outcome';
import type { Past } from './past';
import { contradicts, wantedOf, type Row } from './row';
import { creditNote } from './state';

/** How old a search's data may be if the recommendation shows nothing new. */
const SEARCH_LASTS_MS = 30 * DAY_MS;
/** The registry may miss a company for a night, so it's gone only if a later check misses it again. */
const MISSING_FOR_MS = 12 * HOUR_MS;

/** Whether what was corrected in the row contradicts the company. */
function isContradicted(row: Row, company: Json): boolean {
	return row.corrected.length > 0 && contradicts(row, row.corrected, company);
}

/** Why the row isn't the one that was checked, e.g. `At the last check, the row's name was "Agro".` */
export function correctionText({ corrected: [role], before }: Row): string {
	if (role === undefined) return '';
	const from = before?.[role];
	if (from === undefined) return `The row's ${ROLES[role]} isn't the one in registry_${role}.`;
	return from
		? `At the last check, the row's ${ROLES[role]} was "${from}".`
		: `At the last check, the row had no ${ROLES[role]}.`;
}

/**
 * Looks up the company that a person has chosen by entering its IDNO beside the state.
 *
 * @returns the company; or why it isn't the row's, with the number if that's for good
 */
export async function checkChosen(
	check: Check,
): Promise<{ found?: Found; refused?: string; why?: string }> {
	const { row, variant, sender } = check;
	const { chosen } = row.past;
	if (chosen === undefined || row.settings.excluded.has(chosen)) return {};
	const company = await findByIdno(sender, variant, chosen);
	if (!company) return { why: 'the registry has no such company' };
	// A number that no company has contradicts nothing.
	const isOfRow = row.isIdnoNamed && readIdno(row.idno) === row.past.idno;
	const differences = contradictionsOf(wantedOf(row), company, { isNumbered: true });
	if ((isOfRow && row.past.idno !== undefined) || differences.length > 0) {
		const why = "the row's IDNO, name, city or legal form contradicts that company";
		return { refused: chosen, why };
	}
	const reason = 'This company was chosen by its IDNO in registry_idno.';
	return { found: { result: 'found', company, quality: 'exact', reason, isChosen: true } };
}

/** Whether the row may still mean the company that an earlier run has found. */
export function isKnown(row: Row): boolean {
	const { idno, company } = row.past;
	return idno !== undefined && !row.settings.excluded.has(idno) && !isContradicted(row, company);
}

/**
 * Looks up the company that an earlier run has found, by its IDNO alone. It stays the row's company even
 * if the registry has renamed or moved it. With the recommendation, which has the name and the status, the
 * search is left out if it would show nothing new.
 *
 * @returns undefined if what was corrected in the row contradicts the company
 */
export async function checkKnown(check: Check): Promise<Found | NotShown | undefined> {
	const { row, variant, sender } = check;
	const { past, settings } = row;
	const { idno = '' } = past;
	const isRecent = systemClock.now() - (past.searchedAt ?? 0) < SEARCH_LASTS_MS;
	const maySuffice = settings.addCredit && row.corrected.length === 0 && isRecent;
	const recommendation = maySuffice ? (await readRecommendation(check, idno)).record : undefined;
	const credited = recommendation && asStored(past, recommendation);
	// What isn't stored isn't compared.
	const isNew = (field: string) =>
		past.field(field) !== undefined && !isUnchanged(past.field(field), credited?.[field]);
	// If two records have the IDNO, the one from the last check counts.
	const isStored = (each: Json) => Number(isUnchanged(past.field('name'), nameOf(each)));
	const isEnough = credited && !SAID.some(isNew);
	const company = isEnough ? undefined : await findByIdno(sender, variant, idno, isStored);
	const shown = company ?? credited;
	if (isContradicted(row, shown ?? past.company)) return undefined;
	if (!shown) return notShown(past);
	const isUnsearched = company === undefined;
	return { result: 'found', company: shown, ...fitOf(row, shown), isUnsearched, recommendation };
}

/** The company's own fields that a recommendation has. */
export const SAID = ['name', 'status'] as const;

/**
 * A recommendation. If its name and status haven't changed, they're replaced by those of the last search,
 * which may be spelled differently.
 */
function asStored(past: Past, recommendation: Json): Json {
	const said = readCompany(recommendation);
	const stored = SAID.map((field) => {
		const before = past.notes[creditNote(field)] ?? past.field(field);
		const isSame = said[field] !== undefined && isUnchanged(before, said[field]);
		return [field, (isSame ? past.field(field) : undefined) ?? said[field]] as const;
	});
	return { ...recommendation, ...Object.fromEntries(stored) };
}

/** How well a company that is still the row's fits it by now. */
function fitOf(row: Row, company: Json): Pick<Found, 'quality' | 'reason'> {
	const { past } = row;
	const known = { ...past.company, ...company };
	const number = readIdno(row.idno);
	const isOther = number !== undefined && number !== past.idno;
	const isConfirmed = number === past.idno && row.isIdnoNamed;
	if (isConfirmed && contradictionsOf(wantedOf(row), known, { isNumbered: true }).length === 0) {
		return { quality: 'exact', reason: '' };
	}
	const quality = row.isDoubtful ? 'likely' : qualityOf(row, known, isOther);
	const numberText = isOther && `The number ${number} in the row isn't this company's IDNO.`;
	const candidate = quality === 'exact' || row.name === '' ? undefined : candidateOf(known);
	if (candidate) {
		const compared = compare(wantedOf(row), candidate);
		const isOtherRow = past.input !== row.matchInput && !isOther;
		const isBetter = isOtherRow && LEAST_SCORE[compared.quality] > LEAST_SCORE[quality];
		const reason = sentences(numberText, reasonOf(compared.differences));
		return { quality: isBetter ? compared.quality : quality, reason };
	}
	const differences = contradictionsOf(wantedOf(row), known);
	if (!differences.some(({ kind }) => kind === 'words')) {
		return { quality, reason: sentences(numberText, reasonOf(differences)) };
	}
	const before = past.field('name');
	const isRenamed = before !== undefined && !isUnchanged(before, nameOf(known));
	const renamed = isRenamed
		? 'The registry has renamed this company to'
		: 'In the registry, this company is called';
	const reason = sentences(numberText, `${renamed} ${nameOf(known)?.replace(/\.$/, '')}.`);
	return { quality, reason };
}

/**
 * How well the row matched its company. A list may not store it, may have cut it off, or may have another row's
 * columns.
 */
function qualityOf(row: Row, company: Json, hasOtherNumber: boolean): MatchQuality {
	const { match, input, company: before } = row.past;
	const stored = String(match.match_quality);
	const isKnown = stored !== 'exact' || input !== undefined;
	if (isKnown && stored in LEAST_SCORE && stored !== 'none') return stored as MatchQuality;
	if (hasOtherNumber && row.isIdnoNamed) return 'likely';
	const candidate = candidateOf({ ...company, ...before });
	const { quality } = candidate && row.name !== '' ? compare(wantedOf(row), candidate) : EXACT;
	return quality === 'none' ? 'likely' : quality;
}

const EXACT = { quality: 'exact' } as const;

/** What the row says about a company that the registry hasn't shown. */
export function missingText(since: number | undefined): string {
	return since === undefined
		? ''
		: `The registry hasn't shown the company since ${isoDayOf(since)}.`;
}

function notShown({ missingSince, status }: Past): NotShown {
	const now = systemClock.now();
	const since = missingSince ?? now;
	const isGone = now - since >= MISSING_FOR_MS || status === 'notFound';
	const reason = sentences(
		isGone && 'The company is no longer in the registry.',
		missingText(since),
	);
	return { result: 'notShown', reason, since, isGone };
}
