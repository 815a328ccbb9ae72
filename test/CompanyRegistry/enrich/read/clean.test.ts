import { parseName, readingsOf } from '../../../../nodes/CompanyRegistry/enrich/read/clean';
import type { NameReading } from '../../../../nodes/CompanyRegistry/enrich/read/clean';
import { formsContradict } from '../../../../nodes/CompanyRegistry/enrich/read/legalForms';

function parts(name: string) {
	const { words, forms, possibleForms, places, branch } = parseName(name);
	return {
		words: words.map(({ spellings }) => spellings[0]),
		forms: [...forms].sort(),
		possible: [...possibleForms.values()],
		places: places.map((place) => place.name),
		branch: branch.map(({ spellings }) => spellings[0]),
	};
}

describe('Legal forms in a name', () => {
	it.each([
		['ŞOIMNOVA VIN S. R. L.', ['soimnova', 'vin'], ['srl']],
		['Societatea cu Răspundere Limitată Vălmora', ['valmora'], ['srl']],
		['ÎCS "Dornvest" SRL', ['dornvest'], ['ics', 'srl']],
		['Organizația de Creditare Nebancară Rapid Lei SRL', ['rapid', 'lei'], ['ocn', 'srl']],
		['GȚ Popescu Ion', ['popescu', 'ion'], ['gt']],
		['Gospodăria Țărănească (de fermier) Popescu Ion', ['popescu', 'ion'], ['gt']],
		['ООО Зефир', ['zefir'], ['srl']],
		['ОАО Зефир', ['zefir'], ['sa']],
		['К/Х Попеску', ['popescu'], ['gt']],
		['ЧП Попеску', ['popescu'], ['ii']],
		['SA Design SRL', ['sa', 'design'], ['srl']],
		['ÎI „GT Motors”', ['gt', 'motors'], ['ii']],
		['SRL', ['srl'], []],
		['SRL Vălmora SRL', ['valmora'], ['srl']],
		['Întrep. Ind. Popescu Ion', ['popescu', 'ion'], ['ii']],
		['Gosp. Țăr. Popescu Ion', ['popescu', 'ion'], ['gt']],
		['Soc. cu Răsp. Lim. Vălmora', ['valmora'], ['srl']],
		['Coop. de Întreprinzător Livada', ['livada'], ['ci']],
		['APLP 51/23', ['51', '23'], ['aplp']],
		['ТОО Зефир', ['zefir'], ['srl']],
		['ГП Зефир', ['zefir'], ['is']],
		['„”', [], []],
	])('splits "%s" into the words %j and the legal forms %j', (name, words, forms) => {
		expect(parts(name)).toMatchObject({ words, forms });
	});

	it.each([
		['GT Motors', ['gt']],
		['CC Invest', ['cc']],
		['IM Trade', ['im']],
		['Artex II', ['ii']],
	])('reads the abbreviation in "%s" as only a possible legal form', (name, possible) => {
		expect(parts(name)).toMatchObject({ forms: [], possible });
		expect(parts(name).words).toHaveLength(2);
	});

	it('treats two legal forms as contradictory unless one company can have both', () => {
		const contradict = (a: string[], b: string[]) => formsContradict(new Set(a), new Set(b));
		expect(contradict(['im'], ['ii'])).toBe(true);
		expect(contradict(['srl'], ['sa'])).toBe(true);
		expect(contradict(['ii'], ['gt'])).toBe(true);
		expect(contradict(['ics', 'srl'], ['sa'])).toBe(true);
		expect(contradict(['srl'], ['srl', 'ics'])).toBe(false);
		expect(contradict(['ics'], ['srl'])).toBe(false);
		expect(contradict(['ics'], ['gt'])).toBe(true);
		expect(contradict([], ['sa'])).toBe(false);
		// "Î.M." can mean either form. Written out, a municipal enterprise contradicts an SRL.
		expect(contradict(['im'], ['municipal'])).toBe(false);
		expect(contradict(['im'], ['srl'])).toBe(false);
		expect(contradict(['municipal'], ['srl'])).toBe(true);
	});
});

