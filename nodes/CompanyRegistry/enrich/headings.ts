import { remembered } from '../../shared/node/texts';
import { meaningsOf, wordsIn, type Meaning } from './meanings';

/** What a column can hold. */
export type Content =
	| 'idno'
	/** It counts only if its cell is an IDNO. */
	| 'maybeIdno'
	/** The number of a person, unless its cell is an IDNO. */
	| 'personNumber'
	| 'name'
	/** Also a name: the heading says "company" and nothing else. */
	| 'company'
	/** A name that can be a person's or a thing's. */
	| 'plainName'
	/** A name if there's no other. It can be the name of anything. */
	| 'caption'
	/** A name if its cell has a legal form. */
	| 'maybeName'
	| 'city'
	/** A city that can't be a person's. */
	| 'companyCity'
	/** A place that only tells companies of the same name apart. */
	| 'hint'
	/** It tells foreign companies from Moldovan ones. */
	| 'country'
	| 'legalForm'
	/** What only people or products have. */
	| 'person'
	/** Of which kind the company or the person is. */
	| 'kind'
	| 'isCompany'
	/** About something else, whatever its cell says. */
	| 'other'
	| 'unknown';

const PARTY = 'buyer|payer|seller|receiver|carrier|party';
const NAME = 'title|plain';
const PLACE = 'city|district';
const OWNER = `company|counterparty|${PARTY}|account|seat|legal`;

/**
 * What a heading says: the first rule counts that finds a meaning for each of its words. A word that isn't
 * in the table of meanings is only allowed after `*`. Of several columns that hold the same, the one with
 * the earlier rule is clearer.
 */
const RULES: ReadonlyArray<[holds: Content, says: string]> = [
	['other', '* role'],
	// As in "Name or tax number"
	['other', `* idno|taxNumber|number ${NAME}`],
	['idno', '* idno'],
	['maybeName', `* contact company|${NAME}`],
	['kind', '* kind'],
	['person', '* born'],
	// As in "Invoice recipient"
	['maybeName', `* thing ${PARTY}`],
	['other', '* contact|thing'],
	['other', '* country elsewhere|number'],
	['country', 'country'],
	['other', '* country'],
	['idno', 'taxNumber'],
	['maybeIdno', '* taxNumber|vat'],
	['personNumber', '* personNumber'],
	['person', 'person|product'],
	['other', '* person|product'],
	['other', '* account number'],
	['idno', 'official number'],
	['maybeIdno', '* company number'],
	['unknown', '* number|note'],
	['name', 'form title'],
	['legalForm', 'form legal'],
	['legalForm', 'form'],
	['hint', `* ${PLACE}|vagueCity elsewhere`],
	['companyCity', `* city ${OWNER}`],
	['companyCity', `* district|vagueCity ${OWNER}`],
	['city', 'city'],
	['city', 'district'],
	['hint', `* ${PLACE}`],
	// As in "Billing address company"
	['maybeName', '* address companyItself'],
	['hint', 'address|region|vagueCity'],
	['unknown', '* address|region|official|elsewhere'],
	// "What is the name of your company?", but not "Is customer"
	['plainName', `* whether company ${NAME}`],
	['isCompany', 'whether company'],
	['other', '* whether'],
	['name', 'counterparty'],
	['name', `account ${NAME}`],
	// As in "Company / Account"
	['company', 'company account'],
	['other', '* account'],
	['name', `company legal ${NAME}`],
	['name', `company ${NAME}`],
	// In contacts, a person's: "Organization Title"
	['plainName', 'company caption'],
	['company', 'company'],
	['name', 'agent legal'],
	['maybeName', '* agent'],
	['name', PARTY],
	['name', 'whole title'],
	['name', 'title'],
	['plainName', `* company ${NAME}`],
	['plainName', '* companyItself'],
	['plainName', 'plain'],
	['caption', 'caption'],
	['maybeName', 'nameless'],
	['maybeName', `* company|counterparty|${PARTY}|${NAME}|caption`],
];

/** As in "Current company", but not in "Company segment" or "Firma de audit". */
const COMPANY_ITSELF =
	/(?:company|organi[sz]ation|business|firm|enterprise|employer)$|^(?:compania|firma|societatea|intreprinderea|organizatia|angajatorul|компания|фирма|организация|предприятие)(?!\p{L}| de )/u;

