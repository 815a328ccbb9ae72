import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Respond } from '../fakeService';
import { jsonOf } from './harness';
import type { NodeOutcome, NodeRun } from './harness';
import {
	continuing,
	hintsOf,
	itemsOf,
	recordsOf,
	registryAt,
	registryOf,
	withCheckDigit,
} from './support';

const IDNOS = [1, 2, 3, 4, 5].map((number) => withCheckDigit(String(100_000_000_000 + number)));
const [FIRST, SECOND, THIRD] = IDNOS as [string, string, string];
const UNKNOWN = withCheckDigit('199999999999');

const ZEFIRUL = { idno: FIRST, name: 'Zefirul SRL', status: 'active', city: 'Orhei' };
const VALMORA = { idno: SECOND, name: 'Vălmora SRL', status: 'active', city: 'Cahul' };
const ALL = [ZEFIRUL, VALMORA];

interface Enriching extends INodeParameters {
	options?: INodeParameters;
}

/** Enriches rows from a service with these responses. */
async function enrichAt(
	respond: Respond,
	rows: IDataObject[],
	parameters: Enriching = {},
	more: Partial<NodeRun> = {},
): Promise<NodeOutcome & { paths: string[] }> {
	const { run, requests } = await registryAt(respond, 'v1');
	const node = { resource: 'company', operation: 'enrich', ...parameters };
	const outcome = await run(node, { items: itemsOf(...rows), ...more });
	return { ...outcome, paths: requests.map(({ path }) => path) };
}

async function enrich(
	rows: IDataObject[],
	parameters: Enriching = {},
	companies: IDataObject[] = ALL,
): Promise<IDataObject[]> {
	return recordsOf(await enrichAt(registryOf(companies), rows, parameters));
}

const texts = (outcome: NodeOutcome) => hintsOf(outcome).map(({ message }) => message);

describe('columns that are found automatically', () => {
	it('need no mapping, and a notice says which were used', async () => {
		const rows = [
			{ Firma: 'Zefirul', Localitatea: 'Orhei' },
			{ Firma: '', 'Cod fiscal': SECOND },
		];
		const outcome = await enrichAt(registryOf(ALL), rows);
		expect(jsonOf(outcome.items)).toMatchObject([
			{ matchStatus: 'found', company_idno: FIRST },
			{ matchStatus: 'found', company_idno: SECOND },
		]);
		expect(hintsOf(outcome)).toMatchObject([
			{
				type: 'info',
				message:
					'2 rows: 2 found. 2 companies, 2 requests sent. Columns used: "Firma" as the name; "Localitatea" as the city or region; "Cod fiscal" as the IDNO.',
			},
		]);
	});

	it('are not those that an earlier run has added', async () => {
		const [first] = await enrich([{ Denumirea: 'Zefirul' }]);
		const again = { ...first!, Denumirea: 'Vălmora', company_idno: FIRST };
		expect(await enrich([again])).toMatchObject([{ company_idno: SECOND }]);
	});

	it('decide a row alone as among others', async () => {
		const rows = [
			{ name: 'Zefirul' },
			{ company: 'Vălmora', name: 'Ion Rotaru' },
			{ company: '', name: 'Zefirul' },
			{ idno: FIRST, firma: 'Vălmora' },
			{ denumire: 'valmora', oras: 'Cahul' },
		];
		const withoutTime = (row: IDataObject) => ({ ...row, company_checkedAt: 'now' });
		const together = (await enrich(rows)).map(withoutTime);
		for (const [index, row] of rows.entries()) {
			expect((await enrich([row])).map(withoutTime)).toEqual([together[index]]);
		}
	});
});

describe('a row with an IDNO', () => {
	const options = { nameAsFallback: true };

	it.each(['exact', 'strong', 'likely'])(
		'never gets another company because its name contradicts it, at %s',
		async (minScore) => {
			const rows = [{ idno: FIRST, company: VALMORA.name }];
			const [row] = await enrich(rows, { minScore, options });
			expect(row!.company_idno).toBe(minScore === 'exact' ? null : FIRST);
			expect(row!.reason).toMatch(/Vălmora/);
		},
	);

	it.each([
		['invalid', `${FIRST.slice(0, -1)}x`, /^Found by its name\. An IDNO contains only digits/],
		['unknown', UNKNOWN, /^Found by its name\. No company has the IDNO/],
	])('that is %s is found by its name if asked to, and the reason says so', async (...row) => {
		const [, idno, reason] = row;
		const rows = [{ idno, company: 'Vălmora' }];
		const found = { matchStatus: 'found', company_idno: SECOND, matchQuality: 'strong' };
		expect(await enrich(rows, { options })).toMatchObject([
			{ ...found, reason: expect.stringMatching(reason) as string },
		]);
		expect(await enrich(rows)).toMatchObject([{ matchStatus: 'notFound' }]);
		const [exact] = await enrich(rows, { minScore: 'exact', options });
		expect(exact).toMatchObject({ matchStatus: 'notFound', company_idno: null });
	});

	it.each([`MD${FIRST}`, `IDNO: ${FIRST}`, `'${FIRST}`, ` ${FIRST}.0`])(
		'is read from a cell with "%s"',
		async (idno) => {
			const [row] = await enrich([{ idno }]);
			expect(row).toMatchObject({ matchStatus: 'found', company_idno: FIRST });
		},
	);

	it('is invalid if a cell has two', async () => {
		const [row] = await enrich([{ idno: `${FIRST} / ${SECOND}` }]);
		expect(row).toMatchObject({ matchStatus: 'notFound', company_idno: null });
	});
});

