import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { fold } from '../../nodes/CompanyRegistry/names/words';
import type { Company } from '../../sandbox';
import type { Respond } from '../fakeService';
import {
	continuing,
	hintsOf,
	itemsOf,
	pairedWith,
	recordsOf,
	registryAt,
	registryBench,
	registryOf,
	VARIANTS,
	withCheckDigit,
} from './support';
import { jsonOf } from './harness';
import type { NodeOutcome, NodeRun } from './harness';

/** Parameters of Enrich, with *Match Details* on. */
const enrich = ({ options = {}, ...more }: INodeParameters = {}): INodeParameters => ({
	resource: 'company',
	operation: 'enrich',
	...more,
	options: { matchDetails: true, ...(options as INodeParameters) },
});

/** The rows, with their match details as columns. */
const detailed = (rows: IDataObject[]) =>
	rows.map(({ matchDetails, ...row }) => ({ ...row, ...(matchDetails as IDataObject) }));

const FIRST_COLUMNS = ['matchStatus', 'reason', 'company_idno', 'company_name', 'company_status'];
const LAST_COLUMNS = [
	...['legal_form', 'city', 'region', 'caen_code', 'caen_description', 'checkedAt'].map(
		(name) => `company_${name}`,
	),
	...['matchQuality', 'alternatives', 'matchDetails'],
];

/** The company's columns in the output, with the default prefix. */
const fieldsOf = (company: Readonly<Company>) => ({
	company_idno: company.idno,
	company_name: company.name,
	company_legal_form: company.legalForm,
	company_status: company.status,
	company_city: company.city,
	company_region: company.region,
	company_caen_code: company.caenCode,
	company_caen_description: company.caenDescription,
});

const unknownIdno = withCheckDigit('199999999999');

/** The option "Compare With" for these pairs of fields. */
const comparing = (...pairs: Array<[companyField: string, rowField: string]>) => ({
	compareWith: { fields: pairs.map(([companyField, rowField]) => ({ companyField, rowField })) },
});

/** Enriches rows from a service with these responses. */
async function enrichBy(
	respond: Respond,
	rows: IDataObject[],
	parameters: INodeParameters = {},
	more: Partial<NodeRun> = {},
): Promise<NodeOutcome> {
	const { run } = await registryAt(respond);
	return await run(enrich(parameters), { items: itemsOf(...rows), ...more });
}

/** Enriches rows from a registry with these companies. */
async function enrichFrom(
	companies: IDataObject[],
	rows: IDataObject[],
	parameters: INodeParameters = {},
): Promise<IDataObject[]> {
	return detailed(recordsOf(await enrichBy(registryOf(companies), rows, parameters)));
}

const zefirul = (number: number, name: string, more: IDataObject = {}) => ({
	idno: withCheckDigit(String(100_000_000_000 + number)),
	name,
	status: 'active',
	...more,
});

