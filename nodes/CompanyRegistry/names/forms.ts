import { LEGAL_FORMS } from './tables/legalForms';
import { ORGANIZATIONS } from './tables/words';
import { fold, isCommon, listOf } from './words';
import type { Word } from './words';

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
	const phrases = long.split('; ').filter(Boolean);
	const article = /\((ul|a|l)\)/;
	return {
		...{ form, marks: marks.split(' '), abbreviatedAs: /as (\S+)/.exec(marks)?.[1] },
		short: fold(short).split(' ').filter(Boolean),
		long: phrases
			.flatMap((each) => [each.replace(article, ''), each.replace(article, '$1')])
			.map((each) => fold(each).split(' ')),
	};
}

const has = (form: LegalForm | undefined, mark: string) =>
	form !== undefined && formNamed.get(form)?.marks.includes(mark) === true;

/** Forms by their folded spelling without spaces and dots. Lists also have a Cyrillic О for Î: "О.S.". */
const byCompact = new Map<string, Form>(
	[...forms].reverse().flatMap((each) => {
		const cyrillicO = each.short
			.filter((short) => /^i[a-z]/.test(short))
			.map((i) => `о${i.slice(1)}`);
		const spellings = [...each.long.map((words) => words.join('')), ...cyrillicO, ...each.short];
		return spellings.map((spelling): [string, Form] => [spelling, each]);
	}),
);

const longestPhrase = Math.max(...forms.flatMap(({ long }) => long.map(({ length }) => length)));

/** The fewest letters to which a word of a full name can be shortened: "Gosp. Țăr.". */
const SHORTEST_DOTTED = 2;
const SHORTEST_UNDOTTED = 4;

function isShort({ written, dotted }: Word, word: string): boolean {
	const shortest = dotted ? SHORTEST_DOTTED : SHORTEST_UNDOTTED;
	return written === word || (written.length >= shortest && word.startsWith(written));
}

