import { withoutEntities } from '../../shared/node/texts';
import { compareWords, isSame } from './compareWords';
import type { Agreement } from './compareWords';
import { formsContradict, formsIn, hasForm, isPersonal, isQualifier } from './forms';
import type { LegalForm } from './forms';
import { isDistinctive, namesOrganization, readingsOf } from './name';
import type { CompanyName, NameReading } from './name';
import { comparePlaces, isKindOfPlace, placeOf, placesIn } from './places';
import type { Place } from './places';
import { COUNTRY } from './tables/places';
import { COMPANY, LEADING, TRADES } from './tables/words';
import { fold, listOf, wordsOf } from './words';
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
	abbreviation: { cost: 0.1 },
	commonWordOrder: { cost: 0.22, doubtful: true },
	genericWord: { cost: 0.22, doubtful: true },
	initial: { cost: 0.22, doubtful: true },
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

/** What a row says about its company. */
export interface WantedCompany {
	/** The row's name, normalized by `plainText`. */
	text: string;
	readings: readonly NameReading[];
	/** Of the city or region field; empty if the row has none. */
	places: readonly Place[];
	/** The legal forms of the legal-form field; empty if the row has none. */
	forms: ReadonlySet<LegalForm>;
}

/** The fields of a registry company that are compared. */
export interface ComparedCompany {
	/** The registered name, normalized by `plainText`. */
	text: string;
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
	return {
		text: plainText(name),
		readings: readingsOf(name),
		places: placesIn(city),
		forms: formsIn(wordsOf(legalForm)),
	};
}

/** A name without differences in case, diacritics and spacing. */
export function plainText(name: string): string {
	return fold(withoutEntities(name)).replace(/\s+/g, ' ').trim();
}

/** Compares a row with a company. Of the row's readings, the best match counts. */
export function compare(wanted: WantedCompany, company: ComparedCompany): Comparison {
	const { text, places, forms } = wanted;
	// A name copied from the registry doesn't need to be parsed.
	if (text === company.text) {
		return rated(company.name, company, besideName(places, forms, company));
	}
	const [first, ...others] = wanted.readings.map(({ name, ignored }) =>
		rated(name, company, [
			...ignoredText(ignored),
			...bestNameDifferences(name, company),
			...besideName(placesOfRow(wanted, name), forms, company),
		]),
	);
	return others.reduce((best, each) => (each.score > best.score ? each : best), first!);
}

function ignoredText(ignored: readonly string[]): Difference[] {
	if (ignored.length === 0) return [];
	return [{ kind: 'ignoredText', text: `"${ignored.join(' ')}" isn't part of the name.` }];
}

/** If the whole names differ, the registered name may only be what's in quotation marks. */
function bestNameDifferences(row: CompanyName, company: ComparedCompany): Difference[] {
	const whole = nameDifferences(row, company);
	if (!whole.some(({ kind }) => kind === 'words' || kind === 'genericWord')) return whole;
	const { name } = company;
	const words = name.words.filter(({ quotes }) => quotes > 0);
	const outside = name.words.filter(({ quotes }) => quotes === 0);
	if (outside.length === 0 || !words.some(isDistinctive)) return whole;
	const isKind = outside.some((word) => name.possibleForms.has(word));
	if (isKind || namesOrganization(outside, name.forms)) return whole;
	const quoted = nameDifferences(row, { ...company, name: { ...name, words } });
	if (quoted.some(({ kind }) => kind === 'words')) return whole;
	const text = `${quote(outside)} is only a description in the registry's name.`;
	return [{ kind: 'description', text }, ...quoted];
}