describe('Enrich', () => {
	it.each(VARIANTS)(
		'finds the company by IDNO or name and adds its columns, without mapping (%s API)',
		async (variant) => {
			const { run, companies, registry } = await registryBench(variant);
			const [one, other] = [companies[5]!, companies[9]!];
			const { items, error } = await run(enrich(), {
				items: itemsOf(
					{ id: 1, idno: one.idno },
					{ id: 2, company: fold(other.name), name: 'Ion Rotaru' },
					{ id: 3, Denumire: other.idno },
				),
			});
			expect(error).toBeUndefined();
			const found = {
				...{
					matchStatus: 'found',
					found: true,
					matchScore: 1,
					matchQuality: 'exact',
					reason: null,
				},
				...{ ambiguous: false, differences: [], alternatives: expect.any(Array) as unknown },
				candidates: expect.any(Number) as unknown,
				company_checkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
				source: registry.requests[0]?.path,
			};
			const name = 'Ion Rotaru';
			expect(detailed(jsonOf(items))).toEqual([
				{ id: 1, idno: one.idno, ...found, matchedBy: 'idno', ...fieldsOf(one) },
				{ id: 2, company: fold(other.name), name, ...found, matchedBy: 'name', ...fieldsOf(other) },
				{ id: 3, Denumire: other.idno, ...found, matchedBy: 'idno', ...fieldsOf(other) },
			]);
			expect(detailed(jsonOf(items))[0]).toMatchObject({ candidates: 1 });
			expect(pairedWith(items)).toEqual([0, 1, 2]);
		},
	);

	it('returns a row that isn’t found with a reason and the same columns as a row that is', async () => {
		const { run, requests, companies } = await registryBench('v1');
		const { items, error } = await run(enrich(), {
			items: itemsOf(
				{ idno: companies[4]!.idno },
				{ idno: unknownIdno },
				{ idno: '1003600015232' },
				{ name: 'Nimeni Nicăieri SRL' },
				{ name: '„”' },
				{ idno: '', name: null },
				{},
			),
		});
		expect(error).toBeUndefined();
		const missed = detailed(jsonOf(items)).slice(1);
		expect(missed.map(({ reason }) => reason)).toEqual([
			`No company has the IDNO ${unknownIdno}.`,
			'The last digit is 2, but the check digit should be 1.',
			'The search returned no companies for this name.',
			'The row has neither an IDNO nor a name.',
			'The row has neither an IDNO nor a name.',
			'The row has neither an IDNO nor a name.',
		]);
		for (const row of missed) {
			expect(row).toMatchObject({
				...{ matchStatus: 'notFound', found: false, matchedBy: null, matchQuality: 'none' },
				...{ matchScore: 0, company_name: null, company_status: null },
			});
		}
		const columns = jsonOf(items).map((row) =>
			Object.keys(row).filter((name) => !/^(idno|name)$/.test(name)),
		);
		expect(new Set(columns.map((each) => each.join()))).toEqual(
			new Set([[...FIRST_COLUMNS, ...LAST_COLUMNS].join()]),
		);
		expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4, 5, 6]);
		expect(requests).toHaveLength(4);
	});

	it.each([
		['unversioned', 2, { found: true, candidates: 80 }],
		['v1', 1, { found: false, reason: expect.stringContaining('more results than the node read') }],
	] as const)(
		'reads further pages for a name that many other names contain, if the %s API has pages',
		async (...row) => {
			const [variant, pages, expected] = row;
			const { run, registry, requests } = await registryBench(variant);
			for (let index = 0; index < 79; index++) {
				registry.state.add(zefirul(index, `Zefirul ${index} SRL`));
			}
			registry.state.add(zefirul(200, 'Zefirul SRL'));
			const { items } = await run(enrich(), {
				items: itemsOf({ name: 'Zefirul' }),
			});
			expect(detailed(jsonOf(items))).toMatchObject([expected]);
			expect(requests.filter(({ query }) => query.q === 'zefirul')).toHaveLength(pages);
		},
	);

	it.each([
		[false, { found: false }],
		[true, { found: true, matchedBy: 'name' }],
	])(
		'falls back to the name of a row with a wrong IDNO only if the option is on (%s)',
		async (...row) => {
			const [nameAsFallback, expected] = row;
			const { run, companies } = await registryBench('v1');
			const { name } = companies[4]!;
			const { items } = await run(enrich({ options: { nameAsFallback } }), {
				items: itemsOf({ idno: '1003600015232', name }, { idno: unknownIdno, name }),
			});
			expect(detailed(jsonOf(items))).toMatchObject([expected, expected]);
		},
	);

	it('sends one search and one credit request for all rows with the same name', async () => {
		const { run, sandbox, requests } = await registryBench('v1');
		const { idno } = sandbox.registry.v1.state.add(zefirul(1, 'Șoimul Țării SRL'));
		const names = ['Șoimul Țării', 'ȘOIMUL ȚĂRII', 'Şoimul Ţării'];
		const { items } = await run(enrich({ addCredit: true }), {
			items: itemsOf(...names.map((name) => ({ name }))),
		});
		expect(jsonOf(items).map((row) => row.company_idno)).toEqual(names.map(() => idno));
		const paths = ['/api/v1/search', `/api/v1/credit/${idno}`];
		expect(requests.map(({ path }) => path)).toEqual(paths);
	});
});

