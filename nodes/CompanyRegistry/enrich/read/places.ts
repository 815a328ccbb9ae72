import { COUNTRY, KINDS_OF_PLACE, PLACES, STREETS } from '../tables/places';
import { fold, listOf, wordsOf } from './words';
import type { Word } from './words';

const canonicalPlaces = new Map(
	[...listOf(PLACES)].flatMap((names) => {
		const [name = '', ...others] = names.split('/');
		return [name, ...others, name.replace(/î/g, 'â')].map((each): [string, string] => [
			fold(each),
			fold(name),
		]);
	}),
);

/** The place that a word refers to, folded, in Romanian; the word itself if it is unknown. */
export function placeOf({ written, spellings: [usual = ''] }: Word): string {
	return canonicalPlaces.get(written) ?? canonicalPlaces.get(usual) ?? usual;
}

/** Whether a word names a known place. */
export function isPlace({ written, spellings }: Word): boolean {
	return [written, ...spellings].some((each) => canonicalPlaces.has(each));
}

const kindsOfPlace = new Map(
	KINDS_OF_PLACE.flatMap((line) =>
		line.split(' ').map((word, _, [kind = '']): [string, string] => [word, kind]),
	),
);

/** The kind of place that a word refers to, e.g. `or` for `orașului`. */
export function kindOfPlace({ written }: Word): string | undefined {
	return kindsOfPlace.get(written);
}

const country = listOf(COUNTRY);

/** Whether a word belongs to the name of the Republic of Moldova. */
export function isCountry({ written, spellings: [usual = ''] }: Word): boolean {
	return country.has(written) || country.has(usual);
}

const streets = listOf(STREETS);

/** Whether a word begins the street of an address. */
export function isStreet({ written }: Word): boolean {
	return streets.has(written);
}

/**
 * The places that words name, folded, with Russian names in Romanian; not a street, nor the country.
 * Words without a comma or a kind of place between them are one place: "Slobozia Mare".
 */
export function placesOf(words: readonly Word[]): string[] {
	const places: string[] = [];
	let isOpen = false;
	for (const word of withoutStreets(words)) {
		const continues = isOpen && word.separator === '';
		const isName = /\p{L}{3}/u.test(word.original);
		isOpen = isName && kindOfPlace(word) === undefined && !isCountry(word);
		if (!isOpen) continue;
		places.push(continues ? `${places.pop()} ${placeOf(word)}` : placeOf(word));
	}
	return places;
}

/** A street ends at the next comma; many streets are named after a place. */
function withoutStreets(words: readonly Word[]): Word[] {
	let inStreet = false;
	return words.filter((word) => {
		inStreet = isStreet(word) || (inStreet && word.separator === '');
		return !inStreet;
	});
}

/** The places in a field for a city, a region or an address. */
export function placesIn(text: string): string[] {
	return placesOf(wordsOf(text.replace(/(?<!\p{L})MD-?\s?\d{4}/giu, ' ').replaceAll('/', ',')));
}

/**
 * The places in a text that also contains other words: a place starts at a known place or a kind of
 * place, and ends at a separator.
 */
export function placesAmong(words: readonly Word[]): string[] {
	let isPlaceNow = false;
	const named = words.filter((word) => {
		const begins = isPlace(word) || kindOfPlace(word) !== undefined;
		isPlaceNow = begins || (isPlaceNow && word.separator === '');
		return isPlaceNow;
	});
	return placesOf(named);
}