/** How two names differ: every word must match a word of the other name. */
function nameDifferences(row: CompanyName, company: ComparedCompany): Difference[] {
	const [rowName, companyName] = withPossibleForms(row, company);
	const isPerson = isPersonal([...rowName.forms, ...companyName.forms]);
	const [rowWords, companyWords] = [rowName.words, companyName.words];
	const { pairs, onlyRow, onlyCompany } = align(rowWords, companyWords, isPerson);
	const differences: Difference[] = [];
	const add = (kind: DifferenceKind, text: string) => differences.push({ kind, text });

	const isDistinct = pairs.some(({ companyWord }) => isDistinctive(companyWord));
	const inPlace = isDistinct ? wordsOfPlace(onlyRow, company) : [];
	const unmatched = onlyRow.filter((word) => !inPlace.includes(word));
	const left = [...unmatched, ...onlyCompany];
	if (left.length > 0) {
		if (lettersOf(unmatched) === lettersOf(onlyCompany)) {
			add('spaces', `${quote(unmatched)} and ${quote(onlyCompany)} differ only in spacing.`);
		} else if (isDistinct && !isPerson && left.every(isGeneric)) {
			add('genericWord', `Only one of the names has ${quote(left)}.`);
		} else add('words', unmatchedText(unmatched, onlyCompany));
	} else if (pairs.length === 0) add('words', 'The names have no words in common.');
	if (inPlace.length > 0) add('place', `${quote(inPlace)} is where the company is located.`);
	if (formsContradict(rowName.forms, companyName.forms)) {
		add('legalForm', formsText(rowName.forms, companyName.forms));
	}
	for (const pair of pairs) {
		if (pair.agreement !== 'same') add(pair.agreement, agreementText(pair));
	}
	const order = pairs.map(({ companyWord }) => companyWords.indexOf(companyWord));
	if (!isSorted(order)) {
		// The surname may come last, but a first name and a patronymic can't change places.
		const kind = isPerson && !isRotated(order) ? 'words' : 'wordOrder';
		// "Trans Agro" and "Agro Trans" can be two companies.
		add(isDistinct ? kind : 'commonWordOrder', 'The words are in a different order.');
	}
	return differences;
}

function agreementText({ agreement, rowWord, companyWord }: WordPair): string {
	const [row, company] = [quote([rowWord]), quote([companyWord])];
	if (agreement === 'abbreviation') return `${row} is short for ${company}.`;
	if (agreement === 'initial') return `${row} may be ${company}, but is only an initial.`;
	return `${row} is spelled ${company} in the registry.`;
}

const genericWords = listOf(LEADING, TRADES, COMPANY, COUNTRY);

/** Whether a word only says what a company is. */
function isGeneric({ written, spellings }: Word): boolean {
	return [written, ...spellings].some((each) => genericWords.has(each));
}

/** The row's words that name the company's location, with words such as "city". */
function wordsOfPlace(onlyRow: readonly Word[], company: ComparedCompany): Word[] {
	const names = onlyRow.map(placeOf);
	const there = company.places
		.map((place) => place.name.split(' '))
		.filter((parts) => parts.every((part) => names.includes(part)))
		.flat();
	if (there.length === 0) return [];
	return onlyRow.filter((word) => there.includes(placeOf(word)) || isKindOfPlace(word));
}

/** How the row's other fields differ from the company. */
function besideName(
	places: readonly Place[],
	forms: ReadonlySet<LegalForm>,
	company: ComparedCompany,
): Difference[] {
	const differences: Difference[] = [];
	if (comparePlaces(places, company.places) === 'different') {
		const text = "The company's location doesn't match the city or region in the row.";
		differences.push({ kind: 'city', text });
	}
	const known = new Set([...company.forms, ...company.name.forms]);
	if (formsContradict(forms, known)) {
		differences.push({ kind: 'legalForm', text: formsText(forms, known) });
	}
	return differences;
}

/** Places in the row's city column and in its name. */
export function placesOfRow({ places }: WantedCompany, name: CompanyName): Place[] {
	return [...places, ...name.places];
}

/** The best score of a different company, even if it shares every word. */
const BEST_NONE = 0.59;

