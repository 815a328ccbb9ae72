import type { Json } from '../../shared/http/json';
import type { Sender } from '../../shared/http/request';
import type { Call } from '../../shared/node/call';
import type { Variant } from '../api';
import { idnoOf, nameOf } from '../company';
import { checkIdno, idnoWithin, isRounded, type IdnoCheck } from '../idno';
import { LEAST_SCORE, wantedCompany, type MatchQuality } from '../names/compare';
import { candidateOf, contradictionsOf, decide, reasonOf, scoreOf } from '../names/decide';
import type { Candidate } from '../names/decide';
import { applyMinimum, searchByName, type NameSearch } from '../names/search';
import { editBetween } from '../names/typos';
import { findByIdno, searchByText } from '../search';
import { isSameNumber } from './input';
import { alternativesOf, sentences, type Found, type NoCompany } from './outcome';
import type { RunRequests } from './requests';
import { wantedOf, type Row } from './row';

export interface Check {
	row: Row;
	variant: Variant;
	/** Sends requests as long as the run may. */
	sender: Sender;
	requests: RunRequests;
	call: Call;
}

/** Looks a row up by its IDNO, or by its name if the IDNO doesn't lead to a company. */
export async function findCompany(check: Check): Promise<Found | NoCompany> {
	const { row } = check;
	const { name } = row;
	const written = row.idno === '' ? idnoWithin(name) : (idnoWithin(row.idno) ?? row.idno);
	const isNamed = name !== '' && name !== written;
	const isExcluded = written !== undefined && row.settings.excluded.has(written);
	if (written !== undefined && !isExcluded) return await findByNumber(check, written, isNamed);
	if (isNamed) return outcomeByName(await searchName(check), row);
	const reason = `The option "Exclude IDNOs" excludes the row's IDNO ${written}.`;
	return { result: 'notFound', reason };
}

async function findByNumber(
	check: Check,
	written: string,
	isNamed: boolean,
): Promise<Found | NoCompany> {
	const { row, variant, sender } = check;
	const number = checkIdno(written, { checkDigit: true });
	// An invalid IDNO doesn't cost a request.
	const company = number.valid
		? await findByIdno(sender, variant, number.idno, (each) => scoreOf(wantedOf(row), each))
		: undefined;
	const outcome = company && compareWithRow(row, company);
	if (outcome) return outcome;
	const miss = missOf(row, number, company);
	const { minScore } = row.settings;
	const isOpen = isRounded(number.idno) || miss.other || miss.bestFor() === 'exact';
	const isHopeless = minScore === LEAST_SCORE.exact && !isOpen;
	if (isNamed && !isHopeless) return outcomeByName(await searchName(check), row, miss);
	const others = miss.other ? [miss.other] : [];
	return { result: 'notFound', reason: miss.reason, alternatives: alternativesOf(others) };
}

/** Why a row's number hasn't led to its company, so that the name is searched. */
interface Miss {
	reason: string;
	/** The company that has the number. */
	other?: Candidate;
	/** The best quality of a company that was found by name. */
	bestFor(this: void, found?: Candidate): MatchQuality;
}

function missOf({ isIdnoNamed }: Row, number: IdnoCheck, company: Json | undefined): Miss {
	const { idno } = number;
	if (!company) {
		const reason = number.valid ? `No company has the IDNO ${idno}.` : number.reason;
		return { reason, bestFor: (found) => bestBeside(number, found?.idno ?? '') };
	}
	const name = nameOf(company);
	if (!isIdnoNamed) {
		return {
			reason: `The number ${idno} in the row is the IDNO of ${name}.`,
			bestFor: () => 'exact',
		};
	}
	const reason = `The row's IDNO ${idno} belongs to ${name}, whose name and place don't match the row.`;
	return { reason, other: candidateOf(company), bestFor: () => 'none' };
}

/** The best quality of a match by name in a row whose number no company has. */
function bestBeside({ idno, valid }: IdnoCheck, found: string): MatchQuality {
	if (isRounded(idno)) return isSameNumber(found, idno) ? 'exact' : 'likely';
	// A tax number of another country, such as RO12345678
	if (/^(?!md)[a-z]{2}\d{2}/i.test(idno)) return 'likely';
	// A number of a very different length is an old or a foreign one, and contradicts nothing.
	if (!valid && Math.abs(idno.length - 13) > 1) return 'exact';
	// An unknown IDNO often belongs to a dissolved company, whose name another company may have taken.
	return editBetween(idno, found) ? 'strong' : 'likely';
}

/**
 * Compares the row's other values with the company that has its IDNO. Undefined if the number doesn't say
 * which company the row means: name and place contradict it, or the name does and the column's heading
 * doesn't call the number an IDNO.
 */
function compareWithRow(row: Row, company: Json): Found | NoCompany | undefined {
	// About a known company, only what was corrected counts.
	const isKnown = row.corrected.length > 0 && idnoOf(company) === row.past.idno;
	const wanted = wantedOf(row, isKnown ? row.corrected : undefined);
	const differences = contradictionsOf(wanted, company, { isNumbered: true });
	const hasOther = (kind: string) => differences.some((each) => each.kind === kind);
	if (hasOther('words') && (hasOther('city') || !row.isIdnoNamed)) return undefined;
	const candidate = candidateOf(company);
	const candidates = candidate ? [candidate] : [];
	// An entirely different name isn't even an alternative.
	const isAnother = hasOther('words') && decide(wanted, candidates).alternatives.length === 0;
	const quality = differences.length === 0 ? 'exact' : isAnother ? 'likely' : 'strong';
	const reason = reasonOf(differences);
	if (LEAST_SCORE[quality] >= row.settings.minScore) {
		return { result: 'found', company, quality, reason };
	}
	const alternatives = alternativesOf(candidates);
	return { result: 'notFound', reason, closest: quality, alternatives };
}

function outcomeByName(searched: NameSearch, { settings }: Row, miss?: Miss): Found | NoCompany {
	const { minScore } = settings;
	const { found, ambiguous, reason, alternatives } = applyMinimum(searched, minScore);
	const best = miss?.bestFor(searched.found) ?? 'exact';
	const isLimited = LEAST_SCORE[best] < (searched.found?.score ?? 0);
	const quality = isLimited ? best : searched.found?.quality;
	if (found && quality && LEAST_SCORE[best] >= minScore) {
		return {
			result: 'found',
			company: found.company,
			quality,
			reason: sentences(miss && 'Found by name.', miss?.reason, reason),
			alternatives: alternativesOf(alternatives),
		};
	}
	const otherIdno = found && `${found.title} has this name, but a different IDNO.`;
	const closest = [found, miss?.other, ...alternatives].filter((each) => each !== undefined);
	return {
		result: ambiguous ? 'ambiguous' : 'notFound',
		reason: sentences(miss?.reason, otherIdno ?? reason),
		closest: quality,
		alternatives: alternativesOf(closest),
	};
}

/** Searches for a row's name. A place that may not be the company's only decides between namesakes. */
async function searchName({ row, variant, sender }: Check): Promise<NameSearch> {
	const { name, city, isOwnPlace, legalForm, settings } = row;
	const search = async (place: string) => {
		const wanted = wantedCompany(name, place, legalForm);
		return await searchByName(wanted, searchByText(sender, variant), settings.excluded);
	};
	const result = await search(isOwnPlace ? city : '');
	if (!result.ambiguous || isOwnPlace) return result;
	const placed = await search(city);
	// If all of them are elsewhere, it doesn't decide.
	return placed.found ? placed : result;
}
