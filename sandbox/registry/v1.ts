import { found, ServiceError } from '../shared/checks';
import { toDateTime } from '../shared/data';
import { type Endpoint, endpoint } from '../shared/endpoint';
import type { RegistryBackend } from './backend';
import { creditOf, dossierOf, searchRecordOf } from './dossier';
import { creditRecommendation, idnoParams, v1SearchQuery } from './records';
import { PLANS, type RegistrySettings } from './settings';

/** The versioned API: variant A of the documentation. */
export function v1Endpoints(service: RegistryBackend): Endpoint[] {
	const keyOptional = (call: RegistrySettings['keyOptionalFor'][number]) => () =>
		service.settings.keyOptionalFor.includes(call);
	const companyOf = (idno: string) =>
		found(service.state.get(idno), `No company has the IDNO ${idno}`);
	return [
		endpoint({
			method: 'get',
			path: '/api/v1/company/:idno',
			does: 'Get the dossier of a company',
			params: idnoParams,
			handle: ({ params }) => {
				const dossier = dossierOf(companyOf(params.idno));
				const { dossierShape } = service.settings;
				return dossierShape === 'flat' ? dossier : { [dossierShape]: dossier };
			},
		}),
		endpoint({
			method: 'get',
			path: '/api/v1/search',
			does: 'Search companies',
			query: v1SearchQuery,
			keyOptional: keyOptional('search'),
			handle: ({ query: { q, caen, region, limit, page } }) => {
				const { searchNeedsQuery, searchPage, searchShape } = service.settings;
				const empty = q === undefined && caen === undefined && region === undefined;
				if (empty || (searchNeedsQuery && q === undefined)) {
					throw new ServiceError('badRequest', "The query parameter 'q' is required");
				}
				if (searchPage === 'refused' && page !== undefined) {
					throw new ServiceError('badRequest', "Unknown query parameter 'page'");
				}
				const hits = service.state.search({ q, caen, region });
				const start = searchPage === 'honoured' ? (Math.max(1, page ?? 1) - 1) * limit : 0;
				const records = hits.slice(start, start + limit).map(searchRecordOf);
				if (searchShape === 'root') return records;
				return { query: q ?? '', total: hits.length, limit, [searchShape]: records };
			},
		}),
		endpoint({
			method: 'get',
			path: '/api/v1/credit/:idno',
			does: 'Get the credit recommendation of a company',
			params: idnoParams,
			response: creditRecommendation,
			keyOptional: keyOptional('credit'),
			handle: ({ params }) => creditOf(companyOf(params.idno)),
		}),
		endpoint({
			method: 'get',
			path: '/api/v1/status',
			does: 'Get the status of the key',
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
