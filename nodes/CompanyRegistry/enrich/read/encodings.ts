/**
 * Repairs text that was read in the wrong encoding, such as `VÄƒlmora` for `Vălmora` or `ÎÎÎ` for `ООО`.
 * Text that makes sense as it is stays.
 */
export function repairEncoding(text: string): string {
	const decoded = [...MISREAD_UTF8].reduce(
		(repaired, [pattern, bytes]) =>
			repaired.replace(pattern, (run: string) => decodeUtf8(run, bytes) ?? run),
		text,
	);
	return withCyrillic(decoded)
		.replace(/(?<=\p{L}{2})[ºª]|[ºª](?=\p{L})/gu, 'ș')
		.replace(/[þÞãÃ]/g, (letter) => CENTRAL_EUROPEAN.get(letter) ?? letter);
}

/** Letters of Windows-1250, read as Windows-1252. Romanian and Russian have none of them. */
const CENTRAL_EUROPEAN = new Map([
	['þ', 'ț'],
	['Þ', 'Ț'],
	['ã', 'ă'],
	['Ã', 'Ă'],
]);

/** The characters of the bytes from 128 up. A space marks a byte without one. */
const WESTERN = `€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ${charactersFrom(0xa0, 96)}`;
const CYRILLIC = `ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–— ™љ›њќћџ\u00a0ЎўЈ¤Ґ¦§Ё©Є«¬\u00ad®Ї°±Ііґµ¶·ё№є»јЅѕї${charactersFrom(0x410, 64)}`;

function charactersFrom(code: number, length: number): string {
	return String.fromCharCode(...Array.from({ length }, (_, index) => code + index));
}

/** For each encoding, a pattern for misread UTF-8, and the bytes of its characters. */
const MISREAD_UTF8 = new Map(
	[WESTERN, CYRILLIC].map((characters) => {
		// For a byte without a character, some programs keep the control character with that code.
		const controls = [...charactersFrom(0x80, 32)].map((each, index) => [each, index] as const);
		const known = [...characters].map((each, index) => [each, index] as const);
		const bytes = new Map(
			[...controls, ...known.filter(([each]) => each !== ' ')].map(([each, at]) => [
				each,
				at + 128,
			]),
		);
		const pattern = [...bytes.keys()].join('');
		return [new RegExp(`[${pattern}]{2,}`, 'g'), bytes];
	}),
);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Characters that names have. Other results mean that the text wasn't misread. */
const USUAL = /^(?:[\u00c0-\u017f\u0218-\u021b„”“«»–—’‘№]|\p{Script=Cyrillic})+$/u;

function decodeUtf8(run: string, bytes: ReadonlyMap<string, number>): string | undefined {
	try {
		const text = utf8.decode(Uint8Array.from([...run], (character) => bytes.get(character)!));
		return USUAL.test(text) ? text : undefined;
	} catch {
		return undefined;
	}
}

/** A word that consists only of accented letters is Cyrillic read as Western European. */
function withCyrillic(text: string): string {
	if (!/(?<![\p{L}\p{N}])[À-ÿ]{3,}(?![\p{L}\p{N}])/u.test(text)) return text;
	return text.replace(/(?<![\p{L}\p{N}])[À-ÿ¨¸]+(?![\p{L}\p{N}])/gu, (word) =>
		[...word].map((letter) => CYRILLIC_LETTERS.get(letter) ?? letter).join(''),
	);
}

const CYRILLIC_LETTERS = new Map([
	...[...charactersFrom(0xc0, 64)].map((letter, index) => [letter, CYRILLIC[64 + index]!] as const),
	['¨', 'Ё'] as const,
	['¸', 'ё'] as const,
]);
