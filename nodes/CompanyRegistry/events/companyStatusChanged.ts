import type { INodeProperties } from 'n8n-workflow';

import type { Json } from '../../shared/http/envelope';
import { InputError } from '../../shared/http/errors';
import { readFlag } from '../../shared/node/validators';
import type { PollOutcome, Parameter, TriggerEvent, Watcher } from '../../shared/poll/event';
import { storedReading } from '../../shared/poll/lap';
import type { Session } from '../../shared/poll/session';
import { dailyRequestsOption, openChecks } from './budget';
import type { Checks } from './budget';
import { checkDigit, idno as company } from '../panel';
import { variantOf } from '../api';
import type { SearchQuery } from '../companySearch';
import { companiesSchema, DISAPPEARANCE, sampleOf, STATUS_EVENT } from './companies';
import type { CompaniesState, Company, Watched } from './companies';
import { pollListed } from './listedCompanies';
import { lookUp, shownCompany, sourceFor, WATCHABLE } from './lookUp';
import type { Source } from './lookUp';
import { nothingFound, searchFilters, searchPages, searchQueryIn } from './search';
import { pollSearched } from './searchedCompanies';
import { watchListOf } from '../idno';

const fields: INodeProperties[] = [
	{
		displayName: 'Companies to Watch',
		name: 'watch',
		type: 'options',
		default: 'list',
		options: [
			{ name: 'List of IDNOs', value: 'text', description: 'Paste any number of IDNOs' },
			{
				name: 'Search Results',
				value: 'search',
				description: 'All companies with a name, an activity or a region',
			},
			{ name: 'Selected Companies', value: 'list', description: 'Select them by name or IDNO' },
		],
		description: 'Registry data changes about once a week, so poll every hour',
	},
	{
		displayName: 'Companies',
		name: 'companies',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add company',
		// One entry to fill in, like that of Poll Times.
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
			'One IDNO per line, or several separated by commas. A trigger has no input, so an expression cannot read a sheet or a CRM: for that, see the example "Watch the companies of a table that a team edits".',
		displayOptions: { show: { watch: ['text'] } },
	},
	{ ...searchFilters, displayOptions: { show: { watch: ['search'] } } },
	{
		displayName: 'Fields to Watch',
		name: 'fieldsToWatch',
		type: 'multiOptions',
		default: ['status'],
		options: [
			{
				name: 'Disappearance',
				value: DISAPPEARANCE,
				description:
					'The company has been missing from the registry or the search for more than a day',
			},
			{ name: 'Insolvency Risk', value: 'insolvency_risk', description: 'V1 API only, for lists' },
			{ name: 'Rating', value: 'rating', description: 'V1 API only, for lists' },
			{
				name: 'Recommended Limit',
				value: 'recommended_limit_mdl',
				description: 'V1 API only, for lists',
			},
			{ name: 'Score', value: 'score', description: 'V1 API only, for lists' },
			{ name: 'Status', value: 'status', description: 'Both APIs, for lists and searches' },
		],
		description: 'A change of any of these is an event',
	},
];

const options: INodeProperties[] = [
	dailyRequestsOption,
	{
		displayName: 'Status Source',
		name: 'statusSource',
		type: 'options',
		default: 'automatic',
		displayOptions: { hide: { '/watch': ['search'] } },
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'Credit recommendation with the V1 API, search with the Unversioned API',
			},
			{
				name: 'Company Dossier',
				value: 'dossier',
				description: 'V1 API only. Its fields are not documented.',
			},
			{
				name: 'Credit Recommendation',
				value: 'credit',
				description: 'V1 API only. Shows rating, score, risk and limit as well.',
			},
			{ name: 'Search', value: 'search', description: 'By the IDNO. Shows only the status.' },
		],
		description: 'Which API call provides the status',
	},
	{ ...checkDigit, displayOptions: { hide: { '/watch': ['search'] } } },
];

