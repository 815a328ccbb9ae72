import { watchListOf } from '../../../../nodes/LinkCompanyTrigger/events/companyStatusChanged/watchList';

const A = '1003600015231';
const B = '1008600038413';
const C = '1002600005897';

describe('the watch list', () => {
	it.each<[string, unknown]>([
		['one IDNO per line', `${A}\n${B}\r\n${C}`],
		['commas, semicolons and tabs', `${A}, ${B};${C}\t`],
		['a typed list', [A, B, C]],
		['numbers', [Number(A), Number(B), Number(C)]],
		['records', [{ idno: A }, { idno: B, name: 'x' }, C]],
		['empty lines and repetitions', `\n${A}\n\n${B}\n${A}\n${C}\n`],
		['spaces and dots between the digits', '1003600 015 231\n1008.6000.38413\n1002-600005897'],
	])('takes %s', (_, given) => {
		expect(watchListOf(given, true)).toEqual([A, B, C]);
	});

	it.each<[string, unknown, string]>([
		['a line', `${A}\n\n12345\n`, 'Line 3 of the watch list is not a valid IDNO: 12345'],
		['a place in a line', `${A}\n${B}, x`, 'Line 2 of the watch list is not a valid IDNO: x'],
		[
			'an entry',
			[A, '', '1003600015232'],
			'Entry 3 of the watch list is not a valid IDNO: 1003600015232',
		],
		[
			'a record without one',
			[{ name: 'x' }],
			'Entry 1 of the watch list is not a valid IDNO: {"name":"x"}',
		],
	])('names the place that is wrong: %s', (_, given, message) => {
		expect(() => watchListOf(given, true)).toThrow(message);
	});

	it('is not empty', () => {
		for (const given of ['', ' \n ', [], [''], undefined, null]) {
			expect(() => watchListOf(given, true)).toThrow('The watch list is empty');
		}
	});

	it('accepts a wrong check digit if the option is off', () => {
		expect(watchListOf('1003600015232', false)).toEqual(['1003600015232']);
		expect(() => watchListOf('100360001523', false)).toThrow('Line 1');
	});
});
