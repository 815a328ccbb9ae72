import type { IDataObject } from 'n8n-workflow';

import { writeState } from '../../../nodes/CompanyRegistry/enrich/state';
import {
	withQuota,
	ago,
	ALL,
	enrichAt,
	FIRST,
	numbered,
	SECOND,
	texts,
	UNKNOWN,
} from './enriching';
import type { Enriching } from './enriching';
import { ModelRegistry, resetClock, runNight, setNight } from './nightModel';
import { continuing, hintsOf, recordsOf, registryOf } from '../support';

afterEach(resetClock);

/** All notices of a run, on a plan whose day is longer than any list. */
async function noticesOf(
	rows: IDataObject[],
	parameters: Enriching = {},
	respond = registryOf(ALL),
): Promise<string> {
	return texts(await enrichAt(respond, rows, parameters, continuing)).join('\n');
}

describe('Enrich: the summary', () => {
	const recent = { idno: FIRST, registry_checked_at: ago(1) };
	const used = [
		{ Firma: 'Zefirul', Localitatea: 'Orhei' },
		{ Firma: 'Nimeni', 'Cod fiscal': '' },
	];

	it.each<[rows: IDataObject[], notice: string]>([
		[
			[...used, { Firma: '', 'Cod fiscal': SECOND }],
			'3 rows: 3 checked (2 found, 1 not found). 4 requests sent. Columns used: "Firma" as the name; "Localitatea" as the city; "Cod fiscal" as the IDNO.',
		],
		[[recent], '1 row: 1 checked recently. 0 requests sent. Columns used: "idno" as the IDNO.'],
		[
			[recent, { idno: SECOND }],
			'2 rows: 1 checked (1 found), 1 checked recently. 1 request sent. Columns used: "idno" as the IDNO.',
		],
		[
			[{ idno: UNKNOWN, registry_idno: UNKNOWN }],
			'1 row: 1 checked (1 missing from the registry). 1 request sent.',
		],
		// East of Greenwich, today can be tomorrow. Later dates are mistakes.
		[[{ idno: FIRST, registry_checked_at: ago(-0.5) }], '1 row: 1 checked recently.'],
		[[{ idno: FIRST, registry_checked_at: ago(-1.5) }], '1 row: 1 checked again (1 found).'],
		[[{ x: 1 }], '1 row: 1 not looked up. 0 requests sent.'],
		[
			[{ Firma: 'Zefirul' }, { Firma: '-' }],
			'2 rows: 1 checked (1 found), 1 not looked up. 1 request sent. Columns used: "Firma" as the name.',
		],
	])('counts the rows %j and names their columns', async (rows, notice) => {
		const options = { skipRowsCheckedWithin: 30 };
		expect(await noticesOf(rows, { options })).toContain(notice);
	});

	it('says how many rows have changed since the last run', async () => {
		const first = recordsOf(await enrichAt(registryOf(ALL), [{ idno: FIRST }, { idno: SECOND }]));
		const now = ALL.map((company) => ({ ...company, status: 'suspended' }));
		expect(await noticesOf(first, {}, registryOf(now))).toMatch(
			/^2 rows: 2 checked again \(2 found\), 2 changed\. /,
		);
		expect(await noticesOf(first)).not.toContain('changed');
	});

	it('says how long the rest takes if the quota decides, and not if it’s the rate limit', async () => {
		const rows = Array.from({ length: 9 }, (_, at) => ({ idno: numbered(at) }));
		const pace =
			/checked \(1 found, 1 not found\).* At this pace, the rest takes about 4 more runs like this one\./;
		expect(await noticesOf(rows, {}, withQuota(2))).toMatch(pace);
		expect(await noticesOf(rows, {}, withQuota(8))).toContain('takes about 1 more run like this');
		const limited = (request: { number: number }) =>
			request.number > 2 ? { status: 429, headers: { 'retry-after': 30 }, body: {} } : undefined;
		const options = { onRateLimit: 'fail' };
		const all = registryOf(ALL);
		const notices = await noticesOf(
			rows,
			{ options },
			(request) => limited(request) ?? all(request),
		);
		expect(notices).toContain('Waiting for the rate limit.');
		expect(notices).not.toContain('pace');
	});
});

/** Each notice with a run that shows it, and with a similar one that doesn’t. */
interface Notice {
	text: string;
	rows: IDataObject[];
	parameters?: Enriching;
	without: { rows?: IDataObject[]; parameters?: Enriching };
	/** Requests that the service answers. */
	quota?: number;
}

const STORED = writeState(Date.parse(ago(1)), {
	...{
		registry_idno: FIRST,
		registry_name: 'Zefirul SRL',
		match_status: 'found',
		match_quality: 'exact',
	},
	match_input: 'Name: Zefirul',
});
const THREE = ['Zefirul', 'Vălmora', 'Agro Nord'].map((name) =>
	STORED.replace('Name: Zefirul', `Name: ${name}`),
);
const TYPED = { columns: 'choose', companyName: 'Zefirul' };
const NAMED = { columns: 'choose', companyName: '={{ $json.Firma }}' };

