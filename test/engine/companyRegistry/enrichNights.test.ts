import type { IDataObject } from 'n8n-workflow';

import { STATE } from '../../../nodes/CompanyRegistry/enrich/state';
import { without } from '../../../nodes/shared/http/json';
import { numbered } from './enriching';
import { ModelRegistry, resetClock, runNight, setNight, timeOf } from './nightModel';
import type { Company, Night } from './nightModel';

// What becomes of a row from night to night. Every row is written back as the case says.

afterEach(resetClock);

const [A, B, C, UNKNOWN] = [1, 2, 3, 9].map(numbered) as [string, string, string, string];
const ZEFIRUL: Company = { idno: A, name: 'Zefirul SRL', status: 'active', city: 'Orhei' };
const VALMORA: Company = { idno: B, name: 'Vălmora SRL', status: 'active', city: 'Cahul' };
const NAMESAKE: Company = { idno: C, name: 'Zefirul SRL', status: 'active', city: 'Bălți' };

type Row = IDataObject;
/** What happens to a stored row: cells that are written over it, or what a program makes of it. */
type Edit = Row | ((row: Row) => Row);

interface NextNight {
	/** What the registry shows from this night on, by IDNO; nothing removes the company. */
	says?: Record<string, Partial<Company> | undefined>;
	edit?: Edit;
	parameters?: IDataObject;
	is?: Partial<Night>;
	/** Nights, or parts of one, since the night before. */
	after?: number;
	/** What the row has then. A column that's undefined here must be missing. */
	row: Row;
	/** How many requests the night costs. */
	costs?: number;
}

interface Case {
	title: string;
	row: Row;
	/** What's written back of the node's columns; otherwise all. */
	stores?: (row: Row) => Row;
	parameters?: IDataObject;
	companies?: Company[];
	nights: NextNight[];
}

const isAdded = (name: string) => /^(?:match|registry)_/.test(name);
const onlyState = (row: Row) => pick(row, (name) => !isAdded(name) || name === STATE);
const noState = (row: Row) => without(row, STATE) as Row;
const few =
	(...names: string[]) =>
	(row: Row) =>
		pick(row, (name) => !isAdded(name) || names.includes(name));
const pick = (row: Row, is: (name: string) => boolean): Row =>
	Object.fromEntries(Object.entries(row).filter(([name]) => is(name)));
const named = (row: Row, as: (name: string) => string): Row =>
	Object.fromEntries(Object.entries(row).map(([name, value]) => [as(name), value]));
