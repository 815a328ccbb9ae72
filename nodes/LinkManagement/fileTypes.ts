import type { IBinaryData } from 'n8n-workflow';

// Google Drive, downloads and files built by hand have names without an extension. n8n knows it from the MIME type,
// unless somebody has built the file by hand, or the name has a dot: of "Offer no. 5", n8n takes "5" for it.

/** The end of a file name that looks like an extension, but not of "Offer 12.2030" or "Agro S.A". */
const EXTENSION = /\.(?:[a-z]|(?=\d*\p{L})[\p{L}\d]{2,8})$/u;

const SYNONYMS = [
	['jpg', 'jpeg', 'jfif'],
	['tif', 'tiff'],
	['htm', 'html'],
];

/** What n8n names a file whose type it doesn't know. */
const UNKNOWN = ['bin', 'txt'];

/**
 * A file's name with its extension. If n8n knows the extension, it's added unless the name ends in it. If
 * not, the MIME type's extension is added unless the name seems to end in one.
 *
 * @param isChosen the user has entered the name, so an extension in it is meant
 */
export function withExtension(
	name: string,
	{ fileExtension, mimeType }: Partial<IBinaryData>,
	isChosen: boolean,
): string {
	const given = String(fileExtension ?? '')
		.trim()
		.replace(/^\./, '')
		.toLowerCase();
	const known = given === name.split('.').at(-1)!.trim().toLowerCase() ? '' : given;
	const extension = known || extensionOf(mimeType ?? '');
	const isFact = known !== '' && !isChosen && !UNKNOWN.includes(known);
	const isThere = isFact ? endsIn(name, known) : EXTENSION.test(name);
	return isThere || extension === '' ? name : `${name}.${extension}`;
}

function endsIn(name: string, extension: string): boolean {
	const alike = SYNONYMS.find((each) => each.includes(extension)) ?? [extension];
	return alike.some((each) => name.toLowerCase().endsWith(`.${each}`));
}

const OFFICE = [
	['wordprocessingml', 'docx'],
	['spreadsheetml', 'xlsx'],
	['presentationml', 'pptx'],
];

/** The extension for a MIME type that ends in one, such as `application/pdf`, or is Office's. */
function extensionOf(mimeType: string): string {
	const office = OFFICE.find(([format = '']) => mimeType.includes(format));
	if (office) return office[1]!;
	return /^\w+\/([a-z][a-z\d]{1,3})(?![\w.+-])/.exec(mimeType.toLowerCase())?.[1] ?? '';
}
