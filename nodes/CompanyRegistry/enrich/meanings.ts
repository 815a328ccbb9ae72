import { remembered } from '../../shared/node/texts';
import { fold } from '../names/words';

/**
 * Words in the headings of real exports, forms and tables, in English, Romanian and Russian, by what they
 * say about a column. An asterisk stands for any ending. A word can have several meanings.
 */
const WORDS = {
	// Numbers
	idno: 'idno* | идно',
	/** Abbreviations that could mean something else next to an unknown word. */
	taxNumber: 'tin cif cui cf taxid codfiscal | инн фк',
	/** Where CRMs keep a company's number, which may or may not be the IDNO. */
	vat: 'vat registry | tva | ндс',
	/** With `number`, it's the IDNO. */
	official: `tax registration reg identification
		| fiscal* inregistrar* identificar*
		| фиск* налогов* рег регистрационн* идентификационн*`,
	number: 'number no num nr code id | numar* cod codul | номер код',
	/** A person's number, unless the cell has a company's. */
	personNumber: 'cnp idnp | иднп',

	// Names
	title: 'denum* den | назв* наименовани* наим',
	/** A name that can be a person's. */
	plain: 'name | nume numele',
	whole: 'full | complet* deplin* | полн*',
	/** The only name in some lists. In others, it can be anything. */
	caption: 'title caption | titlu titlul',
	/** In a file without headings. */
	nameless: 'column col field empty unnamed | coloana camp | столбец колонка поле',
	company: `company organization organisation org business entity firm enterprise corporation employer taxpayer
		| compani* firm* societat* intreprinder* organizati* instituti* entitat* asociatia asociatiei ong angajator* contribuabil*
		| компани* фирм* предприяти* организаци* орг учреждени* юл юрлиц* работодател* налогоплательщик*`,
	/** A company together with a word from `legal`: "Agent economic". */
	agent: 'agent ag agentul agentului operator* op persoana persoanei | лицо лица',
	legal: 'legal* economic* ec juridic* jur jurid organizatoric* | юридическ* юр правов*',
	/** The company of a document. Beside it, an organization is the user's own. */
	counterparty: 'counterparty | contragent* | контрагент*',

	// Sides: who a company is in a sale, a payment or a delivery
	buyer: `customer buyer purchaser importer subscriber tenant lessee
		| client* cumparator* beneficiar* importator* abonat* locatar* chirias* arendas*
		| клиент* покупател* заказчик* импортер* абонент* арендатор*`,
	payer: 'payer | platitor* | плательщик*',
	seller: `supplier vendor seller sender shipper exporter contractor bidder tenderer creditor landlord lessor
		| furnizor* vanzator* expeditor* prestator* exportator* executant* antreprenor* ofertant* castigator* locator* arendator*
		| поставщик* продав* отправител* грузоотправител* экспортер* подрядчик* исполнител* победител* кредитор* арендодател*`,
	receiver: 'receiver recipient consignee payee | destinatar* | получател* грузополучател*',
	carrier: 'carrier transporter | transportator* | перевозчик*',
	party: `party partner applicant merchant issuer debtor licensee manufacturer subcontractor
		distributor
		| partener* contractant* participant* solicitant* titular* producator* emitent* debitor* subantreprenor* part par
		distribuitor*
		| партнер* участник* производител* эмитент* дебитор* субподрядчик*
		дистрибьютор*`,

	// Places and forms
	city: `city town locality municipality
		| localitat* loc oras* municipi* sat satul comun*
		| город* село населенн* нас`,
	/** Can be a town. */
	district: 'district | raion* | район*',
	/** Can be a country as well. */
	vagueCity: 'location',
	country: 'country | tara | страна',
	/** Too large to contradict a company's town. */
	region: 'region | regiun* judet* | регион* област*',
	address: 'address addresses addr | adr adresa sediu* | адрес*',
	/** The company's own place. */
	seat: 'headquarters hq registered billing bill office | sediu* social*',
	/** The place of a person or a delivery. */
	elsewhere: `mailing home private shipping ship delivery
		| corespondent* domicili* livrar*
		| проживани* доставк*`,
	form: 'form legalform | forma | форма опф окопф',

	// Other people, companies and things
	/** Only people have one. */
	person: `first firstname last lastname middle given family surname job headline salutation
		| prenum* functia functie
		| фамили* отчеств* должност*`,
	/** Of a person, whatever else the heading says: "Data nașterii". */
	born: 'birth* dob gender sex | nasteri* varst* | рожден* возраст* пол',
	contact: 'contact* | контакт*',
	/** Another person or company than the row's. */
	role: `parent holding owner founder manager executive accountant bank shareholder person employee user assignee
		workspace branch subsidiary unit our my previous former old
		| fondator* administrator* director* conducator* contabil* banc* asociat asociatul asociati asociatii actionar*
		reprezentant* responsabil* proprietar* angajat angajatul angajatului angajati angajatii angajatilor angajata
		utilizator* filial* sucursal* subdiviziun* nostru noastra anterio* fost fosta fostul veche vechea vechi
		| учредител* директор* руководител* управляющ* бухгалтер* банк* представител* ответственн* владел*
		собственник* фио сотрудник* заявител* филиал* подразделени* наш наша наше предыдущ* прежн* бывш* старое старая старый`,
	/** Only products have one. */
	product: 'ean gtin barcode sku',
	thing: `date time timestamp created updated phone telephone mobile fax iban email mail website url domain linked linkedin
		status group industry size revenue amount price product* item* service* deal lead task project event
		campaign street zip state department file invoice order statement
		| data telefon* mobil cont contul factur* comand* document* contract bare statut*
		grup* domeniu* produs* serviciu* marf* suma pret* valoar* extras
		| дата время телефон* счет* штрих* статус сайт почт* товар* продукт* услуг* сделк* лид* задач*
		документ* договор* выписк* сумма цена`,
	/** Says whether it's a person. */
	kind: 'type kind category | tip tipul categori* | тип вид категори*',
	account: 'account',
	/** Any text. */
	note: 'note descri* comment remark | observati* mentiun* | примечан* комментар* описан*',
	whether: 'is',
	/** Says nothing about what the column is. */
	filler: `of the and or official display required main primary default holder
		what which do you your work for represent
		| de al a si sau unic* in organizare oficial* stat este care
		ce cum din dvs dumneavoastra lucrati activati reprezentati sunteti
		| официальн* гос государственн* имя пункт и или
		в из какая какой какую вы ваш* работаете представляете`,
};

