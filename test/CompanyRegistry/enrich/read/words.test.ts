import fc from 'fast-check';

import { fold, soundOf, wordsOf } from '../../../../nodes/CompanyRegistry/enrich/read/words';

const spellings = (name: string) => wordsOf(name).map((word) => word.spellings);
const texts = (name: string) => wordsOf(name).map(({ text }) => text);

describe('the words of a name', () => {
	it.each([
		['S.R.L. „Vălmora-Agro”', ['SRL', 'Vălmora', 'Agro']],
		['G. Ț. Popescu', ['GȚ', 'Popescu']],
		['Farmacia nr. 51/123', ['Farmacia', 'nr', '51', '123']],
		['EuroPanLux', ['Euro', 'Pan', 'Lux']],
		['Lapte & Miere', ['Lapte', 'Miere']],
		['„”', []],
	])('splits %s into %j', (name, expected) => {
		expect(texts(name)).toEqual(expected);
	});

	it('keeps the first sixty words of a long text', () => {
		expect(texts('SRL '.repeat(1_000))).toHaveLength(60);
	});

	it('knows both spellings of â and î', () => {
		expect(spellings('Cîmpia')).toEqual([['cimpia', 'campia']]);
		expect(spellings('Câmpia')).toEqual([['campia', 'cimpia']]);
	});

	it('reads a cedilla in old texts as a comma', () => {
		expect(texts('Şoimul Ţării')).toEqual(['Șoimul', 'Țării']);
	});

	it.each([
		['Букурия', 'bucuria'],
		['Чокана', 'ciocana'],
		['Георге', 'gheorghe'],
		['Джерманика', 'germanica'],
		['Авто', 'auto'],
		['Квинт', 'cvint'],
		['Славтранс', 'slavtrans'],
		['Трейд', 'trade'],
		['Шоймул', 'șoimul'],
		['Аgrоnоvа', 'Agronova'],
	])('transliterates %s to %s', (cyrillic, latin) => {
		expect(texts(cyrillic)).toEqual([latin]);
	});

	it('distinguishes words inside quotation marks from those outside, unless all are inside', () => {
		const quotes = (name: string) => wordsOf(name).map((word) => word.quotes);
		expect(quotes('ÎM „Vălmora” SRL')).toEqual([0, 1, 0]);
		expect(quotes('«ÎM „Vălmora” SRL»')).toEqual([0, 1, 0]);
		expect(quotes('"Vălmora SRL"')).toEqual([0, 0]);
	});

	it('finds words in any text', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), (text) => {
				for (const word of wordsOf(text)) expect(word.spellings.length).toBeGreaterThan(0);
			}),
		);
	});
});

it('folds case and diacritics', () => {
	expect(fold('ȘOIMĂREASCĂ')).toBe('soimareasca');
});

it.each([
	['bukuria', 'bucuria'],
	['chernomor'.replace('ch', 'k'), 'kernomor'],
	['philomena', 'filomena'],
	['zhivopis', 'jivopis'],
	['wolwex', 'volvex'],
])('hears the same sound in %s and %s', (one, other) => {
	expect(soundOf(one)).toBe(soundOf(other));
});
