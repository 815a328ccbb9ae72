import fc from 'fast-check';

import { hasWrongEncoding, soundOf, wordsOf } from '../../../nodes/CompanyRegistry/names/words';

const texts = (name: string) => wordsOf(name).map(({ text }) => text);

describe('wordsOf', () => {
	it.each([
		['S.R.L. „Vălmora-Agro”', ['SRL', 'Vălmora', 'Agro']],
		['G. Ț. Popescu', ['GȚ', 'Popescu']],
		['S & Ț. S.R.L.', ['S', 'Ț', 'SRL']],
		['C.V.R. S.R.L.', ['CVR', 'SRL']],
		['Farmacia nr. 51/123', ['Farmacia', 'nr', '51', '123']],
		['Şoimul Ţării', ['Șoimul', 'Țării']],
		['„”', []],
	])('splits "%s" into the words %j', (name, expected) => {
		expect(texts(name)).toEqual(expected);
	});

	it.each([
		['Букурия', 'bucuria'],
		['Чокана', 'ciocana'],
		['Георге', 'gheorghe'],
		['Джерманика', 'germanica'],
		['Славтранс', 'slavtrans'],
		['Трейд', 'trade'],
		['Шоймул', 'șoimul'],
	])('transliterates "%s" to "%s"', (cyrillic, latin) => {
		expect(texts(cyrillic)).toEqual([latin]);
	});

	it('gives a word with â or î both spellings', () => {
		expect(wordsOf('Cîmpia')[0]!.spellings).toEqual(['cimpia', 'campia']);
		expect(wordsOf('Câmpia')[0]!.spellings).toEqual(['campia', 'cimpia']);
	});

	it.each([
		'ÎM „Vălmora” SRL',
		'ÎM ,,Vălmora,,SRL',
		'ÎM ”Vălmora„ SRL',
		'«ÎM „Vălmora” SRL»',
		'"ÎM "Vălmora" SRL"',
	])('tells the word inside the quotation marks of %s from those outside', (name) => {
		expect(wordsOf(name).map(({ quoted }) => quoted)).toEqual([false, true, false]);
	});

	it('ignores quotation marks around the whole name', () => {
		expect(wordsOf('"Vălmora SRL"').some(({ quoted }) => quoted)).toBe(false);
	});

	it('keeps the first 400 letters of a long text, and gives every word a spelling', () => {
		expect(wordsOf('SRL '.repeat(1_000))).toHaveLength(100);
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), (text) => {
				for (const word of wordsOf(text)) expect(word.spellings.length).toBeGreaterThan(0);
			}),
		);
	});
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

it('hasWrongEncoding recognizes text that was read in another encoding, and no usual name', () => {
	for (const garbled of ['VÄƒlmora', 'Àãðî Ïðóò', 'РђРіСЂРѕ', 'V\ufffdlmora', 'V?lmora']) {
		expect(hasWrongEncoding(garbled)).toBe(true);
	}
	for (const usual of ['Vălmorița', 'Müller Käse', 'Прут-Агро', 'Șoimărească?', 'Îmbrăcăminte']) {
		expect(hasWrongEncoding(usual)).toBe(false);
	}
});
