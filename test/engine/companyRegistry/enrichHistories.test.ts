import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	CITIES,
	coined,
	companyOf,
	ModelRegistry,
	resetClock,
	runNight,
	setNight,
} from './nightModel';
import type { Company, Night } from './nightModel';

afterEach(resetClock);

/** What happens to the registry or to the list, between two nights. */
const KINDS = [
	...(['rename', 'status', 'move', 'remove', 'return', 'namesake', 'correctName'] as const),
	...(['correctIdno', 'correctCity', 'copy', 'sort', 'delete', 'insert', 'clear'] as const),
];

interface Change {
	kind: (typeof KINDS)[number];
	at: number;
}

const changeOf: fc.Arbitrary<Change> = fc.record({
	kind: fc.constantFrom(...KINDS),
	at: fc.nat(1_000),
});

const BLIND: Night = { quota: 12, isBlind: true };
const nightOf: fc.Arbitrary<Night> = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ quota: fc.integer({ min: 1, max: 12 }) }) },
	{ weight: 1, arbitrary: fc.constant({ quota: 0 }) },
	{ weight: 1, arbitrary: fc.constant(BLIND) },
	{
		weight: 1,
		arbitrary: fc.record({ quota: fc.constant(12), failsFrom: fc.integer({ min: 0, max: 8 }) }),
	},
);
/** Rows are corrected, and in the night after that the search finds nobody. */
const blindCorrection = fc.record({
	night: fc.constant(BLIND),
	changes: fc.array(fc.record({ kind: fc.constant('correctCity' as const), at: fc.nat(1_000) }), {
		minLength: 1,
		maxLength: 3,
	}),
});

const historyOf = fc.record({
	/** Whether only the state is written back. */
	onlyState: fc.boolean(),
	addCredit: fc.boolean(),
	byIdno: fc.boolean(),
	skipDays: fc.constantFrom(0, 0, 3),
	nights: fc.array(
		fc.oneof(
			{
				weight: 9,
				arbitrary: fc.record({ night: nightOf, changes: fc.array(changeOf, { maxLength: 2 }) }),
			},
			{ weight: 1, arbitrary: blindCorrection },
		),
		{ minLength: 20, maxLength: 20 },
	),
});

/** What the test knows about a row, by the row's own id. */
interface Known {
	idno?: string;
	/** What its last check has found. */
	values: IDataObject;
	/** What the row said then. */
	said: string;
	/** The company as it was at the last check. */
	seen: string;
	gone: 'no' | 'told';
}

const saidBy = ({ Firma, IDNO, Oraș }: IDataObject) => JSON.stringify([Firma, IDNO, Oraș]);

/** The list as a program stores it. */
function stored(row: IDataObject, onlyState: boolean): IDataObject {
	if (!onlyState) return { ...row };
	const { id, Firma, IDNO, Oraș, registry_state } = row;
	return { id, Firma, IDNO, Oraș, registry_state };
}

class History {
	readonly registry = new ModelRegistry();
	list: IDataObject[] = [];
	readonly known = new Map<unknown, Known>();
	private readonly removed: Company[] = [];
	private next = 0;

	constructor(private readonly byIdno: boolean) {
		for (let number = 0; number < 8; number++) this.insert();
	}

	private insert(): void {
		const company = companyOf(this.next);
		this.registry.companies.set(company.idno, company);
		const id = this.next++;
		const IDNO = this.byIdno ? company.idno : '';
		this.list.push({ id, Firma: company.name.replace(' SRL', ''), Oraș: '', IDNO });
	}

	change({ kind, at }: Change): void {
		const companies = [...this.registry.companies.values()];
		const company = companies[at % Math.max(1, companies.length)];
		const row = this.list[at % Math.max(1, this.list.length)];
		const set = (more: Partial<Company>) => {
			if (company) this.registry.companies.set(company.idno, { ...company, ...more } as Company);
		};
		if (kind === 'rename') set({ name: `${coined(500 + at)} SRL` });
		if (kind === 'status') set({ status: ['active', 'suspended', 'in_liquidation'][at % 3] });
		if (kind === 'move') set({ city: CITIES[at % 3] });
		if (kind === 'remove' && company) {
			this.removed.push(company);
			this.registry.companies.delete(company.idno);
		}
		if (kind === 'return') {
			const back = this.removed.pop();
			if (back) this.registry.companies.set(back.idno, back);
		}
		if (kind === 'namesake' && company) {
			const other = companyOf(2_000 + this.next++);
			this.registry.companies.set(other.idno, { ...other, name: company.name, city: 'Bender' });
		}
		if (kind === 'insert' && this.list.length < 14) this.insert();
		if (kind === 'sort') this.list.reverse();
		if (!row || !company) return;
		if (kind === 'delete' && this.list.length > 4) this.list.splice(this.list.indexOf(row), 1);
		if (kind === 'correctName') row.Firma = company.name.replace(' SRL', '');
		if (kind === 'correctIdno') row.IDNO = company.idno;
		if (kind === 'correctCity') row.Oraș = CITIES[at % 3];
		if (kind === 'clear') row.registry_idno = '';
		if (kind === 'copy' && this.list.length < 14) {
			const id = this.next++;
			const known = this.known.get(row.id);
			if (known) this.known.set(id, known);
			this.list.push({ ...row, id, Firma: company.name.replace(' SRL', '') });
		}
	}
}

const RUNS = { numRuns: Number(process.env.NIGHT_HISTORIES ?? 15) };
const COLUMNS = ['name', 'status', 'city', 'rating'].map((field) => `registry_${field}`);

