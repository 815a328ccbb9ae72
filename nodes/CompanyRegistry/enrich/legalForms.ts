import { fold } from './words';
import type { Word } from './words';

/** A legal form, by its abbreviation in Latin letters without diacritics, e.g. `srl`. */
export type LegalForm = string;

interface FormRow {
	form: LegalForm;
	/** Abbreviations. In Cyrillic letters they can be nothing but legal forms. */
	short: string;
	/** In full; `(a)` is the article. */
	long: readonly string[];
	/** Says more about a company whose form is SRL or SA, so it contradicts neither. */
	qualifies?: boolean;
	/** Whether its Latin abbreviation is also the beginning of names, as in "GT Motors". */
	isAlsoName?: boolean;
}

/** Legal forms of the Republic of Moldova in Romanian and Russian, and foreign ones of CRM rows. */
const FORMS: readonly FormRow[] = [
	{
		form: 'srl',
		short: 'srl ооо ooo ltd llc gmbh sarl',
		long: ['societate(a) cu răspundere limitată', 'общество с ограниченной ответственностью'],
	},
	{
		form: 'sa',
		short: 'sa ао оао oao зао zao пао jsc',
		long: [
			'societate(a) pe acțiuni',
			'акционерное общество',
			'открытое акционерное общество',
			'закрытое акционерное общество',
		],
	},
	{
		form: 'ii',
		short: 'ii чп ип',
		long: [
			'întreprindere(a) individuală',
			'частное предприятие',
			'индивидуальное предприятие',
			'индивидуальный предприниматель',
		],
		isAlsoName: true,
	},
	{
		form: 'gt',
		short: 'gt кх кфх фх',
		long: [
			'gospodărie țărănească',
			'gospodăria țărănească',
			'gospodărie țărănească de fermier',
			'gospodăria țărănească de fermier',
			'крестьянское хозяйство',
			'крестьянское фермерское хозяйство',
			'фермерское хозяйство',
		],
		isAlsoName: true,
	},
	{
		form: 'im',
		short: 'im сп мп',
		long: [
			'întreprindere(a) mixtă',
			'întreprindere(a) municipală',
			'совместное предприятие',
			'муниципальное предприятие',
		],
		qualifies: true,
		isAlsoName: true,
	},
	{
		form: 'is',
		short: 'is гп',
		long: ['întreprindere(a) de stat', 'государственное предприятие'],
		isAlsoName: true,
	},
	{
		form: 'ics',
		short: 'ics пик',
		long: ['întreprindere(a) cu capital străin', 'предприятие с иностранным капиталом'],
		qualifies: true,
	},
	{
		form: 'ip',
		short: 'ip',
		long: ['instituție publică', 'instituția publică'],
		isAlsoName: true,
	},
	{
		form: 'imsp',
		short: 'imsp',
		long: ['instituția medico sanitară publică', 'instituție medico sanitară publică'],
	},
	{
		form: 'cc',
		short: 'cc',
		long: ['cooperativa de consum', 'cooperativă de consum', 'потребительский кооператив'],
		isAlsoName: true,
	},
	{
		form: 'cp',
		short: 'cp',
		long: ['cooperativa de producție', 'cooperativă de producție', 'производственный кооператив'],
		isAlsoName: true,
	},
	{
		form: 'ci',
		short: 'ci',
		long: ['cooperativa de întreprinzător', 'cooperativă de întreprinzător'],
		isAlsoName: true,
	},
	{
		form: 'aei',
		short: 'aei',
		long: ['asociația de economii și împrumut', 'asociație de economii și împrumut'],
	},
	{
		form: 'ao',
		short: 'ao',
		long: [
			'asociația obștească',
			'asociație obștească',
			'общественная организация',
			'общественное объединение',
		],
		isAlsoName: true,
	},
	{
		form: 'baa',
		short: 'baa',
		long: ['biroul asociat de avocați', 'birou asociat de avocați'],
	},
	{ form: 'snc', short: 'snc', long: ['societate(a) în nume colectiv'] },
	{ form: 'scs', short: 'scs', long: ['societate(a) în comandită'] },
	{ form: 'pfa', short: 'pfa', long: [] },
	{
		form: 'bc',
		short: 'bc кб',
		long: ['banca comercială', 'bancă comercială', 'коммерческий банк'],
		qualifies: true,
		isAlsoName: true,
	},
	{
		form: 'ocn',
		short: 'ocn',
		long: ['organizația de creditare nebancară', 'organizație de creditare nebancară'],
		qualifies: true,
	},
	{
		form: 'om',
		short: 'om',
		long: ['organizația de microfinanțare', 'organizație de microfinanțare'],
		qualifies: true,
		isAlsoName: true,
	},
	{
		form: 'ca',
		short: 'ca',
		long: ['compania de asigurări', 'societatea de asigurări', 'страховая компания'],
		qualifies: true,
		isAlsoName: true,
	},
	{
		form: 'sc',
		short: 'sc',
		long: ['societate(a) comercială'],
		qualifies: true,
		isAlsoName: true,
	},
	{
		form: 'fpc',
		short: 'fpc fc firma фирма',
		long: ['firma de producție și comerț', 'firmă de producție și comerț', 'firma comercială'],
		qualifies: true,
		isAlsoName: true,
	},
];

