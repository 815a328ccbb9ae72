import { remembered, withoutEntities } from '../../shared/node/texts';
import { endOfForm, formOf, hasLegalForm, withoutForms, type NameAndForms } from './forms';
import { isPlace, kindOfPlace, placesOf, type Place } from './places';
import * as TABLE from './tables/words';
import { isCommon, isJoining, listOf, MOST_LETTERS, wordsOf, type Word } from './words';

/** The parts of a company's name. Its `words`, in order, tell it from others. */
export interface CompanyName extends NameAndForms {
	/** All words of the name itself, including connecting words such as "de". */
	full: readonly Word[];
	/** Places outside the name, as in "Agro Nord SRL, Orhei". */
	places: readonly Place[];
}

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
	const whole = withoutEntities(text.slice(0, MOST_LETTERS));
	const asWritten = { name: parseName(whole), ignored: [] };
	const { bare, contacts } = withoutContacts(whole);
	const words = wordsOf(bare);
	const core = coreOf(bare) ?? words;
	const name = nameOfWords(core);
	const isLeftOut = (word: Word) =>
		!core.some(({ original }) => original === word.original) && !isPlace(word);
	const ignored = [...contacts, ...words.filter(isLeftOut).map(({ original }) => original)];
	if (ignored.length === 0 || textOf(name) === textOf(asWritten.name)) return [asWritten];
	const places = [...name.places, ...parseName(bare).places];
	return [asWritten, { name: { ...name, places }, ignored }];
}

const textOf = ({ words }: CompanyName) => words.map(({ spellings }) => spellings[0]).join(' ');

const ENDING = '(?:md|com|net|org|ru|ro|eu|info|biz|ua)';

/** Text that is never part of a company's name. */
const CONTACTS = new RegExp(
	[
		String.raw`\S+@\S+`,
		String.raw`(?:https?:\/\/)?(?:www\.)?(?<site>[\p{L}\d-]+)(?:\.[\p{L}\d-]+)*\.${ENDING}(?:\/\S*)?(?![\p{L}\d.])`,
		String.raw`(?<![\p{L}\d])(?:(?:telefon|tel|mob|fax|gsm|cel|c\/f|cod fiscal|idno|тел|моб|т|ф\/к|идно)[.:/]*\s*)*\(?\+?\(?\d(?:[\s().-]*\d){7,13}(?![\d/])`,
		String.raw`(?<!\p{L})MD[\s-]?\d{4}(?!\d)`,
		String.raw`^\s*\d{1,3}[.)]\s+`,
	].join('|'),
	'giu',
);

/** Removes contact details. If a row has nothing but a domain, the domain is its name. */
function withoutContacts(text: string): { bare: string; contacts: string[] } {
	const found = [...text.matchAll(CONTACTS)];
	const bare = text.replace(CONTACTS, ' ');
	const { words } = withoutForms(wordsOf(bare));
	const hasName = words.some((word) => !formOf([word]));
	const site = found.find(({ groups }) => groups?.site);
	const domain = (site?.groups?.site ?? '').replaceAll('-', ' ');
	// As in "agronord.md, magazin online"
	const [, description] = /^\S+\s*[,–—(-]\s*(.+)$/su.exec(text) ?? [];
	if (site?.index === 0 && description && !hasLegalForm(wordsOf(description))) {
		return { bare: domain, contacts: [text] };
	}
	return {
		bare: hasName ? bare : `${domain} ${bare}`,
		contacts: found.map(([match]) => match.trim()),
	};
}

/** Separates a name from notes around it. A dash without spaces is part of a name. */
const SEPARATOR = /[()[\]{}<>;:|*!]+|,(?!,)(?<!,,)|\s[-–—/]+\s/u;
const BRACKETS = /[([{<][^)\]}>]*[)\]}>]?/gu;