/** The legal form that the words spell out, abbreviate or shorten. */
function formOf(part: readonly Word[]): LegalForm | undefined {
	const known = byCompact.get(part.map(({ written }) => written).join(''));
	if (known || part.length < 2) return known?.form;
	const isShortened = (words: string[]) =>
		words.length === part.length && words.every((word, index) => isShort(part[index]!, word));
	return forms.find(({ long }) => long.some(isShortened))?.form;
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

interface FormAtEnd {
	form: LegalForm;
	part: readonly Word[];
	rest: readonly Word[];
}

/**
 * Removes legal forms from both ends of a name, but not in quotation marks and not if nothing else is
 * left. After a form of a person, what looks like another form are the person's initials.
 */
export function withoutForms(name: readonly Word[]): FoundForms {
	const found: FoundForms = { forms: new Set(), words: [...name], kinds: [], possible: new Map() };
	for (;;) {
		const ends = formsAtEnds(found.words).filter((each) => isForm(each, found.forms, name));
		const next = ends.find(({ form }) => has(form, 'person')) ?? ends[0];
		if (!next) break;
		found.forms.add(next.form);
		if (has(next.form, 'kind')) found.kinds.push(...next.part);
		found.words = [...next.rest];
		if (has(next.form, 'person')) return found;
	}
	const { words } = found;
	for (const word of words.length > 1 ? [words[0]!, words.at(-1)!] : []) {
		const form = byCompact.get(word.written)?.form;
		if (form !== undefined && word.quotes === 0 && !isInitials(word, words)) {
			found.possible.set(word, form);
		}
	}
	return found;
}

/** What may be a form at the end or the beginning of a name, the longest first. */
function formsAtEnds(words: readonly Word[]): FormAtEnd[] {
	return Array.from({ length: Math.min(longestPhrase, words.length - 1) }, (_, index) => {
		const length = Math.min(longestPhrase, words.length - 1) - index;
		return [
			{ part: words.slice(-length), rest: words.slice(0, -length) },
			{ part: words.slice(0, length), rest: words.slice(length) },
		];
	})
		.flat()
		.flatMap(({ part, rest }) => {
			const form = part[0]!.quotes === 0 ? formOf(part) : undefined;
			return form === undefined ? [] : [{ form, part, rest }];
		});
}

const organizations = listOf(ORGANIZATIONS);

/**
 * Whether words at an end of a name are a form and not part of the name. An abbreviation that names can
 * begin with is one if it's written as such, if the name is in quotation marks, or if it qualifies a
 * company whose name is distinctive.
 */
function isForm(
	{ form, part, rest }: FormAtEnd,
	known: ReadonlySet<LegalForm>,
	name: readonly Word[],
): boolean {
	const [first] = part;
	if (part.length === 1 && isInitials(first!, [first!, ...rest])) return false;
	// A company has one form, so the SA in "SA Design SRL" is part of the name.
	const isOnly = (each: LegalForm) => !qualifies(each) && !has(each, 'kind');
	if (
		part.length === 1 &&
		isOnly(form) &&
		[...known].some((each) => each !== form && isOnly(each))
	) {
		return false;
	}
	if (isMarked(part, form) || name.some(({ quotes }) => quotes > 0)) return true;
	// "IP Liceul Teoretic", "IM Gospodăria Comunală"
	if (!has(form, 'person') && organizations.has(rest[0]!.written)) return true;
	return isQualifier(
		form,
		new Set(name.map(({ written }) => byCompact.get(written)?.form ?? '')),
		rest,
	);
}

/** Whether the spelling alone shows that words are a legal form. */
function isMarked(part: readonly Word[], form: LegalForm): boolean {
	const [first] = part;
	if (!has(form, 'name') || part.length > 1) return true;
	return first?.dotted === true || /[îțăș]|\p{Script=Cyrillic}/iu.test(first?.original ?? '');
}

/** Whether a dotted acronym beside a person's form is initials: "GT Moisei G.T.", "Î.I. Rusu A.O.". */
function isInitials(word: Word, name: readonly Word[]): boolean {
	const other = name.find((each) => each !== word && (each === name[0] || each === name.at(-1)));
	return (
		word.dotted &&
		word.text.length === 2 &&
		(word === name.at(-1) || !has(byCompact.get(word.written)?.form, 'person')) &&
		has(byCompact.get(other?.written ?? '')?.form, 'person')
	);
}

const qualifies = (form: LegalForm) => has(form, 'beside') || has(form, 'besideSa');

/** Whether a form qualifies an SRL or SA among these forms, and the rest of the name is distinctive. */
export function isQualifier(
	form: LegalForm,
	among: ReadonlySet<LegalForm>,
	rest: readonly Word[],
): boolean {
	const isCompany = among.has('sa') || (has(form, 'beside') && among.has('srl'));
	return (
		qualifies(form) &&
		isCompany &&
		rest.some(
			({ written }) =>
				/^\p{L}{3,}$/u.test(written) && !isCommon(written) && !byCompact.has(written),
		)
	);
}

/** The end of the first legal form that follows a name, e.g. 2 in "Vălmora SRL client vechi". */
export function endOfForm(words: readonly Word[]): number | undefined {
	for (let start = 1; start < words.length; start++) {
		for (let length = Math.min(longestPhrase, words.length - start); length > 0; length--) {
			const part = words.slice(start, start + length);
			const form = part[0]!.quotes === 0 ? formOf(part) : undefined;
			if (form === undefined || qualifies(form) || !isMarked(part, form)) continue;
			if (withoutForms(words.slice(0, start)).words.every((word) => formOf([word]))) continue;
			return start + length;
		}
	}
	return undefined;
}

/** The legal forms in a field such as "Societate pe acțiuni". */
export function formsIn(text: readonly Word[]): Set<LegalForm> {
	const whole = formOf(text);
	if (whole) return new Set([whole]);
	return new Set(text.flatMap((word) => formOf([word]) ?? []));
}

/** Whether forms include one, or another one with the same abbreviation. */
export function hasForm(all: Iterable<LegalForm>, form: LegalForm): boolean {
	return [...all].some((each) => each === form || formNamed.get(each)?.abbreviatedAs === form);
}

/** Whether these legal forms rule out a match. Unknown forms never do. */
export function formsContradict(a: ReadonlySet<LegalForm>, b: ReadonlySet<LegalForm>): boolean {
	const isShared =
		[...a].some((form) => hasForm(b, form)) || [...b].some((form) => hasForm(a, form));
	if (a.size === 0 || b.size === 0 || isShared) return false;
	const onlyQualify = [...a].every(qualifies) || [...b].every(qualifies);
	return !(
		onlyQualify && [...a, ...b].every((form) => qualifies(form) || ['srl', 'sa'].includes(form))
	);
}

/** Whether a company with one of these forms is named after a person. */
export function isPersonal(all: Iterable<LegalForm>): boolean {
	return [...all].some((form) => has(form, 'person'));
}

/** Whether only one of two names has a kind of organization. */
export function kindsDiffer(a: ReadonlySet<LegalForm>, b: ReadonlySet<LegalForm>): boolean {
	const isMissing = (form: LegalForm, others: ReadonlySet<LegalForm>) =>
		has(form, 'kind') &&
		!hasForm(others, form) &&
		!others.has(formNamed.get(form)?.abbreviatedAs ?? form);
	return [...a].some((form) => isMissing(form, b)) || [...b].some((form) => isMissing(form, a));
}
