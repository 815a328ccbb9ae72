import { withoutEntities } from '../../shared/node/texts';
import { endOfForm, formsIn, withoutForms } from './forms';
import type { LegalForm } from './forms';
import { isCountry, isKindOfPlace, isPlace, isStreet, placesOf } from './places';
import type { Place } from './places';
import * as TABLE from './tables/words';
import { isCommon, isJoining, listOf, wordsOf } from './words';
import type { Word } from './words';

/** The parts of a company's name. */
export interface CompanyName {
	/** The words that tell the company from others, in order. */
	words: Word[];
	/** All words of the name itself, including connecting words such as "de". */
	full: Word[];
	forms: ReadonlySet<LegalForm>;
	/** Words among `words` that may be a legal form; see `withoutForms`. */
	possibleForms: ReadonlyMap<Word, LegalForm>;
	/** Places outside the name, as in "Agro Nord SRL, Orhei". */
	places: Place[];
}

/** A reading of a row's text. */
export interface NameReading {
	name: CompanyName;
	/** The row's text that isn't part of the name. */
	ignored: string[];
}

/** Longer than any name with the text around it. */
const LONGEST_TEXT = 2_000;

/**
 * Reads a row's text as it's written, then without what rows often have around a name: a note after
 * the legal form, a brand, a description, a phone number. Places stay, because they can contradict a
 * company.
 */
export function readingsOf(text: string): NameReading[] {
	const { text: bare, ignored } = withoutContacts(withoutEntities(text.slice(0, LONGEST_TEXT)));
	const asWritten = { name: parseName(bare), ignored };
	const core = coreOf(bare);
	if (!core) return [asWritten];
	const name = nameOfWords(core);
	name.places.push(...asWritten.name.places);
	const isLeftOut = (word: Word) =>
		!core.some(({ original }) => original === word.original) && !isPlace(word);
	const more = wordsOf(bare).filter(isLeftOut);
	if (more.length === 0 || textOf(name) === textOf(asWritten.name)) return [asWritten];
	return [asWritten, { name, ignored: [...ignored, ...more.map(({ original }) => original)] }];
}

const textOf = ({ words }: CompanyName) => words.map(({ spellings }) => spellings[0]).join(' ');

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

/** Separates a name from notes around it. A dash without spaces is part of a name. */
const SEPARATOR = /[()[\]{}<>;:|*!]+|,(?!,)(?<!,,)|\s[-–—/]+\s/u;
const BRACKETS = /[([{<][^)\]}>]*[)\]}>]?/gu;

/** The part of a row that is most likely the registered name; undefined if nothing looks like one. */
function coreOf(text: string): Word[] | undefined {
	const parts = text.split(SEPARATOR).filter((part) => wordsOf(part).length > 0);
	const companies = parts.filter((part) => hasForm(wordsOf(part)));
	const names = new Set(companies.map((part) => textOf(parseName(part))));
	// Without a legal form, only text in brackets is certain not to be the name.
	const named = companies[0] ?? text.replace(BRACKETS, ' ');
	const words = wordsOf(named);
	const end = endOfForm(words) ?? words.length;
	// "Vălmora SRL / Zefirul SRL" could mean either company.
	if (names.size > 1 || hasForm(words.slice(end))) return undefined;
	const described = withoutDescription(words.slice(0, end));
	const { words: left } = withoutForms(described);
	// "Farmacia nr. 14" isn't "nr. 14", and in "Vălmora - Nord SRL", "Nord" is too common to be the name.
	const isName = left
		.filter((word) => formsIn([word]).size === 0)
		.some((word) => isDistinctive(word) || (left.length > 1 && /\p{L}{3}/u.test(word.original)));
	return isName ? described : undefined;
}

function hasForm(words: readonly Word[]): boolean {
	return withoutForms(words).forms.size > 0 || endOfForm(words) !== undefined;
}

const leading = listOf(TABLE.LEADING);
const describing = listOf(TABLE.TRADES, TABLE.DESCRIBING);

/** Removes leading words, or everything outside quotation marks. */
function withoutDescription(words: Word[]): Word[] {
	const outside = words.filter(({ quotes }) => quotes === 0);
	if (outside.length < words.length) {
		if (namesOrganization(outside, withoutForms(words).forms)) return words;
		return words.filter((word) => word.quotes > 0 || formsIn([word]).size > 0);
	}
	// Forms first, because one can start with a leading word: "Întreprinderea Individuală".
	const { words: left } = withoutForms(words);
	const isLeading = ({ written }: Word, index: number) =>
		leading.has(written) || (index > 0 && (written === 'de' || describing.has(written)));
	const name = left.findIndex((word, index) => !isLeading(word, index));
	return words.filter((word) => !left.slice(0, name).includes(word));
}

/** Splits a name into its words, legal forms, and place or address. */
export function parseName(name: string): CompanyName {
	return nameOfWords(wordsOf(name));
}

function nameOfWords(all: readonly Word[]): CompanyName {
	const placeAt = all.findIndex((_, index) => index > 0 && isBeside(all, index));
	const [named, beside] = placeAt === -1 ? [all, []] : [all.slice(0, placeAt), all.slice(placeAt)];
	const { forms, words, possible } = withoutForms(named);
	return {
		words: words.filter((word, index) => !isJoining(word, index, words)),
		full: words,
		forms,
		possibleForms: possible,
		places: placesOf(beside),
	};
}

/**
 * Whether only a place or an address follows here. In brackets or after a dash, a place belongs to the
 * name unless a legal form comes before it.
 */
function isBeside(all: readonly Word[], index: number): boolean {
	const [first, before] = [all[index]!, all[index - 1]!];
	if (first.quotes > 0 || !isAddress(all.slice(index))) return false;
	const endsWithForm = () => !withoutForms(all.slice(0, index)).words.includes(before);
	return first.separator === ',' || before.quotes > 0 || endsWithForm();
}

/** Whether words are only places and words such as "city". A street can have any name. */
function isAddress(words: readonly Word[]): boolean {
	const street = words.findIndex(isStreet);
	const isName = (word: Word | undefined) => word !== undefined && formsIn([word]).size === 0;
	return words.slice(0, street === -1 ? undefined : street).every(
		(word, index, all) =>
			isPlace(word) ||
			isCountry(word) ||
			(isKindOfPlace(all[index - 1]) && isName(word)) ||
			// "Com" is a commune only if a name follows.
			(isKindOfPlace(word) && isName(all[index + 1])),
	);
}

const organizations = listOf(TABLE.ORGANIZATIONS);

/**
 * Whether words outside quotation marks name a separate organization, such as a company's trade union.
 * In the name of an SRL or SA, they only describe the company.
 */
export function namesOrganization(
	outside: readonly Word[],
	forms: ReadonlySet<LegalForm>,
): boolean {
	if (forms.has('srl') || forms.has('sa')) return false;
	return outside.some(({ written }) => organizations.has(written) && !leading.has(written));
}

/** Whether a word is rare in company names. */
export function isDistinctive(word: Word): boolean {
	const [spelling = ''] = word.spellings;
	return /^\p{L}{3,}$/u.test(spelling) && !isCommon(spelling) && !isPlace(word) && !isCountry(word);
}
