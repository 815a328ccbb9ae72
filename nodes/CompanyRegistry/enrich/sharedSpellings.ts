import type { CompanyName } from './companyName';
import { searchedWords } from './searchByName';

/**
 * The names of the rows of a run. Rows that spell one name with and without diacritics share its
 * searches, and the spelling that has most of them is searched, since some services need it.
 */
export class SharedSpellings {
	private readonly byKey = new Map<string, CompanyName>();

	note(name: CompanyName): void {
		const known = this.byKey.get(keyOf(name));
		if (!known || diacriticsIn(name) > diacriticsIn(known)) this.byKey.set(keyOf(name), name);
	}

	bestOf(name: CompanyName): CompanyName {
		return this.byKey.get(keyOf(name)) ?? name;
	}
}

export const makeSharedSpellings = () => new SharedSpellings();

function keyOf(name: CompanyName): string {
	return searchedWords(name)
		.map(({ spellings }) => spellings[0])
		.join(' ');
}

function diacriticsIn(name: CompanyName): number {
	return searchedWords(name).reduce(
		(sum, { text }) => sum + (text.match(/[ăâîșț]/gi) ?? []).length,
		0,
	);
}
