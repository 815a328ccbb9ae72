/**
 * Words that don't tell companies apart, by what they say. Folded; collected from registered names and
 * from lists in public procurement data.
 */

/** What a row calls a company, and premises: before a name, they only describe it. */
export const LEADING = `
	client clientul furnizor furnizorul partener partenerul grupul intreprinderea societatea клиент предприятие поставщик
	lui
	atelierul autoservice autospalatoria autospalatorie barul bistro brutaria brutarie cafenea cafeneaua clinica
	cofetaria cofetarie croitoria croitorie depozit depozitul fabrica farmacia floraria florarie frizeria frizerie
	hotelul magazin magazinul mag patiseria patiserie pensiunea pizzeria pizzerie restaurant restaurantul salonul
	salon spalatoria spalatorie supermarketul tipografia tipografie vulcanizare compania companie firma
	автомойка автосервис аптека бар гостиница завод кафе клиника компания кондитерская магазин мастерская
	отель парикмахерская пекарня пиццерия ресторан салон склад столовая типография фабрика фирма`;

/** Before a name without a legal form, these say that it's a person's. */
export const TITLES = 'dl dlui dna doamna domnul господин госпожа';

/** What can follow the words above, with or without "de": "Firma de construcții". */
export const TRADES = `
	afaceri ambalaje asigurari audit avocatura cadouri comert companii confectii conserve constructii consultanta
	consulting contabilitate cosmetica curatenie distributie evenimente flori frumusete imobiliare infrumusetare
	incaltaminte jocuri jucarii lactate mezeluri mobila paza producere productie publicitate reparatii securitate
	servicii transport transporturi turism tamplarie vinuri`;

/** Adjectives that can follow as well: "Clinica stomatologică". */
export const DESCRIBING = `
	agricol agricola alimentar alimentara auto comercial comerciala imobiliar imobiliara industrial
	industriala juridic juridica medical medicala mixt mixta privat privata stomatologic stomatologica turistic
	turistica universal universala veterinar veterinara`;

/**
 * Words that only say that it's a company. Grup, Plus, Nord and trades aren't here, because they tell an
 * owner's companies apart.
 */
export const COMPANY = `company co corp corporation inc international internationala shop store общество торговый дом`;

/** Other common words, so that one isn't mistaken for a typo of another, or searched for alone. */
export const COMMON = `
	academia agentia agentie asociatia banca biblioteca biroul biserica cabinet cabinetul camera centrul clubul
	colegiul comitetul consiliul directia editura federatia filiala fundatia gimnaziul gradinita industrie
	institutia institutul inspectoratul liceul liga ministerul muzeul oficiul organizatia primaria sindicatul
	spitalul scoala teatrul uniunea universitatea agro alfa alta alto alma arta avia beta beton blitz bravo
	business capital casa central centru class classic com complex construct consult continent continental
	cooperativa decor delta design dent development drum eco electro electronic elit elita energy energo euro
	european expert expo export express farm farma fast ferma fier fin finance forest forum fruct gama gaz
	global gold grand grant green group grup holding hotel house ideal imobil impex import industria info
	instal inter invest invent investment lact lemn lider line logistic logistica lumina luna lux luxor magnat
	magnet magnit maximum media medic mega metal mobil mobile modern moda motor motors natur natura nord nova
	novo oil omega opt orient oriental orion panificatie parc partner petrol piata plast plus premier premium
	prest prestige prestigiu prim prima primo print pro product prod profi progres project proiect rapid real
	regal royal rural sanatate sector sediu sediul service servis sigma smart social soft solar solution stalt
	standard star stat steel stil studio style sud sun super tehnic tehnica tehno tehnologie tehnologii terra
	textil tour tours trade trading trans transcom travel tur unic unit union universul vector vega veta vest
	vet victor vin vinaria vinarie vita viva vital xxi zona`;

/** Further words that lists shorten, as in "Inst. de Proiect.". */
export const SHORTENED = `
	agroindustrial agroindustriala combinatul comunal comunale constructie consum departamentul electric
	energetic exploatare farmaceutica general gospodaria individuala inginerie instalatii investitii
	laboratorul management materiale medicina municipal municipala national nationala petrolier prelucrare
	proiectare publica raional raionala regionala republican republicana sectia silvica statia tehnologic
	tehnologica teoretic vinificatie`;

/** What comes between a company's name and a town: "SRL Vălmora filiala Bălți". */
export const BRANCHES = 'filiala sucursala филиал';

/** Connecting words, which don't tell companies apart. */
export const JOINING = 'a de di din la cu si and al ai ale pe pentru in и де nr no n';
