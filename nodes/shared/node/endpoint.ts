import type { IHttpRequestMethods } from 'n8n-workflow';

import type { Json } from '../http/envelope';
import { ServiceError } from '../http/errors';
import type { ApiRequest } from '../http/sendRequest';
import type { Operation, OperationCall, OperationRouting, RunOperation } from './operation';
import type { Schema } from './recordSchema';

/** How an endpoint's response becomes output. */
export interface Output {
	/** Sends the request, as often as needed, and returns the output records. */
	run(request: ApiRequest, call: OperationCall): Promise<Json[]>;
	/** An output item, for the editor; absent where the API's documentation does not show it. */
	schema?: Schema;
}

/**
 * The table row of an endpoint: method, path with `:placeholders`, output. The values come from the
 * fields that `inPath`, `inQuery` and `inBody` declare.
 */
export function endpoint(
	method: IHttpRequestMethods,
	path: string,
	output: Output,
): OperationRouting {
	return {
		request: { method, url: path },
		operation: {
			endpoints: [{ method, path }],
			run: async (call) => await runEndpoint(method, path, output, call),
			schema: output.schema,
		},
	};
}

/** Calls one endpoint for an item. */
export async function runEndpoint(
	method: IHttpRequestMethods,
	path: string,
	output: Output,
	call: OperationCall,
): ReturnType<RunOperation> {
	const { inputs } = call;
	const request = { method, path, values: inputs.path, query: inputs.query };
	try {
		return (await output.run(request, call)) as Awaited<ReturnType<RunOperation>>;
	} catch (error) {
		throw namingParameters(error, call);
	}
}

/** A rejection without a known cause is most often about the record that the path names. */
function namingParameters(error: unknown, { inputs }: OperationCall): unknown {
	const named = Object.entries(inputs.path).map(
		([name, value]) => `"${inputs.labels[name] ?? name}" (${value})`,
	);
	if (!(error instanceof ServiceError) || error.failure || named.length === 0) return error;
	const what = named.length > 1 ? 'values of the parameters' : 'value of the parameter';
	return new ServiceError(error.message, {
		description: `Double-check the ${what} ${named.join(' and ')} and try again.`,
		httpCode: error.httpCode,
	});
}

/**
 * An operation that combines endpoints, lets the user choose one, or calls none.
 *
 * @param schema an output item, for the editor
 * @param endpoints those that it combines, for the documentation
 */
export function composed(
	run: RunOperation,
	schema?: Schema,
	endpoints: Operation['endpoints'] = [],
): OperationRouting {
	return { operation: { endpoints, run, schema } };
}
