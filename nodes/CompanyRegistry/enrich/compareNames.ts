import type { CompanyName } from './companyName';
import { compareWords } from './compareWords';
import type { Agreement } from './compareWords';
import { formsContradict } from './legalForms';
import type { LegalForm } from './legalForms';
import { isKnownWord } from './knownWords';
import { isCountry, isPlace, kindOfPlace, placeOf } from './places';
import type { Word } from './words';

/** How sure it is that two names mean one company. */
export type MatchQuality = 'exact' | 'strong' | 'none';

/** The least score of a strong match. */
export const STRONG_SCORE = 0.8;

/** A company of the register, as far as it is compared. */
export interface ComparedCompany {
	name: CompanyName;
	/** The legal form that the register has beside the name. */
	forms: ReadonlySet<LegalForm>;
	/** Folded words of its city and region. */
	places: ReadonlySet<string>;
}

export interface Comparison {
	/** 1 for an exact match, from 0.8 for a strong one, below for none. */
	score: number;
	quality: MatchQuality;
	/** What keeps the match from being exact, as a sentence. */
	difference?: string;
}

/** What each difference that a strong match may have takes off the score. */
const COSTS = {
	order: 0.02,
	place: 0.04,
	spaces: 0.05,
	sound: 0.05,
	shortened: 0.08,
	branch: 0.1,
	country: 0.1,
	misspelled: 0.12,
};

/** More than one misspelled word is another name. */
const MISSPELLED_WORDS = 1;

/** Above what a name gets that shares all its words without a match. */
const BEST_NONE = 0.75;

/**
 * Compares the name of a row with a company. Every word must agree with one of the other name, the
 * legal forms must not contradict each other, and neither may a place.
 *
 * @param isWord whether a folded spelling is a word of some company's name
 */
export function compareNames(
	row: CompanyName,
	company: ComparedCompany,
	isWord: (spelling: string) => boolean,
): Comparison {
	const [rowName, companyName] = withPossibleForms(row, company);
	const acronym = acronymMeant(rowName.words, company.name);
	const companyWords = acronym ? [acronym] : companyName.words;
	const aligned = align(rowName.words, companyWords, isWord);
	const { pairs } = aligned;
	const { onlyRow, onlyCompany, added } = withoutAdded(aligned, rowName.words, companyWords);
	const allWords = Math.max(1, rowName.words.length + companyWords.length);
	const share = (2 * pairs.length) / allWords;
	const none = (difference: string): Comparison => ({
		score: BEST_NONE * share,
		quality: 'none',
		difference,
	});

	const differences = [...added];
	if (acronym) {
		const text = `${quote([acronym])} is short for ${quote(companyName.words)}.`;
		differences.push({ cost: COSTS.shortened, text });
	}
	const inPlace = onlyRow.filter((word) => company.places.has(placeOf(word)));
	const unmatched = onlyRow.filter((word) => !inPlace.includes(word));
	if (unmatched.length > 0 || onlyCompany.length > 0) {
		if (!sameLetters(unmatched, onlyCompany)) return none(unmatchedText(unmatched, onlyCompany));
		differences.push({
			cost: COSTS.spaces,
			text: `${quote(unmatched)} and ${quote(onlyCompany)} differ in spaces.`,
		});
	}
	if (pairs.length === 0 && unmatched.length === 0)
		return none('The names have no word in common.');
	if (inPlace.length > 0) {
		differences.push({ cost: COSTS.place, text: `${quote(inPlace)} is the place of the company.` });
	}
	if (formsContradict(rowName.forms, companyName.forms)) {
		return none(
			`The legal forms differ: ${formText(rowName.forms)} and ${formText(companyName.forms)}.`,
		);
	}
	if (row.places.length > 0 && company.places.size > 0) {
		const isThere = row.places.some((place) => company.places.has(place));
		if (!isThere) return none('The company is in another place than the name says.');
	}
	const misspelled = pairs.filter(({ agreement }) => agreement === 'misspelled');
	if (misspelled.length > MISSPELLED_WORDS)
		return none('More than one word is spelled differently.');
	for (const { agreement, rowWord, companyWord } of pairs) {
		if (agreement === 'same') continue;
		const [a, b] = [quote([rowWord]), quote([companyWord])];
		const text =
			agreement === 'shortened'
				? `${a} is short for ${b}.`
				: `${a} is spelled ${b} in the register.`;
		differences.push({ cost: COSTS[agreement], text });
	}
	if (!isSorted(pairs.map(({ companyWord }) => companyWords.indexOf(companyWord)))) {
		differences.push({ cost: COSTS.order, text: 'The words are in another order.' });
	}
	if (
		row.branch.length !== company.name.branch.length ||
		!align(row.branch, company.name.branch, isWord).complete
	) {
		if (company.name.branch.length > 0) return none('The company is a branch.');
		differences.push({
			cost: COSTS.branch,
			text: 'The name says which branch of the company it is.',
		});
	}
	if (differences.length === 0) return { score: 1, quality: 'exact' };
	const cost = differences.reduce((sum, difference) => sum + difference.cost, 0);
	return {
		score: Math.max(STRONG_SCORE, 1 - cost),
		quality: 'strong',
		difference: differences.map(({ text }) => text).join(' '),
	};
}

interface Difference {
	cost: number;
	text: string;
}

/** The acronym that the register has beside the name, if it is all that the row has. */
function acronymMeant(row: readonly Word[], { acronym }: CompanyName): Word | undefined {
	const [word] = row;
	if (!acronym || !word || row.length > 1) return undefined;
	return word.spellings.some((each) => acronym.spellings.includes(each)) ? acronym : undefined;
}

