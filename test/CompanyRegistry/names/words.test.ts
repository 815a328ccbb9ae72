import fc from 'fast-check';

import { hasWrongEncoding, soundOf, wordsOf } from '../../../nodes/CompanyRegistry/names/words';
import { linesOf } from '../../pairs';

const texts = (name: string) => wordsOf(name).map(({ text }) => text);

describe('wordsOf', () => {
	it.each(linesOf('words.txt', 'words'))('splits "$left" into the words "$right"', (line) => {
		expect(texts(line.left).join(' ')).toBe(line.right);
	});

	it.each(linesOf('words.txt', 'transliterated'))('transliterates "$left" to "$right"', (line) => {
		expect(texts(line.left)).toEqual([line.right]);
	});

	it.each([
		'ÎM „Vălmora” SRL',
		'ÎM ,,Vălmora,,SRL',
		'ÎM "Vălmora" SRL"',
		'ÎM ”Vălmora„ SRL',
		'«ÎM „Vălmora” SRL»',
		'"ÎM "Vălmora" SRL"',
	])('tells the word inside the quotation marks of %s from those outside', (name) => {
		expect(wordsOf(name).map(({ quoted }) => quoted)).toEqual([false, true, false]);
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

it.each(linesOf('words.txt', 'one sound'))('gives "$left" and "$right" the same sound', (line) => {
	expect(soundOf(line.left)).toBe(soundOf(line.right));
});

it('hasWrongEncoding recognizes text that was read in another encoding, and no usual name', () => {
	const asWindows1252 = ['VÄƒlmora', 'VÄ‚LMORA', 'CÃ®mpia', 'È™oim', 'Å¢ara'];
	for (const garbled of [
		...asWindows1252,
		...['Àãðî Ïðóò', 'РђРіСЂРѕ', 'СѓСЋС‚', 'V\ufffdlmora', 'V?lmora', '?oimul'],
	]) {
		expect(hasWrongEncoding(garbled)).toBe(true);
	}
	for (const usual of ['Vălmorița', 'Müller Käse', 'Прут-Агро', 'Șoimărească?', 'Îmbrăcăminte']) {
		expect(hasWrongEncoding(usual)).toBe(false);
	}
});
