import { formsContradict } from '../../../nodes/CompanyRegistry/names/forms';
import { parseName, readingsOf, type CompanyName } from '../../../nodes/CompanyRegistry/names/name';
import { alternativesOf, linesOf } from '../../pairs';

const sectionOf = (name: string) => linesOf('names.txt', name);
const wordsIn = ({ words }: CompanyName) => words.map(({ spellings }) => spellings[0]).join(' ');

describe('parseName', () => {
	it.each(sectionOf('legal forms'))('reads "$left" as "$right" with the forms "$more"', (line) => {
		const name = parseName(line.left);
		expect(wordsIn(name)).toBe(line.right);
		expect([...name.forms].sort().join(' ')).toBe(line.more);
	});

	it.each(sectionOf('places after a name'))('reads "$left" as "$right" in "$more"', (line) => {
		const name = parseName(line.left);
		expect(wordsIn(name)).toBe(line.right);
		expect(name.places.map((place) => place.name).join(', ')).toBe(line.more);
	});

	it.each(alternativesOf('names.txt', 'spellings of a form'))(
		'reads the legal form %s from "%s"',
		(form, spelling) => {
			const name = parseName(`${spelling} „Vălmora”`);
			expect(wordsIn(name)).toBe('valmora');
			expect([...name.forms]).toEqual([form]);
		},
	);

	it('reads a name that is only punctuation as one without words', () => {
		expect(parseName('„”').words).toEqual([]);
	});
});

describe('readingsOf', () => {
	it.each(["''Vălmora''", '„Vălmora”', '``Vălmora``'])(
		'leaves out what follows the name in quotation marks: SRL %s birou vânzări',
		(quoted) => {
			expect(wordsIn(readingsOf(`SRL ${quoted} birou vânzări`).at(-1)!.name)).toBe('valmora');
		},
	);

	it.each(sectionOf('text around a name'))('ignores $more in the row "$left"', (line) => {
		expect(wordsIn(readingsOf(line.left).at(-1)!.name)).toBe(line.right);
	});

	it.each(alternativesOf('names.txt', 'before a name'))(
		'reads the name "%s" after "%s"',
		(name, description) => {
			expect(wordsIn(readingsOf(`${description} Vălmora`).at(-1)!.name)).toBe(name);
		},
	);

	it.each(alternativesOf('names.txt', 'after a name'))(
		'reads the name "%s" before "%s"',
		(name, contact) => {
			expect(wordsIn(readingsOf(`Vălmora ${contact}`).at(-1)!.name)).toBe(name);
		},
	);

	it.each(sectionOf('read as written'))('reads "$left" only as written: $more', (line) => {
		const readings = readingsOf(line.left);
		expect(readings).toHaveLength(1);
		expect(wordsIn(readings[0]!.name)).toBe(line.right);
	});

	it('keeps a place after the name, so it can contradict a company', () => {
		const places = readingsOf('Lunca (Vălmora SRL), Orhei').at(-1)!.name.places;
		expect(places.map(({ name }) => name)).toEqual(['orhei']);
	});
});

// "Î.M." can mean either form. Written out, a municipal enterprise contradicts an SRL.
it.each(sectionOf('forms of two names'))(
	'formsContradict says of the forms "$left" and "$right": $more',
	({ left, right, more }) => {
		const [one, other] = [left, right].map((forms) => new Set(forms.split(' ')));
		expect(formsContradict(one!, other!)).toBe(more === 'contradiction');
		expect(formsContradict(new Set(), other!)).toBe(false);
	},
);
