/** Parts of fictional company names, combined at random. */
export const NAME_HEADS = (
	'Văl,Șoim,Brân,Țarn,Lumi,Ceră,Dorn,Zăv,Mirv,Prelu,Strâm,Cotro,Ghind,Nuci,' +
	'Ruscă,Ostru,Plăieș,Verv,Înălț,Câmpi'
).split(',');

export const NAME_TAILS = (
	'mora,țara,dova,vest,lina,șani,nova,teza,coria,reni,pola,gest,dâra,fina,' + 'zica,nița'
).split(',');

/** Part of a company name, CAEN code and its description. */
export const TRADES = `
Agro|0111|Cultivarea cerealelor (exclusiv orez), plantelor leguminoase și a plantelor producătoare de semințe oleaginoase
Vin|1102|Fabricarea vinurilor din struguri
Panificație|1071|Fabricarea pâinii; fabricarea prăjiturilor și a produselor proaspete de patiserie
Textil|1413|Fabricarea altor articole de îmbrăcăminte (exclusiv lenjeria de corp)
Construct|4120|Lucrări de construcții a clădirilor rezidențiale și nerezidențiale
Instal|4322|Lucrări de instalații sanitare, de încălzire și de aer condiționat
Auto|4520|Întreținerea și repararea autovehiculelor
Comerț|4711|Comerț cu amănuntul în magazine nespecializate, cu vânzare predominantă de produse alimentare, băuturi și tutun
Farm|4773|Comerț cu amănuntul al produselor farmaceutice, în magazine specializate
Trans|4941|Transporturi rutiere de mărfuri
Tur|7911|Activități ale agențiilor turistice
Gastro|5610|Restaurante
Soft|6201|Activități de realizare a software-ului la comandă (software orientat client)
Consult|7022|Activități de consultanță pentru afaceri și management
Imobil|6820|Închirierea și subînchirierea bunurilor imobiliare proprii sau închiriate
Mobilă|3109|Fabricarea de mobilă n.c.a.
`
	.trim()
	.split('\n')
	.map((line) => {
		const [word = '', code = '', description = ''] = line.split('|');
		return { word, caen: { code, description } };
	});

/** Legal forms, as they are written in different places. */
export const LEGAL_FORMS = 'SRL,S.R.L.,SA,S.A.,ÎI,I.I.,ÎS,CC'.split(',');

/** Districts and municipalities, each with its towns. */
export const REGIONS = `
Chișinău: Chișinău,Codru,Durlești,Sîngera,Vadul lui Vodă
Bălți: Bălți
Cahul: Cahul,Giurgiulești
Călărași: Călărași
Căușeni: Căușeni,Căinari
Edineț: Edineț,Cupcini
Fălești: Fălești
Florești: Florești,Ghindești
Hîncești: Hîncești
Ialoveni: Ialoveni
Orhei: Orhei
Soroca: Soroca
Strășeni: Strășeni,Bucovăț
Ștefan Vodă: Ștefan Vodă
Ungheni: Ungheni,Cornești
UTA Găgăuzia: Comrat,Ceadîr-Lunga,Vulcănești
`
	.trim()
	.split('\n')
	.map((line) => {
		const [region = '', cities = ''] = line.split(': ');
		return { region, cities: cities.split(',') };
	});

export const STREETS =
	'str. Livezilor,str. Izvoarelor,bd. Dacilor,str. Morii,str. Viilor,șos. Codrilor'.split(',');
export const FIRST_NAMES =
	'Ana,Ion,Maria,Vasile,Elena,Ștefan,Doina,Andrei,Natalia,Mihai,Țvetana,Sergiu'.split(',');
export const LAST_NAMES = (
	'Rusu,Ceban,Munteanu,Țurcan,Cojocaru,Lupașcu,Rotaru,Bălan,Moraru,Grosu,' + 'Șerban,Cebotari'
).split(',');
