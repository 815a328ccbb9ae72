import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { CancelledError, InputError, ServiceError } from '../http/errors';

/**
 * The error that n8n shows. It is built from plain text, so it holds neither the request with its
 * key nor the response.
 *
 * @param itemIndex the input item concerned; absent in a trigger
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeOperationError | NodeApiError {
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	if (error instanceof InputError) {
		return new NodeOperationError(node, error.message + item, {
			description: error.description,
			itemIndex,
			failure: { cause: 'configuration-invalid' },
		});
	}
	if (error instanceof ServiceError) {
		const { message, description, httpCode, failure } = error;
		return new NodeApiError(node, { message } as JsonObject, {
			message: message + item,
			description,
			httpCode: httpCode ?? 'none',
			itemIndex,
			failure,
		});
	}
	if (error instanceof CancelledError) {
		// With one l: n8n tells a cancelled execution from a failed one by this word.
		return new NodeOperationError(node, 'The execution was canceled', { itemIndex });
	}
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
}
