import fc from 'fast-check';

import {
	compare as compareWith,
	LEAST_SCORE,
	wantedCompany,
} from '../../../../nodes/CompanyRegistry/enrich/match/compare';
import { candidateOf } from '../../../../nodes/CompanyRegistry/enrich/match/decide';
import { generateCompany } from '../../../../sandbox/registry/companies';

interface RowColumns {
	city?: string;
	form?: string;
}

function compare(row: string, name: string, record = {}, { city, form }: RowColumns = {}) {
	const candidate = candidateOf({ name, ...record })!;
	const { differences, ...rest } = compareWith(
		wantedCompany(row, city, form),
		candidate,
		() => false,
	);
	return { ...rest, reason: differences.map(({ text }) => text).join(' ') };
}

const registryName = fc.integer({ min: 0, max: 5000 }).map((index) => generateCompany(index).name);

describe('compare', () => {
	it('matches a registered name exactly, whatever its case, diacritics, quotation marks and spaces', () => {
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
					reason: '',
				});
			}),
		);
	});

	it('scores any two names within the range of their match level', () => {
		fc.assert(
			fc.property(registryName, fc.oneof(registryName, fc.string()), (name, row) => {
				const { score, quality, reason } = compare(row, name);
				expect(score).toBeGreaterThanOrEqual(LEAST_SCORE[quality]);
				expect(score === 1).toBe(quality === 'exact');
				expect(score >= 0.8).toBe(['exact', 'strong'].includes(quality));
				expect(score >= 0.6).toBe(quality !== 'none');
				expect(reason === '').toBe(quality === 'exact');
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
		['Primăria s. Pelinia', 'Primăria satului Pelinia'],
		['Farmacia №12', 'Farmacia nr. 12'],
		['Consiliul r-nul Orhei', 'Consiliul Raionului Orhei'],
		['Вердинал Сервис', 'Verdinal Service SRL'],
		['Casa де Пьятра', 'Casa de Piatra'],
		['ЗАО Судармa', 'Sudarma SA'],
		['ТОВ Сударма', 'Sudarma SRL'],
		['ONG Sudarma', 'Asociația Obștească „Sudarma”'],
		['Fintina Alba', 'FÂNTÂNA ALBĂ SRL'],
		['VÄƒlmora SRL', 'Vălmora SRL'],
		['Vãlmoriþa ºoim', 'Vălmorița Șoim SRL'],
		['ÎÎÎ «Àãðî Ïðóò»', 'Agro Prut SRL'],
		['РђРіСЂРѕ Плюс', 'Agro Plus SRL'],
		['Łódkı Smørre', 'Lodki Smorre SRL'],
		['<<Vălmora>> SRL', '„Vălmora” SRL'],
		['ＶＡＬＭＯＲＡ ﬁn', 'Valmora Fin SRL'],
		['Societate cu responsabilitate limitata Rogob', 'Rogob SRL'],
		['Rogob Societate Anonimă', '„Rogob” S.A.'],
		['Întreprindera individuală Pascari Ion', 'Î.I. „Pascari Ion”'],
		['APC 16/245', 'Asociația Proprietarilor în Condominiu 16/245'],
		['LT Ion Ursu', 'Liceul Teoretic „Ion Ursu”'],
		['CA Pascari Ion', 'Cabinetul Avocatului „Pascari Ion”'],
		['Vălmora SRL, Cahul', 'VĂLMORA SRL, CAHUL'],
		['Vălmora S.R.L., or. Cahul', 'Vălmora SRL, Cahul'],
		['Rogob R. Moldova', 'Rogob Moldova SRL'],
		['Рогоб Республика Молдова', 'Rogob Moldova SRL'],
		['Zernescu si Partenerii', 'Biroul Asociat de Avocați „Zernescu și Partenerii”'],
	])('rates "%s" as an exact match for "%s"', (row, company) => {
		expect(compare(row, company).quality).toBe('exact');
	});

	it.each([
		['Moldova Gaz', 'Moldovagaz SA', '"Moldova Gaz" and "Moldovagaz" differ only in spacing.'],
		['Construct Petrodava', 'Petrodava Construct', 'The words are in a different order.'],
		['Bukuria', 'Bucuria SA', '"Bukuria" is spelled "Bucuria" in the registry.'],
		['Юнион', 'Union SRL', '"Юнион" is spelled "Union" in the registry.'],
		['Zernoff', 'ZERNOFF MOLDOVA SRL', 'Only one of the names has "MOLDOVA".'],
		['Vălmora', 'Vălmora SRL, Cahul', "The registered name contains a place that the row doesn't."],
		['Zernoff Moldova', 'Zernoff SRL', 'Only one of the names has "Moldova".'],
		['Rogob SA filiala Orhei', 'Rogob SA', 'The row names a branch of this company.'],
		['Velurmix', 'SRL „VELURMIX” S', `"S" is only a description in the registry's name.`],
		[
			'Velurmix',
			'COMPANIA „VELURMIX” S.R.L.',
			`"COMPANIA" is only a description in the registry's name.`,
		],
		['Rogob SRL (client vechi)', 'Rogob SRL', '"client vechi" isn\'t part of the name.'],
		['Constr. Nord', 'Construct Nord SRL', '"Constr" is short for "Construct".'],
		['Nord Constr.', 'Nord Construct SRL', '"Constr" is short for "Construct".'],
		['Zona Trei', 'Zona 3 SRL', '"Trei" is spelled "3" in the registry.'],
		['Zona VII', 'Zona Șapte SRL', '"VII" is spelled "Șapte" in the registry.'],
		['Zona Пять', 'Zona Five SRL', '"Пять" is spelled "Five" in the registry.'],
		['Rogob51', 'Rogob 51 SRL', '"Rogob51" and "Rogob 51" differ only in spacing.'],
		['R?zboi\ufffdna', 'Războișna', '"R?zboi?na" is spelled "Războișna" in the registry.'],
		['Caraçoban', 'Caracioban', '"Caraçoban" is spelled "Caracioban" in the registry.'],
		[
			'ÎI Mihai Andrei Pascari',
			'Î.I. „Pascari Mihai Andrei”',
			'The words are in a different order.',
		],
		['Firma Rogob', 'Rogob SRL', '"Firma" isn\'t part of the name.'],
		['Bravox Bravos', 'Bravos Bravox SRL', 'The words are in a different order.'],
		['Cafeneaua „Rogob”', 'Rogob SRL', '"Cafeneaua" isn\'t part of the name.'],
	])('rates "%s" as a strong match for "%s"', (row, company, reason) => {
		expect(compare(row, company)).toMatchObject({ quality: 'strong', reason });
	});

	it.each([
		['Rogop', 'Rogob SRL', '"Rogop" is spelled "Rogob" in the registry.'],
		['Brutarescia', 'Brutarescie', '"Brutarescia" is spelled "Brutarescie" in the registry.'],
		['Bravos', 'Bravox SRL', '"Bravos" is spelled "Bravox" in the registry.'],
		['Verm0lina', 'Vermolina SRL', '"Verm0lina" is spelled "Vermolina" in the registry.'],
		['Bmumarel Camosol', 'Bmumarel Carnosol', '"Camosol" is spelled "Carnosol" in the registry.'],
		['Sfeclarul Nrod', 'Sfeclarul Nord', '"Nrod" is spelled "Nord" in the registry.'],
		['Rogob', 'Restaurantul Rogob SRL', 'Only one of the names has "Restaurantul".'],
		['Primăria Rogob', 'Primăria comunei Rogob', 'Only one of the names has "comunei".'],
		['Rogob Company', 'Rogob SRL', 'Only one of the names has "Company".'],
		['ÎI Pascari V.', 'Î.I. „Pascari Vasile”', '"V" may be "Vasile", but is only an initial.'],
		[
			'GT Pascari Gh.',
			'G.Ț. „Pascari Gheorghe”',
			'"Gh" may be "Gheorghe", but is only an initial.',
		],
		['GT Ceban V', 'G.Ț. „Ceban Vasile”', '"V" may be "Vasile", but is only an initial.'],
	])('rates "%s" as only a likely match for "%s"', (row, company, reason) => {
		expect(compare(row, company)).toMatchObject({ quality: 'likely', reason });
	});

	it.each([
		['Motors', 'GT Motors SRL', `The row's name is missing "GT".`],
		[
			'Rogob Moldova Alb Trans',
			'Rogob Alb Trans',
			`The registered name doesn't contain "Moldova".`,
		],
		[
			'Primăria satului Rogob',
			'Primăria comunei Rogob',
			'"satului" in the row doesn\'t match "comunei" in the registry.',
		],
		['Co. Rogob', 'Construct Rogob', `"Co" in the row doesn't match "Construct" in the registry.`],
		['?a? Rogob', 'Sat Rogob', `"?a?" in the row doesn't match "Sat" in the registry.`],
		['Z0na Rogob', 'Zona Rogob', `"Z0na" in the row doesn't match "Zona" in the registry.`],
		['GT Motors', 'Motors SRL', `The registered name doesn't contain "GT".`],
		['No Limit', 'Limit SRL', `The registered name doesn't contain "No".`],
		['Auto N SRL', 'Auto SRL', `The registered name doesn't contain "N".`],
		['La Plăcinte', 'Plăcinte SRL', `The registered name doesn't contain "La".`],
		['D-Link', 'Link SRL', `The registered name doesn't contain "D".`],
		['Me Too SRL', 'Me SRL', `The registered name doesn't contain "Too".`],
		['FC Sheriff', 'Sheriff SRL', `The registered name doesn't contain "FC".`],
		['Viața Nouă', 'Viața SRL', `The registered name doesn't contain "Nouă".`],
		['Unic SRL', '„UNIC” COM S.R.L.', `The row's name is missing "COM".`],
		['Vălmora Filiala', 'Vălmora SRL', `The registered name doesn't contain "Filiala".`],
		['Vălmora SRL', 'Vălmora - Cahul SRL', `The row's name is missing "Cahul".`],
		['Hofmann GmbH', 'Hofmann SRL', 'The legal forms differ: GMBH and SRL.'],
		['Farmacia 1 2', 'Farmacia 12', `"1 2" in the row doesn't match "12" in the registry.`],
		['CC Invest', 'Invest SRL', `The registered name doesn't contain "CC".`],
		[
			'Lunca „Vălmora” SRL',
			'Vălmora SA',
			'"Lunca" isn\'t part of the name. The legal forms differ: SRL and SA.',
		],
		['Vălmora SA', 'Vălmora SRL', 'The legal forms differ: SA and SRL.'],
		['Farmacia nr. 12', 'Farmacia nr. 13', `"12" in the row doesn't match "13" in the registry.`],
		['Depozit 12345', 'Depozit 12435', `"12345" in the row doesn't match "12435" in the registry.`],
		['CCL 51/123', 'CCL 51/125', `"123" in the row doesn't match "125" in the registry.`],
		[
			'Camera de Comerț Bălți',
			'Camera de Comerț Cahul',
			`"Bălți" in the row doesn't match "Cahul" in the registry.`,
		],
		['Popescu Ion', 'Popescu Ioan', `"Ion" in the row doesn't match "Ioan" in the registry.`],
		['Elit', 'Elita SRL', `"Elit" in the row doesn't match "Elita" in the registry.`],
		['Alfa Trans', 'Alta Trans', `"Alfa" in the row doesn't match "Alta" in the registry.`],
		['Vălmora', 'Vălmora Vin SRL', `The row's name is missing "Vin".`],
		['Rogob SRL', 'Rogob SRL filiala Orhei', 'The company is a branch.'],
		['Agro Trans', 'Agro Trans Moldova', `The row's name is missing "Moldova".`],
		[
			'Zernoff Moldova',
			'Zernoff Bulgaria',
			`"Moldova" in the row doesn't match "Bulgaria" in the registry.`,
		],
		['Moldova Vin', 'Vin SRL', `The registered name doesn't contain "Moldova".`],
		[
			'Primăria or. Orhei',
			'Primăria raionului Orhei',
			`"or" in the row doesn't match "raionului" in the registry.`,
		],
		['Moldova Moldova', 'Moldova SRL', `The registered name doesn't contain "Moldova".`],
		['S. Popescu', 'Satul Popescu', `"S" in the row doesn't match "Satul" in the registry.`],
		['Юг', 'Ug SRL', `"Юг" in the row doesn't match "Ug" in the registry.`],
		['Vălmora SRL', 'S.R.L. „VĂLMORA - CAHUL”', `The row's name is missing "CAHUL".`],
		['Apă-Canal SA', 'S.A. „APĂ-CANAL (CAHUL)”', `The row's name is missing "CAHUL".`],
		['SRL Vălmora - Cahul', 'Vălmora SRL', `The registered name doesn't contain "Cahul".`],
		['ИП Русу Э.', 'Î.I. „Rusu A.”', `"Э" in the row doesn't match "A" in the registry.`],
		['R?gob', 'Rogob', `"R?gob" in the row doesn't match "Rogob" in the registry.`],
		[
			'Delmarfarm',
			'DELMARFORM',
			`"Delmarfarm" in the row doesn't match "DELMARFORM" in the registry.`,
		],
		[
			'ÎI Pascari Mihai Andrei',
			'Î.I. „PASCARI ANDREI MIHAI”',
			'The words are in a different order.',
		],
		['ÎI Pascari V.', 'Î.I. „Pascari Ion”', `"V" in the row doesn't match "Ion" in the registry.`],
		[
			'Pascari V. SRL',
			'Pascari Vasile SRL',
			`"V" in the row doesn't match "Vasile" in the registry.`,
		],
		['Rogob Grup', 'Rogob SRL', `The registered name doesn't contain "Grup".`],
		[
			'Liceul Teoretic „Ion Ursu”',
			'Ion Ursu',
			`The registered name doesn't contain "Liceul Teoretic".`,
		],
		['Ion Ursu', 'Liceul Teoretic „Ion Ursu”', `The row's name is missing "Liceul Teoretic".`],
		['Agro Com Soroca', 'Agro Soroca', `The registered name doesn't contain "Com".`],
		[
			'Agroferma',
			'Agrofarma SRL',
			`"Agroferma" in the row doesn't match "Agrofarma" in the registry.`,
		],
		[
			'Interplast',
			'Interplant SRL',
			`"Interplast" in the row doesn't match "Interplant" in the registry.`,
		],
		['Mila', 'Milla SRL', `"Mila" in the row doesn't match "Milla" in the registry.`],
		[
			'panda.md',
			'Pandashop SRL',
			`"panda.md" isn't part of the name. "panda" in the row doesn't match "Pandashop" in the registry.`,
		],
		['Pan.Service', 'Pandora Service', `"Pan" in the row doesn't match "Pandora" in the registry.`],
		['Agro.Trans', 'Agrovin Trans', `"Agro" in the row doesn't match "Agrovin" in the registry.`],
		[
			'Constr.Nord',
			'Construct Nord',
			`"Constr" in the row doesn't match "Construct" in the registry.`,
		],
		[
			'Int. Trans',
			'Interfruct Trans',
			`"Int" in the row doesn't match "Interfruct" in the registry.`,
		],
		['Rogob', 'Sindicatul „Rogob”', `The row's name is missing "Sindicatul".`],
		['Î.M. Rogob', 'Î.I. „Rogob”', 'The legal forms differ: IM and II.'],
		['ГП Rogob', 'Rogob SRL', 'The legal forms differ: IS and SRL.'],
		['Marre', 'Mare SRL', `"Marre" in the row doesn't match "Mare" in the registry.`],
		[
			'Victor Auto',
			'Vector Auto SRL',
			`"Victor" in the row doesn't match "Vector" in the registry.`,
		],
		['', 'Vălmora SRL', `The row's name is missing "Vălmora".`],
	])('rejects "%s" as a match for "%s"', (row, company, reason) => {
		expect(compare(row, company)).toMatchObject({ quality: 'none', reason });
	});

	it('reads an ambiguous abbreviation as a legal form if the registered company has that form', () => {
		expect(compare('GT Popescu Vasile', 'Popescu Vasile', { legal_form: 'GȚ' }).quality).toBe(
			'exact',
		);
		expect(compare('GT Popescu Vasile', 'G.Ț. „Popescu Vasile”').quality).toBe('exact');
		expect(compare('GT Motors SRL', 'GT Motors', { legal_form: 'SRL' }).quality).toBe('exact');
	});

	it.each<[row: string, columns: RowColumns, quality: string]>([
		['Rogob Orhei', {}, 'strong'],
		['Rogob or. Cahul', {}, 'none'],
		['Rogob SRL, Orhei', {}, 'exact'],
		['Rogob SRL, Cahul', {}, 'likely'],
		['Rogob SRL', { city: 'mun. Orhei, str. Cahul 3' }, 'exact'],
		['Rogob SRL', { city: 'Оргеев' }, 'exact'],
		['Rogob SRL', { city: 'Republica Moldova' }, 'exact'],
		['Rogob SRL', { city: 'Cahul' }, 'likely'],
		['Rogop SRL', { city: 'Cahul' }, 'none'],
		['Rogob', { form: 'Societate cu răspundere limitată' }, 'exact'],
		['Rogob', { form: 'GȚ' }, 'none'],
	])(
		'gives the row "%s" with %j the match level "%s" for a company in Orhei',
		(row, columns, quality) => {
			const record = { city: 'Orhei', region: 'Orhei', legal_form: 'SRL' };
			expect(compare(row, 'Rogob SRL', record, columns).quality).toBe(quality);
			const elsewhere = quality === 'likely' || quality === 'none' ? {} : { city: '', region: '' };
			expect(compare(row, 'Rogob SRL', { ...record, ...elsewhere }, columns).quality).toBe(
				row === 'Rogob Orhei' ? 'none' : quality,
			);
		},
	);

	it.each([
		['Vadul lui Vodă', 'Ștefan Vodă', 'likely'],
		['Slobozia Mare', 'Slobozia', 'likely'],
		['or. Ștefan Vodă', 'raionul Ștefan Vodă', 'exact'],
		['Orhei', 'r-nul Orhei', 'exact'],
		['Orhei', 's. Peresecina, r-nul Orhei', 'likely'],
		['Chișinău', 'sec. Botanica, mun. Chișinău', 'exact'],

		['Anenii Noi', 'г. Новые Анены', 'exact'],
		['Cahul', 'București', 'likely'],
	])(
		'gives a company in "%s" and a row that says "%s" the match level "%s"',
		(city, rowCity, quality) => {
			expect(compare('Rogob', 'Rogob SRL', { city }, { city: rowCity }).quality).toBe(quality);
			expect(compare(`Rogob SRL, ${rowCity}`, 'Rogob SRL', { city }).quality).toBe(quality);
		},
	);

	it('gives a reason only once if both the name and the legal form column contradict the company', () => {
		const { reason } = compare('Vălmora SA', 'Vălmora SRL', {}, { form: 'SA' });
		expect(reason).toBe('The legal forms differ: SA and SRL.');
	});

	it('treats a city sector as part of its city', () => {
		const city = 'Chișinău Botanica';
		expect(compare('Rogob', 'Rogob SRL', { city: 'Chișinău' }, { city }).quality).toBe('exact');
	});

	it("compares the row's city with a place in the company's name", () => {
		expect(compare('Rogob', 'Rogob SRL, Cahul', {}, { city: 'Orhei' }).quality).toBe('likely');
	});

	it('rates a match as strong however many harmless differences it has', () => {
		const row = 'Firma Trans Bukuria Moldova SRL, filiala Orhei (client vechi)';
		expect(compare(row, 'Bucuria Trans SRL')).toMatchObject({ score: 0.8, quality: 'strong' });
	});

	it("doesn't match a company by a generic word and its location alone", () => {
		expect(compare('Cahul Rogob', 'Rogob SRL', { city: 'Cahul' }).quality).toBe('strong');
		expect(compare('Rogob Noi', 'Rogob SRL', { city: 'Anenii Noi' }).quality).toBe('none');
		expect(compare('Cahul Agro', 'Agro SRL', { city: 'Cahul' }).quality).toBe('none');
	});
});