describe('Enrich: matching', () => {
	it('lists the most similar companies for a row that isn’t found', async () => {
		const [one, other] = [
			zefirul(1, 'Zefirul Unu SRL', { legal_form: 'SRL', city: 'Orhei', region: 'Orhei' }),
			zefirul(2, 'Zefirul Mare Trei SRL', { status: 'suspended', address: 'str. Morii 3' }),
		];
		const [row] = await enrichFrom([one, other], [{ name: 'Zefirul Doi' }]);
		expect(row).toMatchObject({
			matchStatus: 'notFound',
			candidates: 2,
			matchScore: 0.295,
			reason:
				'No name is similar enough. The closest is Zefirul Unu SRL. "Doi" in the row doesn\'t match "Unu" in the registry.',
			differences: ['words'],
		});
		expect(row!.alternatives).toEqual([
			`Zefirul Unu SRL, Orhei, ${one.idno}`,
			`Zefirul Mare Trei SRL, str. Morii 3, suspended, ${other.idno}`,
		]);
	});

	it('marks a row as ambiguous if several companies match, unless its location decides', async () => {
		const all = [
			zefirul(1, 'Zefirul SRL', { city: 'Cahul' }),
			zefirul(2, '„Zefirul” S.R.L.', { city: 'Bălți', status: 'suspended' }),
		];
		const rows = [{ name: 'zefirul' }, { name: 'zefirul', city: 'mun. Balti, str. Livezilor 3' }];
		const [both, second] = await enrichFrom(all, rows);
		expect(both).toMatchObject({
			...{ matchStatus: 'ambiguous', ambiguous: true, found: false, matchQuality: 'none' },
			...{ company_idno: null, reason: expect.stringMatching(/^2 companies match equally well\./) },
		});
		expect(both!.matchScore).toBeLessThan(0.6);
		expect(both!.alternatives).toHaveLength(2);
		expect(second).toMatchObject({ matchStatus: 'found', company_idno: all[1]!.idno });
	});

	it.each<[row: IDataObject, minimum: string, quality: string, differences: string[]]>([
		[{ name: 'rusu ion', form: 'Î.I.', city: 'Florești' }, 'exact', 'exact', []],
		[{ name: 'Rusu Ion', city: 'Cahul' }, 'likely', 'likely', ['city']],
		[{ name: 'Rusu Ion', form: 'GȚ', city: 'Cahul' }, 'likely', 'none', ['city', 'legalForm']],
		[{ name: 'Rusu Ion II (client)' }, 'strong', 'strong', ['ignoredText']],
	])(
		'rates the row %j with the minimum "%s" as "%s"',
		async (row, minScore, quality, differences) => {
			const company = zefirul(1, 'Î.I. „RUSU ION”', { legal_form: 'Î.I.', city: 'Florești' });
			const [result] = await enrichFrom([company], [row], { minScore });
			expect(result).toMatchObject({
				...{ matchQuality: quality, differences, found: quality !== 'none' },
				reason: quality === 'exact' ? null : (expect.any(String) as unknown),
			});
		},
	);

	it('ignores other companies in the results of a search by IDNO', async () => {
		const [other, meant] = [zefirul(1, 'Vălmora SRL'), zefirul(2, 'Zefirul SRL')];
		const rows = [{ idno: meant.idno }, { idno: unknownIdno }];
		const { items } = await enrichBy(() => ({ success: true, data: [other, meant] }), rows);
		expect(detailed(jsonOf(items))).toMatchObject([
			{ company_name: 'Zefirul SRL', candidates: 1 },
			{ matchStatus: 'notFound' },
		]);
	});

	it('picks the head office rather than a branch with the same IDNO', async () => {
		const company = zefirul(1, 'Zefirul SRL');
		const branch = { ...company, name: 'Zefirul SRL, filiala Cahul', status: 'dissolved' };
		const rows = [{ idno: company.idno }, { name: 'Zefirul SRL' }];
		for (const all of [
			[company, branch],
			[branch, company],
		]) {
			const found = { company_name: company.name, company_status: 'active', matchQuality: 'exact' };
			expect(await enrichFrom(all, rows)).toMatchObject([found, found]);
		}
	});

	it('treats two spellings with the same IDNO as one company', async () => {
		const company = zefirul(1, 'Zefirul SRL');
		const all = [company, { ...company, name: 'ZEFIRUL S.R.L.' }];
		expect(await enrichFrom(all, [{ name: 'zefirul' }])).toMatchObject([
			{ matchStatus: 'found', company_idno: company.idno },
		]);
	});

	it('warns that there may be another company if a full page comes without a total', async () => {
		const others = Array.from({ length: 49 }, (_, index) => zefirul(index + 2, `Zefirul ${index}`));
		const data = [...others, zefirul(1, 'Zefirul SRL')];
		const { run } = await registryAt(() => ({ success: true, data }), 'v1');
		const rows = recordsOf(await run(enrich(), { items: itemsOf({ name: 'Zefirul' }) }));
		expect(rows).toMatchObject([
			{ matchStatus: 'found', reason: expect.stringContaining('may be another company') as string },
		]);
	});

	it('accepts columns whose values are lists with one entry or none', async () => {
		const company = zefirul(1, 'Zefirul SRL');
		const rows = [{ idno: [company.idno] }, { idno: [], name: ['Zefirul SRL'] }];
		const found = { company_idno: company.idno, matchQuality: 'exact' };
		expect(await enrichFrom([company], rows)).toMatchObject([found, found]);
	});

	it.each(['office@zefirul.md', 'https://zefirul.md/contact'])(
		'doesn’t find a company by the address %s alone',
		async (name) => {
			const rows = await enrichFrom([zefirul(1, 'Zefirul SRL')], [{ name }]);
			expect(rows).toMatchObject([{ matchStatus: 'notFound' }]);
		},
	);

	it('uses an IDNO in the name column, and rates the match as strong if the name differs', async () => {
		const [company, namesake] = [zefirul(1, 'Zefirul SRL'), zefirul(2, 'Vălmora SRL')];
		const rows = ['IDNO ', 'Zefirul SRL, c/f ', 'Vălmora SRL '].map((text) => ({
			name: text + company.idno,
		}));
		const found = { company_idno: company.idno, matchedBy: 'idno' };
		expect(await enrichFrom([company, namesake], rows)).toMatchObject([
			{ ...found, matchQuality: 'exact' },
			{ ...found, matchQuality: 'exact' },
			{ ...found, matchQuality: 'strong', differences: ['words'] },
		]);
	});

	it('finds a company whose name the registry sends with HTML entities', async () => {
		const company = zefirul(1, '&quot;Zefirul &amp; Co&quot; SRL');
		const rows = await enrichFrom([company], [{ idno: company.idno, name: 'Zefirul & Co SRL' }]);
		expect(rows).toMatchObject([{ matchQuality: 'exact' }]);
	});

	it('keeps a row’s company if the request for its credit recommendation is rejected', async () => {
		const company = zefirul(1, 'Zefirul SRL');
		const { run } = await registryAt((request) => {
			const rejection = { success: false, message: 'No credit data for this company' };
			return request.path.includes('/credit/')
				? { status: 422, body: rejection }
				: registryOf([company])(request);
		}, 'v1');
		const parameters = { ...enrich(), addCredit: true };
		const rows = recordsOf(await run(parameters, { items: itemsOf({ idno: company.idno }) }));
		expect(rows).toMatchObject([{ matchStatus: 'found', company_rating: null }]);
	});

	it.each(['-', 'n/a', '0'])(
		'finds a company by name if the IDNO column contains "%s"',
		async (idno) => {
			const company = zefirul(1, 'Zefirul SRL');
			expect(await enrichFrom([company], [{ idno, name: 'Zefirul' }])).toMatchObject([
				{ found: true, matchedBy: 'name' },
			]);
		},
	);

	it('rates a match by IDNO as strong if the row’s name or city differs', async () => {
		const company = zefirul(1, 'Zefirul SRL', { city: 'Orhei' });
		const rows = [
			{ idno: company.idno, name: 'Zefirul', city: 'or. Orhei' },
			{ idno: company.idno, name: 'Vălmora' },
			{ idno: company.idno, city: 'Cahul' },
		];
		expect(await enrichFrom([company], rows)).toMatchObject([
			{ matchQuality: 'exact', matchScore: 1, reason: null },
			{ matchQuality: 'strong', differences: ['words'], found: true },
			{ matchQuality: 'strong', differences: ['city'], found: true },
		]);
		expect(await enrichFrom([company], rows, { minScore: 'exact' })).toMatchObject([
			{ found: true },
			{ matchStatus: 'notFound', matchScore: 0.59 },
			{ matchStatus: 'notFound' },
		]);
	});

	it('ignores results without a name, and treats companies without an IDNO as different ones', async () => {
		const all = [
			{ idno: zefirul(1, '').idno, name: null },
			{ name: 'Zefirul' },
			{ name: 'Zefirul' },
			{},
		];
		const rows = [{ name: 'Zefirul' }];
		const { items } = await enrichBy(() => ({ success: true, data: all }), rows);
		expect(detailed(jsonOf(items))).toMatchObject([{ matchStatus: 'ambiguous', candidates: 4 }]);
	});
});

