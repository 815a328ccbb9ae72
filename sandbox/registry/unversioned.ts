import type { AddEndpoint } from '../shared/endpoint';
import { searchRecordOf } from './dossier';
import { autocompleteQuery, unversionedSearchQuery } from './schemas';
import type { RegistryService } from './service';

const MAX_SUGGESTIONS = 10;

/** Variant B of the document's "Endpoints". */
export function addUnversionedRoutes(service: RegistryService, add: AddEndpoint): void {
	add({
		method: 'get',
		path: '/api/search',
		query: unversionedSearchQuery,
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
	});

	add({
		method: 'get',
		path: '/api/autocomplete',
		query: autocompleteQuery,
		handle: ({ query: { q } }) => {
			const { autocompleteItems, autocompleteShape } = service.settings;
			const hits = q === '' ? [] : service.state.search({ q }).slice(0, MAX_SUGGESTIONS);
			const suggestions = hits.map(({ idno, name }) =>
				autocompleteItems === 'strings' ? name : { idno, name },
			);
			return autocompleteShape === 'root' ? suggestions : { [autocompleteShape]: suggestions };
		},
	});
}
