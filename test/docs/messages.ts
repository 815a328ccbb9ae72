import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

/** Replaces the parts of a message that vary. */
export const VARIABLE = '…';

/** A message as the sources have it. */
export interface Message {
	/** With `…` for what differs from case to case. */
	text: string;
	/** Path of the source, for the one who has to write about it. */
	file: string;
}

interface Found {
	messages: Message[];
	/** Messages that are not literals in the source, so this reader cannot know them. */
	unreadable: Array<{ expression: string; file: string }>;
}

/** Where messages are made: the name of the class or function, and which argument is the message. */
interface Maker {
	/** From 0; -1 is the last. */
	argument: number;
	/** What is put before the message. */
	before?: string;
}

const MAKERS = new Map<string, Maker>(
	Object.entries({
		BudgetUsedUp: { argument: 0 },
		Error: { argument: 0 },
		InputError: { argument: 0 },
		NodeApiError: { argument: 1 },
		NodeOperationError: { argument: 1 },
		ServiceError: { argument: 0 },
		ValidationFailure: { argument: 0, before: `The parameter "${VARIABLE}" ` },
		notFound: { argument: 0 },
		warn: { argument: -1 },
	}),
);

/** Functions whose result is known, so that a message with it can be shown in full. */
const KNOWN_RESULTS = new Map([['got', `but it is "${VARIABLE}"`]]);

/** The messages that a source makes. */
export function messagesIn(source: string, file: string): Found {
	const found: Found = { messages: [], unreadable: [] };
	const visit = (node: ts.Node): void => {
		const made = messageOf(node);
		if (made) {
			for (const text of readable(made.expression, (expression) =>
				found.unreadable.push({ expression, file }),
			)) {
				found.messages.push({ text: made.before + text, file });
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
	return found;
}

/** The same for all sources below a folder. */
export function messagesBelow(folder: string): Found {
	const files = (readdirSync(folder, { recursive: true }) as string[])
		.filter((file) => file.endsWith('.ts'))
		.sort();
	const all = files.map((file) => messagesIn(readFileSync(join(folder, file), 'utf8'), file));
	return {
		messages: all.flatMap(({ messages }) => messages),
		unreadable: all.flatMap(({ unreadable }) => unreadable),
	};
}

function messageOf(node: ts.Node): { expression: ts.Expression; before: string } | undefined {
	if (isReason(node)) return { expression: node.initializer, before: '' };
	if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
	const maker = MAKERS.get(nameOf(node.expression));
	const expression = maker && node.arguments?.slice().at(maker.argument);
	return expression && { expression, before: maker.before ?? '' };
}

/** Of what is called: a function, a class, or the method of an object. */
function nameOf(called: ts.Expression): string {
	return ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
}

/** `reason: '…'`, as the check of an IDNO explains itself. */
function isReason(node: ts.Node): node is ts.PropertyAssignment {
	return (
		ts.isPropertyAssignment(node) && node.name.getText() === 'reason' && isText(node.initializer)
	);
}

function isText(node: ts.Expression): boolean {
	return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** The texts that an expression can give. */
function readable(node: ts.Expression, unreadable: (expression: string) => void): string[] {
	if (ts.isStringLiteralLike(node)) return [node.text];
	if (ts.isTemplateExpression(node)) return [templateText(node)];
	if (ts.isConditionalExpression(node)) {
		return [node.whenTrue, node.whenFalse].flatMap((each) => readable(each, unreadable));
	}
	if (ts.isBinaryExpression(node)) {
		return [node.left, node.right].flatMap((each) => readable(each, unreadable));
	}
	unreadable(node.getText());
	return [];
}

function templateText({ head, templateSpans }: ts.TemplateExpression): string {
	return (
		head.text +
		templateSpans.map(({ expression, literal }) => resultOf(expression) + literal.text).join('')
	);
}

function resultOf(expression: ts.Expression): string {
	const called = ts.isCallExpression(expression) ? nameOf(expression.expression) : '';
	return KNOWN_RESULTS.get(called) ?? VARIABLE;
}
