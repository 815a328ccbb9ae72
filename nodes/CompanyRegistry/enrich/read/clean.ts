import { withoutEntities } from '../../../shared/node/texts';
import { endOfForm, formsIn, withoutForms } from './legalForms';
import { isCountry, isPlace, isStreet, kindOfPlace, placesAmong, placesOf } from './places';
import type { Place } from './places';
import {
	DESCRIBED_WORDS,
	DESCRIBING_WORDS,
	LEADING_WORDS,
	LINES_OF_BUSINESS,
} from '../tables/descriptions';
import { ORGANIZATION_WORDS } from '../tables/knownWords';
import type { LegalForm } from '../tables/legalForms';
import { isJoining, isKnownWord, listOf, wordsOf } from './words';
import type { Word } from './words';

/** The parts of a company's name. */
export interface CompanyName {
	/** The words that distinguish the company from others, in order. */
	words: Word[];
	/** All words of the name itself, including connecting words such as "de". */
	full: Word[];
	/** The words of a legal form that is a kind of organization, e.g. "Liceul Teoretic". */
	kinds: Word[];
	forms: ReadonlySet<LegalForm>;
	/** Words among `words` that may be a legal form; see `withoutForms`. */
	possibleForms: ReadonlyMap<Word, LegalForm>;
	/** Places outside the name, as in "Agro Nord SRL, Orhei". */
	places: Place[];
	/** The branch in "Agro Nord SRL, filiala Orhei"; empty if there's none. */
	branch: Word[];
}

/** A reading of a row's text. */
export interface NameReading {
	name: CompanyName;
	/** The row's text that isn't part of the name. */
	ignored: string[];
}

/**
 * Reads a row's text as it's written, then without what rows often have around a name: a note after
 * the legal form, a brand, a description, a phone number. Places stay, because they can contradict a
 * company.
 */
export function readingsOf(text: string): NameReading[] {
	const { text: bare, ignored } = withoutContacts(withoutHtml(text.slice(0, LONGEST_TEXT)));
	const asWritten = { name: parseName(bare), ignored };
	const core = coreOf(bare);
	if (!core) return [asWritten];
	const { name } = asWritten;
	const coreName = {
		...nameOfWords(core.words),
		places: [...name.places, ...core.places],
		branch: name.branch,
	};
	const isLeftOut = (word: Word) =>
		!core.words.some(({ original }) => original === word.original) && !isPlace(word);
	const more = wordsOf(bare)
		.filter(isLeftOut)
		.map(({ original }) => original);
	const isSame = textOf(coreName) === textOf(name);
	if (isSame || more.length === 0) return [asWritten];
	return [asWritten, { name: coreName, ignored: [...ignored, ...more] }];
}

const textOf = ({ words }: CompanyName) => words.map(({ spellings }) => spellings[0]).join(' ');

/** Longer than any name with the text around it. */
const LONGEST_TEXT = 2_000;

function withoutHtml(text: string): string {
	return withoutEntities(text).replace(HTML_TAG, ' ').trim();
}

const HTML_TAG =
	/<\/?(?:a|b|br|div|em|font|h\d|i|li|p|small|span|strong|td|tr|u|ul)(?:\s[^<>]*)?\/?>/gi;

const ENDING = '(?:md|com|net|org|ru|ro|eu|info|biz|ua)';
const DOMAIN = String.raw`(?:[\p{L}\d-]+\.)+${ENDING}`;

/** Text that is never part of a company's name. */
const CONTACTS = new RegExp(
	[
		String.raw`<?(?:mailto:)?[\w.+-]+@${DOMAIN}>?`,
		String.raw`(?<![\p{L}\d@.-])(?:https?:\/\/)?(?:www\.)?(?<site>[\p{L}\d-]+)(?:\.(?:com|gov|org))?\.${ENDING}\/?(?![\p{L}\d./])`,
		String.raw`(?:https?:\/\/|www\.)[^\s,;)]+`,
		String.raw`(?<![\p{L}\d@.-])${DOMAIN}(?:\/[^\s,;)]*)?(?![\p{L}\d.])`,
		String.raw`(?<![\p{L}\d])(?:(?:telefon|tel|mob|fax|gsm|cel|c\/f|cod fiscal|idno|тел|моб|т|ф\/к|идно)(?!\p{L})[.:]*\s*)*(?<phone>\+?\(?\d(?:[\s().-]*\d){7,13})(?![\d/])`,
		String.raw`(?<!\p{L})MD[\s-]?\d{4}(?!\d)`,
		String.raw`^\s*\d{1,3}[.)]\s+`,
	].join('|'),
	'giu',
);

