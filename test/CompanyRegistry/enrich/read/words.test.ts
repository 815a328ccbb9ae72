import fc from 'fast-check';

import { fold, soundOf, wordsOf } from '../../../../nodes/CompanyRegistry/enrich/read/words';

const spellings = (name: string) => wordsOf(name).map((word) => word.spellings);
const texts = (name: string) => wordsOf(name).map(({ text }) => text);

describe('wordsOf', () => {
	it.each([
		['S.R.L. „Vălmora-Agro”', ['SRL', 'Vălmora', 'Agro']],
		['G. Ț. Popescu', ['GȚ', 'Popescu']],
		['Farmacia nr. 51/123', ['Farmacia', 'nr', '51', '123']],
		['EuroPanLux', ['Euro', 'Pan', 'Lux']],
		['Lapte & Miere', ['Lapte', 'Miere']],
		['„”', []],
	])('splits "%s" into the words %j', (name, expected) => {
		expect(texts(name)).toEqual(expected);
	});

	it('keeps only the first 60 words of a long text', () => {
		expect(texts('SRL '.repeat(1_000))).toHaveLength(60);
	});

	it('gives a word with â or î both spellings', () => {
		expect(spellings('Cîmpia')).toEqual([['cimpia', 'campia']]);
		expect(spellings('Câmpia')).toEqual([['campia', 'cimpia']]);
	});

	it('reads ş and ţ with a cedilla as ș and ț with a comma', () => {
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
	])('transliterates "%s" to "%s"', (cyrillic, latin) => {
		expect(texts(cyrillic)).toEqual([latin]);
	});

	it('tells words inside quotation marks from words outside, unless the whole name is quoted', () => {
		const quotes = (name: string) => wordsOf(name).map((word) => word.quotes);
		expect(quotes('ÎM „Vălmora” SRL')).toEqual([0, 1, 0]);
		expect(quotes('«ÎM „Vălmora” SRL»')).toEqual([0, 1, 0]);
		expect(quotes('"Vălmora SRL"')).toEqual([0, 0]);
	});

	it('gives each word of any text at least one spelling', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), (text) => {
				for (const word of wordsOf(text)) expect(word.spellings.length).toBeGreaterThan(0);
			}),
		);
	});
});

it('fold removes case and diacritics', () => {
	expect(fold('ȘOIMĂREASCĂ')).toBe('soimareasca');
});

it.each([
	['bukuria', 'bucuria'],
	['chernomor', 'kernomor'],
	['philomena', 'filomena'],
	['zhivopis', 'jivopis'],
	['wolwex', 'volvex'],
])('soundOf gives "%s" and "%s" the same sound', (one, other) => {
	expect(soundOf(one)).toBe(soundOf(other));
});
