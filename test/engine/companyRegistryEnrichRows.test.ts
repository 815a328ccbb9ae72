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

describe('Enrich: automatic columns', () => {
	it('finds columns without mapping, and says in a notice which ones it used', async () => {
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

	it('ignores columns that an earlier run added', async () => {
		const [first] = await enrich([{ Denumirea: 'Zefirul' }]);
		const again = { ...first!, Denumirea: 'Vălmora', company_idno: FIRST };
		expect(await enrich([again])).toMatchObject([{ company_idno: SECOND }]);
	});

	it('chooses the columns of each row independently of other rows', async () => {
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

describe('Enrich: rows with an IDNO', () => {
	const options = { nameAsFallback: true };

	it.each(['exact', 'strong', 'likely'])(
		'never picks another company if name and IDNO contradict each other, with the minimum "%s"',
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
	])(
		'finds a row with an %s IDNO by its name if the option is on, and says so in the reason',
		async (...row) => {
			const [, idno, reason] = row;
			const rows = [{ idno, company: 'Vălmora' }];
			const found = { matchStatus: 'found', company_idno: SECOND, matchQuality: 'strong' };
			expect(await enrich(rows, { options })).toMatchObject([
				{ ...found, reason: expect.stringMatching(reason) as string },
			]);
			expect(await enrich(rows)).toMatchObject([{ matchStatus: 'notFound' }]);
			const [exact] = await enrich(rows, { minScore: 'exact', options });
			expect(exact).toMatchObject({ matchStatus: 'notFound', company_idno: null });
		},
	);

	it.each([`MD${FIRST}`, `IDNO: ${FIRST}`, `'${FIRST}`, ` ${FIRST}.0`])(
		'reads the IDNO from a cell with "%s"',
		async (idno) => {
			const [row] = await enrich([{ idno }]);
			expect(row).toMatchObject({ matchStatus: 'found', company_idno: FIRST });
		},
	);

	it.each([
		...[
			'-',
			'—',
			'N/A',
			'#N/A',
			'#REF!',
			'None',
			'null',
			'нет',
			'Н/Д',
			'(не указано)',
			'necunoscut',
		],
		...['Итого:', 'TOTAL GENERAL', '0'],
	])('treats a cell with "%s" as empty', async (cell) => {
		const columns = { idno: cell, company: cell, city: cell };
		const { paths, ...outcome } = await enrichAt(registryOf(ALL), [columns]);
		expect(recordsOf(outcome)).toMatchObject([
			{ matchStatus: 'notFound', reason: 'The row has neither an IDNO nor a name.' },
		]);
		expect(paths).toEqual([]);
		const [named] = await enrich([{ ...columns, company: 'Zefirul SRL' }]);
		expect(named).toMatchObject({ matchStatus: 'found', matchQuality: 'exact' });
	});

	it.each(['Test', 'Total', 'Nona', 'Nulla SRL', 'None SRL', '#Unic'])(
		'treats "%s" as a name',
		async (name) => {
			const [row] = await enrich([{ company: name }], {}, [
				{ ...ZEFIRUL, name: name.replace('#', '') },
			]);
			expect(row).toMatchObject({ matchStatus: 'found' });
		},
	);

	it('doesn’t find a company for a cell with two IDNOs', async () => {
		const [row] = await enrich([{ idno: `${FIRST} / ${SECOND}` }]);
		expect(row).toMatchObject({ matchStatus: 'notFound', company_idno: null });
	});
});

describe('Enrich: Not These IDNOs', () => {
	const namesake = { idno: THIRD, name: 'Zefirul SRL', status: 'active', city: 'Bălți' };
	const companies = [ZEFIRUL, namesake];

	it.each<[string, unknown]>([
		['text', FIRST],
		['grouped text', `${FIRST.slice(0, 4)} ${FIRST.slice(4)}`],
		['a line of alternatives', `Zefirul SRL, Orhei, ${FIRST}\n`],
		['a list', [FIRST, SECOND]],
		['records', [{ idno: FIRST }]],
		['a number', Number(FIRST)],
	])('leaves out the excluded companies if the option contains %s', async (_form, rejected) => {
		const rows = [{ company: 'Zefirul', rejected }, { company: 'Zefirul' }];
		const options = { excludedIdnos: '={{ $json.rejected }}' };
		const [row, other] = await enrich(rows as IDataObject[], { options }, companies);
		expect(row).toMatchObject({ matchStatus: 'found', company_idno: THIRD, alternatives: [] });
		expect(other).toMatchObject({ matchStatus: 'ambiguous' });
	});

	it('sends no request for a row whose IDNO is excluded', async () => {
		const parameters = { options: { excludedIdnos: FIRST } };
		const { items, paths } = await enrichAt(registryOf(companies), [{ idno: FIRST }], parameters);
		expect(jsonOf(items)).toMatchObject([
			{ matchStatus: 'notFound', reason: expect.stringContaining('Not These IDNOs') as string },
		]);
		expect(paths).toEqual([]);
	});
});

describe('Enrich: row fields named in options', () => {
	const comparing = (rowField: string) => ({
		compareWith: { fields: [{ companyField: 'status', rowField }] },
	});

	it.each<[path: string, row: IDataObject, field: string]>([
		["['CRM status']", { 'CRM status': 'active' }, 'CRM status'],
		['crm.status', { crm: { status: 'active' } }, 'crm.status'],
		["custom_fields['x y']", { custom_fields: { 'x y': 'active' } }, "custom_fields['x y']"],
		['rows[0].at', { rows: [{ at: 'active' }] }, 'rows[0].at'],
	])('reads a row’s field by the path %s, as the editor enters it', async (path, row, field) => {
		const rows = [{ ...row, idno: FIRST }];
		const options = comparing(path);
		expect(await enrich(rows, { options })).toMatchObject([{ company_changed: false }]);
		const changed = [{ ...ZEFIRUL, status: 'suspended' }];
		expect(await enrich(rows, { options }, changed)).toMatchObject([
			{ company_changes: [{ field, from: 'active', to: 'suspended' }] },
		]);
	});

	it('says in a notice which fields named in options no row has', async () => {
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
		['seconds since 1970', Math.floor(Date.now() / 1000)],
		['a spreadsheet’s day number', Date.now() / 86_400_000 + 25_569],
		['ISO text', new Date().toISOString()],
		['ISO text two hours in the future', new Date(Date.now() + 7_200_000).toISOString()],
	])('reads the time of the last check from %s', async (_form, at) => {
		const options = { skipRowsCheckedWithin: 2, checkedAtField: "['Checked at']" };
		const rows = [{ idno: FIRST, 'Checked at': at }] as IDataObject[];
		expect(await enrich(rows, { options })).toMatchObject([{ matchStatus: 'notChecked' }]);
	});
});

describe('Enrich: selected fields', () => {
	const credit = { scoring: { rating: 'B', score: 71, model: 'v2' } };

	it('selects fields of the credit recommendation by their paths', async () => {
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

describe('Enrich: undocumented field names', () => {
	it.each<[string, IDataObject]>([
		['in camel case', { idno: FIRST, name: 'Zefirul', legalForm: 'SA', City: 'Orhei' }],
		['in groups', { idno: FIRST, name: 'Zefirul', registry: { legal_form: 'SA', city: 'Orhei' } }],
	])(
		'compares the row with a company whose city and legal form are %s',
		async (_shape, company) => {
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
		},
	);
});

describe('Enrich: unreadable credit recommendation', () => {
	const outOfQuota = {
		status: 429,
		headers: { 'x-ratelimit-remaining': 0, 'retry-after': 40_000 },
		body: { message: 'Daily quota exceeded' },
	};

	it.each<[string, object, RegExp]>([
		['the quota is used up', outOfQuota, /recommendation couldn't be read: .*quota/i],
		[
			'the service asks for a long wait although requests are left',
			{ ...outOfQuota, headers: { ...outOfQuota.headers, 'x-ratelimit-remaining': 7 } },
			/recommendation couldn't be read/,
		],
		[
			'the service rejects the request',
			{ status: 403, body: { success: false, message: 'Upgrade' } },
			/Upgrade/,
		],
	])(
		'keeps the company and leaves the recommendation to the next run if %s',
		async (_why, failure, reason) => {
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
					// Unchanged from the input row.
					...{ company_rating: 'B', company_checkedAt: '2020-01-01' },
				},
			]);
			expect((await enrichAt(respond, rows, parameters)).error).toBeDefined();
		},
	);
});

it('Enrich stops the run before sending anything if the input of any row is wrong', async () => {
	const rows = [...Array.from({ length: 30 }, () => ({ n: 'Zefirul' })), { n: { id: 1 } }];
	const parameters = { columns: 'choose', companyName: '={{ $json.n }}' };
	const { error, paths } = await enrichAt(registryOf(ALL), rows, parameters);
	expect(error?.message).toContain('The parameter "Name" must be text');
	expect(paths).toEqual([]);
});

describe('Enrich: notices', () => {
	const namesakes = [ZEFIRUL, { ...ZEFIRUL, idno: THIRD, city: 'Bălți' }, VALMORA];

	it('counts the rows in a notice, and says what to do about ambiguous and empty ones', async () => {
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
	])(
		'says how to map columns if no row has an IDNO or a name (Columns: %s)',
		async (columns, advice) => {
			const parameters = {
				columns,
				...(columns === 'choose' && { companyName: '={{ $json.nume }}' }),
			};
			const outcome = await enrichAt(registryOf(ALL), [{ x: 1 }, { x: 2 }], parameters);
			expect(texts(outcome)).toContain(`2 of 2 rows had neither an IDNO nor a name. ${advice}`);
		},
	);

	it('says how many rows were left out and why', async () => {
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
