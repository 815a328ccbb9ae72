/** A rule of the matching, and how it is switched off in a copy of the sources. */
export interface Rule {
	name: string;
	/** Files in `nodes/CompanyRegistry/enrich`, a text that occurs there once, and its replacement. */
	changes: ReadonlyArray<{ file: string; from: string; to: string }>;
}

function rule(name: string, file: string, from: string, to: string): Rule {
	return { name, changes: [{ file, from, to }] };
}

const WORDS = 'read/words.ts';
const CLEAN = 'read/clean.ts';
const FORMS = 'read/legalForms.ts';
const PLACES = 'read/places.ts';
const COMPARE = 'match/compare.ts';
const COMPARE_WORDS = 'match/compareWords.ts';
const COMPARE_PLACES = 'match/comparePlaces.ts';
const DECIDE = 'match/decide.ts';
const SEARCH = 'match/search.ts';

export const RULES: readonly Rule[] = [
	rule('text in a wrong encoding', WORDS, 'repairEncoding(text.slice(0, MOST_LETTERS))', 'text'),
	rule('lost letters', COMPARE_WORDS, 'if (hasLostLetters(a) || hasLostLetters(b))', 'if (false)'),
	rule('full-width letters and ligatures', WORDS, `.normalize('NFKD')`, `.normalize('NFD')`),
	rule('letters of other alphabets', WORDS, 'SINGLE_LETTERS.get(letter) ?? letter', 'letter'),
	rule('old and new spelling of î', WORDS, '[usual, other].map(fold)', '[usual].map(fold)'),
	rule('English words in Cyrillic', WORDS, 'RUSSIAN_SPELLINGS.get(original.toLowerCase()) ??', ''),
	rule(
		'other readings of Cyrillic',
		WORDS,
		'return [moldovan, international]',
		'return ([] as string[])',
	),
	rule('the Turkish ç', WORDS, 'if (/ç/i.test(written))', 'if (false)'),
	rule('look-alikes', WORDS, 'const hasLatin =', 'const hasLatin = false &&'),
	rule(
		'numbers as words',
		COMPARE_WORDS,
		'row.number !== undefined && row.number === company.number',
		'false',
	),
	rule('Roman numerals', WORDS, 'if (original.length < 2 || !ROMAN.test(original))', 'if (true)'),
	rule('words in camel case', WORDS, `(word ?? '').split(CAMEL_CASE)`, `[word ?? '']`),
	rule('connecting words', WORDS, 'return joining.has(written) &&', 'return false &&'),
	rule('known words made of two', WORDS, '&& KNOWN_WORDS.has(spelling.slice(at))', '&& false'),
	rule(
		'organizations as known words',
		'tables/knownWords.ts',
		'${BUSINESS_WORDS} ${ORGANIZATIONS}',
		'${BUSINESS_WORDS}',
	),
	rule('HTML', CLEAN, `.replace(HTML_TAG, ' ')`, ''),
	rule('contact details', CLEAN, 'text.replace(CONTACTS,', 'text.replace(/(?!)/gu,'),
	rule('a domain for a name', CLEAN, `\`\${domain.replaceAll('-', ' ')} \${bare}\``, 'bare'),
	rule(
		'the part of a row that is the name',
		CLEAN,
		'const core = coreOf(bare);',
		'const core = undefined as Core | undefined;',
	),
	rule(
		'descriptions beside quotation marks',
		CLEAN,
		'if (outside.length < words.length) {',
		'if (false) {',
	),
	rule(
		'organizations of a company',
		CLEAN,
		'ORGANIZATION_WORDS.has(written) && !leadingWords.has(written)',
		'false',
	),
	rule(
		'descriptions of an SRL or SA',
		CLEAN,
		`if (forms.has('srl') || forms.has('sa')) return false;`,
		'',
	),
	rule('leading words', CLEAN, 'if (leadingWords.has(word) ||', 'if ('),
	rule(
		'words that follow leading words',
		CLEAN,
		'(index > 0 && describingWords.has(word))',
		'false',
	),
	rule(
		'"de" and a line of business',
		CLEAN,
		`return word === 'de' && describingWords.has(next) ? 2 : 0;`,
		'return 0;',
	),
	rule(
		'branches',
		CLEAN,
		'const branch = branchAt === -1 ? [] : all.slice(branchAt + 1);\n\tconst main = branchAt === -1 ? all',
		'const branch: Word[] = [];\n\tconst main = true ? all',
	),
	rule('places after a name', CLEAN, 'if (startsBeside && isAddress(beside))', 'if (false)'),
	rule('shortened legal forms', FORMS, 'return similar.find(', 'return undefined && similar.find('),
	rule('possible legal forms', FORMS, 'if (word && row) possible.set(word, row.form);', ''),
	rule('one legal form per company', FORMS, 'if (isType && [...forms]', 'if (false && [...forms]'),
	rule('forms that qualify an SRL or SA', FORMS, 'return !(onlyQualify &&', 'return !(false &&'),
	rule(
		'kinds of organizations',
		COMPARE,
		'if (kindsDiffer(rowName.forms, companyName.forms))',
		'if (false)',
	),
	rule('sectors of a city', PLACES, `place.kind !== 'sec' && !isSectorOf(place)`, 'true'),
	rule(
		'streets without a word for it',
		PLACES,
		'if (last && last.kind === undefined &&',
		'if (false && last &&',
	),
	rule(
		'a village is not its district',
		COMPARE_PLACES,
		`if (here.length > 0 && there.length > 0) return 'different';`,
		'',
	),
	rule('places that sound alike', COMPARE_PLACES, 'soundOf(a) === soundOf(b) ||', ''),
	rule(
		'misspelled places',
		COMPARE_PLACES,
		'(a.length >= SHORTEST_MISSPELLED && isMisspelling(a, b))',
		'false',
	),
	rule(
		'a town is a doubt',
		COMPARE,
		`if (comparePlaces(places, company.places) === 'different')`,
		'if (false)',
	),
	rule(
		'the place among namesakes',
		DECIDE,
		"const inTown = narrowed(equal, agrees('same'));",
		'const inTown = equal;',
	),
	rule('a copied name', COMPARE, 'if (text === company.text)', 'if (false)'),
	rule(
		'descriptions in the registry',
		COMPARE,
		'if (outside.length === 0 || !name.some(isDistinctive)) return undefined;',
		'return undefined;',
	),
	rule(
		'place words in the name',
		COMPARE,
		'isDistinct ? wordsOfPlace(onlyRow, rowWords, company) : []',
		'[] as Word[]',
	),
	rule(
		'the country',
		COMPARE,
		'if (isDistinct && areCountry(left, [rowWords, companyWords]))',
		'if (false)',
	),
	rule('spaces', COMPARE, 'else if (sameLetters(unmatched, onlyCompany))', 'else if (false)'),
	rule(
		'generic words',
		COMPARE,
		'else if (isDistinct && !isPerson && areGeneric(unmatched, onlyCompany))',
		'else if (false)',
	),
	rule(
		'the order of a person’s names',
		COMPARE,
		`isPerson && !isRotated(order) ? 'words'`,
		`false ? 'words'`,
	),
	rule(
		'initials',
		COMPARE_WORDS,
		`if (isPersonal && (isInitialOf(row, company) || isInitialOf(company, row))) return 'initial';`,
		'',
	),
	rule('two doubts are another company', COMPARE, 'if (doubtful > 1 ||', 'if ('),
	rule(
		'words for a kind of place',
		COMPARE_WORDS,
		`if (!hasInitial && kind !== undefined && kind === kindOfPlace(company)) return 'same';`,
		'',
	),
	rule(
		'equal sounds',
		COMPARE_WORDS,
		'const isSpelling = sameSound(row, company);',
		'const isSpelling = false;',
	),
	rule(
		'rough sounds of Cyrillic',
		COMPARE_WORDS,
		'sameSound(row, company, roughly)',
		'sameSound(row, company)',
	),
	rule(
		'abbreviations',
		COMPARE_WORDS,
		`if (isShortened(row, company) || isShortened(company, row)) return 'abbreviation';`,
		'',
	),
	rule('misspellings', COMPARE_WORDS, '!isMisspelling(a, b)', 'true'),
	rule(
		'swapped letters of known words',
		COMPARE_WORDS,
		'if (isKnownWord(b) && !isKnownWord(a) && isSwapped(a, b))',
		'if (false)',
	),
	rule(
		'digits for letters',
		COMPARE_WORDS,
		`return isMisread ? 'misspelling' : undefined;`,
		'return undefined;',
	),
	rule('rn for m', COMPARE_WORDS, 'if (a !== b && withM(a) === withM(b)) return true;', ''),
	rule('words of other companies', COMPARE_WORDS, 'if (isWord(a)) return undefined;', ''),
	rule('no misspelled persons', COMPARE_WORDS, '(isPersonal || !isMisspelling', '(!isMisspelling'),
	rule(
		'no misspelled known words',
		COMPARE_WORDS,
		'if (isPlace(row) || isKnownWord(a)) return undefined;',
		'',
	),
	rule(
		'a part of a rare word',
		SEARCH,
		'[certainPart(rare.length > 0 ? rare.map(textOf) : [rarest]), rarest]',
		'[rarest]',
	),
	rule('rare words first', SEARCH, '.sort((a, b) => rarity(b) - rarity(a))', ''),
	rule('the rarest word before a part', SEARCH, 'parts.reverse();', ';'),
	rule('numbers in digits', SEARCH, 'parts.unshift(...inDigits(name));', ';'),
	rule('words written apart', SEARCH, 'parts.unshift(...apart(rarest));', ';'),
	rule(
		'the search without legal forms',
		SEARCH,
		'return certain.length > 1 ? certain : full;',
		'return full;',
	),
	rule(
		'kinds in the search',
		SEARCH,
		'if (!full.some(isDistinctive)) return [...kinds, ...full];',
		'',
	),
	rule(
		'ends of ranked results',
		SEARCH,
		`const isRead = more === 'none' || endsAfterMatches(shown, query);`,
		`const isRead = more === 'none';`,
	),
	rule('doubled letters are doubtful', SEARCH, String.raw`[/(.)\1/g, 2],`, ''),
	rule('a and i before m, n and r', SEARCH, '[/[ai](?=[mnr])/g, 2],', '[/[ai](?=[mnr])/g, 1],'),
	rule('other letters are doubtful', SEARCH, '[/[^a-zâîășț]/g, 4],', ''),
];