/**
 * Takes off what only one name has and what says nothing about which company is meant: what kind of
 * place follows, and the country at the end of a name that a distinctive word tells from others.
 */
function withoutAdded(
	{ pairs, onlyRow, onlyCompany }: Alignment,
	row: readonly Word[],
	company: readonly Word[],
): Pick<Alignment, 'onlyRow' | 'onlyCompany'> & { added: Difference[] } {
	const kinds = [kindsBeforePlaces(row, onlyRow), kindsBeforePlaces(company, onlyCompany)];
	// Two kinds of place are two places: a town and the district around it.
	const ignored = kinds.some(({ length }) => length === 0) ? kinds.flat() : [];
	const left = [...onlyRow, ...onlyCompany].filter((word) => !ignored.includes(word));
	const ends = [row, company].flatMap((words) => words.slice(-1));
	const isOnlyCountry = left.every((word) => isCountry(word) && ends.includes(word));
	const isTold = pairs.some(({ companyWord }) => isDistinctive(companyWord));
	const country = isOnlyCountry && isTold ? left : [];
	const isLeft = (word: Word) => !ignored.includes(word) && !country.includes(word);
	return {
		onlyRow: onlyRow.filter(isLeft),
		onlyCompany: onlyCompany.filter(isLeft),
		added: [
			...ignored.map((word) => ({
				cost: COSTS.place,
				text: `${quote([word])} only says what kind of place it is.`,
			})),
			...country.map((word) => ({
				cost: COSTS.country,
				text: `Only one of the names has ${quote([word])}.`,
			})),
		],
	};
}

function kindsBeforePlaces(words: readonly Word[], among: readonly Word[]): Word[] {
	return among.filter((word) => {
		const next = words[words.indexOf(word) + 1];
		return words.indexOf(word) > 0 && next && isPlace(next) && kindOfPlace(word) !== undefined;
	});
}

/** Whether few companies have a word in their names. */
function isDistinctive(word: Word): boolean {
	const [spelling = ''] = word.spellings;
	return (
		/^\p{L}{3,}$/u.test(spelling) && !isKnownWord(spelling) && !isPlace(word) && !isCountry(word)
	);
}

interface ComparedName {
	words: Word[];
	forms: Set<LegalForm>;
}

/** Decides which words that may be a legal form are one: those that the other name has as one. */
function withPossibleForms(
	row: CompanyName,
	company: ComparedCompany,
): [ComparedName, ComparedName] {
	const known = new Set([...company.name.forms, ...company.forms]);
	const inCompany = [...company.name.possibleForms].filter(
		([, form]) => company.forms.has(form) || row.forms.has(form),
	);
	const companyForms = new Set([...known, ...inCompany.map(([, form]) => form)]);
	const inRow = [...row.possibleForms].filter(([, form]) => companyForms.has(form));
	return [withForms(row, inRow, row.forms), withForms(company.name, inCompany, known)];
}

function withForms(
	{ words }: CompanyName,
	found: ReadonlyArray<[Word, LegalForm]>,
	forms: ReadonlySet<LegalForm>,
): ComparedName {
	const taken = found.map(([word]) => word);
	return {
		words: words.filter((word) => !taken.includes(word)),
		forms: new Set([...forms, ...found.map(([, form]) => form)]),
	};
}

interface WordPair {
	rowWord: Word;
	companyWord: Word;
	agreement: Agreement;
}

interface Alignment {
	/** In the order of the row's words. */
	pairs: WordPair[];
	onlyRow: Word[];
	onlyCompany: Word[];
	/** Whether every word has a counterpart. */
	complete: boolean;
}

/** Pairs each word with one of the other name: equal ones first, then those that are alike. */
function align(row: Word[], company: Word[], isWord: (spelling: string) => boolean): Alignment {
	const pairs: WordPair[] = [];
	let [onlyRow, onlyCompany] = [row, company];
	for (const accepts of [(agreement: Agreement) => agreement === 'same', () => true]) {
		for (const rowWord of onlyRow) {
			for (const companyWord of onlyCompany) {
				const agreement = compareWords(rowWord, companyWord, isWord);
				if (!agreement || !accepts(agreement)) continue;
				pairs.push({ rowWord, companyWord, agreement });
				onlyRow = onlyRow.filter((word) => word !== rowWord);
				onlyCompany = onlyCompany.filter((word) => word !== companyWord);
				break;
			}
		}
	}
	pairs.sort((a, b) => row.indexOf(a.rowWord) - row.indexOf(b.rowWord));
	return {
		pairs,
		onlyRow,
		onlyCompany,
		complete: onlyRow.length === 0 && onlyCompany.length === 0,
	};
}

/** "Moldova Gaz" and "Moldovagaz". */
function sameLetters(a: readonly Word[], b: readonly Word[]): boolean {
	const joined = (words: readonly Word[]) => words.map(({ spellings }) => spellings[0]).join('');
	return a.length > 0 && b.length > 0 && joined(a) === joined(b);
}

function unmatchedText(row: readonly Word[], company: readonly Word[]): string {
	if (row.length === 0) return `The row does not have ${quote(company)}.`;
	if (company.length === 0) return `The company does not have ${quote(row)}.`;
	return `${quote(row)} is not ${quote(company)}.`;
}

function quote(words: readonly Word[]): string {
	return `"${words.map(({ original }) => original).join(' ')}"`;
}

function formText(forms: ReadonlySet<LegalForm>): string {
	return [...forms].map((form) => form.toUpperCase()).join(', ');
}

function isSorted(numbers: readonly number[]): boolean {
	return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? -1));
}
