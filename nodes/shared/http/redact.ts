const HTML_ENTITIES: Record<string, string> = {
	'"': '&quot;|&#0*34;|&#x0*22;',
	'&': '&amp;|&#0*38;|&#x0*26;',
	"'": '&apos;|&#0*39;|&#x0*27;',
	'<': '&lt;|&#0*60;|&#x0*3c;',
	'>': '&gt;|&#0*62;|&#x0*3e;',
};

/**
 * A function that replaces a secret in any text, in any notation: plain, escaped as in JSON,
 * encoded as in a URL or a form, or as HTML entities.
 */
export function redactor(secret: string): (text: string) => string {
	if (secret === '') return (text) => text;
	const pattern = new RegExp([...secret].map(anyForm).join(''), 'g');
	return (text) => text.replace(pattern, '***');
}

function anyForm(character: string): string {
	// The longer forms first: most of them begin or end with the character itself.
	const forms = [
		HTML_ENTITIES[character] ?? [],
		/[^\w\s]/.test(character) ? `\\\\+${escaped(character)}` : [],
		// UTF-16 units, as JSON writes them.
		Array.from(
			{ length: character.length },
			(_, at) => `\\\\+u${anyCase(character.charCodeAt(at).toString(16).padStart(4, '0'))}`,
		).join(''),
		percentEncoded(character),
		character === ' ' ? '\\+' : [],
		escaped(character),
	];
	return `(?:${forms.flat().join('|')})`;
}

function percentEncoded(character: string): string {
	const bytes = [...Buffer.from(character, 'utf8')];
	return bytes.map((byte) => `%(?:25)*${anyCase(byte.toString(16).padStart(2, '0'))}`).join('');
}

function anyCase(hex: string): string {
	return hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function escaped(character: string): string {
	return character.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
}
