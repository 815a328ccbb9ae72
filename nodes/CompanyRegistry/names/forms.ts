import { ACTIVITIES, AMBIGUOUS, FIRMS, LEGAL_FORMS } from './tables/legalForms';
import { isMisspelling } from './typos';
import { fold, listOf, type Word } from './words';

/** A legal form, by its abbreviation in Latin letters without diacritics, e.g. `srl`. */
export type LegalForm = string;

interface Form {
	form: LegalForm;
	marks: readonly string[];
	/** Another form with the same abbreviation. */
	abbreviatedAs: LegalForm | undefined;
	short: string[];
	/** Full names, as folded words. */
	long: string[][];
}

const forms = LEGAL_FORMS.trim().split('\n').map(readForm);
const formNamed = new Map(forms.map((each) => [each.form, each]));

function readForm(line: string): Form {
	const [form = '', marks = '', short = '', long = ''] = line.split('|').map((each) => each.trim());
	return {
		form,
		marks: marks.split(' '),
		abbreviatedAs: /as (\S+)/.exec(marks)?.[1],
		short: fold(short).split(' ').filter(Boolean),
		long: long
			.split('; ')
			.filter(Boolean)
			.map((each) => fold(each).split(' ')),
	};
}

const has = (form: LegalForm, mark: string) => formNamed.get(form)?.marks.includes(mark) === true;

/** Forms by their folded spelling without spaces and dots. */
const byCompact = new Map(
	forms.flatMap(({ form, short, long }) => {
		const spellings = [...long.map((words) => words.join('')), ...short];
		return spellings.map((spelling) => [spelling, form] as const);
	}),
);

const fullNames = forms.flatMap(({ form, long }) => long.map((words) => ({ form, words })));
const longestPhrase = Math.max(...fullNames.map(({ words }) => words.length));
/** Full names by how many words they have. */
const phrases = Array.from({ length: longestPhrase + 1 }, (_, length) =>
	fullNames.filter(({ words }) => words.length === length),
);

/** The legal form that words outside quotation marks spell out, abbreviate or shorten: "Gosp. Țăr.". */
export function formOf(part: readonly Word[]): LegalForm | undefined {
	if (part[0] === undefined || part[0].quoted) return undefined;
	const known = byCompact.get(part.map(({ written }) => written).join(''));
	if (known !== undefined || part.length === 1) return known;
	if (isFirmOf(part)) return 'fpc';
	const alike = phrases[part.length] ?? [];
	return alike.find(({ words }) => part.every((word, index) => isMeant(word, words[index])))?.form;
}

/** The fewest letters of a word in a form's name that may be misspelled. */
const SHORTEST_MISSPELLED = 6;

function isMeant({ written, dotted }: Word, word = ''): boolean {
	if (written[0] !== word[0]) return false;
	const isShort = written.length >= (dotted ? 2 : 4) && word.startsWith(written);
	const mayBeTypo = written.length >= SHORTEST_MISSPELLED;
	return written === word || isShort || (mayBeTypo && isMisspelling(written, word));
}

const firms = listOf(FIRMS);
const activities = listOf(ACTIVITIES);

/** As in "Firma de cercetare, producție și comerț". */
function isFirmOf([first, second, ...rest]: readonly Word[]): boolean {
	if (!firms.has(first?.written ?? '') || second?.written !== 'de') return false;
	return rest.length > 0 && rest.every(({ written }) => activities.has(written));
}

export interface NameAndForms {
	forms: ReadonlySet<LegalForm>;
	/** The words without legal forms. */
	words: readonly Word[];
	/**
	 * Words that count as a legal form only if the other name or the registry has it: "GT" is one in
	 * "GT Popescu Ion", but part of the name in "GT Motors".
	 */
	possible: ReadonlyMap<Word, LegalForm>;
}

/**
 * Removes legal forms from both ends of a name, but not in quotation marks and not if nothing else is
 * left. After a form of a person, what looks like another form are the person's initials.
 */
