import fc from 'fast-check';

import {
	checkDigitOf,
	checkIdno,
	idnosIn,
	idnoWithin,
	isIdno,
	watchListOf,
} from '../../nodes/CompanyRegistry/idno';

const strict = { checkDigit: true };
const lenient = { checkDigit: false };

const firstTwelve = fc
	.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 })
	.map((digits) => digits.join(''));

const validIdno = firstTwelve.map((digits) => digits + String(checkDigitOf(digits)));

const ROUNDED = 'A spreadsheet has rounded the IDNO. Format its column as text and enter it again.';

describe('checkIdno', () => {
	it.each<[unknown, string]>([
		// IDNOs of real companies.
		['1008600038413', '1008600038413'],
		['1002600005897', '1002600005897'],
		// As spreadsheets contain them.
		[1003600015231, '1003600015231'],
		["'1003600015231", '1003600015231'],
		['1003600015231.0', '1003600015231'],
		['\u200e1003600015231\u2069', '1003600015231'],
		['="1003600015231"', '1003600015231'],
		['1003600015231,00', '1003600015231'],
		['1.003.600.015.231,00', '1003600015231'],
		['1,003,600,015,231.00', '1003600015231'],
		['1\u202f003\u202f600\u202f015\u202f231,0', '1003600015231'],
		["1'003'600'015'231.00", '1003600015231'],
		['1’003’600’015’231', '1003600015231'],
		['1003\u200b600015231', '1003600015231'],
		['1,003600015231E+12', '1003600015231'],
		['1.003600015231e12', '1003600015231'],
		// The zero at the end isn't shown.
		['1.00360001539E+12', '1003600015390'],
		[{ idno: '1003600015231' }, '1003600015231'],
		// As people write them.
		['MD1003600015231', '1003600015231'],
		['MD 1003600015231;', '1003600015231'],
		['IDNO: 1003600015231.', '1003600015231'],
		['„1003600015231”', '1003600015231'],
		['c/f 1003600015231', '1003600015231'],
		['Cod fiscal - 1003 6000 15231', '1003600015231'],
		['Numărul de identificare (IDNO) 1003600015231', '1003600015231'],
		['ИДНО № 1003600015231', '1003600015231'],
		['IDNO – 1003600015231', '1003600015231'],
		['CUI: 1003600015231', '1003600015231'],
		['Număr de identificare de stat 1003600015231', '1003600015231'],
		['**1003600015231**', '1003600015231'],
		['• (1003600015231)', '1003600015231'],
		['１００３６０００１５２３１', '1003600015231'],
		...[
			...['Codul fiscal', 'CF', 'Nr. de înregistrare', 'Numar de inregistrare', 'Nr-ul', 'Numarul'],
			...['Cod unic', 'CIF', 'Reg. No.', 'Cod TVA', 'VAT number', 'TIN', 'Tax ID', 'Company code'],
			...['Registration number', 'Фискальный код', 'Фиск. код', 'Ф/К', 'ФК', 'Рег. номер', 'ИНН'],
		].map((label): [string, string] => [`${label}: 1003600015231`, '1003600015231']),
	])('accepts %j as the IDNO %s', (value, idno) => {
		expect(checkIdno(value, strict)).toEqual({ valid: true, idno });
	});

	it('a number with all its digits isn’t rounded, even if its check digit is wrong', () => {
		expect(checkIdno('1.003600015232E+12', { checkDigit: false })).toEqual({
			valid: true,
			idno: '1003600015232',
		});
	});

	it.each<[unknown, string]>([
		['   ', 'The IDNO is empty.'],
		[null, 'The IDNO is empty.'],
		[[], 'The IDNO is empty.'],
		[{}, 'An IDNO contains only digits.'],
		['Zefirul 1003600015231', 'An IDNO contains only digits.'],
		['1003600015231 / 0205031', 'An IDNO contains only digits.'],
		['10036000152,31', 'An IDNO contains only digits.'],
		['1.0036E+12', ROUNDED],
		['1,0036E+12', ROUNDED],
		['1.00360001523E+12', ROUNDED],
		['1.0036000156E+12', ROUNDED],
		['1.003600015231E+11', ROUNDED],
		['1.0036e12', ROUNDED],
		['10036E+8', ROUNDED],
		['IDNO', 'An IDNO contains only digits.'],
		['100,360,001,523', 'An IDNO has 13 digits, but this one has 12.'],
		['100360001523', 'An IDNO has 13 digits, but this one has 12.'],
		['10036000152311', 'An IDNO has 13 digits, but this one has 14.'],
	])('says why %p is not an IDNO, even if the check digit is ignored', (value, reason) => {
		expect(checkIdno(value, strict)).toMatchObject({ valid: false, reason });
		expect(checkIdno(value, lenient)).toMatchObject({ valid: false, reason });
	});

	it('accepts exactly one check digit, names it when rejecting another, and any if it doesn’t matter', () => {
		fc.assert(
			fc.property(firstTwelve, (digits) => {
				for (let last = 0; last < 10; last++) {
					const expected = checkDigitOf(digits);
					const idno = `${digits}${last}`;
					const reason = `The last digit of the IDNO is ${last}, but it should be ${expected}.`;
					expect(checkIdno(idno, lenient)).toEqual({ valid: true, idno });
					expect(checkIdno(idno, strict)).toEqual(
						last === expected
							? { valid: true, idno }
							: { valid: false, idno, reason, expectedCheckDigit: expected },
					);
				}
			}),
		);
	});

	it('ignores spaces, dots and dashes between the digits of an IDNO', () => {
		const separator = fc.constantFrom('', ' ', '.', '-', '\u00a0', '–');
		const separators = fc.array(separator, { minLength: 14, maxLength: 14 });
		fc.assert(
			fc.property(validIdno, separators, (idno, between) => {
				const written = between.map((separator, index) => separator + (idno[index] ?? '')).join('');
				expect(checkIdno(written, strict)).toEqual({ valid: true, idno });
			}),
		);
	});
});

