/**
 * Districts and towns of the Republic of Moldova, and places abroad where companies of the same name
 * are; with other names that differ by more than letters.
 */
export const PLACES = `
	Chișinău/Кишинёв/Кишинэу/Kishinev Bălți/Бельцы/Бэлць/Beltsy Bender/Бендеры/Tighina Tiraspol/Тирасполь
	Cahul/Кагул Comrat/Комрат Soroca/Сороки Orhei/Оргеев Ungheni/Унгены Edineț/Единцы Hîncești/Хынчешты
	Strășeni/Страшены Florești/Флорешты Drochia/Дрокия Ialoveni/Яловены Căușeni/Каушаны
	Călărași/Калараш Nisporeni/Ниспорены Fălești/Фалешты Sîngerei/Сынжерей Rîșcani/Рышканы
	Glodeni/Глодяны Briceni/Бричаны Ocnița/Окница Dondușeni/Дондюшаны Rezina/Резина
	Telenești/Теленешты Șoldănești/Шолданешты Criuleni/Криуляны Dubăsari/Дубоссары
	Leova/Леова Cantemir/Кантемир Cimișlia/Чимишлия Basarabeasca/Бессарабка Taraclia/Тараклия
	Vulcănești/Вулканешты Cupcini/Купчинь Codru/Кодру Durlești/Дурлешты Sîngera/Сынжера
	Cricova/Криково Vatra/Ватра Rîbnița/Рыбница Slobozia/Слободзея Giurgiulești Cornești Ghindești
	Lipcani Otaci Mărculești Costești Bucovăț Căinari Iargara Frunză Biruința Găgăuzia Congaz
	București/Bucharest/Бухарест Iași/Яссы Cluj Timișoara Galați/Галац Brașov Suceava Botoșani
	Odesa/Odessa/Одесса/Одеса Kiev/Kyiv/Киев/Київ Cernăuți/Черновцы/Чернівці Moscova/Moscow/Москва
	România/Romania/Румыния Ucraina/Ukraine/Украина/Україна Rusia/Russia/Россия
	Anenii Noi Ștefan Vodă Vadul Vodă Ceadîr Lunga`;

/** Words that say what kind of place follows; the first of a line names the kind. */
export const KINDS_OF_PLACE = [
	'mun municipiul municipiului мун',
	'or oras orasul orasului г гор город города',
	's sat satul satului с село села',
	'com comuna comunei',
	'raion raionul raionului район района',
	'uta',
];

export const COUNTRY = 'moldova md молдова';

export const STREETS = 'str strada bd bul bulevardul sos soseaua ул улица';
