import type { Place } from '../read/places';
import { soundOf } from '../read/words';
import { isMisspelling, SHORTEST_MISSPELLED } from './compareWords';

/** How the places of a row and a company agree. `near` means that one of them is less precise. */
export type PlaceAgreement = 'same' | 'near' | 'different' | 'unknown';

export function comparePlaces(row: readonly Place[], company: readonly Place[]): PlaceAgreement {
	if (row.length === 0 || company.length === 0) return 'unknown';
	const [here, there] = [narrowest(row), narrowest(company)];
	if (isShared(here, there)) {
		const areVillages = here.some(({ size }) => size === 'village');
		return areVillages && haveOtherDistricts(row, company) ? 'different' : 'same';
	}
	if (here.length > 0 && there.length > 0) return 'different';
	// "Orhei" alone means the town rather than the district.
	const open = (places: readonly Place[]) => places.filter(({ isCertain }) => !isCertain);
	if (isShared(open(row), there) || isShared(here, open(company))) return 'same';
	return isShared(row, company) ? 'near' : 'different';
}

/** Villages in different districts can share a name; towns have names of their own. */
function haveOtherDistricts(row: readonly Place[], company: readonly Place[]): boolean {
	const [here = [], there = []] = [row, company].map((places) =>
		places.filter(({ size }) => size === 'district'),
	);
	return here.length > 0 && there.length > 0 && !isShared(here, there);
}

const SIZES: ReadonlyArray<Place['size']> = ['village', 'town'];

/** The smallest places that can't be districts. */
function narrowest(places: readonly Place[]): Place[] {
	const certain = places.filter(({ isCertain }) => isCertain);
	const size = SIZES.find((each) => certain.some((place) => place.size === each));
	return certain.filter((place) => place.size === size);
}

function isShared(some: readonly Place[], others: readonly Place[]): boolean {
	return some.some(({ name }) => others.some((other) => isSamePlace(name, other.name)));
}

/** Cities with sectors: "Chișinău Botanica" is in Chișinău. */
const SECTORED = /^(chisinau|balti)$/;
const isSectorOf = (a: string, b: string) => SECTORED.test(b) && a.startsWith(`${b} `);

function isSamePlace(a: string, b: string): boolean {
	return (
		a === b ||
		isSectorOf(a, b) ||
		isSectorOf(b, a) ||
		soundOf(a) === soundOf(b) ||
		(a.length >= SHORTEST_MISSPELLED && isMisspelling(a, b))
	);
}