describe('companies that a person has rejected for a row', () => {
	const namesake = { idno: THIRD, name: 'Zefirul SRL', status: 'active', city: 'Bălți' };
	const companies = [ZEFIRUL, namesake];

	it.each<[string, unknown]>([
		['text', FIRST],
		['grouped text', `${FIRST.slice(0, 4)} ${FIRST.slice(4)}`],
		['a line of alternatives', `Zefirul SRL, Orhei, ${FIRST}\n`],
		['a list', [FIRST, SECOND]],
		['records', [{ idno: FIRST }]],
		['a number', Number(FIRST)],
	])('are neither found nor listed, given as %s', async (_form, rejected) => {
		const rows = [{ company: 'Zefirul', rejected }, { company: 'Zefirul' }];
		const options = { excludedIdnos: '={{ $json.rejected }}' };
		const [row, other] = await enrich(rows as IDataObject[], { options }, companies);
		expect(row).toMatchObject({ matchStatus: 'found', company_idno: THIRD, alternatives: [] });
		expect(other).toMatchObject({ matchStatus: 'ambiguous' });
	});

	it('are not asked for by IDNO', async () => {
		const parameters = { options: { excludedIdnos: FIRST } };
		const { items, paths } = await enrichAt(registryOf(companies), [{ idno: FIRST }], parameters);
		expect(jsonOf(items)).toMatchObject([
			{ matchStatus: 'notFound', reason: expect.stringContaining('Not These IDNOs') as string },
		]);
		expect(paths).toEqual([]);
	});
});

describe('the fields of a row that options name', () => {
	const comparing = (rowField: string) => ({
		compareWith: { fields: [{ companyField: 'status', rowField }] },
	});

	it.each<[path: string, row: IDataObject, field: string]>([
		["['CRM status']", { 'CRM status': 'active' }, 'CRM status'],
		['crm.status', { crm: { status: 'active' } }, 'crm.status'],
		["custom_fields['x y']", { custom_fields: { 'x y': 'active' } }, "custom_fields['x y']"],
		['rows[0].at', { rows: [{ at: 'active' }] }, 'rows[0].at'],
	])('are read by the path %s, as the editor enters it', async (path, row, field) => {
		const rows = [{ ...row, idno: FIRST }];
		const options = comparing(path);
		expect(await enrich(rows, { options })).toMatchObject([{ company_changed: false }]);
		const changed = [{ ...ZEFIRUL, status: 'suspended' }];
		expect(await enrich(rows, { options }, changed)).toMatchObject([
			{ company_changes: [{ field, from: 'active', to: 'suspended' }] },
		]);
	});

	it('and that no row has are a notice', async () => {
		const options = {
			...comparing('crm_staus'),
			...{ skipRowsCheckedWithin: 3, checkedAtField: 'chekced' },
		};
		const rows = [{ idno: FIRST, crm_status: 'active' }];
		const outcome = await enrichAt(registryOf(ALL), rows, { options });
		expect(texts(outcome)).toContain(
			'No row has the field "crm_staus" (option "Compare With") or "chekced" (option "Checked At Field"). Check the field\'s name.',
		);
	});

	it.each<[string, unknown]>([
		['seconds', Math.floor(Date.now() / 1000)],
		['days of a spreadsheet', Date.now() / 86_400_000 + 25_569],
		['ISO text', new Date().toISOString()],
		['a date of today, wherever it is today', new Date(Date.now() + 7_200_000).toISOString()],
	])('can hold the date of the last check as %s', async (_form, at) => {
		const options = { skipRowsCheckedWithin: 2, checkedAtField: "['Checked at']" };
		const rows = [{ idno: FIRST, 'Checked at': at }] as IDataObject[];
		expect(await enrich(rows, { options })).toMatchObject([{ matchStatus: 'notChecked' }]);
	});
});

describe('the selected fields of a company', () => {
	const credit = { scoring: { rating: 'B', score: 71, model: 'v2' } };

	it('include those of its recommendation, by their paths', async () => {
		const companies = [{ ...ZEFIRUL, ...credit }];
		const parameters = {
			...{ addCredit: true, output: 'fields', fields: ['name', 'score'] },
			otherFields: 'scoring.rating, scoring.model',
		};
		const respond: Respond = (request) =>
			request.path.includes('/credit/')
				? { success: true, idno: FIRST, ...credit }
				: registryOf([ZEFIRUL])(request);
		const outcome = await enrichAt(respond, [{ idno: FIRST }, { idno: UNKNOWN }], parameters);
		const selected = {
			company_scoring_rating: 'B',
			company_scoring_model: 'v2',
			company_score: 71,
		};
		expect(recordsOf(outcome)).toMatchObject([selected, { company_scoring_rating: null }]);
		expect(texts(outcome).join()).not.toContain('No item has a value');
		expect(await enrich([{ idno: FIRST }], parameters, companies)).toMatchObject([selected]);
	});
});

