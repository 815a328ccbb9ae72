import { fold } from '../shared/data';

/** A company with what a search looks at. */
export interface Entry<Company> {
	company: Company;
	idno: string;
	lower: string;
	folded: string;
	words: ReadonlySet<string>;
}

/** @param idno empty if the registry isn't searched by IDNO */
export function entryOf<Company>(company: Company, name: string, idno = ''): Entry<Company> {
	return { company, idno, lower: name.toLowerCase(), folded: fold(name), words: wordsIn(name) };
}

function wordsIn(text: string): Set<string> {
	const words = fold(text).split(/[^\p{L}\p{N}]+/u);
	return new Set(words.filter(Boolean));
}

type Search = <Company>(q: string, entries: Array<Entry<Company>>) => Array<Entry<Company>>;

/** The ways in which services search by name. Each returns the entries that it finds, in order. */
const SEARCHES = {
	'all words': (q, entries) => {
		const words = fold(q).split(/\s+/);
		return entries.filter(({ folded }) => words.every((word) => folded.includes(word)));
	},
	'any word': (q, entries) => {
		const wanted = [...wordsIn(q)];
		const ranked = entries.map((entry) => {
			return { entry, rank: wanted.filter((word) => entry.words.has(word)).length };
		});
		const found = ranked.filter(({ rank }) => rank > 0);
		return found.sort((one, other) => other.rank - one.rank).map(({ entry }) => entry);
	},
	LIKE: (q, entries) => entries.filter(({ lower }) => lower.includes(q.toLowerCase())),
	'whole words': (q, entries) => {
		const wanted = [...wordsIn(q)];
		return entries.filter(({ words }) => wanted.every((word) => words.has(word)));
	},
} satisfies Record<string, Search>;

export type SearchKind = keyof typeof SEARCHES;
export const SEARCH_KINDS = Object.keys(SEARCHES) as SearchKind[];

/** The companies that a query finds: by the beginning of an IDNO, otherwise by name. */
export function searchEntries<Company>(
	q: string,
	entries: Array<Entry<Company>>,
	kind: SearchKind = 'all words',
): Company[] {
	const text = q.trim();
	const ofIdno = /^\d+$/.test(text) ? entries.filter(({ idno }) => idno.startsWith(text)) : [];
	const search: Search = SEARCHES[kind];
	const found = ofIdno.length > 0 ? ofIdno : search(text, entries);
	return found.map(({ company }) => company);
}
