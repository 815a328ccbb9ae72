import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { CancelledError, InputError, ServiceError } from '../http/errors';

/**
 * The error that n8n shows. It is built from plain text, so it holds neither the request with its
 * key nor the response.
 *
 * @param itemIndex the input item concerned; absent in a trigger
 * @param mask hides the key in a text
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
	mask: <T>(text: T) => T = (text) => text,
): NodeOperationError | NodeApiError {
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	if (error instanceof InputError) {
		return new NodeOperationError(node, mask(error.message) + item, {
			description: mask(error.description),
			itemIndex,
			failure: { cause: 'configuration-invalid' },
		});
	}
	if (error instanceof ServiceError) {
		const { message, description, httpCode, failure } = error;
		return new NodeApiError(node, { message: mask(message) } as JsonObject, {
			message: mask(message) + item,
			description: mask(description),
			httpCode: httpCode ?? 'none',
			itemIndex,
			failure,
		});
	}
	if (error instanceof CancelledError) {
		// With one l: n8n recognizes a cancelled execution by this word.
		return new NodeOperationError(node, 'The execution was canceled', { itemIndex });
	}
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
}

/** What happened and what to do about it, in one text, for the item of a node that continues. */
export function errorText(...thrown: Parameters<typeof toNodeError>): string {
	return withRemedy(toNodeError(...thrown));
}

/** An error's message and description in one text. */
export function withRemedy({ message, description }: Error & { description?: unknown }): string {
	if (typeof description !== 'string' || message.includes(description)) return message;
	return /[.!?…]$/.test(message) ? `${message} ${description}` : `${message}. ${description}`;
}
