import type { Json } from '../../shared/http/json';
import type { Sender } from '../../shared/http/request';
import type { Call } from '../../shared/node/call';
import type { Variant } from '../api';
import { idnoOf, nameOf } from '../company';
import { checkIdno, idnoWithin, isRounded, readIdno } from '../idno';
import { LEAST_SCORE, wantedCompany } from '../names/compare';
import type { MatchQuality, WantedCompany } from '../names/compare';
import { candidateOf, contradictionsOf, decide } from '../names/decide';
import type { Candidate } from '../names/decide';
import { applyMinimum, searchByName } from '../names/search';
import type { NameSearch } from '../names/search';
import { findByIdno, searchByText } from '../search';
import type { ColumnRole } from './columns';
import { alternativesOf, rowOutcome, sentences } from './outcome';
import type { RowOutcome } from './outcome';
import type { RunRequests } from './requests';
import type { Row } from './row';
import { PREFIX } from './state';

const KNOWN_IDNO = `${PREFIX}idno`;

/** The check of one row. */
export interface Check {
	row: Row;
	variant: Variant;
	/** Sends requests as long as the run may. */
	sender: Sender;
	requests: RunRequests;
	call: Call;
}

/** Looks a row up by its IDNO, or by its name if the IDNO doesn't lead to a company. */
export async function findCompany(check: Check): Promise<RowOutcome> {
	const { row } = check;
	const { name } = row;
	const written = row.idno === '' ? idnoWithin(name) : (idnoWithin(row.idno) ?? row.idno);
	const isNamed = name !== '' && name !== written;
	const isExcluded = written !== undefined && row.excluded.has(written);
	if (written !== undefined && !isExcluded) return await findByNumber(check, written, isNamed);
	if (isNamed) return outcomeByName(await searchName(check), row);
	if (isExcluded) {
		return rowOutcome('notFound', `The option "Exclude IDNOs" excludes the row's IDNO ${written}.`);
	}
	const reason =
		row.parties.length > 0
			? `The columns "${row.parties.join('" and "')}" name different companies.`
			: 'The node found neither an IDNO nor a name in the row.';
	return rowOutcome('notFound', reason, { note: 'unmapped' });
}

async function findByNumber(check: Check, written: string, isNamed: boolean): Promise<RowOutcome> {
	const { row, variant, sender } = check;
	const { idno, ...checked } = checkIdno(written, { checkDigit: true });
	// An invalid IDNO doesn't cost a request.
	const company = checked.valid ? await findByIdno(sender, variant, idno) : undefined;
	const outcome = company && compareWithRow(row, company);
	if (outcome) return outcome;
	const isOther = row.isIdnoNamed && company !== undefined;
	const others = isOther ? candidatesOf(company) : [];
	const bestFor = (found = ''): MatchQuality => {
		if (company) return isOther ? 'none' : 'exact';
		return bestBeside(idno, checked.valid, found);
	};
	const unknown = checked.valid ? `No company has the IDNO ${idno}.` : checked.reason;
	const reason = isOther
		? `The row's IDNO ${idno} belongs to ${nameOf(company)}, whose name and place don't match the row.`
		: company
			? `${nameOf(company)} is the company with the IDNO ${idno}.`
			: unknown;
	const isHopeless = row.minScore === LEAST_SCORE.exact && !isOther && bestFor() !== 'exact';
	if (isNamed && !isHopeless) {
		return outcomeByName(await searchName(check), row, reason, bestFor, others);
	}
	return rowOutcome('notFound', reason, { alternatives: alternativesOf(others) });
}

/** The best quality of a match by name in a row whose number no company has. */
function bestBeside(idno: string, isValid: boolean, found: string): MatchQuality {
	const beginning = idno.replace(/E.*$/i, '').replace(/\D/g, '');
	if (isRounded(idno)) return found.startsWith(beginning) ? 'exact' : 'likely';
	// A number of quite another length is an old or a foreign one, which contradicts nothing.
	if (!isValid && Math.abs(idno.length - 13) > 1) return 'exact';
	// An unknown IDNO is often that of a dissolved company, whose name may be another one's by now.
	return isTypo(idno, found) ? 'strong' : 'likely';
}

