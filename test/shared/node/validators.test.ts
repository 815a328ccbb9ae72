import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { DateTime } from 'luxon';

import { InputError } from '../../../nodes/shared/http/inputError';
import {
	calendarDate,
	emailAddress,
	fileName,
	flag,
	hexColor,
	linkEnding,
	oneOf,
	positiveId,
	readCount,
	readFlag,
	secret,
	text,
	webAddress,
	wholeNumber,
} from '../../../nodes/shared/node/validators';
import { isBlank } from '../../../nodes/shared/node/values';
import type { Validator } from '../../../nodes/shared/node/validators';

/** A validator's result, or `refused`. */
function outcome(rule: Validator, value: unknown): unknown {
	try {
		return rule(value, 'Label');
	} catch (error) {
		if (error instanceof InputError) return 'refused';
		throw error;
	}
}

const optional: Validator = (value, label) => readFlag(value, label);
const onByDefault: Validator = (value, label) => readFlag(value, label, true);

const NEW_YEARS_EVE = [
	...['2030-12-31', ' 2030-12-31 ', '2030-12-31T23:59:00Z', '2030-12-31 23:59:00'],
	...['2030-12-31T23:59:00+12:00', '2030-12-31T23:59:00+1200', '2030-12-31T00:00'],
	...[DateTime.fromISO('2030-12-31T08:00:00'), new Date('2030-12-31T23:30:00Z')],
	runInNewContext("new Date('2030-12-31')") as unknown,
];

describe.each<[string, Validator, returned: unknown, accepted: unknown[]]>([
	['an id', positiveId, '42', [42, ' 42 ', '042', '42.00', '\u200e42\u200b']],
	['an id', positiveId, '9007199254740993', ['9007199254740993']],
	['text', text, 'a', [' a\u00a0', ['a']]],
	['text', text, '', ['']],
	['text', text, '0', [0]],
	['text', text, 'false', [false]],
	['a secret', secret, ' p ', [' p ']],
	['a secret', secret, '5', [5]],
	['a flag', flag, true, [true, 'true', 1, ' TRUE ', 'Yes', 'Да']],
	['a flag', flag, false, [false, 'false', 0, '0', ' NU ', 'нет']],
	['an optional flag', optional, false, ['', null, undefined, ' ', 0, 'nu']],
	['an optional flag', optional, true, [true, '1', 'Da']],
	['a flag that is on by default', onByDefault, true, ['', null, 'da']],
	['a count', readCount, 0, ['', null, undefined, [], 0, '0']],
	['a count', readCount, 3, [3, ' 3 ']],
	['a color', hexColor, '#3B82f6', [' #3B82f6 ']],
	['a web address', webAddress, 'http://a.md/b?c#d', [' http://a.md/b?c#d ']],
	['a web address', webAddress, 'HTTPS://EXAMPLE.COM', ['HTTPS://EXAMPLE.COM']],
	['an email address', emailAddress, 'a@b.md', [' a@b.md ']],
	['a date', calendarDate, '2030-12-31', NEW_YEARS_EVE],
	['a date', calendarDate, '2028-02-29', ['2028-02-29']],
	['one of a set', oneOf(['links', 'bio']), 'links', ['links']],
	['a number', wholeNumber(1, 50), 1, [1]],
	['a number', wholeNumber(1, 50), 50, [50, ' 50 ']],
	['a link’s ending', linkEnding, 'a/b', ['a/b', '/a/b', ' a/b/ ', ['a/b']]],
	['a file name', fileName, 'ă b-c-d?.pdf', [' ă b/c\\d?.pdf ']],
	['a file name', fileName, '...', ['...']],
])('Validator of %s', (what, rule, returned, accepted) => {
	it.each(accepted.map((value) => [value]))(`accepts %p as ${what}, ${returned}`, (value) => {
		expect(outcome(rule, value)).toBe(returned);
	});
});

