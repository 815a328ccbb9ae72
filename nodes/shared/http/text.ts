/** Shortens a text to `longest` UTF-16 units, without leaving half an emoji. */
export function shorten(text: string, longest: number): string {
	if (text.length <= longest) return text;
	return `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Encodes a value for one segment of a URL. Half an emoji, which can't be encoded, is replaced. */
export function encodeSegment(value: string): string {
	return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/** Undoes URL encoding. Returns a text unchanged if it isn't encoded, such as a password with a "%". */
export function decodeSegment(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}
