import { compareWords, isSimilar, type Agreement } from './compareWords';
import { formsContradict, formsIn, hasForm, isPersonal, isQualifier, kindsDiffer } from './forms';
import type { LegalForm } from './forms';
import { isDistinctive, readingsOf, type CompanyName, type NameReading } from './name';
import { kindOfPlace, placeOf, placesContradict, placesIn, withoutTypos } from './places';
import type { Place } from './places';
import { ABROAD, COUNTRY } from './tables/places';
import { COMPANY, LEADING, TRADES } from './tables/words';
import { fold, inLatinLetters, listOf, wordsOf, type Word } from './words';

export type MatchQuality = 'exact' | 'strong' | 'likely' | 'none';

/** The minimum score of each quality. Only an exact match has 1. */
export const LEAST_SCORE = { exact: 1, strong: 0.8, likely: 0.6, none: 0 } as const;

/**
 * How a row differs from a company. A harmless difference makes the match strong; a doubtful one, or
 * another city, makes it likely. Other words, another legal form or two doubtful ones rule it out.
 */
export interface Difference {
	kind: 'harmless' | 'doubtful' | 'city' | 'legalForm' | 'words';
	/** As a sentence. */
	text: string;
}

/** How much a difference lowers the score. */
const COST = { harmless: 0.06, doubtful: 0.25, city: 0.25, legalForm: 1, words: 1 };

export interface WantedCompany {
	/** The row's name as it's written. */
	text: string;
	/** Readings of the name, with the places beside it and in the city or region field. */
	readings: ReadonlyArray<NameReading & { places: readonly Place[] }>;
	/** Legal forms in the legal-form field. */
	forms: ReadonlySet<LegalForm>;
}

export interface ComparedCompany {
	name: CompanyName;
	/** The registry's legal-form field. */
	forms: ReadonlySet<LegalForm>;
	/** Its city and region, or those of its address, and places after its name: "Vălmora SRL, Cahul". */
	places: readonly Place[];
}

export interface Comparison {
	/** 1 is exact, 0.8 and up strong, 0.6 and up likely. Anything lower isn't a match. */
	score: number;
	quality: MatchQuality;
	/** Why the match is not exact. */
	differences: Difference[];
}

/** Parses a row once, for all comparisons. */
export function wantedCompany(name: string, city = '', legalForm = ''): WantedCompany {
	const readings = readingsOf(name).map((reading) => ({
		...reading,
		places: [...placesIn(city), ...reading.name.places],
	}));
	return { text: name, readings, forms: formsIn(wordsOf(legalForm)) };
}

/** Compares a row with a company. Of the row's readings, the best match counts. */
export function compare(wanted: WantedCompany, company: ComparedCompany): Comparison {
	const [first, ...others] = wanted.readings.map(({ name, ignored, places }) => {
		// By text, because the name and a field may say the same.
		const found = new Map<string, Difference>();
		const add: Add = (kind, text) => found.set(text, { kind, text });
		if (ignored.length > 0) {
			const isForeign = ignored.every((word) => abroad.has(fold(word)));
			add(isForeign ? 'doubtful' : 'harmless', `"${ignored.join(' ')}" isn't part of the name.`);
		}
		// If the row has no name, only its other fields can contradict.
		if (name.words.length > 0) compareNames(name, company, add);
		if (placesContradict(places, company.places)) {
			const isTypo = !placesContradict(withoutTypos(places, company.places), company.places);
			if (isTypo)
				add('harmless', "The row's city or region looks like a misspelling of the company's.");
			else
				add('city', "The company's location doesn't match the city, region or country in the row.");
		}
		const known = new Set([...company.forms, ...company.name.forms]);
		if (formsContradict(wanted.forms, known)) add('legalForm', formsText(wanted.forms, known));
		return rated(name, company, [...found.values()]);
	});
	return others.reduce((best, each) => (each.score > best.score ? each : best), first!);
}

const abroad = listOf(ABROAD);

type Add = (kind: Difference['kind'], text: string) => void;

