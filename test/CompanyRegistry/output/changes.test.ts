import { changeOf, changeText, isUnchanged } from '../../../nodes/CompanyRegistry/output/changes';

const pair = (first: string, second: string) => [
	{ name: 'Ana', share: first, since: second },
	{ name: 'Ion', share: second, since: first },
];

describe('isUnchanged', () => {
	it.each<[what: string, a: unknown, b: unknown]>([
		['case and spaces', ' In  Liquidation', 'in liquidation'],
		['diacritics', 'Şoldăneşti ţ', 'Soldanesti ț'],
		['quotation marks', '"AGRO" S.R.L.', '„Agro” S.R.L.'],
		['an apostrophe', "BC'ZEFIR'S.A.", 'BC’ZEFIR’S.A.'],
		['a space within an entry', 'Ana Rusu (since: 2020-01-01)', 'Ana Rusu ( since:2020-01-01 )'],
		['letters that a database has stored as question marks', 'Dorn?ani & Fii', 'Dornșani & Fii'],
		['the order of a list in a text', 'Ana Rusu, Ion Pascari', 'Ion Pascari; Ana Rusu'],
		['a list and its text', ['Ana Rusu', 'Ion Pascari'], 'Ion Pascari, Ana Rusu'],
		[
			'the order of a list',
			['Ana', { name: 'Ion', share: 50 }],
			[{ share: 50, name: 'ion' }, 'Ana'],
		],
		['the order of keys, stored as JSON', '{"b":1,"a":"x"}', { a: 'x', b: 1 }],
		['when an entry was read', [{ name: 'Ana', updated_at: 1 }], [{ name: 'Ana', updated_at: 2 }]],
		['a number and its text', 72_000, '72000'],
		['a code that lost its zero in a sheet', 111, '0111'],
		['a separator of thousands', '50 000', 50_000],
		['a list with an entry a line', 'Ana Rusu\nIon Rusu', ['Ion Rusu', 'Ana Rusu']],
		['a narrow space between thousands', '1\u202f050\u202f000', 1_050_000],
		['a comma between thousands', '50,000', 50_000],
		['the currency beside a number', '50.000,00 lei', 50_000],
		['the sign of a currency', '$50,000.00', 50_000],
		['the code of the currency before the number', 'MDL 50,000.00', 50_000],
		['the code of the currency', '50 000 MDL', '50000'],
		['the code of a foreign currency', '50000 EUR', 50_000],
		['points between thousands', '1.050.000,50', 1_050_000.5],
		['commas between thousands', '1,050,000', 1_050_000],
		['a decimal comma', '50.000,50', '50000.5'],
		['a rounded form of the same number', '5E+4', 50_000],
		['a rounded form without a sign', '5E4', 50_000],
		['a boolean of MySQL', 1, true],
		['a boolean of a CSV', 'TRUE', true],
		['a boolean of a sheet in Romanian', 'FALS', false],
		['a word for a boolean', 'no', false],
		['zero for a boolean', 0, false],
		['the letter of a database for a boolean', 't', true],
		['a letter and a word', 'N', 'nu'],
		['blank and false', '', false],
		['blank and null', null, ' '],
		['blank and an empty list', [], undefined],
		['the date of PostgreSQL', new Date('2026-01-04T22:00:00Z'), '2026-01-05'],
		['the date of a sheet', 46_027, '2026-01-05'],
		['a written date', '05.01.2026', '2026-01-05'],
		['a date with the month first', '1/5/2026', '2026-01-05'],
		['midnight in the first time zone', '2026-01-04T10:00:00Z', '2026-01-05'],
		['the last hour of a day', '2026-01-05', '2026-01-05T23:00:00Z'],
		['a moment without its milliseconds', '2026-01-05T08:00:00.987Z', '2026-01-05T08:00:00Z'],
		['spaces in quotation marks', 'AGRO " NORD "', 'Agro Nord'],
		['a comma at the end of a list', 'Ana, Ion,', ['Ion', 'Ana']],
		['an empty detail', [{ name: 'Ana', share: null }], [{ name: 'Ana' }]],
		[
			'the order of details',
			[{ name: 'Ana', share: 50, since: '2020' }],
			[{ since: '2020', share: 50, name: 'Ana' }],
		],
		['a moment in two time zones', '2026-01-05T10:00:00+02:00', '2026-01-05T08:00:00.000Z'],
	])('ignores %s', (_, a, b) => {
		expect([isUnchanged(a, b), isUnchanged(b, a)]).toEqual([true, true]);
	});

	it.each<[what: string, a: unknown, b: unknown]>([
		['another word', 'active', 'suspended'],
		['the next day', '2026-01-05', '2026-01-06'],
		['a time on the next day', '2026-01-05', '2026-01-06T00:00:00Z'],
		['another letter', 'Rusu', 'Rosu'],
		['a question mark instead of a letter that every database knows', 'R?su', 'Rusu'],
		['another letter beside a lost one', 'Ru?i', 'Roși'],
		['zero instead of nothing', 0, null],
		['another number in thousands', '50,000', 51_000],
		['a missing entry', 'Ana, Ion', 'Ana'],
		['a missing entry of a list', ['Ana', 'Ion'], ['Ana']],
		['details instead of zero', { share: 50 }, 0],
		['the next large number', 1_700_000_000, '1700000001'],
		['an hour before midnight in the first time zone', '2026-01-04T09:00:00Z', '2026-01-05'],
		['details of two entries, exchanged', pair('50', '2020'), pair('2020', '50')],
		['no value', 'active', null],
		['another number', 71, '72'],
		['another boolean', 'true', false],
		['another letter, even if both can mean no', 'F', 'N'],
		['a number that only looks like another one with a comma between thousands', 1.234, 1234],
		['another currency', '50 EUR', '50 USD'],
		['the next day', '2026-01-06', '2026-01-05'],
		['another time of the day', '2026-01-05 08:00', '2026-01-05 20:00'],
		['text that only begins like a date', '2026-01-05 bis', '2026-01-05'],
	])('notices %s', (_, a, b) => {
		expect([isUnchanged(a, b), isUnchanged(b, a)]).toEqual([false, false]);
	});
});

