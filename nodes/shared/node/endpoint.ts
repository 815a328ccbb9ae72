import type { IDataObject, IHttpRequestMethods, INodePropertyRouting } from 'n8n-workflow';

import { gate } from './runOperation';
import type { OperationCall, Operation } from './runOperation';
import { ServiceError } from '../http/errors';
import type { Json } from '../http/envelope';
import type { Schema } from './recordSchema';
import type { Service } from '../http/connection';
import type { ApiRequest } from '../http/sendRequest';

/** What comes out of an endpoint. */
export interface Output {
	/** Sends the request, as often as it takes, and reads the answer. */
	(request: ApiRequest, call: OperationCall): Promise<Json[]>;
	/** What an item that comes out looks like, for the editor; absent where nobody knows. */
	output?: Schema;
}

/** A `Output` with the schema of what comes out. */
export function withSchema(output: Schema | undefined, returns: Output): Output {
	// A new function: the same one may come out of several endpoints.
	return Object.assign(
		async (request: ApiRequest, call: OperationCall) => await returns(request, call),
		{
			output,
		},
	);
}

/**
 * The table row of an endpoint: method, path with `:placeholders`, what comes out.
 *
 * @returns routing for the operation's option, with the gate in place of n8n's own request
 */
export type Endpoint = (
	method: IHttpRequestMethods,
	path: string,
	returns: Output,
) => INodePropertyRouting;

export function endpointsOf(service: Service): Endpoint {
	return (method, path, returns) => ({
		request: { method, url: path },
		send: { paginate: true },
		operations: {
			pagination: Object.assign(gate(service, operationOf(method, path, returns)), {
				output: returns.output,
			}),
		},
	});
}

function operationOf(method: IHttpRequestMethods, path: string, returns: Output): Operation {
	return async (call) => {
		const { inputs } = call;
		const request = { method, path, values: inputs.path, query: inputs.query };
		try {
			return (await returns(request, call)) as IDataObject[];
		} catch (error) {
			throw namingParameters(error, call);
		}
	};
}

/** A refusal without a known cause is most often about the record that the path names. */
function namingParameters(error: unknown, { inputs }: OperationCall): unknown {
	const named = Object.entries(inputs.path).map(
		([name, value]) => `"${inputs.labels[name] ?? name}" (${value})`,
	);
	if (!(error instanceof ServiceError) || error.failure || named.length === 0) return error;
	return new ServiceError(error.message, {
		description: `Double-check the value of the parameter ${named.join(' and ')} and try again.`,
		httpCode: error.httpCode,
	});
}
