import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '..', '..');

/** The texts in the sources of a folder, with `…` where a value is inserted. */
function textsIn(folder: string): string[] {
	return (readdirSync(join(ROOT, folder), { recursive: true }) as string[])
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => {
			const source = readFileSync(join(ROOT, folder, file), 'utf8');
			return textsUnder(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
		});
}

function textsUnder(node: ts.Node): string[] {
	const text = textOf(node);
	if (text !== undefined) return [text];
	const texts: string[] = [];
	ts.forEachChild(node, (child) => void texts.push(...textsUnder(child)));
	return texts;
}

/** The text of a string, a template, or strings that are joined with +. */
function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text.replaceAll(/%[a-z]|\{\w+\}/g, '…');
	if (ts.isTemplateExpression(node)) {
		return [node.head, ...node.templateSpans.map(({ literal }) => literal)]
			.map(({ text }) => text)
			.join('…');
	}
	if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) {
		return undefined;
	}
	const [left, right] = [textOf(node.left), textOf(node.right)];
	return left === undefined || right === undefined ? undefined : left + right;
}

/** The messages that the page explains, from the first column of its message tables. */
function messagesIn(page: string): string[] {
	const tables = page.match(/^\| Message \|.*\n(?:\|.*\n)*/gm) ?? [];
	return tables
		.flatMap((rows) => [...rows.matchAll(/^\| (.*?) \| .*\n/gm)].slice(1))
		.map(([, cell = '']) => cell);
}

/** A text that is mostly placeholders, such as `The parameter "…" …`, would fit many messages. */
const LEAST_SHARE = 0.5;

/** Whether the sources' `text`, in which `…` is any text, produces the page's `message`. */
function isFrom(message: string, text: string): boolean {
	const [own, all] = [text, message].map((each) => each.replaceAll('…', '').length);
	if (own! < LEAST_SHARE * all!) return false;
	const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	const start = message.startsWith('The parameter "…" ') ? '(The parameter "…" )?' : '';
	return new RegExp(`^${start}${parts.join('.+')}$`).test(message);
}

describe('docs/troubleshooting.md', () => {
	const texts = [...textsIn('nodes'), ...textsIn('credentials')].filter((text) =>
		/[a-z]{3}/.test(text),
	);
	const messages = messagesIn(readFileSync(join(ROOT, 'docs', 'troubleshooting.md'), 'utf8'));

	it.each(messages)('quotes the message "%s" exactly as the nodes show it', (message) => {
		expect(texts.filter((text) => isFrom(message, text))).not.toEqual([]);
	});

	it('explains no error message twice', () => {
		expect(messages).toHaveLength(new Set(messages).size);
	});
});
