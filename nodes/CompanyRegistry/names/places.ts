import { COUNTRY, DISTRICTS, KINDS_OF_PLACE, LONG_NAMES, STREETS, TOWNS } from './tables/places';
import { fold, listOf, wordsOf } from './words';
import type { Word } from './words';

/** A place in a row or a company's record. */
export interface Place {
	/** The Romanian name, folded. */
	name: string;
	/** A village lies in a district of another name, or of the same one. */
	size: 'district' | 'town' | 'village';
	/** False if a name leaves it open: "Orhei" is a town and its district. */
	isCertain: boolean;
}

const known = new Map(
	([DISTRICTS, TOWNS] as const).flatMap((names, index) =>
		names
			.trim()
			.split(/\s+/)
			.flatMap((line) => {
				const [name = '', ...others] = line.split('/');
				const place = { name: fold(name), size: index === 0 ? 'district' : 'town' } as const;
				return [name, ...others, name.replace(/î/g, 'â')].map(
					(each) => [fold(each), place] as const,
				);
			}),
	),
);

const longNames = new Set(LONG_NAMES.map(fold));
const wordsOfLongNames = listOf(...longNames);

/** A place's Romanian name, folded; the word itself if it isn't a known place. */
export function placeOf({ written, spellings: [usual = ''] }: Word): string {
	return (known.get(written) ?? known.get(usual))?.name ?? usual;
}

/** Whether a word names a known place. */
export function isPlace({ written, spellings }: Word): boolean {
	return [written, ...spellings].some((each) => known.has(each) || wordsOfLongNames.has(each));
}

type Size = keyof typeof KINDS_OF_PLACE;

const sizes = new Map(
	Object.entries(KINDS_OF_PLACE).flatMap(([size, words]) =>
		[...listOf(words)].map((word) => [word, size as Size] as const),
	),
);

/** Whether a word says what kind of place follows, such as "orașul". */
export function isKindOfPlace(word: Word | undefined): boolean {
	return word !== undefined && sizes.has(word.written);
}

const country = listOf(COUNTRY);

/** Whether a word means the country. */
export function isCountry({ written, spellings: [usual = ''] }: Word): boolean {
	return country.has(written) || country.has(usual);
}

const streets = listOf(STREETS);

/** Whether a word begins the street of an address. */
export function isStreet({ written }: Word): boolean {
	return streets.has(written);
}

/**
 * The places in an address, in Romanian, without streets and the country. Neighboring words are one
 * place unless a comma or a kind of place separates them: "Slobozia Mare".
 */
export function placesOf(words: readonly Word[]): Place[] {
	const named: NamedPlace[] = [];
	let isOpen = false;
	let given: Size | undefined;
	for (const word of withoutStreets(words)) {
		const last = isOpen && word.separator === '' ? named.at(-1) : undefined;
		if (word.separator !== '') given = undefined;
		isOpen = /\p{L}{3}/u.test(word.original) && !isKindOfPlace(word) && !isCountry(word);
		// A number follows a street: "Chișinău, Uzinelor 5".
		if (last && last.given === undefined && /^\d/.test(word.original)) named.pop();
		if (isOpen && last) last.name += ` ${placeOf(word)}`;
		else if (isOpen) named.push({ name: placeOf(word), given });
		given = sizes.get(word.written) ?? (isOpen ? undefined : given);
	}
	return withoutSectors(named).map(({ name, given: size }) => {
		if (size !== undefined && size !== 'sector') return { name, size, isCertain: true };
		const usual = known.get(name)?.size ?? (longNames.has(name) ? 'district' : 'village');
		return { name, size: usual, isCertain: usual !== 'district' };
	});
}

interface NamedPlace {
	name: string;
	/** What the row says about its size. */
	given: Size | undefined;
}

/** Cities with sectors. "Chișinău Botanica" and "Botanica, Chișinău" are in Chișinău. */
const SECTORED = /^(chisinau|balti)(?= |$)/;

function withoutSectors(places: readonly NamedPlace[]): NamedPlace[] {
	const cities = places.map((each) => ({
		...each,
		name: SECTORED.exec(each.name)?.[0] ?? each.name,
	}));
	const inCity = cities.some(({ name }) => SECTORED.test(name));
	const isOwn = ({ name, given }: NamedPlace) =>
		given !== undefined || SECTORED.test(name) || known.get(name)?.size === 'town';
	return cities.filter((place) => place.given !== 'sector' && (!inCity || isOwn(place)));
}

/** Removes streets up to the next comma, because many are named after a place. */
function withoutStreets(words: readonly Word[]): Word[] {
	let inStreet = false;
	return words.filter((word) => {
		inStreet = isStreet(word) || (inStreet && word.separator === '');
		return !inStreet;
	});
}

/** The places in a field for a city, a region or an address. */
export function placesIn(text: string): Place[] {
	return placesOf(wordsOf(text.replace(/(?<!\p{L})MD-?\s?\d{4}/giu, ' ').replaceAll('/', ',')));
}

/** How the places of a row and a company agree; `unknown` if one of them is less precise. */
export function comparePlaces(
	row: readonly Place[],
	company: readonly Place[],
): 'same' | 'different' | 'unknown' {
	if (row.length === 0 || company.length === 0) return 'unknown';
	const [here, there] = [narrowest(row), narrowest(company)];
	if (isShared(here, there)) return 'same';
	if (here.length > 0 && there.length > 0) return 'different';
	// "Orhei" alone means the town rather than the district.
	const open = (places: readonly Place[]) => places.filter(({ isCertain }) => !isCertain);
	if (isShared(open(row), there) || isShared(here, open(company))) return 'same';
	return isShared(row, company) ? 'unknown' : 'different';
}

/** The smallest places that can't be districts. */
function narrowest(places: readonly Place[]): Place[] {
	const certain = places.filter(({ isCertain }) => isCertain);
	const villages = certain.filter(({ size }) => size === 'village');
	return villages.length > 0 ? villages : certain.filter(({ size }) => size === 'town');
}

function isShared(some: readonly Place[], others: readonly Place[]): boolean {
	return some.some(({ name }) => others.some((other) => other.name === name));
}
