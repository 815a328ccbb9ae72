import { found, ServiceError } from '../shared/checks';
import { toDateTime } from '../shared/data';
import { type Endpoint, endpoint } from '../shared/endpoint';
import { creditOf, dossierOf, searchRecordOf } from './dossier';
import * as record from './records';
import type { RegistryService } from './service';
import { PLANS, type RegistrySettings } from './settings';

export function v1Endpoints(service: RegistryService): Endpoint[] {
	const keyOptional = (call: RegistrySettings['keyOptionalFor'][number]) => () =>
		service.settings.keyOptionalFor.includes(call);
	const companyOf = (idno: string) =>
		found(service.state.get(idno), `No company has the IDNO ${idno}`);
	return [
		endpoint('GET /api/v1/company/:idno', 'Get the dossier of a company', {
			params: record.idnoParams,
			handle: ({ params }) => {
				const dossier = dossierOf(companyOf(params.idno));
				const { dossierShape } = service.settings;
				return dossierShape === 'flat' ? dossier : { [dossierShape]: dossier };
			},
		}),
		endpoint('GET /api/v1/search', 'Search companies', {
			query: record.v1SearchQuery,
			keyOptional: keyOptional('search'),
			handle: ({ query: { q, caen, region, limit } }) => {
				const { searchShape } = service.settings;
				if (q === undefined && caen === undefined && region === undefined) {
					throw new ServiceError('badRequest', "The query parameter 'q' is required");
				}
				const hits = service.state.search({ q, caen, region });
				const records = hits.slice(0, limit).map(searchRecordOf);
				if (searchShape === 'root') return records;
				return { query: q ?? '', total: hits.length, limit, [searchShape]: records };
			},
		}),
		endpoint('GET /api/v1/credit/:idno', 'Get the credit recommendation of a company', {
			params: record.idnoParams,
			response: record.creditRecommendation,
			keyOptional: keyOptional('credit'),
			handle: ({ params }) => creditOf(companyOf(params.idno)),
		}),
		endpoint('GET /api/v1/status', 'Get the status of the key', {
			outsideQuota: true,
			keyOptional: keyOptional('status'),
			handle: (_input, { key }) => {
				const quota = service.quotaOf(key);
				const status = {
					key_status: 'active',
					plan: PLANS[service.settings.plan].name,
					daily_limit: service.limitPer('day'),
					daily_remaining: quota?.remaining ?? null,
					daily_reset: quota && toDateTime(quota.resetAt),
					per_minute_limit: service.limitPer('minute'),
				};
				return service.settings.statusShape === 'flat' ? status : { data: status };
			},
		}),
	];
}

const MAX_SUGGESTIONS = 10;

export function unversionedEndpoints(service: RegistryService): Endpoint[] {
	return [
		endpoint('GET /api/search', 'Search companies', {
			query: record.unversionedSearchQuery,
			response: record.searchEnvelope,
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
		endpoint('GET /api/autocomplete', 'Suggest companies', {
			query: record.autocompleteQuery,
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
