import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { shown, type Mask } from '../http/credential';
import { ServiceError } from '../http/errors';
import { InputError } from '../http/inputError';
import { shorten } from '../http/text';

const LONGEST_QUOTE = 40;

/**
 * Converts an error into one for n8n to show. It's built from plain text, so it contains neither
 * the request, with its key, nor the response.
 *
 * @param itemIndex index of the input item; undefined in a trigger
 * @param mask hides the API key in a text
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
	mask: Mask = (value) => value,
): NodeOperationError | NodeApiError {
	const thrown = converted(node, error, isTool(node) ? undefined : itemIndex, mask);
	if (!isTool(node)) return thrown;
	// n8n 2.41 tells an agent only an error's message, so the message also says what to do.
	const text = withRemedy(thrown);
	// n8n wraps a tool's error in one of its own, and may replace the message. It then adds the description,
	// which otherwise would tell other agents everything twice.
	const isReplaced = new NodeOperationError(node, text).message !== text;
	thrown.description = isReplaced ? `What happened: ${text}` : undefined;
	return withMessage(text, thrown);
}

function converted(node: INode, error: unknown, itemIndex: number | undefined, mask: Mask) {
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	if (error instanceof InputError || error instanceof ServiceError) {
		const given = error instanceof InputError ? error.given : undefined;
		const quote = given === undefined ? '' : `, but it is "${shorten(mask(given), LONGEST_QUOTE)}"`;
		const message = shown(error.message, mask) + quote;
		const advice = [error.description, !isTool(node) && error.inEditor].filter(Boolean).join(' ');
		const description = shown(advice, mask) || undefined;
		const text = message + item;
		const details = { message: text, description, itemIndex };
		if (error instanceof InputError) {
			const failure = { cause: 'configuration-invalid' } as const;
			return withMessage(text, new NodeOperationError(node, text, { ...details, failure }));
		}
		const { httpCode, failure } = error;
		return withMessage(
			text,
			new NodeApiError(node, { message: text }, { ...details, httpCode, failure }),
		);
	}
	const given = error instanceof Error ? error : new Error(String(error));
	const thrown = new NodeOperationError(node, given, { itemIndex });
	// n8n explains an error of the system, e.g. about a missing file, by its code.
	const message = 'code' in given ? thrown.message : given.message;
	return withMessage(shown(message, mask), thrown);
}

/** n8n's errors replace a message that contains the letters of a code: "NameExists" contains EEXIST. */
function withMessage<T extends Error>(message: string, error: T): T {
	error.message = message;
	return error;
}

/** Whether an agent runs the node as a tool. n8n appends `Tool` to the type of such a node. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/** What happened and what to do next in one string. */
export function withRemedy({ message, description }: Error & { description?: unknown }): string {
	if (typeof description !== 'string' || message.includes(description)) return message;
	return /[.!?…]$/.test(message) ? `${message} ${description}` : `${message}. ${description}`;
}
