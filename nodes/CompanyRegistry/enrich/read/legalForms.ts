import { LEGAL_FORMS } from '../tables/legalForms';
import type { FormRow, LegalForm } from '../tables/legalForms';
import { fold } from './words';
import type { Word } from './words';

const rowOf = new Map(LEGAL_FORMS.map((row) => [row.form, row]));

const phrases = LEGAL_FORMS.flatMap((row) =>
	(row.long?.split('; ') ?? [])
		.flatMap((phrase) => [phrase.replace(/\((ul|a|l)\)/, ''), phrase.replace(/\((ul|a|l)\)/, '$1')])
		.map((phrase) => ({ row, words: fold(phrase).split(' ') })),
);

/** Legal forms by their folded spelling without spaces and dots. */
const byCompact = new Map<string, FormRow>([
	...LEGAL_FORMS.flatMap((row) =>
		row.short
			.split(' ')
			.filter(Boolean)
			.map((short): [string, FormRow] => [fold(short), row]),
	),
	...phrases.map(({ row, words }): [string, FormRow] => [words.join(''), row]),
]);

const longestPhrase = Math.max(...phrases.map(({ words }) => words.length));

/** The fewest letters to which a word of a phrase can be shortened: "Gosp. Țăr.". */
const SHORTEST_DOTTED = 2;
const SHORTEST_UNDOTTED = 4;

/** Phrases by their number of words and first letter, which shortening doesn't change. */
const byBeginning = new Map<string, typeof phrases>();
for (const phrase of phrases) {
	const key = `${phrase.words.length}${phrase.words[0]![0]}`;
	byBeginning.set(key, [...(byBeginning.get(key) ?? []), phrase]);
}

/** The legal form that the words spell out, abbreviate or shorten: "Gosp. Țăr.". */
function formOf(part: readonly Word[]): FormRow | undefined {
	const known = byCompact.get(part.map(({ written }) => written).join(''));
	if (known || part.length < 2) return known;
	const similar = byBeginning.get(`${part.length}${part[0]!.written[0]}`) ?? [];
	return similar.find(({ words }) => words.every((word, index) => isShort(part[index]!, word)))
		?.row;
}

function isShort({ written, dotted }: Word, word: string): boolean {
	const shortest = dotted ? SHORTEST_DOTTED : SHORTEST_UNDOTTED;
	return written === word || (written.length >= shortest && word.startsWith(written));
}

export interface FoundForms {
	forms: Set<LegalForm>;
	/** The words without legal forms. */
	words: Word[];
	/** The words of forms that are kinds of organizations. */
	kinds: Word[];
	/**
	 * Words that count as a legal form only if the other name or the registry has it: "GT" is one in
	 * "GT Popescu Ion", but part of the name in "GT Motors".
	 */
	possible: Map<Word, LegalForm>;
}

/**
 * Removes legal forms from both ends of a name, but not in quotation marks and not if nothing else is
 * left. An abbreviation that names can start with is only removed if it has dots or diacritics, or if
 * the rest of the name is in quotation marks.
 */