export function withoutForms(name: readonly Word[]): NameAndForms {
	const found = new Set<LegalForm>();
	const isQuoted = name.some(({ quoted }) => quoted);
	let words = name;
	while (!isPersonal(found)) {
		const next = formAtEnd(words, isQuoted);
		if (!next) break;
		found.add(next.form);
		words = next.rest;
	}
	const areForms = (some: readonly Word[]) => some.every((word) => formOf([word]) !== undefined);
	const possible = words.flatMap((word, index) => {
		const form = formOf([word]);
		const isAtEnd = areForms(words.slice(0, index)) || areForms(words.slice(index));
		return form && isAtEnd && !isPersonal(found) ? [[word, form] as const] : [];
	});
	return { forms: found, words, possible: new Map(possible) };
}

/** The longest form at the beginning or the end of a name, and the words without it. */
function formAtEnd(words: readonly Word[], isQuoted: boolean) {
	for (let length = Math.min(longestPhrase, words.length - 1); length > 0; length--) {
		const front = { part: words.slice(0, length), rest: words.slice(length) };
		const back = { part: words.slice(-length), rest: words.slice(0, -length) };
		for (const { part, rest } of [front, back]) {
			const form = formOf(part);
			if (form !== undefined && (isQuoted || isMarked(part, form))) return { form, rest };
		}
	}
	return undefined;
}

const ambiguous = listOf(AMBIGUOUS);

/** Whether the spelling alone shows that words are a legal form. */
function isMarked(part: readonly Word[], form: LegalForm): boolean {
	const [first] = part;
	if (ambiguous.has(first?.written ?? '')) return false;
	if (!has(form, 'name') || part.length > 1) return true;
	return first?.dotted === true || /[îț]|\p{Script=Cyrillic}/iu.test(first?.original ?? '');
}

/** Whether an SRL or SA can have a form as well. */
const qualifies = (form: LegalForm) => has(form, 'srl') || has(form, 'sa');

/** Whether a form qualifies an SRL or SA among these forms. */
export function isQualifier(form: LegalForm, among: ReadonlySet<LegalForm>): boolean {
	return ['srl', 'sa'].some((main) => among.has(main) && has(form, main));
}

/** The end of the first legal form that follows a name, e.g. 2 in "Vălmora SRL client vechi". */
export function endOfForm(words: readonly Word[]): number | undefined {
	for (let start = 1; start < words.length; start++) {
		for (let length = Math.min(longestPhrase, words.length - start); length > 0; length--) {
			const part = words.slice(start, start + length);
			const form = formOf(part);
			if (form !== undefined && !qualifies(form) && isMarked(part, form)) return start + length;
		}
	}
	return undefined;
}

/** Whether words have a legal form before or after a name. */
export function hasLegalForm(words: readonly Word[]): boolean {
	return withoutForms(words).forms.size > 0 || endOfForm(words) !== undefined;
}

/** The legal forms in a field such as "Societate pe acțiuni". */
export function formsIn(text: readonly Word[]): Set<LegalForm> {
	const whole = formOf(text);
	return new Set(whole === undefined ? text.flatMap((word) => formOf([word]) ?? []) : [whole]);
}

/** Whether forms include one, or another one with the same abbreviation. */
export function hasForm(all: Iterable<LegalForm>, form: LegalForm): boolean {
	const short = (each: LegalForm) => formNamed.get(each)?.abbreviatedAs;
	return [...all].some((each) => each === form || short(each) === form || short(form) === each);
}

/** Whether these legal forms rule out a match. Unknown forms never do. */
export function formsContradict(a: ReadonlySet<LegalForm>, b: ReadonlySet<LegalForm>): boolean {
	if (a.size === 0 || b.size === 0 || [...a].some((form) => hasForm(b, form))) return false;
	const onlyQualify = [...a].every(qualifies) || [...b].every(qualifies);
	const isOfCompany = (form: LegalForm) => qualifies(form) || form === 'srl' || form === 'sa';
	return !(onlyQualify && [...a, ...b].every(isOfCompany));
}

/** Whether only one of two names has a form without which the name means something else. */
export function kindsDiffer(a: ReadonlySet<LegalForm>, b: ReadonlySet<LegalForm>): boolean {
	const isAlone = (form: LegalForm) => has(form, 'kind') && !(hasForm(a, form) && hasForm(b, form));
	return [...a, ...b].some(isAlone);
}

/** Whether a company with one of these forms is named after a person. */
export function isPersonal(all: Iterable<LegalForm>): boolean {
	return [...all].some((form) => has(form, 'person'));
}