describe('Enrich: columns of the row', () => {
	it('keeps a row’s columns that are named like results, unless the option replaces them', async () => {
		const company = zefirul(1, 'Zefirul SRL');
		const row = { idno: company.idno, matchQuality: 'good', reason: 'call back', matchStatus: 3 };
		const added = { matchQuality: 'exact', reason: null, matchStatus: 'found' };
		const [kept] = await enrichFrom([company], [row]);
		expect(kept).toMatchObject({
			...row,
			company_matchQuality: 'exact',
			company_reason: null,
			company_matchStatus: 'found',
		});
		const [replaced] = await enrichFrom([company], [row], {
			options: { replaceInputFields: true },
		});
		expect(replaced).toMatchObject(added);
	});

	it('keeps a row’s columns if the prefix is empty, unless the option replaces them', async () => {
		const company = zefirul(1, 'Zefirul SRL', { city: 'Orhei' });
		const row = { idno: company.idno, name: 'zefirul', status: 'lead', reason: 'mine' };
		const [kept] = await enrichFrom([company], [row], { options: { prefix: '' } });
		const added = { idno: company.idno, name: company.name, status: 'active', reason: null };
		expect(kept).toMatchObject({
			...{ ...row, city: 'Orhei', company_reason: null },
			...{ company_name: company.name, company_status: 'active' },
		});
		const options = { prefix: '', replaceInputFields: true };
		expect(await enrichFrom([company], [row], { options })).toMatchObject([added]);
	});

	it('leaves out the row’s columns and the prefix if the options say so', async () => {
		const company = zefirul(1, 'Zefirul SRL');
		const [row] = await enrichFrom([company], [{ id: 7, idno: company.idno }], {
			options: { includeInputFields: 'false', prefix: '', matchDetails: false },
		});
		const columns = [...FIRST_COLUMNS, ...LAST_COLUMNS].slice(0, -1);
		expect(Object.keys(row!)).toEqual(columns.map((name) => name.replace('company_', '')));
	});

	it('puts a row’s columns after the match and before the remaining company columns', async () => {
		const company = zefirul(1, 'Zefirul SRL');
		const row = { id: 7, idno: company.idno, company_name: 'Old Name', note: 'x' };
		const rows = recordsOf(await enrichBy(registryOf([company]), [row]));
		expect(Object.keys(rows[0]!)).toEqual([
			...FIRST_COLUMNS,
			...['id', 'idno', 'note'],
			...LAST_COLUMNS,
		]);
	});

	it('keeps the columns of a row without a company if the prefix is empty', async () => {
		const row = { name: 'Nobody', status: 'lead' };
		expect(await enrichFrom([], [row], { options: { prefix: '' } })).toMatchObject([row]);
	});

	it.each<[parameters: INodeParameters, message: string]>([
		[{ columns: 'choose' }, 'The parameters "IDNO" and "Name" are both empty'],
		[{ columns: 'choose', companyName: '={{ ({}) }}' }, 'The parameter "Name" must be text'],
		[{ columns: 'guess' }, 'The parameter "Columns" must be one of auto, choose'],
		...['two', '', -0.1, 'none'].map((value): [INodeParameters, string] => [
			{ minScore: `={{ ${JSON.stringify(value)} }}` },
			'"Minimum Match" must be exact, strong or likely',
		]),
		[
			{ options: { requestsPerRow: 0 } },
			'"Max Searches per Name" must be a whole number from 1 to 10',
		],
		[{ options: { onlyChangedRows: true } }, 'needs the option "Compare With"'],
		[
			{ options: { skipRowsCheckedWithin: 'soon' } },
			'"Skip Rows Checked Within" must be a number of days',
		],
		[{ options: comparing(['rating', 'x']) }, 'a field of the credit recommendation'],
		[{ options: comparing(['status', '']) }, 'has an empty field'],
	])('Enrich rejects the parameters %j', async (parameters, message) => {
		await expect(enrichFrom([], [{ name: 'x' }], parameters)).rejects.toThrow(message);
	});
});

