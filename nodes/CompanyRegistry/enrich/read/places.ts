import {
	COUNTRY,
	DISTRICTS,
	KINDS_OF_PLACE,
	LONG_NAMES,
	SECTORS,
	STREETS,
	TOWNS,
} from '../tables/places';
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

const sizes = [
	[DISTRICTS, 'district'],
	[TOWNS, 'town'],
] as const;

const knownPlaces = new Map(
	sizes.flatMap(([names, size]) =>
		names
			.trim()
			.split(/\s+/)
			.flatMap((line) => {
				const [name = '', ...others] = line.split('/');
				return [name, ...others, name.replace(/î/g, 'â')].map(
					(each) => [fold(each), { name: fold(name), size }] as const,
				);
			}),
	),
);

const longNames = LONG_NAMES.map((line) => line.split('/'));
const wordsOfLongNames = new Set(longNames.flatMap(([name = '']) => fold(name).split(' ')));

/** A place's Romanian name, folded; the word itself if it isn't a known place. */
export function placeOf({ written, spellings: [usual = ''] }: Word): string {
	return (knownPlaces.get(written) ?? knownPlaces.get(usual))?.name ?? usual;
}

/** Whether a word names a known place. */
export function isPlace({ written, spellings }: Word): boolean {
	return [written, ...spellings].some(
		(each) => knownPlaces.has(each) || wordsOfLongNames.has(each),
	);
}

const kindsOfPlace = new Map(
	KINDS_OF_PLACE.flatMap((line) =>
		[...listOf(line)].map((word, _, [kind = '']): [string, string] => [word, kind]),
	),
);

/** The kind of place that a word refers to, e.g. `or` for `orașului`. */
export function kindOfPlace({ written }: Word): string | undefined {
	return kindsOfPlace.get(written);
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

const SIZE_OF_KIND = new Map<string | undefined, Place['size']>([
	['mun', 'town'],
	['or', 'town'],
	['s', 'village'],
	['com', 'village'],
	['raion', 'district'],
	['uta', 'district'],
]);

/**
 * The places in an address, in Romanian, without streets, sectors and the country. Neighboring words
 * are one place unless a comma or a kind of place separates them: "Slobozia Mare".
 */
export function placesOf(words: readonly Word[]): Place[] {
	const places: Array<Place & { kind?: string }> = [];
	let isOpen = false;
	let kind: string | undefined;
	for (const word of withoutStreets(words)) {
		const last = isOpen && word.separator === '' ? places.at(-1) : undefined;
		if (word.separator !== '') kind = undefined;
		const ownKind = kindOfPlace(word);
		const isName = /\p{L}{3}/u.test(word.original) && ownKind === undefined && !isCountry(word);
		// A number follows a street: "Chișinău, Uzinelor 5".
		if (last && last.kind === undefined && /^\d/.test(word.original)) places.pop();
		if (isName && last) {
			last.name += ` ${placeOf(word)}`;
			Object.assign(last, sizeOf(last.name, last.kind));
		} else if (isName) {
			const name = placeOf(word);
			places.push({ name, kind, ...sizeOf(name, kind) });
		}
		isOpen = isName;
		kind = ownKind ?? (isName ? undefined : kind);
	}
	return withoutSectors(places).map(({ name, size, isCertain }) => ({ name, size, isCertain }));
}

const longPlaces = new Set(longNames.map(([name = '']) => fold(name)));

function sizeOf(name: string, kind: string | undefined): Pick<Place, 'size' | 'isCertain'> {
	const given = SIZE_OF_KIND.get(kind);
	if (given) return { size: given, isCertain: true };
	const known = knownPlaces.get(name)?.size ?? (longPlaces.has(name) ? 'district' : 'village');
	return { size: known, isCertain: known !== 'district' };
}

const sectors = listOf(SECTORS);

function withoutSectors<T extends Place & { kind?: string }>(places: T[]): T[] {
	const isSectorOf = ({ name }: T) =>
		sectors.has(name) && places.some((each) => /^(chisinau|balti)$/.test(each.name));
	return places.filter((place) => place.kind !== 'sec' && !isSectorOf(place));
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

/**
 * The places in a text with other words. A place starts with a known name or a kind of place, and ends
 * at a separator.
 */
export function placesAmong(words: readonly Word[]): Place[] {
	let isPlaceNow = false;
	const named = words.filter((word) => {
		const begins = isPlace(word) || kindOfPlace(word) !== undefined;
		isPlaceNow = begins || (isPlaceNow && word.separator === '');
		return isPlaceNow;
	});
	return placesOf(named);
}
