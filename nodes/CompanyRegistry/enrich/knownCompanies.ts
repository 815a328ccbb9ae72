import type { Json } from '../../shared/http/envelope';
import { idnoOf } from '../records';

/**
 * The companies that the searches of a run have found so far. Names are searched first, and an IDNO
 * that their results contain needs no search of its own: a company that one row names and another
 * gives by IDNO costs one search.
 */
export class KnownCompanies {
	private readonly byIdno = new Map<string, Json>();
	private readonly nameSearches = new Set<Promise<void>>();
	/** The end of all of them; one promise for all rows that wait. */
	private allSearched: Promise<unknown> | undefined;

	/**
	 * Announces a search by name, before it is sent.
	 *
	 * @returns to be called when the search is over, whether or not it found anything
	 */
	announceNameSearch(): () => void {
		let end = () => {};
		this.nameSearches.add(new Promise((resolve) => (end = resolve)));
		this.allSearched = undefined;
		return end;
	}

	/** @param identity the account that was asked: what it may see can differ */
	keep(identity: string, rows: Json[]): void {
		for (const row of rows) {
			const idno = idnoOf(row);
			if (idno !== undefined) this.byIdno.set(keyOf(identity, idno), row);
		}
	}

	/** The company, if a search by name has shown it, once all of them have ended. */
	async find(identity: string, idno: string): Promise<Json | undefined> {
		await (this.allSearched ??= Promise.all(this.nameSearches));
		return this.byIdno.get(keyOf(identity, idno));
	}
}

const keyOf = (identity: string, idno: string) => `${identity} ${idno}`;

export const makeKnownCompanies = () => new KnownCompanies();