describe('Places and branches after a name', () => {
	it.each([
		['Vălmora SRL, or. Orhei', ['valmora'], ['orhei']],
		['Vălmora SRL Chișinău', ['valmora'], ['chisinau']],
		['Vălmora SRL, str. Uzinelor 5, Bălți', ['valmora'], ['balti']],
		['Vălmora SRL, str. Ștefan cel Mare 12', ['valmora'], []],
		['Vălmora SRL, str. Ștefan cel Mare 12, Manta', ['valmora'], ['manta']],
		['SRL „Vălmora, Cahul”', ['valmora', 'cahul'], []],
		['Vălmora SRL г. Кишинёв', ['valmora'], ['chisinau']],
		['Camera de Comerț Bălți', ['camera', 'comert', 'balti'], []],
		['SRL „Vălmora” Orhei', ['valmora'], ['orhei']],
		['Vălmora SRL, s. Ștrengari', ['valmora'], ['strengari']],
		['Vălmora SRL, s. Slobozia, Ștefan Vodă', ['valmora'], ['slobozia', 'stefan voda']],
		['Vălmora - Vin Nou', ['valmora', 'vin', 'nou'], []],
		['Vălmora (Orhei) SRL', ['valmora', 'orhei'], []],
		['Vălmora - Cahul SRL', ['valmora', 'cahul'], []],
	])('splits "%s" into the words %j and the places %j', (name, words, places) => {
		expect(parts(name)).toMatchObject({ words, places });
	});

	it.each(['filiala', 'filialei', 'sucursala', 'reprezentanta', 'reprezentanța', 'fil.', 'филиал'])(
		'recognizes a branch by the word "%s"',
		(word) => {
			expect(parts(`Vălmora SRL ${word} Bălți`)).toMatchObject({
				words: ['valmora'],
				forms: ['srl'],
				branch: ['balti'],
			});
		},
	);

	it('recognizes a branch only if its word stands between the company’s name and the branch’s', () => {
		expect(parts('Vălmora SRL представительство Бельцы').branch).toEqual(['belti']);
		expect(parts('Filiala Vălmora')).toMatchObject({ words: ['filiala', 'valmora'], branch: [] });
	});
});

const placesOf = (reading?: NameReading) => [
	...new Set(reading?.name.places.map(({ name }) => name)),
];

/** The names that a row can mean, starting with the text as written. */
const readings = (row: string) =>
	readingsOf(row).map(({ name }) => name.words.map(({ spellings }) => spellings[0]).join(' '));

describe('readingsOf', () => {
	it.each([
		['a note', 'Vălmora SRL (client vechi)'],
		['a note after a dash', 'Vălmora SRL - furnizor'],
		['a note without punctuation', 'Vălmora SRL NEACTIV'],
		['a number before and after the name', '1. Vălmora SRL (2)'],
		['a phone number', 'Vălmora SRL, Tel. 069 123 456'],
		['a tax number', 'Vălmora S.R.L. c/f 1003600099999'],
		['an email address', 'Vălmora SRL office@lunca.md'],
		['a web address', 'Vălmora SRL https://lunca.md/despre'],
		['everything but the name', 'www.valmora.md'],
		['everything but the name', 'https://www.valmora.com.md/'],
		['invisible characters', '\u200eVăl\u00admora\u200f SRL'],
		['HTML markup', '&quot;V&#259;lmora&quot; <b>SRL</b>'],
		['a leading word', 'Firma Vălmora'],
		['a leading word in Russian', 'Компания Vălmora'],
		['leading words', 'Compania de construcții Vălmora'],
		['a brand before the name', 'Lunca (Vălmora SRL)'],
		['a brand after the name', 'SRL Vălmora - Lunca'],
		['a description before quotation marks', 'Lunca de Sus „Vălmora” SRL'],
		['a postcode', 'Vălmora SRL, MD-6401'],
		['a bank account', 'Vălmora SRL, MD24AG000225100013104168'],
		['a note after a name with two forms before it', 'ÎCS SRL Vălmora (client)'],
		['a status without a legal form before it', 'SRL Vălmora în proces de lichidare'],
		['a status in Russian', 'Вэлмора в ликвидации'],
		['a brand before a name with a note', 'Lunca (Vălmora SRL client vechi)'],
		['the name in Russian', 'Vălmora SRL (ООО «Вэлмора»)'],
	])('ignores %s in the row "%s"', (_, row) => {
		expect(readings(row).at(-1)).toBe('valmora');
	});

	it.each([
		['Magazinul Auto', 'nothing distinctive is left'],
		['Lunca - Vălmora', 'it does not say which is the registered name'],
		['Farmacia 14', 'a number is not a name'],
		['Farmacia nr. 14', 'a number is not a name'],
		['Vălmora SRL / Zefirul SRL', 'it names two companies'],
		['Vălmora SRL fost Zefirul SRL', 'it names two companies'],
		['Magazinul Nord SRL', '"Nord" is too common to be the whole name'],
		['Magazinul Cafenea', 'nothing but leading words is left'],
		['Lichidare Zefirul', 'a status comes after the name'],
		['Prod.Com SRL', 'a capital letter after the dot rules out a domain'],
		['Olăria Veche SA', 'before a legal form, "Veche" belongs to the name'],
	])('reads the row "%s" only as written, because %s', (row) => {
		expect(readings(row)).toHaveLength(1);
	});

	it('ignores a note after a common word if a legal form separates them', () => {
		expect(readings('Nord SRL (client vechi)').at(-1)).toBe('nord');
	});

	it('keeps a row’s places, so they can contradict a company’s location', () => {
		const [, cleaned] = readingsOf('Lunca (Vălmora SRL), Orhei');
		expect(placesOf(cleaned)).toEqual(['orhei']);
		expect(cleaned?.ignored).toEqual(['Lunca']);
		const [, inMare] = readingsOf('Vălmora SRL, client, Slobozia Mare');
		expect(placesOf(inMare)).toEqual(['slobozia mare']);
		const [, inVillage] = readingsOf('Vălmora SRL, client, s. Peresecina, achitat');
		expect(placesOf(inVillage)).toEqual(['peresecina']);
	});
});
