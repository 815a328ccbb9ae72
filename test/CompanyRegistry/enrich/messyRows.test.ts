import { findColumns } from '../../../nodes/CompanyRegistry/enrich/columns';
import { checkDigitOf } from '../../../nodes/CompanyRegistry/idno';

/** Headings, those of the company's name and of its IDNO first. */
const LISTS = [
	'Company name|Tax ID|Town|Contact person|Phone|Signed on|Remarks|Source|Tier',
	'Denumirea firmei|IDNO|Localitatea|Administrator|Telefon|Data semnării|Observații|Ramura|Curator',
	'Название организации|ИДНО|Город|Директор|Телефон|Дата|Примечание|Канал|Куратор',
	'Furnizor|Cod fiscal furnizor|Produs|Livrat la|Gestionar|Lot|Termen',
	'Client|IDNO client|Abonament|Tarif|Instalat|Tehnician|Adresa|Ultima vizită',
	'Agent economic|C/F|Raion|Forma juridică|Ruta|Șofer|Mașina|Km',
	'companyName|registrationNumber|city|signedAt|salesRep|leadSource|previousCompany|tier',
	'Name|IDNO|Segment|Manager|Last call|Next step|Campaign|Referred by',
	'Контрагент|ИНН|Договор|Склад|Отгружено|Менеджер|Организация',
	'Beneficiar|IDNO beneficiar|Proiect|Etapa|Evaluator|Partea a doua|Nr. act',
].map((headings) => headings.split('|'));

const ROWS_PER_LIST = 400;

/** The same numbers from 0 to 1 in each run. */
function* numbers(): Generator<number, never> {
	for (let state = 1; ;) {
		state = (state * 48_271) % 2_147_483_647;
		yield state / 2_147_483_647;
	}
}

const idnoOf = (number: number) => {
	const digits = String(100_360_000_000 + Math.floor(number * 1_000_000));
	return `${digits}${checkDigitOf(digits)}`;
};

const OWN = ['Zefirul SRL', 'Zefirul', '"Zefirul" S.R.L.', 'ООО Зефирул'];
const OTHER = ['Alfa SRL', 'SA Salcia', 'Beta Impex S.R.L.'];
const BLANK = ['', null, '-', 'n/a', 'не указано'];
const FURTHER = [
	'Ion Rotaru',
	'Ana Vântu',
	'12.05.2024',
	'2024-05-12',
	'nou',
	'x',
	'A-12',
	'da',
	7,
];

describe('Messy rows', () => {
	const random = numbers();
	const pick = <T>(list: readonly T[]) => list[Math.floor(random.next().value * list.length)]!;
	const isOften = (share: number) => random.next().value < share;
	const further = () => {
		if (isOften(0.08)) return pick(OTHER);
		if (isOften(0.04)) return idnoOf(random.next().value);
		return pick(isOften(0.2) ? BLANK : FURTHER);
	};
	const rows = LISTS.flatMap(([name = '', idno = '', ...others]) =>
		Array.from({ length: ROWS_PER_LIST }, () => {
			const cells: Array<[heading: string, value: unknown]> = [
				...others.map((heading) => [heading, further()] as [string, unknown]),
				[name, isOften(0.1) ? pick(BLANK) : pick(OWN)],
				[idno, isOften(0.25) ? pick(BLANK) : idnoOf(random.next().value)],
			];
			const row = Object.fromEntries(cells);
			return { name, idno, row, found: findColumns(row, new Set()) };
		}),
	);
	const share = (isMeant: (row: (typeof rows)[number]) => boolean) =>
		rows.filter(isMeant).length / rows.length;
	const saysCompany = (value: unknown) => OTHER.includes(String(value));

	it('a messy row hardly ever has another company’s name or IDNO taken for its own', () => {
		const isOthers = (heading: string | undefined, own: string) =>
			heading !== undefined && heading !== own;
		expect(
			share(({ row, name, found }) => isOthers(found.name, name) && saysCompany(row[found.name!])),
		).toBeLessThan(0.002);
		expect(share(({ idno, found }) => isOthers(found.idno, idno))).toBeLessThan(0.002);
	});

	it('a messy row hardly ever has a person or another text taken for its company', () => {
		const isText = (value: unknown) => !BLANK.includes(value as null) && !saysCompany(value);
		expect(
			share(
				({ row, name, found }) =>
					found.name !== undefined && found.name !== name && isText(row[found.name]),
			),
		).toBeLessThan(0.002);
	});

	it('a messy row is nearly always found by its own columns', () => {
		expect(share(({ name, found }) => found.name === name)).toBeGreaterThan(0.95);
		expect(share(({ idno, found }) => found.idno === idno)).toBeGreaterThan(0.95);
	});
});
