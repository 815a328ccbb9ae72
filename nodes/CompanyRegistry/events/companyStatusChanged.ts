import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { hostOf } from '../../shared/http/connection';
import type { Json } from '../../shared/http/json';
import { shorten } from '../../shared/http/text';
import { enteredIn } from '../../shared/node/inputs';
import { readOptions } from '../../shared/node/listSearch';
import { emptyParameter, oneOf } from '../../shared/node/validators';
import type { Parameter, TriggerEvent } from '../../shared/poll/event';
import { companyRegistry, variantOf } from '../api';
import { fieldsOf } from '../company';
import { idnosIn, wantsCheckDigit, watchListOf } from '../idno';
import { namesIn } from '../output/shape';
import { checkDigit, idno as company } from '../panel';
import { readCompanyRecord } from '../search';
import { dailyRequestsOption } from './allowance';
import { cellOfValue, WATCHABLE, type Watched } from './check';
import { DISAPPEARANCE, STATUS_EVENT, watchCompanies } from './companies';

const fields: INodeProperties[] = [
	{
		displayName: 'Companies to Watch',
		name: 'watch',
		type: 'options',
		default: 'list',
		options: [
			{ name: 'List of IDNOs', value: 'text', description: 'Paste any number of IDNOs' },
			{ name: 'Selected Companies', value: 'list', description: 'Select them by name or IDNO' },
		],
	},
	{
		displayName: 'Companies',
		name: 'companies',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add company',
		// Starts with an entry to fill in, as Poll Times does.
		default: { company: [{ idno: { __rl: true, mode: 'list', value: '' } }] },
		displayOptions: { show: { watch: ['list'] } },
		options: [
			{
				displayName: 'Company',
				name: 'company',
				values: [
					{
						displayName: 'Company',
						name: 'idno',
						type: 'resourceLocator',
						default: { mode: 'list', value: '' },
						required: true,
						description: 'Select from the list, or enter an IDNO. Each search costs one request.',
						// The same hint in every row would be noise.
						modes: company.modes
							?.filter(({ name }) => name === 'list' || name === 'idno')
							.map((mode) => ({ ...mode, hint: undefined })),
					},
				],
			},
		],
	},
	{
		displayName: 'IDNOs',
		name: 'watchListText',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. 1003600015231, 1008600038413',
		description:
			'One IDNO per line, or separated by commas. To watch a sheet or CRM, use a Schedule Trigger, as in the example "Watch the companies in a table your team edits".',
		displayOptions: { show: { watch: ['text'] } },
	},
	{
		displayName: 'Fields to Watch',
		name: 'fieldsToWatch',
		type: 'multiOptions',
		default: ['status'],
		options: [
			{
				name: 'Disappearance',
				value: DISAPPEARANCE,
				description: 'The company has been missing from the registry for more than a day',
			},
			{ name: 'Insolvency Risk', value: 'insolvency_risk', description: 'V1 API only' },
			{ name: 'Rating', value: 'rating', description: 'V1 API only' },
			{ name: 'Recommended Limit', value: 'recommended_limit_mdl', description: 'V1 API only' },
			{ name: 'Score', value: 'score', description: 'V1 API only' },
			{ name: 'Status', value: 'status', description: 'Available with both APIs' },
		],
		description: 'Start the workflow when any of these changes',
	},
	{
		displayName: 'Other Fields to Watch',
		name: 'otherFieldsToWatch',
		type: 'multiOptions',
		typeOptions: {
			loadOptionsMethod: 'fullRecordFields',
			loadOptionsDependsOn: ['watch', 'companies.company[0].idno.value', 'watchListText'],
		},
		// An expression can return other names.
		allowArbitraryValues: true,
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		hint: 'Any field of the full record (V1 API only). The list shows the values of the first company as examples. If you also select Fields to Watch, a check usually takes two requests instead of one.',
	},
];

export const companyStatusChanged: TriggerEvent = {
	name: 'Company Status Changed',
	description:
		"When a watched company's status, rating or any other field changes, or when it disappears from the registry",
	output: STATUS_EVENT,
	cost: 'A poll costs up to one request per company, or two with <b>Other Fields to Watch</b>. Companies that the daily request budget has no room for wait for a later poll. <b>Every Hour</b> or <b>Every Day</b> is enough for most lists.',
	fields,
	options: [dailyRequestsOption, checkDigit],
	watch(parameter) {
		const idnos = watchListOf(givenList(parameter), wantsCheckDigit(parameter));
		return watchCompanies(idnos, watchedIn(parameter), parameter);
	},
};

function watchedIn(parameter: Parameter): Watched {
	const selected = namesIn(parameter('fieldsToWatch', ['status']), 'Fields to Watch');
	for (const name of selected) {
		oneOf([...WATCHABLE, DISAPPEARANCE])(name, 'Fields to Watch');
	}
	const others = namesIn(parameter('otherFieldsToWatch', []), 'Other Fields to Watch');
	const all = [...selected, ...others];
	if (all.length === 0) throw emptyParameter('Fields to Watch');
	const wanted = all.filter((name) => name !== DISAPPEARANCE);
	const inOrder = [...WATCHABLE.filter((name) => wanted.includes(name)), ...wanted];
	return { fields: [...new Set(inOrder)], disappearance: all.includes(DISAPPEARANCE) };
}

function givenList(parameter: Parameter): unknown {
	if (parameter<string>('watch', 'list') === 'text') return parameter('watchListText', '');
	const { company: rows = [] } = parameter<{ company?: Json[] }>('companies', {});
	return rows.map(({ idno }) => enteredIn(idno));
}

const LONGEST_VALUE = 60;

/** The options of *Other Fields to Watch*: the fields of the first watched company, with its values. */
export async function fullRecordFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const parameter: Parameter = <T>(name: string, fallback: T) =>
		(this.getCurrentNodeParameter(name) ?? fallback) as T;
	const [idno] = idnosIn(givenList(parameter));
	if (idno === undefined) return [];
	const { results } = await readOptions(hostOf(this), companyRegistry, {
		key: `fields of ${idno}`,
		async fetchPage(account) {
			if (variantOf(account.settings) !== 'v1') return { rows: [] };
			const record = await readCompanyRecord(account, 'dossier', idno);
			return { rows: [...fieldsOf(record ?? {})].map(([name, value]) => ({ name, value })) };
		},
		toOption({ name, value }) {
			const field = String(name);
			if (field === 'idno' || WATCHABLE.includes(field)) return undefined;
			const shown = String(cellOfValue(value) ?? 'Empty now');
			return { name: field, value: field, description: shorten(shown, LONGEST_VALUE) };
		},
	});
	return results;
}