describe('Enrich: nightly runs', () => {
	const all = [
		zefirul(1, 'Zefirul SRL', { status: 'suspended', caen_code: 111 }),
		zefirul(2, 'Vălmora SRL', { caen_code: 222 }),
	];
	const rows = [
		{ idno: all[0]!.idno, crm_status: 'active', code: '0111' },
		{ idno: all[1]!.idno, crm_status: 'active', code: '222' },
		{ idno: unknownIdno, crm_status: 'active', code: '' },
	];
	const compared = comparing(['status', 'crm_status'], ['caen_code', 'code']);

	it('compares companies with their rows, and returns only changed rows if the option is on', async () => {
		const results = await enrichFrom(all, rows, { options: { ...compared, prefix: 'c_' } });
		expect(results.map(({ c_changed, c_changes }) => [c_changed, c_changes])).toEqual([
			[true, [{ field: 'crm_status', from: 'active', to: 'suspended' }]],
			[false, []],
			[null, null],
		]);
		const options = { ...compared, onlyChangedRows: true };
		expect(await enrichFrom(all, rows, { options })).toMatchObject([rows[0]!]);
	});

	it('skips rows that were checked within seven days, and keeps their columns', async () => {
		const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
		const dates = [ago(1), ago(8), '', 'never', ago(-3), '1.1.2020'];
		const checked = dates.map((checked) => ({
			...{ name: 'zefirul', checked, company_name: 'Old Name' },
		}));
		const results = await enrichFrom(all, checked, {
			options: { skipRowsCheckedWithin: 7, checkedAtField: 'checked' },
		});
		expect(results.map(({ matchStatus }) => matchStatus)).toEqual([
			'notChecked',
			...checked.slice(1).map(() => 'found'),
		]);
		expect(results[0]).toMatchObject({
			...{ company_name: 'Old Name', company_checkedAt: null, company_status: null },
			reason: expect.stringMatching(
				/^Checked on .* Rows checked within 7 days are skipped\.$/,
			) as unknown,
		});
	});

	it('reads check dates that start with the day, and warns about values that aren’t dates', async () => {
		const [year, month, day] = new Date().toISOString().slice(0, 10).split('-');
		const dates = [`${day}/${month}/${year}`, `${day}.${month}.${year} 10:00`, 'yesterday'];
		const rows = dates.map((checked) => ({ name: 'zefirul', checked }));
		const options = { skipRowsCheckedWithin: 7, checkedAtField: 'checked' };
		const outcome = await enrichBy(registryOf(all), rows, { options });
		expect(jsonOf(outcome.items).map(({ matchStatus }) => matchStatus)).toEqual([
			...['notChecked', 'notChecked', 'found'],
		]);
		expect(hintsOf(outcome)).toContainEqual(
			expect.objectContaining({
				message: expect.stringContaining(`"checked" aren't valid dates`) as string,
			}),
		);
	});

	it('reads the last check from the column with the chosen prefix', async () => {
		const row = { name: 'zefirul', c_checkedAt: new Date().toISOString() };
		const options = { skipRowsCheckedWithin: 7, prefix: 'c_' };
		expect(await enrichFrom(all, [row], { options })).toMatchObject([
			{ matchStatus: 'notChecked' },
		]);
	});

	it('returns finished rows and marks the remaining ones as not checked if the quota runs out', async () => {
		const names = ['alpinet', 'brumalux', 'cormiteh', 'dolinex'];
		const respond: Respond = ({ number, query }) => {
			const data = [{ name: query.get('q') }];
			if (number <= 2) return { headers: {}, body: { success: true, data } };
			const headers = { 'x-ratelimit-remaining': 0, 'retry-after': 40_000 };
			return { status: 429, headers, body: { message: 'Daily quota exceeded' } };
		};
		const run = async (onError: OnError) =>
			await enrichBy(
				respond,
				names.map((name) => ({ name })),
				{ options: { onRateLimit: 'fail' } },
				{ settings: { onError } },
			);
		const { items, error } = await run('continueRegularOutput');
		expect(error).toBeUndefined();
		expect(jsonOf(items).map(({ matchStatus }) => matchStatus)).toEqual([
			...['found', 'found', 'notChecked', 'notChecked'],
		]);
		expect(items[3]!.json).toMatchObject({
			name: 'dolinex',
			company_name: null,
			company_checkedAt: null,
			reason: expect.stringMatching(/quota|limit/i) as unknown,
		});
		expect((await run('stopWorkflow')).error).toBeDefined();
	});
});

