import { LEAST_SCORE, wantedCompany } from '../../nodes/CompanyRegistry/names/compare';
import { applyMinimum, searchByName } from '../../nodes/CompanyRegistry/names/search';
import type { Json } from '../../nodes/shared/http/json';
import { generateCompany } from '../../sandbox/registry/companies';
import type { SearchKind } from '../../sandbox/registry/search';
import { SETS, type Pair, type PairList } from './pairs';
import { Register } from './register';

/** The result for one pair. */
export interface Result {
	pair: Pair;
	/** Name of the company that was found. */
	found?: string;
	outcome: 'right' | 'wrong company' | 'missed' | 'rightly none';
	/** Whether the alternatives of a row that was not found list the right company. */
	listed: boolean;
	reason: string | null;
}

const CITIES = ['Chișinău', 'Bălți', 'Cahul', 'Orhei', 'Soroca', 'Ungheni', 'Comrat', 'Edineț'];

/** Other companies of the registry, so that searches find more than the pairs. */
const OTHERS = 3000;

/** The registry's record of a pair's company. */
function recordOf({ company, city }: Pair, index: number): Json {
	return {
		idno: String(1_003_600_000_000 + index),
		name: company,
		legal_form: legalFormOf(company),
		status: 'active',
		city: city ?? CITIES[index % CITIES.length],
		region: city ?? CITIES[index % CITIES.length],
	};
}

/** The legal form as the registry would write it; null if the name doesn't contain one. */
function legalFormOf(name: string): string | null {
	const compact = name.normalize('NFD').replace(/[\p{M}.]/gu, '');
	const forms = ['SRL', 'SA', 'II', 'GT', 'IS', 'IM', 'CC', 'AO', 'IMSP'];
	return forms.find((form) => new RegExp(`\\b${form}\\b`).test(compact)) ?? null;
}

/** A registry with the companies of all pairs and many more. */
export function registerOf(kind: SearchKind, pairs: Pair[] = Object.values(SETS).flat()): Register {
	const records = pairs.map((pair, index): [string, Json] => [pair.company, recordOf(pair, index)]);
	const others = Array.from({ length: OTHERS }, (_, index) => {
		const { idno, name, legalForm, status, city, region } = generateCompany(index);
		return { idno, name, legal_form: legalForm, status, city, region };
	});
	return new Register(kind, [...others, ...new Map(records).values()]);
}

/** The registry of a list that isn't part of the project. */
export function registerOfList(kind: SearchKind, { pairs, registry }: PairList): Register {
	if (registry.length === 0) return registerOf(kind, pairs);
	const names = [...new Set([...registry, ...pairs.map(({ company }) => company)])];
	const idnoOf = (index: number) => String(1_003_600_000_000 + index);
	return new Register(
		kind,
		names.map((name, index) => ({ idno: idnoOf(index), name, status: 'active' })),
	);
}

type Minimum = keyof typeof LEAST_SCORE;

/** The results at several minimums, from a single search per pair, with the node's settings. */
export async function evaluate(
	minimums: readonly Minimum[],
	pairs: readonly Pair[],
	register: Register,
): Promise<Result[][]> {
	const results: Result[][] = minimums.map(() => []);
	for (const pair of pairs) {
		const wanted = wantedCompany(pair.row, pair.rowCity, pair.rowForm);
		const best = await searchByName(wanted, async (q, page) => register.search(q, page));
		for (const [index, minimum] of minimums.entries()) {
			const { found, reason, alternatives } = applyMinimum(best, LEAST_SCORE[minimum]);
			const listed = alternatives.slice(0, 5).some(({ title }) => title === pair.company);
			const outcome = outcomeOf(pair, found?.title);
			results[index]?.push({ pair, found: found?.title, outcome, listed, reason });
		}
	}
	return results;
}

/** @param found name of the company that was found */
export function outcomeOf({ company, same }: Pair, found: string | undefined): Result['outcome'] {
	if (found === undefined) return same ? 'missed' : 'rightly none';
	return same && found === company ? 'right' : 'wrong company';
}

/** Precision, recall, and the share of missed companies that the alternatives list. */
export function figuresOf(results: readonly Result[]) {
	const of = (outcome: Result['outcome']) => results.filter((each) => each.outcome === outcome);
	const [right, wrong, missed] = [of('right'), of('wrong company'), of('missed')];
	const meant = results.filter(({ pair }) => pair.same);
	const listed = missed.filter((each) => each.listed);
	return {
		precision: shareOf(right, [...right, ...wrong]),
		recall: shareOf(right, meant),
		listed: shareOf(listed, missed),
	};
}

/** Undefined if there's nothing to take a share of. */
function shareOf(part: unknown[], whole: unknown[]): number | undefined {
	return whole.length > 0 ? part.length / whole.length : undefined;
}
