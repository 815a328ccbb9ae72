import { z } from 'zod';

const wholeNumber = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number);

/** A number in the query from 1 to `max`, or the default. */
function numberUpTo(max: number, byDefault: number) {
	return wholeNumber
		.refine((value) => value >= 1 && value <= max, `must be from 1 to ${max}`)
		.default(String(byDefault));
}

const text = z.string().trim().min(1, 'must not be empty');

/** The document's limits of a search: variant A 1 to 50, default 15; variant B default 20. */
const MAX_SEARCH_LIMIT = 50;

export const idnoParams = z.object({
	idno: z.string().regex(/^\d{13}$/, 'must have 13 digits'),
});

export const v1SearchQuery = z
	.object({
		q: text.optional(),
		caen: text.optional(),
		region: text.optional(),
		limit: numberUpTo(MAX_SEARCH_LIMIT, 15),
		page: wholeNumber.optional(),
	})
	.strict();

export const unversionedSearchQuery = z
	.object({
		q: text,
		page: numberUpTo(Number.MAX_SAFE_INTEGER, 1),
		limit: numberUpTo(MAX_SEARCH_LIMIT, 20),
	})
	.strict();

export const autocompleteQuery = z.object({ q: z.string().trim().default('') }).strict();
