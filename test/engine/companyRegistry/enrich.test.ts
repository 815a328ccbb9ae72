import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../../nodes/CompanyRegistry/api';
import { without } from '../../../nodes/shared/http/json';
import type { Respond } from '../../fakeService';
import { linesOf } from '../../pairs';
import { callAsTool } from '../contexts';
import { jsonOf } from '../harness';
import type { NodeOutcome, NodeRun } from '../harness';
import {
	continuing,
	hintsOf,
	itemsOf,
	pairedWith,
	recordsOf,
	registryAt,
	registryOf,
	VARIANTS,
	withCheckDigit,
} from '../support';

interface Enriching extends INodeParameters {
	options?: INodeParameters;
}

const enriching = (parameters: Enriching = {}): INodeParameters => ({
	resource: 'company',
	operation: 'enrich',
	...parameters,
});

/** Enriches rows from a service with these responses. */
async function enrichAt(
	respond: Respond,
	rows: IDataObject[],
	parameters: Enriching = {},
	more: Partial<NodeRun> = {},
	variant: Variant = 'v1',
): Promise<NodeOutcome & { paths: string[] }> {
	const { run, requests } = await registryAt(respond, variant);
	const outcome = await run(enriching(parameters), { items: itemsOf(...rows), ...more });
	return { ...outcome, paths: requests.map(({ path }) => path) };
}

const numbered = (number: number) => withCheckDigit(String(100_000_000_000 + number));
const [FIRST, SECOND, THIRD, UNKNOWN] = [1, 2, 3, 99].map(numbered) as [
	...[string, string, string, string],
];
const ZEFIRUL = { idno: FIRST, name: 'Zefirul SRL', status: 'active', city: 'Orhei' };
const VALMORA = { idno: SECOND, name: 'Vălmora SRL', status: 'active', city: 'Cahul' };
const NAMESAKE = { ...ZEFIRUL, idno: THIRD, city: 'Bălți', status: 'suspended' };
const ALL = [ZEFIRUL, VALMORA];

/** Enriches rows from a registry with these companies. */
async function enrich(
	rows: IDataObject[],
	parameters: Enriching = {},
	companies: IDataObject[] = ALL,
): Promise<IDataObject[]> {
	return recordsOf(await enrichAt(registryOf(companies), rows, parameters));
}

const texts = (outcome: NodeOutcome) => hintsOf(outcome).map(({ message }) => message);
const day = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * day).toISOString();

const columnsOf = (company: object) =>
	Object.fromEntries(Object.entries(company).map(([name, value]) => [`registry_${name}`, value]));

const OUT_OF_QUOTA = {
	status: 429,
	headers: { 'x-ratelimit-remaining': 0, 'retry-after': 40_000 },
	body: { message: 'Daily quota exceeded' },
};

/** The registry, until its quota for a night is used up. */
const withQuota =
	(quota: number, companies: IDataObject[] = ALL): Respond =>
	(request) =>
		request.number > quota ? OUT_OF_QUOTA : registryOf(companies)(request);

/** Recommends every company. */
const RECOMMENDING: Respond = ({ path }) => ({
	...{ success: true, idno: path.split('/').at(-1), rating: 'B' },
});

/** The registry, which answers a request for a recommendation in this way. */
const crediting =
	(credit: object | Respond, companies: IDataObject[] = ALL): Respond =>
	(request) => {
		if (!request.path.includes('/credit/')) return registryOf(companies)(request);
		return typeof credit === 'function' ? (credit as Respond)(request) : credit;
	};