const ROW_OF = new Map(FORMS.map((row) => [row.form, row]));

/** By the compact spelling: folded, without spaces and dots. */
const FORM_OF = new Map<string, FormRow>(
	FORMS.flatMap((row) =>
		[
			...row.short.split(' '),
			...row.long.flatMap((phrase) => [phrase.replace('(a)', ''), phrase.replace('(a)', 'a')]),
		].map((text): [string, FormRow] => [fold(text).replaceAll(' ', ''), row]),
	),
);

/** Words of the longest phrase above. */
const LONGEST_PHRASE = 5;

export interface FoundForms {
	forms: Set<LegalForm>;
	/** The words without the legal forms. */
	words: Word[];
	/**
	 * Words among them that are a legal form only if the other name, or the register, has it: "GT" is
	 * one in "GT Popescu Ion", and the beginning of the name in "GT Motors".
	 */
	possible: Map<Word, LegalForm>;
}

/**
 * Takes the legal forms off both ends of a name. Part of the name are: a form between quotation
 * marks of its own, one that is the whole name, and an abbreviation that names begin with, unless dots,
 * diacritics or the quotation marks of the name after it show that it is a form.
 */
export function withoutForms(name: readonly Word[]): FoundForms {
	const forms = new Set<LegalForm>();
	let words = [...name];
	const isPartlyQuoted = name.some(({ quotes }) => quotes > 0);
	const has = (...written: string[]) => name.some((word) => written.includes(word.written));
	// Banks are SA, so "BC Holding SRL" is not one.
	const qualifiesCompany = (form: LegalForm) =>
		form === 'bc' ? has('sa') : ['sc', 'fpc'].includes(form) && has('srl', 'sa');

	const isForm = (part: readonly Word[]): LegalForm | undefined => {
		const row = FORM_OF.get(part.map(({ written }) => written).join(''));
		const [first] = part;
		if (!row || !first || first.quotes > 0) return undefined;
		const isType = !row.qualifies && part.length === 1 && !first.dotted;
		// A company has one form: with "SRL" at the end, "SA" at the beginning is its name.
		if (isType && [...forms].some((form) => form !== row.form && !ROW_OF.get(form)?.qualifies)) {
			return undefined;
		}
		const isMarked =
			!row.isAlsoName ||
			part.length > 1 ||
			isPartlyQuoted ||
			first.dotted ||
			/[îțăș]|\p{Script=Cyrillic}/iu.test(first.original) ||
			qualifiesCompany(row.form);
		return isMarked ? row.form : undefined;
	};

	for (let found = true; found;) {
		found = false;
		for (let length = Math.min(LONGEST_PHRASE, words.length - 1); length > 0 && !found; length--) {
			const [front, back] = [isForm(words.slice(0, length)), isForm(words.slice(-length))];
			const form = back ?? front;
			if (form === undefined) continue;
			words = back === undefined ? words.slice(length) : words.slice(0, -length);
			forms.add(form);
			found = true;
		}
	}
	const ends = words.length > 1 ? [words[0], words.at(-1)] : [];
	const possible = new Map<Word, LegalForm>();
	for (const word of ends) {
		const row = word?.quotes === 0 ? FORM_OF.get(word.written) : undefined;
		if (word && row) possible.set(word, row.form);
	}
	return { forms, words, possible };
}

/** The forms that a text names which is nothing but a legal form, e.g. "Societate pe acțiuni". */
export function formsIn(text: readonly Word[]): Set<LegalForm> {
	const whole = FORM_OF.get(text.map(({ written }) => written).join(''));
	if (whole) return new Set([whole.form]);
	return new Set(
		text.flatMap(({ written }) => {
			const row = FORM_OF.get(written);
			return row ? [row.form] : [];
		}),
	);
}

/** Whether two companies with these legal forms cannot be one. Unknown forms contradict nothing. */
export function formsContradict(a: ReadonlySet<LegalForm>, b: ReadonlySet<LegalForm>): boolean {
	if (a.size === 0 || b.size === 0 || [...a].some((form) => b.has(form))) return false;
	const qualifies = (form: LegalForm) => ROW_OF.get(form)?.qualifies === true;
	const isOrQualifiesCompany = (form: LegalForm) => qualifies(form) || ['srl', 'sa'].includes(form);
	const onlyQualify = [...a].every(qualifies) || [...b].every(qualifies);
	return !(onlyQualify && [...a, ...b].every(isOrQualifiesCompany));
}
