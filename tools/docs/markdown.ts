/** A Markdown table with a heading row. */
export function table(headings: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
	return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n');
}

/** The anchors that GitHub gives a document's headings, without `#`. */
export function anchorsOf(document: string): string[] {
	const used = new Map<string, number>();
	return [...withoutCode(document).matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => {
		const words = text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '');
		const slug = words.replace(/ /g, '-');
		const times = used.get(slug) ?? 0;
		used.set(slug, times + 1);
		return times === 0 ? slug : `${slug}-${times}`;
	});
}

/** A document without its code blocks, which contain no headings and links. */
export function withoutCode(document: string): string {
	return document.replace(/^```[^]*?^```$/gm, '');
}

/**
 * Replaces the text between `<!-- begin NAME -->` and `<!-- end NAME -->` in a document.
 *
 * @throws if the document has no such block
 */
export function replaceBlock(document: string, name: string, content: string): string {
	const begin = `<!-- begin ${name} -->`;
	const end = `<!-- end ${name} -->`;
	const start = document.indexOf(begin);
	const stop = document.indexOf(end);
	if (start === -1 || stop < start) throw new Error(`There is no block "${name}"`);
	return `${document.slice(0, start + begin.length)}\n\n${content}\n\n${document.slice(stop)}`;
}
