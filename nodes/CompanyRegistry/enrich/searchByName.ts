import type { Json } from '../../shared/http/envelope';
import type { Candidate } from './candidate';
import { candidateOf } from './candidate';
import type { CompanyName } from './companyName';
import { decide } from './decide';
import type { Decision, WantedCompany } from './decide';
import { isKnownWord } from './knownWords';
import { isPlace } from './places';
import { fold } from './words';
import type { Word } from './words';

/** A page of search results. */
export interface ResultPage {
	rows: Json[];
	/** Results on all pages together, as far as the service tells; at least those of this page. */
	total: number;
	/** Whether a request for the next page makes sense, or what is missing cannot be had. */
	more: 'next page' | 'cut off' | 'none';
}

/** Sends one search request. */
export type Search = (query: string, page: number) => Promise<ResultPage>;

export interface NameSearch extends Decision {
	/** How many companies the searches found, as far as it is known. */
	results: number;
	/** Whether there are results that were not read. */
	cutOff: boolean;
}

/**
 * Searches for the company that a row names, until it is found or no request is left.
 *
 * The whole name comes first: it is one request for a name that is spelled as in the register. If
 * there are more results than were read, others of the same name may be among them, so the next
 * page is read. Otherwise the name is spelled differently, and parts of it are searched.
 *
 * @param queries what to search by, in this order; see `queriesFor`
 * @param requests the most requests to send
 */
export async function searchByName(
	wanted: WantedCompany,
	queries: readonly string[],
	search: Search,
	requests: number,
): Promise<NameSearch> {
	const rest = [...queries];
	const companies = new Map<unknown, Candidate>();
	let result: NameSearch = { ...decide(wanted, []), results: 0, cutOff: false };
	let [query, page] = [rest.shift(), 1];
	for (let sent = 0; sent < requests && query !== undefined; sent++) {
		const { rows, total, more } = await search(query, page);
		for (const row of rows) {
			const candidate = candidateOf(row);
			if (candidate) companies.set(candidate.idno ?? row, candidate);
		}
		const cutOff = more !== 'none' && hasAllWords(rows.at(-1), query);
		result = {
			...decide(wanted, [...companies.values()]),
			results: Math.max(result.results, total, companies.size),
			cutOff,
		};
		if (cutOff && more === 'next page') page++;
		else if (result.found || result.ambiguous) break;
		else [query, page] = [rest.shift(), 1];
	}
	if (!result.cutOff || result.found || result.ambiguous) return result;
	const reason = `${result.reason} ${CUT_OFF}`;
	return { ...result, reason };
}

const CUT_OFF =
	'The search has more results than were read: give more of the name, or allow more requests per row.';

/** Services that rank put companies with only some of the words last: those need not be read. */
function hasAllWords(row: Json | undefined, query: string): boolean {
	const name = row && candidateOf(row)?.title;
	if (name === undefined) return false;
	return fold(query)
		.split(' ')
		.every((word) => fold(name).includes(word));
}

/**
 * What to search a name by, in the order that finds most: all its words as they are written, in
 * their other spelling, the most certain part of a word that few companies have, that word, the
 * other words.
 */
export function queriesFor(name: CompanyName): string[] {
	const byRarity = [...name.words].sort((a, b) => rarity(b) - rarity(a));
	const [rarest, ...others] = byRarity.map(textOf);
	if (rarest === undefined) return [];
	const whole = searchedWords(name).map(textOf).join(' ');
	const rare = byRarity.filter((word) => rarity(word) >= LEAST_RARITY).map(textOf);
	// Without a rare word, the rarest is the best.
	const { part } = mostCertain((rare.length > 0 ? rare : [rarest]).map(certainPart));
	const byRarest = [part, rarest];
	// A city or a shortened word explains why all words together find nothing. Otherwise a rare
	// word is most likely the one that is misspelled.
	if (name.words.some((word) => isPlace(word) || word.dotted)) byRarest.reverse();
	return [...new Set([whole, otherSpelling(whole), ...byRarest, ...others])];
}

/** Without what may be a legal form, as long as that leaves more than one word to search by. */
export function searchedWords({ full, possibleForms }: CompanyName): Word[] {
	const certain = full.filter((word) => !possibleForms.has(word));
	return certain.length > 1 ? certain : full;
}

/** In lower case, so that all spellings of a name are one request. */
function textOf({ text }: Word): string {
	return text.toLowerCase();
}

/** Shorter words are part of too many others. */
const SHORTEST_RARE = 3;

/** Words of fewer letters have no part that tells more than the word. */
const LEAST_RARITY = 5;

/** Numbers and long words are rare; places, initials and words that many companies have are not. */
function rarity({ spellings: [spelling = ''], ...word }: Word): number {
	if (/\d/.test(spelling)) return spelling.length + 5;
	if (isKnownWord(spelling)) return spelling.length - 200;
	if (spelling.length < SHORTEST_RARE) return spelling.length - 300;
	if (isPlace({ ...word, spellings: [spelling] }) || word.dotted) return spelling.length - 100;
	return spelling.length;
}

/** Romanian spelling of what is typed as Russian or English, most specific first. */
const RESPELLED: ReadonlyArray<[pattern: RegExp, spelling: string]> = [
	[/sh/g, 'ș'],
	[/zh/g, 'j'],
	[/ts/g, 'ț'],
	[/ph/g, 'f'],
	[/(?<!c)k(?=[ei])/g, 'ch'],
	// At the end it belongs to words like "bank", and "ck" to foreign names.
	[/(?<!c)k(?=\p{L})/gu, 'c'],
	[/w/g, 'v'],
	[/y/g, 'i'],
];

/** The name with â for î and the other way round, and in Romanian letters. */
function otherSpelling(text: string): string {
	const swapped = text.replace(/[âî]/g, (letter) => (letter === 'â' ? 'î' : 'â'));
	return RESPELLED.reduce((result, [from, to]) => result.replace(from, to), swapped);
}

/**
 * How doubtful it is that the register has a letter as well, once the name as it is written has
 * found nothing: a diacritic may be missing there, and other letters may have one.
 */
const DOUBTS: Record<string, number> = {
	...{ â: 3, î: 3, ă: 3, ș: 3, ț: 3 },
	...{ a: 1, i: 0.5, s: 0.5, t: 0.5 },
	// "ch", "gh", "sh" and "ph" have other spellings.
	h: 0.5,
};

/** What each letter by which a part starts later adds: typing errors are rarer at the beginning. */
const LATER = 0.25;

interface Part {
	part: string;
	doubt: number;
}

/**
 * Half of a word, at least four letters: the part whose spelling is most certain, so that the
 * search finds the word however the rest is spelled. Services that search for whole words find
 * nothing by it.
 */
function certainPart(word: string): Part {
	const length = Math.max(4, Math.floor(word.length / 2));
	const isWhole = word.length <= length || /\d/.test(word);
	const starts = isWhole ? [0] : Array.from({ length: word.length - length + 1 }, (_, at) => at);
	const parts = starts.map((start) => {
		const part = isWhole ? word : word.slice(start, start + length);
		const doubts = [...part].map((letter) => DOUBTS[letter] ?? 0);
		return { part, doubt: doubts.reduce((sum, doubt) => sum + doubt, start * LATER) };
	});
	return mostCertain(parts);
}

function mostCertain(parts: readonly Part[]): Part {
	return parts.reduce((best, each) => (each.doubt < best.doubt ? each : best));
}