/** A word that isn't in the table is unknown. */
export type Meaning = keyof typeof WORDS | 'unknown';

const PATTERNS = Object.entries(WORDS).map(([meaning, words]): [Meaning, RegExp] => {
	const patterns = fold(words).match(/[^\s|]+/g) ?? [];
	return [
		meaning as Meaning,
		new RegExp(`^(?:${patterns.join('|').replaceAll('*', '\\p{L}*')})$`, 'u'),
	];
});

export const meaningsOf = remembered((word): readonly Meaning[] => {
	const known = PATTERNS.filter(([, pattern]) => pattern.test(word));
	return known.length > 0 ? known.map(([meaning]) => meaning) : ['unknown'];
});

/** What CRMs put around the names of custom columns. */
const CUSTOM =
	/(?<=^|\s)(?:card(?=name)|x_studio_|x_|custom_|cf_|uf_?crm_?\d*_?|uf_|custentity_|udf_|u_|property_|cr[\da-f]{3}_|new_)|_{1,2}c$|__r$|_text$|_string$/gi;

/** As in `accountname` or `billcity`. */
const JOINED =
	/(company|account|organi[sz]ation|org|business|legal|employer|customer|client|buyer|seller|vendor|supplier|billing|bill|shipping|ship)(?=name|city|town)/gi;

/** The folded words of a name in any style: "Denumirea firmei", `company_name`, "companyName". */
export function wordsIn(name: string): string[] {
	const spaced = name
		.replace(CUSTOM, '')
		.replace(JOINED, '$1 ')
		.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
	// "C.U.I." and "C/F" are one word each.
	const joined = fold(spaced).replace(/(?<!\p{L})\p{L}(?:[./]\p{L})+(?!\p{L})/gu, (initials) =>
		initials.replace(/[./]/g, ''),
	);
	return joined.match(/\p{L}+/gu) ?? [];
}

/** A name without escape sequences: "Legal Form" for `Legal_x0020_Form`. */
export function decoded(name: string): string {
	return name.replace(/_x([\da-f]{4})_/gi, (_, code: string) =>
		String.fromCharCode(parseInt(code, 16)),
	);
}
