import { processMap } from '../../shared/http/processMap';
import { fold } from '../names/words';

/**
 * Words in the headings of real exports, forms and tables, by what they say about a column, in English,
 * Romanian and Russian. An asterisk stands for any ending.
 */
const WORDS = {
	idno: 'idno* | идно',
	taxNumber: 'tin cif cui cf taxid codfiscal | инн фк',
	/** Where CRMs keep a company's number. */
	vat: 'vat | tva | ндс',
	register: 'registry',
	tax: 'tax | fiscal* | фискальн* налогов*',
	registration: `registration identification | inregistrar* identificar* | регистрационн* идентификационн*`,
	number: 'number no num nr code id | numar* cod codul | номер код',
	title: 'denumir* den | названи* наименовани* наим',
	/** A name that can be a person's. */
	plainName: 'name companyname firstname lastname | nume numele numelui',
	whole: 'full | complet* deplin* | полн*',
	company: `company companyname organization organisation org business entity firm enterprise corporation employer taxpayer
		| compani* firm* societat* intreprinder* organizati* instituti* asociatia asociatiei ong angajator* contribuabil*
		| компани* фирм* предприяти* организаци* орг учреждени* юл юрлиц* работодател* налогоплательщик*`,
	/** A company together with a word from `legal`: "Agent economic". */
	agent: 'agent ag agentul agentului operator* persoana persoanei | лицо лица',
	legal: `legal juridical | legal* economic* ec juridic* jur jurid organizatoric* org | юридическ* юр правов* организационн*`,
	buyer: `client customer buyer purchaser importer | client* cumparator* beneficiar* importator*
		| клиент* покупател* заказчик* импортер*`,
	seller: `supplier vendor seller exporter contractor bidder tenderer
		| furnizor* vanzator* prestator* exportator* executant* antreprenor* ofertant* castigator*
		| поставщик* продав* экспортер* подрядчик* исполнител* победител*`,
	/** In a list of documents, as opposed to the user's own company. */
	counterparty: 'counterparty | contragent* | контрагент*',
	party: `party partner counterparty applicant merchant payer issuer debtor licensee
		| partener* contragent* contractant* participant* solicitant* titular* producator* platitor* emitent*
		debitor* part par
		| контрагент* партнер* участник* производител* плательщик* эмитент* дебитор*`,
	payer: 'payer | platitor* | плательщик*',
	receiver: 'receiver recipient consignee payee | destinatar* | получател*',
	carrier: 'carrier transporter | transportator* | перевозчик*',
	account: 'account',
	city: `city town locality municipality | localitat* loc oras* municipi* sat satul comun*
		| город* село населенн* нас`,
	district: 'district location | raion* | район*',
	/** Too large, or too vague, to contradict a company's town. */
	region: 'region | regiun* judet* | регион* област*',
	/** The company's own place, as opposed to that of a person or a delivery. */
	seat: 'headquarters hq registered billing bill office | sediu* social*',
	elsewhere: 'mailing home private | corespondent* domicili* | проживани* почтов*',
	delivery: 'shipping ship delivery | livrar* | доставк*',
	form: 'form | forma formei | форма формы опф окопф',
	/** Says nothing about what the column is. */
	filler: `of the and or official address addresses addr display required main primary default holder in
		| de al a ale si sau unic* adr adresa din in organizare | официальн* имя пункт и или`,
	address: 'address addresses addr addrs | adr adresa adresei sediu* | адрес*',
	/** Where a list has nothing else for the name. */
	caption: 'title caption',
	whether: 'is | este',
	partOfName:
		'first firstname last lastname middle given family surname | prenum* | фамили* отчеств*',
	/** Only people, products and tasks have one. */
	position:
		'job headline salutation birthday gender assignee ean gtin barcode sku | functia functie | должност*',
	contact: 'contact | contact* | контакт*',
	/** Another person or company than the one that the row is about. */
	role: `parent holding owner founder director manager executive accountant bank shareholder person contact employee user workspace
		| fondator* administrator* director* conducator* contabil* banc* asociat asociatul asociati asociatii actionar* reprezentant* responsabil* proprietar* contact* angajat angajatul angajatului angajati angajatii angajatilor angajata utilizator*
		| учредител* директор* руководител* управляющ* бухгалтер* банк* представител* ответственн* владел* собственник*
		фио контактн* сотрудник* заявител*`,
	/** Any text. */
	note: `note description comment remark | observati* mentiun* | примечан* комментар* описан*`,
	/** The number of a person. */
	personal: 'cnp idnp | иднп',
	/** Neither a person nor a company. */
	thing: `date time timestamp created updated phone telephone mobile fax iban email
		mail website url domain linkedin type status category group industry size revenue amount price product*
		item* service deal lead task project event campaign street zip country state department file invoice order document contract
		| data datei telefon* mobil cont contul iban factur* comand* document* contract bare tip tipul statut* categori* grup*
		domeniu* produs* serviciu* marf* suma pret* valoar*
		| дата время телефон* счет* штрих* тип статус категори* сайт почт* товар* продукт* услуг* сделк* лид*
		задач* документ* договор* сумма цена`,
};

/** A word that isn't in the table is unknown. */
type Meaning = keyof typeof WORDS | 'unknown' | 'companyItself';