/**
 * Removes contact details. If a row has nothing but a domain, the domain is its name. Email addresses
 * and URLs with a path aren't names, because they may belong to a provider.
 */
function withoutContacts(text: string): { text: string; ignored: string[] } {
	const ignored: string[] = [];
	let domain = '';
	const bare = text.replace(CONTACTS, (match: string, ...rest: unknown[]) => {
		const { site = '' } = rest.at(-1) as Record<string, string | undefined>;
		domain ||= site;
		ignored.push(match.trim());
		return ' ';
	});
	const { words } = withoutForms(wordsOf(bare));
	const hasName = words.some((word) => formsIn([word]).size === 0);
	return { text: hasName ? bare : `${domain.replaceAll('-', ' ')} ${bare}`, ignored };
}

const leadingWords = listOf(LEADING_WORDS);
const describedWords = listOf(DESCRIBED_WORDS);
const describingWords = listOf(`${LINES_OF_BUSINESS} ${DESCRIBING_WORDS}`);

/** Separates a name from notes around it. A dash without spaces is part of a name. */
const SEPARATOR = /[()[\]{}<>,;:|*!]+|\s[-–—/]+\s/u;

const BRACKETS = /[([{<][^)\]}>]*[)\]}>]?/gu;

function partsOf(text: string): string[] {
	return text
		.split(SEPARATOR)
		.map((part) => part.trim())
		.filter((part) => wordsOf(part).length > 0);
}

interface Core {
	words: Word[];
	places: Place[];
}

/** The part of a row that is most likely the registered name; undefined if there is none. */
function coreOf(text: string): Core | undefined {
	const parts = partsOf(text);
	const companies = parts.filter((part) => hasFormAndName(wordsOf(part)));
	const names = new Set(companies.map((part) => textOf(parseName(part))));
	// Without a legal form, only text in brackets is certain not to be the name.
	const named = companies[0] ?? text.replace(BRACKETS, ' ');
	const words = wordsOf(named);
	const end = endOfForm(words) ?? startOfStatus(words) ?? words.length;
	// "Vălmora SRL / Zefirul SRL" could mean either company.
	if (names.size > 1 || hasFormAndName(words.slice(end))) return undefined;
	const beside = [
		...parts.filter((part) => !named.includes(part)).flatMap((part) => wordsOf(`, ${part}`)),
		...words.slice(end),
	];
	const described = withoutDescription(words.slice(0, end));
	const isCertain = described.length === end;
	const { words: left } = withoutForms(described);
	const hasForm = left.length < described.length;
	const isFirst = text.startsWith(named);
	// "Farmacia nr. 14" isn't "nr. 14".
	const isName = left
		.filter((word) => formsIn([word]).size === 0)
		.some((word) => isDistinctive(word) || (left.length > 1 && hasLetters(word)));
	// In "Vălmora - Nord SRL", "Nord" alone is too common to be the name.
	if (!(isCertain && hasForm && isFirst) && !isName) return undefined;
	return { words: described, places: placesAmong(beside) };
}

const STATUSES = listOf(
	'lichidare lichidata insolventa insolvabilitate radiata ликвидации ликвидирована',
);
const BEFORE_STATUS = listOf('in proces procesul curs de в процессе стадии');

/** Where a note such as "în proces de lichidare" begins. */
function startOfStatus(words: readonly Word[]): number | undefined {
	let start = words.findIndex(({ written }) => STATUSES.has(written));
	while (start > 0 && BEFORE_STATUS.has(words[start - 1]!.written)) start--;
	return start > 0 ? start : undefined;
}

const hasLetters = ({ original }: Word) => /\p{L}{3}/u.test(original);

function hasFormAndName(words: readonly Word[]): boolean {
	return withoutForms(words).forms.size > 0 || endOfForm(words) !== undefined;
}