describe('Enrich', () => {
	it.each(VARIANTS)(
		'finds the company by IDNO or name, without mapping (%s API)',
		async (variant) => {
			const company = {
				...{ ...ZEFIRUL, legal_form: 'SRL', region: 'Orhei' },
				...{ caen_code: '0121', caen_description: 'Cultivarea strugurilor' },
			};
			const { run } = await registryAt(registryOf([company, VALMORA]), variant);
			const rows = [
				{ id: 1, idno: FIRST },
				{ id: 2, company: 'zefirul', name: 'Ion Rotaru' },
				{ id: 3, Denumire: FIRST },
			];
			const { items, error } = await run(enriching(), { items: itemsOf(...rows) });
			expect(error).toBeUndefined();
			const found = {
				...{ match_status: 'found', match_quality: 'exact', match_reason: '' },
				...{ match_alternatives: '', registry_changed: false, registry_changes: '' },
				match_input: expect.any(String) as unknown,
				registry_state: expect.stringMatching(/^registry_state \S+Z \| idno=/) as unknown,
				registry_checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
				...columnsOf(company),
			};
			expect(jsonOf(items)).toEqual(rows.map((row) => ({ ...row, ...found })));
			expect(pairedWith(items)).toEqual([0, 1, 2]);
		},
	);

	it('gives every row the same columns and keeps all of the row’s own, in an order that tells who was found', async () => {
		const rows = [
			{ id: 7, note: { a: [1, null] }, Firma: 'Zefirul', company_name: 'Own', status: 'lead' },
			{ id: 8, note: '', Firma: 'Nimeni', company_name: null, status: 'lead' },
		];
		const results = await enrich(rows);
		const [first, last] = [
			'registry_name registry_idno registry_status registry_changed registry_changes',
			'registry_legal_form registry_city registry_region registry_caen_code registry_caen_description registry_checked_at match_alternatives match_input registry_state',
		];
		expect(results.map((result) => Object.keys(result).join(' '))).toEqual([
			`match_status match_reason match_quality company_name ${first} id note Firma status ${last}`,
			`match_status match_reason match_quality Firma ${first} id note company_name status ${last}`,
		]);
		expect(results).toMatchObject(rows);
	});

	it('lists the most similar companies, a line each, for a row that isn’t found or is ambiguous', async () => {
		const other = { idno: SECOND, name: 'Zefirul Mare SRL', address: 'str. Morii 3' };
		const companies = [ZEFIRUL, NAMESAKE, other];
		const rows = [{ name: 'Zefirul Mic' }, { name: 'zefirul' }];
		const [missed, both] = await enrich(rows, {}, companies);
		expect(String(missed!.match_alternatives).split('\n')).toContain(
			`Zefirul Mare SRL, str. Morii 3, ${SECOND}`,
		);
		expect(both).toMatchObject({
			match_alternatives: `Zefirul SRL, Orhei, ${FIRST}\nZefirul SRL, Bălți, suspended, ${THIRD}`,
		});
	});

	it('sends one search and one credit request for all rows of a company, wherever they are', async () => {
		const companies = [0, 1, 2].map((at) => ({ idno: numbered(at), name: `Șoimul ${at} SRL` }));
		const spellings = ['Șoimul', 'ȘOIMUL', 'Şoimul'];
		const rows = Array.from({ length: 60 }, (_, at) => ({
			name: `${spellings[Math.floor(at / 20)]} ${at % 3}`,
		}));
		const respond = crediting(RECOMMENDING, companies);
		const { items, paths } = await enrichAt(respond, rows, { addCredit: true });
		expect(jsonOf(items).map((row) => row.registry_idno)).toEqual(
			rows.map((_, at) => companies[at % 3]!.idno),
		);
		expect(paths.filter((path) => path === '/api/v1/search')).toHaveLength(3);
		expect(paths).toHaveLength(6);
	});

	it.each<[parameters: Enriching, message: string, variant?: Variant]>([
		[{ columns: 'choose' }, 'The parameters "IDNO" and "Name" are both empty'],
		[{ columns: 'choose', companyName: '={{ ({ a: 1 }) }}' }, 'The parameter "Name" must be text'],
		[{ minScore: '={{ "two" }}' }, '"Minimum Match" must be'],
		[{ options: { skipRowsCheckedWithin: 'soon' } }, '(Days)" must be a whole number'],
		[{ output: 'fields', fields: [] }, 'The parameter "Fields" is empty'],
		[{ addCredit: true }, 'The credit recommendation is only available in the V1', 'unversioned'],
	])('rejects the parameters %j before anything is sent', async (...row) => {
		const [parameters, message, variant] = row;
		const rows = Array.from({ length: 30 }, () => ({ name: 'x' }));
		const outcome = await enrichAt(registryOf([]), rows, parameters, {}, variant);
		expect(outcome.error?.message).toContain(message);
		expect(outcome.paths).toEqual([]);
	});
});

