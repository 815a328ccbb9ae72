import ts from 'typescript';

/** A text that people read in a source. */
export interface SourceText {
	/** The text, with "…" for inserted values. */
	text: string;
	/** Where its parts are in the source: from, to. */
	parts: Array<[from: number, to: number]>;
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
	const visit = (node: ts.Node): void => {
		const literal = literalIn(file, node);
		if (literal) texts.push({ ...literal, isComment: false });
		else ts.forEachChild(node, visit);
	};
	visit(file);
	for (const { pos, end } of commentRanges(file)) {
		texts.push({ text: source.slice(pos, end), parts: [[pos, end]], isComment: true });
	}
	return texts.filter(({ text }) => text.trim().split(/\s+/).length >= LEAST_WORDS);
}

type Literal = Pick<SourceText, 'text' | 'parts'>;

function literalIn(file: ts.SourceFile, node: ts.Node): Literal | undefined {
	if (ts.isStringLiteralLike(node)) {
		const text = node.text.replaceAll(/%[a-z]/g, '…');
		return { text, parts: [[node.getStart(file) + 1, node.end - 1]] };
	}
	if (ts.isTemplateExpression(node)) {
		const pieces = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
		const text = pieces.map((piece) => piece.text).join('…');
		// Each part runs from `}` or a backtick to `${` or a backtick.
		const parts = pieces.map((piece): [number, number] => [
			piece.getStart(file) + 1,
			ts.isTemplateTail(piece) ? piece.end - 1 : piece.end,
		]);
		return { text, parts };
	}
	if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) {
		return undefined;
	}
	const left = literalIn(file, node.left);
	const right = literalIn(file, node.right);
	if (!left || !right) return undefined;
	return { text: left.text + right.text, parts: [...left.parts, ...right.parts] };
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
