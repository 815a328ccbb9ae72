import { withoutEntities } from '../../shared/node/texts';
import { readCompany, type ReadCompany } from '../company';
import { compare } from './compare';
import type { ComparedCompany, Comparison, Difference, WantedCompany } from './compare';
import { formsContradict, formsIn } from './forms';
import { parseName, type CompanyName } from './name';
import { isShared, placesIn, townsAmong, type Place } from './places';
import { editBetween } from './typos';
import { wordsOf, type Word } from './words';

/** A company as the service returned it. */
export type CompanyRecord = Parameters<typeof readCompany>[0];

/** A company in the search results. */
export interface Candidate extends ComparedCompany {
	company: CompanyRecord;
	idno: string | undefined;
	/** The name as the service writes it. */
	title: string;
}

/** Parses a company of the search results; undefined if it has no name. */
export function candidateOf(company: CompanyRecord): Candidate | undefined {
	const fields = readCompany(company);
	const { idno, name: title = '', legal_form: form = '' } = fields;
	if (title.trim() === '') return undefined;
	const name = parseName(withoutEntities(title));
	const forms = formsIn(wordsOf(form));
	const places = [...placesOfRecord(fields), ...name.places];
	return { company, idno, title, name, forms, places };
}

/** A city field names a town, not a district. The address counts if there's neither city nor region. */
function placesOfRecord({ city = '', region = '', address = '' }: ReadCompany): Place[] {
	const towns = placesIn(city).map(({ name, size = 'town' }) => ({ name, size }));
	const places = [...towns, ...placesIn(region)];
	return places.length > 0 ? places : placesIn(address);
}

interface ComparedCandidate extends Candidate, Comparison {}

export interface Decision {
	/** The company that was chosen; absent if none or several match. */
	found?: ComparedCandidate;
	/** Whether several companies match equally well. */
	ambiguous: boolean;
	/** The score of the company that was found, or else of the most similar one, 0 to 1. */
	score: number;
	/** Other companies, the most similar first. */
	alternatives: ComparedCandidate[];
	/** Why there's no match, or why the match isn't exact. */
	reason: string | null;
}

/** Matches whose scores differ by less are equally good. */
const EQUALLY_GOOD = 0.05;

/** Companies with a lower score aren't listed. */
const LEAST_ALTERNATIVE = 0.15;

/**
 * Chooses the company that a row means, or says why there's none. Among equally good matches, the row's
 * town decides. The order of the candidates doesn't matter.
 */
export function decide(wanted: WantedCompany, candidates: readonly Candidate[]): Decision {
	const compared = candidates
		.map((candidate) => ({ ...candidate, ...compare(wanted, candidate) }))
		.sort((a, b) => b.score - a.score || ((a.idno ?? '') < (b.idno ?? '') ? -1 : 1))
		.filter(isOther);
	const [best] = compared;
	const alternatives = compared.filter(({ score }) => score >= LEAST_ALTERNATIVE);
	const { score, quality } = best ?? { score: 0, quality: 'none' };
	if (!best || quality === 'none') {
		const reason = best ? unlike(best) : 'The search found no companies to compare with this name.';
		return { ambiguous: false, score, alternatives, reason };
	}
	const equallyGood = compared.filter(
		(each) => each.quality === quality && score - each.score < EQUALLY_GOOD,
	);
	// "Orhei" alone means the town rather than its district.
	const places = wanted.readings
		.flatMap((reading) => reading.places)
		.filter(({ size }) => size !== 'district');
	const inTown = equallyGood.filter((each) => isShared(places, townsAmong(each.places)));
	const equal = inTown.length > 0 ? inTown : equallyGood;
	const [found = best] = equal;
	if (equal.length > 1) {
		const reason = `${equal.length} companies match equally well. The company's ${whatDiffers(equal)} tells them apart.`;
		return { ambiguous: true, score, alternatives: equal, reason };
	}
	const others = alternatives.filter((each) => each !== found);
	const reason = reasonOf(found.differences) || null;
	return { found, ambiguous: false, score: found.score, alternatives: others, reason };
}

/** What tells companies apart, e.g. "city or legal form". */
function whatDiffers(all: readonly Candidate[]): string {
	const namesOf = (places: readonly Place[]) => places.map(({ name }) => name).join();
	const differ = (of: (places: readonly Place[]) => Place[]) =>
		new Set(all.map(({ places }) => namesOf(of(places)))).size > 1;
	const forms = all.map((each) => new Set([...each.forms, ...each.name.forms]));
	const parts = [
		differ(townsAmong) && 'city',
		differ((places) => places.filter(({ size }) => size !== 'town')) && 'region',
		forms.some((one) => forms.some((other) => formsContradict(one, other))) && 'legal form',
	];
	return parts.filter(Boolean).join(' or ') || 'IDNO';
}

/** Whether no candidate before has the same IDNO: a registry may list a company under two spellings. */
function isOther({ idno }: Candidate, index: number, all: Candidate[]): boolean {
	return idno === undefined || all.findIndex((each) => each.idno === idno) === index;
}

/** Turns a decision into a miss, with the company that was found as the closest one. */
export function refuse<T extends Decision>(decision: T): T {
	const { found, alternatives } = decision;
	const closest = found ? [found, ...alternatives] : alternatives;
	const reason = unlike(closest[0]!);
	return { ...decision, found: undefined, ambiguous: false, alternatives: closest, reason };
}

function unlike(best: ComparedCandidate): string {
	const isNameOther = best.differences.some(({ kind }) => kind === 'words' || kind === 'doubtful');
	const lead = isNameOther
		? `No name is similar enough. The closest is ${best.title.replace(/\.$/, '')}.`
		: `${best.title} has a matching name, but may be another company.`;
	return `${lead} ${reasonOf(best.differences)}`;
}

export function reasonOf(differences: readonly Difference[]): string {
	return differences.map(({ text }) => text).join(' ');
}

/** How well a company matches a row, 0 to 1. */
export function scoreOf(wanted: WantedCompany, company: CompanyRecord): number {
	const candidate = candidateOf(company);
	return candidate ? compare(wanted, candidate).score : 0;
}

/**
 * What contradicts a company that was found by its IDNO.
 *
 * @param isNumbered the row has that IDNO as well, so one different letter in its name is a typo
 */
export function contradictionsOf(
	wanted: WantedCompany,
	company: CompanyRecord,
	{ isNumbered = false } = {},
): Difference[] {
	const candidate = candidateOf(company);
	if (!candidate) return [];
	const { differences } = compare(wanted, candidate);
	const isTypo = isNumbered && wanted.readings.some(({ name }) => hasTypo(name, candidate.name));
	const kinds = ['legalForm', 'city', ...(isTypo ? [] : ['words'])];
	return differences.filter(({ kind }) => kinds.includes(kind));
}

/** The fewest letters of a name in which one may be wrong. */
const SHORTEST_NAME = 5;

function hasTypo(one: CompanyName, other: CompanyName): boolean {
	const [a = '', b = ''] = [one, other].map(({ words }) => words.map(usualSpelling).join(''));
	const isLong = Math.min(a.length, b.length) >= SHORTEST_NAME;
	return isLong && !/\d/.test(a + b) && editBetween(a, b) !== undefined;
}

const usualSpelling = ({ spellings }: Word) => spellings[0] ?? '';
