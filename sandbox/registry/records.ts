import { z } from 'zod';

/** The records and parameters of the services' documentation. */

const text = z.string();
const number = z.number();

const searchRecord = z.object({
	...{ idno: text, name: text, legal_form: text, status: text },
	...{ city: text, region: text, caen_code: text, caen_description: text },
});
const scoring = z.object({ rating: text, score: number.int(), insolvency_risk: text });
export const creditRecommendation = z.object({
	...{ idno: text, name: text, status: text, scoring },
	trade_credit_recommendation: z.object({
		...{ recommended_limit_mdl: number, currency: text },
		...{ recommended_payment_terms_days: number.int(), advisory_notes: text },
	}),
});
export const searchEnvelope = z.object({
	...{ query: text, total: number.int(), page: number.int(), per_page: number.int() },
	data: z.array(searchRecord),
});

/** A whole number from 1, sent in the query. */
const fromOne = z.coerce.number().int('must be a whole number').min(1, 'must be at least 1');

const filled = text.trim().min(1, 'must not be empty');

/** docs/maintainers/services.md, "Company Registry: requests". */
const searchLimit = fromOne.max(50, 'must be from 1 to 50');

export const idnoParams = z.object({ idno: text.regex(/^\d{13}$/, 'must have 13 digits') });
export const v1SearchQuery = z
	.object({
		...{ q: filled.optional(), caen: filled.optional(), region: filled.optional() },
		limit: searchLimit.default(15),
	})
	.strict();
export const unversionedSearchQuery = z
	.object({
		q: filled,
		...{ page: fromOne.default(1), limit: searchLimit.default(20) },
	})
	.strict();
export const autocompleteQuery = z.object({ q: text.trim().default('') }).strict();
