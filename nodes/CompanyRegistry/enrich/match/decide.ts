import type { Json } from '../../../shared/http/envelope';
import { withoutEntities } from '../../../shared/node/texts';
import { idnoOf, nameOf } from '../../companyFields';
import { parseName } from '../read/clean';
import { compare, isIn, LEAST_SCORE } from './compare';
import type { ComparedCompany, Comparison, WantedCompany } from './compare';
import { formsIn } from '../read/legalForms';
import { placesIn } from '../read/places';
import { wordsOf } from '../read/words';

/** A company in the search results. */
export interface Candidate extends ComparedCompany {
	/** As the service returned it. */
	company: Json;
	idno: string | undefined;
	/** The name as the service writes it. */
	title: string;
}

/** Undefined for a row without a name: there is nothing to compare. */
export function candidateOf(company: Json): Candidate | undefined {
	const title = nameOf(company);
	if (title === undefined || title.trim() === '') return undefined;
	const [city, region, form] = [company.city, company.region, company.legal_form].map((value) =>
		typeof value === 'string' ? value : '',
	);
	return {
		company,
		idno: idnoOf(company),
		title,
		name: parseName(withoutEntities(title)),
		forms: formsIn(wordsOf(form ?? '')),
		places: [city, region].flatMap((place) => placesIn(place ?? '')),
	};
}

/** The row of the company with an IDNO. A branch may share it, so the head office comes first. */
export function companyOf(rows: readonly Json[], idno: string): Json | undefined {
	const known = rows.filter((row) => idnoOf(row) === idno);
	return known.find((row) => !candidateOf(row)?.name.branch.length) ?? known[0];
}

/** A candidate and how well it matches the row. */
export interface ComparedCandidate extends Candidate, Comparison {}

export interface Decision {
	/** The matching company; absent if none or several match. */
	found?: ComparedCandidate;
	/** Whether several companies match equally well. */
	ambiguous: boolean;
	/** 0 to 1: the score of the company that was found, or of the most similar one. */
	score: number;
	/** The next best or equally good companies, the most similar first. */
	alternatives: ComparedCandidate[];
	/** Why no company was found, or why the match is not exact. */
	reason: string | null;
}

/** Smaller differences between scores are ignored. */
const EQUALLY_GOOD = 0.05;

/** Companies that share fewer words are ignored. */
const LEAST_ALTERNATIVE = 0.15;

/**
 * Chooses the company of a row, or says why none is chosen. If several match equally well, the city or
 * region of the row decides, then its legal form; a company without that information is not preferred.
 * The order of the candidates is irrelevant.
 *
 * @param minScore the least score that counts as found
 */
export function decide(
	wanted: WantedCompany,
	candidates: readonly Candidate[],
	minScore: number = LEAST_SCORE.strong,
): Decision {
	const words = new Set(candidates.flatMap(({ name }) => name.words.map((w) => w.spellings[0])));
	const isWord = (spelling: string) => words.has(spelling);
	const compared = candidates
		.map((candidate) => ({ ...candidate, ...compare(wanted, candidate, isWord) }))
		.sort((a, b) => b.score - a.score || ((a.idno ?? '') < (b.idno ?? '') ? -1 : 1));
	const [best] = compared;
	if (!best) {
		const reason = 'The search has no results for the name.';
		return { ambiguous: false, score: 0, alternatives: [], reason };
	}
	const alternatives = compared.filter(({ score }) => score >= LEAST_ALTERNATIVE);
	if (best.score < minScore || best.quality === 'none') {
		const reason = `No sufficiently similar name found. The most similar is ${best.title.replace(/\.$/, '')}. ${reasonOf(best)}`;
		return { ambiguous: false, score: best.score, alternatives, reason };
	}
	const isEqual = ({ quality, score }: ComparedCandidate) =>
		quality === best.quality && best.score - score < EQUALLY_GOOD;
	const isOther = ({ idno }: ComparedCandidate, index: number, all: ComparedCandidate[]) =>
		idno === undefined || all.findIndex((each) => each.idno === idno) === index;
	const equal = decidedBy(wanted, compared.filter(isEqual).filter(isOther));
	const [found = best] = equal;
	if (equal.length > 1) {
		const reason = `${equal.length} companies match equally well. A city, a region or a legal form can decide between them.`;
		return { ambiguous: true, score: best.score, alternatives: equal, reason };
	}
	return {
		found,
		ambiguous: false,
		score: found.score,
		alternatives: alternatives.filter((each) => each !== found),
		reason: reasonOf(found) || null,
	};
}

function reasonOf({ differences }: Comparison): string {
	return differences.map(({ text }) => text).join(' ');
}

/** The equally good companies that the row's place, and then its legal form, point to. */
function decidedBy(wanted: WantedCompany, equal: ComparedCandidate[]): ComparedCandidate[] {
	const names = wanted.readings.map(({ name }) => name);
	const places = [...wanted.places, ...names.flatMap((name) => name.places)];
	const forms = new Set([...wanted.forms, ...names.flatMap((name) => [...name.forms])]);
	const inPlace = narrowed(equal, (each) => isIn(places, each));
	return narrowed(inPlace, (each) =>
		[...each.forms, ...each.name.forms].some((form) => forms.has(form)),
	);
}

function narrowed<T>(all: T[], isMeant: (each: T) => boolean): T[] {
	const meant = all.filter(isMeant);
	return meant.length > 0 ? meant : all;
}