function candidatesOf(company: Json): Candidate[] {
	return [candidateOf(company)].filter((each) => each !== undefined);
}

/**
 * Compares the row's other values with the company that has its IDNO. Undefined if the number doesn't say
 * which company the row means: name and place contradict it, or the name does and the column's heading
 * doesn't call the number an IDNO.
 */
function compareWithRow(row: Row, company: Json): RowOutcome | undefined {
	const wanted = wantedFor(row, company);
	const differences = contradictionsOf(wanted, company);
	const hasOther = (kind: string) => differences.some((each) => each.kind === kind);
	if (hasOther('words') && (hasOther('city') || !row.isIdnoNamed)) return undefined;
	const candidates = candidatesOf(company);
	// An entirely different name isn't even an alternative.
	const isAnother = hasOther('words') && decide(wanted, candidates).alternatives.length === 0;
	const quality = differences.length === 0 ? 'exact' : isAnother ? 'likely' : 'strong';
	const reason = sentences(...differences.map(({ text }) => text));
	if (LEAST_SCORE[quality] >= row.minScore)
		return rowOutcome('found', reason, { company, quality });
	const alternatives = alternativesOf(candidates);
	return rowOutcome('notFound', reason, { note: noteFor(quality), alternatives });
}

/** For a company that matches less closely than *Minimum Match* asks for. */
function noteFor(quality: MatchQuality | undefined): RowOutcome['note'] {
	return quality === 'strong' || quality === 'likely' ? quality : undefined;
}

/** What a row says about a company that has its IDNO. About a known company, only what was corrected counts. */
function wantedFor(row: Row, company: Json): WantedCompany {
	const { name, city, legalForm, corrected, earlier, isOwnPlace } = row;
	const isKnown =
		corrected.size > 0 && idnoOf(company) === readIdno(earlier.values.get(KNOWN_IDNO));
	const said = (role: ColumnRole, text: string) => (isKnown && !corrected.has(role) ? '' : text);
	const place = isOwnPlace ? said('city', city) : '';
	return wantedCompany(said('name', name), place, said('legalForm', legalForm));
}

/** Whether a corrected cell speaks against the company that an earlier run has found. */
export function contradictsCorrection(row: Row, company: Json): boolean {
	return row.corrected.size > 0 && contradictionsOf(wantedFor(row, company), company).length > 0;
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
 * @param others more companies to list
 */
function outcomeByName(
	searched: NameSearch,
	{ minScore }: Row,
	idnoReason = '',
	bestFor: (idno: string | undefined) => MatchQuality = () => 'exact',
	others: readonly Candidate[] = [],
): RowOutcome {
	const result = applyMinimum(searched, minScore);
	const { found, ambiguous, reason, alternatives } = result;
	const best = bestFor(searched.found?.idno);
	const isLimited = LEAST_SCORE[best] < (searched.found?.score ?? 0);
	const quality = isLimited ? best : searched.found?.quality;
	if (!found || LEAST_SCORE[best] < minScore) {
		const otherIdno = found && `${found.title} has this name, but a different IDNO.`;
		const closest = found ? [found, ...others, ...alternatives] : [...others, ...alternatives];
		return rowOutcome(
			ambiguous ? 'ambiguous' : 'notFound',
			sentences(idnoReason, otherIdno ?? reason),
			{ note: noteFor(quality), alternatives: alternativesOf(closest) },
		);
	}
	return rowOutcome('found', sentences(idnoReason && 'Found by name.', idnoReason, reason), {
		company: found.company,
		quality,
		alternatives: alternativesOf(alternatives),
	});
}

/** Searches for a row's name. A place that needn't be the company's decides only between namesakes. */
async function searchName({ row, variant, sender }: Check): Promise<NameSearch> {
	const { name, city, isOwnPlace, legalForm, excluded } = row;
	const search = async (place: string) => {
		const wanted = wantedCompany(name, place, legalForm);
		return await searchByName(wanted, searchByText(sender, variant), excluded);
	};
	const result = await search(isOwnPlace ? city : '');
	if (!result.ambiguous || isOwnPlace) return result;
	const placed = await search(city);
	const isThere = placed.found?.differences.every(({ kind }) => kind !== 'city');
	return isThere ? placed : result;
}