describe('Enrich: rows and companies', () => {
	const shaped = { idno: numbered(7), name: 'Brumalux', legalForm: 'SA', City: 'Orhei' };
	const grouped = {
		...{ idno: numbered(8), name: 'Cormiteh' },
		registry: { legal_form: 'SA', city: 'Orhei' },
	};
	const REGISTRY: IDataObject[] = [
		...[ZEFIRUL, VALMORA, { idno: '1003600015232', name: 'Alpinet SRL' }, shaped, grouped],
		...['Orhei', 'Bălți'].map((city, index) => ({
			idno: numbered(5 + index),
			name: 'Dolinex',
			city,
		})),
		...['Total', 'None', 'Unic'].map((name, index) => ({
			...{ idno: numbered(20 + index), name: `${name} SRL` },
		})),
	];

	it.each(linesOf('rows.txt'))(
		'makes "$right" of the row "$left" at $section: $more',
		async (line) => {
			const [row, expected, reason] = [line.left, line.right, line.more].map((text) =>
				text.replace(/<(\d+)>/g, (_, number: string) => numbered(Number(number))),
			) as [string, string, string];
			const minScore = line.section;
			const cells = row.split('; ').map((cell) => /^(.*?): (.*)$/.exec(cell)!.slice(1));
			const [result] = await enrich(
				[Object.fromEntries(cells) as IDataObject],
				{ minScore },
				REGISTRY,
			);
			const { match_status, match_quality, registry_idno, match_reason } = result!;
			expect([match_status, match_quality, registry_idno].filter(Boolean).join(' ')).toBe(expected);
			expect(match_reason).toContain(reason);
			expect(match_reason === '').toBe(reason === '');
			// At Exact, nothing falls back to the name.
			if (minScore === 'exact') expect(match_reason).not.toContain('has this name');
		},
	);

	it('takes the columns that the user maps, and no others', async () => {
		const mapped = { columns: 'choose', companyIdno: '={{ $json.Ref }}' };
		const rows = [{ Ref: FIRST, Firma: 'Vălmora', company_city: 'Cahul' }];
		const outcome = await enrichAt(registryOf(ALL), rows, mapped);
		expect(recordsOf(outcome)).toMatchObject([{ registry_idno: FIRST, match_quality: 'exact' }]);
		expect(texts(outcome)).toEqual(['1 row: 1 checked (1 found). 1 request sent.']);
	});

	const BLANKS = '-|—|N/A|#REF!|None|нет|(не указано)|Итого:|TOTAL GENERAL|0'.split('|');

	it.each(BLANKS)('treats a cell with "%s" as empty', async (cell) => {
		const row = { idno: cell, company: cell, city: cell };
		const { paths, ...outcome } = await enrichAt(registryOf(ALL), [row]);
		const reason = 'The row has neither an IDNO nor a name.';
		expect(recordsOf(outcome)).toMatchObject([{ match_reason: reason, registry_name: null }]);
		expect(paths).toEqual([]);
		const [named] = await enrich([{ ...row, company: 'Zefirul SRL' }]);
		expect(named).toMatchObject({ match_status: 'found', match_quality: 'exact' });
	});

	it('leaves out the companies that Exclude IDNOs names, and sends nothing for their IDNOs', async () => {
		const rows: IDataObject[] = [
			{ company: 'Zefirul', ruledOut: `Zefirul SRL, Orhei, ${FIRST}\n` },
			{ company: 'Zefirul' },
			{ idno: FIRST, ruledOut: [FIRST, SECOND] },
		];
		const options = { excludedIdnos: '={{ $json.ruledOut }}' };
		const { items, paths } = await enrichAt(registryOf([ZEFIRUL, NAMESAKE]), rows, { options });
		const reason = `The option "Exclude IDNOs" excludes the row's IDNO ${FIRST}.`;
		expect(jsonOf(items)).toMatchObject([
			{ registry_idno: THIRD, match_alternatives: '' },
			{ match_status: 'ambiguous' },
			{ match_status: 'notFound', match_reason: reason },
		]);
		expect(paths).toHaveLength(1);
	});
});

