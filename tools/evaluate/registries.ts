import type { Json } from '../../nodes/shared/http/envelope';

/** Ways in which registers search, by what a name must have to be found. */
export const SEARCHES = {
	'all words': (q: string, names: string[]) => {
		const words = fold(q).split(/\s+/);
		return names.filter((name) => words.every((word) => fold(name).includes(word)));
	},
	'any word': (q: string, names: string[]) => {
		const words = tokens(q);
		const rank = (name: string) => words.filter((word) => tokens(name).includes(word)).length;
		return names
			.map((name) => ({ name, rank: rank(name) }))
			.filter((each) => each.rank > 0)
			.sort((a, b) => b.rank - a.rank)
			.map(({ name }) => name);
	},
	LIKE: (q: string, names: string[]) =>
		names.filter((name) => name.toLowerCase().includes(q.toLowerCase())),
	'whole words': (q: string, names: string[]) => {
		const words = tokens(q);
		return names.filter((name) => words.every((word) => tokens(name).includes(word)));
	},
} as const;

export type SearchKind = keyof typeof SEARCHES;

function fold(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function tokens(text: string): string[] {
	return fold(text)
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
}

/** A register that searches its companies in one of these ways, 50 results a page. */
export class Register {
	requests = 0;
	private readonly byName = new Map<string, Json[]>();

	constructor(
		private readonly kind: SearchKind,
		private readonly variant: 'v1' | 'unversioned',
		companies: readonly Json[],
	) {
		for (const company of companies) {
			const name = String(company.name);
			this.byName.set(name, [...(this.byName.get(name) ?? []), company]);
		}
	}

	search(
		q: string,
		page: number,
	): { rows: Json[]; total: number; more: 'next page' | 'cut off' | 'none' } {
		this.requests++;
		const hits = SEARCHES[this.kind](q, [...this.byName.keys()]).flatMap(
			(name) => this.byName.get(name) ?? [],
		);
		const rows = hits.slice((page - 1) * 50, page * 50);
		const isLast = page * 50 >= hits.length;
		const next = this.variant === 'v1' ? 'cut off' : 'next page';
		return { rows, total: hits.length, more: isLast ? 'none' : next };
	}
}
