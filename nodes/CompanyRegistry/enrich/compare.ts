import { parseName, readingsOf } from './clean';
import type { CompanyName, NameReading } from './clean';
import { formsContradict, formsIn } from './legalForms';
import { SHORTENED_WORDS } from './tables/descriptions';
import { ORGANIZATION_WORDS } from './tables/knownWords';
import type { LegalForm } from './tables/legalForms';
import { ALIKE } from './tables/spellings';
import {
	isCountry,
	isDistinctive,
	isKnownWord,
	isPlace,
	kindOfPlace,
	listOf,
	placeOf,
	placesOf,
	roughly,
	soundOf,
	soundsOf,
	wordsOf,
} from './words';
import type { Word } from './words';

/** How certain a match is. */
export type MatchQuality = 'exact' | 'strong' | 'likely' | 'none';

/** The minimum score of each quality. Only an exact match has 1. */
export const LEAST_SCORE = { exact: 1, strong: 0.8, likely: 0.6, none: 0 } as const;

/** How much a difference reduces the score, and whether it makes the match only likely. */
const DIFFERENCES = {
	wordOrder: { cost: 0.02 },
	place: { cost: 0.04 },
	spaces: { cost: 0.05 },
	spelling: { cost: 0.05 },
	description: { cost: 0.06 },
	ignoredText: { cost: 0.08 },
	branch: { cost: 0.1 },
	country: { cost: 0.1 },
	abbreviation: { cost: 0.22, doubtful: true },
	misspelling: { cost: 0.25, doubtful: true },
	city: { cost: 0.3, doubtful: true },
	legalForm: { cost: 1, contradicts: true },
	words: { cost: 1, contradicts: true },
} as const satisfies Record<string, { cost: number; doubtful?: true; contradicts?: true }>;

export type DifferenceKind = keyof typeof DIFFERENCES;

export interface Difference {
	kind: DifferenceKind;
	/** As a sentence. */
	text: string;
}

/** The information in a row about its company. */
export interface WantedCompany {
	readings: readonly NameReading[];
	/** Of the city or region field; empty if the row has none. */
	places: readonly string[];
	/** The legal forms of the legal-form field; empty if the row has none. */
	forms: ReadonlySet<LegalForm>;
}

/** The fields of a registry company that are compared. */
export interface ComparedCompany {
	name: CompanyName;
	/** The registry's legal-form field. */
	forms: ReadonlySet<LegalForm>;
	/** Its city and region. */
	places: readonly string[];
}

export interface Comparison {
	/** 1 for an exact match, from 0.8 for a strong one, from 0.6 for a likely one, below for none. */
	score: number;
	quality: MatchQuality;
	/** Why the match is not exact. */
	differences: Difference[];
}

/** Whether a folded spelling is a known word of a company's name, and so not a misspelling. */
export type IsWord = (spelling: string) => boolean;

/** Parses the information in a row. */
export function wantedCompany(name: string, city = '', legalForm = ''): WantedCompany {
	return {
		readings: readingsOf(name),
		places: placesIn(city),
		forms: formsIn(wordsOf(legalForm)),
	};
}

/** The places in a field for a city, a region or an address. */
export function placesIn(text: string): string[] {
	const words = wordsOf(text.replace(/(?<!\p{L})MD-?\s?\d{4}/giu, ' ').replaceAll('/', ','));
	return placesOf(words, ({ original }) => /\p{L}{3}/u.test(original));
}

/**
 * Whether two texts are exactly one company name: upper and lower case, diacritics, punctuation and
 * how the legal form is written may differ, nothing else. A legal form that only one of them has is
 * no difference, two different ones are.
 *
 * @param written as a user or a model writes it
 * @param registered as the registry writes it
 */
export function isSameName(written: string, registered: string): boolean {
	const company = { name: parseName(registered), forms: formsIn([]), places: placesIn('') };
	return compare(wantedCompany(written), company, () => false).quality === 'exact';
}

/** Compares a row with a company, using the reading of its name that matches best. */
export function compare(
	{ readings, places, forms }: WantedCompany,
	company: ComparedCompany,
	isWord: IsWord,
): Comparison {
	const [first, ...others] = readings.map(({ name, ignored }) =>
		rated(name, company, [
			...ignoredText(ignored),
			...bestOf(nameDifferences(name, company, isWord), () =>
				describedDifferences(name, company, isWord),
			),
			...besideName({ ...name, places: [...places, ...name.places] }, forms, company),
		]),
	);
	return others.reduce((best, each) => (each.score > best.score ? each : best), first!);
}

function ignoredText(ignored: readonly string[]): Difference[] {
	if (ignored.length === 0) return [];
	return [{ kind: 'ignoredText', text: `${quoted(ignored)} is not part of the name.` }];
}

