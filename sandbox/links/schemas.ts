import { z } from 'zod';
import { isDate } from '../shared/dates';
import { ITEM_TYPES, PIXEL_TYPES } from './records';

/** What each request may carry. Text of a path or query becomes what the document says it is. */

const integer = z
	.string()
	.regex(/^\d+$/, 'must be a positive integer')
	.transform(Number)
	.refine((value) => value >= 1 && Number.isSafeInteger(value), 'must be a positive integer');

/** A URL that includes http or https. */
const url = z
	.string()
	.refine(
		(text) => /^https?:\/\//i.test(text) && URL.canParse(text),
		'must be a URL including http or https',
	);

const name = z.string().trim().min(1, 'must not be empty');
const slug = z.string().regex(/^[\w-]+$/, 'may hold letters, digits, - and _ only');
const date = z.string().refine(isDate, 'must be a date in the format YYYY-MM-DD');
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be in the format #RRGGBB');

export const idParams = z.object({ id: integer });
export const campaignAssignParams = z.object({ campaignid: integer, linkid: integer });
export const channelAssignParams = z.object({
	channelid: integer,
	type: z.enum(ITEM_TYPES),
	itemid: integer,
});
export const uploadParams = z.object({ filename: name });

export const listQuery = z.object({ limit: integer.optional(), page: integer.optional() }).strict();
export type ListQuery = z.infer<typeof listQuery>;
export const fileListQuery = listQuery.extend({ name: z.string().optional() });
export const uploadQuery = z
	.object({
		name,
		custom: slug,
		domain: name,
		password: z.string().min(1, 'must not be empty'),
		expiry: date,
		maxdownloads: integer,
	})
	.partial()
	.strict();

export const accountUpdateBody = z
	.object({
		email: z.string().email('must be an e-mail address'),
		password: z.string().min(1, 'must not be empty'),
	})
	.partial()
	.strict();

const redirects = { redirectroot: url.optional(), redirect404: url.optional() };
/** An update may clear what a record can do without. */
const cleared = z.literal('');
const clearableUrl = url.or(cleared).optional();
export const domainUpdateBody = z
	.object({ redirectroot: clearableUrl, redirect404: clearableUrl })
	.strict();
export const domainCreateBody = z.object({ domain: url, ...redirects }).strict();

const campaignOptions = { slug: slug.optional(), public: z.boolean().optional() };
export const campaignCreateBody = z.object({ name: name.optional(), ...campaignOptions }).strict();
export const campaignUpdateBody = z
	.object({ name, ...campaignOptions, slug: slug.or(cleared).optional() })
	.strict();

const channelOptions = {
	description: z.string().optional(),
	color: color.optional(),
	starred: z.boolean().optional(),
};
export const channelCreateBody = z.object({ name, ...channelOptions }).strict();
export const channelUpdateBody = z.object({ name: name.optional(), ...channelOptions }).strict();

export const pixelCreateBody = z.object({ type: z.enum(PIXEL_TYPES), name, tag: name }).strict();
export const pixelUpdateBody = z.object({ name: name.optional(), tag: name }).strict();