describe('Enrich: what changed', () => {
	it('compares a row with the columns of the earlier run, without a setting', async () => {
		const before = await enrich([{ idno: FIRST }, { idno: SECOND }, { idno: UNKNOWN }]);
		const now = [{ ...ZEFIRUL, status: 'in_liquidation', city: 'Cahul' }, VALMORA];
		const rows = before.map((row) => ({ ...row, registry_caen_code: '' }));
		expect(await enrich(rows, {}, now)).toMatchObject([
			{ registry_changes: 'status: active → in_liquidation; city: Orhei → Cahul' },
			{ registry_changed: false, registry_changes: '' },
			{ registry_changed: null, registry_changes: null },
		]);
	});

	it('empty columns of a row that was never checked are no change, those of a checked row are', async () => {
		const columns = { registry_name: null, registry_status: '', registry_city: null };
		const dated = { ...columns, registry_checked_at: '2026-01-01', match_status: 'notFound' };
		const rows = [
			{ idno: FIRST, ...columns, registry_checked_at: null },
			{ idno: SECOND, ...dated },
		];
		expect(await enrich(rows)).toMatchObject([
			{ registry_changed: false, registry_changes: '' },
			{
				registry_changes: `idno: none → ${SECOND}; name: none → Vălmora SRL; status: none → active; city: none → Cahul`,
			},
		]);
	});

	it('keeps a value that the service doesn’t send, unless the row now has another company', async () => {
		const withoutCity = (company: IDataObject) => without(company, 'city') as IDataObject;
		const earlier = { registry_idno: FIRST, registry_city: 'Orhei', registry_changed: true };
		const rows = [
			{ idno: FIRST, ...earlier },
			{ idno: SECOND, ...earlier },
		];
		expect(await enrich(rows, {}, ALL.map(withoutCity))).toMatchObject([
			{ registry_city: 'Orhei', registry_changed: false },
			{ registry_city: null, registry_changed: true },
		]);
	});

	it.each([
		["['CRM status']", { 'CRM status': 'active' }],
		['crm[0].status', { crm: [{ status: 'active' }] }],
	])('compares the row’s own column %s, as the editor enters it', async (path, row) => {
		const rows = [{ ...row, idno: FIRST, registry_status: 'old', own_region: 'Nord' }];
		// The service doesn't send a region.
		const compareWith = { status: path, city: '', region: 'own_region' };
		expect(await enrich(rows, { compareWith })).toMatchObject([{ registry_changed: false }]);
		const companies = [{ ...ZEFIRUL, status: 'suspended' }];
		const shown = { output: 'fields', fields: ['name'] };
		expect(await enrich(rows, { compareWith, ...shown }, companies)).toMatchObject([
			{ registry_changed: true, registry_changes: 'status: active → suspended' },
		]);
	});

	it('compares a long value as it’s shown', async () => {
		const credit = { advisory_notes: 'Plata în avans. '.repeat(40) };
		const respond = crediting({ success: true, idno: FIRST, trade_credit_recommendation: credit });
		const parameters = { addCredit: true };
		const rows = recordsOf(await enrichAt(respond, [{ idno: FIRST }], parameters));
		expect(recordsOf(await enrichAt(respond, rows, parameters))).toMatchObject([
			{ registry_changed: false },
		]);
	});
});

