/**
 * Legal forms in Romanian and Russian as registers and lists write them, foreign forms that lists have,
 * and kinds of organizations with an acronym. Lists also have a Cyrillic О for Î. One form a line: its name,
 * what it's like, abbreviations, full names. A name without its articles is recognized as well, because the
 * beginnings of its words are enough.
 *
 * - `srl`, `sa`: a company of that form can have it as well
 * - `name`: names can begin with the abbreviation, as in "GT Motors"
 * - `person`: the name is a person's, so a similar name belongs to somebody else
 * - `kind`: the same name without it means something else
 * - `as …`: another form with the same abbreviation
 *
 * Sources: law 1260/2002 (ca, bia, baa), 187/2022 (apc), 913/2000 (acc), the statutes of aplp, ccl, auai and
 * lt, and registered names and lists in public procurement data for the rest.
 */
export const LEGAL_FORMS = `
srl | | srl срл ооо ooo тоо тов ltd limited llc | societatea cu răspunderea limitată; societatea cu responsabilitatea limitată; societatea cu răspundere; întreprinderea cu răspundere limitată; srl d; limited liability company; общество с ограниченной ответственностью; товарищество с ограниченной ответственностью
sa | | sa са ао оао oao зао zao пао jsc ojsc cjsc pjsc | societatea pe acțiuni; societatea pe acțiuni de tip deschis; societatea pe acțiuni de tip închis; societatea publică pe acțiuni; societatea anonimă; joint stock company; open joint stock company; closed joint stock company; public joint stock company; акционерное общество; открытое акционерное общество; закрытое акционерное общество
ii | name person | ii чп ип оi | întreprinderea individuală; întreprinzătorul individual; частное предприятие; индивидуальное предприятие; индивидуальный предприниматель
gt | name person | gt гц кх кфх фх | gospodărie țărănească; gospodăria țărănească; gospodărie țărănească de fermier; gospodăria țărănească de fermier; крестьянское хозяйство; крестьянское фермерское хозяйство; фермерское хозяйство
im | name srl sa | im сп оm | întreprinderea mixtă; întreprinderea cu capital mixt; совместное предприятие
municipal | as im | мп | întreprinderea municipală; муниципальное предприятие
is | name | is гп оs | întreprinderea de stat; государственное предприятие
ics | srl sa | ics icis икс пик оcs | întreprinderea cu capital străin; întreprinderea cu capital integral străin; întreprinderea cu capital; întreprinderea cu investiții străine; предприятие с иностранным капиталом; предприятие с иностранными инвестициями
ip | name | ip | instituție publică; instituția publică
imsp | | imsp | instituția medico sanitară publică; instituție medico sanitară publică
cc | name | cc | cooperativă de consum; потребительский кооператив
cp | name | cp | cooperativă de producție; производственный кооператив
cap | name | cap | cooperativă agricolă de producție
ci | name | ci | cooperativă de întreprinzător
aei | | aei | asociația de economii și împrumut; asociație de economii și împrumut
aplp | | aplp | asociația proprietarilor de locuințe privatizate; asociația de proprietari de locuințe privatizate; asociația proprietarilor locuințelor privatizate; asociația de proprietari ai locuințelor privatizate
acc | name | acc | asociația de coproprietari în condominiu; asociația coproprietarilor în condominiu
ao | name | ao ong | asociația obștească; asociație obștească; общественная организация; общественное объединение
snc | | snc | societatea în nume colectiv
scs | | scs | societatea în comandită
pfa | person | pfa | persoană fizică autorizată
gmbh | | gmbh |
sarl | | sarl |
bc | name sa | bc кб | bancă comercială; коммерческий банк
ca | name sa | ca | compania de asigurări; compania internațională de asigurări; societatea de asigurări; страховая компания
om | name sa | om | organizația de microfinanțare; organizație de microfinanțare
ocn | srl sa | ocn | organizația de creditare nebancară; organizație de creditare nebancară
op | name srl sa | op | organizația de pază; organizația particulară de pază
sc | name srl sa | sc | societatea comercială
fpc | name srl sa | fpc fcp fcpc firma фирма compania companie компания | firma comercială de producție; firma comercială
avocat | person kind as ca | | cabinetul avocatului; cabinetul de avocatură; cabinetul avocațial; адвокатский кабинет
bia | person kind | bia | biroul individual al avocatului; biroul individual de avocatură
baa | | baa | biroul asociat de avocați
notar | person kind | bnp | biroul notarial; biroul notarului public; cabinet notarial; нотариальная контора
bej | person kind | bej | biroul executorului judecătoresc
apc | kind | apc | asociația proprietarilor în condominiu; asociația de proprietari în condominiu; asociația proprietarilor din condominiu
ap | name kind as apc | ap | asociația de proprietari; asociația proprietarilor
ccl | kind | ccl жск | cooperativa de construcție a locuințelor; cooperativa de construcții a locuințelor; cooperativa de construcție a locuinței; cooperativa de construcții de locuințe; coop construcții locuințe; жилищно строительный кооператив
csv | name kind | csv | cabinetul sanitar veterinar; circumscripția sanitară veterinară
auai | kind | auai | asociația utilizatorilor de apă pentru irigații; asociația utilizatorilor de apă pentru irigare
lt | name kind | lt | liceul teoretic; теоретический лицей
pp | name kind | pp | partidul politic
cs | name kind | cs |
sport | kind as cs | | clubul sportiv
sanatate | kind as cs | | centrul de sănătate
fc | name kind | fc | clubul de fotbal; fotbal club; футбольный клуб
`;

/** Forms that can also be part of a name: "Икс" is the letter X, and "С.А." can be a person's initials. */
export const AMBIGUOUS = 'икс са';

/** What follows in "Firma de producție și comerț", which is the form `fpc`, in any combination. */
export const FIRMS = 'firma compania companie';
export const ACTIVITIES =
	'cercetare comercializare comert desfacere distributie export import prestare prestari producere productie servicii si';
