import ts from 'typescript';

/** A text that people read, and where it starts in its file. */
interface SourceText {
	text: string;
	/** From 1. */
	line: number;
	isComment: boolean;
}

/** Shorter literals are names and keys. */
const LEAST_WORDS = 3;

/**
 * The prose in a TypeScript source: string literals and templates of several words (descriptions,
 * hints, errors, test names), with strings that are joined by + as one, and comments.
 */
export function sourceTexts(fileName: string, source: string): SourceText[] {
	const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
	const texts: SourceText[] = [];
	const add = (text: string, position: number, isComment: boolean) => {
		if (text.trim().split(/\s+/).length < LEAST_WORDS) return;
		const line = file.getLineAndCharacterOfPosition(position).line + 1;
		texts.push({ text, line, isComment });
	};
	const visit = (node: ts.Node): void => {
		const text = literalText(node);
		if (text === undefined) ts.forEachChild(node, visit);
		else add(text, node.getStart(file), false);
	};
	visit(file);
	for (const { pos, end } of commentRanges(file)) {
		add(source.slice(pos, end).replaceAll(COMMENT_MARKS, ''), pos, true);
	}
	return texts;
}

const COMMENT_MARKS = /^\/\*\*?|\*\/$|^\/\/|^[ \t]*\* ?/gm;

/** The text of a literal, with "…" for what is inserted; undefined for anything else. */
function literalText(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text.replaceAll(/%[a-z]/g, '…');
	if (ts.isTemplateExpression(node)) {
		return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
	}
	if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) {
		return undefined;
	}
	const left = literalText(node.left);
	const right = literalText(node.right);
	return left === undefined || right === undefined ? undefined : left + right;
}

/** All comments of a file, each once. */
function commentRanges(file: ts.SourceFile): ts.CommentRange[] {
	const ranges = new Map<number, ts.CommentRange>();
	const collect = (node: ts.Node): void => {
		for (const range of [
			...(ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? []),
			...(ts.getTrailingCommentRanges(file.text, node.getEnd()) ?? []),
		]) {
			ranges.set(range.pos, range);
		}
		for (const child of node.getChildren(file)) collect(child);
	};
	collect(file);
	return [...ranges.values()].sort((a, b) => a.pos - b.pos);
}

interface WorkflowJson {
	name: string;
	nodes: Array<{ name: string; notes?: string; parameters: { content?: unknown } }>;
}

/** The texts of a workflow: its name, its nodes' names, and its sticky notes. */
export function workflowTexts(content: string): Array<Pick<SourceText, 'text' | 'line'>> {
	const { name, nodes } = JSON.parse(content) as WorkflowJson;
	const lines = content.split('\n');
	const lineOf = (text: string) =>
		lines.findIndex((line) => line.includes(JSON.stringify(text))) + 1;
	const texts = [
		name,
		...nodes.flatMap((node) => [node.name, node.notes, node.parameters.content]),
	];
	return texts
		.filter((text): text is string => typeof text === 'string' && text !== '')
		.map((text) => ({ text, line: lineOf(text) }));
}
