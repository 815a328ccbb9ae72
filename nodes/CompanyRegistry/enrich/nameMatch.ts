/**
 * How alike two company names are, and which of several companies a name means.
 *
 * The measure: both names are normalised (see `normaliseName`). Two words are as alike as the
 * pairs of neighbouring letters that they share (Dice coefficient: twice the shared pairs, divided
 * by all pairs, the ends of the word counting as letters). Each name is covered by the other to
 * the average likeness of its words to their best counterparts, and the score is the smaller of
 * the two coverages, from 0 to 1. So it is 1 for names that differ in nothing that matters nor in
 * the order of words, and about 0.95 for a doubled letter; a word that only one of the names has
 * costs its whole share, since "Valmora" is not "Valmora Vin". Names that differ in nothing but
 * spaces score `SPACES_ONLY`.
 */

const SPACES_ONLY = 0.95;

/** A name, reduced to what tells companies apart. */
export interface NormalisedName {
	/** Words in lower case, without diacritics, punctuation and legal form. */
	words: string[];
	/** The legal forms that stood around the name, e.g. `srl`. */
	legalForms: string[];
}

/** One of the companies that a name may mean. */
export interface Candidate {
	name: string;
	/** Active companies are preferred among equally good ones. */
	active: boolean;
	/** Decides last, so that the same companies always give the same choice. */
	idno: string;
}

export interface BestMatch<T extends Candidate> {
	candidate: T;
	/** 0 to 1. */
	score: number;
}

/**
 * Legal forms of the Republic of Moldova in the spellings in use, and the foreign ones that CRM
 * rows contain. Compact: without diacritics, dots and spaces.
 */
const LEGAL_FORMS = new Set([
	...['srl', 'sa', 'sad', 'sc', 'scs', 'sca', 'snc', 'ii', 'im', 'is', 'ics', 'ip', 'gt', 'cp'],
	...['cc', 'ca', 'ao', 'bc', 'fpc', 'pfa', 'ltd', 'llc', 'gmbh', 'inc', 'ооо', 'ип', 'зао', 'ао'],
	'societatecuraspunderelimitata',
	'societateacuraspunderelimitata',
	'societatepeactiuni',
	'societateapeactiuni',
	'societateinnumecolectiv',
	'societateincomandita',
	'societatecomerciala',
	'societateacomerciala',
	'intreprindereindividuala',
	'intreprindereaindividuala',
	'intreprinderemixta',
	'intreprindereamixta',
	'intreprinderecucapitalstrain',
	'intreprindereacucapitalstrain',
	'intreprinderedestat',
	'intreprindereadestat',
	'intreprinderemunicipala',
	'intreprindereamunicipala',
	'gospodariataraneasca',
	'gospodarietaraneasca',
	'cooperativadeproductie',
	'cooperativadeconsum',
	'asociatiaobsteasca',
	'asociatieobsteasca',
	'institutiapublica',
	'institutiepublica',
	'bancacomerciala',
]);

/** Words of the longest legal form above. */
const LONGEST_FORM = 4;