function bestOf(differences: Difference[], other: () => Difference[] | undefined): Difference[] {
	if (!differences.some(({ kind }) => kind === 'words')) return differences;
	return other() ?? differences;
}

/** "COMPANIA „AURELUX” S.R.L.": words outside quotation marks describe the company. */
function describedDifferences(
	row: CompanyName,
	company: ComparedCompany,
	isWord: IsWord,
): Difference[] | undefined {
	const { words } = company.name;
	const name = words.filter(({ quotes }) => quotes > 0);
	const outside = words.filter(({ quotes }) => quotes === 0);
	const isOrganization = outside.some(({ written }) => ORGANIZATION_WORDS.has(written));
	if (name.length === 0 || outside.length === 0 || isOrganization) return undefined;
	if (!name.some(isDistinctive)) return undefined;
	return [
		{ kind: 'description', text: `${quote(outside)} describes the company.` },
		...nameDifferences(row, { ...company, name: { ...company.name, words: name } }, isWord),
	];
}

/** How two names differ: every word must match a word of the other name. */
function nameDifferences(row: CompanyName, company: ComparedCompany, isWord: IsWord): Difference[] {
	const [rowName, companyName] = withPossibleForms(row, company);
	const { pairs, onlyRow, onlyCompany } = align(rowName.words, companyName.words, isWord);
	const differences: Difference[] = [];
	const add = (kind: DifferenceKind, text: string) => differences.push({ kind, text });

	const isDistinct = pairs.some(({ companyWord }) => isDistinctive(companyWord));
	const inPlace = isDistinct ? wordsOfPlace(onlyRow, rowName.words, company) : [];
	const unmatched = onlyRow.filter((word) => !inPlace.includes(word));
	const country = onlyCountry([rowName.words, companyName.words], [...unmatched, ...onlyCompany]);
	if (unmatched.length + onlyCompany.length > 0) {
		if (country && isDistinct) {
			add('country', `Only one of the names has ${quote(country)}.`);
		} else if (sameLetters(unmatched, onlyCompany)) {
			add('spaces', `${quote(unmatched)} and ${quote(onlyCompany)} differ in spaces.`);
		} else add('words', unmatchedText(unmatched, onlyCompany));
	} else if (pairs.length === 0) add('words', 'The names have no words in common.');
	if (inPlace.length > 0) add('place', `${quote(inPlace)} is the place of the company.`);
	if (formsContradict(rowName.forms, companyName.forms)) {
		const [rowForm, companyForm] = [rowName.forms, companyName.forms].map(formText);
		add('legalForm', `The legal forms differ: ${rowForm} and ${companyForm}.`);
	}
	for (const { agreement, rowWord, companyWord } of pairs) {
		if (agreement === 'same') continue;
		const [a, b] = [quote([rowWord]), quote([companyWord])];
		const isShort = agreement === 'abbreviation';
		add(agreement, isShort ? `${a} is short for ${b}.` : `${a} is spelled ${b} in the registry.`);
	}
	if (!isSorted(pairs.map(({ companyWord }) => companyName.words.indexOf(companyWord)))) {
		add('wordOrder', 'The words are in a different order.');
	}
	const branches = align(row.branch, company.name.branch, isWord);
	if (branches.onlyRow.length + branches.onlyCompany.length > 0) {
		if (company.name.branch.length > 0) add('words', 'The company is a branch.');
		else add('branch', 'The name says which branch of the company it is.');
	}
	return differences;
}

/** The words, among those that only the row has, that name the place of the company. */
function wordsOfPlace(
	onlyRow: readonly Word[],
	words: readonly Word[],
	company: ComparedCompany,
): Word[] {
	const names = onlyRow.map(placeOf);
	const there = company.places
		.map((place) => place.split(' '))
		.filter((parts) => parts.every((part) => names.includes(part)))
		.flat();
	const isThere = (word?: Word) => word !== undefined && there.includes(placeOf(word));
	return onlyRow.filter(
		(word) =>
			isThere(word) || (kindOfPlace(word) !== undefined && isThere(words[words.indexOf(word) + 1])),
	);
}

/** Contradictions between the company and the row's other fields. */
function besideName(
	{ places }: CompanyName,
	forms: ReadonlySet<LegalForm>,
	company: ComparedCompany,
): Difference[] {
	const differences: Difference[] = [];
	if (places.length > 0 && placesOfCompany(company).length > 0 && !isIn(places, company)) {
		const text = 'The company is in a different place than the row says.';
		differences.push({ kind: 'city', text });
	}
	const known = new Set([...company.forms, ...company.name.forms]);
	if (formsContradict(forms, known)) {
		const text = `The legal forms differ: ${formText(forms)} and ${formText(known)}.`;
		differences.push({ kind: 'legalForm', text });
	}
	return differences;
}

