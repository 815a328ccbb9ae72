import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Mask } from '../http/credential';
import { ServiceError } from '../http/errors';
import { InputError } from '../http/inputError';

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
	const unknown = error instanceof Error ? error : String(error);
	return new NodeOperationError(node, unknown, { itemIndex });
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
