import { SeededRandom } from '../shared/data';
import { LEGAL_FORMS, NAME_HEADS, NAME_TAILS, REGIONS, TRADES } from './words';

export const RATINGS = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
export type Rating = (typeof RATINGS)[number];

/** A company's data; the rest of its dossier is derived from it. */
export interface Company {
	idno: string;
	name: string;
	legalForm: string;
	/** Only `active` is documented; other statuses are invented. */
	status: string;
	city: string;
	region: string;
	caenCode: string;
	caenDescription: string;
	registeredYear: number;
	rating: Rating;
	/** 0 to 100. */
	score: number;
	insolvencyRisk: string;
	/** Recommended trade credit in MDL. */
	limit: number;
	paymentTermsDays: number;
	advisoryNotes: string;
}

const STATUSES = ['active', 'suspended', 'in_liquidation', 'in_reorganization', 'deregistered'];

const FIRST_YEAR = 2000;
const YEARS = 25;

/** Values that depend on the rating. */
const JUDGEMENTS: Record<Rating, { from: number; risk: string; days: number; note: string }> = {
	A: { from: 85, risk: 'very low', days: 60, note: 'Excellent payment record.' },
	B: { from: 70, risk: 'low', days: 45, note: 'Good payment record; no special measures.' },
	C: { from: 55, risk: 'moderate', days: 30, note: 'Review the limit every six months.' },
	D: { from: 40, risk: 'elevated', days: 14, note: 'Ask for a guarantee above the limit.' },
	E: { from: 25, risk: 'high', days: 7, note: 'Short terms only; watch overdue invoices.' },
	F: { from: 0, risk: 'very high', days: 0, note: 'Advance payment only.' },
};

/** The company at `index`, the same in every sandbox. */
export function generateCompany(index: number): Company {
	const random = new SeededRandom(`company ${index}`);
	const registeredYear = FIRST_YEAR + (index % YEARS);
	const trade = random.pick(TRADES);
	const legalForm = random.pick(LEGAL_FORMS);
	// About the real share of companies in the capital.
	const { region, cities } = random.chance(0.4) ? REGIONS[0]! : random.pick(REGIONS);
	const status = random.chance(0.8) ? 'active' : random.pick(STATUSES);
	const score = status === 'active' ? random.integer(20, 99) : random.integer(3, 45);
	const rating = RATINGS.find((letter) => score >= JUDGEMENTS[letter].from) ?? 'F';
	const { risk, days, note } = JUDGEMENTS[rating];
	return {
		idno: idnoOf(registeredYear, Math.floor(index / YEARS)),
		name: companyName(random, trade.word, legalForm),
		legalForm,
		status,
		city: random.pick(cities),
		region,
		caenCode: trade.caen.code,
		caenDescription: trade.caen.description,
		registeredYear,
		rating,
		score,
		insolvencyRisk: risk,
		limit: status === 'active' && rating !== 'F' ? score * random.integer(5, 90) * 100 : 0,
		paymentTermsDays: status === 'active' ? days : 0,
		advisoryNotes: status === 'active' ? note : `${note} The company is not active.`,
	};
}

function companyName(random: SeededRandom, trade: string, legalForm: string): string {
	const stem = random.pick(NAME_HEADS) + random.pick(NAME_TAILS);
	const core = random.chance(0.5) ? `${stem} ${trade}` : `${stem}-${trade}`;
	const name = random.pick([
		`${core} ${legalForm}`,
		`${legalForm} „${core}”`,
		`${core.toLocaleUpperCase('ro')} ${legalForm}`,
	]);
	return random.chance(0.25) ? withCedillas(name) : name;
}

/** Old data has ş and ţ with a cedilla where Romanian has a comma below. */
function withCedillas(text: string): string {
	return text.replace(/ș/g, 'ş').replace(/Ș/g, 'Ş').replace(/ț/g, 'ţ').replace(/Ț/g, 'Ţ');
}

const WEIGHTS = [7, 3, 1];

/** The check digit of an IDNO's first 12 digits. */
function checkDigit(twelve: string): number {
	return [...twelve].reduce(
		(sum, digit, index) => (sum + Number(digit) * (WEIGHTS[index % 3] as number)) % 10,
		0,
	);
}

/** The `index`-th fictional IDNO of a year, 2000 or later: 13 digits with a valid check digit. */
function idnoOf(year: number, index: number): string {
	const twelve = `1${String(year - 2000).padStart(3, '0')}600${String(90_000 + index).padStart(5, '0')}`;
	return twelve + String(checkDigit(twelve));
}
