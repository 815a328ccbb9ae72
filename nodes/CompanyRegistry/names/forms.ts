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
	const article = /\((ul|a|l)\)/;
	return {
		...{ form, marks: marks.split(' '), abbreviatedAs: /as (\S+)/.exec(marks)?.[1] },
		short: fold(short).split(' ').filter(Boolean),
		long: long
			.split('; ')
			.filter(Boolean)
			.flatMap((each) => [each.replace(article, ''), each.replace(article, '$1')])
			.map((each) => fold(each).split(' ')),
	};
}

const has = (form: LegalForm | undefined, mark: string) =>
	form !== undefined && formNamed.get(form)?.marks.includes(mark) === true;

/** Forms by their folded spelling without spaces and dots. */
const byCompact = new Map(
	[...forms].reverse().flatMap(({ form, short, long }) => {
		// Lists have a Cyrillic О for Î: "О.S.".
		const withCyrillicO = short.filter((each) => /^i[a-z]/.test(each)).map((i) => `о${i.slice(1)}`);
		const spellings = [...long.map((words) => words.join('')), ...withCyrillicO, ...short];
		return spellings.map((spelling) => [spelling, form] as const);
	}),
);

const longestPhrase = Math.max(...forms.flatMap(({ long }) => long.map(({ length }) => length)));

/** The legal form that words outside quotation marks spell out, abbreviate or shorten: "Gosp. Țăr.". */
function formOf(part: readonly Word[]): LegalForm | undefined {
	if (part[0] === undefined || part[0].quotes > 0) return undefined;
	const known = byCompact.get(part.map(({ written }) => written).join(''));
	if (known !== undefined || part.length === 1) return known;
	const isShort = ({ written, dotted }: Word, word = '') =>
		written === word || (written.length >= (dotted ? 2 : 4) && word.startsWith(written));
	const isMeant = (words: string[]) =>
		words.length === part.length && part.every((word, index) => isShort(word, words[index]));
	return forms.find(({ long }) => long.some(isMeant))?.form;
}

export interface NameAndForms {
	forms: Set<LegalForm>;
	/** The words without legal forms. A kind of organization is one word: "Liceul Teoretic" is "lt". */
	words: Word[];
	/**
	 * Words that count as a legal form only if the other name or the registry has it: "GT" is one in
	 * "GT Popescu Ion", but part of the name in "GT Motors". Kinds of organizations are here as well.
	 */
	possible: Map<Word, LegalForm>;
}

/**
 * Removes legal forms from both ends of a name, but not in quotation marks and not if nothing else is
 * left. After a form of a person, what looks like another form are the person's initials.
 */
export function withoutForms(name: readonly Word[]): NameAndForms {
	const found = new Set<LegalForm>();
	const kinds = new Map<Word, LegalForm>();
	let words = name;
	while (!isPersonal(found)) {
		const ends = formsAtEnds(words).filter((each) => isForm(each, found, name));
		const next = ends.find(({ form }) => has(form, 'person')) ?? ends[0];
		if (!next) break;
		found.add(next.form);
		words = next.rest;
		if (has(next.form, 'kind')) kinds.set(kindWord(next), next.form);
	}
	const ends = words.length > 1 && !isPersonal(found) ? [words[0]!, words.at(-1)!] : [];
	const possible = ends.flatMap((word) => {
		const form = isInitials(word, words) ? undefined : formOf([word]);
		return form === undefined ? [] : [[word, form] as const];
	});
	return {
		forms: found,
		words: [...kinds.keys(), ...words],
		possible: new Map([...kinds, ...possible]),
	};
}

interface FormAtEnd {
	form: LegalForm;
	part: readonly Word[];
	rest: readonly Word[];
	/** The name with the form. */
	whole: readonly Word[];
}

/** What may be a form at the end or the beginning of a name, the longest first. */
function formsAtEnds(words: readonly Word[]): FormAtEnd[] {
	const longest = Math.max(0, Math.min(longestPhrase, words.length - 1));
	return Array.from({ length: longest }, (_, index) => longest - index).flatMap((length) => {
		const back = { part: words.slice(-length), rest: words.slice(0, -length) };
		const front = { part: words.slice(0, length), rest: words.slice(length) };
		return [back, front].flatMap((end) => {
			const form = formOf(end.part);
			return form === undefined ? [] : [{ ...end, form, whole: words }];
		});
	});
}

function kindWord({ form, part }: FormAtEnd): Word {
	return {
		...part[0]!,
		original: part.map(({ original }) => original).join(' '),
		written: form,
		spellings: [form, formNamed.get(form)?.abbreviatedAs ?? form],
		source: part.map(({ source }) => source).join(''),
	};
}