describe('Enrich over many nights', () => {
	it('loses nothing that it knows, tells each change once, gives each row its turn, and never keeps a company that a corrected row contradicts', async () => {
		await fc.assert(
			fc.asyncProperty(historyOf, async ({ nights, byIdno, onlyState, addCredit, skipDays }) => {
				const history = new History(byIdno);
				for (const [number, { night, changes }] of nights.entries()) {
					setNight(number);
					for (const change of changes) history.change(change);
					history.registry.begin(night);
					const before = history.list.map((row) => stored(row, onlyState));
					const parameters = { addCredit, options: { skipRowsCheckedWithin: skipDays } };
					const { rows, error } = await runNight(history.registry, before, parameters, {
						perDay: 10,
					});
					check(history, before, rows, number);
					if (skipDays === 0) checkOrder(history, before, rows, number);
					// A run that fails writes nothing back.
					if (error) continue;
					for (const row of rows) note(history, row, number);
					history.list = rows.map((row) => stored(row, onlyState));
				}
			}),
			RUNS,
		);
	}, 600_000);
});

const isToday = (row: IDataObject, night: number) => {
	const date = new Date(Date.parse('2026-03-01T02:00:00Z') + night * 86_400_000);
	return String(row.registry_checked_at).startsWith(date.toISOString().slice(0, 10));
};

/** A row is checked although its recommendation couldn't be read. */
const hasFailed = ({ match_reason: reason, registry_changed: changed }: IDataObject) =>
	String(reason).startsWith('The check failed.') && changed === null;

/** What must hold for each row of a night. */
function check(history: History, before: IDataObject[], rows: IDataObject[], night: number): void {
	for (const [place, row] of rows.entries()) {
		const known = history.known.get(row.id);
		const given = before[place]!;
		expect(row).toMatchObject({ id: given.id, Firma: given.Firma, Oraș: given.Oraș });
		if (!known) continue;
		const isCorrected = known.said !== saidBy(row);
		const isCleared = known.idno !== undefined && given.registry_idno === '';
		const isMissing = /not shown since/i.test(String(row.match_reason));
		const told = row.registry_changed === true;
		if (known.idno !== undefined && !isCleared && !(told && isCorrected)) {
			// Nothing is lost or becomes another company without being told.
			expect([given, row, row.registry_idno]).toEqual([given, row, known.idno]);
			for (const column of told ? [] : COLUMNS) {
				if (known.values[column]) expect([column, row[column]]).not.toEqual([column, null]);
			}
		}
		if (told && !isCorrected && !isCleared) {
			// No change is told twice.
			const now = JSON.stringify(history.registry.companies.get(String(row.registry_idno)));
			const isNews = now !== known.seen || known.gone === 'told' || row.match_status === 'notFound';
			expect([row.registry_changes, isNews]).toEqual([row.registry_changes, true]);
			if (row.match_status === 'notFound' && known.idno !== undefined)
				expect(known.gone).toBe('no');
		}
		// A failed check says that as well, but has seen nothing.
		const isSeen = isToday(row, night) && !hasFailed(row);
		const isKept = isSeen && (isMissing || row.match_status === 'found');
		if (isKept && isCorrected) {
			const [wasNamed, , wasIn] = JSON.parse(known.said) as unknown[];
			const isNamed = [wasNamed, String(row.registry_name).replace(' SRL', '')].includes(row.Firma);
			const isNumbered = row.registry_idno === row.IDNO;
			expect([row, isNamed || isNumbered]).toEqual([row, true]);
			const isMoved = row.Oraș !== '' && wasIn !== row.Oraș;
			if (isMoved && !isNumbered) expect([row, row.registry_city]).toEqual([row, row.Oraș]);
		}
	}
}

/** When a row was checked, by what is stored. */
const dateIn = ({ registry_checked_at: date, registry_state: state }: IDataObject) =>
	/\d{4}-\S+/.exec(String(date || state))?.[0] ?? '';

/** No row waits while one that was checked later has its turn, unless that one was corrected or unfinished. */
function checkOrder({ known }: History, before: IDataObject[], rows: IDataObject[], night: number) {
	const signs = rows.map((row, place) => {
		const { Firma, IDNO, registry_idno: idno } = row;
		return [Firma, IDNO, idno, before[place]!.registry_idno].filter(Boolean);
	});
	const ordinary = before.filter((given, place) => {
		// Rows of one company share its requests.
		const isShared = signs.some((others, other) => {
			return other !== place && others.some((sign) => signs[place]!.includes(sign));
		});
		const isPreferred = known.get(given.id)?.said !== saidBy(given);
		const isUnfinished = /is waiting for/.test(JSON.stringify(given));
		return isToday(rows[place]!, night) && !isShared && !isPreferred && !isUnfinished;
	});
	const latest = ordinary.map(dateIn).sort().at(-1) ?? '';
	for (const [place, row] of rows.entries()) {
		if (!isToday(row, night)) expect([row, dateIn(before[place]!) >= latest]).toEqual([row, true]);
	}
}

function note(history: History, row: IDataObject, night: number): void {
	const known = history.known.get(row.id);
	if (!isToday(row, night)) return;
	if (hasFailed(row)) return;
	const company = history.registry.companies.get(String(row.registry_idno));
	const isShown = row.match_status === 'found' && !String(row.match_reason).startsWith('Not shown');
	history.known.set(row.id, {
		idno: row.registry_idno ? String(row.registry_idno) : undefined,
		values: { ...row },
		said: saidBy(row),
		seen: isShown ? JSON.stringify(company) : (known?.seen ?? ''),
		gone: row.match_status === 'notFound' ? 'told' : 'no',
	});
}
