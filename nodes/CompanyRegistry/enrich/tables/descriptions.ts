/** Words before a name that describe the company or its role for the list's owner. Folded. */
export const LEADING_WORDS = `
	atelierul cafeneaua client clientul clinica compania companie depozitul fabrica farmacia firma furnizor
	furnizorul grupul hotelul intreprinderea magazin magazinul mag partener partenerul pensiunea pizzeria
	restaurantul salonul salon societatea supermarketul
	завод клиент компания магазин предприятие поставщик ресторан салон склад фирма
	dl dlui dna doamna domnul lui`;

/** Follow "de" after one of the words above: "Firma de construcții Pietrarul". Folded. */
export const LINES_OF_BUSINESS = `
	ambalaje companii comert confectii conserve constructii consultanta distributie imobiliare incaltaminte
	lactate mezeluri mobila producere productie servicii transport transporturi turism vinuri`;

/** Words of company names that people shorten with a dot, in full and folded. */
export const SHORTENED_WORDS = `
	academia agentia agricol agricola agroindustrial asigurari asociatia autoservice biroul camera centrul
	centrala combinatul comercial comerciala comert comunal compania complex complexul construct constructii
	constructie consulting consultanta consum cooperativa departamentul directia distributie electric
	electronic energetic exploatare export fabrica farmaceutica farmacia fundatia general gospodaria grupul
	imobil imobiliar imobiliare import individuala industrial industriala industrie inspectoratul institutia
	institutul instalatii intreprinderea international internationala investitii laboratorul logistica
	management medical medicala medicina mobila municipala national nationala organizatia panificatie
	prelucrare productie producere proiect proiectare publica raional reparatii republican sanatate service
	servicii societatea tehnic tehnica tehnologie teoretic transport transporturi turism universal vinificatie`;
