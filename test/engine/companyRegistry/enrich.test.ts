import type { IDataObject } from 'n8n-workflow';

import type { Variant } from '../../../nodes/CompanyRegistry/api';
import { writeState } from '../../../nodes/CompanyRegistry/enrich/state';
import { linesOf } from '../../pairs';
import { jsonOf } from '../harness';
import {
	continuing,
	itemsOf,
	pairedWith,
	recordsOf,
	registryAt,
	registryOf,
	VARIANTS,
} from '../support';
import {
	ALL,
	FIRST,
	NAMESAKE,
	RECOMMENDING,
	SECOND,
	THIRD,
	UNKNOWN,
	VALMORA,
	ZEFIRUL,
	ago,
	columnsOf,
	crediting,
	enrich,
	enrichAt,
	enriching,
	numbered,
	texts,
} from './enriching';
import type { Enriching } from './enriching';

describe('Enrich', () => {
	it.each(VARIANTS)(
		'finds the company by IDNO or name, without mapping (%s API)',
		async (variant) => {
			const company = {
				...ZEFIRUL,
				legal_form: 'SRL',
				region: 'Orhei',
				caen_code: '0121',
				caen_description: 'Cultivarea strugurilor',
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
				match_status: 'found',
				match_quality: 'exact',
				match_reason: '',
				match_alternatives: '',
				registry_changed: false,
				registry_changes: '',
				match_input: expect.any(String) as unknown,
				registry_state: expect.stringMatching(/^registry_state \S+Z\|idno=/) as unknown,
				registry_checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
				...columnsOf(company),
			};
			expect(jsonOf(items)).toEqual(rows.map((row) => ({ ...row, ...found })));
			expect(pairedWith(items)).toEqual([0, 1, 2]);
		},
	);

	it('keeps all of the row’s own columns, in an order that tells what became of the row, and who was found', async () => {
		const rows = [
			{ id: 7, note: { a: [1, null] }, Firma: 'Own', company_name: 'Zefirul', status: 'lead' },
			{ id: 8, note: '', Firma: 'Nimeni', company_name: null, status: 'lead' },
			{ 'Forma juridică': '', Oraș: '', IDNO: '', id: 9, Firma: '-' },
		];
		const results = await enrich(rows);
		const [first, last] = [
			'registry_name registry_idno registry_status match_quality match_reason registry_changed registry_changes',
			'registry_checked_at match_alternatives match_input registry_state',
		];
		expect(results.map((result) => Object.keys(result).join(' '))).toEqual([
			// What the service doesn't send isn't written.
			`match_status company_name ${first} id note Firma status registry_city ${last}`,
			`match_status Firma ${first} id note company_name status registry_legal_form registry_city registry_region registry_caen_code registry_caen_description ${last}`,
			'match_status Firma IDNO Oraș Forma juridică match_reason registry_changed registry_changes id',
		]);
		expect(results).toMatchObject(rows);
	});

	it('keeps a row’s files, even if the row fails and the node continues', async () => {
		const binary = { data: { data: 'eA==', mimeType: 'text/plain', fileName: 'x.txt' } };
		const { run } = await registryAt(registryOf(ALL), 'v1');
		for (const options of [{}, { skipRowsCheckedWithin: 'soon' }]) {
			const { items } = await run(enriching({ options }), {
				items: [{ json: { idno: FIRST }, binary }, { json: { idno: SECOND } }],
				...continuing,
			});
			expect(items.map((item) => item.binary)).toEqual([binary, undefined]);
		}
	});

	it('takes the state of the row, and not that of a linked record', async () => {
		const [parent, own] = await enrich([{ idno: FIRST }, { idno: SECOND }]);
		const linked = { parent: { registry_state: parent!.registry_state } };
		const rows = [
			{ Firma: 'Vălmora', registry_state: own!.registry_state, ...linked },
			{ Firma: 'Vălmora', registry_state: null, ...linked },
		];
		const options = { skipRowsCheckedWithin: 7 };
		const outcome = await enrichAt(registryOf(ALL), rows, { options });
		expect(recordsOf(outcome).map(({ registry_idno }) => registry_idno)).toEqual([SECOND, SECOND]);
		// Only the second one had to be looked up.
		expect(outcome.paths).toHaveLength(1);
	});

	it('takes the newest of several states that the row’s name fits', async () => {
		const stateOf = (days: number, registry_status: string, name: string) =>
			writeState(Date.parse(ago(days)), {
				...{ registry_idno: FIRST, registry_name: 'Zefirul SRL', registry_status },
				match_input: `Name: ${name}`,
			});
		const states = [
			stateOf(9, 'closed', 'Zefirul'),
			stateOf(5, 'active', 'Zefirul'),
			stateOf(1, 'closed', 'Vălmora'),
		];
		for (const notes of [states, states.toReversed()]) {
			const cells = notes.map((note, at) => [`note${at}`, note]);
			const [row] = await enrich([{ Firma: 'Zefirul', ...Object.fromEntries(cells) }]);
			expect(row).toMatchObject({ registry_idno: FIRST, registry_changes: '' });
		}
	});

	it('of several records with one IDNO, takes the one that the row names, or had before', async () => {
		const companies = ['Vălmora SRL', 'Zefirul SRL', 'Dolinex SRL'].map((name) => {
			return { ...ZEFIRUL, name };
		});
		const known = { registry_idno: FIRST, registry_name: 'Zefirul SRL' };
		const rows = [
			{ idno: FIRST, name: 'Zefirul' },
			{ idno: FIRST, ...known, registry_checked_at: ago(1) },
		];
		for (const row of await enrich(rows, {}, companies)) {
			expect(row).toMatchObject({ registry_name: 'Zefirul SRL', registry_changed: false });
		}
	});

	it('lists the most similar companies, a line each, for a row that isn’t found or is ambiguous', async () => {
		const other = { idno: SECOND, name: 'Zefirul Mare SRL', address: 'str. Morii 3' };
		const companies = [ZEFIRUL, NAMESAKE, other];
		const rows = [{ name: 'Zefirul Mic' }, { name: 'zefirul' }];
		const [missed, both] = await enrich(rows, {}, companies);
		const [another] = await enrich([{ idno: FIRST, name: 'Vălmora', city: 'Cahul' }]);
		expect(another).toMatchObject({
			match_alternatives: `Vălmora SRL, Cahul, ${SECOND}\nZefirul SRL, Orhei, ${FIRST}`,
		});
		expect(String(missed!.match_alternatives).split('\n')).toContain(
			`Zefirul Mare SRL, str. Morii 3, ${SECOND}`,
		);
		expect(both).toMatchObject({
			match_alternatives: `Zefirul SRL, Orhei, ${FIRST}\nZefirul SRL, Bălți, suspended, ${THIRD}`,
		});
		const many = [0, 1, 2, 3, 4, 5].map((at) => ({
			idno: numbered(at),
			name: 'Zefirul',
			region: 'Nord',
		}));
		const [first] = await enrich([{ name: 'zefirul' }], {}, many);
		expect(first!.match_alternatives).toMatch(/^(?:Zefirul, Nord, \d+\n?){5}$/);
	});

	it('a listed company has its town beside its name, or else its region, or else its address', async () => {
		const [town, region, address] = [
			{ city: 'Comrat' },
			{ region: 'Orhei' },
			{ address: 'Morii 3' },
		];
		const places = [{ ...town, ...region, ...address }, { ...region, ...address }, address];
		const companies = places.map((place, at) => ({
			idno: numbered(at),
			name: 'Zefirul',
			...place,
		}));
		const [row] = await enrich([{ name: 'zefirul' }], {}, companies);
		const lines = ['Comrat', 'Orhei', 'Morii 3'].map((place, at) => {
			return `Zefirul, ${place}, ${numbered(at)}`;
		});
		expect(String(row!.match_alternatives).split('\n')).toEqual(lines);
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
		[{ columns: 'Choose' }, '"Columns" must be one of auto, choose'],
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
		idno: numbered(8),
		name: 'Cormiteh',
		registry: { legal_form: 'SA', city: 'Orhei' },
	};
	const REGISTRY: IDataObject[] = [
		...[ZEFIRUL, VALMORA, { idno: '1003600015232', name: 'Alpinet SRL' }, shaped, grouped],
		{ idno: '1003666015239', name: 'Murafaru SRL' },
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
			// At Exact, no name is searched if the row's IDNO rules out an exact match.
			if (minScore === 'exact') expect(match_reason).not.toContain('has this name');
		},
	);

	it('takes the columns that the user maps, and no others', async () => {
		const mapped = { columns: 'choose', companyIdno: '={{ $json.Ref }}' };
		const rows = [{ Ref: FIRST, Firma: 'Vălmora', company_city: 'Cahul' }];
		const outcome = await enrichAt(registryOf(ALL), rows, mapped);
		expect(recordsOf(outcome)).toMatchObject([{ registry_idno: FIRST, match_quality: 'exact' }]);
		expect(texts(outcome)).toEqual(['1 row: 1 checked (1 found). 1 request sent.']);
		// Its field says that it's an IDNO, so it counts more than the name.
		const both = { ...mapped, companyName: '={{ $json.Firma }}', minScore: 'likely' };
		expect(await enrich(rows, both)).toMatchObject([
			{ registry_idno: FIRST, match_quality: 'likely' },
		]);
		// A number isn't searched as a name as well.
		const named = { columns: 'choose', companyName: '={{ $json.Ref }}' };
		expect(await enrich([{ Ref: UNKNOWN }], named)).toMatchObject([
			{ match_reason: `No company has the IDNO ${UNKNOWN}.` },
		]);
	});

	const BLANKS = '-|—|N/A|#REF!|None|нет|(не указано)|Итого:|TOTAL GENERAL|Subtotal:|0'.split('|');

	it.each(BLANKS)('treats a cell with "%s" as empty', async (cell) => {
		const row = { idno: cell, company: cell, city: cell };
		const { paths, ...outcome } = await enrichAt(registryOf(ALL), [row]);
		const reason = 'The node found neither an IDNO nor a name in the row.';
		expect(recordsOf(outcome)).toMatchObject([
			{ match_status: 'notChecked', match_reason: reason, registry_changed: null },
		]);
		expect(paths).toEqual([]);
		const [named] = await enrich([{ ...row, company: 'Zefirul SRL' }]);
		expect(named).toMatchObject({ match_status: 'found', match_quality: 'exact' });
	});

	it('leaves out the companies that Exclude IDNOs names, and sends nothing for their IDNOs', async () => {
		const rows: IDataObject[] = [
			{ company: 'Zefirul', ruledOut: `Zefirul SRL, Orhei, ${FIRST}\n` },
			{ company: 'Zefirul' },
			{ idno: FIRST, ruledOut: [FIRST, SECOND] },
			{ idno: `IDNO: ${FIRST}`, ruledOut: FIRST },
			{ company: FIRST, ruledOut: FIRST },
		];
		const options = { excludedIdnos: '={{ $json.ruledOut }}' };
		const { items, paths } = await enrichAt(registryOf([ZEFIRUL, NAMESAKE]), rows, { options });
		const reason = `The option "Exclude IDNOs" excludes the row's IDNO ${FIRST}.`;
		expect(jsonOf(items)).toMatchObject([
			{ registry_idno: THIRD, match_alternatives: '' },
			{ match_status: 'ambiguous' },
			{ match_status: 'notFound', match_reason: reason },
			{ match_status: 'notFound', match_reason: reason },
			{ match_status: 'notFound', match_reason: reason },
		]);
		expect(paths).toHaveLength(1);
	});
});
