import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { DateTime } from 'luxon';

import { InputError } from '../../../nodes/shared/http/errors';
import {
	calendarDate,
	checked,
	emailAddress,
	fileName,
	flag,
	hexColor,
	isBlank,
	meansTheSame,
	oneOf,
	positiveId,
	required,
	secret,
	text,
	webAddress,
	wholeNumber,
	ValidationFailure,
} from '../../../nodes/shared/node/validators';
import type { Validator } from '../../../nodes/shared/node/validators';

/** What a validator makes of a value, or that it rejects it. */
function outcome(rule: Validator, value: unknown): unknown {
	const result = rule(value);
	return result instanceof ValidationFailure ? 'refused' : result;
}

describe.each<[string, Validator, Array<[unknown, unknown]>]>([
	[
		'an id',
		positiveId,
		[
			[42, '42'],
			['42', '42'],
			[' 42 ', '42'],
			['007', '7'],
			[0, 'refused'],
			[-1, 'refused'],
			['-1', 'refused'],
			[1.5, 'refused'],
			['1.5', 'refused'],
			['1e3', 'refused'],
			['0x10', 'refused'],
			['4 2', 'refused'],
			['abc', 'refused'],
			['9007199254740993', 'refused'],
			[Infinity, 'refused'],
			[NaN, 'refused'],
			[true, 'refused'],
			[null, 'refused'],
			[undefined, 'refused'],
			[[5], 'refused'],
			[{}, 'refused'],
		],
	],
	[
		'text',
		text,
		[
			['a', 'a'],
			['', ''],
			[' a ', ' a '],
			[0, '0'],
			[false, 'false'],
			[null, 'refused'],
			[undefined, 'refused'],
			[{}, 'refused'],
			[['a'], 'refused'],
		],
	],
	[
		'a secret',
		secret,
		[
			[' p ', ' p '],
			[5, '5'],
			[null, 'refused'],
			[{ p: 1 }, 'refused'],
		],
	],
	[
		'a flag',
		flag,
		[
			[true, true],
			[false, false],
			['true', true],
			['false', false],
			[1, true],
			[0, false],
			[' TRUE ', true],
			['0', false],
			['yes', 'refused'],
			[2, 'refused'],
			[null, 'refused'],
			['', 'refused'],
		],
	],
	[
		'a color',
		hexColor,
		[
			['#3B82F6', '#3B82F6'],
			[' #3b82f6 ', '#3b82f6'],
			['3B82F6', 'refused'],
			['#FFF', 'refused'],
			['#3B82F6FF', 'refused'],
			['#GGGGGG', 'refused'],
			['red', 'refused'],
			[0, 'refused'],
		],
	],
	[
		'a web address',
		webAddress,
		[
			['https://example.com', 'https://example.com'],
			[' http://example.com/a?b#c ', 'http://example.com/a?b#c'],
			['HTTPS://EXAMPLE.COM', 'HTTPS://EXAMPLE.COM'],
			['example.com', 'refused'],
			['ftp://example.com', 'refused'],
			['https://', 'refused'],
			['https:///path', 'refused'],
			['javascript:alert(1)', 'refused'],
			[5, 'refused'],
		],
	],
	[
		'an email address',
		emailAddress,
		[
			['a@b.md', 'a@b.md'],
			[' a@b.md ', 'a@b.md'],
			['a@b', 'refused'],
			['a b@c.md', 'refused'],
			['@b.md', 'refused'],
			[null, 'refused'],
		],
	],
	[
		'a date',
		calendarDate,
		[
			['2030-12-31', '2030-12-31'],
			[' 2030-12-31 ', '2030-12-31'],
			['2030-12-31T23:59:00Z', '2030-12-31'],
			['2030-12-31 23:59:00', '2030-12-31'],
			['2028-02-29', '2028-02-29'],
			[DateTime.fromISO('2030-12-31T08:00:00'), '2030-12-31'],
			[new Date('2030-12-31'), '2030-12-31'],
			[new Date('2030-12-31T23:30:00Z'), '2030-12-31'],
			[new Date('no date'), 'refused'],
			[runInNewContext("new Date('2030-12-31')"), '2030-12-31'],
			['2027-02-29', 'refused'],
			['2030-02-30', 'refused'],
			['2030-13-01', 'refused'],
			['31.12.2030', 'refused'],
			['2030-1-1', 'refused'],
			['2030-12-31x', 'refused'],
			[20301231, 'refused'],
			[null, 'refused'],
			[DateTime.invalid('no date'), 'refused'],
		],
	],
	[
		'one of a set',
		oneOf(['links', 'bio']),
		[
			['links', 'links'],
			['Links', 'refused'],
			['', 'refused'],
			[0, 'refused'],
		],
	],
	[
		'a whole number from 1 to 50',
		wholeNumber(1, 50),
		[
			[1, 1],
			[50, 50],
			['7', 7],
			[' 7 ', 7],
			['0x10', 'refused'],
			['1e1', 'refused'],
			[0, 'refused'],
			[51, 'refused'],
			[1.5, 'refused'],
			['', 'refused'],
			[' ', 'refused'],
			[null, 'refused'],
			[undefined, 'refused'],
			[true, 'refused'],
		],
	],
	[
		'a file name',
		fileName,
		[
			['a.pdf', 'a.pdf'],
			[' a.pdf ', 'a.pdf'],
			['ă b/c?.pdf', 'ă b/c?.pdf'],
			['...', '...'],
			['', 'refused'],
			['.', 'refused'],
			['..', 'refused'],
			[' .. ', 'refused'],
			['a\nb.pdf', 'refused'],
			['a\u0000', 'refused'],
			[5, 'refused'],
		],
	],
])('%s', (_, rule, cases) => {
	it.each(cases)('given as %p becomes %p', (value, expected) => {
		expect(outcome(rule, value)).toBe(expected);
	});
});

