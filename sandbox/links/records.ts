import { z } from 'zod';
import { isDate } from '../shared/data';

/** The records and request bodies as the service documents them. */

export const ITEM_TYPES = ['links', 'bio', 'qr'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

export const PIXEL_TYPES = [
	...['gtmpixel', 'gapixel', 'fbpixel', 'adwordspixel', 'linkedinpixel', 'twitterpixel'],
	...['adrollpixel', 'quorapixel', 'pinterest', 'bing', 'snapchat', 'reddit', 'tiktok'],
] as [string, ...string[]];

const id = z.number().int();
const text = z.string();
const dateTime = z.string().describe('YYYY-MM-DD HH:MM:SS');

export const account = z.object({
	...{ id, email: text, username: text, avatar: text },
	...{ status: text, expires: dateTime, registered: dateTime },
});
export const domain = z.object({ id, domain: text, redirectroot: text, redirect404: text });
export const overlay = z.object({ id, type: text, name: text, date: dateTime });
const campaignFields = {
	public: z.boolean(),
	rotator: text.or(z.literal(false)),
	list: text,
};
/** A campaign in lists, some of which have their name under `domain`. */
export const listedCampaign = z.object({
	...{ id, name: text.optional(), domain: text.optional(), ...campaignFields },
});
export const writtenCampaign = z.object({ id, domain: text, ...campaignFields });
export const channel = z.object({
	...{ id, name: text, description: text, color: text, starred: z.boolean() },
});
export const channelItem = z.object({
	type: z.enum(ITEM_TYPES),
	...{ id, title: text, preview: text, link: text },
	date: z.string().describe('YYYY-MM-DD'),
});
export const splashPage = z.object({ id, name: text, date: dateTime });
export const file = z.object({
	...{ id, name: text, downloads: z.number().int(), shorturl: text, date: dateTime },
});
export const pixel = z.object({
	id,
	type: z.enum(PIXEL_TYPES),
	...{ name: text, tag: text, date: dateTime },
});
export const qrCode = z.object({
	...{ id, link: text, scans: z.number().int(), name: text, date: dateTime },
});

export type Account = z.infer<typeof account>;
export type Domain = z.infer<typeof domain>;
export type Overlay = z.infer<typeof overlay>;
export type Channel = z.infer<typeof channel>;
export type ChannelItem = z.infer<typeof channelItem>;
export type SplashPage = z.infer<typeof splashPage>;
export type FileRecord = z.infer<typeof file>;
export type Pixel = z.infer<typeof pixel>;
export type QrCode = z.infer<typeof qrCode>;

/** As the service stores it; lists and responses show the slug as part of a URL. */
export interface Campaign {
	id: number;
	name: string;
	public: boolean;
	/** Slug of the rotator; '' without one. */
	slug: string;
}

/** What was sent with an upload. The service never returns it; tests read it. */
interface UploadDetails {
	/** The path's file name, percent-decoded. */
	filename: string;
	bytes: number;
	/** Hexadecimal. */
	sha256: string;
	contentType: string | undefined;
	custom?: string;
	domain?: string;
	password?: string;
	expiry?: string;
	maxdownloads?: number;
}

export interface StoredFile extends FileRecord {
	upload?: UploadDetails;
}

/** A short link or a bio page. It has no endpoint of its own, but can be assigned. */
export interface ShortLink {
	id: number;
	title: string;
	link: string;
	preview: string;
	date: string;
	campaignId?: number;
}

const integer = z
	.string()
	.regex(/^\d+$/, 'must be a positive integer')
	.transform(Number)
	.refine((value) => value >= 1 && Number.isSafeInteger(value), 'must be a positive integer');
const NO_URL = 'must be a URL including http or https';
// `url()` appears in OpenAPI as a format. A pattern for the scheme would also accept text that isn't a URL.
const url = z
	.string()
	.url(NO_URL)
	.refine((value) => /^https?:/i.test(value), NO_URL);
const name = z.string().trim().min(1, 'must not be empty');
const filled = z.string().min(1, 'must not be empty');
const slug = z.string().regex(/^[\w-]+$/, 'may hold letters, digits, - and _ only');
/** An update may clear optional fields. */
const cleared = z.literal('');

export const idParams = z.object({ id: integer });
export const campaignAssignParams = z.object({ campaignid: integer, linkid: integer });
export const channelAssignParams = z.object({
	...{ channelid: integer, type: z.enum(ITEM_TYPES), itemid: integer },
});
export const uploadParams = z.object({ filename: name });

const count = z.number().int();
/** The counters of a list's page. */
export const counters = {
	...{ result: count, perpage: count, currentpage: count },
	...{ nextpage: count.nullable(), maxpage: count },
};

export const listQuery = z.object({ limit: integer.optional(), page: integer.optional() }).strict();
export type ListQuery = z.infer<typeof listQuery>;
export const fileListQuery = listQuery.extend({ name: text.optional() });
const NO_DATE = 'must be a date in the format YYYY-MM-DD';
export const uploadQuery = z
	.object({
		...{ name, custom: slug, domain: name, password: filled },
		expiry: z
			.string()
			.regex(/^\d{4}-\d\d-\d\d$/, NO_DATE)
			.refine(isDate, NO_DATE),
		maxdownloads: integer,
	})
	.partial()
	.strict();

export const accountBody = z
	.object({ email: z.string().email('must be an email address'), password: filled })
	.partial()
	.strict();
export const domainBody = z
	.object({ domain: url, redirectroot: url.optional(), redirect404: url.optional() })
	.strict();
export const domainUpdate = z
	.object({ redirectroot: url.or(cleared), redirect404: url.or(cleared) })
	.partial()
	.strict();
export const campaignBody = z.object({ name, slug, public: z.boolean() }).partial().strict();
export const campaignUpdate = campaignBody.extend({ name, slug: slug.or(cleared).optional() });
const channelFields = z.object({
	name,
	description: text.optional(),
	color: z
		.string()
		.regex(/^#[0-9a-fA-F]{6}$/, 'must be in the format #RRGGBB')
		.optional(),
	starred: z.boolean().optional(),
});
export const channelBody = channelFields.strict();
export const channelUpdate = channelFields.partial().strict();
export const pixelBody = z.object({ type: z.enum(PIXEL_TYPES), name, tag: name }).strict();
export const pixelUpdate = z.object({ name: name.optional(), tag: name }).strict();