describe('Enrich: notices', () => {
	it.each<Notice>([
		{
			text: 'No column with an IDNO or a name was recognized. To map the columns yourself, set "Columns" to Choose.',
			rows: [{ x: 1 }, { x: 2 }],
			without: { rows: [{ x: 1 }, { Firma: 'Zefirul' }] },
		},
		{
			text: 'No column with',
			rows: [{ x: 1 }],
			without: { rows: [{ 'Denumire furnizor': 'Zefirul SRL', Client: 'Vălmora SRL' }] },
		},
		{
			text: 'It isn\'t clear which column names the company: "Denumire furnizor" or "Client". To map the right one, set "Columns" to Choose.',
			rows: [{ 'Denumire furnizor': 'Zefirul SRL', Client: 'Vălmora SRL' }],
			without: { rows: [{ 'Denumire furnizor': 'Zefirul SRL' }] },
		},
		{
			text: '"IDNO" and "Name" are empty in every row. Check their expressions.',
			rows: [{ x: 1 }, { x: 2 }],
			parameters: NAMED,
			without: { parameters: {} },
		},
		{
			text: '2 rows only had a likely match, listed in match_alternatives. To accept such matches, set "Minimum Match" to Likely, and review those rows.',
			rows: [{ company: 'Zefirl' }, { company: 'Nimeni' }, { company: 'Zefirul', city: 'Cahul' }],
			without: { parameters: { minScore: 'likely' } },
		},
		{
			text: '1 row only had a strong match, listed in match_alternatives. To accept such matches, set "Minimum Match" to Strong.',
			rows: [{ idno: FIRST, city: 'Cahul' }],
			parameters: { minScore: 'exact' },
			without: { parameters: {} },
		},
		{
			text: '1 row only had a likely match',
			rows: [{ company: 'Zefirul', city: 'Cahul' }],
			parameters: { minScore: 'exact' },
			without: { parameters: { minScore: 'likely' } },
		},
		{
			text: 'You typed "Zefirul", so all 2 rows would be looked up by this text. Nothing was looked up. To use a column, drag it from the input into the field.',
			rows: [{ Firma: 'Zefirul' }, { Firma: 'Vălmora' }],
			parameters: TYPED,
			without: { parameters: NAMED },
		},
		{
			text: 'You typed "Zefirul", so all 2 rows',
			rows: [{ Firma: 'Zefirul' }, { Firma: 'Vălmora' }],
			// An expression without braces is also a text.
			parameters: { columns: 'choose', companyName: '=Zefirul' },
			without: { parameters: NAMED },
		},
		{
			text: 'You typed',
			rows: [{ Firma: 'Zefirul' }, { Firma: 'Vălmora' }],
			parameters: TYPED,
			// A single row may well have a typed name.
			without: { rows: [{ Firma: 'Zefirul' }] },
		},
		{
			text: '"registry_checked_at" looks like a column that this node adds, but some of its values can\'t be read. Rows with such a value count as never checked.',
			rows: [{ Firma: 'Zefirul', registry_checked_at: 'ieri' }],
			without: { rows: [{ Firma: 'Zefirul', registry_checked_at: ago(1) }] },
		},
		{
			text: '"registry_checked_at" looks like a column that this node adds',
			rows: [{ Firma: 'Zefirul', registry_checked_at: 'ieri' }],
			// The state says when the row was checked.
			without: { rows: [{ Firma: 'Zefirul', registry_checked_at: 'ieri', note: STORED }] },
		},
		{
			text: '"registry_state" looks like a column that this node adds',
			rows: [{ Firma: 'Zefirul', registry_state: 'registry_state ieri' }],
			// As in a column that has just been created.
			without: { rows: [null, false].map((each) => ({ Firma: 'Zefirul', registry_state: each })) },
		},
		{
			text: '"registry_state" looks like a column that this node adds',
			rows: [{ Firma: 'Zefirul', registry_state: 'registry_state ieri' }],
			without: {
				rows: [{ Firma: 'Zefirul', registry_state: 'registry_state ieri', note: STORED }],
			},
		},
		{
			text: 'Write registry_state back to your list, so that the next run knows what this run has found.',
			rows: [{ idno: FIRST }, { idno: SECOND }],
			without: { rows: [{ idno: FIRST }, { idno: SECOND, registry_state: STORED }] },
		},
		{
			text: "Rows came back without registry_state, so they're compared with their other columns, which other programs may have changed.",
			rows: [{ idno: FIRST, registry_checked_at: ago(1) }],
			without: { rows: [{ idno: FIRST, registry_checked_at: ago(1), registry_state: STORED }] },
		},
		{
			text: '"note" came back with only the first 70 characters of registry_state',
			rows: [{ idno: FIRST, note: STORED.slice(0, 70) }],
			without: { rows: [{ idno: FIRST, note: STORED }] },
		},
		{
			text: 'The columns used are empty in every row: "IDNO", "Firma". To map other columns, set "Columns" to Choose.',
			rows: [
				{ Firma: '', IDNO: '' },
				{ Firma: '-', IDNO: '' },
			],
			without: {
				rows: [
					{ Firma: '', IDNO: '' },
					{ Firma: 'Zefirul', IDNO: '' },
				],
			},
		},
		{
			text: '1 row had an IDNO or a name at the last check, and has neither now. No data was cleared.',
			rows: [{ Firma: '', note: STORED }, { Firma: 'Zefirul' }],
			without: { rows: [{ Firma: '' }, { Firma: 'Zefirul' }] },
		},
		{
			text: 'The name is empty in all rows now, but those that were last checked before the mapping changed had one.',
			rows: [
				{ IDNO: FIRST, note: STORED },
				{ IDNO: FIRST, note: STORED },
			],
			without: { rows: [{ IDNO: FIRST, note: STORED }] },
		},
		{
			text: 'The IDNO is new in all rows that were last checked before the mapping changed. They keep their companies.',
			rows: [
				{ Firma: 'Zefirul', IDNO: SECOND, note: STORED },
				{ Firma: 'Zefirul', IDNO: SECOND, note: STORED },
			],
			without: { rows: [{ Firma: 'Zefirul', IDNO: SECOND, note: STORED }] },
		},
		{
			text: "The name is the same in all rows now, but it wasn't at the last check. The rows keep their companies.",
			rows: [
				{ Firma: 'Zefirul', note: STORED },
				{ Firma: 'Zefirul', note: STORED.replace('Name: Zefirul', 'Name: Vălmora') },
				{ Firma: 'Zefirul', note: STORED.replace('Name: Zefirul', 'Name: Agro Nord') },
			],
			without: {
				rows: [
					{ Firma: 'Zefirul', note: STORED },
					{ Firma: 'Zefirul', note: STORED.replace('Name: Zefirul', 'Name: Vălmora') },
				],
			},
		},
		{
			text: 'The name is the same in all rows now',
			rows: THREE.map((note) => ({ Firma: 'Zefirul', note })),
			without: { rows: THREE.map((note, at) => ({ Firma: `Zefirul ${at}`, note })) },
		},
	])('shows $text', async ({ text, rows, parameters = {}, without, quota }) => {
		const respond = quota === undefined ? registryOf(ALL) : withQuota(quota);
		expect(await noticesOf(rows, parameters, respond)).toContain(text);
		const others = await noticesOf(without.rows ?? rows, without.parameters ?? parameters, respond);
		// Not even about another column.
		expect(others).not.toContain(/^.[^"]*/.exec(text)![0]);
	});

	it('shows what a run has done as information, and what needs attention as a warning', async () => {
		const rows = [{ Firma: '' }, { Firma: '-' }];
		const types = hintsOf(await enrichAt(registryOf(ALL), rows, {}, continuing)).map(
			({ type }) => type,
		);
		expect(types).toEqual(['info', 'warning']);
	});

	it('says that another node may have checked the rows that it skips within the hour', async () => {
		const registry = new ModelRegistry();
		registry.begin({ quota: Infinity });
		setNight(0);
		const { rows } = await runNight(registry, [{ IDNO: FIRST }]);
		const options = { skipRowsCheckedWithin: 7 };
		const noticesAt = async (night: number) => {
			setNight(night);
			const { hints } = await runNight(registry, rows, { options });
			return hints.map(({ message }) => message).join();
		};
		const text = '1 row was checked within the last hour, for example by another Enrich node';
		expect(await noticesAt(0)).toContain(text);
		expect(await noticesAt(1.1 / 24)).not.toContain('within the last hour');
	});

	it('says where a list starts that’s larger than the plan’s day and isn’t written back', async () => {
		const registry = new ModelRegistry();
		const rows = Array.from({ length: 12 }, (_, at) => ({ IDNO: numbered(at) }));
		const starts = new Set<number>();
		for (let night = 0; night < 10; night++) {
			setNight(night);
			registry.begin({ quota: 3 });
			const { rows: results, hints } = await runNight(registry, rows, {}, { perDay: 10 });
			const isChecked = results.map(({ match_status }) => match_status !== 'notChecked');
			const start = isChecked.findIndex((is, at) => is && !isChecked.at(at - 1));
			starts.add(start);
			const text = `each day's run starts at a different row (today: ${start + 1}).`;
			if (start > 0) expect(hints[0]?.message).toContain(text);
		}
		// Every row has had its turn.
		expect(starts.size).toBeGreaterThanOrEqual(8);
		registry.begin({ quota: 3 });
		const { hints } = await runNight(registry, rows, {}, { perDay: 12 });
		expect(hints[0]?.message).not.toContain('different row');
		registry.begin({ quota: 1 });
		const dated = { IDNO: numbered(99), registry_checked_at: '2026-03-01' };
		const [first] = (await runNight(registry, [...rows, dated], {}, { perDay: 10 })).rows;
		expect(first!.match_status).toBe('notFound');
	});
});
