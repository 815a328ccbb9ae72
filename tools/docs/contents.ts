import { headingsOf } from './markdown';

/** The sections of a document as a list of links. */
export function contents(document: string): string {
	return headingsOf(document)
		.filter(({ level }) => level === 2)
		.map(({ text, anchor }) => `- [${text}](#${anchor})`)
		.join('\n');
}
