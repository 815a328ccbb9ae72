import type { IDataObject } from 'n8n-workflow';

import { without } from '../../../nodes/shared/http/json';
import { numbered } from './enriching';
import { ModelRegistry, resetClock, runNight, setNight } from './nightModel';
import type { Company, Night } from './nightModel';

afterEach(resetClock);

const ORHEI: Company = { idno: numbered(1), name: 'Zefirul SRL', status: 'active', city: 'Orhei' };
const CAHUL: Company = { idno: numbered(2), name: 'Vălmora SRL', status: 'active', city: 'Cahul' };

/** A list that's enriched and written back every night. */
class List {
	readonly registry = new ModelRegistry();

	constructor(
		public rows: IDataObject[],
		private readonly parameters: IDataObject = {},
		companies: Company[] = [ORHEI, CAHUL],
	) {
		for (const company of companies) this.set(company);
	}

	set(company: Company): void {
		this.registry.companies.set(company.idno, company);
	}

	/** @returns the rows of the night, which are kept unless the run fails */
	async night(number: number, more: Partial<Night> = {}): Promise<IDataObject[]> {
		setNight(number);
		this.registry.begin({ quota: Infinity, ...more });
		const { rows, error } = await runNight(this.registry, this.rows, this.parameters);
		if (error) throw error;
		return (this.rows = rows);
	}
}

describe('Enrich: a company known from an earlier run', () => {
	it('says every night why an unchanged row’s name or number isn’t its company’s', async () => {
		const list = new List([{ Firma: 'Zefirul', Ref: CAHUL.idno }, { Firma: 'Vălmora' }]);
		await list.night(0);
		list.set({ ...CAHUL, name: 'Brumalux S.R.L.' });
		await list.night(1);
		expect(await list.night(2)).toMatchObject([
			{
				match_reason: `The row's number ${CAHUL.idno} isn't this company's IDNO.`,
				registry_idno: ORHEI.idno,
			},
			{
				match_reason: 'The registry has renamed this company to Brumalux S.R.L.',
				match_quality: 'exact',
			},
		]);
	});

	it('keeps quiet about what its state has no room for, until the registry says it again', async () => {
		const long = {
			...ORHEI,
			caen_code: '1071',
			caen_description: 'Fabricarea pâinii; '.repeat(25),
		};
		const list = new List([{ Firma: 'Zefirul' }], { addCredit: true }, [long]);
		const onlyState = async (night: number, more: Partial<Night> = {}) => {
			const [row] = await list.night(night, more);
			list.rows = [{ Firma: 'Zefirul', registry_state: row!.registry_state }];
			return row!;
		};
		const description = 'registry_caen_description';
		expect(await onlyState(0)).toHaveProperty(description, long.caen_description);
		// The recommendation has none, and the row waits.
		for (const quota of [1, 0]) {
			const row = await onlyState(1, { quota });
			expect(row).toMatchObject({ registry_status: 'active', registry_caen_code: '1071' });
			expect(row).not.toHaveProperty(description);
		}
		Object.assign(list, { parameters: {} });
		const row = await onlyState(2);
		expect(row).toMatchObject({ [description]: long.caen_description, registry_changed: false });
	});

	it('is searched anew once its IDNO is emptied, and leaves nothing behind if nobody is found', async () => {
		const list = new List([{ Firma: 'Zefirul' }], { addCredit: true });
		const [row] = await list.night(0);
		const empty = { registry_idno: '', registry_administrator: 'Ion' };
		list.rows = [{ ...row, ...empty }];
		const [same] = await list.night(1);
		expect(same).toMatchObject({ registry_idno: ORHEI.idno, registry_changed: false });
		list.rows = [{ ...same, ...empty }];
		const [emptied] = await list.night(1, { isBlind: true });
		expect(emptied).toMatchObject({ registry_name: null, registry_changed: true });
		expect(emptied!.registry_state).not.toMatch(/name=|rating=|Ion/);
		list.rows.push({ Firma: 'Nimeni' });
		// Four searches, and the recommendation fails.
		const [found] = await list.night(2, { failsFrom: 3 });
		expect(found).toMatchObject({ match_status: 'found', registry_rating: null });
		const [read] = await list.night(3);
		expect(read).toMatchObject({ registry_rating: 'B', registry_changed: false });
	});

	it('is found although the quota ends at its recommendation, which is all that the next night costs', async () => {
		const row = { Firma: 'Zefirul', Oraș: 'Bender' };
		const list = new List([row], { addCredit: true, minScore: 'likely' });
		const waits = /^The credit recommendation is waiting for the quota\. \S/;
		const match_reason = expect.stringMatching(waits) as unknown;
		expect(await list.night(0, { quota: 2 })).toMatchObject([
			{ match_status: 'found', match_reason },
		]);
		expect(await list.night(1)).toMatchObject([{ registry_rating: 'B' }]);
		expect(list.registry.requests).toHaveLength(1);
	});

	it('Minimum Match holds for new matches only, and a match keeps its reason', async () => {
		const row = { Firma: 'Brumalux', IDNO: ORHEI.idno };
		const list = new List([row], { minScore: 'likely' });
		const [found] = await list.night(0);
		list.rows = [found!];
		Object.assign(list, { parameters: { minScore: 'exact' } });
		expect(await list.night(1)).toMatchObject([
			without(found!, 'registry_changed', 'registry_checked_at', 'registry_state'),
		]);
	});

	it('the recommendation is enough until name or status change or aren’t told, or for thirty days', async () => {
		const list = new List([{ Firma: 'Zefirul' }], { addCredit: true });
		const sent = async (night: number) => {
			await list.night(night);
			return list.registry.requests.map((request) => request.split(/[/ ]/).at(-2));
		};
		expect(await sent(0)).toEqual(['search', ':idno']);
		expect(await sent(1)).toEqual([':idno']);
		list.set({ ...ORHEI, status: 'suspended', city: 'Bender' });
		expect(await sent(2)).toEqual([':idno', 'search']);
		expect(list.rows).toMatchObject([
			{ registry_changes: 'status: active → suspended; city: Orhei → Bender' },
		]);
		expect(await sent(31)).toEqual([':idno']);
		expect(await sent(33)).toEqual(['search', ':idno']);
		list.set({ ...ORHEI, status: '' });
		await sent(34);
		expect(await sent(35)).toEqual([':idno', 'search']);
		list.set({ ...ORHEI, status: 'closed' });
		const found = { match_status: 'found', registry_status: 'closed' };
		expect(await list.night(36, { isBlind: true })).toMatchObject([found]);
	});
});