/** Cities with sectors. */
const SECTORED = /^(chisinau|balti)$/;

/** Some companies have a place in their names, too: "Vălmora SRL, Cahul". */
const placesOfCompany = ({ places, name }: ComparedCompany) => [...places, ...name.places];

/** Whether a company is in one of these places. */
export function isIn(places: readonly string[], company: ComparedCompany): boolean {
	const known = placesOfCompany(company);
	return places.some((place) => known.some((each) => samePlace(place, each)));
}

/** "Chișinău Botanica" is in Chișinău. */
const isSectorOf = (a: string, b: string) => SECTORED.test(b) && a.startsWith(`${b} `);

const samePlace = (a: string, b: string) =>
	a === b ||
	isSectorOf(a, b) ||
	isSectorOf(b, a) ||
	soundOf(a) === soundOf(b) ||
	(a.length >= SHORTEST_MISSPELLED && isMisspelling(a, b));

/** A match may have one doubtful difference; with two, it is another company. */
function rated(row: CompanyName, company: ComparedCompany, all: Difference[]): Comparison {
	const differences = all.filter(
		({ text }, index) => all.findIndex((each) => each.text === text) === index,
	);
	if (differences.length === 0) return { score: 1, quality: 'exact', differences };
	const of = ({ kind }: Difference): { cost: number; doubtful?: true; contradicts?: true } =>
		DIFFERENCES[kind];
	const doubtful = differences.filter((each) => of(each).doubtful).length;
	if (doubtful > 1 || differences.some((each) => of(each).contradicts)) {
		const score = BEST_NONE * sharedWords(row, company.name);
		return { score, quality: 'none', differences };
	}
	const quality = doubtful === 1 ? 'likely' : 'strong';
	const [least, most] = quality === 'likely' ? [LEAST_SCORE.likely, 0.79] : [LEAST_SCORE.strong, 1];
	const score = 1 - differences.reduce((sum, each) => sum + of(each).cost, 0);
	return { score: Math.min(most, Math.max(least, score)), quality, differences };
}

/** The score of a company that shares all words of the name but is certainly another one. */
const BEST_NONE = 0.59;

/** The similarity of two names, 0 to 1. */
function sharedWords({ words }: CompanyName, company: CompanyName): number {
	const shared = words.filter((word) => company.words.some((other) => isSame(word, other)));
	return Math.min(1, (2 * shared.length) / (words.length + company.words.length));
}

const isSame = (a: Word, b: Word) => a.spellings.some((each) => b.spellings.includes(each));

/** The words of the country at the end of one name, if nothing else is left of both. */
function onlyCountry(names: Word[][], left: readonly Word[]): Word[] | undefined {
	const ends = names.flatMap((words) => words.slice(-2));
	const isCountryAtEnd = left.every((word) => isCountry(word) && ends.includes(word));
	return left.length > 0 && isCountryAtEnd ? [...left] : undefined;
}

interface ComparedName {
	words: Word[];
	forms: Set<LegalForm>;
}

/** Decides which possible legal forms are one: those that are a legal form in the other name. */
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
}

/** Pairs each word with a word of the other name: equal words first, then similar ones. */
function align(row: Word[], company: Word[], isWord: IsWord): Alignment {
	const pairs: WordPair[] = [];
	let [onlyRow, onlyCompany] = [row, company];
	for (const onlySame of [true, false]) {
		for (const rowWord of onlyRow) {
			for (const companyWord of onlyCompany) {
				const agreement = compareWords(rowWord, companyWord, isWord);
				if (!agreement || (onlySame && agreement !== 'same')) continue;
				pairs.push({ rowWord, companyWord, agreement });
				onlyRow = onlyRow.filter((word) => word !== rowWord);
				onlyCompany = onlyCompany.filter((word) => word !== companyWord);
				break;
			}
		}
	}
	pairs.sort((a, b) => row.indexOf(a.rowWord) - row.indexOf(b.rowWord));
	return { pairs, onlyRow, onlyCompany };
}

/** "Moldova Gaz" and "Moldovagaz", but not "1 2" and "12". */
function sameLetters(a: readonly Word[], b: readonly Word[]): boolean {
	const [x = '', y = ''] = [a, b].map((words) =>
		words.map(({ spellings }) => spellings[0]).join(''),
	);
	return a.length > 0 && b.length > 0 && x === y && !/\d/.test(x);
}

/** How two words match, from identical to probable. */
type Agreement = 'same' | 'spelling' | 'abbreviation' | 'misspelling';

