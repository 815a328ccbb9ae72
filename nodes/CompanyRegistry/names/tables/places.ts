/**
 * Moldovan districts, each named after its town, and cities outside of districts, with Russian and other
 * names. Sources: law 764/2001 on the administrative division, and addresses in registered names.
 */
export const DISTRICTS = `
	Chișinău/Кишинёв/Кишинэу/Kishinev Bălți/Бельцы/Бэлць/Beltsy Bender/Бендеры/Tighina Tiraspol/Тирасполь
	Cahul/Кагул/Кагульский Comrat/Комрат/Комратский Soroca/Сороки/Сорокский Orhei/Оргеев/Оргеевский
	Ungheni/Унгены/Унгенский Edineț/Единцы/Единецкий Hîncești/Хынчешты/Хынчештский
	Strășeni/Страшены/Страшенский Florești/Флорешты/Флорештский Drochia/Дрокия/Дрокиевский
	Ialoveni/Яловены/Яловенский Căușeni/Каушаны/Каушанский Călărași/Калараш/Каларашский
	Nisporeni/Ниспорены/Ниспоренский Fălești/Фалешты/Фалештский Sîngerei/Сынжерей/Сынжерейский
	Rîșcani/Рышканы/Рышканский Glodeni/Глодяны/Глодянский Briceni/Бричаны/Бричанский Ocnița/Окница/Окницкий
	Dondușeni/Дондюшаны/Дондюшанский Rezina/Резина/Резинский Telenești/Теленешты/Теленештский
	Șoldănești/Шолданешты/Шолданештский Criuleni/Криуляны/Криулянский Dubăsari/Дубоссары/Дубоссарский
	Leova/Леова/Леовский Cantemir/Кантемир/Кантемирский Cimișlia/Чимишлия/Чимишлийский
	Basarabeasca/Бессарабка/Бессарабский Taraclia/Тараклия/Тараклийский Slobozia/Слободзея Rîbnița/Рыбница
	Vulcănești/Вулканешты Găgăuzia/Гагаузия Anenii_Noi Ștefan_Vodă Vadul_lui_Vodă Ceadîr_Lunga`;

/** Other towns, and places abroad where companies of the same name exist. */
export const TOWNS = `
	Cupcini/Купчинь Codru/Кодру Durlești/Дурлешты Sîngera/Сынжера Cricova/Криково Vatra/Ватра
	Giurgiulești Cornești Ghindești Lipcani Otaci Mărculești Costești Bucovăț Căinari Iargara Frunză Biruința
	Congaz București/Bucharest/Бухарест Iași/Яссы Cluj Timișoara Galați/Галац Brașov Suceava Botoșani
	Odesa/Odessa/Одесса/Одеса Kiev/Kyiv/Киев/Київ Cernăuți/Черновцы/Чернівці Moscova/Moscow/Москва
	România/Romania/Румыния Ucraina/Ukraine/Украина/Україна Rusia/Russia/Россия`;

/** The Romanian names of districts and their towns by the Cyrillic ones, in lower case. */
export const ROMANIAN_NAMES: ReadonlyMap<string, string> = new Map(
	DISTRICTS.split(/\s+/).flatMap((line) => {
		const [name = '', ...others] = line.split('/');
		const cyrillic = others.filter((each) => /\p{Script=Cyrillic}/u.test(each));
		return cyrillic.map((each) => [each.toLowerCase(), name] as const);
	}),
);

/** What words say about a name that follows. */
export const KINDS_OF_PLACE = {
	town:
		'mun municipiul municipiului мун or oras orasul orasului г гор город города ' +
		's sat satul satului с село села com comuna comunei',
	district: 'raion raionul raionului район uta jud judetul',
	sector: 'sec sect sectorul sector sectorului сектор сект',
	street: 'str strada stradela bd bul bulevardul sos soseaua calea aleea ул улица пр проспект пер',
};

/** Sectors of Chișinău that don't share their name with a town. */
export const SECTORS = 'Botanica Buiucani Ciocana Telecentru Aeroport Capitala Чеканы Телецентр';

/** Countries that can be part of a name: "Moda Italia". Next to a name, they suggest a company abroad. */
export const ABROAD = `
	italia italy италия germania germany германия polonia poland польша turcia turkey турция bulgaria болгария
	cipru cyprus кипр franta france франция spania spain испания grecia greece греция israel израиль
	ungaria hungary венгрия cehia чехия austria австрия belarus беларусь lituania lithuania литва`;

export const COUNTRY = 'moldova md молдова';

/**
 * Words of cells that name no place, in three languages: everywhere, nowhere, somewhere, unknown, and parts
 * of the country. A cell counts as blank if it has no other words.
 */
export const NO_PLACE = `
	online line only fully doar numai wfh internet web remote remotely virtual hybrid home distanta telemunca acasa domiciliu hibrid
	онлайн интернет удаленно удаленная удаленный удаленка дистанционно дистанционная гибрид дому
	lucru munca work working from работа teren client clientului birou birouri oficiu oficiul sediu sediul office field
	livrare curier ridicare personala magazin vanzari pickup delivery самовывоз доставка офис главный head headquarters main
	oriunde pretutindeni peste tot toata toate toti intreaga intreg intregul tara tarii teritoriu teritoriul nivel
	national nationala republica republicii moldovei mda
	anywhere everywhere nationwide countrywide worldwide global international internationala whole entire all any country throughout republic moldavia
	везде повсюду любой любая любое весь вся все всей страна страны стране национальный республики молдовы молдове
	regiunea regiune regiuni zona zone dezvoltare nord sud est vest centru centrala nordul sudul estul vestul centrul din parte
	region regions area north south east west central centre center northern southern eastern western
	регион регионы север восток запад центр северный южный центральный
	urban urbana rural rurala mediu mediul city cities town towns municipality locations local locala место
	alt alta alte alti altul altele altundeva diverse diferite multiple mai multe localitati raioane orase
	localitatile raioanele orasele
	other others another elsewhere various several
	другой другая другое другие иной иное прочее прочие разные несколько
	nespecificat nespecificata neindicat neindicata neprecizat nedefinit necompletat necunoscut necunoscuta fara lipsa
	lipseste indisponibil indisponibile clarificat completat urmeaza stie datelor specificat specificata indicat indicata precizat cunoaste aplica este adresa localitate localitatea date
	informatie informatii nicaieri nimic niciuna gol
	not specified unspecified unknown undefined none null blank empty missing available applicable information data
	address location place pending confirmed provided nan tbd tbc tba default test error eroare true yes fals adevarat
	указан указано указана неизвестно неизвестен неизвестна нет информации информация данных отсутствует
	адрес адреса без уточнить пусто уточняется
	selecteaza selectati selectare alege alegeti select choose pick one please option loading выберите выбрать`;
