import { isDeepStrictEqual } from 'util';

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { STATE } from '../../../nodes/CompanyRegistry/enrich/state';
import { triggersOf } from '../../../nodes/CompanyRegistry/triggers';
import { systemClock } from '../../../nodes/shared/http/clock';
import { without } from '../../../nodes/shared/http/json';
import { forgetEverything } from '../../../nodes/shared/http/processMap';
import * as model from './nightModel';
import type { Company, Night } from './nightModel';

afterEach(model.resetClock);

/** What a row says of its company at first. */
const SAYS: Record<string, (company: Company) => IDataObject> = {
	idno: ({ name, idno }) => ({ Firma: name.replace(' SRL', ''), IDNO: idno }),
	name: ({ name }) => ({ Firma: name.replace(' SRL', ''), IDNO: '' }),
	// It takes two searches.
	note: ({ name }) => ({ Firma: `${name} - client vechi`, IDNO: '' }),
};

const sheetOf = (value: unknown): unknown =>
	typeof value !== 'string'
		? value
		: value
				.replaceAll('"', '”')
				.replace(/^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d).*Z$/, '$3.$2.$1 $4')
				.slice(0, 200);

/** How a program stores what the node adds. */
const STORES: Record<string, (added: IDataObject) => IDataObject> = {
	'all columns': (added) => added,
	'a few columns without the state': (added) =>
		pick(added, 'registry_idno', 'registry_name', 'registry_status', 'registry_checked_at'),
	'all columns without the state': (added) => without(added, STATE) as IDataObject,
	'renamed columns': (added) =>
		Object.fromEntries(
			Object.entries(added).map(([name, value]) => [`x_studio_${name}`, value ?? false]),
		),
	// Numbers, dates, quotation marks, cut ends, and no empty cells.
	'a sheet': ({ [STATE]: state, ...columns }) => ({
		...Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, sheetOf(value)])),
		[STATE]: state,
		registry_idno: Number(columns.registry_idno) || '',
	}),
	'the state': ({ registry_state }) => ({ registry_state }),
	'the state in a list': ({ registry_state: content }) => ({ fields: [{ id: 7, content }] }),
};

const pick = (from: IDataObject, ...names: string[]): IDataObject =>
	Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

interface History {
	registry: model.ModelRegistry;
	list: IDataObject[];
	/** What rows said when they were last checked, by their own ids. */
	said: Map<unknown, unknown[]>;
	removed: Company[];
	/** What happens to stored columns before the next night, by rows. */
	edits: Map<unknown, IDataObject>;
	/** Rows that something has happened to since their last check. */
	touched: Set<unknown>;
	/** The number of the next company or row. */
	next: number;
	says: string;
	store: string;
}

function insert(history: History): void {
	const company = model.companyOf(history.next);
	history.registry.companies.set(company.idno, company);
	history.list.push({ id: history.next++, Oraș: '', ...SAYS[history.says]!(company) });
}

