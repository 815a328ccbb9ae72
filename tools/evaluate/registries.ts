import type { ResultPage } from '../../nodes/CompanyRegistry/names/search';
import type { Json } from '../../nodes/shared/http/envelope';
import { fold } from '../../sandbox/shared/data';

/** A company with its name prepared for searching. */
interface Entry {
	company: Json;
	lower: string;
	folded: string;
	words: ReadonlySet<string>;
}

/** The ways in which services search. Each returns the entries that a query finds, in order. */
const SEARCHES = {
	'all words': (q: string, entries: Entry[]) => {
		const words = fold(q).split(/\s+/);
		return entries.filter(({ folded }) => words.every((word) => folded.includes(word)));
	},
	'any word': (q: string, entries: Entry[]) => {
		const wanted = [...wordsIn(q)];
		const ranks = new Map<Entry, number>();
		for (const entry of entries) {
			let rank = 0;
			for (const word of wanted) if (entry.words.has(word)) rank++;
			if (rank > 0) ranks.set(entry, rank);
		}
		return [...ranks].sort(([, a], [, b]) => b - a).map(([entry]) => entry);
	},
	LIKE: (q: string, entries: Entry[]) =>
		entries.filter(({ lower }) => lower.includes(q.toLowerCase())),
	'whole words': (q: string, entries: Entry[]) => {
		const wanted = [...wordsIn(q)];
		return entries.filter(({ words }) => wanted.every((word) => words.has(word)));
	},
};

export type SearchKind = keyof typeof SEARCHES;
export const SEARCH_KINDS = Object.keys(SEARCHES) as SearchKind[];

function wordsIn(text: string): Set<string> {
	return new Set(
		fold(text)
			.split(/[^\p{L}\p{N}]+/u)
			.filter(Boolean),
	);
}

const ROWS_PER_PAGE = 50;

/** A register that searches its companies in one of these ways. */
export class Register {
	requests = 0;
	private readonly entries: Entry[];
	private readonly found = new Map<string, Entry[]>();

	constructor(
		private readonly kind: SearchKind,
		companies: readonly Json[],
	) {
		this.entries = companies.map((company) => {
			const name = String(company.name);
			return { company, lower: name.toLowerCase(), folded: fold(name), words: wordsIn(name) };
		});
	}

	search(q: string, page: number): ResultPage & { total: number } {
		this.requests++;
		const hits = this.found.get(q) ?? SEARCHES[this.kind](q, this.entries);
		this.found.set(q, hits);
		const rows = hits.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE);
		return {
			rows: rows.map(({ company }) => company),
			total: hits.length,
			more: page * ROWS_PER_PAGE < hits.length ? 'next page' : 'none',
		};
	}
}
