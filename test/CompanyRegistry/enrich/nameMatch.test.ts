import fc from 'fast-check';

import {
	bestMatch,
	longestWord,
	nameScore,
	normaliseName,
	searchWords,
} from '../../../nodes/CompanyRegistry/enrich/nameMatch';
import { generateCompany } from '../../../sandbox/registry/companies';

const THRESHOLD = 0.8;

/** Names as the registry has them. */
const registryName = fc.integer({ min: 0, max: 5000 }).map((index) => generateCompany(index).name);

const word = fc
	.array(fc.constantFrom(...'abcdeimnorstuvzăâîșț'), { minLength: 3, maxLength: 9 })
	.map((letters) => letters.join(''))
	.filter((text) => normaliseName(`x ${text} y`).words.length === 3);

const plainName = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

const legalForm = fc.constantFrom(
	...['SRL', 'S.R.L.', 's.r.l', 'S. R. L.', 'SA', 'S.A.', 'ÎI', 'I.I.', 'Î.S.', 'ÎM', 'GȚ', 'G.Ţ.'],
	...['Societatea cu Răspundere Limitată', 'Întreprinderea Individuală', 'LTD', 'ÎCS'],
);

const candidate = (name: string, more: { active?: boolean; idno?: string } = {}) => ({
	name,
	active: true,
	idno: '1000000000000',
	...more,
});

describe('the normalised name', () => {
	it.each([
		['S.R.L. „Vălmora-Agro”', ['valmora', 'agro'], ['srl']],
		['ŞOIMNOVA VIN S. R. L.', ['soimnova', 'vin'], ['srl']],
		['Țarnlina «Test» ÎI', ['tarnlina', 'test'], ['ii']],
		['ÎCS "Dornvest" SRL', ['dornvest'], ['srl', 'ics']],
		['Societatea pe Acțiuni Lumițara', ['lumitara'], ['societateapeactiuni']],
		['A.B. Construct S.A', ['ab', 'construct'], ['sa']],
		['SA', ['sa'], []],
		['S.R.L. SA', ['srl'], ['sa']],
		['Sara SRL', ['sara'], ['srl']],
		['', [], []],
		['„”', [], []],
	])('of %p is %p', (name, words, legalForms) => {
		expect(normaliseName(name)).toEqual({ words, legalForms });
	});
});

describe('the score of two names', () => {
	it('is 1 for a name and itself', () => {
		fc.assert(fc.property(registryName, (name) => expect(nameScore(name, name)).toBe(1)));
	});

	it('is the same both ways, and from 0 to 1', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (a, b) => {
				const score = nameScore(a, b);
				expect(score).toBe(nameScore(b, a));
				expect(score).toBeGreaterThanOrEqual(0);
				expect(score).toBeLessThanOrEqual(1);
			}),
		);
	});

	it('does not mind case, diacritics, cedillas, quotes, dashes and legal forms', () => {
		const spelling = fc.constantFrom<Array<(name: string) => string>>(
			...(
				[
					(name) => name.toLocaleUpperCase('ro'),
					(name) => name.toLocaleLowerCase('ro'),
					(name) => name.normalize('NFD').replace(/\p{M}/gu, ''),
					(name) => name.normalize('NFD'),
					(name) => name.replace(/ș/g, 'ş').replace(/ț/g, 'ţ'),
					(name) => `„${name}”`,
					(name) => `"${name}"`,
					(name) => name.replace(/ /g, '-'),
					(name) => `  ${name.replace(/ /g, '   ')} `,
				] as Array<(name: string) => string>
			).map((one) => [one]),
		);
		fc.assert(
			fc.property(plainName, spelling, legalForm, fc.boolean(), (name, [change], form, before) => {
				const written = before ? `${form} ${change!(name)}` : `${change!(name)}, ${form}`;
				expect(nameScore(name, written)).toBe(1);
				expect(searchWords(written)).toBe(searchWords(name));
			}),
		);
	});

	it('stays above the usual threshold for one letter typed wrong in a long name', () => {
		const long = fc
			.array(
				word.filter((text) => text.length >= 6),
				{ minLength: 2, maxLength: 3 },
			)
			.map((words) => words.join(' '));
		fc.assert(
			fc.property(long, fc.nat(), (name, seed) => {
				const letters = [...name];
				const positions = letters.flatMap((letter, index) => (letter === ' ' ? [] : [index]));
				letters[positions[seed % positions.length]!] = 'q';
				expect(nameScore(name, letters.join(''))).toBeGreaterThanOrEqual(THRESHOLD - 0.05);
			}),
		);
	});

	it.each([
		['Vălmora Agro', 'Valmorra Agro SRL', true],
		['Vălmora Agro', 'ValmoraAgro SRL', true],
		['Agro Vălmora', 'Vălmora Agro', true],
		['Vălmora', 'Vălmora Agro SRL', false],
		['Vălmora', 'Vălmora Vin', false],
		['Vălmora Agro', 'Vălmora Agro Sud', false],
		['Vălmora Vin', 'Vălmora Agro', false],
		['Șoimnova', 'Țarnlina', false],
		['', 'SRL', false],
	])('of %p and %p is enough by default: %p', (a, b, enough) => {
		expect(nameScore(a, b) >= THRESHOLD).toBe(enough);
	});
});