describe('changeOf', () => {
	it('a change names the old and the new value, or the entries of a list that differ', () => {
		expect(changeOf('status', 'active', 'in_liquidation')).toBe('status: active → in_liquidation');
		expect(changeOf('city', '', 'Orhei')).toBe('city: none → Orhei');
		expect(changeOf('city', 'ORHEI', 'Orhei')).toBeUndefined();
		expect(changeOf('founders', ['Ana', 'Ion'], [])).toBe('founders: Ana, Ion → none');
		expect(changeOf('founders', null, [{ name: 'Ana' }])).toBe('founders: none → Ana');
		const date = new Date('2026-01-05T00:00:00Z');
		expect(changeOf('dissolved_at', date, null)).toBe(
			'dissolved_at: 2026-01-05T00:00:00.000Z → none',
		);
		expect(changeText('administrators', ['Ana', 'Ion'], ['ana'])).toBe(
			'administrators: Ion → none',
		);
		expect(changeOf('administrators', null, [{ name: 'Ana', share: 50 }])).toBe(
			'administrators: none → Ana (share: 50)',
		);
	});

	it('finds no change from or to a value that was never read', () => {
		expect(changeOf('rating', undefined, 'B')).toBeUndefined();
		expect(changeOf('rating', 'B', undefined)).toBeUndefined();
	});

	it('finds no change in the date on which a record was read', () => {
		for (const field of [
			...['accessed_at', 'cached_on', 'checked_date', 'crawled_time', 'exported_at', 'fetched_at'],
			...['generated_at', 'indexed_at', 'queried_at', 'read_at', 'refreshed_at', 'requested_at'],
			...['retrieved_at', 'scraped_at', 'synced_at', 'verified_at', 'data_updated_at', 'updatedAt'],
			...['last_updated', 'lastChecked', 'last_modified', 'modified', 'timestamp', 'as_of'],
		]) {
			expect(changeOf(field, '2025', '2026')).toBeUndefined();
		}
		for (const field of ['dissolved_at', 'updated_atlas', 'unread_on', 'timestamps']) {
			expect(changeOf(field, '2025', '2026')).toBe(`${field}: 2025 → 2026`);
		}
	});
});
