import { searchCompanies } from '../../../CompanyRegistry/listSearch';
import { companyRegistry, variantOf } from '../../../CompanyRegistry/service';
import { idnoOf } from '../../../CompanyRegistry/records';
import type { Json } from '../../../shared/http/envelope';
import { InputError } from '../../../shared/http/errors';
import { requireSearch, searchPage, searchQueryIn } from '../../companySearch';
import type { SearchQuery } from '../../companySearch';
import type { PollRun, PollSettings, PreparedEvent, TriggerEvent } from '../../event';
import { logRound, registryClient } from '../../registryClient';
import type { RegistryClient } from '../../registryClient';
import { companyStatusChangedFields, companyStatusChangedOptions } from './fields';
import { lookUpIn, requireSearchable, shownCompany, sourceFor, WATCHABLE } from './lookUp';
import type { ShownCompany, StatusSource } from './lookUp';
import { DISAPPEARANCE, eventOf, pollList, pollSearch } from './poll';
import type { CompanyPoll, Watched } from './poll';
import { companyStateSchema, storedState } from './state';
import type { CompanyState } from './state';
import { watchListOf } from './watchList';

/** Companies that a test event may try until one can be read. */
const SAMPLE_TRIES = 3;

export const companyStatusChanged: TriggerEvent<CompanyState> = {
	value: 'companyStatusChanged',
	name: 'Company Status Changed',
	description:
		'When a watched company changes its status, or its rating, score, risk or limit, or disappears',
	service: companyRegistry,
	fields: companyStatusChangedFields,
	options: companyStatusChangedOptions,
	listSearch: { searchCompanies },
	state: companyStateSchema,
	prepare,
};

interface Parameters extends Watched {
	/** IDNOs of a list; absent where a search is watched. */
	idnos?: string[];
	query: SearchQuery;
	statusSource: StatusSource | 'automatic';
}

function prepare(settings: PollSettings): PreparedEvent<CompanyState> {
	const watched = parametersOf(settings.parameter);
	return {
		poll: async (stored, run) => await poll(stored, run, settings, watched),
		sample: async ({ settings: credential, send }) => {
			return await sampleOf({ variant: variantOf({ ...credential } as never), send }, watched);
		},
	};
}

async function poll(
	stored: CompanyState | undefined,
	run: PollRun,
	settings: PollSettings,
	watched: Parameters,
): ReturnType<PreparedEvent<CompanyState>['poll']> {
	const first = stored === undefined && run.firstPublication;
	const client = registryClient(run.client, settings, first, stored?.reserveUsedAt);
	const revision = run.revision;
	const companyPoll: CompanyPoll = {
		settings,
		run,
		client,
		watched,
		state: stored ?? { companies: new Map(), revision, query: '', beginning: first },
		first,
		edited: stored?.revision !== revision,
		events: new Map(),
	};
	const { state, events } = companyPoll;
	if (watched.idnos) {
		await pollList(companyPoll, watched.idnos, sourceOf(client, watched));
		state.query = '';
	} else {
		requireSearchable(watched.fields);
		requireSearch(client.variant, watched.query);
		await pollSearch(companyPoll, watched.query);
		state.query = JSON.stringify(watched.query);
	}
	state.revision = revision;
	state.reserveUsedAt = client.reserveUsedAt();
	if (companyPoll.edited) logRound(client, settings, watched.idnos?.length);
	return { state: storedState(state), events: [...events.values()] };
}

function sourceOf({ variant }: Pick<RegistryClient, 'variant'>, watched: Parameters): StatusSource {
	return sourceFor(variant, watched.statusSource, watched.fields);
}

function parametersOf(parameter: PollSettings['parameter']): Parameters {
	const selected = parameter<unknown>('fieldsToWatch', ['status']);
	const isSelected = (name: string) => Array.isArray(selected) && selected.includes(name);
	const fields = WATCHABLE.filter(isSelected);
	const disappearance = isSelected(DISAPPEARANCE);
	if (fields.length === 0 && !disappearance) {
		throw new InputError('The parameter "Fields to Watch" is empty', 'Select at least one field.');
	}
	const options = parameter<{ statusSource?: string; checkDigit?: boolean }>('options', {});
	const statusSource = (options.statusSource ??
		parameter('statusSource', 'automatic')) as Parameters['statusSource'];
	const watch = parameter<string>('watch', 'list');
	const watched = { fields, disappearance, statusSource };
	if (watch === 'search') return { ...watched, query: searchQueryIn(parameter) };
	const given = watch === 'text' ? parameter<unknown>('watchListText', '') : listIn(parameter);
	return { ...watched, query: {}, idnos: watchListOf(given, options.checkDigit !== false) };
}

/** The rows of the panel, and the plain list that workflows of earlier versions hold. */
function listIn(parameter: PollSettings['parameter']): unknown[] {
	const { company = [] } = parameter<{ company?: Array<{ idno?: unknown }> }>('companies', {});
	const rows = company.map(({ idno }) => (idno as { value?: unknown } | undefined)?.value ?? idno);
	const plain = parameter<unknown>('watchList', []);
	return [...rows, ...(Array.isArray(plain) ? (plain as unknown[]) : [plain])];
}

type SampleClient = Pick<RegistryClient, 'variant' | 'send'>;

/** A company as it is now; what it showed before is made up of the same values. */
async function sampleOf(client: SampleClient, watched: Parameters): Promise<Json> {
	const company = watched.idnos
		? await firstReadable(client, watched.idnos, sourceOf(client, watched))
		: await firstFound(client, watched);
	const previous = WATCHABLE.map((field) => company.values[field]);
	const changed = watched.fields.length > 0 ? watched.fields : [DISAPPEARANCE];
	return eventOf(company, previous, watched, changed);
}

async function firstFound(client: SampleClient, { query, fields }: Parameters) {
	requireSearchable(fields);
	requireSearch(client.variant, query);
	const { rows } = await searchPage(client, query, 1);
	for (const row of rows) {
		const idno = idnoOf(row);
		if (idno !== undefined) return shownCompany(row, idno);
	}
	throw new InputError(
		'The search finds no company',
		'Change the filters so that they find the companies to watch, then fetch the test event again.',
	);
}

async function firstReadable(
	client: SampleClient,
	idnos: readonly string[],
	source: StatusSource,
): Promise<ShownCompany> {
	let problem: unknown = new InputError(
		`The registry does not find the company ${idnos[0]}`,
		'Check the IDNOs of the list, then fetch the test event again.',
	);
	for (const idno of idnos.slice(0, SAMPLE_TRIES)) {
		try {
			const shown = await lookUpIn(source, client)(idno);
			if (shown) return shown;
		} catch (error) {
			problem = error;
		}
	}
	return await Promise.reject(problem as Error);
}
