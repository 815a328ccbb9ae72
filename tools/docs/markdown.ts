/** A row of a Markdown table. */
export function row(...cells: string[]): string {
	return `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
}

/** A Markdown table with a heading row. */
export function table(headings: string[], rows: string[][]): string {
	return [
		row(...headings),
		`|${'---|'.repeat(headings.length)}`,
		...rows.map((cells) => row(...cells)),
	].join('\n');
}

export interface Heading {
	/** 1 for the title. */
	level: number;
	text: string;
	/** What stands behind the `#` of a link to it. */
	anchor: string;
}

/** The headings of a document, with the anchors that GitHub gives them. */
export function headingsOf(document: string): Heading[] {
	const used = new Map<string, number>();
	return [...withoutCode(document).matchAll(/^(#{1,6}) (.+)$/gm)].map(
		([, marks = '', text = '']) => {
			const slug = slugOf(text);
			const times = used.get(slug) ?? 0;
			used.set(slug, times + 1);
			return { level: marks.length, text, anchor: times === 0 ? slug : `${slug}-${times}` };
		},
	);
}

/** The anchor of a heading that no other heading of the document equals. */
export function slugOf(heading: string): string {
	return heading
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
		.replace(/ /g, '-');
}

/** A document without its blocks of code, in which nothing is a heading or a link. */
export function withoutCode(document: string): string {
	return document.replace(/^```[^]*?^```$/gm, '');
}

/**
 * Replaces the text between `<!-- begin NAME -->` and `<!-- end NAME -->` in a document.
 *
 * @throws when the document has no such block
 */
export function replaceBlock(document: string, name: string, content: string): string {
	const begin = `<!-- begin ${name} -->`;
	const end = `<!-- end ${name} -->`;
	const start = document.indexOf(begin);
	const stop = document.indexOf(end);
	if (start === -1 || stop < start) throw new Error(`There is no block "${name}"`);
	return `${document.slice(0, start + begin.length)}\n\n${content}\n\n${document.slice(stop)}`;
}
