import type { Candidate } from './candidate';
import { compareNames, STRONG_SCORE } from './compareNames';
import type { Comparison, MatchQuality } from './compareNames';
import type { CompanyName } from './companyName';
import type { LegalForm } from './legalForms';

/** What a row says about the company that it means. */
export interface WantedCompany {
	name: CompanyName;
	/** Folded words of the city or region beside the name; empty where the row has none. */
	places: ReadonlySet<string>;
	/** The legal forms beside the name; empty where the row has none. */
	forms: ReadonlySet<LegalForm>;
	/** The least score that counts as found. */
	minScore: number;
}

/** A candidate with how well it agrees with the row. */
export interface ComparedCandidate extends Candidate, Comparison {}

export interface Decision {
	/** The company that the row means; absent when none or several are possible. */
	found?: ComparedCandidate;
	/** Whether several companies agree equally well. */
	ambiguous: boolean;
	/** 0 to 1: of the company that was found, or else of the most similar one. */
	score: number;
	quality: MatchQuality;
	/** The companies that come next or are equally good, the most similar first. */
	alternatives: ComparedCandidate[];
	/** Why no company was found, or why the match is not exact. */
	reason: string | null;
}

/** Scores that differ by less say nothing about which company is meant. */
const EQUALLY_GOOD = 0.05;

/** Companies that share fewer words are not worth a look. */
const LEAST_ALTERNATIVE = 0.35;

/**
 * Chooses the company that a row means, or says why none is chosen. Of several that agree equally
 * well, the one in the row's place is meant, or the one with the row's legal form; what the
 * register does not tell decides nothing. The order of the candidates does not matter.
 */
export function decide(wanted: WantedCompany, candidates: readonly Candidate[]): Decision {
	const words = new Set(
		candidates.flatMap(({ name }) => name.words.flatMap((w) => w.spellings[0]!)),
	);
	const isWord = (spelling: string) => words.has(spelling);
	const compared = candidates
		.map((candidate) => ({ ...candidate, ...compareNames(wanted.name, candidate, isWord) }))
		.sort((a, b) => b.score - a.score || ((a.idno ?? '') < (b.idno ?? '') ? -1 : 1));
	const [best] = compared;
	if (!best) return { ...NOTHING, reason: 'The search has no results for the name.' };

	const enough = compared.filter(({ score }) => score >= wanted.minScore);
	const isLast = ({ quality }: ComparedCandidate) => quality === best.quality;
	const equal = enough.filter((each) => isLast(each) && best.score - each.score < EQUALLY_GOOD);
	const [found, ...others] = decidedBy(wanted, equal);
	const next = (chosen?: ComparedCandidate) =>
		compared.filter((each) => each !== chosen && each.score >= LEAST_ALTERNATIVE);
	const { score, quality } = found ?? best;
	if (!found) {
		return {
			...{ ambiguous: false, score, quality, alternatives: next() },
			reason: `No sufficiently similar name found. The most similar is ${best.title}. ${best.difference ?? ''}`,
		};
	}
	if (others.length > 0) {
		return {
			ambiguous: true,
			score,
			quality,
			alternatives: [found, ...others],
			reason: `${others.length + 1} companies match equally well. A city, a region or a legal form can decide between them.`,
		};
	}
	if (quality !== 'exact' && isElsewhere(wanted, found)) {
		return {
			ambiguous: false,
			score: Math.min(score, STRONG_SCORE - 0.01),
			quality: 'none',
			alternatives: next(),
			reason: `No sufficiently similar name found. The most similar is ${found.title}, but it is in another place than the row.`,
		};
	}
	return {
		found,
		ambiguous: false,
		score,
		quality,
		alternatives: next(found),
		reason: found.difference ?? null,
	};
}

const NOTHING = {
	ambiguous: false,
	score: 0,
	quality: 'none',
	alternatives: [],
} as const satisfies Partial<Decision>;

/** Those of equally good companies that the row's place, and then its legal form, speak for. */
function decidedBy(wanted: WantedCompany, equal: ComparedCandidate[]): ComparedCandidate[] {
	const places = new Set([...wanted.places, ...wanted.name.places]);
	const forms = new Set([...wanted.forms, ...wanted.name.forms]);
	const inPlace = narrowed(equal, (each) => [...each.places].some((place) => places.has(place)));
	return narrowed(inPlace, (each) =>
		[...each.forms, ...each.name.forms].some((form) => forms.has(form)),
	);
}

function narrowed<T>(all: T[], isMeant: (each: T) => boolean): T[] {
	const meant = all.filter(isMeant);
	return meant.length > 0 ? meant : all;
}

function isElsewhere({ places }: WantedCompany, company: ComparedCandidate): boolean {
	if (places.size === 0 || company.places.size === 0) return false;
	return ![...company.places].some((place) => places.has(place));
}
