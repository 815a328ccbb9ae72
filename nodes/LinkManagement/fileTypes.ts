import type { IBinaryData } from 'n8n-workflow';

// Google Drive, downloads and files built by hand have names without an extension.

/** The end of a file name that looks like an extension, but not of "Offer 12.2030" or "Agro S.A". */
const EXTENSION = /\.(?:[a-z]|(?=\d*\p{L})[\p{L}\d]{2,8})$/u;

/** Extensions of the same type. */
const SYNONYMS = [
	['jpg', 'jpeg', 'jpe', 'jfif'],
	['tif', 'tiff'],
	['htm', 'html'],
	['mpg', 'mpeg'],
	['yml', 'yaml'],
	['md', 'markdown'],
	['mid', 'midi'],
	['aif', 'aiff'],
];

/** What n8n names a file whose type it doesn't know. */
const UNKNOWN = ['bin', 'txt'];

/** Extensions of types that have another name, by the MIME type or its part after the slash. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
	'audio/mpeg': 'mp3',
	calendar: 'ics',
	gzip: 'gz',
	javascript: 'js',
	jpeg: 'jpg',
	markdown: 'md',
	msword: 'doc',
	plain: 'txt',
	quicktime: 'mov',
	rfc822: 'eml',
	'svg+xml': 'svg',
	vcard: 'vcf',
	'vnd.ms-excel': 'xls',
	'vnd.ms-powerpoint': 'ppt',
	'vnd.oasis.opendocument.presentation': 'odp',
	'vnd.oasis.opendocument.spreadsheet': 'ods',
	'vnd.oasis.opendocument.text': 'odt',
	'vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
	'vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
	'vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
	'x-icon': 'ico',
	'x-zip-compressed': 'zip',
};

/**
 * A file's name with its extension: the one that n8n knows, unless the name ends in it, or else the one of its
 * MIME type, unless the name seems to end in one.
 *
 * @param isChosen the user has entered the name, so an extension in it is meant
 */
export function withExtension(
	name: string,
	{ fileExtension = '', mimeType = '' }: Partial<IBinaryData>,
	isChosen: boolean,
): string {
	const known = fileExtension.trim().replace(/^\./, '').toLowerCase();
	const extension = known || extensionOf(mimeType);
	const isFact = known !== '' && !isChosen && !UNKNOWN.includes(known);
	const isThere = isFact ? endsIn(name, known) : EXTENSION.test(name);
	return isThere || extension === '' ? name : `${name}.${extension}`;
}

function endsIn(name: string, extension: string): boolean {
	const alike = SYNONYMS.find((each) => each.includes(extension)) ?? [extension];
	return alike.some((each) => name.toLowerCase().endsWith(`.${each}`));
}

/** The extension of a MIME type; empty if the type has none that's known. */
function extensionOf(mimeType: string): string {
	const type = mimeType.toLowerCase().replace(/;.*/s, '').trim();
	const [, subtype = ''] = type.split('/');
	const isItsName = /^[a-z][a-z\d]{1,3}$/.test(subtype);
	return OTHER_NAMES[type] ?? OTHER_NAMES[subtype] ?? (isItsName ? subtype : '');
}