describe('a company whose fields have other shapes', () => {
	it.each<[string, IDataObject]>([
		['in camel case', { idno: FIRST, name: 'Zefirul', legalForm: 'SA', City: 'Orhei' }],
		['in groups', { idno: FIRST, name: 'Zefirul', registry: { legal_form: 'SA', city: 'Orhei' } }],
	])('contradicts its row as documented fields do, %s', async (_shape, company) => {
		const rows = [
			{ company: 'Zefirul', city: 'Cahul' },
			{ company: 'Zefirul', 'legal form': 'SRL' },
			{ company: 'Zefirul', city: 'Orhei', 'legal form': 'SA' },
		];
		const outcome = await enrich(rows, { minScore: 'exact' }, [company]);
		expect(outcome.map(({ matchStatus }) => matchStatus)).toEqual([
			'notFound',
			'notFound',
			'found',
		]);
		expect(outcome[2]).toMatchObject({ company_legal_form: 'SA', company_city: 'Orhei' });
	});
});

describe('a company whose recommendation cannot be read', () => {
	const outOfQuota = {
		status: 429,
		headers: { 'x-ratelimit-remaining': 0, 'retry-after': 40_000 },
		body: { message: 'Daily quota exceeded' },
	};

	it.each<[string, object, RegExp]>([
		['the quota has ended', outOfQuota, /recommendation couldn't be read: .*quota/i],
		['the service fails', { status: 403, body: { success: false, message: 'Upgrade' } }, /Upgrade/],
	])('stays in its row, which the next run completes, where %s', async (_why, failure, reason) => {
		const respond: Respond = (request) =>
			request.path.includes('/credit/') ? failure : registryOf(ALL)(request);
		const parameters = { addCredit: true, options: { onRateLimit: 'fail' } };
		const rows = [{ idno: FIRST, company_rating: 'B', company_checkedAt: '2020-01-01' }];
		const { items, error } = await enrichAt(respond, rows, parameters, continuing);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([
			{
				...{ matchStatus: 'notChecked', reason: expect.stringMatching(reason) as string },
				...{ company_name: ZEFIRUL.name, company_status: 'active' },
				// As the row had them.
				...{ company_rating: 'B', company_checkedAt: '2020-01-01' },
			},
		]);
		expect((await enrichAt(respond, rows, parameters)).error).toBeDefined();
	});
});

it('a row whose input is wrong stops the run before anything is sent', async () => {
	const rows = [...Array.from({ length: 30 }, () => ({ n: 'Zefirul' })), { n: { id: 1 } }];
	const parameters = { columns: 'choose', companyName: '={{ $json.n }}' };
	const { error, paths } = await enrichAt(registryOf(ALL), rows, parameters);
	expect(error?.message).toContain('The parameter "Name" must be text');
	expect(paths).toEqual([]);
});

describe('the notices at the end of a run', () => {
	const namesakes = [ZEFIRUL, { ...ZEFIRUL, idno: THIRD, city: 'Bălți' }, VALMORA];

	it('count the rows, and advise where there is something to do', async () => {
		const rows = [
			{ company: 'Zefirul' },
			{ company: 'Valmora' },
			{ company: '' },
			{ company: 'X' },
		];
		const outcome = await enrichAt(registryOf(namesakes), rows);
		expect(texts(outcome)).toEqual([
			expect.stringMatching(
				/^4 rows: 1 found, 1 ambiguous, 2 not found\. 1 company, \d requests sent\./,
			),
			'1 of 4 rows had neither an IDNO nor a name.',
		]);
	});

	it.each([
		['auto', 'Set "Columns" to Choose and map your IDNO or name column.'],
		['choose', 'Map your IDNO column to "IDNO" or the name column to "Name".'],
	])('say how to map columns only where no row has one (%s)', async (columns, advice) => {
		const parameters = {
			columns,
			...(columns === 'choose' && { companyName: '={{ $json.nume }}' }),
		};
		const outcome = await enrichAt(registryOf(ALL), [{ x: 1 }, { x: 2 }], parameters);
		expect(texts(outcome)).toContain(`2 of 2 rows had neither an IDNO nor a name. ${advice}`);
	});

	it('say which rows were left out', async () => {
		const rows = [
			{ idno: FIRST, crm: 'active' },
			{ company: 'Zefirul', crm: 'active' },
			{ idno: SECOND, crm: 'closed' },
			{ idno: UNKNOWN, crm: '' },
		];
		const options = {
			compareWith: { fields: [{ companyField: 'status', rowField: 'crm' }] },
			onlyChangedRows: true,
		};
		const outcome = await enrichAt(registryOf(namesakes), rows, { options });
		expect(outcome.items).toHaveLength(1);
		expect(texts(outcome)[0]).toContain('3 rows left out: 1 unchanged, 1 ambiguous, 1 not found.');
	});
});