/** Rates a match. Two doubtful differences make it a different company. */
function rated(row: CompanyName, company: ComparedCompany, all: Difference[]): Comparison {
	const differences = all.filter(
		({ text }, index) => all.findIndex((each) => each.text === text) === index,
	);
	if (differences.length === 0) return { score: 1, quality: 'exact', differences };
	const costs = differences.map(
		({ kind }): { cost: number; doubtful?: true; contradicts?: true } => DIFFERENCES[kind],
	);
	const doubtful = costs.filter((each) => each.doubtful).length;
	if (doubtful > 1 || costs.some((each) => each.contradicts)) {
		const score = BEST_NONE * sharedWords(row, company.name);
		return { score, quality: 'none', differences };
	}
	const quality = doubtful === 1 ? 'likely' : 'strong';
	const score = 1 - costs.reduce((sum, { cost }) => sum + cost, 0);
	return { score: Math.max(LEAST_SCORE[quality], score), quality, differences };
}

/** The share of words that two names have in common, 0 to 1. */
function sharedWords({ words }: CompanyName, company: CompanyName): number {
	const shared = words.filter((word) => company.words.some((other) => isSame(word, other)));
	return Math.min(1, (2 * shared.length) / (words.length + company.words.length));
}

/** Treats possible legal forms as forms if the other name has them, or one that they qualify. */
function withPossibleForms(row: CompanyName, company: ComparedCompany) {
	const ofCompany = new Set([...company.name.forms, ...company.forms]);
	const all = new Set([...ofCompany, ...row.forms]);
	const withForms = ({ words, possibleForms }: CompanyName, own: Forms, others: Forms) => {
		const found = [...possibleForms].filter(([word, form]) => {
			const rest = words.filter((each) => each !== word);
			return hasForm(others, form) || isQualifier(form, all, rest);
		});
		const taken = found.map(([word]) => word);
		return {
			words: words.filter((word) => !taken.includes(word)),
			forms: new Set([...own, ...found.map(([, form]) => form)]),
		};
	};
	const known = new Set([...company.forms, ...row.forms]);
	return [withForms(row, row.forms, ofCompany), withForms(company.name, ofCompany, known)] as const;
}

type Forms = ReadonlySet<LegalForm>;

interface WordPair {
	rowWord: Word;
	companyWord: Word;
	agreement: Agreement;
}

/** Pairs the words of two names in the row's order, equal ones before similar ones. */
function align(row: Word[], company: Word[], isPerson: boolean) {
	const pairs: WordPair[] = [];
	let [onlyRow, onlyCompany] = [row, company];
	for (const onlySame of [true, false]) {
		for (const rowWord of onlyRow) {
			for (const companyWord of onlyCompany) {
				const agreement = compareWords(rowWord, companyWord, isPerson);
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

/** The same for "Moldova Gaz" and "Moldovagaz", "Zona 51" and "Zona51", but not for "1 2" and "12". */
function lettersOf(words: readonly Word[]): string {
	const text = words.map(({ spellings: [usual = ''] }) => usual).join(' ');
	return text.replace(/(?<!\d) | (?!\d)/g, '');
}

function unmatchedText(row: readonly Word[], company: readonly Word[]): string {
	if (row.length === 0) return `The row's name is missing ${quote(company)}.`;
	if (company.length === 0) return `The registered name doesn't contain ${quote(row)}.`;
	return `${quote(row)} in the row doesn't match ${quote(company)} in the registry.`;
}

const quote = (words: readonly Word[]) => `"${words.map(({ original }) => original).join(' ')}"`;

function formsText(row: ReadonlySet<LegalForm>, company: ReadonlySet<LegalForm>): string {
	const [ofRow, ofCompany] = [row, company].map((all) =>
		[...all].map((form) => form.toUpperCase()).join(', '),
	);
	return `The legal forms differ: ${ofRow} and ${ofCompany}.`;
}

/** Whether numbers are in order, starting anywhere: 2, 3, 1. */
function isRotated(numbers: readonly number[]): boolean {
	const start = numbers.indexOf(Math.min(...numbers));
	return isSorted([...numbers.slice(start), ...numbers.slice(0, start)]);
}

function isSorted(numbers: readonly number[]): boolean {
	return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? -1));
}