/** Removes leading words, or everything outside quotation marks. */
function withoutDescription(words: Word[]): Word[] {
	const outside = words.filter(({ quotes }) => quotes === 0);
	if (outside.length < words.length) {
		if (namesOrganization(outside, withoutForms(words).forms)) return words;
		return words.filter((word) => word.quotes > 0 || formsIn([word]).size > 0);
	}
	// Forms first, because one can start with a leading word: "Întreprinderea Individuală".
	const { words: left } = withoutForms(words);
	const written = left.map((word) => word.written);
	const leadingAt = (index: number) => {
		const [word = '', next = '', afterNext = ''] = written.slice(index);
		const described = next === 'de' ? afterNext : next;
		if (describedWords.has(word)) return describingWords.has(described) ? 1 : 0;
		if (leadingWords.has(word) || (index > 0 && describingWords.has(word))) return 1;
		return word === 'de' && describingWords.has(next) ? 2 : 0;
	};
	let start = 0;
	while (leadingAt(start) > 0) start += leadingAt(start);
	const leftOut = left.slice(0, start);
	return words.filter((word) => !leftOut.includes(word));
}

const BRANCH = listOf('filiala filialei sucursala reprezentanta филиал представительство');
const BRANCH_SHORT = listOf('fil suc repr');

/** Splits a name into its words, legal forms, place or address, and branch. */
export function parseName(name: string): CompanyName {
	return nameOfWords(wordsOf(name));
}

function nameOfWords(all: readonly Word[]): CompanyName {
	const branchAt = all.findIndex(
		({ written, dotted }, index) =>
			index > 0 &&
			index < all.length - 1 &&
			(BRANCH.has(written) || (dotted && BRANCH_SHORT.has(written))),
	);
	const branch = branchAt === -1 ? [] : all.slice(branchAt + 1);
	const main = branchAt === -1 ? all : all.slice(0, branchAt);
	const { name: named, beside } = splitPlaces(main);
	const { forms, words: full, kinds, possible } = withoutForms(named);
	return {
		words: full.filter((word, index) => !isJoining(word, index, full)),
		full,
		kinds,
		forms,
		possibleForms: possible,
		places: placesOf(beside),
		branch,
	};
}

/**
 * Splits off a place or an address that follows the name. In brackets or after a dash, a place belongs
 * to the name unless a legal form comes before it.
 */
function splitPlaces(all: readonly Word[]): { name: readonly Word[]; beside: readonly Word[] } {
	for (let index = 1; index < all.length; index++) {
		const beside = all.slice(index);
		const [first, before] = [beside[0]!, all[index - 1]!];
		const startsBeside =
			first.quotes === 0 &&
			(first.separator === ',' || before.quotes > 0 || endsWithForm(all.slice(0, index)));
		if (startsBeside && isAddress(beside)) return { name: all.slice(0, index), beside };
	}
	return { name: all, beside: [] };
}

function endsWithForm(words: readonly Word[]): boolean {
	return !withoutForms(words).words.includes(words.at(-1)!);
}

/** Whether a word says what kind of place follows. */
const isNamedBy = (before: Word | undefined) =>
	before !== undefined && kindOfPlace(before) !== undefined;

const isName = (word: Word | undefined) => word !== undefined && formsIn([word]).size === 0;

/** Whether words are only places and words such as "city". A street can have any name. */
function isAddress(words: readonly Word[]): boolean {
	const street = words.findIndex(isStreet);
	return words.slice(0, street === -1 ? undefined : street).every((word, index, all) => {
		return (
			(isNamedBy(all[index - 1]) && isName(word)) ||
			isPlace(word) ||
			// "Com" is a commune only if a name follows.
			(kindOfPlace(word) !== undefined && isName(all[index + 1])) ||
			isCountry(word)
		);
	});
}

/**
 * Whether words outside quotation marks name a separate organization, such as a company's trade union.
 * In the name of an SRL or SA, they only describe the company.
 */
export function namesOrganization(
	outside: readonly Word[],
	forms: ReadonlySet<LegalForm>,
): boolean {
	if (forms.has('srl') || forms.has('sa')) return false;
	return outside.some(
		({ written }) => ORGANIZATION_WORDS.has(written) && !leadingWords.has(written),
	);
}

/** Whether a word is rare in company names. */
export function isDistinctive(word: Word): boolean {
	const [spelling = ''] = word.spellings;
	return (
		/^\p{L}{3,}$/u.test(spelling) && !isKnownWord(spelling) && !isPlace(word) && !isCountry(word)
	);
}
