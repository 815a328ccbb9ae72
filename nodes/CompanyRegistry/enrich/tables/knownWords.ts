/** Words for kinds of organizations. */
const ORGANIZATIONS = `
	academia agentia asociatia banca biroul biserica cabinetul camera centrul clinica clubul colegiul
	comert comitetul consiliul directia editura fabrica federatia filiala fundatia gradinita grupul
	industrie institutia institutul inspectoratul liceul liga ministerul muzeul oficiul organizatia primaria
	sindicatul societatea spitalul scoala teatrul uniunea universitatea`;

/** Common words in company names, so one isn't mistaken for a typo of another. Folded. */
const BUSINESS_WORDS = `
	agro alfa alta alto alma arta auto avia beta beton blitz bravo business capital casa central centru
	class classic comert com comerciala compania companie complex construct constructii consult consulting
	continent continental cooperativa decor delta design dent development distribution drum eco electro
	electronic elit elita energy energo euro european expert expo export express farm farma farmacia fast
	ferma fier fin finance forest forum fruct gama gaz global gold grand grant green group grup holding
	hotel house ideal imobil impex import industrial industria info instal inter international invest
	invent investment lact lemn lider line logistic logistica lumina luna lux luxor magazin magnat magnet
	magnit maximum media medic mega metal mobil mobila mobile modern moda motor motors natur natura nord
	nova novo oil omega opt orient oriental orion panificatie parc partener partner petrol piata plast plus
	premier premium prest prestige prim prima primo print pro product prod profi progres project proiect
	rapid real regal restaurant royal rural sanatate sector servicii service servis sigma smart social
	soft solar solution stalt standard star stat steel stil studio style sud sun super tehnic tehnica tehno
	tehnologie tehnologii terra textil tour tours trade trading trans transport transcom travel tur turism
	unic unit union universal universul vector vega veta vest vet victor vin vinaria vinarie vita viva vital
	xxi zona`;

const wordsIn = (list: string) => new Set(list.trim().split(/\s+/));

export const KNOWN_WORDS: ReadonlySet<string> = wordsIn(`${BUSINESS_WORDS} ${ORGANIZATIONS}`);

/** Words that make a name another organization's: a company's trade union isn't the company. */
export const ORGANIZATION_WORDS: ReadonlySet<string> = wordsIn(ORGANIZATIONS);