describe.each<[string, Validator, refused: unknown[]]>([
	['an id', positiveId, ['12.000', '12,000']],
	['an id', positiveId, [0, -1, '-1', 1.5, '1.5', '1e3', '0x10', '4 2', 'abc', Infinity, NaN]],
	['an id', positiveId, [2 ** 53, '0', true, null, undefined, [5], {}]],
	['text', text, [NaN, -Infinity]],
	['text', text, [null, undefined, {}, ['a', 'b'], [{}]]],
	['a secret', secret, [null, { p: 1 }]],
	['a flag', flag, ['maybe', 2, null, '', ['yes', 'no']]],
	['an optional flag', optional, ['maybe', 2]],
	['a count', readCount, [-1, 1.5, 'x']],
	['a color', hexColor, ['3B82F6', '#FFF', '#3B82F6FF', '#GGGGGG', 'red', 0]],
	['a web address', webAddress, ['example.com', 'ftp://example.com', 'https://', 5]],
	['a web address', webAddress, ['https:///path', 'https://a b.md', 'javascript:alert(1)']],
	['an email address', emailAddress, ['a@b', 'a b@c.md', '@b.md', null]],
	['a date', calendarDate, ['2027-02-29', '2030-02-30', '2030-13-01', 'tomorrow']],
	['a date', calendarDate, ['31.12.2030', '12/31/2030', '31 Dec 2030', '2030-12']],
	['a date', calendarDate, ['2030-12-31x', '2030-12-31T99:99', 20301231, null, new Date('none')]],
	['a date', calendarDate, [DateTime.invalid('none')]],
	['one of a set', oneOf(['links', 'bio']), ['Links', '', 0]],
	['a number', wholeNumber(-9), ['+-5', '--5']],
	['a number', wholeNumber(1, 50), [0, 51, 1.5, '0x10', '1e1', '', ' ', null, undefined, true]],
	['a link’s ending', linkEnding, ['/', 'https://go.example/a', null, {}]],
	['a file name', fileName, ['', '.', '..', ' .. ', 'a\nb.pdf', 'a\u0000', 5]],
])('Validator of %s', (what, rule, refused) => {
	it.each(refused.map((value) => [value]))(`rejects %p as ${what}`, (value) => {
		expect(outcome(rule, value)).toBe('refused');
	});
});

it.each([
	[new Date('2030-04-12T21:00:00Z'), '2030-04-13'],
	[new Date('2030-04-13T22:30:00Z'), '2030-04-14'],
	[DateTime.fromISO('2030-04-12T21:00:00Z', { zone: 'utc' }), '2030-04-13'],
	['2030-04-12T21:00:00.000Z', '2030-04-13'],
	['2030-04-13T00:00:00.000Z', '2030-04-13'],
	['2030-04-13T22:30:00.000Z', '2030-04-14'],
	['2030-04-13T22:30:00', '2030-04-13'],
	['2030-04-13T22:00:00+03:00', '2030-04-13'],
	['2030-04-13 22:30:00+02', '2030-04-13'],
	['2030-04-13 22:30:00-03', '2030-04-14'],
])('takes %p for %s in a workflow in Chișinău', (value, date) => {
	expect(calendarDate(value, 'Date', () => 'Europe/Chisinau')).toBe(date);
});

it('validators accept or reject any input without throwing, and accept their own output', () => {
	const rule = fc.constantFrom<Validator[]>(
		...[text, secret, positiveId, wholeNumber(1, 50), flag, hexColor, webAddress],
		...[emailAddress, calendarDate, oneOf(['links', 'bio']), fileName, linkEnding],
	);
	const date = fc.date({ noInvalidDate: true }).map((each) => each.toISOString());
	const written = fc.oneof(fc.string(), fc.webUrl(), fc.emailAddress(), date);
	const value = fc.oneof(fc.anything(), fc.integer(), { weight: 4, arbitrary: written });
	fc.assert(
		fc.property(rule, value, (rule, value) => {
			const once = outcome(rule, value);
			if (once !== 'refused') expect(outcome(rule, once)).toEqual(once);
		}),
		{ numRuns: 3_000 },
	);
});

describe('Validators', () => {
	/** The error for an invalid value. */
	function problemOf(rule: Validator, value: unknown, label: string): InputError {
		try {
			throw new Error(`accepted ${String(rule(value, label))}`);
		} catch (error) {
			return error as InputError;
		}
	}

	it('names the parameter and the value in the error', () => {
		const problem = problemOf(positiveId, 'abc', 'Campaign');
		expect(problem).toBeInstanceOf(InputError);
		expect(problem).toMatchObject({
			message: 'The parameter "Campaign" must be a positive whole number',
			given: 'abc',
		});
		expect(problem.description).toMatch(/for example 42/);
		const date = new Date('2030-12-31T08:00:00Z');
		expect(problemOf(positiveId, date, 'Campaign').given).toBe('2030-12-31T08:00:00.000Z');
	});

	it.each([[{ pin: 123456 }], [['123456', '1']]])(
		'doesn’t show a secret value in the error',
		(value) => {
			const { message, description, given } = problemOf(secret, value, 'Password');
			expect(given).toBeUndefined();
			expect(message).toBe('The parameter "Password" must be text');
			expect(description).toBe('Correct the value, or the expression that returns it.');
		},
	);

	it.each<[unknown, boolean]>([
		...[undefined, null, '', '  \n', []].map((value): [unknown, boolean] => [value, true]),
		...[0, false, 'a', ['']].map((value): [unknown, boolean] => [value, false]),
	])('isBlank(%j) is %j', (value, blank) => {
		expect(isBlank(value)).toBe(blank);
	});
});
