import { isBlank } from '../../shared/node/values';
import { fold } from '../names/words';

/**
 * What people and programs put where they have no name, number or legal form, in English, Romanian and
 * Russian. An asterisk stands for any ending. Places have a list of their own, since ONLINE SRL is a company.
 */
const NOTHING = [
	'0 | n[/.]?a | n[/.]?d | nan | n(ull)? | nil | none | undefined( undefined)? | unknown | blank | empty | missing | unnamed | tb[acd]',
	'lipsa | lipseste | fara | nerezident* | nu | anonim* | urmeaza | нету? | уточнить | аноним* | н/?д | пусто | отсутству* | прочерк | нерезидент*',
	// A list's last row, as in "Total: 3" and "Total / Итого"
	'((sub|grand )?(total|итого|всего)( general)?[^a-zа-я]{0,20}){1,2}',
	// Placeholders that programs leave
	'loading | object object | gol | selectati | alegeti | выберите | please select',
	// As in "not specified", "nespecificat" and "не указано"
	'(not|un|non)[ -]?(specified|known|available|applicable|given|provided|stated|indicated|entered|assigned|defined|set)',
	'(ne|nu (este |e |sunt |a fost |se )?)(specific|indic|cunosc|cunoas|preciz|mention|declar|defini|determin|complet|aplic|exist)*',
	'не ?(указан|извест|определ|заполн|задан|выбран|найден|имеет|применим)*',
	// As in "no data", "nu are" and "нет информации"
	'(no|unknown|without( an?)?) (data|info|information|name|company|value|number|idno|form)',
	'nu (are|este|e|sunt|stiu|exista)( date| informatii| denumire| firma| companie| cazul)? | de (completat|precizat|clarificat)',
	'(fara|lipsa) (date|informatii|denumire|firma|companie|nume|cod|idno|forma)',
	'(нет|без) (данных|информации|сведений|компании|фирмы|названия|наименования|имени|номера|кода|идно|формы)',
];

const IS_NOTHING = new RegExp(
	`^(?:${fold(NOTHING.join('|')).replaceAll(' | ', '|').replaceAll('*', '\\p{L}*')}|)$`,
	'u',
);

/** Whether a cell says that somebody is a natural person. */
export function isPersonWord(value: unknown): boolean {
	return /^(?:pers(?:oana)?[. ]*fiz(?:ic[ae])?|p[./]?f|individual|(?:natural |private )?person|(?:част|физ)\p{L}*[. ]*лиц[оа])$/u.test(
		fold(String(value)).trim().replace(/\.$/, ''),
	);
}

/** Of a linked record, as Airtable, MongoDB and Notion write it. */
const RECORD_ID =
	/^(?:rec(?=.*[A-Z\d])[A-Za-z\d]{14}|(?=.*[a-f])[\da-f]{24}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

export const isRecordId = (value: unknown) => RECORD_ID.test(String(value));

const OUTER_SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/**
 * Whether a cell says that there's nothing or no company, such as "-" and "not specified", or is a total, the ID of
 * a record, or an error such as "#REF!".
 */
export function isEmptyCell(value: unknown): boolean {
	if (isBlank(value, { orFalse: true })) return true;
	if (typeof value === 'object') return false;
	const cell = String(value);
	const text = fold(cell).replace(OUTER_SIGNS, '').replace(/\s+/g, ' ');
	const isOther = /^#\S+[!?]$/.test(cell) || isRecordId(cell) || isPersonWord(cell);
	return isOther || IS_NOTHING.test(text);
}