describe('Enrich: columns of an earlier run', () => {
	const options = { skipRowsCheckedWithin: 7 };

	it.each<[where: string, row: (at: string) => IDataObject]>([
		['in a column', (at) => ({ registry_checked_at: at })],
		['in seconds since 1970', (at) => ({ registry_checked_at: Date.parse(at) / 1000 || at })],
		['under another spelling', (at) => ({ 'Registry Checked At': at, 'Registry Name': 'Old' })],
		['in camel case', (at) => ({ registryCheckedAt: at })],
		['in Airtable’s fields', (at) => ({ fields: { registry_checked_at: at } })],
		['in HubSpot’s properties', (at) => ({ properties: { registry_checked_at: { value: at } } })],
		['in custom fields', (at) => ({ custom_fields: { registry_checked_at: at } })],
	])('skips rows that were checked recently, with the date %s', async (_, row) => {
		// Yesterday, in two hours, more than a week ago, in three days, and no date at all.
		const dates = [...[1, -1 / 12, 8, -3].map(ago), 'soon'];
		const rows = dates.map((at) => ({ ...row(at), company: 'zefirul' }));
		const { paths, ...outcome } = await enrichAt(registryOf(ALL), rows, { options });
		const results = recordsOf(outcome);
		const skipped = results.map((each) => each.match_status === 'notChecked');
		expect(skipped).toEqual([true, true, false, false, false]);
		expect(results[0]!.match_reason).toBe('Checked in the last 7 days.');
		expect(paths).toHaveLength(1);
	});

	it('gives other spellings of its columns its own names, but only in a row with the date', async () => {
		const old = { 'Registry Name': 'Old', 'Match Status': 'notFound' };
		const rows = [
			{ company: 'Zefirul', ...old, 'Registry Checked At': ago(1) },
			{ company: 'Zefirul', ...old },
		];
		const [dated, own] = await enrich(rows);
		expect(Object.keys(dated!).filter((name) => /^[A-Z]/.test(name))).toEqual([]);
		expect(dated).toMatchObject({
			match_status: 'found',
			registry_changes: expect.stringContaining('name: Old → Zefirul SRL') as unknown,
		});
		expect(own).toMatchObject({ ...old, match_status: 'found', registry_changed: false });
	});

	it('keeps what the earlier run wrote into a row that is skipped, and never counts it as changed', async () => {
		const [before] = await enrich([{ company: 'Zefirul' }]);
		const row = { ...before, registry_changed: true, registry_changes: 'x', registry_rating: 'B' };
		const [skipped] = await enrich([row], { options, addCredit: true }, []);
		expect(skipped).toEqual({
			...{ registry_score: null, registry_insolvency_risk: null, registry_currency: null },
			...{ registry_recommended_limit_mdl: null, registry_advisory_notes: null },
			...{ registry_recommended_payment_terms_days: null, ...row },
			...{ registry_changed: null, registry_changes: null },
			registry_state: expect.stringContaining(' rating=B |') as unknown,
		});
	});

	it.each<[string, (name: string) => string]>([
		['Salesforce', (name) => `${name.replace(/(?<=^|_)\w/g, (letter) => letter.toUpperCase())}__c`],
		['Odoo Studio', (name) => `x_studio_${name}`],
		['Dataverse', (name) => `cr4f2_${name.replaceAll('_', '')}`],
		['SharePoint', (name) => name.replaceAll('_', '_x0020_')],
	])('knows its columns under the names that %s gives them', async (_, renamed) => {
		const [before] = await enrich([{ company: 'Zefirul' }]);
		const stored = Object.entries(before!).map(([name, value]) =>
			/^(?:match|registry)_/.test(name) ? [renamed(name), value ?? false] : [name, value],
		);
		const row = { ...(Object.fromEntries(stored) as IDataObject), payment_match_status: 'open' };
		const [skipped] = await enrich([row], { options }, []);
		expect(skipped).toMatchObject({
			...(without(before!, 'registry_changed', 'registry_changes') as IDataObject),
			payment_match_status: 'open',
		});
		expect(Object.keys(skipped!)).toHaveLength(Object.keys(before!).length + 1);
		const closed = [{ ...ZEFIRUL, status: 'closed' }];
		const changes = { registry_changes: 'status: active → closed' };
		expect(await enrich([row], {}, closed)).toMatchObject([changes]);
	});

	const stateOf = async (row: IDataObject) => (await enrich([row]))[0]!.registry_state as string;

	it.each<[string, (state: string) => IDataObject]>([
		['at the top', (a1b2) => ({ a1b2 })],
		['in a list of fields', (content) => ({ custom_fields: [{ id: 12, content }] })],
		['in an object that could be about anything', (note) => ({ extras: { more: { note } } })],
	])('needs no other column than its state, in any column: %s', async (_, stored) => {
		const row = { company: 'Zefirul', ...stored(await stateOf({ company: 'Zefirul' })) };
		const results = await enrich([row, { company: 'Zefirul' }], { options });
		expect(results).toMatchObject([
			{ match_status: 'found', registry_idno: FIRST, match_reason: '' },
			{ match_status: 'found', registry_changed: false },
		]);
		const closed = [{ ...ZEFIRUL, status: 'closed', region: 'Orhei' }];
		expect(await enrich([row], {}, closed)).toMatchObject([
			{ registry_changes: 'status: active → closed; region: none → Orhei' },
		]);
	});

	it('takes the state that fits the row if there are several, or none', async () => {
		const [a, b] = [await stateOf({ company: 'Zefirul' }), await stateOf({ company: 'Vălmora' })];
		const rows = ['Vălmora', 'Alta'].map((company) => ({ company, state: a, other: b }));
		expect(await enrich(rows, { options })).toMatchObject([
			{ registry_idno: SECOND, match_status: 'found', match_reason: '' },
			{ registry_idno: null, match_status: 'notFound' },
		]);
	});

	it.each<[string, IDataObject, object]>([
		[
			'older columns don’t count',
			{ registry_checked_at: ago(6), registry_status: 'old' },
			{ registry_status: 'active' },
		],
		[
			'newer columns count',
			{ registry_checked_at: ago(1), registry_status: 'new' },
			{ registry_status: 'new' },
		],
		[
			'a cell that a person has changed counts',
			{ registry_checked_at: ago(3), registry_status: 'mine' },
			{ registry_status: 'mine' },
		],
		[
			'a cell that a person has emptied counts',
			{ registry_checked_at: ago(3), registry_city: '' },
			{ registry_city: '' },
		],
		[
			'empty columns that nobody fills don’t count',
			{ registry_status: null, registry_city: null },
			{ registry_city: 'Orhei' },
		],
	])('beside a state, %s', async (_, columns, expected) => {
		const memo = (await stateOf({ company: 'Zefirul' })).replace(/\S+Z/, ago(3));
		const row = { company: 'Zefirul', ...columns, memo };
		expect(await enrich([row], { options: { skipRowsCheckedWithin: 9 } })).toMatchObject([
			expected,
		]);
	});

	it('ignores columns that an earlier run added, unless nothing else names the company', async () => {
		const [first] = await enrich([{ Denumirea: 'Zefirul' }]);
		expect(await enrich([{ ...first!, Denumirea: 'Vălmora' }])).toMatchObject([
			{ registry_idno: SECOND },
		]);
		const added = without(first!, 'Denumirea') as IDataObject;
		expect(await enrich([added])).toMatchObject([{ registry_idno: FIRST, match_status: 'found' }]);
	});
});