describe('watchListOf', () => {
	const [first, second] = ['1003600015231', '1008600038413'];

	it.each([
		[`${first}\n${second}`],
		[`${first}, ${second};`],
		[`${first} ${second}`],
		[`1003 6000 15231, ${second}`],
		[`1003 6000 15231\t1008 6000 38413`],
		[`MD${first} IDNO:${second}`],
		[`1.003.600.015.231,00\n1,008,600,038,413.00`],
		[`1003 6000 15231\n1008 6000 38413\n${first}`],
		[`${first};${second}`],
		[`${first}\r\n${second}`],
		[[first, Number(second)]],
		[[{ idno: first }, { idno: second }, first]],
	])('finds each IDNO once in %j', (given) => {
		expect(watchListOf(given, true)).toEqual([first, second]);
	});

	it.each([
		['', 'The watch list is empty', 'In "Companies to Watch", choose'],
		[`${first}\n10036`, 'Line 2 of the watch list is not a valid IDNO: 10036', 'has 5. Check'],
		['1,0036E+12', 'Line 1 of the watch list is not', 'A spreadsheet has rounded the IDNO.'],
		[`${first} 10036`, 'Line 1 of the watch list is not', 'has 18. Check the IDNO.'],
		[[first, {}], 'Entry 2 of the watch list is not a valid IDNO: {}', 'is empty. Check'],
		['1003600015232', 'is not a valid IDNO', 'have IDNOs without a check digit'],
	])('says what is wrong with %j', (given, message, description) => {
		expect(() => watchListOf(given, true)).toThrow(
			expect.objectContaining({
				message: expect.stringContaining(message) as string,
				description: expect.stringContaining(description) as string,
			}) as Error,
		);
	});
});

it('a watch list can have an IDNO with a wrong check digit if check digits aren’t validated', () => {
	expect(watchListOf('1003600015232', false)).toEqual(['1003600015232']);
});

it.each([
	['1003600015231', true],
	['1003600015232', false],
	['1103600015234', false],
	['2003600015238', false],
	['Zefirul 1003600015231', false],
])('recognizes %j as an IDNO: %s', (value, isOne) => {
	expect(isIdno(value)).toBe(isOne);
});

it.each([
	['Zefirul SRL 1003600015231', '1003600015231'],
	['1003600015232', '1003600015232'],
	['Zefirul SRL 1003600015232', undefined],
	['1003600015231 and 1008600038413', undefined],
	['1003600015231 and again 1003600015231', '1003600015231'],
])('reads from %j the IDNO %s', (text, idno) => {
	expect(idnoWithin(text)).toBe(idno);
});

it.each([
	['100 360-001.5231', ['1003600015231']],
	['IDNO: 1003600015231; 1008600038413.', ['1003600015231', '1008600038413']],
	['1003 6000 15231\n1008 6000 38413', ['1003600015231', '1008600038413']],
	['1.003.600.015.231,00; MD1008600038413', ['1003600015231', '1008600038413']],
	['the suppliers 1003600015231 and 1008600038413', ['1003600015231', '1008600038413']],
	[
		[1003600015231, { idno: '1008600038413' }, 'none'],
		['1003600015231', '1008600038413'],
	],
	['37369123456, 00373691234567', []],
])('finds the IDNOs in %j', (given, idnos) => {
	expect(idnosIn(given)).toEqual(idnos);
});