const PATTERNS = Object.entries(WORDS).map(([meaning, words]): [Meaning, RegExp] => {
	const patterns = fold(words)
		.match(/[^\s|]+/g)
		?.join('|')
		.replaceAll('*', '\\p{L}*');
	return [meaning as Meaning, new RegExp(`^(?:${patterns})$`, 'u')];
});

/** A word's meanings. It can have several. */
function meaningsOf(word: string): Meaning[] {
	const known = PATTERNS.filter(([, pattern]) => pattern.test(word));
	return known.length > 0 ? known.map(([meaning]) => meaning) : ['unknown'];
}

/** What CRMs put around the names of custom columns. */
const CUSTOM =
	/(?<=^|\s)(?:x_studio_|x_|custom_|cf_|uf_?crm_?\d*_?|uf_|custentity_|udf_|u_|property_|cr[\da-f]{3}_|new_)|_{1,2}c$|__r$|_text$|_string$/gi;

/** A name without escaped signs: "Legal Form" for `Legal_x0020_Form`. */
export function decoded(name: string): string {
	return name.replace(/_x([\da-f]{4})_/gi, (_, code: string) =>
		String.fromCharCode(parseInt(code, 16)),
	);
}

/** As in `accountname` or `billcity`. */
const JOINED =
	/(company|account|organi[sz]ation|customer|client|vendor|supplier|billing|bill|shipping|ship)(?=name|city|town)/gi;

/** The words of a name in any style, without what a CRM puts around it. */
function spacedOut(name: string): string {
	return name
		.replace(CUSTOM, '')
		.replace(JOINED, '$1 ')
		.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
}

/** As in "Current company", but not in "Company segment". */
const COMPANY_ITSELF =
	/(?:company|organi[sz]ation|business|firm|enterprise|corporation|employer)$|(?<!\p{L})(?:compani[ae]|firma|societate?a?|intreprindere?a?|organizati[ae]|angajator(?:ul)?|работодатель|компания|фирма|организация|предприятие)(?!\p{L})/u;

/** Headings and keys repeat in every row, so each is read once. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
	const all = processMap<T>({ most: 2_000 });
	return (text) => {
		const known = all.get(text);
		if (known !== undefined) return known;
		const value = read(text);
		all.set(text, value);
		return value;
	};
}

/** The words of a heading, and what they say together. */
export class Heading {
	private readonly meanings: ReadonlySet<Meaning>;
	/** The words, without numbers. */
	readonly letters: string;
	/** The same questions are asked for every row. */
	private readonly said = new Map<string, boolean>();

	/** @param text may be in any style: "Denumirea firmei", `company_name`, "companyName" */
	constructor(readonly text: string) {
		const spaced = fold(spacedOut(text));
		// "C.U.I." and "C/F" are one word each.
		const joined = spaced.replace(/(?<!\p{L})\p{L}(?:[./]\p{L})+(?!\p{L})/gu, (initials) =>
			initials.replace(/[./]/g, ''),
		);
		const words = joined.match(/\p{L}+/gu) ?? [];
		this.letters = words.join(' ');
		const itself: Meaning[] = COMPANY_ITSELF.test(this.letters) ? ['companyItself'] : [];
		this.meanings = new Set([...words.flatMap(meaningsOf), ...itself]);
	}

	/** Whether any of its words has one of the meanings, as in "title|plainName"; with "!", whether none has. */
	says(meanings: string): boolean {
		const known = this.said.get(meanings);
		if (known !== undefined) return known;
		const wanted = meanings.replace('!', '').split('|');
		const isSaid = wanted.some((each) => this.meanings.has(each as Meaning));
		const answer = isSaid !== meanings.startsWith('!');
		this.said.set(meanings, answer);
		return answer;
	}

	/** Which of the meanings comes last: of nested objects, the innermost one's. */
	lastOf<M extends Meaning>(meanings: readonly M[]): M | undefined {
		return [...this.meanings].findLast((each): each is M => meanings.includes(each as M));
	}
}

/** An object in a row, by its name. */
export interface Container {
	/** What its name adds to the headings in it; undefined if it could be about anything. */
	adds: string | undefined;
	/** Whether it's about something else than the row's company. A contact can be one. */
	isOther: boolean;
	isAddress: boolean;
}

/** The last word of objects that only hold a row's columns. */
const HOLDER =
	/^(?:custom)?(?:attributes?|answers|body|cells?|columns?|custom|data|fields?|info|json|meta|metadata|options|payload|properties|record|row|values?)$/;

const ABOUT_COMPANY =
	'company|agent|buyer|seller|party|account|seat|address|city|district|elsewhere|delivery';

export function containerOf(name: string): Container {
	const words = new Heading(name).letters.split(' ');
	const isHolder = HOLDER.test(words.at(-1) ?? '');
	if (isHolder) words.pop();
	const rest = new Heading(words.join(' '));
	// As in `Account_Name: { name, id }`
	const last = new Heading(
		words.findLast((word) => new Heading(word).says('!plainName|title|number')) ?? '',
	);
	const isOther = rest.says('role|thing|note|form');
	const isKnown = last.says(ABOUT_COMPANY) && !isOther && last.says('!unknown');
	// What's in an address needn't be one: `billing_address: { company, city }`.
	const adds = (rest.says('unknown') ? last : rest).letters.replace(/addr\w*|adresa/, '').trim();
	return {
		adds: isKnown ? adds : isHolder ? '' : undefined,
		isOther: isOther && rest.says('!contact'),
		isAddress: last.says('address|seat'),
	};
}
