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
	/** How many results there are on all pages, if the service says so; else on this page. */
	total: number;
	/** Whether there is a next page to request, or more results that can't be requested. */
	more: 'next page' | 'cut off' | 'none';
}

/** Sends one search request. */
export type Search = (query: string, page: number) => Promise<ResultPage>;

export interface NameSearch extends Decision {
	/** How many companies the searches found, if known. */
	results: number;
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
	const companies = new Map<unknown, Candidate>();
	/** Keys of the companies from searches whose results were all read. */
	const readWhole = new Set<unknown>();
	let result: NameSearch = { ...decide(wanted, []), results: 0, isCutOff: false };
	/** Results of the current query so far. */
	let shown: Shown[] = [];
	let [query, page] = [rest.shift(), 1];
	for (let sent = 0; sent < MOST_SEARCHES && query !== undefined; sent++) {
		const { rows, total, more } = await search(query, page);
		const candidates = rows.map(candidateOf).filter((each) => each !== undefined);
		const allowed = candidates.filter(({ idno }) => !excluded?.has(idno ?? ''));
		shown = [...(page > 1 ? shown : []), ...allowed.map((each): Shown => [keyOf(each), each])];
		shown.forEach(([key, candidate]) => companies.set(key, candidate));
		const isRead = more === 'none' || endsAfterMatches(shown, query);
		if (isRead) shown.forEach(([key]) => readWhole.add(key));
		const decision = decide(wanted, [...companies.values()]);
		result = {
			...decision,
			results: Math.max(result.results, total, companies.size),
			isCutOff: decision.found ? !readWhole.has(keyOf(decision.found)) : !isRead,
		};
		if (more === 'next page' && !isRead) page++;
		else if (result.score === LEAST_SCORE.exact) break;
		else [query, page] = [rest.shift(), 1];
	}
	const isGarbled = result.found === undefined && hasWrongEncoding(wanted.text);
	return isGarbled ? { ...result, reason: withNote(result.reason, WRONG_ENCODING) } : result;
}

type Shown = [key: unknown, candidate: Candidate];

/** A branch shares its company's IDNO, so the name is part of the key. */
function keyOf({ idno, title, company }: Candidate): unknown {
	return idno === undefined ? company : `${idno} ${title}`;
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
function endsAfterMatches(shown: readonly Shown[], query: string): boolean {
	const words = fold(query).split(' ');
	const isMatch = shown.map(([, { title }]) => {
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
 * The queries for a row: the name as it's written, without the text around it, then its rarest word, or
 * five letters of it if the registry may spell the word differently.
 */
export function queriesFor({ readings }: WantedCompany): string[] {
	const { name } = readings.at(-1)!;
	const [rarest] = [...name.words].sort((a, b) => rarity(b) - rarity(a));
	if (!rarest) return [];
	const queries = [wholeOf(name), certainPart(rarest.text.toLowerCase())];
	return [...new Set(queries)].filter((query) => query !== '');
}

/** The name as it's written, in Latin letters and without possible legal forms. */
function wholeOf({ full, kinds, possibleForms }: CompanyName): string {
	const certain = full.filter((word) => !possibleForms.has(word));
	const name = certain.length > 1 ? certain : full;
	// "Liceul Teoretic nr. 2": the number alone would find too many companies.
	const words = full.some(isDistinctive) ? name : [...kinds, ...full];
	const text = words.map(({ source }) => source).join('');
	return text
		.replace(/^[^\p{L}\p{N}]+/u, '')
		.replace(/\s+/g, ' ')
		.trim();
}

/** Shorter words also appear inside too many longer ones. */
const SHORTEST_RARE = 3;

/** Higher for numbers and long words, lower for places, initials and common words. */
function rarity(word: Word): number {
	const [spelling = ''] = word.spellings;
	if (/^\d+$/.test(spelling)) return spelling.length + 5;
	if (isCommon(spelling)) return spelling.length - 200;
	if (spelling.length < SHORTEST_RARE) return spelling.length - 300;
	if (isPlace(word) || isCountry(word) || word.dotted) return spelling.length - 100;
	return spelling.length;
}

const PART = 5;

/** Letters that the registry may spell differently: diacritics, doubled letters, foreign letters. */
const DOUBTFUL = /[^a-z]|[ai](?=[mnr])|[kwyhxq]|(.)\1/g;

/** A word, or the five of its letters that are least doubtful. Whole-word searches find only the former. */
function certainPart(word: string): string {
	const letters = [...word];
	if (/^\d+$/.test(word) || letters.length <= PART || !word.match(DOUBTFUL)) return word;
	const parts = letters
		.slice(0, 1 - PART)
		.map((_, start) => letters.slice(start, start + PART).join(''));
	const doubt = (part: string) => part.match(DOUBTFUL)?.length ?? 0;
	return parts.reduce((best, each) => (doubt(each) < doubt(best) ? each : best));
}
