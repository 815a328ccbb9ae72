import type { Json } from '../../../shared/http/envelope';
import { isDistinctive } from '../read/clean';
import type { CompanyName } from '../read/clean';
import { isCountry, isPlace } from '../read/places';
import { fold, isKnownWord, LOST_LETTER } from '../read/words';
import type { Word } from '../read/words';
import { LEAST_SCORE } from './compare';
import type { WantedCompany } from './compare';
import { candidateOf, decide, refuse } from './decide';
import type { Candidate, Decision } from './decide';

/** A page of search results. */
export interface ResultPage {
	rows: Json[];
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

const CUT_OFF =
	'The search has more results than the node read. Enter more of the name, or raise "Max Searches per Name".';

export const MAY_HIDE_ANOTHER =
	'The search has more results than the node read, so there may be another company with this name.';

interface SearchLimits {
	/** The maximum number of requests. */
	searches: number;
	/** IDNOs of companies that are neither found nor listed. */
	excluded?: ReadonlySet<string>;
}

/**
 * Searches for the company that a row names, until a match is exact or no request is left.
 *
 * The whole name comes first, because one request is enough if it's spelled as in the registry. Unread
 * pages come next, since they may contain companies with the same name, then searches for parts of the
 * name, in case the registry spells it differently. The minimum is applied afterwards (`applyMinimum`),
 * so it can't change which company is best.
 */
export async function searchByName(
	wanted: WantedCompany,
	search: Search,
	{ searches, excluded }: SearchLimits,
): Promise<NameSearch> {
	const rest = queriesFor(wanted);
	const companies = new Map<unknown, Candidate>();
	/** Keys of the companies from searches whose results were all read. */
	const readWhole = new Set<unknown>();
	let result: NameSearch = { ...decide(wanted, []), results: 0, isCutOff: false };
	/** Results of the current query so far. */
	let shown: Shown[] = [];
	let [query, page] = [rest.shift(), 1];
	for (let sent = 0; sent < searches && query !== undefined; sent++) {
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
	return result;
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
	const note = applied.found ? MAY_HIDE_ANOTHER : CUT_OFF;
	return { ...applied, reason: [applied.reason, note].filter(Boolean).join(' ') };
}

/** Whether only partial matches are left, which services with ranked results list last. */
function endsAfterMatches(shown: readonly Shown[], query: string): boolean {
	const words = fold(query).split(' ');
	const isMatch = shown.map(([, { title }]) => {
		const name = fold(title);
		return words.every((word) => name.includes(word));
	});
	return shown.length === 0 || isMatch.indexOf(false) > isMatch.lastIndexOf(true);
}

/** Whether there's anything to search by besides punctuation and contact details. */
export function hasName(wanted: WantedCompany): boolean {
	return queriesFor(wanted).length > 0;
}

/**
 * The queries for a row, most promising first: the name as it's written, without the text around it;
 * the part of a rare word that's least likely to be misspelled; the rarest word.
 */
export function queriesFor({ readings }: WantedCompany): string[] {
	const [name, ...others] = readings.map((reading) => reading.name).reverse();
	if (!name || name.words.length === 0) return [];
	const byRarity = [...name.words].sort((a, b) => rarity(b) - rarity(a));
	const rare = byRarity.filter((word) => rarity(word) >= LEAST_RARITY);
	const [rarest = '', ...rest] = byRarity.map(textOf);
	const parts = [certainPart(rare.length > 0 ? rare.map(textOf) : [rarest]), rarest];
	// The registered name may lack the city, or spell out the abbreviation.
	if (name.words.some((word) => isPlace(word) || word.dotted)) parts.reverse();
	// Part of a common word would find too many companies.
	if (rare.length === 0) parts.unshift(...inDigits(name));
	if (name.words.length === 1) parts.unshift(...apart(rarest));
	const queries = [wholeOf(name), ...parts, ...others.map(wholeOf), ...rest];
	return [...new Set(queries)].filter((query) => query !== '');
}

/** The name with its numbers in digits, unless they already are. */
function inDigits(name: CompanyName): string[] {
	const words = searchedWords(name);
	if (words.every(({ number = '', written }) => number === '' || number === written)) return [];
	return [words.map((word) => word.number ?? textOf(word)).join(' ')];
}

/** The name as it's written, in Latin letters. */
function wholeOf(name: CompanyName): string {
	const text = searchedWords(name).map((word) =>
		word.source.includes(LOST_LETTER) ? ` ${textOf(word)}` : word.source,
	);
	const start = /^[^\p{L}\p{N}]+/u;
	return text.join('').replace(start, '').replace(/\s+/g, ' ').trim();
}

/** Leaves out possible legal forms if that leaves more than one word. */
function searchedWords({ full, kinds, possibleForms }: CompanyName): Word[] {
	// "Liceul Teoretic nr. 2": the number alone would find too many companies.
	if (!full.some(isDistinctive)) return [...kinds, ...full];
	const certain = full.filter((word) => !possibleForms.has(word));
	return certain.length > 1 ? certain : full;
}

/** In lower case and Romanian letters. If letters are lost, the longest part without them. */
function textOf({ text }: Word): string {
	const usual = text.toLowerCase().replace(/[^a-zăâîșț]/gu, fold);
	const parts = usual.split(LOST_LETTER);
	return parts.reduce((longest, each) => (each.length > longest.length ? each : longest));
}

const SHORTEST_HEAD = 4;
const SHORTEST_TAIL = 3;

/** The common word that a word begins with, and part of its rest: the registry may have "Nord-Pan". */
function apart(word: string): string[] {
	for (let end = SHORTEST_HEAD; end <= word.length - SHORTEST_TAIL; end++) {
		const [head, tail] = [word.slice(0, end), word.slice(end)];
		if (isKnownWord(head)) return [`${head} ${certainPart([tail])}`];
	}
	return [];
}

/** Shorter words also appear inside too many longer ones. */
const SHORTEST_RARE = 3;

/** Higher for numbers and long words, lower for places, initials and common words. */
function rarity(word: Word): number {
	const [spelling = ''] = word.spellings;
	if (/^\d+$/.test(spelling)) return spelling.length + 5;
	if (word.number !== undefined) return spelling.length - 100;
	if (isKnownWord(spelling)) return spelling.length - 200;
	if (spelling.length < SHORTEST_RARE) return spelling.length - 300;
	if (isPlace(word) || isCountry(word) || word.dotted) return spelling.length - 100;
	return spelling.length;
}

/** Part of a word with a lower rarity isn't worth searching. */
const LEAST_RARITY = 5;

/** Letters that the registry may spell differently, and how likely that is. */
const DOUBTFUL: ReadonlyArray<[pattern: RegExp, doubt: number]> = [
	// Spelling rules have changed.
	[/[âî]/g, 5],
	// Often written without diacritics.
	[/[ășț]/g, 3],
	// Digits may stand for letters.
	[/[^a-zâîășț]/g, 4],
	[/[ai](?=[mnr])/g, 2],
	[/[ai](?![mnr])|[kwyhx]/g, 1],
	[/[st]/g, 0.5],
	// A doubled letter may be a typo.
	[/(.)\1/g, 2],
	// In many fonts, rn looks like m.
	[/rn/g, 1.5],
];
const KNOWN_DOUBT = 2;
/** Doubt per letter before a part, because typos are rarer at the start of a word. */
const LATER_DOUBT = 0.25;
const SHORTEST_PART = 4;
/** A longer part has more doubtful letters, but finds almost as many companies. */
const LONGEST_PART = 6;

/**
 * The part of a word that's least likely to be misspelled, up to half of the word. A service that only
 * searches for whole words doesn't find it.
 */
function certainPart(words: readonly string[]): string {
	const parts = words.flatMap((word) => {
		const letters = [...word];
		const half = Math.min(LONGEST_PART, Math.floor(letters.length / 2));
		const length = Math.max(SHORTEST_PART, half);
		if (letters.length <= length || /^\d+$/.test(word))
			return [{ part: word, doubt: doubtOf(word) }];
		return Array.from({ length: letters.length - length + 1 }, (_, start) => {
			const part = letters.slice(start, start + length).join('');
			return { part, doubt: doubtOf(part) + start * LATER_DOUBT };
		});
	});
	return parts.reduce((best, each) => (each.doubt < best.doubt ? each : best)).part;
}

function doubtOf(part: string): number {
	return DOUBTFUL.reduce(
		(sum, [pattern, doubt]) => sum + doubt * (part.match(pattern)?.length ?? 0),
		isKnownWord(part) ? KNOWN_DOUBT : 0,
	);
}
