import fc from 'fast-check';

import { candidateOf } from '../../../nodes/CompanyRegistry/enrich/candidate';
import { compareNames } from '../../../nodes/CompanyRegistry/enrich/compareNames';
import { isMisspelling } from '../../../nodes/CompanyRegistry/enrich/compareWords';
import { parseName } from '../../../nodes/CompanyRegistry/enrich/companyName';
import { generateCompany } from '../../../sandbox/registry/companies';

function compare(row: string, name: string, record: Record<string, unknown> = {}) {
	return compareNames(parseName(row), candidateOf({ name, ...record })!, () => false);
}

const registryName = fc.integer({ min: 0, max: 5000 }).map((index) => generateCompany(index).name);

describe('two names', () => {
	it('are an exact match with themselves, however they are spelled', () => {
		const spelling = fc.constantFrom<(name: string) => string>(
			(name) => name.toLocaleUpperCase('ro'),
			(name) => name.toLocaleLowerCase('ro'),
			(name) => name.normalize('NFD').replace(/\p{M}/gu, ''),
			(name) => name.replace(/ș/g, 'ş').replace(/ț/g, 'ţ'),
			(name) => `«${name}»`,
			(name) => `  ${name.replace(/ /g, '   ')} `,
		);
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 5000 }), spelling, (index, change) => {
				const { name, legalForm } = generateCompany(index);
				expect(compare(change(name), name, { legal_form: legalForm })).toEqual({
					score: 1,
					quality: 'exact',
				});
			}),
		);
	});

	it('have a score from 0 to 1 that says what the quality is', () => {
		fc.assert(
			fc.property(registryName, fc.oneof(registryName, fc.string()), (name, row) => {
				const { score, quality, difference } = compare(row, name);
				expect(score).toBeGreaterThanOrEqual(0);
				expect(quality).toBe(score === 1 ? 'exact' : score >= 0.8 ? 'strong' : 'none');
				expect(difference === undefined).toBe(quality === 'exact');
			}),
		);
	});

	it.each([
		['Cimpia Verde', 'Cîmpia Verde SRL'],
		['Câmpia Verde', 'CÎMPIA VERDE SRL'],
		['Dulciuri & Arome', 'Dulciuri și Arome SRL'],
		['Farmacia 12', 'Farmacia nr. 12'],
		['ООО Агро Прут', 'Agro Prut SRL'],
		['IM Rogob', 'ÎM „Rogob” SRL'],
		['Primaria or. Cricova', 'PRIMĂRIA ORAȘULUI CRICOVA'],
		['Consiliul r-nul Orhei', 'Consiliul Raionului Orhei'],
		['Drumuri de Fier din Moldova', 'Î.S. Drumuri de Fier din Moldova (DFM)'],
		['Fintina Alba', 'FÂNTÂNA ALBĂ SRL'],
		['Юнион Центр', 'Union Centr SRL'],
		['Zernescu si Partenerii', 'Biroul Asociat de Avocați „Zernescu și Partenerii”'],
	])('are an exact match: %s and %s', (row, company) => {
		expect(compare(row, company).quality).toBe('exact');
	});

	it.each([
		['Rogop', 'Rogob SRL', '"Rogop" is spelled "Rogob" in the register.'],
		['Moldova Gaz', 'Moldovagaz SA', '"Moldova Gaz" and "Moldovagaz" differ in spaces.'],
		['Construct Petrodava', 'Petrodava Construct', 'The words are in another order.'],
		['Constr. Nord', 'Construct Nord SRL', '"Constr" is short for "Construct".'],
		['Bukuria', 'Bucuria SA', '"Bukuria" is spelled "Bucuria" in the register.'],
		['DFM', 'Drumuri de Fier din Moldova (DFM)', '"DFM" is short for "Drumuri Fier Moldova".'],
		['Brutarescia', 'Brutarescie', '"Brutarescia" is spelled "Brutarescie" in the register.'],
		['Zernoff', 'ZERNOFF MOLDOVA SRL', 'Only one of the names has "MOLDOVA".'],
		['Zernoff Moldova', 'Zernoff SRL', 'Only one of the names has "Moldova".'],
		['Primăria Cricova', 'Primăria or. Cricova', '"or" only says what kind of place it is.'],
		['Rogob SA filiala Orhei', 'Rogob SA', 'The name says which branch of the company it is.'],
	])('are a strong match: %s and %s', (row, company, difference) => {
		expect(compare(row, company)).toMatchObject({ quality: 'strong', difference });
	});

	it.each([
		['GT Motors', 'Motors SRL', 'The company does not have "GT".'],
		['CC Invest', 'Invest SRL', 'The company does not have "CC".'],
		['Vălmora SA', 'Vălmora SRL', 'The legal forms differ: SA and SRL.'],
		['Farmacia nr. 12', 'Farmacia nr. 13', '"12" is not "13".'],
		['CCL 51/123', 'CCL 51/125', '"123" is not "125".'],
		['Camera de Comerț Bălți', 'Camera de Comerț Cahul', '"Bălți" is not "Cahul".'],
		['Popescu Ion', 'Popescu Ioan', '"Ion" is not "Ioan".'],
		['Elit', 'Elita SRL', '"Elit" is not "Elita".'],
		['Alfa Trans', 'Alta Trans', '"Alfa" is not "Alta".'],
		['Vălmora', 'Vălmora Vin SRL', 'The row does not have "Vin".'],
		['Rogob SRL', 'Rogob SRL filiala Orhei', 'The company is a branch.'],
		['Agro Trans', 'Agro Trans Moldova', 'The row does not have "Moldova".'],
		['Zernoff Moldova', 'Zernoff Bulgaria', '"Moldova" is not "Bulgaria".'],
		['Moldova Vin', 'Vin SRL', 'The company does not have "Moldova".'],
		['Primăria or. Orhei', 'Primăria raionului Orhei', '"or" is not "raionului".'],
		['Moldova Moldova', 'Moldova SRL', 'The company does not have "Moldova".'],
		['S. Popescu', 'Satul Popescu', '"S" is not "Satul".'],
		['Юг', 'Ug SRL', '"Юг" is not "Ug".'],
		['Agro Com Soroca', 'Agro Soroca', 'The company does not have "Com".'],
		['DFM', 'Drumuri de Fier din Moldova', '"DFM" is not "Drumuri Fier Moldova".'],
		['Zernescu', 'Zernescu (DFM)', 'The row does not have "DFM".'],
		['Victor Auto', 'Vector Auto SRL', '"Victor" is not "Vector".'],
		['', 'Vălmora SRL', 'The row does not have "Vălmora".'],
	])('are different: %s and %s', (row, company, difference) => {
		expect(compare(row, company)).toMatchObject({ quality: 'none', difference });
	});

	it('take what may be a legal form as one if the register has it', () => {
		expect(compare('GT Popescu Vasile', 'Popescu Vasile', { legal_form: 'GȚ' }).quality).toBe(
			'exact',
		);
		expect(compare('GT Popescu Vasile', 'G.Ț. „Popescu Vasile”').quality).toBe('exact');
		expect(compare('GT Motors SRL', 'GT Motors', { legal_form: 'SRL' }).quality).toBe('exact');
	});

	it('agree in a city if the company is there', () => {
		const there = { city: 'Orhei', region: 'Orhei' };
		expect(compare('Rogob Orhei', 'Rogob SRL', there).quality).toBe('strong');
		expect(compare('Rogob or. Orhei', 'Rogob SRL', there).quality).toBe('strong');
		expect(compare('Rogob s. Orhei', 'Rogob SRL', there).quality).toBe('strong');
		expect(compare('Rogob or. Cahul', 'Rogob SRL', there).quality).toBe('none');
		expect(compare('Rogob SRL, Orhei', 'Rogob SRL', there).quality).toBe('exact');
		expect(compare('Rogob SRL, Cahul', 'Rogob SRL', there).quality).toBe('none');
		expect(compare('Rogob SRL, Cahul', 'Rogob SRL').quality).toBe('exact');
	});
});

describe('a misspelling', () => {
	it.each([
		['zefirrul', 'zefirul'],
		['tarns', 'trans'],
		['incomlcta', 'incomlacta'],
		['rogop', 'rogob'],
		['carpenterie', 'carpenteria'],
	])('makes %s of %s', (written, meant) => {
		expect(isMisspelling(written, meant)).toBe(true);
		expect(isMisspelling(meant, written)).toBe(true);
	});

	it.each([
		['elita', 'elit'],
		['delta', 'selta'],
		['moderna', 'modern'],
		['cebotari', 'cebotaru'],
		['vector', 'victor'],
		['continent', 'continental'],
		['valerie', 'valeria'],
		['mobilarie', 'mobilario'],
	])('does not make %s of %s', (one, other) => {
		expect(isMisspelling(one, other)).toBe(false);
		expect(isMisspelling(other, one)).toBe(false);
	});
});
