import fc from 'fast-check';

import {
	compare as compareWith,
	LEAST_SCORE,
	wantedCompany,
} from '../../../nodes/CompanyRegistry/names/compare';
import { candidateOf } from '../../../nodes/CompanyRegistry/names/decide';
import { generateCompany } from '../../../sandbox/registry/companies';
import { alternativesOf, linesOf } from '../../pairs';

interface RowColumns {
	city?: string;
	form?: string;
}

function compare(row: string, name: string, record = {}, { city, form }: RowColumns = {}) {
	const candidate = candidateOf({ name, ...record })!;
	const { differences, ...rest } = compareWith(wantedCompany(row, city, form), candidate);
	return { ...rest, reason: differences.map(({ text }) => text).join(' ') };
}

const registryName = fc.integer({ min: 0, max: 5000 }).map((index) => generateCompany(index).name);

describe('compare', () => {
	it.each(linesOf('compare.txt'))('rates "$left" as $section for "$right"', (line) => {
		const { quality, reason } = compare(line.left, line.right);
		expect({ quality, reason }).toEqual({ quality: line.section, reason: line.more });
	});

	it('matches a registered name exactly, whatever its case, diacritics, quotation marks and spaces', () => {
		const spelling = fc.constantFrom<(name: string) => string>(
			(name) => name.toLocaleUpperCase('ro'),
			(name) => name.toLocaleLowerCase('ro'),
			(name) => name.normalize('NFD').replace(/\p{M}/gu, ''),
			(name) => name.replace(/ș/g, 'ş').replace(/ț/g, 'ţ'),
			(name) => `«${name}»`,
			(name) => `  ${name.replace(/ /g, '   ')} `,
		);
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 5000 }), spelling, (index, change) => {
				const { name, legalForm } = generateCompany(index);
				expect(compare(change(name), name, { legal_form: legalForm })).toEqual({
					score: 1,
					quality: 'exact',
					reason: '',
				});
			}),
		);
	});

	it('scores any two names within the range of their match level', () => {
		fc.assert(
			fc.property(registryName, fc.oneof(registryName, fc.string()), (name, row) => {
				const { score, quality, reason } = compare(row, name);
				expect(score).toBeGreaterThanOrEqual(LEAST_SCORE[quality]);
				expect(score === 1).toBe(quality === 'exact');
				expect(score >= 0.8).toBe(['exact', 'strong'].includes(quality));
				expect(score >= 0.6).toBe(quality !== 'none');
				expect(reason === '').toBe(quality === 'exact');
			}),
			{
				examples: [
					['Lucoria Codru Calea Carpat', 'Lukoria Kodru Kalea Karpat'],
					['Vălmora SRL', 'Vălmora SA'],
					['Ragob', 'Ragob Ragob Ragob'],
				],
			},
		);
	});

	it('reads an abbreviation as a legal form if the registered company has that form', () => {
		const legalForm = (form: string) => ({ legal_form: form });
		expect(compare('GT Popescu Vasile', 'Popescu Vasile', legalForm('GȚ')).quality).toBe('exact');
		expect(compare('GT Motors SRL', 'GT Motors', legalForm('SRL')).quality).toBe('exact');
	});

	it.each(linesOf('places.txt', 'a company in Orhei'))(
		'gives the row "$left" the level "$right" for a company in Orhei',
		({ left, right }) => {
			const [row = '', ...cells] = left.split('; ');
			const columns = Object.fromEntries(cells.map((cell) => cell.split(': ')));
			const record = { city: 'Orhei', region: 'Orhei', legal_form: 'SRL' };
			expect(compare(row, 'Ragob SRL', record, columns).quality).toBe(right);
		},
	);

	it.each(linesOf('places.txt').filter(({ more }) => more !== ''))(
		'gives a company in "$left" and a row that says "$right" the level "$more"',
		({ left: city, right: rowCity, more: quality, section }) => {
			expect(compare('Ragob', 'Ragob SRL', { city }, { city: rowCity }).quality).toBe(quality);
			if (section.includes('column')) return;
			expect(compare(`Ragob SRL, ${rowCity}`, 'Ragob SRL', { city }).quality).toBe(quality);
		},
	);

	it.each([
		...alternativesOf('places.txt', 'one place'),
		...alternativesOf('places.txt', 'no other place'),
	])('finds a company in %s for a row that says "%s"', (city, rowCity) => {
		expect(compare('Ragob', 'Ragob SRL', { city }, { city: rowCity }).quality).toBe('exact');
	});

	it.each(alternativesOf('places.txt', 'another country'))(
		'rates a name as %s if a row has it with the country "%s"',
		(level, country) => {
			expect(compare(`Ragob SRL, ${country}`, 'Ragob SRL').quality).toBe(level);
			expect(compare(`Ragob ${country} SRL`, `Ragob ${country} SRL`).quality).toBe('exact');
		},
	);

	it.each(alternativesOf('words.txt', 'common words'))(
		'a name doesn’t match another one only because both have the %s words "%s"',
		(_, name) => {
			expect(compare(`Moldova ${name}`, `${name} SRL`).quality).toBe('none');
		},
	);

	it.each(alternativesOf('words.txt', 'abbreviations'))(
		'matches the word "%s" with its abbreviation "%s"',
		(word, abbreviation) => {
			expect(compare(`${abbreviation} Ragob`, `${word} Ragob`).quality).toBe('strong');
		},
	);

	it('gives a reason once if both the name and the legal form column contradict the company', () => {
		const { reason } = compare('Vălmora SA', 'Vălmora SRL', {}, { form: 'SA' });
		expect(reason).toBe('The legal forms differ: SA and SRL.');
	});

	it('compares the legal form column with the form in the registered name if the registry has no such field', () => {
		expect(compare('Vălmora', 'Vălmora SRL', {}, { form: 'SA' }).quality).toBe('none');
	});

	it('compares the legal form in the row with the registry’s field if the registered name has none', () => {
		const record = { legal_form: 'SRL' };
		expect(compare('Vălmora', 'Vălmora', record, { form: 'SA' }).quality).toBe('none');
		expect(compare('Vălmora SA', 'Vălmora', record).quality).toBe('none');
	});

	it.each([{ city: 'Orhei' }, { region: 'Orhei' }])(
		'ignores the address of a company with %j',
		(place) => {
			const record = { ...place, address: 'or. Cahul, str. Morii 3' };
			expect(compare('Ragob', 'Ragob SRL', record, { city: 'Cahul' }).quality).toBe('likely');
		},
	);

	it("compares the row's city with a place in the company's name", () => {
		expect(compare('Ragob', 'Ragob SRL, Cahul', {}, { city: 'Orhei' }).quality).toBe('likely');
	});

	it('rates a match as strong however many harmless differences it has', () => {
		const row = 'Firma Constr. Trans Lukoria SRL, Orhei (client vechi)';
		const { quality } = compare(row, 'Lucoria Construct Trans SRL', { city: 'Orhei' });
		expect(quality).toBe('strong');
	});

	it("doesn't match a company by a generic word and its location alone", () => {
		expect(compare('Cahul Ragob', 'Ragob SRL', { city: 'Cahul' }).quality).toBe('strong');
		expect(compare('Ragob Noi', 'Ragob SRL', { city: 'Anenii Noi' }).quality).toBe('none');
		expect(compare('Cahul Agro', 'Agro SRL', { city: 'Cahul' }).quality).toBe('none');
	});
});