/** Too many shorter words differ by one letter. */
const SHORTEST_MISSPELLED = 5;
/** From this length on, an additional letter at the end does not make another word. */
const LONG = 9;
const SHORTEST_ABBREVIATION = 3;
/** Spellings of one sound differ by no more letters. */
const MOST_OTHER_LETTERS = 3;

/**
 * Whether a word of a row and a word of a company's name are one, and how.
 *
 * Numbers, words with digits and words of up to four letters only match if they are the same. A longer
 * word may be misspelled, unless the registry has a company with the word as written.
 */
export function compareWords(row: Word, company: Word, isWord: IsWord): Agreement | undefined {
	if (isSame(row, company)) return 'same';
	const kind = kindOfPlace(row);
	// A single letter can be an initial.
	const isWritten = Math.min(row.written.length, company.written.length) > 1;
	if (isWritten && kind !== undefined && kind === kindOfPlace(company)) return 'same';
	const [a = '', b = ''] = [row.spellings[0], company.spellings[0]];
	if (/\d/.test(a + b)) return undefined;
	if (isShortened(row, company) || isShortened(company, row)) return 'abbreviation';
	if (Math.abs(a.length - b.length) > MOST_OTHER_LETTERS) return undefined;
	const isTransliterated = row.written !== a || company.written !== b;
	if (isTransliterated && sameSound(row, company, roughly)) return 'spelling';
	const isLong = Math.min(a.length, b.length) >= SHORTEST_MISSPELLED;
	if (!isLong || isWord(a)) return undefined;
	const isSpelling = sameSound(row, company);
	if (!isSpelling && !isMisspelling(a, b)) return undefined;
	if (isPlace(row) || isKnownWord(a)) return undefined;
	return isSpelling ? 'spelling' : 'misspelling';
}

function sameSound(row: Word, company: Word, rounded = (sound: string) => sound): boolean {
	const sounds = soundsOf(company).map(rounded);
	return soundsOf(row).some((sound) => sounds.includes(rounded(sound)));
}

const shortenedWords = listOf(SHORTENED_WORDS);

/** "Constr." is short for "Construct", because company names shorten that word. */
function isShortened({ dotted, spellings: [short = ''] }: Word, { spellings }: Word): boolean {
	return (
		dotted &&
		short.length >= SHORTEST_ABBREVIATION &&
		spellings.some((long) => shortenedWords.has(long) && long.startsWith(short))
	);
}

/**
 * Whether two folded words differ by one typo or phonetic variant: a letter doubled or not, two
 * neighboring letters swapped, a letter missing or added inside, or a letter replaced by a similar one.
 * A different first letter or ending makes another word: "Elit" and "Elita".
 */
export function isMisspelling(a: string, b: string): boolean {
	const [short, long] = a.length <= b.length ? [a, b] : [b, a];
	if (short[0] !== long[0] || long.length - short.length > 1) return false;
	const start = sharedStart(short, long);
	const [restOfShort, restOfLong] = [short.slice(start), long.slice(start)];
	if (short.length < long.length) {
		if (restOfShort !== restOfLong.slice(1)) return false;
		const added = restOfLong[0] ?? '';
		if (added === long[start - 1]) return true;
		if (restOfShort === '') return !isVowel(added) && long.length > LONG;
		return true;
	}
	const [x = '', y = ''] = [restOfShort[0], restOfLong[0]];
	const isExchanged =
		restOfShort[1] === y && restOfLong[1] === x && restOfShort.slice(2) === restOfLong.slice(2);
	if (isExchanged) return true;
	if (restOfShort.slice(1) !== restOfLong.slice(1)) return false;
	const isEnding = restOfShort.length === 1;
	if (isEnding && isVowel(x) && isVowel(y)) {
		// Long nouns in -ie end in -ia with the article: "panificație", "panificația".
		return short.length >= LONG && short.at(-2) === 'i' && 'aea'.includes(x + y);
	}
	return ALIKE.has(x + y) || (!isEnding && short.length >= LONG);
}

const isVowel = (letter: string) => 'aeiou'.includes(letter);

function sharedStart(a: string, b: string): number {
	let length = 0;
	while (length < a.length && a[length] === b[length]) length++;
	return length;
}

function unmatchedText(row: readonly Word[], company: readonly Word[]): string {
	if (row.length === 0) return `The row does not have ${quote(company)}.`;
	if (company.length === 0) return `The company does not have ${quote(row)}.`;
	return `${quote(row)} is not ${quote(company)}.`;
}

const quote = (words: readonly Word[]) => quoted(words.map(({ original }) => original));
const quoted = (texts: readonly string[]) => `"${texts.join(' ')}"`;

function formText(forms: ReadonlySet<LegalForm>): string {
	return [...forms].map((form) => form.toUpperCase()).join(', ');
}

function isSorted(numbers: readonly number[]): boolean {
	return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? -1));
}
