import type { Json } from '../../../shared/http/envelope';
import { nameOf } from '../../companyFields';
import type { CompanyName } from '../read/clean';
import type { WantedCompany } from './compare';
import { candidateOf, decide } from './decide';
import type { Candidate, Decision } from './decide';
import { isPlace } from '../read/places';
import { fold, isKnownWord } from '../read/words';
import type { Word } from '../read/words';

/** A page of search results. */
export interface ResultPage {
	rows: Json[];
	/** Results on all pages together, as far as the service tells; at least those of this page. */
	total: number;
	/** Whether there is a next page to request, or more results that can't be requested. */
	more: 'next page' | 'cut off' | 'none';
}

/** Sends one search request. */
export type Search = (query: string, page: number) => Promise<ResultPage>;

export interface NameSearch extends Decision {
	/** How many companies the searches found, if known. */
	results: number;
}

const CUT_OFF =
	'The search has more results than were read: enter more of the name, or raise "Max Searches per Name".';

export const MAY_HIDE_ANOTHER =
	'The search has more results than were read, so there may be another company with the same name.';

/**
 * Searches for the company that a row names, until it is found or no request is left.
 *
 * The whole name comes first: one request is enough if it is spelled as in the registry. If there are
 * more results than were read, companies with the same name may be among them, so the next page is
 * read. If not, the registry spells the name differently, so parts of it are searched.
 *
 * @param wanted parses the row; called when it is compared, so that nothing is kept while it waits
 * @param queries what to search by, in this order; see `queriesFor`
 * @param searches the maximum number of requests
 */
export async function searchByName(
	wanted: () => WantedCompany,
	queries: readonly string[],
	search: Search,
	{ searches, minScore }: { searches: number; minScore: number },
): Promise<NameSearch> {
	const rest = [...queries];
	const companies = new Map<unknown, Candidate>();
	let result: NameSearch = { ...decide(wanted(), []), results: 0 };
	let cutOff = false;
	/** By the present query, on all pages. */
	let shown: Json[] = [];
	let [query, page] = [rest.shift(), 1];
	for (let sent = 0; sent < searches && query !== undefined; sent++) {
		const { rows, total, more } = await search(query, page);
		shown = [...(page > 1 ? shown : []), ...rows];
		for (const row of rows) {
			const candidate = candidateOf(row);
			if (!candidate) continue;
			const { idno, title } = candidate;
			// A branch has the IDNO of its company; without an IDNO, each row is a company.
			companies.set(idno === undefined ? row : `${idno} ${title}`, candidate);
		}
		cutOff = more !== 'none' && !endsAfterMatches(shown, query);
		const results = Math.max(result.results, total, companies.size);
		result = { ...decide(wanted(), [...companies.values()], minScore), results };
		if (cutOff && more === 'next page') page++;
		else if (result.found || result.ambiguous) break;
		else [query, page] = [rest.shift(), 1];
	}
	if (!cutOff || result.ambiguous) return result;
	const reason = [result.reason, result.found ? MAY_HIDE_ANOTHER : CUT_OFF]
		.filter(Boolean)
		.join(' ');
	return { ...result, reason };
}

/** Services that rank results list partial matches last, so these need not be read. */
function endsAfterMatches(rows: readonly Json[], query: string): boolean {
	const words = fold(query).split(' ');
	const isMatch = rows.map((row) => {
		const name = fold(nameOf(row) ?? '');
		return words.every((word) => name.includes(word));
	});
	return rows.length === 0 || isMatch.indexOf(false) > isMatch.lastIndexOf(true);
}

/**
 * The queries for a row, in the order that finds most: the words of its name; the part of a rare word
 * with the most certain spelling, which finds the company even if the rest is misspelled; the rarest
 * word.
 */
export function queriesFor({ readings }: WantedCompany): string[] {
	const [name, ...others] = readings.map((reading) => reading.name).reverse();
	if (!name || name.words.length === 0) return [];
	const byRarity = [...name.words].sort((a, b) => rarity(b) - rarity(a));
	const rare = byRarity.filter((word) => rarity(word) >= LEAST_RARITY);
	const [rarest = '', ...rest] = byRarity.map(textOf);
	const parts = [certainPart(rare.length > 0 ? rare.map(textOf) : [rarest]), rarest];
	// A city or an abbreviation can be why all words together find nothing.
	if (name.words.some((word) => isPlace(word) || word.dotted)) parts.reverse();
	return [...new Set([wholeOf(name), ...parts, ...others.map(wholeOf), ...rest])];
}

function wholeOf(name: CompanyName): string {
	return queryOf(searchedWords(name));
}

/** As the row writes them, but of a word with lost letters only the longest part that is left. */
function queryOf(words: readonly Word[]): string {
	return words
		.map(({ source }) => (source.includes(LOST_LETTER) ? ` ${longestPart(source)}` : source))
		.join('')
		.replace(/\s+/g, ' ')
		.trim();
}

/** Without what may be a legal form, as long as that leaves more than one word to search by. */
function searchedWords({ full, possibleForms }: CompanyName): Word[] {
	const certain = full.filter((word) => !possibleForms.has(word));
	return certain.length > 1 ? certain : full;
}

/** In lower case, so that all spellings of a name share one request. */
function textOf({ text }: Word): string {
	return text.toLowerCase();
}

/** Shorter words are part of too many others. */
const SHORTEST_RARE = 3;

/** Numbers and long words are rare; places, initials and words that many companies have are not. */
function rarity(word: Word): number {
	const [spelling = ''] = word.spellings;
	if (/\d/.test(spelling)) return spelling.length + 5;
	if (isKnownWord(spelling)) return spelling.length - 200;
	if (spelling.length < SHORTEST_RARE) return spelling.length - 300;
	if (isPlace(word) || word.dotted) return spelling.length - 100;
	return spelling.length;
}

/** Words of fewer letters have no part that tells more than the word. */
const LEAST_RARITY = 5;

/**
 * Letters that the registry may spell differently if the name as written found nothing: with or
 * without a diacritic, or in the Romanian spelling of a Russian word.
 */
const DOUBTFUL: ReadonlyArray<[letters: string, doubt: number]> = [
	['âîășț', 3],
	['aikwyh', 1],
	['st', 0.5],
];
const KNOWN_DOUBT = 2;
/** Doubt per letter before a part: typing errors are rarer at the beginning of a word. */
const LATER_DOUBT = 0.25;

/**
 * The half of a word, at least four letters, with the most certain spelling. Services that only search
 * for whole words don't find it.
 */
function certainPart(words: readonly string[]): string {
	const parts = words.flatMap((word) => {
		const length = Math.max(4, Math.floor(word.length / 2));
		if (word.length <= length || /\d/.test(word)) return [{ part: word, doubt: doubtOf(word) }];
		return Array.from({ length: word.length - length + 1 }, (_, start) => {
			const part = word.slice(start, start + length);
			return { part, doubt: doubtOf(part) + start * LATER_DOUBT };
		});
	});
	return parts.reduce((best, each) => (each.doubt < best.doubt ? each : best)).part;
}

function doubtOf(part: string): number {
	const letters = [...part].map(
		(letter) => DOUBTFUL.find(([doubtful]) => doubtful.includes(letter))?.[1] ?? 0,
	);
	return letters.reduce((sum, doubt) => sum + doubt, isKnownWord(part) ? KNOWN_DOUBT : 0);
}
