import { comparePlaces } from '../../../../nodes/CompanyRegistry/enrich/match/comparePlaces';
import type { PlaceAgreement } from '../../../../nodes/CompanyRegistry/enrich/match/comparePlaces';
import { placesIn } from '../../../../nodes/CompanyRegistry/enrich/read/places';

it.each<[row: string, company: string, agreement: PlaceAgreement]>([
	['', 'Orhei', 'unknown'],
	['Orhei', '', 'unknown'],
	['Orhei', 'or. Orhei', 'same'],
	['or. Orhei', 'Orhei', 'same'],
	['or. Orhei', 'r-nul Orhei', 'near'],
	['r-nul Orhei', 's. Peresecina, r-nul Orhei', 'near'],
	['s. Peresecina, r-nul Orhei', 's. Ivancea, r-nul Orhei', 'different'],
	['s. Peresecina', 'r-nul Orhei', 'different'],
	['s. Valea Mare, r-nul Ungheni', 'Fălești, s. Valea Mare', 'different'],
	['UTA Găgăuzia, or. Comrat', 'or. Comrat, r-nul Comrat', 'same'],
	['s. Valea Mare', 'r-nul Fălești, s. Valea Mare', 'same'],
	['Оргеевский район', 'Orhei', 'near'],
	['or. Orhei', 'mun. Chișinău', 'different'],
	['Chișinău', 'Chișinău Botanica', 'same'],
	['Chișinău, Botanica', 'mun. Chișinău', 'same'],
	['sec. Botanica', 'mun. Chișinău', 'unknown'],
	['str. Ștefan cel Mare, or. Orhei', 'or. Orhei', 'same'],
	['or. Orhei, str. Cahul', 'or. Cahul', 'different'],
	['Peresecina s., Orhei', 's. Peresecina, r-nul Cahul', 'different'],
	['Orhei', 'Orhei Centru', 'different'],
	// It sounds the same.
	['s. Kișinău', 'mun. Chișinău', 'same'],
	['s. Peresecina', 's. Peresecna', 'same'],
	['s. Ivnacea', 's. Ivancea', 'same'],
	['s. Sanul', 's. Snaul', 'same'],
	// Too short to tell a misspelling from another name.
	['s. Rezi', 's. Reiz', 'different'],
])(
	'comparing "%s" in a row with "%s" in a company’s record returns "%s"',
	(row, company, agreement) => {
		expect(comparePlaces(placesIn(row), placesIn(company))).toBe(agreement);
	},
);