const rules = RULES.map(([holds, says]) => ({
	holds,
	allowsUnknown: says.startsWith('*'),
	parts: says
		.replace('* ', '')
		.split(' ')
		.map((part) => part.split('|')),
}));

/** Who a column is about, where a row can be about several. */
type Side = (typeof SIDES)[number] | 'party' | 'company';

const SIDES = ['buyer', 'payer', 'seller', 'receiver', 'carrier', 'counterparty'] as const;

/** The most telling one. Of nested objects, it's the innermost one's. */
function sideOf(said: readonly Meaning[]): Side | undefined {
	const isSide = (each: Meaning): each is Side => SIDES.some((side) => side === each);
	const certain = said.findLast(isSide);
	if (certain ?? said.includes('party')) return certain ?? 'party';
	const isAgent = said.includes('agent') && said.includes('legal');
	return isAgent || said.includes('company') ? 'company' : undefined;
}

/** What a heading says about its column. */
export interface ReadHeading {
	holds: Content;
	/** How clearly it says so. Lower is clearer. */
	rank: number;
	side: Side | undefined;
	/** Whether it says "company" or the like. */
	isOfCompany: boolean;
	/** Whether it has words that aren't in the table, which can be about another company: "IDNO garant". */
	isVague: boolean;
	/** The words, without numbers and without explanations in brackets. */
	letters: string;
}

/** These count even in brackets. Anything else in brackets is an explanation: "Name (required)". */
const TELLING =
	/^(?:idno|taxNumber|personNumber|role|contact|person|buyer|payer|seller|receiver|carrier|party)$/;

const BRACKETS = /[([].*?[)\]]/g;

function tellingWords(inBrackets: string): string[] {
	const words = wordsIn(inBrackets);
	// As in "Account holder (bank statement)"
	const isDocument = words.some((word) => meaningsOf(word).includes('thing'));
	return words.filter((word) => !isDocument && meaningsOf(word).some((each) => TELLING.test(each)));
}

export const readingOf = remembered((heading): ReadHeading => {
	// As in Pipedrive's "Deal - Organization".
	const text = heading.replace(/^.* - (?=organization$)/i, '');
	const telling = (text.match(BRACKETS) ?? []).flatMap(tellingWords);
	const words = [...wordsIn(text.replace(BRACKETS, ' ')), ...telling];
	const meanings = words.flatMap(meaningsOf);
	const said = new Set<string>(meanings);
	if (COMPANY_ITSELF.test(words.join(' '))) said.add('companyItself');
	const rank = rules.findIndex(
		({ allowsUnknown, parts }) =>
			(allowsUnknown || !said.has('unknown')) &&
			parts.every((part) => part.some((each) => said.has(each))),
	);
	const holds = rules[rank]?.holds ?? 'unknown';
	return {
		holds,
		rank,
		side: sideOf(meanings),
		isOfCompany: said.has('company'),
		isVague: said.has('unknown'),
		letters: words.join(' '),
	};
});

/** The last word of objects that only hold a row's columns. */
const HOLDER =
	/^(?:custom)?(?:acf|all|answers|arguments|attributes?|body|cells?|columns?|content|custom|data|doc|entry|extracted|fields?|info|input|json|meta|metadata|node|options|output|payload|properties|query|record|response|result|row|source|submission|values?)$/;

/** What the name of an object in a row says about the cells in it. */
export const containerOf = remembered((name) => {
	const words = wordsIn(name);
	const isHolder = HOLDER.test(words.at(-1) ?? '');
	if (isHolder) words.pop();
	const known = words.filter((word) => !/^(?:unknown|filler)$/.test(meaningsOf(word).join()));
	const says = (...meanings: Meaning[]) =>
		known.some((word) => meaningsOf(word).some((each) => meanings.includes(each)));
	// As opposed to `note_attributes` and `formData`
	const isText = says('note', 'form') && !isHolder;
	const isOther = isText || says('role', 'person', 'thing', 'region', 'elsewhere');
	// An address can hold more than places: `billing_address: { company, city }`.
	const added = known.filter((word) => !/^(?:addr\w*|adresa|note|form)$/.test(word)).join(' ');
	return {
		/** What it adds to their headings; undefined if the object could be about anything. */
		adds: isOther || (known.length === 0 && !isHolder) ? undefined : added,
		isOther,
		isAddress: says('address', 'seat'),
	};
});
