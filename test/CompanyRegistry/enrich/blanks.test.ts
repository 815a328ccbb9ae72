import { isEmptyCell } from '../../../nodes/CompanyRegistry/enrich/blanks';

/** Phrases for a missing name, number or legal form, some in several languages a line. */
const PHRASES = `
	nan | nil | nd | n/d | blank | empty | missing | unnamed | TBA | TBC | lipsește | urmează | пусто | прочерк | н/д
	anonim | Anonimă | аноним | анонимно | nerezidentă | нерезидент | уточнить
	Subtotal | Grand total | TOTAL | Total: 3 | TOTAL (25) | Total general 2030 | Total / Итого | Итого: 3
	Please select | Selectați... | Alegeți | Выберите...
	not known | not applicable | non-available | not given | not provided | not stated | not indicated | not entered
	not assigned | not defined | not set | unset
	nu e specificat | nu sunt indicate | nu a fost precizat | nemenționat | nedeclarat | nedeterminat
	necompletat | nu se aplică
	не определено | не заполнено | не задано | не выбрано | не найдено | не имеет
	unknown company | without a name | without an idno | no info | no value | no number | no form
	nu este | nu sunt date | nu știu | nu există informații | nu are denumire | nu are firmă | nu are companie
	de precizat | de clarificat
	lipsă date | fără informații | fără companie | fără nume | fără cod | fără IDNO | fără formă
	нет сведений | без фирмы | без наименования | без имени | нет номера | без кода | нет ИДНО | без формы
`;

describe('A cell', () => {
	it.each([
		...[
			'',
			' ',
			'-',
			'—',
			'?',
			'0',
			'N/A',
			'n.a.',
			'(none)',
			'NULL',
			'TBD',
			'Unknown',
			'#REF!',
			'#N/A!',
			'####',
		],
		...[
			'not specified',
			'Not available',
			'unspecified',
			'no data',
			'No information',
			'without name',
		],
		...['lipsă', 'Fără', 'fără denumire', 'nespecificat', 'neindicată', 'necunoscut', 'nedefinit'],
		...['nu se cunoaște', 'nu este indicat', 'Nu are', 'nu există', 'de completat', 'nerezident'],
		...[
			'нет',
			'нет данных',
			'Нет информации',
			'не указано',
			'не указан',
			'неизвестно',
			'неизвестна',
		],
		...['Loading...', '(gol)', '[object Object]', 'undefined undefined', '\\N', 'физ. лицо'],
		...[
			'отсутствует',
			'без названия',
			'Нет компании',
			'нету',
			'fără firmă',
			'nu e cazul',
			'nu',
			'PF',
			'P.F.',
			'Pers. fizică',
			'Pers. fiz.',
			'Individual',
			'частное лицо',
			'не применимо',
			'Итого',
			'Total general',
			'Всего:',
			'recAbC123xYz45678',
			'65f0a1b2c3d4e5f6a7b8c9d0',
			'1f2e3d4c-1234-4abc-8def-0123456789ab',
		],
		...PHRASES.trim().split(/\s*[|\n]\s*/),
	])('the cell "%s" says that there’s nothing', (text) => {
		expect(isEmptyCell(text)).toBe(true);
	});

	it.each([
		...[
			'Zefirul',
			'Online SRL',
			'Lipsa SRL',
			'Total Expert',
			'Total Групп',
			'No Limit',
			'Nota',
			'Neutral',
			'Nova Data',
		],
		...[
			'Necunoscut Prim',
			'Без границ',
			'Нетто',
			'Недра',
			'Info',
			'Unic',
			'10',
			'Fără Frontiere',
			'Individual Trans',
			'Nu Uita',
			'Anonim Club',
			// As long as the ID of a record
			'recyclingservices',
			'123456789012345678901234',
		],
	])('the cell "%s" can be a name', (text) => {
		expect(isEmptyCell(text)).toBe(false);
	});
});