describe('the validators', () => {
	const rules: Validator[] = [
		text,
		secret,
		positiveId,
		wholeNumber(1, 50),
		flag,
		hexColor,
		webAddress,
		emailAddress,
		calendarDate,
		oneOf(['links', 'bio']),
		fileName,
	];
	const rule = fc.constantFrom(...rules);

	it('accept any input without throwing', () => {
		fc.assert(
			fc.property(rule, fc.anything(), (rule, value) => {
				expect(() => rule(value)).not.toThrow();
			}),
			{ numRuns: 2_000 },
		);
	});

	it('accept their own output', () => {
		const value = fc.oneof(
			fc.string(),
			fc.integer(),
			fc.boolean(),
			fc.webUrl(),
			fc.emailAddress(),
			fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
		);
		fc.assert(
			fc.property(rule, value, (rule, value) => {
				const once = outcome(rule, value);
				if (once !== 'refused') expect(outcome(rule, once)).toEqual(once);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('accept every safe positive id and no other number', () => {
		fc.assert(
			fc.property(fc.oneof(fc.maxSafeInteger(), fc.double()), (number) => {
				const valid = Number.isSafeInteger(number) && number > 0;
				expect(outcome(positiveId, number)).toBe(valid ? String(number) : 'refused');
			}),
		);
	});

	it('accept every day of the calendar', () => {
		const day = fc.date({
			min: new Date('1900-01-01'),
			max: new Date('2100-12-31'),
			noInvalidDate: true,
		});
		fc.assert(
			fc.property(day, (day) => {
				const written = day.toISOString().slice(0, 10);
				expect(outcome(calendarDate, written)).toBe(written);
			}),
		);
	});
});

describe('the value of a record and what the user entered', () => {
	it.each<[string, Validator | undefined, unknown, unknown, boolean]>([
		['flags', flag, '1', true, true],
		['flags', flag, 1, true, true],
		['flags', flag, 'FALSE', true, false],
		['numbers and text', text, 2030, '2030', true],
		['spaces', text, 'Shop', ' Shop ', true],
		['the two Unicode forms of a letter', text, 'Caf\u00e9', 'Cafe\u0301', true],
		['the case of a text', text, 'Shop', 'shop', false],
		['the case of a color', hexColor, '#3b82f6', '#3B82F6', true],
		['colors', hexColor, '#3b82f6', '#3b82f7', false],
		['an address with and without a slash', webAddress, 'https://a.md/', 'https://a.md', true],
		['addresses', webAddress, 'https://a.md/', 'https://a.md/x', false],
		['values without a validator', undefined, 1, '1', false],
	])('may differ in their writing: %s', (_, validator, present, wanted, same) => {
		expect(meansTheSame(validator, present, wanted)).toBe(same);
	});
});

describe('a rejected value', () => {
	it('is named and shown in the message', () => {
		const problem = checked(positiveId, 'abc', 'Campaign') as InputError;
		expect(problem).toBeInstanceOf(InputError);
		expect(problem.message).toBe(
			'The parameter "Campaign" must be a positive whole number, but it is "abc"',
		);
		expect(problem.description).toMatch(/e\.g\. 42/);
	});

	it('is truncated if it is long', () => {
		const { message } = checked(hexColor, 'x'.repeat(500), 'Color') as InputError;
		expect(message.length).toBeLessThan(120);
	});

	it.each([[{ pin: 123456 }], [['123456']]])('is not shown when it is a secret', (value) => {
		const { message, description } = checked(secret, value, 'Password') as InputError;
		expect(message).toBe('The parameter "Password" must be text');
		expect(description).toBeUndefined();
	});

	it.each(['2030-02-30', '2027-02-29', '2030-13-01 10:00:00', '2030-04-31T10:00'])(
		'that is written as a date is not a wrong format: %s',
		(value) => {
			const { message } = checked(calendarDate, value, 'Download Expiry') as InputError;
			expect(message).toBe(
				`The parameter "Download Expiry" is not a calendar date: ${value.slice(0, 10)}`,
			);
		},
	);

	it('that is needed immediately is thrown', () => {
		expect(() => required(wholeNumber(1), undefined, 'Limit')).toThrow(InputError);
		expect(required(wholeNumber(1), '5', 'Limit')).toBe(5);
	});

	it.each([[undefined], [null], [''], ['  \n']])('is blank: %j', (value) => {
		expect(isBlank(value)).toBe(true);
	});

	it.each([[0], [false], ['a'], [[]]])('is not blank: %j', (value) => {
		expect(isBlank(value)).toBe(false);
	});
});