/** What happens to a company, or to a row of the list, between two nights. */
const CHANGES: Record<string, (history: History, at: number, company: Company) => void> = {
	rename({ registry }, at, company) {
		registry.set({ ...company, name: `${model.coined(500 + at)} SRL` });
	},
	status({ registry }, at, company) {
		registry.set({ ...company, status: ['active', 'suspended', 'in_liquidation'][at % 3]! });
	},
	move({ registry }, at, company) {
		registry.set({ ...company, city: model.CITIES[at % 3]! });
	},
	remove({ registry, removed }, _, company) {
		removed.push(company);
		registry.companies.delete(company.idno);
	},
	return({ registry, removed }) {
		const company = removed.pop();
		if (company) registry.set(company);
	},
	namesake(history, _, { name }) {
		const other = model.companyOf(2_000 + history.next++);
		history.registry.set({ ...other, name, city: 'Bender' });
	},
	insert(history) {
		if (history.list.length < 14) insert(history);
	},
	sort({ list }) {
		list.reverse();
	},
	delete({ list }, at) {
		if (list.length > 4) list.splice(at % list.length, 1);
	},
	copy(history, at, company) {
		const { list, said } = history;
		if (list.length >= 14) return;
		const row = list[at % list.length]!;
		const id = history.next++;
		const before = said.get(row.id);
		if (before) said.set(id, before);
		if (history.touched.has(row.id)) history.touched.add(id);
		list.push({ ...row, id, Firma: company.name.replace(' SRL', '') });
	},
	correctName({ list }, at, company) {
		list[at % list.length]!.Firma = company.name.replace(' SRL', '');
	},
	correctIdno({ list }, at, { idno }) {
		list[at % list.length]!.IDNO = idno;
	},
	correctCity({ list }, at) {
		list[at % list.length]!.Oraș = model.CITIES[at % 3];
	},
	emptyName({ list }, at) {
		list[at % list.length]!.Firma = '';
	},
	/** The columns that a program writes, or a person types over, beside a state. */
	typeOver({ list, store, edits }, at) {
		if (!hasState(store)) return;
		const others = {
			registry_status: 'closed',
			registry_city: 'Ungheni',
			registry_name: 'Altul SRL',
		};
		edits.set(list[at % list.length]!.id, others);
	},
	/** A column of IDNOs that's sorted alone. */
	sortIdnos({ list, store, edits }) {
		if (!hasState(store)) return;
		const idnos = list.map(({ registry_idno }) => registry_idno).reverse();
		for (const [place, { id }] of list.entries()) edits.set(id, { registry_idno: idnos[place] });
	},
	sortStates({ list, store, edits }) {
		if (store !== 'the state') return;
		const states = list.map((row) => row[STATE]).reverse();
		for (const [place, { id }] of list.entries()) edits.set(id, { [STATE]: states[place] });
	},
};

const hasState = (store: string) => !store.includes('without');
const isFew = (store: string) => store.startsWith('a few');

const conditionsOf: fc.Arbitrary<Night> = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ quota: fc.integer({ min: 1, max: 12 }) }) },
	...[{ quota: 0 }, { quota: 12, isBlind: true }, { quota: 12, isDenied: true }].map((night) => ({
		weight: 1,
		arbitrary: fc.constant(night),
	})),
	{
		weight: 2,
		arbitrary: fc.record({
			quota: fc.constant(12),
			failsFrom: fc.integer({ min: 0, max: 8 }),
			failsUntil: fc.integer({ min: 1, max: 14 }),
		}),
	},
);

const historyOf = fc.record({
	store: fc.constantFrom(...Object.keys(STORES)),
	says: fc.constantFrom(...Object.keys(SAYS)),
	addCredit: fc.boolean(),
	skipDays: fc.constantFrom(0, 0, 3),
	/** Whether a trigger of the same key needs two requests a day. */
	hasTrigger: fc.boolean(),
	/** Each has a part of the rows, and all run at the same time. */
	workflows: fc.constantFrom(1, 1, 2),
	nights: fc.array(
		fc.record({
			conditions: conditionsOf,
			changes: fc.array(fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.nat(1_000)), {
				maxLength: 3,
			}),
		}),
		{ minLength: 20, maxLength: 20 },
	),
});

const RUNS = {
	numRuns: Number(process.env.NIGHT_HISTORIES ?? 15),
	...(process.env.NO_SHRINK && { endOnFailure: true }),
};
const PER_DAY = 10;
const FOR_TRIGGER = 2;

const isAdded = (name: string) => /^(?:match|registry)_/.test(name);
const saidBy = ({ Firma, IDNO, Oraș }: IDataObject) => [Firma, IDNO, Oraș];
const ownOf = ({ id, Firma, IDNO, Oraș }: IDataObject) => ({ id, Firma, IDNO, Oraș });
const addedTo = (row: IDataObject) =>
	Object.fromEntries(Object.entries(row).filter(([name]) => isAdded(name)));

