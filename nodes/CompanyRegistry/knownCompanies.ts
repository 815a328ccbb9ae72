import { sleep } from 'n8n-workflow';

import type { Json } from '../transport/envelope';
import { idnoOf } from './records';

/**
 * The companies that the searches of a run have shown so far. A list in which a company stands
 * once by name and once by IDNO costs one search for it: the names are searched first, and an
 * IDNO that their results contain needs no search of its own.
 */
export class KnownCompanies {
	private readonly byIdno = new Map<string, Json>();
	private readonly nameSearches = new Set<Promise<void>>();
	/** The end of all of them; one promise for all rows that wait. */
	private allSearched: Promise<unknown> | undefined;

	/** Keeps what a search by name shows. Should it fail, that is its own row's affair. */
	searchingByName(search: Promise<{ rows: Json[] }>): void {
		const kept = search.then(({ rows }) => rows.forEach((row) => this.keep(row)));
		this.nameSearches.add(kept.catch(() => undefined));
		this.allSearched = undefined;
	}

	/** The company, if a search by name has shown it, once all of them have ended. */
	async find(idno: string): Promise<Json | undefined> {
		// All items of a run start in the same turn of the event loop.
		await sleep(0);
		await (this.allSearched ??= Promise.all(this.nameSearches));
		return this.byIdno.get(idno);
	}

	private keep(row: Json): void {
		const idno = idnoOf(row);
		if (idno !== undefined) this.byIdno.set(idno, row);
	}
}

export const makeKnownCompanies = () => new KnownCompanies();
