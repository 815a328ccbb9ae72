import { formsIn, withoutForms } from './legalForms';
import type { LegalForm } from './legalForms';
import { isCountry, isKindOfPlace, isPlace, isStreet, placeOf } from './places';
import { isJoining, wordsOf } from './words';
import type { Word } from './words';

/** A company's name, taken apart. */
export interface CompanyName {
	/** The words that tell the company from others, in their order. */
	words: Word[];
	/** All words of the name itself, with those that only join, e.g. "de". */
	full: Word[];
	/** The initials of the name, as in "Calea Ferată din Moldova (CFM)". */
	acronym?: Word;
	forms: ReadonlySet<LegalForm>;
	/** Words among `words` that may be a legal form; see `withoutForms`. */
	possibleForms: ReadonlyMap<Word, LegalForm>;
	/** Places outside the name, as in "Agro Nord SRL, Orhei". */
	places: string[];
	/** The words of a branch, as in "Agro Nord SRL, filiala Orhei"; empty where it is none. */
	branch: Word[];
}

const BRANCH = new Set(
	'filiala filialei sucursala reprezentanta филиал представительство'.split(' '),
);

/** Two letters are the initials of too many names. */
const SHORTEST_ACRONYM = 3;

/** Takes a name apart: legal forms at its ends, a place or an address beside it, a branch. */
export function parseName(name: string): CompanyName {
	const all = wordsOf(name);
	const branchAt = all.findIndex(({ written }, index) => index > 0 && BRANCH.has(written));
	const branch = branchAt === -1 ? [] : all.slice(branchAt + 1);
	const main = branchAt === -1 ? all : all.slice(0, branchAt);
	const { name: named, beside } = splitPlaces(main);
	const { forms, words: withAcronym, possible } = withoutForms(named);
	const acronym = acronymIn(withAcronym);
	const full = acronym ? withAcronym.slice(0, -1) : withAcronym;
	const words = full.filter((word, index) => !isJoining(word, index, full));
	return {
		words: words.length > 0 ? words : full,
		full,
		acronym,
		forms: new Set([...forms, ...beside.flatMap((word) => [...formsIn([word])])]),
		possibleForms: possible,
		places: beside.filter(isPlace).map(placeOf),
		branch: branch.filter((word, index) => !isJoining(word, index, branch)),
	};
}

/** The last word, if it stands apart and consists of the initials of the others. */
function acronymIn(words: readonly Word[]): Word | undefined {
	const [last] = words.slice(-1);
	if (!last?.separated || words.length <= SHORTEST_ACRONYM) return undefined;
	const named = words.slice(0, -1);
	const initials = [named, named.filter((word, index) => !isJoining(word, index, named))].map(
		(each) => each.map(({ spellings: [spelling = ''] }) => spelling.charAt(0)).join(''),
	);
	return initials.some((each) => last.spellings.includes(each)) ? last : undefined;
}

/** Splits off what stands behind the name and is nothing but a place or an address. */
function splitPlaces(all: readonly Word[]): { name: readonly Word[]; beside: readonly Word[] } {
	for (let index = 1; index < all.length; index++) {
		const beside = all.slice(index);
		const [first, before] = [beside[0], all[index - 1]];
		const startsBeside =
			first?.separated === true ||
			(before !== undefined && endsWithForm(all.slice(0, index)) && before.quotes === 0) ||
			(before !== undefined && before.quotes > 0 && first?.quotes === 0);
		if (startsBeside && isAddress(beside)) return { name: all.slice(0, index), beside };
	}
	return { name: all, beside: [] };
}

function endsWithForm(words: readonly Word[]): boolean {
	const [last] = words.slice(-1);
	const { words: left } = withoutForms(words);
	return last !== undefined && !left.includes(last);
}

/** Places, what kind of place they are, and legal forms; after the word for a street, anything. */
function isAddress(words: readonly Word[]): boolean {
	const street = words.findIndex(isStreet);
	const checked = street === -1 ? words : words.slice(0, street);
	const { words: left } = withoutForms(checked);
	return left.every(
		(word) => isPlace(word) || isKindOfPlace(word) || isCountry(word) || formsIn([word]).size > 0,
	);
}
