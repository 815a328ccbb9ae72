import { inputText, readInput, saysSame } from '../../../nodes/CompanyRegistry/enrich/input';
import type { ColumnRole } from '../../../nodes/CompanyRegistry/enrich/columns';

describe('Input of a row', () => {
	it('what a row was looked up by is read as it was written, with up to 60 characters per cell', () => {
		const said = { name: 'Agro „Nord”; SRL', idno: '', city: 'Orhei', legalForm: 'SRL' };
		expect(inputText(said)).toBe('Name: Agro „Nord”; SRL; Place: Orhei; Form: SRL');
		expect(readInput(inputText(said))).toEqual(said);
		expect(inputText({ ...said, name: 'Vin\u00A0&amp;\nVie', city: '' })).toBe(
			'Name: Vin & Vie; Form: SRL',
		);
		const long = { name: 'x'.repeat(61), idno: '12', city: '', legalForm: '' };
		expect(inputText(long)).toBe(`Name: ${'x'.repeat(60)}; IDNO: 12`);
	});

	it.each<[role: ColumnRole, before: string, now: string]>([
		['idno', '1003678015231', '1.0037E+12'],
		['idno', '1003678015231', '1.0036E+12'],
		['idno', '1003678015231', '1003678000000'],
		['idno', '1003600015231', '1003600015231.0'],
		['idno', '1003600015231', '1,003,600,015,231'],
		['name', 'Agro Nord', 'AGRO–NORD S.R.L.'],
		['name', 'Societatea Agro Nord', 'Societatea Agro No'],
		['name', 'Agro Nord', 'Agro...'],
		['name', 'Vin & Vie SRL', 'Vin &amp; Vie'],
		['name', 'Dorn?ani Agro SRL', 'Dornșani Agro SRL'],
		['name', 'Dornșani Agro SRL', 'Dorn?ani Agro SRL'],
		['city', 'B?l?i', 'Bălți'],
		['name', 'Hala 5bis', 'Hala 5'],
		['name', 'x'.repeat(60), `${'x'.repeat(60)} Sud`],
		['name', 'Agro Nord, Orhei', 'Agro Nord Orhei'],
		['city', 'mun. Bălți', 'mun Balti'],
		['city', 'or. Orhei', 'Orhei'],
		['city', 'Orhei', 'Оргеев'],
		['city', 'Orhei', 'raionul Orhei'],
		['city', 'Orhei', 'Orhei, str. Morii 3'],
		['city', 'Orhei', 'Online'],
		['legalForm', 'SRL', 'Societate cu răspundere limitată'],
		['legalForm', 'SRL', ''],
	])('the %s "%s" is still the same if the row now says "%s"', (role, before, now) => {
		expect(saysSame(role, before, now)).toBe(true);
	});

	it.each<[role: ColumnRole, before: string, now: string]>([
		['idno', '1003678015231', '1.0038E+12'],
		['idno', '1003678015231', '1003679000000'],
		['idno', '1003600015231', '1003600116460'],
		['idno', '', '1003600116460'],
		['name', 'Agro Nord Plus', 'Agro Nord'],
		['name', 'Agro Nord 12', 'Agro Nord 1'],
		['name', 'Agro Nord SRL', 'Agro Nord SA'],
		['name', 'Agro Nord', 'Agro Nord Plus'],
		['name', '', 'Agro'],
		['city', 'Orhei', 'Cahul'],
		['city', 'Orhei', 'Peresecina, Orhei'],
		['city', 'Online', 'Orhei'],
		['legalForm', 'SRL', 'SA'],
		['legalForm', 'SRL', 'unknown form'],
		['legalForm', 'unknown form', 'SRL'],
	])('the %s "%s" has been corrected if the row now says "%s"', (role, before, now) => {
		expect(saysSame(role, before, now)).toBe(false);
	});

	it('a text without the end of its last word has been corrected if nothing may be cut off', () => {
		expect(saysSame('name', 'Agro Nordd', 'Agro Nord', false)).toBe(false);
		expect(saysSame('name', 'Agro Nord', 'AGRO–NORD S.R.L.', false)).toBe(true);
	});
});
