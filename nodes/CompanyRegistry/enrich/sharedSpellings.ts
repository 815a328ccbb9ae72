import type { CompanyName } from './companyName';

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

function keyOf({ full, possibleForms }: CompanyName): string {
	const words = full.map((word) => `${word.spellings[0]}${possibleForms.has(word) ? '?' : ''}`);
	return words.join(' ');
}

function diacriticsIn({ full }: CompanyName): number {
	return full.reduce((sum, { text }) => sum + (text.match(/[ăâîșț]/gi) ?? []).length, 0);
}
