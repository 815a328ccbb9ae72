import { LEAST_SCORE, type WantedCompany } from './compare';
import { candidateOf, decide, refuse } from './decide';
import type { Candidate, CompanyRecord, Decision } from './decide';
import { isDistinctive, type CompanyName } from './name';
import { isPlace } from './places';
import { fold, hasWrongEncoding, isCommon, type Word } from './words';

export interface ResultPage {
	rows: CompanyRecord[];
	/** Whether there is a next page to request, or more results that can't be requested. */
	more: 'next page' | 'cut off' | 'none';
}

export type Search = (query: string, page: number) => Promise<ResultPage>;

export interface NameSearch extends Decision {
	/** Whether unread results could change the decision. */
	isCutOff: boolean;
}

const CUT_OFF = 'The search has more results than the node read.';

export const MAY_HIDE_ANOTHER =
	'The search has more results than the node read, so there may be another company with this name.';

const NO_WORDS = 'The name has no letters or numbers to search for.';

const WRONG_ENCODING = 'The name looks garbled. Export the list again as UTF-8.';

interface Results {
	shown: Candidate[];
	/** Whether the unread results can't match. */
	isRead: boolean;
	/** Whether there's a next page that's worth a request. */
	hasNext: boolean;
}

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
	excluded?: ReadonlySet<string>,
): Promise<NameSearch> {
	const read = async (query: string, page: number, before: Candidate[] = []): Promise<Results> => {
		const { rows, more } = await search(query, page);
		const candidates = rows.flatMap((row) => candidateOf(row) ?? []);
		const shown = [...before, ...candidates.filter(({ idno }) => !excluded?.has(idno ?? ''))];
		const isRead = more === 'none' || endsAfterMatches(shown, query);
		return { shown, isRead, hasNext: more === 'next page' && !isRead };
	};
	const [whole, rarest] = queriesFor(wanted);
	if (whole === undefined) return { ...decideFrom(wanted, []), reason: NO_WORDS };
	const first = await read(whole, 1);
	if (first.hasNext) return decideFrom(wanted, [await read(whole, 2, first.shown)]);
	const result = decideFrom(wanted, [first]);
	if (result.score === LEAST_SCORE.exact || rarest === undefined) return result;
	return decideFrom(wanted, [first, await read(rarest, 1)]);
}

function decideFrom(wanted: WantedCompany, results: readonly Results[]): NameSearch {
	const decision = decide(
		wanted,
		results.flatMap(({ shown }) => shown),
	);
	const { found, reason } = decision;
	// A found company may have a namesake only where its search has more results.
	const isWhole = ({ isRead, shown }: Results) =>
		isRead && shown.some(({ idno }) => idno === found?.idno);
	const isCutOff = found ? !results.some(isWhole) : results.at(-1)?.isRead === false;
	const isGarbled = !found && hasWrongEncoding(wanted.text);
	return { ...decision, isCutOff, reason: isGarbled ? withNote(reason, WRONG_ENCODING) : reason };
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
 * The queries for a row: first the name as it's written, without the text around it. Then its rarest word, if
 * the registry is unlikely to spell it differently, or else a part of a word.
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

const AND = /(?<=\S)\s(?:și|si|and)\s(?=\S)/gu;

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
