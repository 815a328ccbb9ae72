import { COUNTRY, DISTRICTS, KINDS_OF_PLACE, NO_PLACE, SECTORS, TOWNS } from './tables/places';
import { editBetween, isMisspelling } from './typos';
import { fold, hasWrongEncoding, listOf, soundOf, wordsOf, type Word } from './words';

export interface Place {
	/** The Romanian name, folded. */
	name: string;
	/** Undefined if a name leaves it open: "Orhei" is a town and its district. A village is a town. */
	size?: 'district' | 'town';
}

/** Known places by their folded spellings. */
const known = new Map<string, Place>([...entriesOf(DISTRICTS), ...entriesOf(TOWNS, 'town')]);

function entriesOf(table: string, size?: Place['size']) {
	const lines = table.trim().replace(/\s+/g, ' ').split(' ');
	return lines.flatMap((line) => {
		const [name = '', ...others] = line.replaceAll('_', ' ').split('/');
		const spellings = [name, name.replace(/î/g, 'â'), ...others];
		return spellings.map((each) => [fold(each), { name: fold(name), size }] as const);
	});
}

const wordsOfLongNames = listOf(...[...known.keys()].filter((name) => name.includes(' ')));

/** A place's Romanian name, folded; the word itself if it isn't a known place. */
export function placeOf({ written, spellings }: Word): string {
	const spelled = [written, ...spellings].find((each) => known.has(each)) ?? '';
	return known.get(spelled)?.name ?? spellings[0] ?? '';
}

/** Whether a word names a known place, or the country. */
export function isPlace(word: Word): boolean {
	const isKnown = (each: string) => known.has(each) || wordsOfLongNames.has(each);
	return isCountry(word) || [word.written, ...word.spellings].some(isKnown);
}

type KindOfPlace = keyof typeof KINDS_OF_PLACE;

const kinds = new Map(
	Object.entries(KINDS_OF_PLACE).flatMap(([kind, words]) =>
		[...listOf(words)].map((word) => [word, kind as KindOfPlace] as const),
	),
);

/** What kind of place follows a word such as "orașul". */
export function kindOfPlace(word: Word | undefined): KindOfPlace | undefined {
	return word && kinds.get(word.written);
}

const country = listOf(COUNTRY);

function isCountry({ spellings: [usual = ''] }: Word): boolean {
	return country.has(usual);
}

const noPlace = listOf(NO_PLACE);

const CAPITAL = 'chisinau';
const sectors = new Set(wordsOf(SECTORS).map(placeOf));
/** A sector of the capital, and a town. */
const SECTOR_OR_TOWN = 'riscani';

/**
 * The places in an address, in Romanian, without streets, sectors and the country. Neighboring words are
 * one place unless a comma or a kind of place separates them: "Slobozia Mare".
 */
export function placesOf(words: readonly Word[]): Place[] {
	const parts: Array<{ kind?: KindOfPlace; named: Word[] }> = [];
	for (const word of words) {
		const kind = kindOfPlace(word);
		if (kind || word.separator !== '' || parts.length === 0) parts.push({ kind, named: [] });
		if (!kind) parts.at(-1)!.named.push(word);
	}
	const places = parts.flatMap(({ kind, named }): Place[] => {
		const letters = named.filter((word) => /\p{L}{3}/u.test(word.original) && !isCountry(word));
		const name = letters.map(placeOf).join(' ');
		const left = letters.filter(({ written }) => !noPlace.has(written));
		if (kind === 'street' || left.length === 0) return [];
		// "Orhei și Cahul", and "Orhei city", but "Slobozia Mare" is one place.
		const several = left.map(placeOf);
		const areKnown = several.every((each) => known.has(each));
		if (kind !== 'sector' && letters.length > 1 && areKnown) {
			return several.map((each) => ({ name: each, size: kind }));
		}
		// "Chișinău Botanica", and "Botanica" alone
		const isInCapital = name.split(' ')[0] === CAPITAL || sectors.has(name);
		if (kind === 'sector') return isInCapital ? [{ name: CAPITAL }] : [];
		return [{ name: isInCapital ? CAPITAL : name, size: kind }];
	});
	const isInCapital = places.some(({ name }) => name === CAPITAL);
	return places.flatMap(({ name, size }): Place[] => {
		if (size) return [{ name, size }];
		const place = known.get(name) ?? { name, size: 'town' };
		// "Chișinău, Rîșcani" is a sector, "Chișinău, Durlești" a town.
		const isSector = isInCapital && (!known.has(name) || name === SECTOR_OR_TOWN);
		return isSector ? [] : [place];
	});
}

/** The places in a field for a city, a region or an address. A garbled one could be any: "Chi?in?u". */
export function placesIn(text: string): Place[] {
	return hasWrongEncoding(text) ? [] : placesOf(wordsOf(text));
}

/**
 * Whether the places of a row and a company contradict each other. A less precise place doesn't contradict.
 */
export function placesContradict(row: readonly Place[], company: readonly Place[]): boolean {
	if (row.length === 0 || company.length === 0) return false;
	const [here, there] = [townsAmong(row), townsAmong(company)];
	return here.length > 0 && there.length > 0 ? !isShared(here, there) : !isShared(row, company);
}

/** How known places sound, in Romanian and in Russian: "Kisinev" is Chișinău. */
const sounds = new Map<string, string[]>();
for (const [spelling, { name }] of known) {
	const spoken = wordsOf(spelling).length === 1 ? wordsOf(spelling)[0]!.spellings : [name];
	sounds.set(name, [...(sounds.get(name) ?? []), ...spoken.map(soundOf)]);
}

/** The shortest name of a known place in which any letter can be a typo. Balta isn't Bălți. */
const SHORTEST_TOWN = 6;
const SHORTEST_VILLAGE = 5;

/** Whether a row has another place's name with one typo. The names of villages are often alike: Doina and Dolna. */
function isMisspelled(name: string, place: string): boolean {
	if (known.has(name)) return false;
	const isLike = place.length >= SHORTEST_VILLAGE && isMisspelling(name, place);
	const sound = soundOf(name);
	const isNear = (each: string) =>
		each.length >= SHORTEST_TOWN && (editBetween(sound, each)?.at ?? 0) > 0;
	return isLike || (sounds.get(place) ?? []).some((each) => each === sound || isNear(each));
}

/** The places of a row, where those that are misspelled are the company's. */
export function withoutTypos(row: readonly Place[], company: readonly Place[]): Place[] {
	return row.map((place) => company.find((each) => isMisspelled(place.name, each.name)) ?? place);
}

export const townsAmong = (all: readonly Place[]) => all.filter(({ size }) => size === 'town');

/** Whether two lists have a place in common. */
export function isShared(some: readonly Place[], others: readonly Place[]): boolean {
	return some.some(({ name }) => others.some((other) => other.name === name));
}