describe('Enrich over many nights', () => {
	it('keeps its rules, whatever happens to the registry, to the list and in a night', async () => {
		await fc.assert(
			fc.asyncProperty(historyOf, async ({ says, store, nights, ...setting }) => {
				const registry = new model.ModelRegistry();
				const history = {
					registry,
					list: [],
					said: new Map(),
					removed: [],
					edits: new Map(),
					touched: new Set(),
					next: 0,
					says,
					store,
				} as History;
				for (let row = 0; row < 8; row++) insert(history);
				for (const [night, { conditions, changes }] of nights.entries()) {
					model.setNight(night);
					// n8n restarts every day, and its triggers poll at once.
					forgetEverything();
					const poll = { at: systemClock.now(), perDay: FOR_TRIGGER, perPoll: FOR_TRIGGER };
					if (setting.hasTrigger) {
						triggersOf(model.accountOf(PER_DAY)).notePoll('trigger', poll);
					}
					for (const [kind, at] of changes) {
						const companies = [...registry.companies.values()];
						if (companies.length > 0)
							CHANGES[kind]!(history, at, companies[at % companies.length]!);
					}
					registry.begin(conditions);
					await runWorkflows(history, night, setting);
				}
			}),
			RUNS,
		);
	}, 600_000);
});

interface Setting {
	addCredit: boolean;
	skipDays: number;
	hasTrigger: boolean;
	workflows: number;
}

async function runWorkflows(history: History, night: number, setting: Setting): Promise<void> {
	const { registry, list, said, store, edits, touched } = history;
	for (const id of edits.keys()) touched.add(id);
	const { addCredit, skipDays, hasTrigger, workflows } = setting;
	const parts = Array.from({ length: workflows }, (_, part) =>
		list.filter((_row, at) => at % workflows === part),
	);
	const results = await Promise.all(
		parts.map(async (rows) => {
			const stored = rows.map((row) => ({
				...{ ...ownOf(row), ...STORES[store]!(addedTo(row)) },
				...edits.get(row.id),
			}));
			const parameters = { addCredit, options: { skipRowsCheckedWithin: skipDays } };
			return await model.runNight(registry, stored, parameters, { perDay: PER_DAY });
		}),
	);
	const all = [...list, ...results.flatMap(({ rows }) => rows)];
	history.list = [];
	for (const [part, { rows, error }] of results.entries()) {
		const before = parts[part]!;
		const turns = rows.map((row, at) => new Turn(history, before[at]!, row, night, setting, all));
		for (const [rule, isKept] of Object.entries(RULES)) {
			for (const turn of turns) {
				if (isKept(turn, turns)) continue;
				throw new Error(`${rule}: ${JSON.stringify([turn.given, turn.row], null, 1)}`);
			}
		}
		const { quota, failsFrom } = registry.night;
		const most = Math.min(quota, hasTrigger ? PER_DAY - FOR_TRIGGER : Infinity);
		expect(registry.requests.length).toBeLessThanOrEqual(most);
		// As long as a row waits, everything is spent.
		const mustWait = ({ isSkipped, isBlank, isEdited, isFew: few }: Turn) =>
			!isSkipped && !isBlank && !(skipDays > 0 && (isEdited || few));
		const isWaiting = turns.some((turn) => !turn.isChecked && mustWait(turn));
		if (isWaiting && failsFrom === undefined) expect(registry.requests).toHaveLength(most);
		// A run that fails writes nothing back.
		const written = hasState(store) ? rows : rows.map((row) => without(row, STATE) as IDataObject);
		history.list.push(...(error ? before : written));
		if (error) continue;
		for (const { row, hasSeen } of turns) {
			if (!hasSeen) continue;
			said.set(row.id, saidBy(row));
			touched.delete(row.id);
		}
	}
	edits.clear();
}

const reasonHas = (text: RegExp) => (row: IDataObject) => text.test(String(row.match_reason));
const hasFailed = (row: IDataObject) =>
	/^(The check failed\.|The credit recommendation couldn't be read:)/.test(
		String(row.match_reason),
	) || String(row[STATE]).includes('|match_due=failed|');
