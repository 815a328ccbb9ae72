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