/** The part of a row that is most likely the registered name; undefined if nothing looks like one. */
function coreOf(text: string): Word[] | undefined {
	const all = wordsOf(text);
	const start = all.indexOf(withoutForms(all).words[0]!);
	// "Firma de cercetare, producție și comerț" is one form.
	const isOne = all.slice(1, start).some(({ separator }) => separator === ',');
	const companies = (isOne ? [text] : text.split(SEPARATOR)).filter((part) => {
		const words = wordsOf(part);
		// "Zefirul, Joint Stock Company" is one name.
		return hasLegalForm(words) && !formOf(words);
	});
	const names = new Set(companies.map((part) => textOf(parseName(part))));
	// Without a legal form, only text in brackets is certain not to be the name.
	const words = wordsOf(companies[0] ?? text.replace(BRACKETS, ' '));
	const end = endOfForm(words) ?? endOfName(words);
	// "Vălmora SRL / Zefirul SRL" could mean either company.
	if (names.size > 1 || hasLegalForm(words.slice(end))) return undefined;
	const isCompany = hasLegalForm(all) || all.some((word) => formOf([word]));
	const core = withoutLeading(words.slice(0, end), isCompany);
	const left = withoutForms(core).words.filter((word) => !formOf([word]));
	// "Farmacia nr. 14" isn't "nr. 14", and in "Vălmora - Nord SRL", "Nord" is too common to be the name.
	const isName = (word: Word) =>
		isDistinctive(word) || (left.length > 1 && /\p{L}{3}/u.test(word.original));
	return left.some(isName) ? core : undefined;
}

const branches = listOf(TABLE.BRANCHES);

/** Before a branch or after quotation marks, if a legal form comes first; otherwise the end of the text. */
function endOfName(words: readonly Word[]): number {
	const branch = words.findIndex(({ quoted, written }) => !quoted && branches.has(written));
	if (branch > 0 && hasLegalForm(words.slice(0, branch))) return branch;
	const start = words.findIndex(({ quoted }) => quoted);
	const isNamed = words.slice(0, Math.max(0, start)).some((word) => formOf([word]));
	return isNamed ? words.findLastIndex(({ quoted }) => quoted) + 1 : words.length;
}

const leading = listOf(TABLE.LEADING);
const titles = listOf(TABLE.TITLES);
const describing = listOf(TABLE.TRADES, TABLE.DESCRIBING);

/** Removes words that only describe the company before its name, and a person's title before a company. */
function withoutLeading(words: Word[], isCompany: boolean): Word[] {
	// Forms first, because one can start with a leading word: "Întreprinderea Individuală".
	const { words: left } = withoutForms(words);
	const isLeading = ({ written }: Word, index: number) =>
		leading.has(written) ||
		(isCompany && titles.has(written)) ||
		(index > 0 && (written === 'de' || describing.has(written)));
	const name = left.findIndex((word, index) => !isLeading(word, index));
	return words.filter((word) => !left.slice(0, name).includes(word));
}

/** Splits a name into its words, legal forms, and place or address. */
export const parseName = remembered((name): CompanyName => nameOfWords(wordsOf(name)));

function nameOfWords(all: readonly Word[]): CompanyName {
	const placeAt = all.findIndex((_, index) => index > 0 && isBeside(all, index));
	const [named, beside] = placeAt === -1 ? [all, []] : [all.slice(0, placeAt), all.slice(placeAt)];
	const { forms, words, possible } = withoutForms(named);
	return {
		words: words.filter((word, index) => !isJoining(word, index, words)),
		// "Liceul Teoretic nr. 2"
		full: words.every(({ written }) => /^(?:\d+|nr)$/.test(written)) ? named : words,
		forms,
		possible,
		places: placesOf(beside),
	};
}

/**
 * Whether only a place or an address follows here. In brackets or after a dash, a place belongs to the
 * name unless a legal form comes before it.
 */
function isBeside(all: readonly Word[], index: number): boolean {
	const [first, before] = [all[index]!, all[index - 1]!];
	if (first.quoted || !isAddress(all.slice(index))) return false;
	const endsWithForm = () => !withoutForms(all.slice(0, index)).words.includes(before);
	return first.separator === ',' || before.quoted || endsWithForm();
}

/** Whether words are only places and words such as "city". A street can have any name. */
function isAddress(words: readonly Word[]): boolean {
	const street = words.findIndex((word) => kindOfPlace(word) === 'street');
	const isName = (word: Word | undefined) => word !== undefined && !formOf([word]);
	return words.slice(0, street === -1 ? undefined : street).every(
		(word, index, all) =>
			isPlace(word) ||
			kindOfPlace(all[index - 1]) ||
			// "Com" is a commune only if a name follows.
			(kindOfPlace(word) && isName(all[index + 1])),
	);
}

/** Whether a word is rare in company names. */
export function isDistinctive(word: Word): boolean {
	const [spelling = ''] = word.spellings;
	return /^\p{L}{3,}$/u.test(spelling) && !isCommon(spelling) && !isPlace(word);
}
