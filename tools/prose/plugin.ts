import type { TextlintMessage, TextlintPluginProcessor } from '@textlint/types';
import { sourceTexts, type SourceText } from './sourceTexts';

/** Code and placeholders in a text. */
const INSERTED = /`[^`\n]*`|\{\{.*?\}\}|\$\{|%[a-z]/g;
/** Comment markers and escapes. */
const MARKS = /^\/\*\*?|\*\/$|^\/\/|(?<=\n)[ \t]*\*(?!\/)|\\[nrt'"`\\]|@param \w+|@\w+/g;

/** Lets textlint read the texts of TypeScript sources and of example workflows. */
class SourceProcessor implements TextlintPluginProcessor {
	availableExtensions() {
		return ['.ts', '.json'];
	}

	processor(extension: string) {
		return {
			preProcess(source: string, filePath = '') {
				const texts = extension === '.ts' ? sourceTexts(filePath, source) : workflowTexts(source);
				return proseOf(source, texts);
			},
			postProcess: (messages: TextlintMessage[], filePath = '') => ({ messages, filePath }),
		};
	}
}

/** The names and sticky notes of a workflow. */
function workflowTexts(source: string): Array<Pick<SourceText, 'parts'>> {
	const texts = source.matchAll(/^\s*"(?:name|notes|content)": "((?:[^"\\]|\\.)*)"/gm);
	return [...texts].map(({ 0: all, 1: text = '', index }) => {
		const to = index + all.length - 1;
		return { parts: [[to - text.length, to]] };
	});
}

/** The source with spaces instead of code, which keeps positions, and a paragraph per text. */
function proseOf(source: string, texts: Array<Pick<SourceText, 'parts'>>) {
	const blank = (code: string) => code.replace(/[^\n]/g, ' ');
	const lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
	const position = (at: number) => {
		const line = lineStarts.findLastIndex((start) => start <= at);
		return { line: line + 1, column: at - lineStarts[line]! };
	};
	const node = <T extends string>(type: T, range: [number, number], raw: string) => ({
		...{ type, range, raw },
		loc: { start: position(range[0]), end: position(range[1]) },
	});

	let text = blank(source);
	const children = texts.map(({ parts }) => {
		for (const [from, to] of parts) {
			const prose = source
				.slice(from, to)
				.replace(MARKS, blank)
				.replace(INSERTED, (code) => `…${blank(code.slice(1))}`);
			text = text.slice(0, from) + prose + text.slice(to);
		}
		const range: [number, number] = [parts[0]![0], parts.at(-1)![1]];
		const raw = text.slice(...range);
		return {
			...node('Paragraph', range, raw),
			children: [{ ...node('Str', range, raw), value: raw }],
		};
	});
	return { text, ast: { ...node('Document', [0, text.length], text), children } };
}

export default { Processor: SourceProcessor };