/** "Registry Status" for `registry_status`. */
const titleOf = (name: string) =>
	name.replace(/(?:^|_)(\p{L})/gu, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
const text = (part: string | RegExp) => expect.stringMatching(part) as unknown as string;

const FOUND_A = { match_status: 'found', registry_idno: A, registry_name: 'Zefirul SRL' };
const QUIET = { registry_changed: false, registry_changes: '' };
const UNCHECKED = { registry_changed: null, registry_changes: null };
const FIRST = { row: FOUND_A };
const STATUS = { says: { [A]: { status: 'closed' } } };
const CHANGED = { registry_changed: true, registry_changes: 'status: active → closed' };

describe('Enrich from night to night', () => {
	it.each<Case>([
		{
			title: 'a known company costs one request and is quiet if nothing has changed',
			row: { Firma: 'Zefirul' },
			nights: [
				{ row: { ...FOUND_A, ...QUIET, match_quality: 'exact' }, costs: 1 },
				{ row: { ...FOUND_A, ...QUIET }, costs: 1 },
			],
		},
		{
			title: 'what the registry has changed is told once',
			row: { Firma: 'Zefirul' },
			nights: [FIRST, { ...STATUS, row: CHANGED }, { row: QUIET }],
		},
		{
			title: 'a change is told against the state, wherever the cell with it stands',
			row: { Firma: 'Zefirul' },
			stores: ({ Firma, [STATE]: note }) => ({ Firma, extras: { more: { note } } }),
			nights: [FIRST, { ...STATUS, row: CHANGED }, { row: QUIET }],
		},
		{
			title: 'a change is told by the columns alone',
			row: { Firma: 'Zefirul' },
			stores: noState,
			nights: [FIRST, { ...STATUS, row: CHANGED }, { row: QUIET }],
		},
		{
			title: 'a change is told by columns that a program has named like titles',
			row: { Firma: 'Zefirul' },
			stores: (row) => named(noState(row), titleOf),
			nights: [
				FIRST,
				{ ...STATUS, row: { ...CHANGED, 'Registry Status': undefined } },
				{ row: QUIET },
			],
		},
		{
			title: 'the columns of a linked record are not those of the row',
			row: { Firma: 'Zefirul' },
			stores: (row) => ({ ...noState(row), holding: { registry_status: 'closed' } }),
			nights: [FIRST, { row: QUIET }],
		},
		{
			title: 'a number in a linked record is nobody’s choice',
			row: { Firma: 'Zefirul' },
			stores: (row) => ({ ...onlyState(row), holding: { registry_idno: C } }),
			companies: [ZEFIRUL, { ...NAMESAKE, name: 'Zefirul Holding SRL' }],
			nights: [FIRST, { row: { ...FOUND_A, ...QUIET, match_reason: '' }, costs: 1 }],
		},
		{
			title: 'a change is told by the status alone',
			row: { Firma: 'Zefirul' },
			stores: few('registry_status'),
			nights: [FIRST, { ...STATUS, row: CHANGED }, { row: QUIET }],
		},
		{
			title: 'a value that was sent as empty is a change when it comes',
			row: { Firma: 'Zefirul' },
			stores: onlyState,
			companies: [{ ...ZEFIRUL, city: '' }],
			nights: [
				FIRST,
				{
					says: { [A]: { city: 'Orhei' } },
					row: { registry_changed: true, registry_changes: 'city: none → Orhei' },
				},
			],
		},
		{
			title: 'a value that was never sent is no change when it comes',
			row: { Firma: 'Zefirul' },
			nights: [
				{ row: { ...FOUND_A, registry_region: undefined } },
				{ says: { [A]: { region: 'Orhei' } }, row: { ...QUIET, registry_region: 'Orhei' } },
			],
		},
		{
			title: 'a value that isn’t sent any more stays',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{ says: { [A]: { city: undefined } }, row: { ...QUIET, registry_city: 'Orhei' } },
			],
		},
		{
			title:
				'what a person or a program does to the columns beside a state is no change, and is mended',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{
					edit: {
						...{ registry_name: '“ZEFIRUL”', registry_city: '', registry_idno: '1.0E+12' },
						...{ registry_status: 'mine', registry_checked_at: '11/12/2026', match_status: 'x' },
					},
					row: { ...FOUND_A, ...QUIET, registry_city: 'Orhei', registry_status: 'active' },
					costs: 1,
				},
			],
		},
		{
			title:
				'letters that a database stores as question marks count as neither a change nor a correction',
			row: { Firma: 'Dornșani' },
			stores: (row) => ({
				Firma: row.Firma,
				[STATE]: String(row[STATE]).replaceAll('ș', '?'),
			}),
			companies: [{ ...ZEFIRUL, name: 'Dornșani SRL' }],
			nights: [
				{ row: { match_status: 'found' } },
				{ row: { ...QUIET, match_quality: 'exact', match_reason: '' }, costs: 1 },
				{ ...STATUS, row: CHANGED },
			],
		},
		{
			title: 'what a cut-off state has lost is compared with the columns',
			row: { Firma: 'Zefirul' },
			stores: (row) => ({ ...row, [STATE]: String(row[STATE]).slice(0, 100) }),
			nights: [FIRST, { ...STATUS, row: CHANGED }],
		},
		{
			title: 'what a cut-off state still says counts more than the columns',
			row: { Firma: 'Zefirul' },
			stores: (row) => ({ ...row, [STATE]: String(row[STATE]).slice(0, 100) }),
			nights: [FIRST, { edit: { registry_status: 'mine' }, row: QUIET }],
		},
		{
			title: 'a text that the state has no room for is compared with its column',
			row: { Firma: 'Zefirul' },
			companies: [{ ...ZEFIRUL, caen_description: 'x'.repeat(480) } as Company],
			nights: [
				FIRST,
				{ row: QUIET },
				{ says: { [A]: { caen_description: 'None' } }, row: { registry_changed: true } },
			],
		},
		{
			title: 'a change in a field that the node doesn’t know is reported even without a state',
			row: { Firma: 'Zefirul' },
			stores: noState,
			companies: [{ ...ZEFIRUL, administrator: 'Ion' }],
			nights: [
				FIRST,
				{
					says: { [A]: { administrator: 'Ana' } },
					row: { registry_changed: true, registry_changes: 'administrator: Ion → Ana' },
				},
			],
		},
		{
			title: 'a state that was cut off early still tells that the status has changed',
			row: { Firma: 'Zefirul' },
			stores: (row) => ({ ...onlyState(row), [STATE]: String(row[STATE]).slice(0, 80) }),
			nights: [FIRST, { ...STATUS, row: CHANGED }],
		},
		{
			title: 'a field that’s too short for a state and for a text tells no change of the text',
			row: { Firma: 'Zefirul' },
			stores: (row) =>
				Object.fromEntries(
					Object.entries(row).map(([name, value]) => {
						return [name, typeof value === 'string' ? value.slice(0, 255) : value];
					}),
				),
			companies: [
				{ ...ZEFIRUL, name: `Zefirul SRL`, caen_description: 'x'.repeat(290) } as Company,
			],
			nights: [FIRST, { row: QUIET }, { ...STATUS, row: CHANGED }],
		},
		{
			title: 'what a program puts where nothing was is no change without a state',
			row: { Firma: 'Zefirul' },
			stores: ({ registry_status, registry_idno, ...row }) => ({
				...{ ...noState(row), registry_idno, registry_status },
				...{ registry_city: 'N/A', registry_caen_code: '#N/A!', registry_region: { value: null } },
			}),
			companies: [{ ...ZEFIRUL, city: '', caen_code: null, region: null }],
			nights: [FIRST, { row: QUIET }],
		},
		{
			title: 'a row whose columns say that there’s no company had none before',
			row: { Firma: 'Nimeni' },
			stores: (row) => ({ ...noState(row), registry_name: 'N/A', registry_idno: '####' }),
			nights: [
				{ row: { match_status: 'notFound' } },
				{ row: { match_status: 'notFound', ...QUIET } },
			],
		},
		{
			title: 'what became of a row leaves out a company of which neither name nor IDNO is stored',
			row: {
				Firma: 'Nimeni',
				registry_status: 'closed',
				registry_checked_at: '2026-02-27T02:00:00Z',
			},
			nights: [{ row: { match_status: 'notFound', registry_changes: 'searched again' } }],
		},
		{
			title: 'a rating that was sent as empty is a change when it comes',
			row: { Firma: 'Zefirul' },
			parameters: { addCredit: true },
			nights: [
				{ is: { credits: { rating: null } }, row: { ...FOUND_A, registry_rating: null } },
				{ row: { registry_changed: true, registry_changes: 'rating: none → B' } },
			],
		},
		{
			title: 'a state that nobody writes back any more doesn’t count',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{
					after: 3,
					edit: { registry_checked_at: new Date(timeOf(2)).toISOString(), registry_status: 'old' },
					row: { registry_changes: 'status: old → active' },
				},
			],
		},
		{
			title: 'a date object from a database shows that the state is outdated',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{
					after: 3,
					edit: (row) =>
						({ ...row, registry_checked_at: new Date(timeOf(2)), registry_status: 'old' }) as never,
					row: { registry_changes: 'status: old → active' },
				},
			],
		},
		{
			title: 'a date without a time, or in the future, says nothing about the state',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{ edit: { registry_checked_at: '2026-03-09', registry_status: 'old' }, row: QUIET },
				{
					edit: { registry_checked_at: '2027-03-09T02:00:00Z', registry_status: 'old' },
					row: QUIET,
				},
			],
		},
		{
			title:
				'a known company that’s missing is gone after twelve hours, and back when it’s shown again',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{
					says: { [A]: undefined },
					row: {
						...FOUND_A,
						...QUIET,
						match_reason: text(/^The registry hasn't shown the company since 2026-03-02\.$/),
					},
				},
				{ after: 11.9 / 24, row: { ...FOUND_A, ...QUIET } },
				{
					after: 0.2 / 24,
					row: {
						...{ match_status: 'notFound', registry_idno: A, registry_city: 'Orhei' },
						...{ registry_changed: true, registry_changes: 'no longer in the registry' },
						match_reason:
							"The company is no longer in the registry. The registry hasn't shown the company since 2026-03-02.",
					},
				},
				{ row: { match_status: 'notFound', ...QUIET } },
				{
					says: { [A]: { ...ZEFIRUL, city: 'Bender' } },
					row: {
						...{ ...FOUND_A, registry_changed: true },
						registry_changes: 'back in the registry; city: Orhei → Bender',
					},
				},
				{ row: { ...FOUND_A, ...QUIET } },
			],
		},
		{
			title: 'a company that’s gone stays gone and is reported only once, even if a check fails',
			row: { Firma: 'Zefirul' },
			stores: onlyState,
			nights: [
				FIRST,
				{ says: { [A]: undefined }, row: { ...QUIET, match_quality: 'exact' } },
				{ row: { match_status: 'notFound', registry_changed: true, match_quality: 'exact' } },
				{ is: { failsFrom: 0 }, row: { match_status: 'notFound', ...UNCHECKED } },
				{ row: { match_status: 'notFound', ...QUIET } },
				{ says: { [A]: ZEFIRUL }, row: { registry_changes: 'back in the registry' } },
			],
		},
		{
			title: 'a row without a date reads from its reason since when its company has been missing',
			row: { Firma: 'Zefirul' },
			stores: few('registry_idno', 'registry_name', 'match_reason'),
			nights: [
				FIRST,
				{ says: { [A]: undefined }, row: QUIET },
				{ row: { ...QUIET, match_reason: text(/since 2026-03-02\.$/) } },
				{ row: { match_status: 'notFound', match_reason: text(/since 2026-03-02\.$/) } },
			],
		},
		{
			title: 'a correction is noticed even if the check before it failed',
			row: { Firma: 'Zefirul' },
			stores: onlyState,
			nights: [
				FIRST,
				{ is: { failsFrom: 0 }, row: { ...FOUND_A, match_quality: 'exact' } },
				{ edit: { Firma: 'Vălmora' }, row: { registry_idno: B } },
			],
		},
		...[String, (each: unknown) => String(each).replace(/'/g, '&#39;')].map((stored): Case => ({
			title: `a list without states knows by its reasons since when a company is missing, stored as ${stored("hasn't")}`,
			row: { Firma: 'Zefirul' },
			stores: (row) => ({ ...noState(row), match_reason: stored(row.match_reason) }),
			nights: [
				FIRST,
				{ says: { [A]: undefined }, row: QUIET },
				{ after: 11.9 / 24, row: QUIET },
				{ row: { match_status: 'notFound', registry_changed: true } },
				{ row: QUIET },
			],
		})),
		{
			title: 'a list without states learns that a company is gone if it’s checked twice a day',
			row: { Firma: 'Zefirul' },
			stores: noState,
			nights: [
				FIRST,
				{ says: { [A]: undefined }, after: 1, row: QUIET },
				{ after: 11 / 24, row: QUIET },
				{ after: 11 / 24, row: QUIET },
				{ after: 11 / 24, row: QUIET },
				{ after: 11 / 24, row: { match_status: 'notFound', registry_changed: true } },
			],
		},
		{
			title:
				'a failed check keeps what is known, says since when the company is missing, and is due again',
			row: { Firma: 'Zefirul' },
			parameters: { options: { skipRowsCheckedWithin: 30 } },
			stores: onlyState,
			nights: [
				FIRST,
				{ after: 31, says: { [A]: undefined }, row: QUIET },
				{
					after: 31,
					is: { failsFrom: 0 },
					row: {
						...{ ...FOUND_A, ...UNCHECKED, registry_checked_at: text('2026-05') },
						match_reason: text(
							/^The check failed\. Down.* The registry hasn't shown the company since 2026-04-01\.$/,
						),
					},
				},
				{ row: { match_status: 'notFound', registry_changed: true } },
			],
		},
		...Object.entries<[columns: Row, first: Partial<Night>, next: NextNight]>({
			'a change is told although the first state was written when the check failed': [
				{},
				{ failsFrom: 0 },
				{ ...STATUS, row: CHANGED },
			],
			'a change is told although the first state was written while the company wasn’t shown': [
				{},
				{ isBlind: true },
				{ ...STATUS, row: CHANGED },
			],
			'a correction is noticed although the first state was written when the check failed': [
				{ match_input: 'Name: Zefirul' },
				{ failsFrom: 0 },
				{ edit: { Firma: 'Vălmora' }, row: { registry_idno: B } },
			],
			'a company is gone at the second check that misses it, even if the first state was written in between, when the check failed':
				[
					{ match_reason: "The registry hasn't shown the company since 2026-02-27." },
					{ failsFrom: 0 },
					{ is: { isBlind: true }, row: { match_status: 'notFound', registry_changed: true } },
				],
		}).map(([title, [columns, first, next]]): Case => ({
			title,
			row: {
				...{ Firma: 'Zefirul', registry_idno: A, registry_name: 'Zefirul SRL' },
				...{ registry_status: 'active', registry_checked_at: '2026-02-27T02:00:00Z', ...columns },
			},
			stores: onlyState,
			nights: [{ is: first, row: FOUND_A }, next],
		})),
		{
			title: 'a row that waits keeps what is known, and its state character for character',
			row: { Firma: 'Zefirul' },
			stores: (row) => ({ Firma: row.Firma!, [STATE]: `<p>${String(row[STATE])}</p>` }),
			nights: [
				{ row: FOUND_A },
				{
					is: { quota: 0 },
					row: { ...FOUND_A, ...UNCHECKED, [STATE]: text(/^<p>.*<\/p>$/), registry_city: 'Orhei' },
				},
			],
		},
		{
			title: 'a row that waits for its first check has nothing that isn’t known',
			row: { Firma: 'Zefirul', registry_name: 'mine' },
			nights: [
				{
					is: { quota: 0 },
					row: {
						...{ match_status: 'notChecked', ...UNCHECKED, registry_name: 'mine' },
						...{ registry_city: undefined, registry_checked_at: undefined, [STATE]: undefined },
						match_reason: text(/Waiting for the quota\.$/),
					},
				},
			],
		},
		{
			title: 'the first company of a row is found, and no change',
			row: { Firma: 'Zefirul' },
			nights: [
				{ is: { isBlind: true }, row: { match_status: 'notFound', ...QUIET, registry_name: null } },
				{
					row: {
						...FOUND_A,
						registry_changed: false,
						registry_changes: `found: Zefirul SRL (${A})`,
					},
				},
				{ row: QUIET },
			],
		},
		...[
			...['Firma: SOCIETATEA „ZEFIRUL NORD” S.R.L.', 'Firma: Societatea Zefirul No'],
			...['Firma: Societatea Zefi…', 'Firma: #NAME?', 'Cod fiscal: 1E+12', 'Cod fiscal: lipsă'],
			...[
				`Cod fiscal: ${A.slice(0, 9)}`,
				`Cod fiscal: ${A.slice(0, 5)}00000000`,
				'Oraș: ',
				'Oraș: ORHEI',
			],
			'Forma juridică: Societate cu răspundere limitată',
		].map((cell): Case => {
			const [column, value] = cell.split(': ') as [string, string];
			return {
				title: `it’s no correction if a row says the same otherwise or worse: ${cell}`,
				...{
					row: {
						Firma: 'Societatea Zefirul Nord',
						'Cod fiscal': A,
						...{ Oraș: 'Orhei', 'Forma juridică': 'SRL' },
					},
					companies: [{ ...ZEFIRUL, name: 'Zefirul Nord SRL' }],
					parameters: { minScore: 'likely', options: { skipRowsCheckedWithin: 30 } },
				},
				nights: [
					{ row: { registry_idno: A } },
					{ edit: { [column]: value }, row: { registry_idno: A }, costs: 0 },
					{ after: 31, is: { isBlind: true }, row: { registry_idno: A, ...QUIET } },
				],
			};
		}),
		{
			title: 'without a state, a name that a program has escaped in match_input is no correction',
			row: { Firma: 'Vin & Vie' },
			stores: (row) => ({
				...noState(row),
				match_input: String(row.match_input).replace('&', '&amp;'),
			}),
			companies: [{ ...ZEFIRUL, name: 'Vin & Vie SRL' }],
			parameters: { options: { skipRowsCheckedWithin: 30 } },
			nights: [{ row: { registry_idno: A } }, { row: UNCHECKED, costs: 0 }],
		},
		{
			title: 'a word less in the name is another name, and the row is searched again at once',
			row: { Firma: 'Zefirul Nord' },
			companies: [{ ...ZEFIRUL, name: 'Zefirul Nord SRL' }, NAMESAKE],
			parameters: { options: { skipRowsCheckedWithin: 30 } },
			nights: [
				{ row: { registry_idno: A } },
				{
					edit: { Firma: 'Zefirul' },
					row: {
						...{ match_status: 'found', registry_idno: C, registry_changed: false },
						registry_changes: `found: Zefirul SRL (${C}); was: Zefirul Nord SRL (${A}); the row was corrected`,
					},
					costs: 1,
				},
				{ row: { registry_idno: C } },
			],
		},
		{
			title: 'a corrected row that waits isn’t checked, and says why',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{
					edit: { Firma: 'Vălmora' },
					is: { quota: 0 },
					row: {
						...{ match_status: 'notChecked', registry_idno: A, ...UNCHECKED },
						match_reason: text(/^At the last check, the row's name was "Zefirul"\. Waiting/),
					},
				},
				{
					row: {
						...{ match_status: 'found', registry_idno: B, registry_city: 'Cahul' },
						registry_changes: text(
							/^found: Vălmora SRL .*; was: Zefirul SRL .*; the row was corrected$/,
						),
					},
				},
			],
		},
		{
			title:
				'a correction that the company agrees with keeps it, although the registry shows nobody',
			row: { Firma: 'Zefirl' },
			parameters: { minScore: 'likely' },
			nights: [
				{ row: { ...FOUND_A, match_quality: 'likely' } },
				{ edit: { Firma: 'Zefirul' }, is: { isBlind: true }, row: { ...FOUND_A, ...QUIET } },
				{ edit: { Oraș: 'Orhei' }, row: { ...FOUND_A, ...QUIET }, costs: 1 },
			],
		},
		{
			title: 'a corrected row is compared with what the registry shows now',
			row: { Firma: 'Zefirl' },
			parameters: { minScore: 'likely' },
			nights: [
				{ row: { ...FOUND_A, match_quality: 'likely' } },
				{
					edit: { Firma: 'Zefirul' },
					says: { [A]: { name: 'Brumalux SRL' } },
					row: { match_status: 'notFound', registry_idno: null },
				},
			],
		},
		{
			title: 'a correction can agree with what the registry has changed in the meantime',
			row: { Firma: 'Zefirul', Oraș: 'Orhei' },
			nights: [
				FIRST,
				{ says: { [A]: { name: 'Brumalux SRL', city: 'Cahul' } }, row: { registry_changed: true } },
				{ edit: { Oraș: 'Cahul' }, row: { registry_idno: A, match_status: 'found', ...QUIET } },
			],
		},
		...['Firma: Nimeni', `IDNO: ${UNKNOWN}`, 'Oraș: Cahul', 'Forma juridică: SA'].map(
			(cell): Case => {
				const [column, value] = cell.split(': ') as [string, string];
				return {
					title: `another company is searched if the row now says ${column.replace(/^IDNO/, 'an IDNO')} ${value}`,
					row: { Firma: 'Zefirul', Oraș: '', IDNO: '', 'Forma juridică': '' },
					nights: [
						FIRST,
						{
							edit: { [column]: value },
							row: {
								...{ match_status: 'notFound', registry_idno: null, registry_city: null },
								registry_changed: false,
								registry_changes: `was: Zefirul SRL (${A}); the row was corrected`,
							},
						},
					],
				};
			},
		),
		{
			title: 'the town that tells namesakes apart is used at once',
			row: { Firma: 'Zefirul', Oraș: '' },
			companies: [ZEFIRUL, NAMESAKE],
			parameters: { options: { skipRowsCheckedWithin: 30 } },
			nights: [
				{ row: { match_status: 'ambiguous', registry_name: null, ...QUIET } },
				{
					edit: { Oraș: 'Bălți' },
					row: { registry_idno: C, registry_changed: false, registry_changes: text(/^found: /) },
				},
			],
		},
		{
			title: 'a row whose name and IDNO are gone isn’t looked up, and keeps what it has',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{
					edit: { Firma: '' },
					row: { ...FOUND_A, match_status: 'notChecked', ...UNCHECKED, registry_city: 'Orhei' },
					costs: 0,
				},
				{ edit: { Firma: 'Zefirul' }, row: { ...FOUND_A, ...QUIET } },
			],
		},
		{
			title: 'a copied row that’s made another company’s is searched by its own name',
			row: { Firma: 'Zefirul' },
			stores: onlyState,
			nights: [
				FIRST,
				{ edit: { Firma: 'Vălmora' }, row: { registry_idno: B, registry_changed: false } },
			],
		},
		{
			title: 'an excluded company is none of the row’s',
			row: { Firma: 'Zefirul' },
			parameters: { options: { skipRowsCheckedWithin: 30 } },
			nights: [
				FIRST,
				{
					parameters: { options: { skipRowsCheckedWithin: 30, excludedIdnos: A } },
					row: {
						...{ match_status: 'notFound', registry_idno: null, registry_changed: false },
						registry_changes: `was: Zefirul SRL (${A}); the company was excluded`,
					},
				},
			],
		},
		{
			title:
				'a field that the node doesn’t know is emptied together with its company, whatever its column is called',
			row: { Firma: 'Zefirul' },
			companies: [{ ...ZEFIRUL, phone: '022 123456' } as Company],
			parameters: { output: 'raw' },
			stores: (row) => named(row, (name) => (isAdded(name) ? titleOf(name) : name)),
			nights: [
				FIRST,
				{
					edit: { Firma: 'Nimeni' },
					row: { registry_phone: null, 'Registry Phone': undefined },
				},
			],
		},
		{
			title: 'an excluded company can’t be chosen',
			row: { Firma: 'Zefirul' },
			companies: [ZEFIRUL, NAMESAKE],
			nights: [
				{ row: { match_status: 'ambiguous' } },
				{
					edit: { registry_idno: C },
					parameters: { options: { excludedIdnos: C } },
					row: { ...FOUND_A, match_quality: 'exact' },
				},
			],
		},
		{
			title: 'a row is skipped although a person has chosen a company that is excluded',
			row: { Firma: 'Zefirul' },
			stores: onlyState,
			companies: [ZEFIRUL, NAMESAKE],
			parameters: { options: { skipRowsCheckedWithin: 30, excludedIdnos: C } },
			nights: [FIRST, { edit: { registry_idno: C }, row: UNCHECKED, costs: 0 }],
		},
		{
			title:
				'a corrected name that fits the company keeps it, although the number in the row is another one',
			row: { Firma: 'Vălmora', IDNO: UNKNOWN },
			parameters: { minScore: 'likely' },
			nights: [
				{ row: { registry_idno: B, match_quality: 'likely' } },
				{ edit: { Firma: 'Vallmora' }, row: { registry_idno: B, ...QUIET }, costs: 1 },
			],
		},
		{
			title: 'without a state, a row still says since when its company has been gone',
			row: { Firma: 'Zefirul' },
			stores: noState,
			nights: [
				FIRST,
				{ says: { [A]: undefined }, row: { match_status: 'found' } },
				{ row: { match_reason: text(/no longer in the registry\. .* since 2026-03-02\.$/) } },
				{ row: { match_reason: text(/no longer in the registry\. .* since 2026-03-02\.$/) } },
			],
		},
		{
			title: 'without a state, a number that a sheet has rounded is no correction',
			row: { IDNO: A },
			stores: few('registry_idno', 'registry_checked_at'),
			nights: [
				FIRST,
				{
					edit: { IDNO: Math.floor(Number(A) / 1e6) * 1e6 },
					row: { ...FOUND_A, ...QUIET },
					costs: 1,
				},
			],
		},
		{
			title: 'a corrected row is searched, although its recommendation shows nothing new',
			row: { Firma: 'Vălmora' },
			parameters: { addCredit: true },
			nights: [
				{ row: { registry_idno: B } },
				{ row: QUIET, costs: 1 },
				{
					says: { [B]: { city: 'Soroca' } },
					edit: { Firma: 'Vallmora' },
					row: { registry_idno: B, registry_changes: 'city: Cahul → Soroca' },
				},
			],
		},
		{
			title: 'a person chooses one of two namesakes by entering its IDNO beside the state',
			row: { Firma: 'Zefirul' },
			companies: [ZEFIRUL, NAMESAKE],
			parameters: { options: { skipRowsCheckedWithin: 30 } },
			nights: [
				{ row: { match_status: 'ambiguous' } },
				{
					edit: { registry_idno: C },
					row: {
						...{ registry_idno: C, match_quality: 'exact', registry_changed: false },
						match_reason: text('chosen'),
						registry_changes: `found: Zefirul SRL (${C})`,
					},
					costs: 1,
				},
				{ after: 31, row: { registry_idno: C, ...QUIET }, costs: 1 },
			],
		},
		{
			title: 'a person chooses one of two namesakes by its line from match_alternatives',
			row: { Firma: 'Zefirul' },
			companies: [ZEFIRUL, NAMESAKE],
			nights: [
				{ row: { match_status: 'ambiguous' } },
				{
					edit: { registry_idno: `Zefirul SRL, Cahul, ${C}` },
					row: { registry_idno: C, match_quality: 'exact', match_reason: text('chosen') },
				},
			],
		},
		{
			title: 'a person chooses another company than the one that was found',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{
					says: { [C]: NAMESAKE },
					edit: { registry_idno: C },
					row: {
						...{ registry_idno: C, registry_changed: false },
						registry_changes: `found: Zefirul SRL (${C}); was: Zefirul SRL (${A}); chosen by its IDNO`,
					},
				},
			],
		},
		{
			title:
				'an IDNO beside the state that the row’s name contradicts is nobody’s choice: the reason says so, and it costs one request once',
			row: { Firma: 'Zefirul' },
			stores: (row) => ({ Firma: row.Firma!, registry_idno: B, [STATE]: row[STATE]! }),
			nights: [
				FIRST,
				{ row: { ...FOUND_A, ...QUIET, match_reason: text('in registry_idno') }, costs: 2 },
				{ row: { ...FOUND_A, ...QUIET }, costs: 1 },
			],
		},
		{
			title: 'the node’s own old IDNO is nobody’s choice after a correction, however long ago',
			row: { Firma: 'Zefirul Nord', Oraș: '' },
			companies: [
				{ ...ZEFIRUL, name: 'Zefirul Nord SRL' },
				NAMESAKE,
				{ ...VALMORA, name: 'Zefirul SRL' },
			],
			// The column of the IDNO was written once.
			stores: (row) => ({ Firma: row.Firma!, registry_idno: A, [STATE]: row[STATE]! }),
			nights: [
				{ row: { registry_idno: A } },
				{ edit: { Firma: 'Zefirul' }, row: { match_status: 'ambiguous', registry_idno: null } },
				{ row: { match_status: 'ambiguous', ...QUIET }, costs: 1 },
				{ row: { match_status: 'ambiguous', ...QUIET }, costs: 1 },
			],
		},
		{
			title: 'a person’s choice stays in its cell until it’s looked up',
			row: { Firma: 'Zefirul' },
			companies: [ZEFIRUL, NAMESAKE],
			nights: [
				{ row: { match_status: 'ambiguous' } },
				{ edit: { registry_idno: A }, row: FOUND_A },
				{
					edit: { registry_idno: C },
					is: { quota: 0 },
					row: { registry_idno: C, registry_status: 'active', ...UNCHECKED },
				},
				{ is: { failsFrom: 0 }, row: { registry_idno: C, ...UNCHECKED } },
				{ row: { registry_idno: C, match_quality: 'exact', match_reason: text('chosen') } },
			],
		},
		{
			title: 'an IDNO beside the state that the row’s own IDNO contradicts is nobody’s choice',
			row: { IDNO: A },
			nights: [
				FIRST,
				{
					edit: { registry_idno: B },
					row: { ...FOUND_A, match_reason: text(`The IDNO ${B} in registry_idno was ignored`) },
				},
			],
		},
		{
			title: 'a typo in the row’s name doesn’t contradict the company that a person chooses',
			row: { Firma: 'Zeforul' },
			nights: [
				{ row: { match_status: 'notFound' } },
				{ edit: { registry_idno: A }, row: { ...FOUND_A, match_reason: text('chosen') } },
			],
		},
		{
			title: 'a row with the company’s IDNO and a typo in its name stays exact, without a reason',
			row: { Firma: 'Zeforul', IDNO: A },
			nights: [
				{ row: { ...FOUND_A, match_quality: 'exact', match_reason: '' } },
				{ row: { ...FOUND_A, ...QUIET, match_quality: 'exact', match_reason: '' } },
			],
		},
		{
			title: 'an IDNO of the row that no company has doesn’t contradict a person’s choice',
			row: { Firma: 'Zefirul', IDNO: UNKNOWN },
			companies: [ZEFIRUL, NAMESAKE],
			nights: [
				{ row: { match_status: 'ambiguous' } },
				{ edit: { registry_idno: C }, row: { registry_idno: C, match_quality: 'exact' } },
			],
		},
		{
			title: 'a likely match is exact once the row has the company’s IDNO',
			row: { Firma: 'Agro Zefirrul', IDNO: '' },
			companies: [{ ...ZEFIRUL, name: 'Agro Zefirul SRL' }],
			parameters: { minScore: 'likely' },
			nights: [
				{ row: { registry_idno: A, match_quality: 'likely' } },
				{ row: { registry_idno: A, match_quality: 'likely' } },
				{
					edit: { IDNO: A },
					row: { registry_idno: A, match_quality: 'exact', match_reason: '' },
				},
			],
		},
		...[
			{ Firma: 'Zefirul Vallmora' },
			{ Firma: 'Zefirul', Oraș: 'Cahul' },
			{ Firma: 'Zefirul', IDNO: UNKNOWN, match_input: `Name: Zefirul; IDNO: ${UNKNOWN}` },
		].map((row): Case => ({
			title: `columns that don’t say how well the row matched aren’t exact for ${JSON.stringify(row)}`,
			row: without(row, 'match_input') as Row,
			companies: [ZEFIRUL, { ...VALMORA, name: 'Zefirul Vălmora SRL' }],
			parameters: { minScore: 'likely' },
			stores: few('registry_idno', 'registry_name', 'registry_city', 'registry_checked_at'),
			nights: [
				{ row: { match_status: 'found', match_quality: 'likely' } },
				{
					edit: 'match_input' in row ? { match_input: row.match_input! } : {},
					row: { match_status: 'found', match_quality: 'likely' },
				},
			],
		})),
		{
			title: 'a name whose end was mended is searched at once, if the row has no company',
			row: { Firma: 'Zefirull' },
			parameters: { options: { skipRowsCheckedWithin: 30 } },
			nights: [
				{ row: { match_status: 'notFound' } },
				{ row: UNCHECKED, costs: 0 },
				{ edit: { Firma: 'Zefirul' }, row: FOUND_A },
			],
		},
		{
			title: 'an IDNO that the registry doesn’t have isn’t taken as a person’s choice',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{
					edit: { registry_idno: UNKNOWN },
					row: { ...FOUND_A, ...QUIET, match_reason: text('because the registry has no such') },
				},
			],
		},
		{
			title: 'a number with a wrong check digit is nobody’s choice, and isn’t looked up',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{
					edit: { registry_idno: B.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)) },
					row: { ...FOUND_A, ...QUIET, match_reason: '' },
					costs: 1,
				},
			],
		},
		{
			title: 'an emptied IDNO means nothing beside a state',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{ edit: { registry_idno: '' }, is: { isBlind: true }, row: { ...FOUND_A, ...QUIET } },
			],
		},
		{
			title: 'a row starts over once its state, or without one its IDNO, is emptied',
			row: { Firma: 'Zefirul' },
			nights: [
				FIRST,
				{
					edit: { [STATE]: '', registry_idno: '' },
					is: { isBlind: true },
					row: { match_status: 'notFound', registry_name: null, registry_changed: false },
				},
			],
		},
		{
			title: 'a renamed company stays, and is called renamed on that night only',
			row: { Firma: 'Vălmora' },
			nights: [
				{ row: { registry_idno: B } },
				{
					says: { [B]: { name: 'Brumalux S.R.L.' } },
					row: {
						...{ registry_changes: 'name: Vălmora SRL → Brumalux S.R.L.', match_quality: 'exact' },
						match_reason: 'The registry has renamed this company to Brumalux S.R.L.',
					},
				},
				{
					row: {
						match_reason: 'In the registry, this company is called Brumalux S.R.L.',
						...QUIET,
					},
				},
			],
		},
		{
			title: 'a number of another company that the row already had is only named',
			row: { Firma: 'Zefirul', Ref: B },
			nights: [
				FIRST,
				{
					row: {
						...FOUND_A,
						match_reason: `The number ${B} in the row isn't this company's IDNO.`,
					},
				},
			],
		},
		{
			title:
				'columns without a state whose company has another name than the row aren’t an exact match',
			row: { Firma: 'Zefirul' },
			stores: few('registry_idno', 'registry_name', 'registry_checked_at'),
			nights: [
				FIRST,
				{
					edit: { Firma: 'Vălmora' },
					row: {
						...{ registry_idno: A, match_quality: 'likely', ...QUIET },
						match_reason: '"Vălmora" doesn\'t match "Zefirul" in the registry.',
					},
				},
			],
		},
		{
			title: 'columns without a state keep a renamed company',
			row: { Firma: 'Zefirul' },
			stores: few('registry_idno', 'registry_name', 'registry_checked_at'),
			nights: [
				FIRST,
				{
					says: { [A]: { name: 'Brumalux SRL' } },
					row: { registry_idno: A, match_quality: 'exact' },
				},
				{ row: { registry_idno: A, match_quality: 'likely', ...QUIET } },
			],
		},
		{
			title: 'columns without a state whose IDNO isn’t the row’s any more are searched again',
			row: { Firma: 'Zefirul', IDNO: A },
			stores: few('registry_idno', 'registry_name', 'registry_checked_at'),
			nights: [
				FIRST,
				{
					edit: { Firma: 'Vălmora', IDNO: B },
					is: { quota: 0 },
					row: { match_reason: text(/^The row's IDNO isn't the one in registry_idno\. Waiting/) },
				},
				{ row: { registry_idno: B } },
			],
		},
		{
			title: 'without a date, too, a row says which other company it has now',
			row: { Firma: 'Zefirul' },
			stores: few('registry_name', 'registry_city'),
			nights: [
				FIRST,
				{
					edit: { Firma: 'Vălmora' },
					row: {
						registry_idno: B,
						registry_changes: `found: Vălmora SRL (${B}); was: Zefirul SRL; searched again`,
					},
				},
			],
		},
		{
			title: 'without a state, the IDNO that a person enters is the row’s company',
			row: { Firma: 'Zefirul' },
			companies: [ZEFIRUL, NAMESAKE],
			stores: noState,
			nights: [
				{ row: { match_status: 'ambiguous' } },
				{ edit: { registry_idno: C }, row: { match_status: 'found', registry_idno: C }, costs: 1 },
			],
		},
		{
			title: 'another company leaves nothing of the one before, and no other column is touched',
			row: { Firma: 'Zefirul', registry_contact: 'Ana' },
			companies: [{ ...ZEFIRUL, administrator: 'Ion' }, VALMORA],
			nights: [
				{ row: { registry_administrator: 'Ion', registry_contact: 'Ana' } },
				{
					edit: { Firma: 'Vălmora', registry_rating: 'B' },
					row: {
						...{
							registry_name: 'Vălmora SRL',
							registry_administrator: null,
							registry_rating: null,
						},
						registry_contact: 'Ana',
					},
					costs: 1,
				},
			],
		},
		{
			title: 'a new company clears what the earlier one left in a list that only has the state',
			row: { Firma: 'Zefirul' },
			stores: onlyState,
			companies: [{ ...ZEFIRUL, administrator: 'Ion' }, VALMORA],
			nights: [
				{ row: { registry_administrator: 'Ion' } },
				{
					edit: { Firma: 'Vălmora' },
					row: { registry_name: 'Vălmora SRL', registry_administrator: null },
				},
			],
		},
		{
			title: 'a place that the registry no longer sends still differs from the row’s',
			row: { Firma: 'Zefirul', Oraș: 'Bender' },
			parameters: { minScore: 'likely' },
			nights: [
				{ row: { ...FOUND_A, match_quality: 'likely', match_reason: text('location') } },
				{ says: { [A]: { city: undefined } }, row: { match_reason: text('location') } },
			],
		},
		{
			title: 'an outdated IDNO isn’t taken as a person’s choice after two corrections',
			row: { Firma: 'Zefirul' },
			companies: [ZEFIRUL, VALMORA, { ...NAMESAKE, name: 'Brumalux SRL' }],
			stores: onlyState,
			nights: [
				FIRST,
				{ edit: { Firma: 'Vălmora' }, row: { registry_idno: B } },
				{ edit: { Firma: 'Brumalux', registry_idno: B }, row: { registry_idno: C } },
				{ edit: { registry_idno: B }, row: { registry_idno: C, ...QUIET }, costs: 1 },
			],
		},
		{
			title:
				'without a column that says when the row was searched, the recommendation alone isn’t enough',
			row: { Firma: 'Zefirul' },
			parameters: { addCredit: true },
			stores: few('registry_idno', 'registry_name', 'registry_status', 'registry_checked_at'),
			nights: [
				{ row: FOUND_A, costs: 2 },
				{ row: FOUND_A, costs: 2 },
			],
		},
		{
			title: 'the recommendation is enough for a month, as long as it says nothing new',
			row: { Firma: 'Zefirul' },
			parameters: { addCredit: true },
			nights: [
				{ row: { ...FOUND_A, registry_rating: 'B' }, costs: 2 },
				{ row: QUIET, costs: 1 },
				{
					says: { [A]: { status: 'suspended', city: 'Bender' } },
					row: { registry_changes: 'status: active → suspended; city: Orhei → Bender' },
					costs: 2,
				},
				{ after: 28, row: QUIET, costs: 1 },
				{ after: 3, row: QUIET, costs: 2 },
				{ says: { [A]: { status: '' } }, row: { registry_changed: true }, costs: 2 },
				{ says: { [A]: { status: 'closed' } }, is: { isBlind: true }, row: FOUND_A, costs: 2 },
			],
		},
		{
			title: 'a check that fails when the search is due doesn’t put the search off',
			row: { Firma: 'Zefirul' },
			parameters: { addCredit: true },
			nights: [
				{ row: FOUND_A, costs: 2 },
				{ after: 31, is: { failsFrom: 0 }, row: { ...FOUND_A, ...UNCHECKED } },
				{ says: { [A]: { city: 'Bender' } }, row: { registry_city: 'Bender' }, costs: 2 },
			],
		},
		{
			title: 'a row that only has the rating costs one request, as it would with the name',
			row: { Firma: 'Zefirul' },
			parameters: { addCredit: true, output: 'fields', fields: ['rating'] },
			nights: [
				{ row: { registry_idno: A, registry_rating: 'B' }, costs: 2 },
				{ row: { registry_idno: A, registry_rating: 'B' }, costs: 1 },
			],
		},
		{
			title: 'a state that’s full still tells a change of the rating, and empties no name',
			row: { Firma: `Zefirul ${'Construct '.repeat(8)}`, Oraș: 'Orhei', Forma: 'SRL' },
			companies: [{ ...ZEFIRUL, name: `Zefirul ${'Construct '.repeat(8)}SRL`, legal_form: 'SRL' }],
			parameters: { addCredit: true },
			stores: onlyState,
			nights: [
				{ row: { registry_idno: A, registry_rating: 'B' } },
				{
					is: { credits: { rating: 'F' } },
					row: {
						...{ registry_changed: true, registry_changes: 'rating: B → F' },
						registry_name: text('Zefirul Construct'),
					},
				},
				{ is: { credits: { rating: 'F' } }, row: { ...QUIET, registry_name: text('Zefirul') } },
			],
		},
		{
			title: 'a group that was null is no change in the raw output, when it comes and when it goes',
			row: { Firma: 'Zefirul' },
			parameters: { output: 'raw' },
			companies: [{ ...ZEFIRUL, contacts: null }],
			nights: [
				FIRST,
				{ says: { [A]: { contacts: { email: 'a@b.md' } } }, row: QUIET },
				{
					says: { [A]: { contacts: null } },
					row: { ...QUIET, registry_contacts: { email: 'a@b.md' } },
				},
			],
		},
		{
			title: 'a recommendation that spells the name and the status otherwise costs no more',
			row: { Firma: 'Zefirul' },
			parameters: { addCredit: true },
			stores: onlyState,
			nights: [
				{
					is: { credits: { name: 'S.R.L. ZEFIRUL', status: 'ACT' } },
					row: { ...FOUND_A, registry_status: 'active' },
					costs: 2,
				},
				{
					is: { credits: { name: 'S.R.L. ZEFIRUL', status: 'ACT' } },
					row: { ...FOUND_A, ...QUIET, registry_status: 'active' },
					costs: 1,
				},
				{
					...STATUS,
					is: { credits: { name: 'S.R.L. ZEFIRUL', status: 'INC' } },
					row: CHANGED,
					costs: 2,
				},
			],
		},
		{
			title: 'the quota ends at the recommendation, which is all that the next night costs',
			row: { Firma: 'Zefirul', Oraș: 'Bender' },
			parameters: { addCredit: true, minScore: 'likely', options: { skipRowsCheckedWithin: 7 } },
			nights: [
				{
					is: { quota: 2 },
					row: {
						match_status: 'found',
						match_reason: text(/^The credit recommendation is waiting for the quota\. \S/),
					},
				},
				{ row: { registry_rating: 'B', ...QUIET }, costs: 1 },
				{ row: { registry_rating: 'B', ...UNCHECKED }, costs: 0 },
			],
		},
		{
			title: 'without a state, a row whose recommendation is waiting is due again',
			row: { Firma: 'Zefirul' },
			stores: noState,
			parameters: { addCredit: true, options: { skipRowsCheckedWithin: 7 } },
			nights: [
				{ is: { quota: 1 }, row: { ...FOUND_A, match_reason: text('waiting for the quota') } },
				{ row: { registry_rating: 'B', match_reason: '' }, costs: 1 },
			],
		},
		{
			title: 'a recommendation that fails leaves the old one, and the row is due again',
			row: { Firma: 'Zefirul' },
			parameters: { addCredit: true, options: { skipRowsCheckedWithin: 7 } },
			nights: [
				{ row: { registry_rating: 'B' } },
				{
					after: 8,
					is: { failsFrom: 0, failsUntil: 1 },
					row: {
						...FOUND_A,
						registry_rating: 'B',
						match_reason: text(/^The credit recommendation couldn't be read: .*Down/),
					},
				},
				{ row: { registry_rating: 'B', match_reason: '', ...QUIET } },
			],
		},
		{
			title: 'without a state, a row whose recommendation has failed is due again',
			row: { Firma: 'Zefirul' },
			stores: noState,
			parameters: { addCredit: true, options: { skipRowsCheckedWithin: 7 } },
			nights: [
				{
					is: { failsFrom: 1, failsUntil: 2 },
					row: { ...FOUND_A, match_reason: text("couldn't be read") },
				},
				{ row: { registry_rating: 'B', match_reason: '' } },
			],
		},
		{
			title: 'the first recommendation is no change, and the last one stays if it’s turned off',
			row: { Firma: 'Zefirul' },
			nights: [
				{ row: { ...FOUND_A, registry_rating: undefined } },
				{ parameters: { addCredit: true }, is: { isDenied: true }, row: { ...FOUND_A, ...QUIET } },
				{ row: { registry_rating: 'B', ...QUIET } },
				{ parameters: {}, row: { registry_rating: 'B', ...QUIET }, costs: 1 },
			],
		},
		{
			title: 'a row is due a twelfth of the time before, and twelve hours at most',
			row: { Firma: 'Zefirul' },
			parameters: { options: { skipRowsCheckedWithin: 1 } },
			nights: [
				FIRST,
				{ after: 21.5 / 24, row: UNCHECKED },
				{ after: 0.9 / 24, row: QUIET },
				{ parameters: { options: { skipRowsCheckedWithin: 30 } }, after: 29.48, row: UNCHECKED },
				{ after: 0.2, row: QUIET },
			],
		},
		{
			title: 'the reason of a skipped row says within how many days it was checked',
			row: { Firma: 'Zefirul' },
			stores: few('registry_idno', 'registry_checked_at'),
			nights: [
				FIRST,
				{
					parameters: { options: { skipRowsCheckedWithin: 30 } },
					after: 0.1,
					row: { match_reason: text('Skipped, because it was checked in the last 30 days.') },
				},
				{
					parameters: { options: { skipRowsCheckedWithin: 1 } },
					after: 0.1,
					row: { match_reason: text('in the last day.') },
				},
			],
		},
		{
			title: 'a skipped row keeps the reason that its state has',
			row: { Firma: 'Zefirul' },
			stores: onlyState,
			parameters: { options: { skipRowsCheckedWithin: 30 } },
			nights: [FIRST, { row: { ...FOUND_A, ...UNCHECKED, match_reason: '' }, costs: 0 }],
		},
		{
			title: 'a company’s IDNO in another form is no change',
			row: { Firma: 'Zefirul' },
			stores: noState,
			nights: [FIRST, { edit: { registry_idno: `IDNO: ${A}` }, row: { ...FOUND_A, ...QUIET } }],
		},
		{
			title: 'Minimum Match holds for new matches only, and a match keeps its reason',
			row: { Firma: 'Brumalux', IDNO: A },
			parameters: { minScore: 'likely' },
			nights: [
				{ row: { ...FOUND_A, match_quality: 'likely', match_reason: text('Brumalux') } },
				{
					parameters: { minScore: 'exact' },
					row: { ...FOUND_A, match_quality: 'likely', match_reason: text('Brumalux') },
				},
			],
		},
	])('$title', async ({ row, stores = (each) => each, parameters, companies, nights }) => {
		const registry = new ModelRegistry();
		for (const company of companies ?? [ZEFIRUL, VALMORA]) registry.set(company);
		let [stored, at, settings] = [row, -1, parameters];
		for (const { says = {}, edit, parameters: changed, is, after = 1, ...expected } of nights) {
			for (const [idno, company] of Object.entries(says)) {
				if (company) registry.set({ ...registry.companies.get(idno)!, ...company });
				else registry.companies.delete(idno);
			}
			stored = typeof edit === 'function' ? edit(stored) : { ...stored, ...edit };
			settings = changed ?? settings;
			at += after;
			setNight(at);
			registry.begin({ quota: Infinity, ...is });
			const [result] = (await runNight(registry, [stored], settings)).rows;
			const isMissing = ([, value]: [string, unknown]) => value === undefined;
			const missing = Object.entries(expected.row).filter(isMissing);
			expect(result).toMatchObject(without(expected.row, ...missing.map(([name]) => name)));
			for (const [name] of missing) expect(result).not.toHaveProperty(name);
			if (expected.costs !== undefined) expect(registry.requests).toHaveLength(expected.costs);
			stored = stores(result!);
		}
	});
});