export const companyStatusChanged: TriggerEvent = {
	value: 'companyStatusChanged',
	name: 'Company Status Changed',
	description:
		'When the status, rating, score, risk or limit of a watched company changes, or it disappears',
	output: STATUS_EVENT,
	fields,
	options,
	watch(parameter): Watcher<CompaniesState> {
		const watched = watchedIn(parameter);
		return {
			state: companiesSchema,
			poll: async (stored, session) =>
				await poll(watched, stored, session, openChecks(session, parameter)),
			sample: async (session) => await sample(watched, session),
		};
	},
};

interface Parameters extends Watched {
	/** IDNOs of a list; absent where a search is watched. */
	idnos?: string[];
	query: SearchQuery;
	source: Source | 'automatic';
}

function watchedIn(parameter: Parameter): Parameters {
	const selected = parameter<unknown>('fieldsToWatch', ['status']);
	const isSelected = (name: string) => Array.isArray(selected) && selected.includes(name);
	const watched = {
		fields: WATCHABLE.filter(isSelected),
		disappearance: isSelected(DISAPPEARANCE),
	};
	if (watched.fields.length === 0 && !watched.disappearance) {
		throw new InputError('The parameter "Fields to Watch" is empty', 'Select at least one field.');
	}
	const watch = parameter<string>('watch', 'list');
	if (watch === 'search') {
		return { ...watched, query: searchQueryIn(parameter), source: 'search' };
	}
	const { statusSource: source = 'automatic', checkDigit } = parameter<{
		statusSource?: Parameters['source'];
		checkDigit?: unknown;
	}>('options', {});
	const given = watch === 'text' ? parameter<unknown>('watchListText', '') : selectedIn(parameter);
	const idnos = watchListOf(given, readFlag(checkDigit, true, 'Validate Check Digit'));
	return { ...watched, query: {}, source, idnos };
}

function selectedIn(parameter: Parameter): unknown[] {
	const { company: rows = [] } = parameter<{ company?: Array<{ idno?: unknown }> }>(
		'companies',
		{},
	);
	return rows.map(({ idno }) => (idno as { value?: unknown } | undefined)?.value ?? idno);
}

async function poll(
	watched: Parameters,
	stored: CompaniesState | undefined,
	session: Session,
	checks: Checks,
): Promise<PollOutcome> {
	const source = sourceFor(checks.variant, watched.source, watched.fields);
	// Two sources may call the same status by different names.
	const state =
		stored?.source === source ? stored : { source, companies: new Map<string, Company>() };
	const isFirst = stored === undefined;
	const events = new Map<string, Json>();
	const emit = (idno: string, event: Json | undefined) => event && events.set(idno, event);
	const run = { watched, state, session, checks, isFirst, emit };
	if (watched.idnos) await pollListed(run, watched.idnos);
	else await pollSearched(run, watched.query);
	return {
		state: {
			source,
			companies: Object.fromEntries(state.companies),
			reading: state.reading && storedReading(state.reading),
		},
		events: [...events.values()],
	};
}

/** Companies that a test event may try until one can be read. */
const SAMPLE_TRIES = 3;

async function sample(watched: Parameters, session: Session): Promise<Json> {
	const { account, send } = session;
	const client = { variant: variantOf(account.settings), send };
	const source = sourceFor(client.variant, watched.source, watched.fields);
	if (!watched.idnos) {
		const list = searchPages(client, watched.query);
		const { rows } = await list.page(session, 1, new Set());
		const row = rows.find((one) => list.key(one) !== undefined);
		if (!row) throw nothingFound();
		return sampleOf(shownCompany(row, list.key(row) as string), watched);
	}
	let problem: unknown = new InputError(
		`The registry does not find the company ${watched.idnos[0]}`,
		'Check the IDNOs, and the API Variant of the credential. Then fetch the test event again.',
	);
	for (const idno of watched.idnos.slice(0, SAMPLE_TRIES)) {
		try {
			const shown = await lookUp(idno, source, client);
			if (shown) return sampleOf(shown, watched);
		} catch (error) {
			problem = error;
		}
	}
	return await Promise.reject(problem as Error);
}