describe('Enrich: the quota', () => {
	const names = ['alpinet', 'brumalux', 'cormiteh', 'dolinex'];
	const companies = names.map((name, index) => ({ idno: numbered(index + 10), name }));
	const rows = companies.map(({ idno }, id) => ({ id, idno }));

	it('returns all rows when the quota runs out, whatever On Error says, and rows that need no request as well', async () => {
		const all = [...rows, { id: 4, idno: '' }, { id: 5, idno: '1003600015232' }];
		const outcome = await enrichAt(withQuota(2, companies), all);
		expect(recordsOf(outcome).map((row) => row.match_status)).toEqual([
			...['found', 'found', 'notChecked', 'notChecked', 'notFound', 'notFound'],
		]);
		expect(jsonOf(outcome.items)[3]).toMatchObject({
			...{ id: 3, registry_name: null, registry_checked_at: null, registry_changed: null },
			match_reason: expect.stringMatching(
				/^Waiting for the quota, which resets at \d\d:\d\d UTC\.$/,
			) as unknown,
		});
		expect(texts(outcome)).toEqual([
			expect.stringMatching(
				/^6 rows: 3 checked \(2 found, 1 not found\), 1 blank, 2 not checked yet\. Waiting for the quota, which resets at \d\d:\d\d UTC\. At this pace, the rest takes about 1 more night\. \d requests sent\./,
			),
			expect.stringContaining('Write registry_state, or all match_ and registry_ columns, back'),
		]);
	});

	it('fails only if no row was checked in this run or before', async () => {
		const { error } = await enrichAt(withQuota(0), rows);
		expect(error?.message).toContain("You've used up the quota");
		const dated = [{ ...rows[0], registry_checked_at: ago(1) }, ...rows.slice(1)];
		expect((await enrichAt(withQuota(0), dated)).error).toBeUndefined();
		const { items } = await enrichAt(withQuota(0), rows, {}, continuing);
		expect(jsonOf(items).map((row) => row.match_status)).toEqual(rows.map(() => 'notChecked'));
	});

	it.each<[string, INodeParameters, reason: string]>([
		['rate limit that it mustn’t wait for', { onRateLimit: 'fail' }, 'the rate limit.'],
		['canceled wait', {}, 'the next run, because this one was canceled.'],
	])(
		'a %s is the same outcome: what was checked longest ago is finished, the rest keeps its columns',
		async (...scenario) => {
			const [, options, reason] = scenario;
			const canceling = new AbortController();
			const respond: Respond = (request) => {
				if (request.number <= 2) return registryOf(companies)(request);
				setTimeout(() => canceling.abort(), 10);
				return { status: 429, headers: { 'retry-after': 30 }, body: {} };
			};
			const before = rows.map((row, index) => ({
				...{ ...row, match_status: 'notFound', registry_name: 'Old' },
				registry_checked_at: [ago(3), ago(9), 'no date', ago(4)][index],
			})) as IDataObject[];
			const cancel = options.onRateLimit ? undefined : canceling.signal;
			const outcome = await enrichAt(respond, before, { options }, { cancel });
			const results = jsonOf(outcome.items);
			const names = results.map((row) => row.registry_name);
			expect(names).toEqual(['Old', 'brumalux', 'cormiteh', 'Old']);
			const kept = { ...before[0], match_reason: `Waiting for ${reason}`, registry_changed: null };
			expect(results[0]).toMatchObject(kept);
			expect(texts(outcome)[0]).toMatch(
				/^4 rows: 2 checked again \(oldest check \d+ \w+; 2 found\), 2 changed, 2 checked before\. Waiting/,
			);
			// Rows with dates have been written back before, so nothing says how to.
			expect(texts(outcome).slice(1)).toEqual([
				expect.stringContaining(
					'"registry_checked_at" looks like one of this node\'s, but can\'t be read',
				),
			]);
		},
	);

	it.each([400, 422, 200])(
		'takes a search that the service rejects with HTTP %d for the row’s outcome',
		async (status) => {
			const body = { success: false, message: 'Query too short' };
			const respond: Respond = (request) =>
				request.query.get('q') === 'odd' ? { status, body } : registryOf(ALL)(request);
			const outcome = await enrichAt(respond, [{ name: 'odd' }, { idno: FIRST }]);
			expect(recordsOf(outcome)).toMatchObject([
				{
					...{ match_status: 'notFound', registry_checked_at: expect.any(String) as unknown },
					match_reason: expect.stringMatching(/^Query too short\./) as unknown,
				},
				{ match_status: 'found' },
			]);
		},
	);

	it.each<[string, number, unknown, string]>([
		['a web page', 404, '<title>404 Not Found</title>', 'There is no Company Registry'],
		['an unknown route', 404, { success: false, error: 'Route not found' }, 'Route not found'],
		['a server error', 500, {}, 'returned a server error'],
		['nameless companies', 200, { success: true, data: [{ x: 1 }] }, 'companies with a "name"'],
		['a rejection of every row', 200, { success: false, message: 'Expirat' }, 'Expirat'],
	])('fails the run if the searches are answered with %s', async (_, status, body, expected) => {
		const rows = [{ name: 'a1' }, { name: 'b2' }, { name: 'c3' }];
		const { error } = await enrichAt(() => ({ status, body }), rows);
		expect(`${error?.message} ${error?.description}`).toContain(expected);
	});

	it('tells an agent about the quota instead of returning a row', async () => {
		const { credential } = await registryAt(() => OUT_OF_QUOTA, 'v1');
		const parameters = enriching({ companyName: 'Zefirul' });
		const credentials = { companyRegistryApi: credential };
		const { answers } = await callAsTool('companyRegistry', parameters, credentials, [{}]);
		expect(answers).toEqual([expect.stringContaining("You've used up the quota")]);
	});
});