describe('Enrich: a corrected row', () => {
	it('isn’t skipped, nor is a row whose company is excluded, but one that’s spelled differently is', async () => {
		const options = { skipRowsCheckedWithin: 30 };
		const rows = [
			{ Firma: 'Zefirul' },
			{ Firma: 'Vălmora' },
			{ Firma: 'Zefirul' },
			{ IDNO: numbered(9) },
		];
		const list = new List(rows, { options });
		await list.night(0);
		Object.assign(list.rows[0]!, { Firma: 'Nimeni' });
		// The node's own column may have any name.
		Object.assign(list.rows[2]!, { Firma: 'ZEFIRUL ', IDNO: ORHEI.idno });
		Object.assign(list.rows[3]!, { IDNO: numbered(9).replace(/(?=.{6}$)/, ' ') });
		Object.assign(options, { excludedIdnos: CAHUL.idno });
		const [corrected, excluded] = await list.night(1);
		const cleared = { match_status: 'notFound', registry_idno: null, registry_name: null };
		expect(corrected).toMatchObject({ ...cleared, registry_changed: true });
		expect(excluded).toMatchObject({ ...cleared, registry_changed: true });
		expect(excluded!.registry_changes).toContain('name: Vălmora SRL → none');
		expect(list.registry.requests.join()).not.toMatch(RegExp(`${ORHEI.idno}|${numbered(9)}`));
	});

	it('takes its turn like all others once its check has failed', async () => {
		const list = new List([{ Firma: 'Zefirul' }, { Firma: 'Vălmora' }, { Firma: 'Nimeni' }]);
		await list.night(0);
		Object.assign(list.rows[0]!, { Oraș: 'Orhei' });
		await list.night(1, { quota: 2, failsFrom: 0, failsUntil: 1 });
		await list.night(2, { quota: 1 });
		expect(list.registry.requests).toEqual(['/api/v1/search nimeni']);
	});

	it('is compared by what was corrected alone, and means another company if that contradicts', async () => {
		const list = new List([{ Firma: 'Zefirul', Oraș: 'Orhei' }]);
		await list.night(0);
		list.set({ ...ORHEI, name: 'Brumalux SRL', city: 'Cahul' });
		await list.night(1);
		Object.assign(list.rows[0]!, { Oraș: 'Cahul' });
		expect(await list.night(2)).toMatchObject([
			{ match_status: 'found', registry_idno: ORHEI.idno },
		]);
		Object.assign(list.rows[0]!, { Oraș: 'Bender' });
		expect(await list.night(3)).toMatchObject([{ match_status: 'notFound', registry_idno: null }]);
	});

	it('clears what the node has written for the other company, and nothing else', async () => {
		const list = new List([{ Firma: 'Zefirul', registry_contact: 'Ana' }]);
		list.registry.companies.set(ORHEI.idno, { ...ORHEI, administrator: 'Ion' });
		const [found] = await list.night(0);
		expect(found).toMatchObject({ registry_administrator: 'Ion', registry_contact: 'Ana' });
		list.rows = [{ ...found, Firma: 'Vălmora', registry_rating: 'B' }];
		expect(await list.night(1)).toMatchObject([
			{
				registry_name: 'Vălmora SRL',
				registry_administrator: null,
				registry_rating: null,
				registry_contact: 'Ana',
			},
		]);
		// The company that it had isn't asked for any more, even if only the number is another one.
		expect(list.registry.requests).toHaveLength(1);
		list.rows = [{ IDNO: CAHUL.idno }];
		const [numbered] = await list.night(2);
		list.rows = [{ ...numbered, IDNO: ORHEI.idno }];
		expect(await list.night(3)).toMatchObject([{ registry_idno: ORHEI.idno }]);
	});

	it.each([
		['agrees with what is known of it', 'Orhei', ['', 'no longer in the registry', '']],
		[
			'contradicts it',
			'Cahul',
			[expect.stringMatching(/^idno: \d+ → none; name: Zefirul SRL → none/), null, null],
		],
	])('is told once that its company is gone, if it %s', async (_, Oraș, told) => {
		const list = new List([{ Firma: 'Zefirul' }, { Firma: 'Vălmora' }]);
		await list.night(0);
		Object.assign(list.rows[0]!, { Oraș });
		list.registry.companies.delete(ORHEI.idno);
		const changes: unknown[] = [];
		for (const night of [1, 2, 3]) changes.push((await list.night(night))[0]!.registry_changes);
		expect(changes).toEqual(told);
		// It isn't a corrected row any more, which would go first every night.
		expect(list.rows[0]).toMatchObject({ match_input: `Name: Zefirul; Place: ${Oraș}` });
	});

	it('a value that was read as empty is a change by the state, a column that was never read isn’t', async () => {
		const list = new List([{ Firma: 'Zefirul' }], {}, [without(ORHEI, 'city') as Company]);
		const [found] = await list.night(0);
		list.set({ ...ORHEI, region: 'Orhei' });
		const columns = Object.entries(found!).filter(([, value]) => value !== null);
		list.rows = [Object.fromEntries(columns)];
		const [changed] = await list.night(1);
		expect(changed!.registry_changes).toContain('city: none → Orhei');
		list.rows = [without(changed!, 'registry_state') as IDataObject];
		Object.assign(list, { parameters: { addCredit: true } });
		expect(await list.night(2)).toMatchObject([{ registry_rating: 'B', registry_changed: false }]);
	});
});
