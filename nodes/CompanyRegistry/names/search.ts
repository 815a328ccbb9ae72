import { LEAST_SCORE } from './compare';
import type { WantedCompany } from './compare';
import { candidateOf, decide, refuse } from './decide';
import type { Candidate, CompanyRecord, Decision } from './decide';
import { isDistinctive } from './name';
import type { CompanyName } from './name';
import { isPlace } from './places';
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

const CUT_OFF = 'The search has more results than the node read.';

export const MAY_HIDE_ANOTHER =
	'The search has more results than the node read, so there may be another company with this name.';

const WRONG_ENCODING = 'The name looks garbled. Export the list again as UTF-8.';

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
	/** What each query has found so far. */
	const searches: Array<{ shown: Candidate[]; isRead: boolean }> = [];
	let result: NameSearch = { ...decide(wanted, []), isCutOff: false };
	let [query, page] = [rest.shift(), 1];
	for (let sent = 0; sent < MOST_SEARCHES && query !== undefined; sent++) {
		const { rows, more } = await search(query, page);
		const allowed = rows
			.flatMap((row) => candidateOf(row) ?? [])
			.filter(({ idno }) => !excluded?.has(idno ?? ''));
		const earlierPages = page > 1 ? searches.pop()?.shown : undefined;
		const shown = [...(earlierPages ?? []), ...allowed];
		const isRead = more === 'none' || endsAfterMatches(shown, query);
		searches.push({ shown, isRead });
		const decision = decide(
			wanted,
			searches.flatMap((each) => each.shown),
		);
		const { found } = decision;
		// A found company may have a namesake only where its search has more results.
		const readWhole = searches.filter((each) => each.isRead).flatMap((each) => each.shown);
		const isCutOff = found ? !readWhole.some(({ idno }) => idno === found.idno) : !isRead;
		result = { ...decision, isCutOff };
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
	const note = applied.found ? MAY_HIDE_ANOTHER : CUT_OFF;
	return { ...applied, reason: withNote(applied.reason, note) };
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

/** The fewest letters that a search for a word needs, and the most of a word that may be misspelled. */
const SHORTEST_QUERY = 4;
const LONGEST_PART = 5;

/** Letters that the registry may spell differently: diacritics, doubled letters, foreign letters. */
const DOUBTFUL = /[^a-z\d]|[ai](?=[mnr])|[kwyhxq]|(.)\1/u;
/** The same with all letters that may have a diacritic in the registry. */
const MAYBE_DOUBTFUL = /[^a-z\d]|[aistkwyhxq]|(.)\1/u;

/**
 * The queries for a row: the name as it's written, without the text around it, then its rarest word that
 * the registry hardly spells differently, or else a part of a word.
 */
export function queriesFor({ readings }: WantedCompany): string[] {
	const { name } = readings.at(-1)!;
	const whole = wholeOf(name);
	const byRarity = [...name.words].sort((a, b) => rarity(b) - rarity(a));
	const textsOf = (words: Word[]) => words.map(({ text }) => text.toLowerCase());
	const all = textsOf(byRarity);
	const rare = textsOf(byRarity.filter((word) => rarity(word) >= SHORTEST_QUERY));
	const isLong = (text: string | undefined) => (text?.length ?? 0) >= SHORTEST_QUERY;
	const isCertain = (text: string) => isLong(text) && !DOUBTFUL.test(text);
	const partsWithout = (letters: RegExp) =>
		rare.flatMap((text) => text.split(letters).filter(isLong)).sort((a, b) => b.length - a.length);
	const parts = [...partsWithout(MAYBE_DOUBTFUL), ...partsWithout(DOUBTFUL), ...rare];
	const inOrder = [
		...rare.filter(isCertain),
		...parts.map((part) => [...part].slice(0, LONGEST_PART).join('')),
		...all.filter(isCertain),
		...all,
	];
	const other = inOrder.find((each) => each !== whole) ?? '';
	// The registry may have "&" for "și".
	const withoutAnd = whole.replace(AND, ' ');
	const isWordKnown = withoutAnd === whole || isCertain(other);
	return [whole, isWordKnown ? other : withoutAnd].filter(Boolean);
}

const AND = /(?<=\S)\s(?:și|si|and|и)\s(?=\S)/gu;

/** The name as it's written, in Latin letters, and without possible legal forms if enough is left. */
function wholeOf({ full, possible }: CompanyName): string {
	const certain = full.filter((word) => !possible.has(word));
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
	return spelling.length - (isCommon(spelling) || isPlace(word) ? 200 : 0);
}
