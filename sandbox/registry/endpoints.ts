import { found, ServiceError } from '../shared/checks';
import { toDateTime } from '../shared/data';
import { type Endpoint, endpoint } from '../shared/endpoint';
import { creditOf, dossierOf, searchRecordOf } from './dossier';
import * as record from './records';
import type { RegistryService } from './service';
import { PLANS } from './settings';

export function v1Endpoints(service: RegistryService): Endpoint[] {
	const companyOf = (idno: string) =>
		found(service.state.get(idno), `No company has the IDNO ${idno}`);
	return [
		endpoint('GET /api/v1/company/:idno', 'Get the dossier of a company', {
			params: record.idnoParams,
			handle: ({ params }) => ({ data: dossierOf(companyOf(params.idno)) }),
		}),
		endpoint('GET /api/v1/search', 'Search companies', {
			query: record.v1SearchQuery,
			handle: ({ query: { q, caen, region, limit } }) => {
				if (q === undefined && caen === undefined && region === undefined) {
					throw new ServiceError('badRequest', "The query parameter 'q' is required");
				}
				const hits = service.state.search({ q, caen, region });
				const data = hits.slice(0, limit).map(searchRecordOf);
				return { query: q ?? '', total: hits.length, limit, data };
			},
		}),
		endpoint('GET /api/v1/credit/:idno', 'Get the credit recommendation of a company', {
			params: record.idnoParams,
			response: record.creditRecommendation,
			handle: ({ params }) => creditOf(companyOf(params.idno)),
		}),
		endpoint('GET /api/v1/status', 'Get the status of the key', {
			outsideQuota: true,
			handle: (_input, { key }) => {
				const quota = service.quotaOf(key);
				return {
					key_status: 'active',
					plan: PLANS[service.settings.plan].name,
					daily_limit: service.limitPer('day'),
					daily_remaining: quota?.remaining ?? null,
					daily_reset: quota && toDateTime(quota.resetAt),
					per_minute_limit: service.limitPer('minute'),
				};
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
			handle: ({ query: { q, page, limit } }) => {
				const hits = service.state.search({ q });
				const data = hits.slice((page - 1) * limit, page * limit).map(searchRecordOf);
				return { query: q, total: hits.length, page, per_page: limit, data };
			},
		}),
		endpoint('GET /api/autocomplete', 'Suggest companies', {
			query: record.autocompleteQuery,
			handle: ({ query: { q } }) => {
				const hits = q === '' ? [] : service.state.search({ q }).slice(0, MAX_SUGGESTIONS);
				return { data: hits.map(({ idno, name }) => ({ idno, name })) };
			},
		}),
	];
}