describe('Enrich: credit recommendation', () => {
	it('adds the credit recommendation as columns, which are null if there is none', async () => {
		const { run, registry, companies } = await registryBench('v1');
		const [one, other] = [companies[5]!, companies[6]!];
		registry.inject({
			path: `/api/v1/credit/${other.idno}`,
			status: 404,
			body: { success: false, error: 'No recommendation for this company' },
		});
		const options = comparing(['rating', 'crm']);
		const { items } = await run(enrich({ addCredit: true, options }), {
			items: itemsOf({ idno: one.idno }, { idno: other.idno, crm: 'B' }, { idno: unknownIdno }),
		});
		const none = { company_rating: null, company_score: null, company_recommended_limit_mdl: null };
		expect(detailed(jsonOf(items))).toMatchObject([
			{
				...fieldsOf(one),
				company_rating: one.rating,
				company_score: one.score,
				company_insolvency_risk: one.insolvencyRisk,
				company_recommended_limit_mdl: one.limit,
				company_currency: 'MDL',
				company_recommended_payment_terms_days: one.paymentTermsDays,
				company_advisory_notes: one.advisoryNotes,
				source: '/api/v1/search, /api/v1/credit/:idno',
			},
			// A missing recommendation doesn't count as a change.
			{ found: true, ...none, company_changed: false },
			{ found: false, ...none },
		]);
	});

	it('rejects the credit recommendation with the Unversioned API before sending anything', async () => {
		const { run, companies, requests } = await registryBench('unversioned');
		const { error } = await run(enrich({ addCredit: true }), {
			items: itemsOf({ idno: companies[5]!.idno }),
		});
		expect(error?.message).toContain('The credit recommendation is only available in the V1 API');
		expect(requests).toHaveLength(0);
	});
});

