import type { IDataObject } from 'n8n-workflow';

import { without } from '../../../nodes/shared/http/json';
import { recordsOf, registryOf } from '../support';
import {
	ALL,
	FIRST,
	SECOND,
	ZEFIRUL,
	ago,
	crediting,
	enrich,
	enrichAt,
	withQuota,
} from './enriching';

describe('Enrich: what changed', () => {
	it('empty columns of a row that was never checked are no change, those of a checked row are', async () => {
		const columns = { registry_name: null, registry_status: '', registry_city: null };
		const dated = { ...columns, registry_checked_at: '2026-01-01', match_status: 'notFound' };
		const rows = [
			{ idno: FIRST, ...columns, registry_checked_at: null },
			{ idno: SECOND, ...dated },
			{ idno: FIRST, ...dated, match_status: 'notChecked' },
		];
		expect(await enrich(rows)).toMatchObject([
			{ registry_changed: false, registry_changes: '' },
			{
				registry_changes: `idno: none → ${SECOND}; name: none → Vălmora SRL; status: none → active; city: none → Cahul`,
			},
			{ registry_changed: false, registry_changes: '' },
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
		const emptied = [{ ...ZEFIRUL, city: '' }];
		expect(await enrich(rows.slice(0, 1), {}, emptied)).toMatchObject([
			{ registry_changes: 'city: Orhei → none' },
		]);
	});

	it.each([
		["['CRM status']", { 'CRM status': 'active' }],
		['crm[0].status', { crm: [{ status: 'active' }] }],
	])('compares the row’s own column %s, as the editor enters it', async (path, row) => {
		const rows = [{ ...row, idno: FIRST, registry_status: 'old', own_region: 'Nord' }];
		// The service doesn't send a region.
		const compareWith = { status: path, city: '', region: 'own_region', name: 'in_no_row' };
		expect(await enrich(rows, { compareWith })).toMatchObject([{ registry_changed: false }]);
		const companies = [{ ...ZEFIRUL, status: 'suspended' }];
		const shown = { output: 'fields', fields: ['name'] };
		const all = [...rows, { idno: FIRST }];
		expect(await enrich(all, { compareWith, ...shown }, companies)).toMatchObject([
			{ registry_changed: true, registry_changes: 'status: active → suspended' },
			{ registry_changes: 'status: none → suspended' },
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
		const rows = dates.map((at) => ({ ...row(at), company: 'zefirul', match_status: '' }));
		const { paths, ...outcome } = await enrichAt(registryOf(ALL), rows, { options });
		const results = recordsOf(outcome);
		const skipped = results.map((each) => each.match_status === 'notChecked');
		expect(skipped).toEqual([true, true, false, false, false]);
		expect(results[0]!.match_reason).toBe('Checked in the last 7 days.');
		expect(paths).toHaveLength(1);
	});

	it('gives other spellings of its columns its own names, but only in a row with the date or the state', async () => {
		const old = { 'Registry Name': 'Old', 'Match Status': 'notFound' };
		const rows = [
			{ company: 'Zefirul', ...old },
			{ company: 'Zefirul', ...old, 'Registry Checked At': ago(1) },
			{ company: 'Zefirul', ...old, 'Registry State': await stateOf({ company: 'Zefirul' }) },
		];
		const [own, ...known] = await enrich(rows);
		for (const row of known) {
			expect(Object.keys(row).filter((name) => /^[A-Z]/.test(name))).toEqual([]);
			expect(row).toMatchObject({
				match_status: 'found',
				registry_changes: expect.stringContaining('name: Old → Zefirul SRL') as unknown,
			});
		}
		expect(own).toMatchObject({ ...old, match_status: 'found', registry_changed: false });
	});

	it('leaves a column alone whose cut-off name could be one of several', async () => {
		const open = { Registry_x0020_Recommended: 'left open' };
		const row = { company: 'Zefirul', Registry_x0020_Checked_x0020_At: ago(1), ...open };
		const [skipped] = await enrich([row], { options, addCredit: true });
		expect(skipped).toMatchObject({ ...open, registry_recommended_limit_mdl: null });
	});

	it('writes nothing over columns that look like its own but can’t be read', async () => {
		const row = {
			idno: FIRST,
			registry_checked_at: 'ieri',
			registry_name: 'Old',
			registry_note: 1,
		};
		const dated = { idno: SECOND, registry_checked_at: ago(1) };
		const undated = {
			company: 'Zefirul',
			match_status: 'notChecked',
			match_input: 'mine',
			match_reason: 'old',
		};
		const [kept, , waiting] = recordsOf(await enrichAt(withQuota(0), [row, dated, undated]));
		expect(waiting!.match_reason).toMatch(/^Waiting/);
		expect(kept).toMatchObject(row);
		expect(Object.values(kept!)).not.toContain(null);
	});

	it.each<[string, (name: string) => string]>([
		['Salesforce', (name) => `${name.replace(/(?<=^|_)\w/g, (letter) => letter.toUpperCase())}__c`],
		['Odoo Studio', (name) => `x_studio_${name}`],
		['Dataverse', (name) => `cr4f2_${name.replaceAll('_', '')}`],
		['SharePoint', (name) => name.replaceAll('_', '_x0020_')],
		['SharePoint, cut off', (name) => name.replaceAll('_', '_x0020_').slice(0, 32)],
	])('knows its columns under the names that %s gives them', async (_, renamed) => {
		const [before] = await enrich([{ company: 'Zefirul' }]);
		const stored = Object.entries(before!).map(([name, value]) =>
			/^(?:match|registry)_/.test(name) ? [renamed(name), value ?? false] : [name, value],
		);
		// Other columns with such names, and a copy of the row as it was once, say nothing about it.
		const others = {
			payment_match_status: 'open',
			match_re: 'mine',
			[`${renamed('match_status').slice(0, -1)}x`]: 'open',
			history: { [renamed('registry_status')]: 'old' },
		};
		const row = { ...(Object.fromEntries(stored) as IDataObject), ...others };
		const [skipped] = await enrich([row], { options }, []);
		expect(skipped).toMatchObject({
			...(without(before!, 'registry_changed', 'registry_changes') as IDataObject),
			...others,
		});
		expect(Object.keys(skipped!)).toHaveLength(Object.keys({ ...before, ...others }).length);
		const closed = [{ ...ZEFIRUL, status: 'closed' }];
		const changes = { registry_changes: 'status: active → closed' };
		expect(await enrich([row], {}, closed)).toMatchObject([changes]);
	});

	const stateOf = async (row: IDataObject) => (await enrich([row]))[0]!.registry_state as string;

	it('needs no other column than its state, even in an object that could be about anything', async () => {
		const note = await stateOf({ company: 'Zefirul' });
		const row = { company: 'Zefirul', extras: { more: { note } } };
		expect(await enrich([row], { options })).toMatchObject([
			{ match_status: 'found', registry_idno: FIRST, match_reason: '' },
		]);
		// It has only the beginning of a long text.
		const long = { company: 'Zefirul', city: `Orhei, ${'str. Morii 3, '.repeat(40)}` };
		const again = { ...long, note: await stateOf(long) };
		expect(await enrich([again], { options }, [])).toMatchObject([{ registry_idno: FIRST }]);
		const closed = [{ ...ZEFIRUL, status: 'closed', region: 'Orhei' }];
		expect(await enrich([row], {}, closed)).toMatchObject([
			{ registry_changes: 'status: active → closed; region: none → Orhei' },
		]);
	});

	it('needs no other column than the IDNO and the date to know that a company was found', async () => {
		const row = { company: 'Zefirul', registry_idno: FIRST, registry_checked_at: ago(1) };
		expect(await enrich([row], { options })).toMatchObject([{ match_status: 'found' }]);
		const gone = { ...row, match_status: 'notFound' };
		expect(await enrich([gone], {}, [])).toMatchObject([{ match_status: 'notFound' }]);
		// It was found in spite of the number.
		const likely = { ...row, idno: SECOND, match_quality: 'likely' };
		expect(await enrich([likely])).toMatchObject([{ registry_idno: FIRST }]);
	});

	it('takes the state that fits the row if there are several, or none', async () => {
		const [a, b] = [await stateOf({ company: 'Zefirul' }), await stateOf({ company: 'Vălmora' })];
		const rows = ['Zefirul', 'Vălmora', 'Alta'].map((company) => ({ company, state: a, other: b }));
		expect(await enrich(rows, { options }, [])).toMatchObject([
			{ registry_idno: FIRST, match_status: 'found', match_reason: '' },
			{ registry_idno: SECOND, match_status: 'found', match_reason: '' },
			{ registry_idno: null, match_status: 'notFound' },
		]);
		// The newest one, but no newer one of an object in the row.
		const older = a.replace(/\S+Z/, ago(2)).replace('status=active', 'status=old');
		const two = [
			{ company: 'Zefirul', state: older, other: a },
			{ company: 'Zefirul', state: older, other: { a } },
		];
		expect(await enrich(two)).toMatchObject([
			{ registry_changes: '' },
			{ registry_changes: 'status: old → active' },
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
			'columns of another company count alone',
			{ registry_checked_at: ago(1), registry_idno: SECOND },
			{ registry_idno: SECOND, registry_city: null },
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
		expect(await enrich([added], { options }, [])).toMatchObject([{ match_status: 'found' }]);
	});
});
