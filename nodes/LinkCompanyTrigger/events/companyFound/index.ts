import { idnoOf } from '../../../CompanyRegistry/records';
import { companyRegistry, variantOf } from '../../../CompanyRegistry/service';
import type { Json } from '../../../shared/http/envelope';
import { InputError } from '../../../shared/http/errors';
import { requireSearch, searchPage, searchQueryIn } from '../../companySearch';
import type { SearchQuery } from '../../companySearch';
import type { TriggerEvent } from '../../event';
import { logRound, registryClient } from '../../registryClient';
import type { RegistryClient } from '../../registryClient';
import { companyFoundFields, companyFoundOptions } from './fields';
import { foundEvent, pollFound } from './poll';
import { foundStateSchema, storedState } from './state';
import type { FoundState } from './state';

export const companyFound: TriggerEvent<FoundState> = {
	value: 'companyFound',
	name: 'New Company Found',
	description: 'When a search of the registry shows a company for the first time',
	service: companyRegistry,
	fields: companyFoundFields,
	options: companyFoundOptions,
	state: foundStateSchema,
	prepare(settings) {
		const query = searchQueryIn(settings.parameter);
		return {
			async poll(stored, run) {
				const { revision, firstPublication } = run;
				const first = stored === undefined && firstPublication;
				const client = registryClient(run.client, settings, first, stored?.reserveUsedAt);
				requireSearch(client.variant, query);
				const nothing = { query: '', complete: false, emitting: false, revision: '' };
				const state: FoundState = stored ?? { known: new Set(), ...nothing };
				const edited = state.revision !== revision;
				const events = await pollFound({ state, query, client, run, settings, first });
				Object.assign(state, { revision, reserveUsedAt: client.reserveUsedAt() });
				if (edited) logRound(client, settings, undefined);
				return { state: storedState(state), events };
			},
			async sample({ settings: credential, send }) {
				return await sampleOf({ variant: variantOf({ ...credential } as never), send }, query);
			},
		};
	},
};

async function sampleOf(
	client: Pick<RegistryClient, 'variant' | 'send'>,
	query: SearchQuery,
): Promise<Json> {
	requireSearch(client.variant, query);
	const { rows } = await searchPage(client, query, 1);
	for (const row of rows) {
		const idno = idnoOf(row);
		if (idno !== undefined) return foundEvent(row, idno);
	}
	throw new InputError(
		'The search finds no company',
		'Change the filters so that they find the companies to watch, then fetch the test event again.',
	);
}
