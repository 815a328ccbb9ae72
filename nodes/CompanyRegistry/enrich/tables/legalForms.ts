/** A legal form, by its abbreviation in Latin letters without diacritics, e.g. `srl`. */
export type LegalForm = string;

export interface FormRow {
	form: LegalForm;
	/** Abbreviations, separated by spaces. */
	short: string;
	/** Full names, separated by semicolons. Articles in parentheses are optional. */
	long?: string;
	/** Whether an SRL or SA can have it as well. */
	qualifies?: boolean;
	/** Another form with the same abbreviation. */
	abbreviatedAs?: LegalForm;
	/** Whether names can start with its Latin abbreviation, as in "GT Motors". */
	isAlsoName?: boolean;
	/** Whether it's named after a person, so a similar name belongs to someone else. */
	isPersonal?: boolean;
	/** Whether it's a kind of organization. The same name without it means something else. */
	isKind?: boolean;
}

/**
 * Legal forms in Romanian and Russian as registers and lists spell them, foreign forms in CRM rows, and
 * kinds of organizations with an acronym. The law or the organizations themselves use CA and BAA (law
 * 1260/2002), APC (187/2022), ACC (913/2000), APLP, CCL, AUAI and LT. The other acronyms are only those
 * that lists have.
 */
export const LEGAL_FORMS: readonly FormRow[] = [
	{
		form: 'srl',
		short: 'srl срл ооо ooo тоо тов ltd llc',
		long: 'societate(a) cu răspundere limitată; societate(a) cu răspunderea limitată; societate(a) cu responsabilitate limitată; societatea cu responsabilitatea limitată; societate(a) cu răspundere; întreprindere(a) cu răspundere limitată; srl d; limited liability company; общество с ограниченной ответственностью; товарищество с ограниченной ответственностью',
	},
	{
		form: 'sa',
		short: 'sa ао оао oao зао zao пао jsc',
		long: 'societate(a) pe acțiuni; societate(a) pe acțiuni de tip deschis; societate(a) pe acțiuni de tip închis; societate(a) publică pe acțiuni; societate(a) anonimă; joint stock company; акционерное общество; открытое акционерное общество; закрытое акционерное общество',
	},
	{
		form: 'ii',
		short: 'ii чп ип',
		long: 'întreprindere(a) individuală; întreprindera individuală; întreprinzător individual; întreprinzătorul individual; частное предприятие; индивидуальное предприятие; индивидуальный предприниматель',
		isAlsoName: true,
		isPersonal: true,
	},
	{
		form: 'gt',
		short: 'gt кх кфх фх',
		long: 'gospodărie țărănească; gospodăria țărănească; gospodărie țărănească de fermier; gospodăria țărănească de fermier; крестьянское хозяйство; крестьянское фермерское хозяйство; фермерское хозяйство',
		isAlsoName: true,
		isPersonal: true,
	},
	{
		// Mixed or municipal. Only a mixed enterprise can be an SRL or SA.
		form: 'im',
		short: 'im сп',
		long: 'întreprindere(a) mixtă; совместное предприятие',
		qualifies: true,
		isAlsoName: true,
	},
	{
		form: 'municipal',
		short: 'мп',
		long: 'întreprindere(a) municipală; муниципальное предприятие',
		abbreviatedAs: 'im',
	},
	{
		form: 'is',
		short: 'is гп',
		long: 'întreprindere(a) de stat; государственное предприятие',
		isAlsoName: true,
	},
	{
		form: 'ics',
		short: 'ics пик',
		long: 'întreprindere(a) cu capital străin; предприятие с иностранным капиталом',
		qualifies: true,
	},
	{ form: 'ip', short: 'ip', long: 'instituție publică; instituția publică', isAlsoName: true },
	{
		form: 'imsp',
		short: 'imsp',
		long: 'instituția medico sanitară publică; instituție medico sanitară publică',
	},
	{
		form: 'cc',
		short: 'cc',
		long: 'cooperativa de consum; cooperativă de consum; потребительский кооператив',
		isAlsoName: true,
	},
	{
		form: 'cp',
		short: 'cp',
		long: 'cooperativa de producție; cooperativă de producție; производственный кооператив',
		isAlsoName: true,
	},
	{
		form: 'cap',
		short: 'cap',
		long: 'cooperativa agricolă de producție; cooperativă agricolă de producție',
		isAlsoName: true,
	},
	{
		form: 'ci',
		short: 'ci',
		long: 'cooperativa de întreprinzător; cooperativă de întreprinzător',
		isAlsoName: true,
	},
	{
		form: 'aei',
		short: 'aei',
		long: 'asociația de economii și împrumut; asociație de economii și împrumut',
	},
	{
		form: 'aplp',
		short: 'aplp',
		long: 'asociația proprietarilor de locuințe privatizate; asociația de proprietari de locuințe privatizate; asociația proprietarilor locuințelor privatizate; asociația de proprietari ai locuințelor privatizate',
	},
	{
		form: 'acc',
		short: 'acc',
		long: 'asociația de coproprietari în condominiu; asociația coproprietarilor în condominiu',
		isAlsoName: true,
	},
	{
		form: 'ao',
		short: 'ao ong',
		long: 'asociația obștească; asociație obștească; общественная организация; общественное объединение',
		isAlsoName: true,
	},
	{ form: 'baa', short: 'baa', long: 'biroul asociat de avocați; birou asociat de avocați' },
	{ form: 'snc', short: 'snc', long: 'societate(a) în nume colectiv' },
	{ form: 'scs', short: 'scs', long: 'societate(a) în comandită' },
	{ form: 'pfa', short: 'pfa', long: 'persoană fizică autorizată', isPersonal: true },
	{ form: 'gmbh', short: 'gmbh' },
	{ form: 'sarl', short: 'sarl' },
	{
		form: 'bc',
		short: 'bc кб',
		long: 'banca comercială; bancă comercială; коммерческий банк',
		qualifies: true,
		isAlsoName: true,
	},
	{
		form: 'ocn',
		short: 'ocn',
		long: 'organizația de creditare nebancară; organizație de creditare nebancară',
		qualifies: true,
	},
	{
		form: 'om',
		short: 'om',
		long: 'organizația de microfinanțare; organizație de microfinanțare',
		qualifies: true,
		isAlsoName: true,
	},
	{
		form: 'ca',
		short: 'ca',
		long: 'compania de asigurări; societatea de asigurări; страховая компания',
		qualifies: true,
		isAlsoName: true,
	},
	{
		form: 'sc',
		short: 'sc',
		long: 'societate(a) comercială',
		qualifies: true,
		isAlsoName: true,
	},
	{
		form: 'fpc',
		short: 'fpc firma фирма',
		long: 'firma de producție și comerț; firmă de producție și comerț; firma comercială',
		qualifies: true,
		isAlsoName: true,
	},
	{
		form: 'avocat',
		short: '',
		long: 'cabinet(ul) avocatului; cabinet avocat; cabinet(ul) de avocat; cabinet(ul) de avocatură; cabinet(ul) avocațial; адвокатский кабинет',
		abbreviatedAs: 'ca',
		isPersonal: true,
		isKind: true,
	},
	{
		form: 'notar',
		short: 'bnp',
		long: 'birou(l) notarial; birou(l) notarului public; cabinet notarial; нотариальная контора',
		isPersonal: true,
		isKind: true,
	},
	{
		form: 'bej',
		short: 'bej',
		long: 'birou(l) executorului judecătoresc; birou(l) executor judecătoresc',
		isPersonal: true,
		isKind: true,
	},
	{
		form: 'apc',
		short: 'apc',
		long: 'asociația proprietarilor în condominiu; asociația de proprietari în condominiu; asociația proprietarilor din condominiu',
		isKind: true,
	},
	{
		form: 'ccl',
		short: 'ccl жск',
		long: 'cooperativa de construcție a locuințelor; cooperativa de construcții a locuințelor; cooperativa de construcție a locuinței; cooperativa de construcții de locuințe; coop construcții locuințe; жилищно строительный кооператив',
		isKind: true,
	},
	{
		form: 'csv',
		short: 'csv',
		long: 'cabinet(ul) sanitar veterinar; circumscripția sanitar veterinară; circumscripția sanitară veterinară',
		isKind: true,
		isAlsoName: true,
	},
	{
		form: 'auai',
		short: 'auai',
		long: 'asociația utilizatorilor de apă pentru irigații; asociația utilizatorilor de apă pentru irigare',
		isKind: true,
	},
	{
		form: 'lt',
		short: 'lt iplt',
		long: 'liceu(l) teoretic; теоретический лицей',
		isKind: true,
		isAlsoName: true,
	},
	{ form: 'pp', short: 'pp', long: 'partidul politic', isKind: true, isAlsoName: true },
	{ form: 'cs', short: 'cs', long: 'club(ul) sportiv', isKind: true, isAlsoName: true },
	{
		form: 'fc',
		short: 'fc',
		long: 'club(ul) de fotbal; fotbal club; футбольный клуб',
		isKind: true,
		isAlsoName: true,
	},
];
