import { isEmptyCell } from '../../../nodes/CompanyRegistry/enrich/blanks';

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
		],
	])('the cell "%s" says that there’s nothing', (text) => {
		expect(isEmptyCell(text)).toBe(true);
	});

	it.each([
		...[
			'Zefirul',
			'Online SRL',
			'Lipsa SRL',
			'Total Expert',
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
		],
	])('the cell "%s" can be a name', (text) => {
		expect(isEmptyCell(text)).toBe(false);
	});
});
