import type { Json } from '../shared/http/envelope';
import type { Collection } from '../shared/node/records';
import { companyRecord, LIST_KEYS } from './records';
import { MAX_RESULTS } from './service';
import type { Variant } from './service';

/** The company search of each variant (docs/services.md, "Company Registry: requests"). */
export const SEARCHES: Record<Variant, Collection & { query: (page: number) => Json }> = {
	// Neither its records nor a `page` parameter are documented.
	v1: {
		path: '/api/v1/search',
		keys: LIST_KEYS,
		pageSize: MAX_RESULTS,
		query: () => ({ limit: MAX_RESULTS }),
		singlePage: true,
	},
	unversioned: {
		path: '/api/search',
		keys: LIST_KEYS,
		record: companyRecord,
		pageSize: MAX_RESULTS,
		query: (page) => ({ limit: MAX_RESULTS, page }),
	},
};