const organizations = listOf(ORGANIZATIONS);

/**
 * Whether words at an end of a name are a form and not part of the name. An abbreviation that names can
 * begin with is one if it's written as such, if the name is in quotation marks, or if it qualifies a
 * company whose name is distinctive.
 */
function isForm(
	{ form, part, rest, whole }: FormAtEnd,
	known: ReadonlySet<LegalForm>,
	name: readonly Word[],
): boolean {
	if (part.length === 1) {
		if (isInitials(part[0]!, whole)) return false;
		// A company has one form, so the SA in "SA Design SRL" is part of the name.
		const isMain = (each: LegalForm) => !qualifies(each) && !has(each, 'kind');
		if (isMain(form) && [...known].some((each) => each !== form && isMain(each))) return false;
	}
	const isMeant = name.some(({ quotes }) => quotes > 0) || isMarked(part, form);
	if (isMeant && !(part.length === 1 && has(form, 'besideSa'))) return true;
	// "IP Liceul Teoretic", "IM Gospodăria Comunală"
	if (!has(form, 'person') && organizations.has(rest[0]!.written)) return true;
	return isQualifier(form, new Set(name.flatMap((word) => formOf([word]) ?? [])), rest);
}

/** Whether the spelling alone shows that words are a legal form. */
function isMarked(part: readonly Word[], form: LegalForm): boolean {
	const [first] = part;
	if (!has(form, 'name') || part.length > 1) return true;
	return first?.dotted === true || /[îțăș]|\p{Script=Cyrillic}/iu.test(first?.original ?? '');
}

/** Whether a dotted acronym beside a person's form is initials: "GT Moisei G.T.", "Î.I. Rusu A.O.". */
function isInitials(word: Word, name: readonly Word[]): boolean {
	const isOfPerson = (each: Word | undefined) =>
		each !== undefined && has(byCompact.get(each.written), 'person');
	const isLast = word === name.at(-1) && name.length > 1;
	const other = isLast ? name[0] : name.find((each) => each !== word && each === name.at(-1));
	return (
		word.dotted && word.text.length === 2 && isOfPerson(other) && (isLast || !isOfPerson(word))
	);
}

const qualifies = (form: LegalForm) => has(form, 'beside') || has(form, 'besideSa');

/** Whether a form qualifies an SRL or SA among these forms, and the rest of the name is distinctive. */
export function isQualifier(
	form: LegalForm,
	among: ReadonlySet<LegalForm>,
	rest: readonly Word[],
): boolean {
	if (!qualifies(form) || !(among.has('sa') || (has(form, 'beside') && among.has('srl'))))
		return false;
	return rest.some(
		({ written }) => /^\p{L}{3,}$/u.test(written) && !isCommon(written) && !byCompact.has(written),
	);
}

/** The end of the first legal form that follows a name, e.g. 2 in "Vălmora SRL client vechi". */
export function endOfForm(words: readonly Word[]): number | undefined {
	for (let start = 1; start < words.length; start++) {
		for (let length = Math.min(longestPhrase, words.length - start); length > 0; length--) {
			const part = words.slice(start, start + length);
			const form = formOf(part);
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
	return new Set(whole === undefined ? text.flatMap((word) => formOf([word]) ?? []) : [whole]);
}

/** Whether forms include one, or another one with the same abbreviation. Kinds are compared as words. */
export function hasForm(all: Iterable<LegalForm>, form: LegalForm): boolean {
	return [...all].some(
		(each) => (each === form || formNamed.get(each)?.abbreviatedAs === form) && !has(each, 'kind'),
	);
}

/** Whether these legal forms rule out a match. Unknown forms never do. */
export function formsContradict(a: ReadonlySet<LegalForm>, b: ReadonlySet<LegalForm>): boolean {
	const isIn = (all: ReadonlySet<LegalForm>) => (form: LegalForm) =>
		all.has(form) || hasForm(all, form);
	if (a.size === 0 || b.size === 0 || [...a].some(isIn(b)) || [...b].some(isIn(a))) return false;
	const onlyQualify = [...a].every(qualifies) || [...b].every(qualifies);
	const isOfCompany = (form: LegalForm) => qualifies(form) || form === 'srl' || form === 'sa';
	return !(onlyQualify && [...a, ...b].every(isOfCompany));
}

/** Whether a company with one of these forms is named after a person. */
export function isPersonal(all: Iterable<LegalForm>): boolean {
	return [...all].some((form) => has(form, 'person'));
}
