/** Words before a name that describe the company or its role, e.g. "Client". Folded. */
export const LEADING_WORDS = `
	atelierul autoservice autospalatoria autospalatorie barul bistro brutaria brutarie cafenea cafeneaua client
	clientul clinica cofetaria cofetarie compania companie croitoria croitorie depozit depozitul fabrica farmacia
	firma floraria florarie frizeria frizerie furnizor furnizorul grupul hotelul intreprinderea magazin magazinul
	mag partener partenerul patiseria patiserie pensiunea pizzeria pizzerie restaurant restaurantul salonul salon
	societatea spalatoria spalatorie supermarketul tipografia tipografie vulcanizare
	автомойка автосервис аптека бар гостиница завод кафе клиент клиника компания кондитерская магазин мастерская
	отель парикмахерская пекарня пиццерия поставщик предприятие ресторан салон склад столовая типография фабрика
	фирма
	dl dlui dna doamna domnul lui`;

/** Like the words above, but only if a description follows: "Agenția imobiliară". Folded. */
export const DESCRIBED_WORDS = 'agentia agentie cabinet cabinetul centru centrul biroul oficiul';

/** What can follow the words above, with or without "de": "Firma de construcții". Folded. */
export const LINES_OF_BUSINESS = `
	afaceri ambalaje asigurari audit avocatura cadouri comert companii confectii conserve constructii consultanta
	consulting contabilitate cosmetica curatenie distributie evenimente flori frumusete imobiliare infrumusetare
	incaltaminte jocuri jucarii lactate mezeluri mobila paza producere productie publicitate reparatii securitate
	servicii transport transporturi turism tamplarie vinuri`;

/** Adjectives that can follow as well: "Clinica stomatologică". Folded. */
export const DESCRIBING_WORDS = `
	agricola agricol alimentar alimentara auto avocatului comercial comerciala imobiliar imobiliara industrial industriala juridic juridica medical medicala
	mixt mixta privat privata stomatologic stomatologica turistic turistica universal universala veterinar
	veterinara online`;

/**
 * Words that only say what a company is. Grup, Plus, Nord and trades aren't here, because they tell an
 * owner's companies apart. Folded.
 */
export const GENERIC_WORDS = `
	company co corp corporation inc international internationala shop store общество торговый дом`;

/** Words in company names that people abbreviate, in full. Folded. */
export const SHORTENED_WORDS = `
	academia agentia agricol agricola agroindustrial agroindustriala alimentar alimentara asigurari asociatia
	autoservice biblioteca biroul cabinet cabinetul camera centrul centrala colegiul combinatul comercial comerciala
	comert comunal comunale compania complex complexul construct constructii constructie consulting consultanta
	consum cooperativa departamentul depozit depozitul directia distributie electric electronic energetic exploatare
	export fabrica farmaceutica farmacia federatia fundatia general gimnaziul gospodaria gradinita grupul hotel
	imobil imobiliar imobiliare import individuala industrial industriala industrie inginerie inspectoratul
	institutia institutul instalatii intreprinderea international internationala investitii laboratorul liceul
	logistica magazin magazinul management medical medicala medicina mobila municipal municipala national nationala
	oficiul organizatia panificatie patiseria petrolier pensiunea prelucrare primaria productie producere proiect
	proiectare publica raional raionala regionala reparatii republican republicana restaurant restaurantul salonul
	sanatate sectia service servicii silvica sindicatul societatea spitalul statia stomatologic stomatologica tehnic
	tehnica tehnologic tehnologica tehnologie teoretic transport transporturi turism uniunea universal universala
	universitatea uzina vinificatie`;