/** Adds how two names differ: every word must match a word of the other name. */
function compareNames(row: CompanyName, company: ComparedCompany, add: Add): void {
	const [rowName, companyName] = withPossibleForms(row, company);
	const isPerson = isPersonal([...rowName.forms, ...companyName.forms]);
	const { pairs, onlyRow, onlyCompany } = align(rowName.words, companyName.words, isPerson);
	const isDistinct = pairs.some(({ companyWord }) => isDistinctive(companyWord));
	const inPlace = isDistinct ? wordsOfPlace(onlyRow, company) : [];
	const unmatched = onlyRow.filter((word) => !inPlace.includes(word));
	const left = [...unmatched, ...onlyCompany];
	if (left.length > 0) {
		if (lettersOf(unmatched) === lettersOf(onlyCompany)) {
			add('harmless', `${quote(unmatched)} and ${quote(onlyCompany)} differ only in spacing.`);
		} else if (isDistinct && left.every(isGeneric)) {
			add('doubtful', `Only one of the names has ${quote(left)}.`);
		} else add('words', unmatchedText(unmatched, onlyCompany));
	}
	if (inPlace.length > 0) add('harmless', `${quote(inPlace)} is where the company is located.`);
	const forms = [rowName.forms, companyName.forms] as const;
	if (formsContradict(...forms) || kindsDiffer(...forms)) add('legalForm', formsText(...forms));
	for (const { agreement, rowWord, companyWord } of pairs) {
		if (agreement === 'same') continue;
		const [kind, text] = AGREEMENTS[agreement];
		add(kind, `${quote([rowWord])} ${text.replace('…', quote([companyWord]))}`);
	}
	const order = pairs.map(({ companyWord }) => companyName.words.indexOf(companyWord));
	if (!isSorted(order)) {
		// The surname may come last, but a first name and a patronymic can't change places. "Trans Agro" and
		// "Agro Trans" can be two companies.
		const isOther = isPerson && !isRotated(order);
		const kind = isOther ? 'words' : isDistinct ? 'harmless' : 'doubtful';
		add(kind, 'The words are in a different order.');
	}
}

const AGREEMENTS = {
	spelling: ['harmless', 'is spelled … in the registry.'],
	abbreviation: ['harmless', 'is short for ….'],
	misspelling: ['doubtful', 'is spelled … in the registry.'],
	initial: ['doubtful', 'and … may be the same name.'],
} as const;

const genericWords = listOf(LEADING, TRADES, COMPANY, COUNTRY);

/** Whether a word only says what a company is. */
const isGeneric = ({ written }: Word) => genericWords.has(written);

/** The row's words that name the company's location, with words such as "city". */
function wordsOfPlace(onlyRow: readonly Word[], company: ComparedCompany): Word[] {
	const names = onlyRow.map(placeOf);
	const there = company.places
		.map((place) => place.name.split(' '))
		.filter((parts) => parts.every((part) => names.includes(part)))
		.flat();
	if (there.length === 0) return [];
	return onlyRow.filter((word) => there.includes(placeOf(word)) || kindOfPlace(word));
}

/** The best score of a different company, even if it shares every word. */
const BEST_NONE = 0.59;
/** Of two companies that share as many words, the one in the row's town is closer. */
const ELSEWHERE = 0.95;

function rated(row: CompanyName, company: ComparedCompany, differences: Difference[]): Comparison {
	if (differences.length === 0) return { score: 1, quality: 'exact', differences };
	const costs = differences.map(({ kind }) => COST[kind]);
	const doubtful = costs.filter((cost) => cost >= COST.doubtful).length;
	if (doubtful > 1 || costs.includes(COST.words)) {
		const isElsewhere = differences.some(({ kind }) => kind === 'city');
		const score = BEST_NONE * sharedWords(row, company.name) * (isElsewhere ? ELSEWHERE : 1);
		return { score, quality: 'none', differences };
	}
	const quality = doubtful === 1 ? 'likely' : 'strong';
	const score = 1 - costs.reduce((sum, cost) => sum + cost, 0);
	return { score: Math.max(LEAST_SCORE[quality], score), quality, differences };
}

