import type { Json } from '../../shared/http/envelope';
import { idnoOf, nameOf } from '../records';
import type { ComparedCompany } from './compareNames';
import { parseName } from './companyName';
import { formsIn } from './legalForms';
import { placeOf } from './places';
import { wordsOf } from './words';

/** A company that a search has found. */
export interface Candidate extends ComparedCompany {
	/** As the service sent it. */
	company: Json;
	idno: string | undefined;
	/** The name as the service writes it. */
	title: string;
	city: string | undefined;
}

/** Undefined for a row without a name: there is nothing to compare. */
export function candidateOf(company: Json): Candidate | undefined {
	const title = nameOf(company);
	if (title === undefined || title.trim() === '') return undefined;
	const [city, region, form] = [company.city, company.region, company.legal_form].map(textOf);
	return {
		company,
		idno: idnoOf(company),
		title,
		city,
		name: parseName(title),
		forms: formsIn(wordsOf(form ?? '')),
		places: placesIn(`${city ?? ''} ${region ?? ''}`),
	};
}

/** The folded words of a place, with Russian names in Romanian. */
export function placesIn(text: string): Set<string> {
	return new Set(wordsOf(text).map(placeOf));
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
