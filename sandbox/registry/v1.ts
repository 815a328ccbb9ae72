import { toDateTime } from '../shared/dates';
import { ServiceError } from '../shared/errors';
import type { AddEndpoint } from '../shared/endpoint';
import type { Company } from './companies';
import { creditOf, dossierOf, searchRecordOf } from './dossier';
import { idnoParams, v1SearchQuery } from './schemas';
import type { RegistryService } from './service';
import { PLANS } from './settings';

/** Variant A of the document's "Endpoints". */
export function addV1Routes(service: RegistryService, add: AddEndpoint): void {
	add({
		method: 'get',
		path: '/api/v1/company/:idno',
		params: idnoParams,
		handle: ({ params }) => {
			const dossier = dossierOf(companyOf(params.idno));
			const { dossierShape } = service.settings;
			return dossierShape === 'flat' ? dossier : { [dossierShape]: dossier };
		},
	});

	add({
		method: 'get',
		path: '/api/v1/search',
		query: v1SearchQuery,
		keyOptional: () => service.settings.keyOptionalFor.includes('search'),
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
	});

	add({
		method: 'get',
		path: '/api/v1/credit/:idno',
		params: idnoParams,
		keyOptional: () => service.settings.keyOptionalFor.includes('credit'),
		handle: ({ params }) => creditOf(companyOf(params.idno)),
	});

	add({
		method: 'get',
		path: '/api/v1/status',
		outsideQuota: true,
		keyOptional: () => service.settings.keyOptionalFor.includes('status'),
		handle: (_input, { key }) => {
			const status = statusOf(key);
			return service.settings.statusShape === 'flat' ? status : { data: status };
		},
	});

	function companyOf(idno: string): Readonly<Company> {
		const company = service.state.get(idno);
		if (!company) throw new ServiceError('notFound', `No company has the IDNO ${idno}`);
		return company;
	}

	function statusOf(key: string) {
		const quota = service.quotaOf(key);
		return {
			key_status: 'active',
			plan: PLANS[service.settings.plan].name,
			daily_limit: service.limitPer('day'),
			daily_remaining: quota?.remaining ?? null,
			daily_reset: quota && toDateTime(quota.resetAt),
			per_minute_limit: service.limitPer('minute'),
		};
	}
}
