import { type Endpoint, endpoint } from '../shared/endpoint';
import type { RegistryBackend } from './backend';
import { searchRecordOf } from './dossier';
import { autocompleteQuery, searchEnvelope, unversionedSearchQuery } from './records';

const MAX_SUGGESTIONS = 10;

/** The unversioned API: variant B of the documentation. */
export function unversionedEndpoints(service: RegistryBackend): Endpoint[] {
	return [
		endpoint({
			method: 'get',
			path: '/api/search',
			does: 'Search companies',
			query: unversionedSearchQuery,
			response: searchEnvelope,
			handle: ({ query: { q, page, limit } }, { fault }) => {
				const hits = service.state.search({ q });
				const start = (page - 1) * limit;
				const repeated = Math.min(start, fault?.repeatRows ?? 0);
				return {
					query: q,
					total: hits.length,
					page,
					per_page: limit,
					...service.settings.wrongCounters,
					data: hits.slice(start - repeated, start + limit).map(searchRecordOf),
				};
			},
		}),
		endpoint({
			method: 'get',
			path: '/api/autocomplete',
			does: 'Suggest companies',
			query: autocompleteQuery,
			handle: ({ query: { q } }) => {
				const { autocompleteItems, autocompleteShape } = service.settings;
				const hits = q === '' ? [] : service.state.search({ q }).slice(0, MAX_SUGGESTIONS);
				const suggestions = hits.map(({ idno, name }) =>
					autocompleteItems === 'strings' ? name : { idno, name },
				);
				return autocompleteShape === 'root' ? suggestions : { [autocompleteShape]: suggestions };
			},
		}),
	];
}
