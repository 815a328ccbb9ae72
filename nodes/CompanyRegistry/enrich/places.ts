import { fold } from './words';
import type { Word } from './words';

/** Districts and towns of the Republic of Moldova, with the Russian names that differ by more than letters. */
const PLACES = `
	Chișinău/Кишинёв/Кишинэу Bălți/Бельцы/Бэлць Bender/Бендеры/Tighina Tiraspol/Тирасполь Cahul/Кагул
	Comrat/Комрат Soroca/Сороки Orhei/Оргеев Ungheni/Унгены Edineț/Единцы Hîncești/Хынчешты
	Strășeni/Страшены Florești/Флорешты Drochia/Дрокия Ialoveni/Яловены Căușeni/Каушаны
	Călărași/Калараш Nisporeni/Ниспорены Fălești/Фалешты Sîngerei/Сынжерей Rîșcani/Рышканы
	Glodeni/Глодяны Briceni/Бричаны Ocnița/Окница Dondușeni/Дондюшаны Rezina/Резина
	Telenești/Теленешты Șoldănești/Шолданешты Criuleni/Криуляны Dubăsari/Дубоссары
	Leova/Леова Cantemir/Кантемир Cimișlia/Чимишлия Basarabeasca/Бессарабка Taraclia/Тараклия
	Vulcănești/Вулканешты Cupcini/Купчинь Codru/Кодру Durlești/Дурлешты Sîngera/Сынжера
	Cricova/Криково Vatra/Ватра Rîbnița/Рыбница Slobozia/Слободзея Giurgiulești Cornești Ghindești
	Lipcani Otaci Mărculești Costești Bucovăț Căinari Iargara Frunză Biruința Găgăuzia Congaz
	Anenii Noi Ștefan Vodă Vadul Vodă Ceadîr Lunga`;

const CANONICAL = new Map(
	PLACES.trim()
		.split(/\s+/)
		.flatMap((names) => {
			const [name = '', ...others] = names.split('/');
			const all = [name, ...others, ...(/î/.test(name) ? [name.replace(/î/g, 'â')] : [])];
			return all.map((each): [string, string] => [fold(each), fold(name)]);
		}),
);

/** Words that say what kind of place follows, by the kind that they say. */
const KINDS_OF_PLACE = new Map(
	[
		'mun municipiul municipiului мун',
		'or oras orasul orasului г гор город города',
		's sat satul satului с село села',
		'com comuna comunei',
		'raion raionul raionului район района',
	].flatMap((words) => {
		const all = words.split(' ');
		return all.map((word): [string, string] => [word, all[0] ?? word]);
	}),
);

const COUNTRY = new Set(['moldova', 'md']);

/** The place that a word names, folded, in Romanian; the word itself where it is not a known one. */
export function placeOf({ written, spellings }: Word): string {
	return CANONICAL.get(written) ?? CANONICAL.get(spellings[0] ?? '') ?? spellings[0] ?? '';
}

/** Whether a word names a place of the Republic of Moldova. */
export function isPlace({ written, spellings }: Word): boolean {
	return CANONICAL.has(written) || spellings.some((spelling) => CANONICAL.has(spelling));
}

/** Whether a word belongs to an address without naming the place. */
export function isKindOfPlace({ written }: Word): boolean {
	return KINDS_OF_PLACE.has(written);
}

/**
 * The kind of place that a word of a name says, e.g. `or` for `orașului`. Without a dot, "com" and
 * single letters are words of names.
 */
export function kindOfPlace({ written, dotted }: Word): string | undefined {
	return dotted || (written.length > 1 && written !== 'com')
		? KINDS_OF_PLACE.get(written)
		: undefined;
}

/** Whether a word names the Republic of Moldova. */
export function isCountry({ spellings: [spelling = ''] }: Word): boolean {
	return COUNTRY.has(spelling);
}

const STREETS = new Set('str strada bd bul bulevardul sos soseaua ул улица'.split(' '));

/** Whether a word begins the street of an address. */
export function isStreet({ written }: Word): boolean {
	return STREETS.has(written);
}