export function withoutForms(name: readonly Word[]): FoundForms {
	const forms = new Set<LegalForm>();
	let words = [...name];
	const kinds: Word[] = [];
	const isPartlyQuoted = name.some(({ quotes }) => quotes > 0);
	const has = (...written: string[]) => name.some((word) => written.includes(word.written));
	// Banks are SAs, so "BC Holding SRL" isn't a bank.
	const qualifiesCompany = (form: LegalForm) =>
		form === 'bc' ? has('sa') : ['sc', 'fpc'].includes(form) && has('srl', 'sa');

	const isForm = (part: readonly Word[]): LegalForm | undefined => {
		const row = formOf(part);
		const [first] = part;
		if (!row || !first || first.quotes > 0) return undefined;
		const isType = !row.qualifies && part.length === 1 && !first.dotted;
		// A company has one form, so the SA in "SA Design SRL" is part of the name.
		if (isType && [...forms].some((form) => form !== row.form && !rowOf.get(form)?.qualifies)) {
			return undefined;
		}
		const isForm = isMarked(part, row) || isPartlyQuoted || qualifiesCompany(row.form);
		return isForm ? row.form : undefined;
	};

	for (let found = true; found;) {
		found = false;
		for (let length = Math.min(longestPhrase, words.length - 1); length > 0 && !found; length--) {
			const [front, back] = [isForm(words.slice(0, length)), isForm(words.slice(-length))];
			const form = back ?? front;
			if (form === undefined) continue;
			const taken = back === undefined ? words.slice(0, length) : words.slice(-length);
			words = words.filter((word) => !taken.includes(word));
			if (rowOf.get(form)?.isKind) kinds.push(...taken);
			forms.add(form);
			found = true;
		}
	}
	const ends = words.length > 1 ? [words[0], words.at(-1)] : [];
	const possible = new Map<Word, LegalForm>();
	for (const word of ends) {
		const row = word?.quotes === 0 ? byCompact.get(word.written) : undefined;
		if (word && row) possible.set(word, row.form);
	}
	return { forms, words, kinds, possible };
}

/** Whether the spelling alone shows that words are a legal form. */
function isMarked(part: readonly Word[], { isAlsoName }: FormRow): boolean {
	const [first] = part;
	if (!isAlsoName || part.length > 1) return true;
	return first?.dotted === true || /[îțăș]|\p{Script=Cyrillic}/iu.test(first?.original ?? '');
}

/** The end of the first legal form that follows a name, e.g. 2 in "Vălmora SRL client vechi". */
export function endOfForm(words: readonly Word[]): number | undefined {
	for (let start = 1; start < words.length; start++) {
		for (let length = Math.min(longestPhrase, words.length - start); length > 0; length--) {
			const part = words.slice(start, start + length);
			const row = formOf(part);
			if (!row || row.qualifies || part[0]!.quotes > 0 || !isMarked(part, row)) continue;
			if (withoutForms(words.slice(0, start)).words.every((word) => formOf([word]))) continue;
			return start + length;
		}
	}
	return undefined;
}

/** The legal forms in a field such as "Societate pe acțiuni". */
export function formsIn(text: readonly Word[]): Set<LegalForm> {
	const whole = formOf(text);
	if (whole) return new Set([whole.form]);
	return new Set(text.flatMap((word) => formOf([word])?.form ?? []));
}

/** Whether forms include one, or another one with the same abbreviation. */
export function hasForm(forms: Iterable<LegalForm>, form: LegalForm): boolean {
	return [...forms].some((each) => each === form || rowOf.get(each)?.abbreviatedAs === form);
}

/** Whether these legal forms rule out a match. Unknown forms never do. */
export function formsContradict(a: ReadonlySet<LegalForm>, b: ReadonlySet<LegalForm>): boolean {
	const isShared =
		[...a].some((form) => hasForm(b, form)) || [...b].some((form) => hasForm(a, form));
	if (a.size === 0 || b.size === 0 || isShared) return false;
	const qualifies = (form: LegalForm) => rowOf.get(form)?.qualifies === true;
	const isOrQualifiesCompany = (form: LegalForm) => qualifies(form) || ['srl', 'sa'].includes(form);
	const onlyQualify = [...a].every(qualifies) || [...b].every(qualifies);
	return !(onlyQualify && [...a, ...b].every(isOrQualifiesCompany));
}

/** Whether a company with one of these forms is named after a person. */
export function isPersonal(forms: Iterable<LegalForm>): boolean {
	return [...forms].some((form) => rowOf.get(form)?.isPersonal);
}

/** Whether only one of two names has a kind of organization. */
export function kindsDiffer(a: ReadonlySet<LegalForm>, b: ReadonlySet<LegalForm>): boolean {
	const isMissing = (form: LegalForm, forms: ReadonlySet<LegalForm>) =>
		rowOf.get(form)?.isKind === true &&
		!hasForm(forms, form) &&
		!forms.has(rowOf.get(form)?.abbreviatedAs ?? form);
	return [...a].some((form) => isMissing(form, b)) || [...b].some((form) => isMissing(form, a));
}
