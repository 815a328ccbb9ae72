import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { shown, type Mask } from '../http/credential';
import { ServiceError } from '../http/errors';
import { InputError } from '../http/inputError';
import { shorten } from '../http/text';

/** The longest part of an input that's quoted. */
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
	thrown.message = withRemedy(thrown);
	// Other agents would be told it a second time.
	thrown.description = undefined;
	return thrown;
}

function converted(node: INode, error: unknown, itemIndex: number | undefined, mask: Mask) {
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	if (error instanceof InputError || error instanceof ServiceError) {
		const given = error instanceof InputError ? error.given : undefined;
		const quote = given === undefined ? '' : `, but it is "${shorten(mask(given), LONGEST_QUOTE)}"`;
		const message = shown(error.message, mask) + quote;
		// An agent can't do what has to be done in the editor.
		const advice = [error.description, !isTool(node) && error.inEditor].filter(Boolean).join(' ');
		const description = shown(advice, mask) || undefined;
		const details = { message: message + item, description, itemIndex };
		if (error instanceof InputError) {
			const failure = { cause: 'configuration-invalid' } as const;
			return new NodeOperationError(node, details.message, { ...details, failure });
		}
		const { httpCode = 'none', failure } = error;
		return new NodeApiError(node, { message }, { ...details, httpCode, failure });
	}
	const thrown = new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
	thrown.message = shown(thrown.message, mask);
	return thrown;
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
