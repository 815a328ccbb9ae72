import type { Json } from '../../shared/http/envelope';
import { isBlank, text, ValidationFailure } from '../../shared/node/validators';
import { fold } from '../names/words';

/** What a column can tell about a company. */
export type ColumnRole = 'idno' | 'name' | 'city' | 'legalForm';

/** What people and programs put into a cell without a value. */
const NO_VALUES = new Set(
	fold(
		'|0|n/a|n/d|nan|null|none|undefined|unknown|blank|necunoscut|necunoscuta|nu are|nu este|fara denumire|' +
			'нет|нет данных|н/д|не указан|не указано|неизвестно|пусто|total general|grand total|итого|всего',
	).split('|'),
);

const OUTER_SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** Whether a cell is blank, a placeholder such as "-" and "N/A", a total, or an error such as "#REF!". */
export function isEmptyCell(value: unknown): boolean {
	if (isBlank(value)) return true;
	const cell = text(value);
	if (typeof cell !== 'string') return false;
	return /^#\S+[!?]$/.test(cell) || NO_VALUES.has(fold(cell).replace(OUTER_SIGNS, ''));
}

/** The names of a row's columns by their roles. */
export type RowColumns = Partial<Record<ColumnRole, string>>;

/**
 * Words in the names of columns, such as "Denumirea firmei" or "Account Name", in English, Romanian and
 * Russian. A column is recognized only if all of its words are here. If a row has several places, the
 * one listed first here is used.
 */
const COLUMN_WORDS = {
	idno: 'idno идно cf',
	tax: 'fiscal fiscala tax фискальный фиск',
	number: 'number numar numarul nr code cod codul id номер код',
	place: `city town localitate localitatea oras orasul municipiu municipiul sat satul comuna город село
		region regiune raion raionul district county judet регион район`,
	form: 'forma form форма опф',
	company: `company companie compania companiei firma firmei intreprindere intreprinderea intreprinderii
		societate societatea societatii organization organisation organizatie organizatia organizatiei
		business entity компания компании фирма фирмы предприятие предприятия организация организации`,
	title: 'denumire denumirea название наименование',
	/** Means a company only together with a word from `legal`: "Agent economic". */
	agent: 'agent agentul agentului persoana лицо',
	legal: 'legal juridica juridice economic юридическое юр',
	party: `account client clientul clientului customer partner partener partenerul partenerului supplier
		furnizor furnizorul furnizorului vendor contragent contragentul contragentului beneficiar
		beneficiarul beneficiarului cumparator cumparatorul cumparatorului vanzator vanzatorul vanzatorului
		клиент клиента контрагент контрагента поставщик поставщика покупатель покупателя`,
	person: 'name nume numele title имя',
	other: `idnp иднп of or al ale a de full complete completa deplina required organizatorico organizare правовая
		организационно полное населенный пункт`,
};

type Meaning = keyof typeof COLUMN_WORDS;

const WORDS = new Map(
	Object.entries(COLUMN_WORDS).flatMap(([meaning, words]) =>
		words
			.split(/\s+/)
			.map((word, index): [string, { meaning: Meaning; index: number }] => [
				folded(word),
				{ meaning: meaning as Meaning, index },
			]),
	),
);

/** Columns with an IDNO whose single words don't show it. A "company ID" is usually the CRM's own. */
const IDNO_COLUMNS = new Set(
	[
		...['c f', 'ф к', 'company number', 'registration number', 'registration code'],
		...['numar de inregistrare', 'nr de inregistrare', 'регистрационный номер'],
	].map(folded),
);

/** A column's words in lower case without diacritics: "company name" for "companyName". */
function folded(column: string): string {
	const words = column.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
	return (
		fold(words)
			.match(/[\p{L}\d]+/gu)
			?.join(' ') ?? ''
	);
}

/** Splits words that are written together, such as "companyname" and "codfiscal". */
function splitWord(word: string): string[] {
	if (WORDS.has(word)) return [word];
	for (let at = 3; at <= word.length - 3; at++) {
		const halves = [word.slice(0, at), word.slice(at)];
		if (halves.every((half) => WORDS.has(half))) return halves;
	}
	return [word];
}

interface KnownColumn {
	role: ColumnRole;
	/** How clearly the name shows the role. Lower is clearer. */
	rank: number;
}

const PARTY = 200;
/** Even if it's empty, a company column outranks `Name`, which is a person in a list of contacts. */
const EMPTY = 250;
const PERSON = 300;

function knownColumn(column: string): KnownColumn | undefined {
	const name = folded(column);
	if (IDNO_COLUMNS.has(name)) return { role: 'idno', rank: 0 };
	const words = name.split(' ').flatMap(splitWord);
	const meanings = new Map<Meaning | undefined, number>();
	for (const word of words) {
		const known = WORDS.get(word);
		meanings.set(known?.meaning, known?.index ?? 0);
	}
	const has = (...all: Meaning[]) => all.every((meaning) => meanings.has(meaning));
	if (meanings.has(undefined)) return undefined;
	if (has('idno') || has('tax', 'number')) return { role: 'idno', rank: 0 };
	if (has('tax') || has('number')) return undefined;
	const place = meanings.get('place');
	if (place !== undefined) return { role: 'city', rank: place };
	if (has('form')) return { role: 'legalForm', rank: 0 };
	if (has('company') || has('agent', 'legal') || has('legal', 'person')) {
		return { role: 'name', rank: 0 };
	}
	if (has('agent')) return undefined;
	if (has('title')) return { role: 'name', rank: 1 };
	if (has('party')) return { role: 'name', rank: PARTY };
	return has('person') ? { role: 'name', rank: PERSON } : undefined;
}

/**
 * Finds the columns that identify a row's company. If several have the same role, the clearest one with
 * a value is used. Other rows don't matter, so a row always gets the same answer.
 *
 * @param added columns from an earlier run, which count only if no other column names a company
 */
export function findColumns(row: Json, added: ReadonlySet<string>): RowColumns {
	const own = clearestColumns(Object.entries(row).filter(([column]) => !added.has(column)));
	const namesCompany = own.idno !== undefined || own.name !== undefined;
	return namesCompany || added.size === 0 ? own : clearestColumns(Object.entries(row));
}

function clearestColumns(cells: Array<[column: string, value: unknown]>): RowColumns {
	const found: RowColumns = {};
	const best: Partial<Record<ColumnRole, number>> = {};
	for (const [column, value] of cells) {
		const known = knownColumn(column);
		// Objects and lists of several texts aren't names.
		if (!known || (!isBlank(value) && text(value) instanceof ValidationFailure)) continue;
		const { role } = known;
		const rank = known.rank + (isEmptyCell(value) ? EMPTY : 0);
		if (rank >= (best[role] ?? Infinity)) continue;
		best[role] = rank;
		found[role] = column;
	}
	return found;
}
