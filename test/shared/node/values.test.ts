import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';

import { asText, isBlank, wholeNumberIn, yesOrNo } from '../../../nodes/shared/node/values';

describe('isBlank', () => {
	it.each([
		['always', undefined, {}],
		['always', null, {}],
		['always', '', {}],
		['always', ' \u00a0\u200b', {}],
		['always', [], {}],
		['as a stored cell', false, { orFalse: true }],
		['as a stored cell', ' FALSE ', { orFalse: true }],
		['as a stored cell', {}, { orFalse: true }],
		['from a model', 'null', { orNull: true }],
		['from a model', ' Undefined', { orNull: true }],
	])('isBlank is %s true for %p', (_, value, blanks) => {
		expect(isBlank(value, blanks)).toBe(true);
		expect(isBlank(value)).toBe(Object.keys(blanks).length === 0);
	});

	it.each([0, '0', '-', 'none', true, ['', ''], { a: null }, new Date(0), DateTime.fromMillis(0)])(
		'isBlank is false for %p',
		(value) => {
			expect(isBlank(value, { orFalse: true, orNull: true })).toBe(false);
		},
	);
});

describe('yesOrNo', () => {
	it.each([
		[true, [true, 1, '1', '1.0', ' TRUE ', 'Yes', 'y', 't', ['yes']]],
		[true, ['Da', 'ADEVĂRAT', 'adevarat', 'Да', 'ИСТИНА']],
		[false, [false, 0, '0', '0,00', 'False', 'no', 'N', 'f']],
		[false, ['NU', 'FALS', 'Нет', 'ЛОЖЬ']],
		[undefined, ['', null, undefined, 2, '10', 'maybe', {}, ['yes', 'no']]],
	])('yesOrNo is %p for %j', (meaning, values) => {
		expect(values.map((value) => yesOrNo(value))).toEqual(values.map(() => meaning));
	});
});

it('a number or a letter means neither yes nor no where only words count', () => {
	expect(['1', 'y', 'N'].map((value) => yesOrNo(value, { onlyWords: true }))).toEqual([
		undefined,
		undefined,
		undefined,
	]);
	expect(yesOrNo('Да', { onlyWords: true })).toBe(true);
});

describe('wholeNumberIn', () => {
	it.each([
		[5, [5, '5', ' +5 ', '5.0', '5,00', '5.0000', ['5']]],
		[-5, [-5, '-5', '-5.0']],
		[50_000, ['50 000', '50\u00a0000', '50\u202f000.00']],
		[undefined, [5.5, '5.5', '5.000', '5,000', '50 00', '1e3', '0x10', NaN, 2 ** 53]],
		[undefined, ['', null, true, {}, '5 items', '5 000 00', '50 0000', '5000 000']],
	])('wholeNumberIn is %p for %j', (number, values) => {
		expect(values.map(wholeNumberIn)).toEqual(values.map(() => number));
	});
});

describe('asText', () => {
	const date = '2030-12-31T08:00:00.000';
	it.each([
		[' a\u00a0', 'a'],
		[['a'], 'a'],
		[0, '0'],
		[false, 'false'],
		[new Date(`${date}Z`), `${date}Z`],
		[runInNewContext(`new Date('${date}Z')`) as unknown, `${date}Z`],
		[DateTime.fromISO(date, { zone: 'Europe/Chisinau' }), `${date}+02:00`],
		[null, undefined],
		[['a', 'b'], undefined],
		[{ toISO: 5 }, undefined],
		[new Date(NaN), undefined],
	])('asText writes %p as %p', (value, text) => {
		expect(asText(value)).toBe(text);
	});
});
