import fc from 'fast-check';

import { checkDigitOf, checkIdno, watchListOf } from '../../nodes/CompanyRegistry/idno';

const strict = { checkDigit: true };
const lenient = { checkDigit: false };

const firstTwelve = fc
	.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 })
	.map((digits) => digits.join(''));

const validIdno = firstTwelve.map((digits) => digits + String(checkDigitOf(digits)));

describe('checkIdno', () => {
	it.each([
		// IDNOs of real companies.
		['1008600038413', '1008600038413'],
		['1003600015231', '1003600015231'],
		['1002600005897', '1002600005897'],
		// As spreadsheets contain them.
		[1003600015231, '1003600015231'],
		[' 10036-0001.5231 ', '1003600015231'],
		["'1003600015231", '1003600015231'],
		['1003600015231.0', '1003600015231'],
		['\u200e1003600015231\u2069', '1003600015231'],
	])('accepts %j as the IDNO %s', (value, idno) => {
		expect(checkIdno(value, strict)).toEqual({ valid: true, idno });
	});

	it('keeps "000" at the end of an IDNO that is written with dots', () => {
		expect(checkIdno('1.003.600.015.000', lenient)).toEqual({ valid: true, idno: '1003600015000' });
	});

	it('returns the expected check digit for an IDNO with a wrong one', () => {
		expect(checkIdno('1003600015232', strict)).toEqual({
			valid: false,
			idno: '1003600015232',
			reason: 'The last digit is 2, but the check digit should be 1.',
			expectedCheckDigit: 1,
		});
	});

	it('accepts an IDNO with a wrong check digit if the check is off', () => {
		expect(checkIdno('1003600015232', lenient).valid).toBe(true);
	});

	it.each([
		['', 'The IDNO is empty.'],
		[undefined, 'The IDNO is empty.'],
		[null, 'The IDNO is empty.'],
		[[], 'The IDNO is empty.'],
		[{}, 'An IDNO contains only digits.'],
		[true, 'An IDNO contains only digits.'],
		['   ', 'The IDNO is empty.'],
		['MD1003600015231', 'An IDNO contains only digits.'],
		[
			'1.0036E+12',
			'A spreadsheet has rounded the IDNO. Format its column as text and enter it again.',
		],
		[
			'1,0036E+12',
			'A spreadsheet has rounded the IDNO. Format its column as text and enter it again.',
		],
		['100360001523', 'An IDNO has 13 digits, but this one has 12.'],
		['10036000152311', 'An IDNO has 13 digits, but this one has 14.'],
	])('says why %p is not an IDNO, even if the check digit is ignored', (value, reason) => {
		expect(checkIdno(value, strict)).toMatchObject({ valid: false, reason });
		expect(checkIdno(value, lenient)).toMatchObject({ valid: false, reason });
	});

	it('accepts exactly one check digit, and names it when rejecting another', () => {
		fc.assert(
			fc.property(firstTwelve, (digits) => {
				const checks = Array.from({ length: 10 }, (_, last) => checkIdno(digits + last, strict));
				expect(checks.filter(({ valid }) => valid)).toHaveLength(1);
				for (const check of checks) {
					if (!check.valid) expect(check.expectedCheckDigit).toBe(checkDigitOf(digits));
				}
			}),
		);
	});

	it('ignores spaces, dots and dashes between the digits of an IDNO', () => {
		const separators = fc.array(fc.constantFrom('', ' ', '.', '-', '\u00a0', '–'), {
			minLength: 14,
			maxLength: 14,
		});
		fc.assert(
			fc.property(validIdno, separators, (idno, between) => {
				const written = between.map((separator, index) => separator + (idno[index] ?? '')).join('');
				expect(checkIdno(written, strict)).toEqual({ valid: true, idno });
			}),
		);
	});

	it('rejects any invalid value with a reason and never throws', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				const check = checkIdno(value, strict);
				if (!check.valid) expect(check.reason).toMatch(/^[A-Z].*\.$/);
			}),
		);
	});
});

describe('watchListOf', () => {
	const adviceFor = (list: string) => {
		try {
			return watchListOf(list, true);
		} catch (error) {
			return (error as { description?: string }).description;
		}
	};

	it('suggests turning off "Validate Check Digit" only for a wrong check digit', () => {
		expect(adviceFor('1003600015232')).toContain('turn off the option "Validate Check Digit"');
		expect(adviceFor('10036')).toBe('An IDNO has 13 digits, but this one has 5. Check the IDNO.');
	});
});