describe('Enrich: undocumented responses', () => {
	it('reads companies with undocumented field names', async () => {
		const { run, registry } = await registryBench('v1');
		const record = { cod_fiscal: 1003600015231, denumire: 'Vălmora SRL' };
		registry.inject({ status: 200, body: { success: true, results: [record] }, times: 2 });
		const { items } = await run(enrich({ output: 'raw' }), {
			items: itemsOf({ idno: '1003600015231' }, { name: 'valmora' }),
		});
		const company = { company_idno: '1003600015231', company_name: 'Vălmora SRL' };
		expect(jsonOf(items)).toMatchObject([
			{ matchStatus: 'found', ...company, company_denumire: 'Vălmora SRL' },
			{ matchStatus: 'found', ...company, company_cod_fiscal: 1003600015231 },
		]);
	});

	it('fails if the companies in a response have no name to match', async () => {
		const { run, registry } = await registryBench('v1');
		registry.inject({ status: 200, body: { success: true, data: [{ x: 1 }] } });
		const { error } = await run(enrich(), { items: itemsOf({ name: 'valmora' }) });
		expect(error?.description).toContain('Expected companies with a "name"');
	});

	it.each<[string, number, unknown, object]>([
		[
			'marks a row as not found after a 404 for the search',
			404,
			refusing('Nothing found'),
			{ matchStatus: 'notFound' },
		],
		[
			'fails a row after a 404 that is a web page',
			404,
			'<title>404 Not Found</title>',
			failedWith('There is no Company Registry'),
		],
		[
			'fails a row after a 404 without the API’s envelope',
			404,
			{ detail: 'Not Found' },
			failedWith('Not Found'),
		],
		[
			'fails a row after a 404 for an unknown route',
			404,
			refusing('Route not found'),
			failedWith('Route not found'),
		],
		[
			'fails a row after a 200 that reports a failure',
			200,
			refusing('No'),
			failedWith('No [item 0]. Company Registry'),
		],
	])('%s', async (_, status, body, row) => {
		const { run, registry } = await registryBench('v1');
		registry.inject({ status, body });
		const { items } = await run(enrich(), { items: itemsOf({ name: 'valmora' }), ...continuing });
		expect(jsonOf(items)).toMatchObject([row]);
	});
});

function refusing(error: string) {
	return { success: false, error };
}

function failedWith(message: string) {
	return { error: expect.stringContaining(message) as string };
}
