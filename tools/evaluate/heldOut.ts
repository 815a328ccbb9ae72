/**
 * Rows as CRM exports have them, with what surrounds a name there. Written before the rules that
 * they measure, and never used to tune them. All companies are invented.
 *
 * `=` stands between a row and the right company, `!` between a row and another company;
 * after `@` is the company's city, and in `{city; legal form}` what the row has in other columns.
 */
export const HELD_OUT = `
# plain
Tarsilva Prim SRL = SRL „Tarsilva-Prim”
BRUMARELUL SRL = S.R.L. „Brumărelul”
Castelnor Agroteh = „CASTELNOR AGROTEH” S.R.L.
Vinaria Dealul Lupului SA = S.A. „Vinăria Dealul Lupului”
Olmerina = OLMERINA SRL
Nucaria lui Ghita = S.R.L. „Nucăria lui Ghiță”
PERSICUTA-LUX srl = SRL Persicuța-Lux
Mierea Campului = S.R.L. „Mierea Cîmpului”
Tamplaria Stejaris SRL = „Tâmplăria Stejăriș” SRL
Rominvest Caloian = SRL „Rominvest-Caloian”
Drumetii Nistrului = DRUMEȚII NISTRULUI S.R.L.
Zăvoiul Bujorilor SRL = ZĂVOIUL BUJORILOR SRL
Pitigoiul SRL = S.R.L. „Pițigoiul”
Savelmob = SAVELMOB S.R.L.

# notes after the legal form
Tolmafruct SRL (client vechi) = Tolmafruct SRL
Gravimex Sud SRL - furnizor = S.R.L. „Gravimex Sud”
Lorvita SRL [nou] = LORVITA S.R.L.
Brestila Textil SRL (2) = Brestila Textil SRL
Mocanita Trans SRL *NU SUNATI* = „Mocănița Trans” SRL
Olaria Veche SA - contract expirat = Olăria Veche SA
Ferestrelux SRL, achita la 30 zile = Ferestrelux S.R.L.
Samantoteca SRL / depozit = SRL „Sămânțoteca”
Cruseton SRL - lead 2024 = Cruseton SRL
Vitrocasa SRL (plateste cash) = VITROCASA SRL
Helianta Ulei SRL – director dl Rotaru = Helianta Ulei SRL
Dornamix SRL (fost client) = S.R.L. „Dornamix”
Kapralux SRL NEACTIV = Kapralux SRL
Panerul cu Roade SRL (parteneri) = Panerul cu Roade SRL
Rindunica Prim SRL vezi dosar 14 = Rândunica Prim SRL
ALBIFERM SRL - VIP = Albiferm SRL
Torcatorul SRL (duplicat) = „Torcătorul” SRL
Satinvest SA !!! datornic = S.A. „Satinvest”
Chiparos Impex SRL; livrare luni = Chiparos Impex SRL
Olteva Mob SRL (старый клиент) = Olteva Mob SRL
Pelinul Amar SRL - поставщик = S.R.L. „Pelinul Amar”
Grecimob SRL de sunat marti = Grecimob SRL
Nord Pantera SRL [TEST] = Nord Pantera SRL
Levantica Plus SRL (contabil Maria) = Levănțica Plus SRL

# phones
Mesterica SRL 069123456 = Mesterica SRL
Bradulet Com SRL, tel. 022 456 789 = „Brăduleț-Com” SRL
Petalux SRL +373 79 112 233 = Petalux SRL
Cojusnor SRL (060) 445566 = Cojușnor SRL
Tractomir SA tel: 0231 7 12 34 = Tractomir SA
Ghiocel Dent SRL 078-556-677 = S.R.L. „Ghiocel-Dent”
Ardezia Prim +37368111222 = Ardezia Prim SRL
Sudolux SRL mob. 069 998 877 = SUDOLUX SRL
Plopisor Agro SRL, 0 (252) 2-33-44 = Plopișor Agro SRL
Castravelul SRL - 079555111 Ion = Castravelul SRL
Morcovita SRL т. 067123123 = Morcovița SRL
Vestalina Farm SRL fax 022 33 44 55 = Vestalina-Farm SRL

# web and mail
www.scortisoara.md = S.R.L. „Scorțișoara”
Telbrina SRL (telbrina.md) = Telbrina SRL
office@gruniera.md = Gruniera SRL
Ursuletimob SRL https://ursuletimob.md = Ursulețimob SRL
covorina.md = COVORINA SRL
Ciresarul SRL info@ciresarul.md = S.R.L. „Cireșarul”
Fabrisan SRL, www.fabrisan.com = Fabrisan SRL
vanzari@pastravel.md = S.R.L. „Păstrăvel”
http://www.mobilarius.md/contact = „Mobilarius” SRL
Torsadex SRL <torsadex@mail.md> = Torsadex SRL
gradinuta-alba.md = Grădinuța Albă SRL
Prunaria SRL - site prunaria.md = Prunaria SRL

# HTML
&quot;Lunca Fagului&quot; SRL = S.R.L. „Lunca Fagului”
Covaci &amp; Fiii SRL = SRL „Covaci și Fiii”
Taraf&nbsp;Prim SRL = Taraf Prim SRL
&laquo;Zambila Rosie&raquo; SRL = „Zambila Roșie” SRL
Dulapior &#8211; Mob SRL = Dulăpior-Mob SRL
SRL &bdquo;Fasolarul&rdquo; = Fasolarul SRL
&lt;b&gt;Argintarul&lt;/b&gt; SRL = Argintarul SRL
Cutiuta&#39;s Market SRL = Cutiuta's Market SRL

# leading words
Firma Corabelnic SRL = S.R.L. „Corabelnic”
Compania Verdissimo Trans SRL = Verdissimo Trans SRL
Magazinul Ulciorel = SRL „Ulciorel”
Intreprinderea Tesaturi Noi SRL = Țesături Noi SRL
Магазин Калинка Норд = „Calinca-Nord” SRL
Компания Дельвига ООО = Delviga SRL
Фирма "Рамонда" = Ramonda SRL
Restaurantul Gardul Verde SRL = Gardul Verde SRL
Client: Papucelul SRL = Păpucelul SRL
Firma de constructii Zidarelul SRL = Zidărelul SRL
Societatea Comerciala Cofetex SRL = Cofetex S.R.L.
Farmacia Salvisana SRL = Salvisana SRL
Depozitul Blocotex SRL = Blocotex SRL
Предприятие Виномара SRL = Vinomara SRL
d-lui Fagaras SRL = Făgăraș SRL
Grupul de companii Orlandina SRL = Orlandina SRL
Salonul Garofita Alba = „Garofița Albă” S.R.L.
Fabrica Tricotina SA = Tricotina SA
Furnizor Marfuta SRL = S.R.L. „Mărfuța”
Cafeneaua Boabelor SRL = Boabelor SRL
1. Sulfinalux SRL = Sulfinalux SRL
Dl Prisacaru / Albinaria Veche SRL = Albinăria Veche SRL

# brand and legal name
Frunzamart (Retail Frunzalux SRL) = Retail Frunzalux SRL
Gustolina - Alimcom Vest SRL = Alimcom Vest SRL
Veloteca / Bicimir Prim SRL = „Bicimir-Prim” SRL
Ceainaria 12 (SRL Teiul Infuzat) = S.R.L. „Teiul Infuzat”
Palariona SRL (brand Chapeau) = Palariona SRL
Nordic Sauna – "Baniaprim" SRL = Baniaprim SRL
SRL Dulcetarium (Casa Gemului) = SRL „Dulcețarium”
Pizzeria Crocanta (Aluatel SRL) = „Aluățel” SRL
Fitoland | Herbaria Nord SRL = Herbaria Nord SRL
Ciupercuta (ICS Micelium Pro SRL) = ÎCS „Micelium Pro” SRL
Optica Vederea - Lentilux SRL = Lentilux SRL
Jucariola: SRL Ursmatex = Ursmatex SRL
Bistro Lamaita, Citrovest SRL = „Citrovest” S.R.L.
Mobizona (Inter Lemnaria SRL) = Inter Lemnăria SRL
Stomadenta - II Crivoi Nadejda = Î.I. „Crivoi Nadejda”
Patiseria Vanilia (I.I. Gropa Zinaida) = Î.I. GROPA ZINAIDA
Sanatex SRL (Clinica Armonia) = S.R.L. „Sanatex”
Autoluxor - „Rulmentex” SRL = Rulmentex SRL

# cities and postcodes
Fagurel SRL, MD-6401 Nisporeni = Fagurel SRL @Nisporeni
Rapitex SRL, s. Cojușna = Rapitex SRL @Cojușna
Buturuga SRL Republica Moldova = „Buturuga” SRL
Cuptoras SRL, Chisinau, bd. Dacia 12 = Cuptoraș SRL @Chișinău
Serbetel SRL (mun. Chișinău) = Șerbețel SRL @Chișinău
Vesmint SRL or. Falesti = Veșmînt SRL @Fălești
Zmeurica SRL MD2001 = Zmeurica SRL @Chișinău
Nectarul Viei SRL, r-l Telenesti = Nectarul Viei SRL @Telenești
Lemnarul SRL, str. Stefan cel Mare 45, Balti = Lemnărul SRL @Bălți
Papusoi Agro SRL Moldova = Păpușoi Agro SRL
Gutuiul SRL - or. Rezina, MD-5400 = Gutuiul SRL @Rezina
Cilindrex SA, г. Бельцы = Cilindrex SA @Bălți
Harnicel SRL, s.Peresecina, Orhei = Hărnicel SRL @Orhei
Canelura SRL, MD 3101, mun. Balti = Canelura SRL @Bălți
Prispa Noua SRL, com. Stauceni = Prispa Nouă SRL @Stăuceni
Pasarela SRL, R. Moldova = Pasarela SRL
Malinova SRL, Кишинев, ул. Пушкина 5 = Malinova SRL @Chișinău
Berariul SRL, UTA Gagauzia, or. Comrat = Berăriul SRL @Comrat

# mapped columns
Mihnea Lux {Cahul} = MIHNEA LUX SRL @Cahul
Rosmarin Tex {mun. Chisinau} = S.R.L. „Rosmarin-Tex” @Chișinău
Fulgerica {; SRL} = „Fulgerica” S.R.L.
Bostan Pavel {Orhei; GȚ} = G.Ț. „Bostan Pavel” @Orhei
Tobosarul SRL {г. Сороки} = Toboșarul SRL @Soroca
Ploscuta {; Societate cu răspundere limitată} = Ploscuța SRL
Vadul Rau SA {Drochia; SA} = S.A. „Vadul Rău” @Drochia
Cercelus SRL {Moldova} = Cerceluș SRL @Ungheni
Iasomilux SRL {or. Straseni, MD-3701} = Iasomilux SRL @Strășeni
Sircova Andrei {; Î.I.} = Î.I. „Șircova Andrei”

# dotted and abbreviated legal forms
Întrep. Ind. Gherman Sofia = Î.I. „Gherman Sofia”
Gosp. Țăr. Calmic Dumitru = G.Ț. „CALMÎC DUMITRU”
Soc. cu Răsp. Lim. Tulnic = Tulnic SRL
Coop. de Întreprinzător Livezile Mari = C.Î. „Livezile Mari”
CAP Spicul Greu = Cooperativa Agricolă de Producție „Spicul Greu”
APLP 55/312 = Asociația Proprietarilor de Locuințe Privatizate 55/312
Intr. Indiv. Rotundu Ala = ÎI „Rotundu Ala”
Intrepr. Mixta Solverana SRL = Î.M. „Solverana” S.R.L.
Soc. pe Act. Otelaria Nord = S.A. „Oțelăria Nord”
Gosp. Tar. de Fermier Ojog Tudor = G.Ț. „Ojog Tudor”
I. S. Hidrolevant = Î.S. „Hidrolevant”
Întreprinderea de St. Pescarvest = Î.S. „Pescarvest”
Intr. Munic. Luminaris = Întreprinderea Municipală „Luminaris”
S. R. L. Corcoduslux = Corcodușlux SRL
S.r.l Bondocel = SRL „Bondocel”
Asoc. Obst. Casa Bunicilor Noi = A.O. „Casa Bunicilor Noi”
Inst. Publ. Liceul Meteora = I.P. Liceul „Meteora”
Org. de Cred. Nebanc. Lesne Leu SRL = O.C.N. „Lesne Leu” S.R.L.
Coop. de Cons. Sarata-Coop = Cooperativa de Consum „Sărata-Coop”
SRL. Turturica = Turturica SRL
Fundatia Copaci si Oameni = Fundația „Copaci și Oameni”

# Cyrillic
ООО Мэрцишор Лукс = S.R.L. „Mărțișor-Lux”
ООО Вердинал Сервис = Verdinal Service SRL
Калорика Трейд ООО = Calorica Trade SRL
ООО «Авиньон Лайн» = „Avinion Line” SRL
Рустик Хаус ООО = Rustic House SRL
ООО Пунктуал Тайм = Punctual Time SRL
ООО Гранвест Групп = Granvest Group SRL
ООО "Стеланд Дизайн" = Steland Design SRL
ЧП Чеботарь Галина = Î.I. „Cebotari Galina”
ООО Флоримакс Маркет = Florimax Market SRL
ТОО Долинар = Dolinar SRL
Каса де Пьятра ООО = Casa de Piatră SRL
ООО Зефирин Софт = Zefirin Soft SRL
АО Виноградул = S.A. „Vinogradul”
СП «Полимод» ООО = Î.M. „Polimod” S.R.L.
ООО Букатар Фуд = Bucătar Food SRL
ООО Ромальвина Тревел = Romalvina Travel SRL
КХ Гуцуляк Степан = G.Ț. „Guțuleac Stepan”
ООО Некст Тиламед = Next Tilamed SRL
Индивидуальное предприятие Мырза Лилия = Î.I. „Mîrza Lilia”
ООО Клин Ванесса = Clean Vanessa SRL
ООО Техносвит = Tehnosvit SRL
ООО Престиж Вайн = Prestige Vine SRL
ООО Гранат-Плюс = Granat-Plus SRL
ООО Ясеньлюкс = Iaseni-Lux SRL
ООО Саливон Медиа = Salivon Media SRL
ООО Виктоил = Victoil SRL
ООО Креатив Лэнд = Creativ Land SRL
ООО Пеликан Шоп = Pelican Shop SRL
ООО Секюрити Бастион = Security Bastion SRL
ООО Строитель Юга = Stroitel Iuga SRL
ГП Дорожник Нистру = Î.S. „Dorojnic Nistru”

# quotation marks of the registry
Velurmix = COMPANIA „VELURMIX” S.R.L.
Sarmatis SRL = Întreprinderea de Producere și Comerț „SARMATIS” S.R.L.
Tihna = Restaurantul „TIHNA” S.R.L.
Dospitul SRL = Fabrica de Pîine „DOSPITUL” S.R.L.
Hotarul Verde = Firma de Consultanță „HOTARUL VERDE” S.R.L.
Zorilux = Societatea Comercială „ZORILUX” SRL
Marvinia SA = Combinatul de Vinuri „MARVINIA” S.A.
Ecotisa = Compania Agroindustrială „ECOTISA” SRL

# small spelling differences
Sfeclarul Nrod SRL = Sfeclarul Nord SRL
Bucatareasca Prmi = Bucătăreasca Prim SRL
Pipirigul Tarns SRL = Pipirigul Trans SRL
Dalbamobb SRL = Dalbamob SRL
Catifellux SRL = Catifelux SRL
Kornelina Stil = Cornelina Stil SRL
Zvonaryl SRL = Zvonaril SRL
Gorganvest = Gorgan Vest SRL
Mina Delux SRL = Minadelux SRL
Cartofelul Srl. = Cartofelul SRL
Vermiola Com S.R.L = Vermiola-Com SRL
Salcamuletul SRL = Salcâmulețul SRL
Tintarelul = Țînțărelul SRL
Constr. Pandelis SRL = Construct Pandelis SRL
Agroseminte Holboca S.A. = Agrosemințe Holboca SA

# two kinds of noise
Firma Petunia Alba SRL (client) = „Petunia Albă” SRL
Compania "Briceag" SRL, tel. 069000111 = Briceag SRL
Magazinul Sacosica (Pungarul SRL), Orhei = Pungarul SRL @Orhei
ООО Мелодин Сервис (старый) = Melodin Service SRL
Intrep. Ind. Plesca Ion - furnizor = Î.I. „Pleșca Ion”
&quot;Stupul&quot; SRL, or. Soroca, 078112233 = Stupul SRL @Soroca
Traistuta SRL | www.traistuta.md = Trăistuța SRL
SRL Zburator (fosta Aripex) MD-2005 = Zburător SRL @Chișinău

# near miss: one letter
AGROSERVA SRL ! AGROSERRA SRL
Interglas SRL ! Interglan SRL
Marta Dulce ! Maria Dulce SRL
Tricolina SRL ! Tricotina Vest SRL
Bruvex SRL ! Bruvez SRL
Danelia Farm SRL ! Daniela Farm SRL
Lidia Com ! Lilia Com SRL
Vinomax SRL ! Vinomix SRL
Salvex Prim SRL ! Salvez Prim SRL
Monteco SRL ! Monteca SRL
Autosan SRL ! Autosin SRL
Farmalin SRL ! Farmalina SRL
Gradex SRL ! Gradix SRL
Polimera SRL ! Polivera SRL
Agroland SRL ! Agrolant SRL
Terracon SRL ! Terracom SRL
Ecovita SRL ! Ecovina SRL
Lactina SRL ! Lactica SRL
Carmes SRL ! Carmez SRL
Metalor SRL ! Metalon SRL
Vitalux SRL ! Vitarux SRL
Plastform SRL ! Plastfarm SRL
Orizon SRL ! Orison SRL
Zetafarm SRL ! Zetaferm SRL

# near miss: compounds
Agroprodcom SRL ! Agropromcom SRL
Interlact SRL ! Interlacto SRL
Tehnoplast SRL ! Technoplant SRL
Eurolemn SRL ! Eurolemnar SRL
Moldagrotrans SRL ! Moldagrotrast SRL
Autopiese Nord ! Autopiese Nova SRL
Constructmetal SRL ! Constructmental SRL
Vinexport SRL ! Vinexpert SRL
Agroimpex SRL ! Agroimpax SRL
Medicolux SRL ! Medicalux SRL
Transimpex SRL ! Transinpex SRL
Lemnimob SRL ! Lemnomob SRL

# near miss: people
Î.I. Lungu Mariana ! Î.I. „Lungu Marina”
GȚ Toma Dumitru ! G.Ț. „Toma Dumitra”
II Sava Eugen ! Î.I. „Sava Eugenia”
ÎI Rusu Valentin ! Î.I. „Rusu Valentina”
GT Pascari Ilia ! G.Ț. „Pascari Ilie”
Cojocari Lusia II ! Î.I. „Cojocari Lucia”
Î.I. Dodon Danila ! Î.I. „Dodon Daniela”
Barbu Stefan ÎI ! Î.I. „Barbu Ștefania”
II Gutu A. ! Î.I. „Guțu Alexandru”
Ciobanu Ion II ! Î.I. „Ciobanu Iona”
GȚ Moraru Nicolai ! G.Ț. „Moraru Nicolae Ion”
Tofan Olga ÎI ! Î.I. „Tofan Oleg”

# near miss: place, region or form
Clopotel SRL {Cahul} ! Clopoțel SRL @Edineț
Stejarel Prim SRL, Ungheni ! Stejărel Prim SRL @Comrat
Rusu Gavril {Cahul; GȚ} ! Î.I. „Rusu Gavril” @Florești
Margineni SA {; SA} ! Mărgineni SRL
Fluierasul SRL (Orhei) ! Fluierașul SRL @Cimișlia
Copacelul {; Întreprindere individuală} ! Copăcelul SRL
Lupoaica SRL, MD-3900 Cahul ! Lupoaica SRL @Ocnița
GT Tataru Ion {Leova} ! GȚ „Tataru Ion” @Drochia
ГП Флорена ! Florena SRL
Î.M. Salubris Nord ! Î.I. „Salubris Nord”
Primaria s. Hirtop ! Primăria orașului Hîrtop
Gimnaziul Cantemir ! Gimnaziul Leova IP
Piata Agricola Drochia ! Piața Agricolă Glodeni ÎM
Sanatex Vest SA ! Sanatex Vest SRL
Apă-Canal Leova ! Apă-Canal Cantemir ÎM
Firma Grivita SRL (Balti) ! Grivița SRL @Căușeni

# near miss: words and numbers
Mobila Alba SRL ! Mobila Neagră SRL
Pensiunea 7 Brazi SRL ! Pensiunea 9 Brazi SRL
Drum Nou Sud ! Drum Nou SRL
Sticlaria Grup SRL ! Sticlăria SRL
Oloi Prim ! Oloi Prim Trans SRL
Farmacia 14 ! Farmacia 41 SRL
Vatra Olarilor Plus ! Vatra Olarilor SRL
Bucatelul Est SRL ! Bucățelul Vest SRL
Nucul de Aur SRL ! Nucul de Argint SRL
Atelierul Rosu SRL (client) ! Atelierul Verde SRL
Brandofil (Colcomex SRL) ! Brandofil Trade SRL
AZ Metal SRL ! AX Metal SRL
APLP 55/318 ! APLP 55/381
Grupul Calea Lactee ! Calea Lactee Sud SRL
Casa Mobilei Nr. 2 ! Casa Mobilei nr. 3 SRL
Sud Vest Fier ! Sud Est Fier SRL

# near miss: dots, domains and abbreviations
zefira.md ! Zefirashop SRL
Lat.Service SRL ! Latura Service SRL
Ind. Trans SRL ! Industrafruct Trans SRL
Fer.Trans ! Ferovin Trans SRL
Com. Dalia SRL ! Combidalia SRL
bravos.md ! Bravosan SRL
Inter. Lux ! Interbeton Lux SRL
Vin.Market SRL ! Vinograd Market SRL
office@bruma.md ! Bruma Nouă SRL
Art. Design SRL ! Artelia Design SRL
Med. Nord ! Medovar Nord SRL
Prod.Com SRL ! Prodalim Com SRL
`;
