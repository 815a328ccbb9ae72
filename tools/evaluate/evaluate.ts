import type { Json } from '../../nodes/shared/http/envelope';
import { parseName } from '../../nodes/CompanyRegistry/enrich/companyName';
import { STRONG_SCORE } from '../../nodes/CompanyRegistry/enrich/compareNames';
import { DEFAULT_REQUESTS } from '../../nodes/CompanyRegistry/enrich/fields';
import { queriesFor, searchByName } from '../../nodes/CompanyRegistry/enrich/searchByName';
import type { Variant } from '../../nodes/CompanyRegistry/service';
import { generateCompany } from '../../sandbox/registry/companies';
import type { Pair } from './pairs';
import { Register } from './registries';
import type { SearchKind } from './registries';

/** How one pair went. */
export interface Result {
	pair: Pair;
	/** Name of the company that was found. */
	found?: string;
	outcome: 'right' | 'wrong company' | 'missed' | 'rightly none';
	reason: string | null;
	requests: number;
}

const CITIES = ['Chișinău', 'Bălți', 'Cahul', 'Orhei', 'Soroca', 'Ungheni', 'Comrat', 'Edineț'];

/** Other companies of the register, so that searches find more than the pairs. */
const OTHERS = 3000;

/** The register's record of a pair's company. */
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

/** As the register would say it; null where the name does not tell. */
function legalFormOf(name: string): string | null {
	const compact = name.normalize('NFD').replace(/[\p{M}.]/gu, '');
	const forms = ['SRL', 'SA', 'II', 'GT', 'IS', 'IM', 'CC', 'AO', 'IMSP'];
	return forms.find((form) => new RegExp(`\\b${form}\\b`).test(compact)) ?? null;
}

/** A register with the companies of the pairs and many others. */
export function registerOf(all: readonly Pair[], kind: SearchKind, variant: Variant): Register {
	const records = all.map((pair, index): [string, Json] => [pair.company, recordOf(pair, index)]);
	const others = Array.from({ length: OTHERS }, (_, index) => {
		const { idno, name, legalForm, status, city, region } = generateCompany(index);
		return { idno, name, legal_form: legalForm, status, city, region };
	});
	return new Register(kind, variant, [...others, ...new Map(records).values()]);
}

/**
 * Looks up every pair's name with the default settings of the node.
 *
 * @param all the pairs whose companies the register has
 */
export async function evaluate(
	pairs: readonly Pair[],
	all: readonly Pair[],
	kind: SearchKind,
	variant: Variant,
	requests = DEFAULT_REQUESTS,
): Promise<Result[]> {
	const register = registerOf(all, kind, variant);
	const results: Result[] = [];
	for (const pair of pairs) {
		const before = register.requests;
		const name = parseName(pair.row);
		const { found, reason } = await searchByName(
			{ name, places: new Set(), forms: new Set(), minScore: STRONG_SCORE },
			queriesFor(name),
			async (q, page) => register.search(q, page),
			requests,
		);
		results.push({
			pair,
			found: found?.title,
			outcome: outcomeOf(pair, found?.title),
			reason,
			requests: register.requests - before,
		});
	}
	return results;
}

/** @param found name of the company that was found */
export function outcomeOf({ company, same }: Pair, found: string | undefined): Result['outcome'] {
	if (found === undefined) return same ? 'missed' : 'rightly none';
	return same && found === company ? 'right' : 'wrong company';
}

export interface Figures {
	/** Undefined where nothing was found. */
	precision?: number;
	/** Undefined where nothing was to be found. */
	recall?: number;
	/** Searches per name. */
	requests: number;
}

export function figuresOf(results: readonly Result[]): Figures {
	const count = (outcome: Result['outcome']) =>
		results.filter((result) => result.outcome === outcome).length;
	const [right, wrong] = [count('right'), count('wrong company')];
	const meant = results.filter(({ pair }) => pair.same).length;
	return {
		precision: right + wrong > 0 ? right / (right + wrong) : undefined,
		recall: meant > 0 ? right / meant : undefined,
		requests: results.reduce((sum, { requests }) => sum + requests, 0) / results.length,
	};
}
