/** What replaces what, e.g. `ш-ș`. */
const pairsIn = (text: string): ReadonlyMap<string, string> =>
	new Map(
		text
			.trim()
			.split(/\s+/)
			.map((pair) => pair.split('-') as [string, string]),
	);

/** Russian spellings of English words that are common in company names. */
export const RUSSIAN_SPELLINGS = pairsIn(`
	бизнес-business вайн-wine вуд-wood ворлд-world грин-green групп-group дизайн-design
	ист-east кеш-cash клин-clean консалтинг-consulting лайт-light лайф-life лайн-line лэнд-land
	ленд-land логистик-logistic маркет-market медиа-media нэкст-next некст-next ойл-oil пак-pack плейс-place
	секюрити-security сервис-service сити-city скай-sky софт-soft стайл-style стоун-stone тайм-time тек-tech
	тех-teh тревел-travel трэвел-travel трейд-trade трэйд-trade трейдинг-trading тур-tour фешн-fashion
	бест-best бьюти-beauty вижн-vision гейм-game джет-jet драйв-drive ивент-event инвестмент-investment
	китчен-kitchen клаб-club лайв-live лекс-lex лизинг-leasing люкс-lux менеджмент-management мобайл-mobile
	офис-office пауэр-power плюс-plus престиж-prestige прайм-prime продакшн-production смайл-smile
	солюшн-solution солюшнс-solutions стор-store текстиль-textil тойс-toys трек-track трэк-track энерджи-energy
	юнайтед-united экспресс-express пойнт-point стрит-street спейс-space
	фэшн-fashion фрэш-fresh фреш-fresh фуд-food хаус-house хоум-home шоп-shop`);

export type Rules = ReadonlyArray<[pattern: RegExp, spelling: string]>;

/** What has to be read before Unicode takes it apart: marks, and letters of Windows-1250 as Latin-1. */
export const READABLE: Rules = [
	// Unicode makes the letters TM of ™. The number of a footnote isn't part of the word before it.
	[/\s?(?:[™℠®©ᴬ-ᵪ]+|\((?:tm|sm|r|c)\))/giu, ''],
	[/(?=[⁰¹²³⁴-⁹])(?<=\p{L}{3}|\.)/gu, ' '],
	[/№/g, ' nr. '],
	[/(?<![nN])º(?=\p{L})|(?<=\p{L})(?<![nN])º/gu, 'ș'],
	[/ª(?=\p{L})|(?<=\p{L})ª/gu, 'Ș'],
	[/þ/g, 'ț'],
	[/Þ/g, 'Ț'],
];

/** What different programs and people write differently, before a name is split into words. */
export const USUAL: Rules = [
	[/\p{Cf}/gu, ''],
	// Any quotation marks, also ,,X,, and ''X''.
	[/,,|''|`+|<<|>>|[„“”«»‹›‟]/g, '"'],
	// Quotation marks around the whole name don't set any word apart.
	[/^\s*"(.+)"\s*$/, '$1'],
	// Cedillas instead of commas below ș and ț
	[/(?<=[st])\u0327/gi, '\u0326'],
	[/(?<!\p{L})(?:r-n(?:ul)?|r-l|р-н)(?!\p{L})/giu, 'raionul'],
	[/(?<!\p{L})(?:republica|rep\.|r\.)\s*moldova(?!\p{L})/giu, 'Moldova'],
	[/(?<!\p{L})республика\s+молдова(?!\p{L})/giu, 'Молдова'],
	// й is two characters here.
	[/новые анены|новоаненскии\u0306/giu, 'Anenii Noi'],
	[/чадыр.лунга/giu, 'Ceadîr Lunga'],
];

/** Cyrillic to Romanian for letters whose spelling depends on their neighbors. */
export const TRANSLITERATION: Rules = [
	[/дж|ӂ/g, 'g'],
	[/кс/g, 'x'],
	[/к(?=[еиіэ])/g, 'ch'],
	[/г(?=[еиіэ])/g, 'gh'],
	[/ч(?=[еиіэьы])/g, 'c'],
	[/ч/g, 'ci'],
	[/[иі]я/g, 'ia'],
	[/[иі]ю/g, 'iu'],
	[/авто/g, 'auto'],
	[/евро/g, 'euro'],
	[/(?<=[бвгджзклмнпрстфхцчшщ])э(?=лектр|нерг|x)/g, 'e'],
	[/(?<=[бвгджзклмнпрстфхцчшщ])э|(?<=у)э$/g, 'ă'],
	[/люкс/g, 'lux'],
	[/ьо/g, 'io'],
	[/[ьъ]/g, ''],
	[/^ы|ы$/g, 'î'],
];

/** Cyrillic letters that Romanian spells in several ways. At the end of a word, "ь" is i or nothing. */
export const OTHER_SPELLINGS: Rules = [
	[/(?<=\p{L})э/giu, 'ă'],
	[/э/gi, 'е'],
	[/(?<=[бвгджзклмнпрстфхцчшщ])я/gi, 'еа'],
	[/ь$/i, 'и'],
];

export const LETTERS = pairsIn(
	'а-a б-b в-v г-g ґ-g д-d е-e є-ie ё-io ж-j з-z и-i і-i ї-i й-i к-c л-l м-m н-n о-o п-p р-r ' +
		'с-s т-t у-u ф-f х-h ц-ț ш-ș щ-șt ы-â э-e ю-iu я-ia',
);

/** Cyrillic letters that look like Latin ones. */
export const LOOK_ALIKE = pairsIn(
	'А-A В-B Е-E К-K М-M Н-H О-O Р-P С-C Т-T У-Y Х-X І-I а-a е-e о-o р-p с-c у-y х-x і-i',
);

/** How Romanian, English and transliterated Russian spell the same sounds, most specific first. */
export const SOUNDS: Rules = [
	[/(?:sch|sh)/g, 's'],
	[/zh/g, 'j'],
	[/t[sz]/g, 't'],
	[/kh/g, 'h'],
	[/ph/g, 'f'],
	[/ch(?=[ei])|ck|q/g, 'k'],
	[/gh/g, 'g'],
	[/x/g, 'ks'],
	[/w/g, 'v'],
	[/y/g, 'i'],
	[/c(?=[ei])/g, 'č'],
	[/c/g, 'k'],
];

/** Pairs of letters that are easily confused in Romanian names. */
export const ALIKE: ReadonlySet<string> = new Set(
	'bp dt gk ck cg cq sz vf fw ij jy xs dz tz cs'
		.split(' ')
		.flatMap((pair) => [pair, [...pair].reverse().join('')]),
);