describe('A mapping that has changed', () => {
	const COMPANIES = [ZEFIRUL, VALMORA, { ...NAMESAKE, name: 'Brumalux SA' }];
	const list = COMPANIES.map(({ name }) => ({ Firma: name }));
	const idnosIn = (rows: Row[]) => rows.map((row) => row.registry_idno);

	/** The list after its first night with the right mapping, and what goes on with it. */
	async function nightsOf(rows: Row[]) {
		const registry = new ModelRegistry();
		for (const company of COMPANIES) registry.set(company);
		let stored = rows;
		let night = 0;
		const next = async (
			quota: number,
			edit: (row: Row, at: number) => Row | Row[] = (row) => row,
		) => {
			setNight(night++);
			registry.begin({ quota });
			const edited: Row[] = stored.map(edit).flat() as Row[];
			const outcome = await runNight(registry, edited);
			stored = outcome.rows;
			return { rows: stored, notices: outcome.hints.map(({ message }) => message).join() };
		};
		await next(Infinity);
		return next;
	}

	it('a new column corrects no row that was last checked without it, however many nights the list takes', async () => {
		const next = await nightsOf(list);
		const mapped = (row: Row) => ({ ...row, Oraș: 'Soroca' });
		for (const rest of [1, 1, 1]) {
			const { rows, notices } = await next(rest, mapped);
			expect(idnosIn(rows)).toEqual([A, B, C]);
			expect(notices).toContain('The city is new in all rows');
		}
		const { rows, notices } = await next(Infinity, mapped);
		expect(idnosIn(rows)).toEqual([A, B, C]);
		expect(notices).not.toContain('is new in all rows');
	});

	it('one name for all rows gives no row the company of that name, however many nights the list takes', async () => {
		const next = await nightsOf(list);
		for (const quota of [1, 1, 1]) {
			const { rows, notices } = await next(quota, (row) => ({ ...row, Firma: 'Zefirul SRL' }));
			expect(idnosIn(rows)).toEqual([A, B, C]);
			if (rows.some(({ match_input: input }) => input !== 'Name: Zefirul SRL')) {
				expect(notices).toContain('The name is the same in all rows now');
			}
		}
	});

	it('a new IDNO for all rows that contradicts their companies makes the matches likely until the mapping is right again', async () => {
		const next = await nightsOf(list);
		const mapped = (row: Row) => ({ ...row, IDNO: UNKNOWN });
		for (const edit of [mapped, mapped]) {
			const { rows } = await next(Infinity, edit);
			expect(idnosIn(rows)).toEqual([A, B, C]);
			expect(rows.map((row) => row.match_quality)).toEqual(['likely', 'likely', 'likely']);
		}
		const { rows } = await next(Infinity, (row) => ({ ...row, IDNO: '' }));
		expect(rows.map((row) => row.match_quality)).toEqual(['exact', 'exact', 'exact']);
	});

	it('a cell that a person fills in is a correction, even if only the row that was checked longest ago lacked it', async () => {
		const next = await nightsOf([{ Firma: 'Zefirul SRL', Oraș: '' }]);
		const added = [VALMORA, COMPANIES[2]!].map(({ name, city }): Row => ({
			Firma: name,
			Oraș: city,
		}));
		// New rows go first.
		await next(2, (row) => [row, ...added]);
		const { rows, notices } = await next(Infinity, (row) => ({
			...row,
			Oraș: row.Oraș || 'Soroca',
		}));
		expect(rows[0]).toMatchObject({ match_status: 'notFound', registry_idno: null });
		expect(notices).not.toContain('is new in all rows');
	});

	it('a cell that a person fills in is a correction if only some rows lacked it', async () => {
		const next = await nightsOf(list.map((row, at) => ({ ...row, Oraș: at === 0 ? '' : 'Cahul' })));
		const { rows, notices } = await next(Infinity, (row, at) =>
			at === 0 ? { ...row, Oraș: 'Soroca' } : row,
		);
		expect(rows[0]).toMatchObject({ match_status: 'notFound', registry_idno: null });
		expect(notices).not.toContain('is new in all rows');
	});
});