/** Lower case without diacritics: ș and ş, ț and ţ, ă, â and î become s, t, a and i. */
export function fold(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The words of a text: dotted initials are one word, other punctuation separates. */
function wordsOf(text: string): string[] {
	const dotted = /(?<![\p{L}\p{N}])\p{L}(?:\.\s?\p{L})+(?![\p{L}\p{N}])\.?/gu;
	return text
		.replace(dotted, (initials) => `${initials.replace(/[^\p{L}]/gu, '')} `)
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
}

/**
 * Ignores case, diacritics (also in their cedilla forms), quotes, punctuation, and legal forms at
 * either end, abbreviated or in full. A name that is nothing but a legal form keeps it.
 */
export function normaliseName(name: string): NormalisedName {
	let words = wordsOf(fold(name));
	const legalForms: string[] = [];
	for (let found = true; found;) {
		found = false;
		for (let length = Math.min(LONGEST_FORM, words.length - 1); length > 0; length--) {
			const [front, back] = [words.slice(0, length).join(''), words.slice(-length).join('')];
			if (LEGAL_FORMS.has(back)) words = words.slice(0, -length);
			else if (LEGAL_FORMS.has(front)) words = words.slice(length);
			else continue;
			legalForms.push(LEGAL_FORMS.has(back) ? back : front);
			found = true;
			break;
		}
	}
	return { words, legalForms };
}

/** Similarity of two names from 0 to 1, by the measure described above. It is symmetric. */
export function nameScore(a: string, b: string): number {
	return scoreOf(normaliseName(a), normaliseName(b));
}

function scoreOf(a: NormalisedName, b: NormalisedName): number {
	if (a.words.length === 0 || b.words.length === 0) return 0;
	const score = Math.min(coverage(a.words, b.words), coverage(b.words, a.words));
	const sameLetters = a.words.join('') === b.words.join('');
	return sameLetters ? Math.max(score, SPACES_ONLY) : score;
}

/** How well the words are found among the others, on average. */
function coverage(words: string[], others: string[]): number {
	const sum = words.reduce(
		(total, word) => total + Math.max(...others.map((other) => wordScore(word, other))),
		0,
	);
	return sum / words.length;
}

function wordScore(a: string, b: string): number {
	if (a === b) return 1;
	const [pairsOfA, unshared] = [pairsOf(a), pairsOf(b)];
	const all = pairsOfA.length + unshared.length;
	let shared = 0;
	for (const pair of pairsOfA) {
		const index = unshared.indexOf(pair);
		if (index === -1) continue;
		unshared.splice(index, 1);
		shared++;
	}
	return (2 * shared) / all;
}

/** Neighbouring letters of a word, with its ends marked. */
function pairsOf(word: string): string[] {
	const letters = [' ', ...word, ' '];
	return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}

/**
 * The company that a name means most likely. Among equally alike ones the order is: words in the
 * same order, the same legal form, an active company, the smaller IDNO. The order of the
 * candidates does not matter.
 *
 * @returns undefined when there are no candidates
 */
export function bestMatch<T extends Candidate>(
	name: string,
	candidates: readonly T[],
): BestMatch<T> | undefined {
	const wanted = normaliseName(name);
	const [best] = candidates
		.map((candidate) => {
			const found = normaliseName(candidate.name);
			return {
				candidate,
				score: scoreOf(wanted, found),
				sameWords: wanted.words.join(' ') === found.words.join(' '),
				sameForm: wanted.legalForms.some((form) => found.legalForms.includes(form)),
			};
		})
		.sort(
			(a, b) =>
				b.score - a.score ||
				Number(b.sameWords) - Number(a.sameWords) ||
				Number(b.sameForm) - Number(a.sameForm) ||
				Number(b.candidate.active) - Number(a.candidate.active) ||
				(a.candidate.idno < b.candidate.idno ? -1 : 1),
		);
	return best && { candidate: best.candidate, score: best.score };
}

/**
 * What to search a name by: its words without legal form and diacritics, so that all spellings of
 * a name are one and the same search. Empty when the name has neither letters nor digits.
 */
export function searchWords(name: string): string {
	return normaliseName(name).words.join(' ');
}

/**
 * What to search by when nothing was found: the longest word alone, as it was written, in case
 * the service searches for the text as a whole or minds diacritics.
 */
export function longestWord(name: string): string {
	const { words } = normaliseName(name);
	const written = wordsOf(withCommas(name));
	const kept = written.filter((word) => words.includes(fold(word)));
	return kept.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

/** Romanian has ș and ț with a comma below; old texts have a cedilla in its place. */
function withCommas(text: string): string {
	return text
		.normalize('NFD')
		.replace(/([st])\u0327/gi, '$1\u0326')
		.normalize('NFC');
}