describe('Enrich: credit recommendation', () => {
	it('adds the credit recommendation as columns, which are null if there is none', async () => {
		const scoring = { rating: 'A', score: 71, insolvency_risk: 'low' };
		const advice = {
			...{ recommended_limit_mdl: 72_000, currency: 'MDL', recommended_payment_terms_days: 30 },
			advisory_notes: 'Review.',
		};
		const recommendation = { idno: FIRST, scoring, trade_credit_recommendation: advice };
		const respond = crediting(({ path }) =>
			path.endsWith(FIRST)
				? { success: true, ...recommendation }
				: { status: 404, body: { success: false, error: 'No recommendation for this company' } },
		);
		const before = { registry_idno: SECOND, registry_rating: 'B' };
		const rows = [{ idno: FIRST }, { idno: SECOND, ...before }, { idno: UNKNOWN }];
		const results = recordsOf(await enrichAt(respond, rows, { addCredit: true }));
		expect(results).toMatchObject([
			columnsOf({ ...ZEFIRUL, ...scoring, ...advice }),
			// A missing recommendation keeps what the row had.
			{ match_status: 'found', ...before, registry_changed: false, registry_score: null },
			{ match_status: 'notFound', registry_rating: null },
		]);
	});

	it('selects fields of the credit recommendation by their paths', async () => {
		const credit = { scoring: { rating: 'B', score: 71, model: 'v2' } };
		const parameters = {
			...{ addCredit: true, output: 'fields', fields: ['name', 'score'] },
			otherFields: 'scoring.model',
		};
		const respond = crediting({ success: true, idno: FIRST, ...credit });
		const rows = [{ idno: FIRST }, { idno: UNKNOWN }];
		expect(recordsOf(await enrichAt(respond, rows, parameters))).toMatchObject([
			{ registry_name: 'Zefirul SRL', registry_scoring_model: 'v2', registry_score: 71 },
			{ registry_name: null, registry_scoring_model: null, registry_score: null },
		]);
	});

	const companies = Array.from({ length: 40 }, (_, index) => ({
		...{ idno: numbered(index), name: `Zefirul${index}`, status: 'active' },
	}));

	/** Enriches all companies, where the service answers each request for a recommendation in this way. */
	async function withCredit(answer: object | Respond, more: Partial<NodeRun> = {}) {
		const rows = companies.map(({ idno }) => ({ idno, registry_rating: 'B' }));
		const outcome = await enrichAt(crediting(answer, companies), rows, { addCredit: true }, more);
		const credits = outcome.paths.filter((path) => path.includes('/credit/'));
		return { ...outcome, credits };
	}

	it('asks no more for recommendations that the plan lacks', async () => {
		const message = 'Your plan does not include this operation';
		const outcome = await withCredit({ status: 403, body: { success: false, message } });
		for (const row of recordsOf(outcome)) {
			expect(row).toMatchObject({ match_status: 'found', registry_status: 'active' });
			expect(row.match_reason).toContain(`The credit recommendation couldn't be read: ${message}`);
			expect(row.registry_checked_at).toEqual(expect.any(String));
		}
		expect(outcome.credits.length).toBeLessThanOrEqual(12);
	});

	it('a row waits if the quota ends at its recommendation, whatever On Error says', async () => {
		let left = 3;
		const outcome = await withCredit((request) =>
			left-- > 0 ? RECOMMENDING(request) : OUT_OF_QUOTA,
		);
		const rows = recordsOf(outcome);
		expect(rows.filter((row) => row.match_status === 'found')).toHaveLength(3);
		const waiting = rows.filter((row) => row.match_status === 'notChecked');
		expect(waiting).toHaveLength(37);
		expect(waiting[0]).toMatchObject({ registry_rating: 'B', registry_checked_at: null });
		expect(waiting[0]!.match_reason).toMatch(/^Waiting for the quota, which resets/);
	});

	it('a row whose recommendation fails is found, keeps its old one, and is due again', async () => {
		const failure = { status: 500, body: { success: false } };
		const outcome = await withCredit(failure);
		expect(recordsOf(outcome)[0]).toMatchObject({
			...{ match_status: 'found', registry_name: 'Zefirul0' },
			...{ registry_rating: 'B', match_reason: expect.stringMatching(/HTTP 500/) as unknown },
		});
		expect(texts(outcome)).toEqual([
			expect.stringMatching(/^40 rows: 40 checked \(40 found\)\./),
			expect.stringContaining("The credit recommendation of 40 rows couldn't be read"),
		]);
		// Three failures in a row are an outage. Others may have been under way.
		expect(outcome.credits.length).toBeLessThanOrEqual(12);
		const options = { skipRowsCheckedWithin: 30 };
		const [again] = await enrich(recordsOf(outcome).slice(0, 1), { options }, companies);
		expect(again).toMatchObject({ match_status: 'found', match_reason: '' });
	});

	it('still asks for recommendations after three refusals that don’t follow each other', async () => {
		const refused = [0, 12, 24].map(numbered);
		const { credits } = await withCredit((request) =>
			refused.some((idno) => request.path.endsWith(idno))
				? { status: 403, body: { success: false, message: 'Forbidden' } }
				: RECOMMENDING(request),
		);
		expect(credits).toHaveLength(companies.length);
	});
});

describe('Enrich: notices', () => {
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
			[{ x: 1 }, { x: 2 }],
			'No column with an IDNO or a name was recognized. To map the columns yourself, set "Columns" to Choose.',
		],
		[
			[{ company: 'Zefirl' }, { company: 'Nimeni' }, { company: 'Zefirul', city: 'Cahul' }],
			'2 rows only had a match below "Minimum Match", listed in match_alternatives. To accept such matches, set "Minimum Match" to Likely, and review those rows.',
		],
	])('counts the rows %j and names their columns', async (rows, notice) => {
		const options = { skipRowsCheckedWithin: 30 };
		expect(texts(await enrichAt(registryOf(ALL), rows, { options }))).toContain(notice);
	});
});
