import { LEAST_SCORE } from './compare';
import type { WantedCompany } from './compare';
import { candidateOf, decide, refuse } from './decide';
import type { Candidate, CompanyRecord, Decision } from './decide';
import { isDistinctive } from './name';
import type { CompanyName } from './name';
import { isCountry, isPlace } from './places';
import { fold, hasWrongEncoding, isCommon } from './words';
import type { Word } from './words';

/** A page of search results. */
export interface ResultPage {
	rows: CompanyRecord[];
	/** Whether there is a next page to request, or more results that can't be requested. */
	more: 'next page' | 'cut off' | 'none';
}

/** Sends one search request. */
export type Search = (query: string, page: number) => Promise<ResultPage>;

export interface NameSearch extends Decision {
	/** Whether unread results could change the decision. */
	isCutOff: boolean;
}

const CUT_OFF = 'The search has more results than the node read. Enter more of the name.';

export const MAY_HIDE_ANOTHER =
	'The search has more results than the node read, so there may be another company with this name.';

const WRONG_ENCODING =
	'The name has signs of a wrong encoding. Check how the list was exported, for example as UTF-8.';

const MOST_SEARCHES = 2;

/**
 * Searches for the company that a row names, with two requests at most.
 *
 * The whole name comes first, because one request is enough if it's spelled as in the registry. Its next
 * page follows, since that may have companies with the same name, or a search for its rarest word, in
 * case the registry spells the name differently. The minimum is applied afterwards (`applyMinimum`), so
 * it can't change which company is best.
 *
 * @param excluded IDNOs of companies that are neither found nor listed
 */
export async function searchByName(
	wanted: WantedCompany,
	search: Search,
	{ excluded }: { excluded?: ReadonlySet<string> } = {},
): Promise<NameSearch> {
	const rest = queriesFor(wanted);
	const companies: Candidate[] = [];
	/** IDNOs from searches whose results were all read. */
	const readWhole = new Set<string | undefined>();
	let result: NameSearch = { ...decide(wanted, []), isCutOff: false };
	/** Results of the current query so far. */
	let shown: Candidate[] = [];
	let [query, page] = [rest.shift(), 1];
	for (let sent = 0; sent < MOST_SEARCHES && query !== undefined; sent++) {
		const { rows, more } = await search(query, page);
		const allowed = rows
			.flatMap((row) => candidateOf(row) ?? [])
			.filter(({ idno }) => !excluded?.has(idno ?? ''));
		shown = page > 1 ? [...shown, ...allowed] : allowed;
		companies.push(...allowed);
		const isRead = more === 'none' || endsAfterMatches(shown, query);
		if (isRead) shown.forEach(({ idno }) => readWhole.add(idno));
		const decision = decide(wanted, companies);
		result = {
			...decision,
			isCutOff: decision.found ? !readWhole.has(decision.found.idno) : !isRead,
		};
		if (more === 'next page' && !isRead) page++;
		else if (result.score === LEAST_SCORE.exact) break;
		else [query, page] = [rest.shift(), 1];
	}
	const isGarbled = result.found === undefined && hasWrongEncoding(wanted.text);
	return isGarbled ? { ...result, reason: withNote(result.reason, WRONG_ENCODING) } : result;
}

/** Turns a match below the minimum into a miss that lists the company. */
export function applyMinimum(result: NameSearch, minScore: number): NameSearch {
	const isTooLow = (result.found !== undefined || result.ambiguous) && result.score < minScore;
	const applied = isTooLow ? refuse(result) : result;
	if (!applied.isCutOff || applied.ambiguous) return applied;
	return {
		...applied,
		reason: withNote(applied.reason, applied.found ? MAY_HIDE_ANOTHER : CUT_OFF),
	};
}

const withNote = (reason: string | null, note: string) => [reason, note].filter(Boolean).join(' ');

/** Whether only partial matches are left, which services with ranked results list last. */
function endsAfterMatches(shown: readonly Candidate[], query: string): boolean {
	const words = fold(query).split(' ');
	const isMatch = shown.map(({ title }) => {
		const name = fold(title);
		return words.every((word) => name.includes(word));
	});
	return shown.length === 0 || isMatch.indexOf(false) > isMatch.lastIndexOf(true);
}

/** Whether a text can be a company's name: it has more than punctuation and contact details. */
export function hasName(wanted: WantedCompany): boolean {
	return queriesFor(wanted).length > 0;
}

/**
 * The queries for a row: the name as it's written, without the text around it, then the part of a rare
 * word that the registry is least likely to spell differently.
 */
export function queriesFor({ readings }: WantedCompany): string[] {
	const { name } = readings.at(-1)!;
	const texts = [...name.words]
		.sort((a, b) => rarity(b) - rarity(a))
		.map(({ text }) => text.toLowerCase());
	// A search for whole words doesn't find a part.
	const whole = wholeOf(name);
	const certain = texts.find((text) => doubtOf(text) < 1 && text !== whole);
	const [part = ''] = texts.map(certainPart).sort((a, b) => doubtOf(a) - doubtOf(b));
	return [...new Set([whole, certain ?? part])].filter(Boolean);
}

/** The name as it's written, in Latin letters, and without possible legal forms if enough is left. */
function wholeOf({ full, possibleForms }: CompanyName): string {
	const certain = full.filter((word) => !possibleForms.has(word));
	const isEnough = certain.some(isDistinctive);
	const text = (isEnough ? certain : full).map(({ source }) => source).join('');
	return text
		.replace(/^[^\p{L}\p{N}]+/u, '')
		.replace(/\s+/g, ' ')
		.trim();
}

/** Higher for numbers and long words, lower for places and common words. */
function rarity(word: Word): number {
	const [spelling = ''] = word.spellings;
	if (/^\d+$/.test(spelling)) return spelling.length + 5;
	return spelling.length - (isCommon(spelling) || isPlace(word) || isCountry(word) ? 200 : 0);
}

/** Shorter parts also appear inside too many other words. */
const SHORTEST_PART = 4;
const LONGEST_PART = 5;
/** From so many letters on, a word is long. */
const LONG = 8;

/** Letters that the registry may spell differently: diacritics, doubled letters, foreign letters. */
const DOUBTFUL = /[^a-z\d]|[ai](?=[mnr])|[kwyhxq]|(.)\1/g;

/** Letters that may have a diacritic in the registry. */
const MAYBE_DOUBTFUL = /[aist]/g;

/** How likely a search for the text fails, or finds too much. */
function doubtOf(text: string): number {
	const isShort = text.length < SHORTEST_PART && !/^\d+$/.test(text);
	const [doubtful, maybe] = [DOUBTFUL, MAYBE_DOUBTFUL].map((each) => text.match(each)?.length ?? 0);
	return doubtful! + maybe! / 10 + (isCommon(fold(text)) ? 1 : 0) + (isShort ? 5 : 0);
}

/** A word's four or five least doubtful letters; all of a common word. */
function certainPart(word: string): string {
	const letters = [...word];
	const length = letters.length < LONG ? SHORTEST_PART : LONGEST_PART;
	if (letters.length <= length || isCommon(fold(word))) return word;
	return letters
		.slice(0, 1 - length)
		.map((_, start) => letters.slice(start, start + length).join(''))
		.reduce((best, each) => (doubtOf(each) < doubtOf(best) ? each : best));
}
