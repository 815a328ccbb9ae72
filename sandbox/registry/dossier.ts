import { SeededRandom } from '../shared/data';
import type { Company } from './companies';
import { FIRST_NAMES, LAST_NAMES, STREETS } from './words';

const LAST_FINANCIAL_YEAR = 2024;
const FINANCIAL_YEARS = 4;

/**
 * The V1 API's dossier. The documentation lists its parts, but not their fields: registry data,
 * administrators, founders, financial summary, licenses, score and credit ceiling.
 */
export function dossierOf(company: Company): Record<string, unknown> {
	const random = new SeededRandom(`dossier ${company.idno}`);
	const { registeredYear } = company;
	const month = String(random.integer(1, 12)).padStart(2, '0');
	const day = String(random.integer(1, 28)).padStart(2, '0');
	return {
		...searchRecordOf(company),
		registration_date: `${registeredYear}-${month}-${day}`,
		address: `${random.pick(STREETS)} ${random.integer(1, 140)}, ${company.city}`,
		administrators: [
			{ name: personOf(random), role: 'administrator', since: `${registeredYear}-${month}-${day}` },
		],
		founders: foundersOf(random),
		financials: financialsOf(random, registeredYear),
		licenses: licensesOf(random, company),
		scoring: scoringOf(company),
		credit_limit_mdl: company.limit,
	};
}

/** The documented search result. V1's isn't documented, so the sandbox uses the same record. */
export function searchRecordOf(company: Company) {
	return {
		idno: company.idno,
		name: company.name,
		legal_form: company.legalForm,
		status: company.status,
		city: company.city,
		region: company.region,
		caen_code: company.caenCode,
		caen_description: company.caenDescription,
	};
}

/** The documented credit recommendation, without `success`. */
export function creditOf(company: Company) {
	return {
		idno: company.idno,
		name: company.name,
		status: company.status,
		scoring: scoringOf(company),
		trade_credit_recommendation: {
			recommended_limit_mdl: company.limit,
			currency: 'MDL',
			recommended_payment_terms_days: company.paymentTermsDays,
			advisory_notes: company.advisoryNotes,
		},
	};
}

function scoringOf({ rating, score, insolvencyRisk }: Company) {
	return { rating, score, insolvency_risk: insolvencyRisk };
}

function personOf(random: SeededRandom): string {
	return `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
}

function foundersOf(random: SeededRandom) {
	if (random.chance(0.5)) return [{ name: personOf(random), share_percent: 100 }];
	const share = random.integer(10, 90);
	return [
		{ name: personOf(random), share_percent: share },
		{ name: personOf(random), share_percent: 100 - share },
	];
}

function financialsOf(random: SeededRandom, registeredYear: number) {
	let revenue = random.integer(200, 90_000) * 1000;
	const first = Math.max(registeredYear, LAST_FINANCIAL_YEAR - FINANCIAL_YEARS + 1);
	return Array.from({ length: LAST_FINANCIAL_YEAR - first + 1 }, (_, index) => {
		revenue = Math.round(revenue * (0.85 + random.next() * 0.4));
		return {
			year: first + index,
			revenue_mdl: revenue,
			net_profit_mdl: Math.round(revenue * (random.next() * 0.2 - 0.05)),
			total_assets_mdl: Math.round(revenue * (0.5 + random.next())),
			employees: random.integer(1, 180),
		};
	});
}

function licensesOf(random: SeededRandom, company: Company) {
	if (random.chance(0.6)) return [];
	const issued = random.integer(company.registeredYear, LAST_FINANCIAL_YEAR);
	return [
		{
			number: `A MMII ${random.integer(10_000, 99_999)}`,
			activity: company.caenDescription,
			issued: `${issued}-03-01`,
			expires: `${issued + 5}-03-01`,
			status: company.status === 'active' ? 'valid' : 'withdrawn',
		},
	];
}
