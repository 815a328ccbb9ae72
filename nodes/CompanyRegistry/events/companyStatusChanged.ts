import type { INodeProperties } from 'n8n-workflow';

import type { Json } from '../../shared/http/json';
import { enteredIn } from '../../shared/node/inputs';
import { emptyParameter, oneOf } from '../../shared/node/validators';
import type { Parameter, TriggerEvent } from '../../shared/poll/event';
import { wantsCheckDigit, watchListOf } from '../idno';
import { namesIn } from '../output/shape';
import { checkDigit, idno as company } from '../panel';
import { dailyRequestsOption } from './allowance';
import { WATCHABLE, type Watched } from './check';
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
						description: 'Select from the list, or enter an IDNO',
						modes: company.modes?.filter(({ name }) => name === 'list' || name === 'idno'),
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
			'IDNOs to watch, one per line or separated by commas. To watch a sheet or CRM, use a Schedule Trigger, as in the example "Watch the companies in a table your team edits".',
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
		type: 'string',
		default: '',
		placeholder: 'e.g. administrators, address',
		description:
			'More fields of the full record, named as in the simplified output of Company: Get. V1 API only.',
		hint: 'Separate names with commas. If you also select Fields to Watch, a check usually takes two requests instead of one.',
	},
];

export const companyStatusChanged: TriggerEvent = {
	name: 'Company Status Changed',
	description:
		"When a company's status, rating or another field you select changes, or when it disappears from the registry",
	output: STATUS_EVENT,
	cost: 'Set <b>Mode</b> to <b>Every X</b> and 15 minutes. A poll costs up to one request per company, or two with <b>Other Fields to Watch</b>. If time or the daily request budget runs out, the next poll continues.',
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
	const others = namesIn(parameter('otherFieldsToWatch', ''), 'Other Fields to Watch');
	const all = [...selected, ...others];
	if (all.length === 0) throw emptyParameter('Fields to Watch');
	const wanted = all.filter((name) => name !== DISAPPEARANCE);
	const inOrder = [...WATCHABLE.filter((name) => wanted.includes(name)), ...wanted];
	return { fields: [...new Set(inOrder)], disappearance: all.includes(DISAPPEARANCE) };
}

function givenList(parameter: Parameter): unknown {
	const watch = oneOf(['list', 'text'])(parameter('watch', 'list'), 'Companies to Watch');
	if (watch === 'text') return parameter('watchListText', '');
	const { company: rows = [] } = parameter<{ company?: Json[] }>('companies', {});
	return rows.map(({ idno }) => enteredIn(idno));
}