/** The share of words that two names have in common, 0 to 1. */
function sharedWords({ words }: CompanyName, company: CompanyName): number {
	const shared = words.filter((word) => company.words.some((other) => isSimilar(word, other)));
	return Math.min(1, (2 * shared.length) / (words.length + company.words.length));
}

/** Treats possible legal forms as forms if the other name has them, or one that they qualify. */
function withPossibleForms(row: CompanyName, company: ComparedCompany) {
	const ofCompany = new Set([...company.name.forms, ...company.forms]);
	const all = new Set([...ofCompany, ...row.forms]);
	const withForms = ({ words, possible }: CompanyName, own: Forms) => {
		// In "IM Trade SRL", "IM" may be part of the name, because "Trade" alone is hardly a name.
		const isName = words.some(isDistinctive);
		const found = new Map(
			[...possible].filter(([, form]) => hasForm(all, form) || (isName && isQualifier(form, all))),
		);
		return {
			words: words.filter((word) => !found.has(word)),
			forms: new Set([...own, ...found.values()]),
		};
	};
	return [withForms(row, row.forms), withForms(company.name, ofCompany)] as const;
}

type Forms = ReadonlySet<LegalForm>;

interface WordPair {
	rowWord: Word;
	companyWord: Word;
	agreement: Agreement;
}

/** Pairs the words of two names in the row's order, a word with its equal rather than a similar one. */
function align(row: readonly Word[], company: readonly Word[], isPerson: boolean) {
	const pairs: WordPair[] = [];
	const onlyRow: Word[] = [];
	let onlyCompany = company;
	const areSameLetters = lettersOf(row) === lettersOf(company);
	for (const rowWord of row) {
		const possible = onlyCompany.flatMap((companyWord): WordPair[] => {
			const agreement = compareWords(rowWord, companyWord, isPerson);
			// "BUSINES S" is "BUSINESS" rather than a misspelling.
			if (!agreement || (agreement === 'misspelling' && areSameLetters)) return [];
			return [{ rowWord, companyWord, agreement }];
		});
		const pair = possible.find(({ agreement }) => agreement === 'same') ?? possible[0];
		if (pair) pairs.push(pair);
		else onlyRow.push(rowWord);
		onlyCompany = onlyCompany.filter((word) => word !== pair?.companyWord);
	}
	return { pairs, onlyRow, onlyCompany };
}

/** The same for "Moldova Gaz" and "Moldovagaz", "Zona 51" and "Zona51", but not for "1 2" and "12". */
function lettersOf(words: readonly Word[]): string {
	const text = words.map(({ spellings: [usual = ''] }) => usual).join(' ');
	return text.replace(/(?<!\d) | (?!\d)/g, '');
}

function unmatchedText(row: readonly Word[], company: readonly Word[]): string {
	if (row.length === 0) return `The name is missing ${quote(company)}.`;
	if (company.length === 0) return `The registered name doesn't contain ${quote(row)}.`;
	const [ours, theirs] = [row, company].map((words) => lettersOf(words.map(asSeen)));
	return ours === theirs
		? `${quote(row)} and ${quote(company)} look alike, but one of them has Cyrillic letters.`
		: `${quote(row)} doesn't match ${quote(company)} in the registry.`;
}

/** A word as it looks: with Latin letters for the Cyrillic ones that look the same. */
function asSeen(word: Word): Word {
	return { ...word, spellings: [fold(inLatinLetters(word.original) ?? word.original)] };
}

const quote = (words: readonly Word[]) => `"${words.map(({ original }) => original).join(' ')}"`;

function formsText(row: Forms, company: Forms): string {
	const inWords = (all: Forms) =>
		all.size === 0 ? 'none' : [...all].map((form) => form.toUpperCase()).join(', ');
	return `The legal forms differ: ${inWords(row)} and ${inWords(company)}.`;
}

/** Whether numbers are in order, starting anywhere: 2, 3, 1. */
function isRotated(numbers: readonly number[]): boolean {
	const start = numbers.indexOf(Math.min(...numbers));
	return isSorted([...numbers.slice(start), ...numbers.slice(0, start)]);
}

function isSorted(numbers: readonly number[]): boolean {
	return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? -1));
}
