import type { ResultPage } from '../../nodes/CompanyRegistry/names/search';
import type { Json } from '../../nodes/shared/http/json';
import { entryOf, searchEntries, type SearchKind } from '../../sandbox/registry/search';

const ROWS_PER_PAGE = 50;

/** A registry that searches its companies in one way, and counts the requests. */
export class Register {
	requests = 0;
	private readonly entries;
	private readonly found = new Map<string, Json[]>();

	constructor(
		private readonly kind: SearchKind,
		companies: readonly Json[],
	) {
		this.entries = companies.map((company) => entryOf(company, String(company.name)));
	}

	search(q: string, page: number): ResultPage & { total: number } {
		this.requests++;
		const hits = this.found.get(q) ?? searchEntries(q, this.entries, this.kind);
		this.found.set(q, hits);
		return {
			rows: hits.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE),
			total: hits.length,
			more: page * ROWS_PER_PAGE < hits.length ? 'next page' : 'none',
		};
	}
}
