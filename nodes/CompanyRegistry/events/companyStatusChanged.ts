import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { systemClock } from '../../shared/http/clock';
import { connect } from '../../shared/http/connection';
import type { Host } from '../../shared/http/connection';
import { InputError } from '../../shared/http/errors';
import type { Json } from '../../shared/http/envelope';
import { sendRequest } from '../../shared/http/request';
import type { ApiRequest } from '../../shared/http/request';
import { shorten } from '../../shared/http/values';
import { toNodeError } from '../../shared/node/nodeError';
import { isBlank, oneOf, readFlag, validateOrThrow } from '../../shared/node/validators';
import type { PollOutcome, Parameter, TriggerEvent, Watcher } from '../../shared/poll/event';
import type { Session } from '../../shared/poll/session';
import { companyRegistry, variantOf } from '../api';
import { fieldsOf } from '../company';
import { watchListOf } from '../idno';
import { checkDigit, idno as company } from '../panel';
import { readCompanyRecord } from '../search';
import { dailyRequestsOption, openAllowance } from './allowance';
import {
	companiesSchema,
	DISAPPEARANCE,
	noneFound,
	pollCompanies,
	sampleOf,
	STATUS_EVENT,
} from './companies';
import type { CompaniesPoll, CompaniesState } from './companies';
import {
	cellOfValue,
	readWatched,
	requestsPerCheck,
	requireFields,
	valueOf,
	WATCHABLE,
} from './check';
import type { Client, Watched } from './check';

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
		hint: 'Polling every hour is enough. Each poll checks some of the companies, within your daily request budget.',
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
			loadOptionsDependsOn: ['watch', 'companies', 'watchListText'],
		},
		// An expression can return other names.
		allowArbitraryValues: true,
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		hint: "Any field of the full record (V1 API only). The list shows the first company's values. If you also select Fields to Watch, a check usually takes two requests instead of one.",
	},
];

const options: INodeProperties[] = [dailyRequestsOption, checkDigit];

export const companyStatusChanged: TriggerEvent = {
	value: 'companyStatusChanged',
	name: 'Company Status Changed',
	description:
		"When a watched company's status, rating or any other field changes, or when it disappears from the registry",
	output: STATUS_EVENT,
	fields,
	options,
	watch(parameter): Watcher<CompaniesState> {
		const watched = watchedIn(parameter);
		const { checkDigit: flag } = parameter<Json>('options', {});
		const idnos = watchListOf(givenList(parameter), readFlag(flag, true, 'Validate Check Digit'));
		return {
			state: companiesSchema,
			poll: async (stored, session) => await poll(watched, idnos, stored, session, parameter),
			sample: async (session) => await sample(watched, idnos[0] as string, session),
		};
	},
};

function watchedIn(parameter: Parameter): Watched {
	const selected = namesIn(parameter<unknown>('fieldsToWatch', ['status']));
	for (const name of selected) {
		validateOrThrow(oneOf([...WATCHABLE, DISAPPEARANCE]), name, 'Fields to Watch');
	}
	const others = namesIn(parameter<unknown>('otherFieldsToWatch', []));
	const isSelected = (name: string) => [...selected, ...others].includes(name);
	const watched = {
		fields: WATCHABLE.filter(isSelected),
		others: others.filter((name) => isOtherField(name) && name !== DISAPPEARANCE),
		disappearance: isSelected(DISAPPEARANCE),
	};
	if (watched.fields.length + watched.others.length === 0 && !watched.disappearance) {
		throw new InputError('The parameter "Fields to Watch" is empty', 'Select at least one field.');
	}
	return watched;
}

/** Whether a field can only be watched in the full record. */
function isOtherField(name: string): boolean {
	return !['idno', ...WATCHABLE].includes(name);
}

/** Names as a list or, from an expression, as text with commas. */
function namesIn(value: unknown): string[] {
	const names = [value].flat().flatMap((text) => String(text ?? '').split(','));
	return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '');
}

function givenList(parameter: Parameter): unknown {
	return parameter<string>('watch', 'list') === 'text'
		? parameter<unknown>('watchListText', '')
		: selectedIn(parameter<unknown>('companies', {}));
}

function selectedIn(companies: unknown): unknown[] {
	const { company: rows = [] } = (companies ?? {}) as { company?: Array<{ idno?: unknown }> };
	return rows.map(({ idno }) => (idno as { value?: unknown } | undefined)?.value ?? idno);
}

async function poll(
	watched: Watched,
	idnos: readonly string[],
	stored: CompaniesState | undefined,
	session: Session,
	parameter: Parameter,
): Promise<PollOutcome> {
	const variant = variantOf(session.account.settings);
	requireFields(variant, watched);
	const least = requestsPerCheck(variant, watched, stored?.source);
	const allowance = openAllowance(session, parameter, stored?.allowance, least);
	const client: Client = { variant, send: async (request) => await allowance.send(request) };
	const state: CompaniesPoll['state'] = stored ?? { companies: new Map() };
	const isFirst = stored === undefined;
	const events = await pollCompanies(
		{ watched, state, session, allowance, client, isFirst },
		idnos,
	);
	const companies = [...state.companies];
	return { state: { ...state, companies, allowance: allowance.stored() }, events };
}

async function sample(watched: Watched, idno: string, session: Session): Promise<Json> {
	const variant = variantOf(session.account.settings);
	requireFields(variant, watched);
	const client: Client = { variant, send: async (request) => await session.send(request) };
	const found = await readWatched(idno, watched, client);
	if (!found) throw noneFound([idno]);
	return sampleOf(found.shown, watched);
}

const LONGEST_EXAMPLE = 60;
/** How long a user waits for the list to open. */
const MAX_WAIT_MS = 10_000;

/** The options of *Other Fields to Watch*: the fields of the first watched company, with its values. */
export async function fullRecordFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const host = this as unknown as Host;
	try {
		const parameter: Parameter = <T>(name: string, fallback: T) =>
			(this.getCurrentNodeParameter(name) ?? fallback) as T;
		const [idno = ''] = watchListOf(givenList(parameter), false);
		const connection = await connect(host, companyRegistry);
		if (variantOf(connection.account.settings) !== 'v1') return [];
		const deadline = systemClock.now() + MAX_WAIT_MS;
		const send = async (request: ApiRequest) =>
			await sendRequest(host, connection, request, { deadline });
		const record = await readCompanyRecord(send, 'dossier', idno);
		if (!record) throw noneFound([idno]);
		return [...fieldsOf(record)]
			.filter(([name]) => isOtherField(name))
			.map(([name, value]) => {
				const cell = cellOfValue(valueOf(value));
				const description = isBlank(cell) ? 'Empty now' : shorten(String(cell), LONGEST_EXAMPLE);
				return { name, value: name, description };
			});
	} catch (error) {
		// No company is selected, or an expression selects it.
		if (error instanceof InputError) return [];
		throw toNodeError(this.getNode(), error);
	}
}