describe('the best match', () => {
	it('is nothing where there are no candidates', () => {
		expect(bestMatch('Vălmora', [])).toBeUndefined();
	});

	it('is the company itself among any others of different names', () => {
		fc.assert(
			fc.property(
				fc.uniqueArray(plainName, { minLength: 2, maxLength: 20 }),
				fc.nat(),
				(names, pick) => {
					const wanted = names[pick % names.length]!;
					const best = bestMatch(
						`SRL „${wanted}”`,
						names.map((name) => candidate(name)),
					);
					expect(best?.score).toBe(1);
					expect(nameScore(best!.candidate.name, wanted)).toBe(1);
				},
			),
		);
	});

	it('does not depend on the order of the candidates', () => {
		const company = fc.record({
			name: fc.oneof(plainName, fc.constantFrom('Vălmora SRL', 'VALMORA S.A.', 'Vălmora')),
			active: fc.boolean(),
			idno: fc.integer({ min: 1000, max: 9999 }).map(String),
		});
		const companies = fc.uniqueArray(company, {
			minLength: 1,
			maxLength: 10,
			selector: ({ idno }) => idno,
		});
		fc.assert(
			fc.property(companies, fc.infiniteStream(fc.nat()), (list, random) => {
				const shuffled = list
					.map((entry) => ({ entry, key: random.next().value }))
					.sort((a, b) => a.key - b.key)
					.map(({ entry }) => entry);
				expect(bestMatch('Vălmora', shuffled)).toEqual(bestMatch('Vălmora', list));
			}),
		);
	});

	it('prefers the words in the same order', () => {
		const companies = [
			candidate('Vin Vălmora', { idno: '1' }),
			candidate('Vălmora Vin', { idno: '2' }),
		];
		expect(bestMatch('valmora vin', companies)?.candidate.idno).toBe('2');
	});

	it('prefers the same legal form, then an active company, then the smaller IDNO', () => {
		const companies = [
			candidate('Vălmora SA', { idno: '3' }),
			candidate('Vălmora SRL', { idno: '4' }),
			candidate('Vălmora SRL', { idno: '1', active: false }),
			candidate('Vălmora SA', { idno: '2' }),
		];
		expect(bestMatch('Valmora S.R.L.', companies)?.candidate.idno).toBe('4');
		expect(bestMatch('Valmora', companies)?.candidate.idno).toBe('2');
	});
});

describe('what a name is searched by', () => {
	it('is the longest word as it was written, with today’s diacritics, when all words fail', () => {
		expect(longestWord('SRL „Vălmora-Şoimăneasca”')).toBe('Șoimăneasca');
	});

	it('is nothing for a name without letters and digits', () => {
		expect(searchWords('„—”')).toBe('');
		expect(longestWord('„—”')).toBe('');
	});
});
