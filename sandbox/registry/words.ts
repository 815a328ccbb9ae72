/** Parts of fictional company names, combined at random. */
export const NAME_HEADS = [
	'Văl',
	'Șoim',
	'Brân',
	'Țarn',
	'Lumi',
	'Ceră',
	'Dorn',
	'Zăv',
	'Mirv',
	'Prelu',
	'Strâm',
	'Cotro',
	'Ghind',
	'Nuci',
	'Ruscă',
	'Ostru',
	'Plăieș',
	'Verv',
	'Înălț',
	'Câmpi',
] as const;

export const NAME_TAILS = [
	'mora',
	'țara',
	'dova',
	'vest',
	'lina',
	'șani',
	'nova',
	'teza',
	'coria',
	'reni',
	'pola',
	'gest',
	'dâra',
	'fina',
	'zica',
	'nița',
] as const;

export const TRADES = [
	{
		word: 'Agro',
		caen: {
			code: '0111',
			description:
				'Cultivarea cerealelor (exclusiv orez), plantelor leguminoase și a plantelor producătoare de semințe oleaginoase',
		},
	},
	{ word: 'Vin', caen: { code: '1102', description: 'Fabricarea vinurilor din struguri' } },
	{
		word: 'Panificație',
		caen: {
			code: '1071',
			description:
				'Fabricarea pâinii; fabricarea prăjiturilor și a produselor proaspete de patiserie',
		},
	},
	{
		word: 'Textil',
		caen: {
			code: '1413',
			description: 'Fabricarea altor articole de îmbrăcăminte (exclusiv lenjeria de corp)',
		},
	},
	{
		word: 'Construct',
		caen: {
			code: '4120',
			description: 'Lucrări de construcții a clădirilor rezidențiale și nerezidențiale',
		},
	},
	{
		word: 'Instal',
		caen: {
			code: '4322',
			description: 'Lucrări de instalații sanitare, de încălzire și de aer condiționat',
		},
	},
	{
		word: 'Auto',
		caen: { code: '4520', description: 'Întreținerea și repararea autovehiculelor' },
	},
	{
		word: 'Comerț',
		caen: {
			code: '4711',
			description:
				'Comerț cu amănuntul în magazine nespecializate, cu vânzare predominantă de produse alimentare, băuturi și tutun',
		},
	},
	{
		word: 'Farm',
		caen: {
			code: '4773',
			description: 'Comerț cu amănuntul al produselor farmaceutice, în magazine specializate',
		},
	},
	{ word: 'Trans', caen: { code: '4941', description: 'Transporturi rutiere de mărfuri' } },
	{ word: 'Tur', caen: { code: '7911', description: 'Activități ale agențiilor turistice' } },
	{ word: 'Gastro', caen: { code: '5610', description: 'Restaurante' } },
	{
		word: 'Soft',
		caen: {
			code: '6201',
			description: 'Activități de realizare a software-ului la comandă (software orientat client)',
		},
	},
	{
		word: 'Consult',
		caen: { code: '7022', description: 'Activități de consultanță pentru afaceri și management' },
	},
	{
		word: 'Imobil',
		caen: {
			code: '6820',
			description: 'Închirierea și subînchirierea bunurilor imobiliare proprii sau închiriate',
		},
	},
	{ word: 'Mobilă', caen: { code: '3109', description: 'Fabricarea de mobilă n.c.a.' } },
] as const;

/** Legal forms, as they are written in different places. */
export const LEGAL_FORMS = ['SRL', 'S.R.L.', 'SA', 'S.A.', 'ÎI', 'I.I.', 'ÎS', 'CC'] as const;

export const REGIONS = [
	{ region: 'Chișinău', cities: ['Chișinău', 'Codru', 'Durlești', 'Sîngera', 'Vadul lui Vodă'] },
	{ region: 'Bălți', cities: ['Bălți'] },
	{ region: 'Cahul', cities: ['Cahul', 'Giurgiulești'] },
	{ region: 'Călărași', cities: ['Călărași'] },
	{ region: 'Căușeni', cities: ['Căușeni', 'Căinari'] },
	{ region: 'Edineț', cities: ['Edineț', 'Cupcini'] },
	{ region: 'Fălești', cities: ['Fălești'] },
	{ region: 'Florești', cities: ['Florești', 'Ghindești'] },
	{ region: 'Hîncești', cities: ['Hîncești'] },
	{ region: 'Ialoveni', cities: ['Ialoveni'] },
	{ region: 'Orhei', cities: ['Orhei'] },
	{ region: 'Soroca', cities: ['Soroca'] },
	{ region: 'Strășeni', cities: ['Strășeni', 'Bucovăț'] },
	{ region: 'Ștefan Vodă', cities: ['Ștefan Vodă'] },
	{ region: 'Ungheni', cities: ['Ungheni', 'Cornești'] },
	{ region: 'UTA Găgăuzia', cities: ['Comrat', 'Ceadîr-Lunga', 'Vulcănești'] },
] as const;

export const STREETS = [
	'str. Livezilor',
	'str. Izvoarelor',
	'bd. Dacilor',
	'str. Morii',
	'str. Viilor',
	'șos. Codrilor',
] as const;

export const FIRST_NAMES = [
	'Ana',
	'Ion',
	'Maria',
	'Vasile',
	'Elena',
	'Ștefan',
	'Doina',
	'Andrei',
	'Natalia',
	'Mihai',
	'Țvetana',
	'Sergiu',
] as const;

export const LAST_NAMES = [
	'Rusu',
	'Ceban',
	'Munteanu',
	'Țurcan',
	'Cojocaru',
	'Lupașcu',
	'Rotaru',
	'Bălan',
	'Moraru',
	'Grosu',
	'Șerban',
	'Cebotari',
] as const;
