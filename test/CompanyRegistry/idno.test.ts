import fc from 'fast-check';

import { checkDigitOf, checkIdno } from '../../nodes/CompanyRegistry/idno';

const strict = { checkDigit: true };
const lenient = { checkDigit: false };

const firstTwelve = fc
	.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 })
	.map((digits) => digits.join(''));

const validIdno = firstTwelve.map((digits) => digits + String(checkDigitOf(digits)));

describe('the check of an IDNO', () => {
	it.each([
		// Of real companies.
		['1008600038413', '1008600038413'],
		['1003600015231', '1003600015231'],
		['1002600005897', '1002600005897'],
		// As sheets have them.
		[1003600015231, '1003600015231'],
		[' 10036-0001.5231 ', '1003600015231'],
		["'1003600015231", '1003600015231'],
		['1003600015231.0', '1003600015231'],
		['\u200e1003600015231\u2069', '1003600015231'],
	])('accepts %j as %s', (value, idno) => {
		expect(checkIdno(value, strict)).toEqual({ valid: true, idno });
	});

	it('keeps a group of digits that is 000', () => {
		expect(checkIdno('1.003.600.015.000', lenient)).toEqual({ valid: true, idno: '1003600015000' });
	});

	it('returns the expected check digit', () => {
		expect(checkIdno('1003600015232', strict)).toEqual({
			valid: false,
			idno: '1003600015232',
			reason: 'The last digit is 2, but the check digit should be 1.',
			expectedCheckDigit: 1,
		});
	});

	it('ignores the check digit if the option says so', () => {
		expect(checkIdno('1003600015232', lenient).valid).toBe(true);
	});

	it.each([
		['', 'The IDNO is empty.'],
		[undefined, 'The IDNO is empty.'],
		[null, 'The IDNO is empty.'],
		[{}, 'The IDNO is empty.'],
		['   ', 'The IDNO is empty.'],
		['MD1003600015231', 'An IDNO contains only digits.'],
		['100360001523', 'An IDNO has 13 digits, but this one has 12.'],
		['10036000152311', 'An IDNO has 13 digits, but this one has 14.'],
	])('says why %p is not an IDNO, whether or not the check digit counts', (value, reason) => {
		expect(checkIdno(value, strict)).toMatchObject({ valid: false, reason });
		expect(checkIdno(value, lenient)).toMatchObject({ valid: false, reason });
	});

	it('accepts exactly one last digit, and names it when it is another', () => {
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

	it('ignores spaces, dots and dashes between the digits', () => {
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

	it('never throws and always gives a reason, for any value', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				const check = checkIdno(value, strict);
				if (!check.valid) expect(check.reason).toMatch(/^[A-Z].*\.$/);
			}),
		);
	});
});
