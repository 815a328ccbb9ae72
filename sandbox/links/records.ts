/** The records as the service keeps them. Fields as in the document's "Resources and their fields". */

export interface Account {
	id: number;
	email: string;
	username: string;
	avatar: string;
	status: string;
	expires: string;
	registered: string;
}

export interface Domain {
	id: number;
	domain: string;
	redirectroot: string;
	redirect404: string;
}

export interface Overlay {
	id: number;
	type: string;
	name: string;
	date: string;
}

export interface Campaign {
	id: number;
	name: string;
	public: boolean;
	/** Slug of the rotator; '' without one. */
	slug: string;
}

export interface Channel {
	id: number;
	name: string;
	description: string;
	color: string;
	starred: boolean;
}

export const ITEM_TYPES = ['links', 'bio', 'qr'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

export interface ChannelItem {
	type: ItemType;
	id: number;
	title: string;
	preview: string;
	link: string;
	date: string;
}

export interface SplashPage {
	id: number;
	name: string;
	date: string;
}

export interface FileRecord {
	id: number;
	name: string;
	downloads: number;
	shorturl: string;
	date: string;
}

/** What came with an upload; the service shows none of it, tests may look. */
export interface UploadDetails {
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

export const PIXEL_TYPES = [
	'gtmpixel',
	'gapixel',
	'fbpixel',
	'adwordspixel',
	'linkedinpixel',
	'twitterpixel',
	'adrollpixel',
	'quorapixel',
	'pinterest',
	'bing',
	'snapchat',
	'reddit',
	'tiktok',
] as const;

export interface Pixel {
	id: number;
	type: (typeof PIXEL_TYPES)[number];
	name: string;
	tag: string;
	date: string;
}

export interface QrCode {
	id: number;
	link: string;
	scans: number;
	name: string;
	date: string;
}

/** A short link or a bio page: no endpoint of its own, but it can be assigned. */
export interface ShortLink {
	id: number;
	title: string;
	link: string;
	preview: string;
	date: string;
	campaignId?: number;
}