const isUnfinished = reasonHas(/^The credit recommendation is waiting/);
const isNotShown = reasonHas(/hasn't shown the company since/);
const tellsCorrection = reasonHas(
	/At the last check, the row('s (name|city|IDNO) was "[^"]+"|\shad no)|The row's IDNO isn't the one in registry_idno/,
);
const isGone = (row: IDataObject) => row.match_status === 'notFound' && Boolean(row.registry_idno);
const dateOf = ({ registry_checked_at: at }: IDataObject) => String(at ?? '');

/** What rows of the same company, or with the same search, have in common. */
const signsOf = ({ Firma, IDNO, registry_idno: idno, match_reason: reason }: IDataObject) => {
	const [, refused] = /IDNO (\d{13}) in registry_idno was ignored/.exec(String(reason)) ?? [];
	return [String(Firma).split(' ')[0], IDNO, idno, refused].filter(Boolean);
};

/** A row before and after a night. */
class Turn {
	/** What the row said at its last check. */
	readonly said: unknown[];
	/** Whether the row has the date of this night, and whether that check has seen something. */
	readonly isChecked: boolean;
	readonly hasSeen: boolean;
	/** Whether its company wasn't shown. */
	readonly isMissing: boolean;
	/** Whether the row says something else than at its last check. */
	readonly isCorrected: boolean;
	/** Whether something has happened to its stored columns. */
	readonly isEdited: boolean;
	readonly isBlank: boolean;

	constructor(
		private readonly history: History,
		readonly given: IDataObject,
		readonly row: IDataObject,
		private readonly night: number,
		private readonly setting: Setting,
		/** The rows of all workflows, before and after the night. */
		private readonly all: IDataObject[],
	) {
		this.said = history.said.get(row.id) ?? saidBy(given);
		const { store, touched } = history;
		const [wasNamed, wasNumbered, wasIn] = this.said;
		const { registry_idno: idno, registry_city: city } = given;
		// A cell that was empty is a correction if the row has no company, or if it contradicts it.
		const isOther = (before: unknown, now: unknown, known: unknown) =>
			now !== '' && (before === '' ? !idno || now !== known : now !== before);
		const isNumbered = given.IDNO !== idno && isOther(wasNumbered, given.IDNO, idno);
		const isNamed = isOther(wasNamed, given.Firma, String(given.registry_name).replace(' SRL', ''));
		const isSaid = isNumbered || isNamed || isOther(wasIn, given.Oraș, city);
		// Without it, only an IDNO that differs from the company's is known to be a correction.
		const isInputKnown = !isFew(store) && (given.match_input !== undefined || !idno);
		this.isCorrected = isInputKnown ? isSaid : Boolean(idno) && isNumbered;
		this.isEdited = touched.has(row.id);
		this.isBlank = given.Firma === '' && given.IDNO === '';
		this.isChecked = this.isOf(row, night);
		this.hasSeen = this.isChecked && !(hasFailed(row) && row.registry_changed === null);
		this.isMissing = this.isChecked && isNotShown(row);
	}

	private isOf(row: IDataObject, night: number): boolean {
		return dateOf(row).startsWith(new Date(model.timeOf(night)).toISOString().slice(0, 10));
	}

	get isSkipped(): boolean {
		const { given, isCorrected, isEdited, night, setting, history } = this;
		if (isEdited || isFew(history.store)) return false;
		if (setting.skipDays === 0 || isCorrected || hasFailed(given) || isUnfinished(given))
			return false;
		// The third night may be a moment sooner than the first, and isn't skipped.
		return !this.isBlank && [1, 2].some((nights) => this.isOf(given, night - nights));
	}

	/** Whether other rows may have paid for its requests. */
	get isShared(): boolean {
		const { given, row, all } = this;
		const signs = [...signsOf(given), ...signsOf(row)];
		return all.some(({ id, ...other }) => {
			return id !== row.id && signsOf(other).some((sign) => signs.includes(sign));
		});
	}

	/** Whether the row shows the company that it has now as the registry does. */
	get isTrue(): boolean {
		const { row, history } = this;
		const { name, status, city } = history.registry.companies.get(String(row.registry_idno)) ?? {};
		const isNamed = row.registry_name === name && row.registry_status === status;
		// The recommendation, which may have been enough, has no city.
		return isNamed && (this.setting.addCredit || row.registry_city === city);
	}

	/** Whether one request is enough for the row. */
	get isQuiet(): boolean {
		const { given, isCorrected, isEdited, isShared, setting, history } = this;
		if (!given.registry_idno || isCorrected || isEdited || isShared) return false;
		// Few columns don't say that the search has run.
		if (setting.addCredit && isFew(history.store)) return false;
		const { companies, night } = history.registry;
		const { name, status } = companies.get(String(given.registry_idno)) ?? {};
		const isSame =
			name !== undefined && name === given.registry_name && status === given.registry_status;
		return !setting.addCredit || (isSame && !night.isDenied && night.failsFrom === undefined);
	}

	/** The requests for the company that the row had. */
	get requests(): number {
		const { given, history } = this;
		const idno = ` ${String(given.registry_idno)}`;
		return history.registry.requests.filter((request) => request.endsWith(idno)).length;
	}

	/** Columns that stay if the row wasn't checked, or its check has seen nothing. */
	get keptColumns(): string[] {
		const { given, row, isChecked, isCorrected, isMissing, isBlank, history } = this;
		const changing = [
			...['registry_changed', 'registry_changes'],
			...(isChecked || isCorrected || isBlank ? ['match_status', 'match_reason'] : []),
			...(isChecked ? ['registry_checked_at', STATE] : []),
			...(isMissing ? ['match_input'] : []),
			...(given.registry_checked_at ? [] : ['match_reason']),
			// There may be no room for them.
			...(history.store === 'all columns' ? [] : ['match_reason', 'match_alternatives']),
		];
		const stored = STORES[history.store]!(addedTo(given));
		const isKnown = (name: string) => !isFew(history.store) || name in stored;
		const isStored = (name: string) => isKnown(name) && (name in row || Boolean(given[name]));
		return Object.keys(addedTo(given)).filter((name) => isStored(name) && !changing.includes(name));
	}

	/** What differs from what the list has stored, as the node says it. A rating that was never read is no change. */
	get differences(): string[] {
		const { given, row, history } = this;
		const fields = isFew(history.store) ? ['name', 'status'] : ['name', 'status', 'city', 'rating'];
		return fields.flatMap((field) => {
			const [from, to] = [given, row].map((each) => each[`registry_${field}`] || 'none');
			const isKnown = given[`registry_${field}`] !== undefined && field !== 'rating';
			return from === to || (from === 'none' && !isKnown) ? [] : `${field}: ${from} → ${to}`;
		});
	}

	get isFew(): boolean {
		return isFew(this.history.store);
	}

	/** Whether its company is gone since this night, or shown again. */
	get isNews(): boolean {
		const { given, isMissing, isEdited, history } = this;
		// It may have the state of another row of the same company now.
		if (isEdited && history.store === 'the state') return true;
		// Only the reason says since when, unless there's a state.
		if (!isMissing || isFew(history.store)) return isGone(given);
		return isNotShown(given) && !isGone(given);
	}

	/** Whether the row still has the company that it had. */
	get isSame(): boolean {
		const { given, row } = this;
		// A number that somebody has entered stays until it's looked up. The state still has the company.
		const [, known] = /\|idno=(\d{13})\|/.exec(String(given[STATE])) ?? [];
		const before = known ?? given.registry_idno;
		return Boolean(before) && String(row.registry_idno) === String(before);
	}
}

/** What holds for each row, and for it among the rows of its run. */
const RULES: Record<string, (turn: Turn, turns: Turn[]) => boolean> = {
	'a row keeps its own cells': ({ given, row }) => isDeepStrictEqual(ownOf(row), ownOf(given)),

	'what isn’t checked, or not seen, keeps its columns': (turn) => {
		const { given, row, hasSeen, isMissing, isEdited, keptColumns } = turn;
		if ((hasSeen && !isMissing) || isEdited) return true;
		// An empty cell passes through as the program has it.
		return keptColumns.every((name) => (row[name] ?? '') === (given[name] ?? ''));
	},

	'what isn’t checked tells nothing': ({ row, hasSeen }) =>
		hasSeen || (row.registry_changed === null && row.registry_changes === null),

	'a row that was checked says so': ({ row, hasSeen }) =>
		!hasSeen || row.match_status !== 'notChecked',

	'a corrected row says what it said before, until it’s checked': ({ given, row, ...turn }) =>
		turn.hasSeen ||
		turn.isBlank ||
		turn.isEdited ||
		!turn.isCorrected ||
		!given.registry_checked_at ||
		(row.match_status === 'notChecked' && tellsCorrection(row)),

	'a failed check still says since when the company is missing': (turn) => {
		const { given, row, hasSeen, isChecked } = turn;
		return hasSeen || !isChecked || turn.isFew || !isNotShown(given) || isNotShown(row);
	},

	'a company that is found is shown as it is': ({ row, hasSeen, isMissing, isTrue }) =>
		!hasSeen || isMissing || row.match_status !== 'found' || isTrue,

	'a row keeps its company, and what is known of it, unless a person changes something': (turn) => {
		const { given, row, isCorrected, isEdited, isSame } = turn;
		if (!given.registry_idno || isCorrected || isEdited) return true;
		return isSame && (turn.isFew || !given.registry_rating || Boolean(row.registry_rating));
	},

	'a corrected row has no company that the correction contradicts': (turn) => {
		const { row, said, hasSeen, isMissing, isCorrected } = turn;
		const isFound = hasSeen && (isMissing || row.match_status === 'found');
		if (!isFound || !isCorrected || row.registry_idno === row.IDNO) return true;
		const isNamed = [said[0], String(row.registry_name).replace(' SRL', '')].includes(row.Firma);
		const isMoved = row.Oraș !== '' && said[2] !== row.Oraș;
		return isNamed && (!isMoved || row.registry_city === row.Oraș);
	},

	'nobody gets another row’s company, whatever happens to columns': (turn) => {
		const { row, hasSeen, isSame } = turn;
		const isFound = hasSeen && row.match_status === 'found' && row.match_quality === 'exact';
		if (!isFound || isSame || row.IDNO !== '') return true;
		// The registry may have renamed it.
		const names = [row.registry_name, model.firstNameOf(String(row.registry_idno))];
		return names.some((name) => String(name).startsWith(String(row.Firma).split(' ')[0]!));
	},

	'only what the registry shows otherwise of the same company is a change': (turn) => {
		const { row, isSame, isNews, differences } = turn;
		return row.registry_changed !== true || (isSame && (isNews || differences.length > 0));
	},

	'what has changed is told once, and exactly': (turn) => {
		const { given, row, hasSeen, isEdited, isMissing, isNews, isSame, differences } = turn;
		if (!hasSeen || isEdited) return true;
		const told = String(row.registry_changes).replace(/(?:; )?rating: none → B/, '');
		if (isMissing) return told === (isNews ? 'no longer in the registry' : '');
		if (!isSame) return row.registry_changed === false;
		const back = isGone(given) ? ['back in the registry'] : [];
		return told === [...back, ...differences].join('; ');
	},

	'a known company costs one request': ({ isQuiet, requests }) => !isQuiet || requests <= 1,

	'what was checked recently is skipped': ({ isSkipped, isChecked }) => !isSkipped || !isChecked,

	'only rows that a person has corrected, or that lack one request, overtake others': (
		{ given, isChecked, isSkipped, isCorrected, isEdited, isBlank, isFew: few },
		turns,
	) => {
		if (isChecked || isSkipped || isEdited || isBlank) return true;
		const isFirst = (isUnfinished(given) && !few) || (isCorrected && !hasFailed(given));
		return turns.every((other) => {
			const isFirstToo = other.isCorrected || other.isEdited || isUnfinished(other.given);
			const mayOvertake = isFirstToo || other.isShared;
			const isBefore = !isFirst && dateOf(other.given) <= dateOf(given);
			return !other.isChecked || mayOvertake || isBefore;
		});
	},

	'what was never known isn’t written': ({ given, row, isChecked, isEdited }) =>
		isChecked || isEdited || Boolean(given.registry_checked_at) || !('registry_name' in row),
};
