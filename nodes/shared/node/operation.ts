import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	INodeProperties,
	INodePropertyOptions,
	INodePropertyRouting,
} from 'n8n-workflow';

import type { Connection } from '../http/connection';
import type { ApiRequest } from '../http/sendRequest';
import type { Inputs } from './inputs';
import type { Schema } from './recordSchema';

/** As n8n colors a hint. */
export type HintType = 'info' | 'warning';

/** What an operation needs to run for one item. */
export interface OperationCall {
	/** What the user entered, checked. */
	inputs: Inputs;
	/** n8n's functions for this item. */
	context: IExecuteSingleFunctions;
	/** A parameter that is not part of a request, with its expressions resolved. */
	parameter<T>(name: string, fallback: T): T;
	/** Sends a request and returns the parsed body. Identical GETs of a run are sent once. */
	send(request: ApiRequest, options?: CallOptions): Promise<unknown>;
	/** State shared by the items of the run: one object per `make`, which creates it. */
	shared<T>(make: () => T): T;
	/** The connection, for operations that must know the credential's settings. */
	connection(): Promise<Connection>;
	/**
	 * Shows a message beside the output, once per run however many items give it. Does nothing where
	 * n8n has no place for it, as in an agent's tool.
	 */
	hint(message: string, type?: HintType): void;
}

export interface CallOptions {
	/**
	 * Sends the request although the run has the response to an identical GET, or an earlier try of
	 * "Retry On Fail" has carried out this write.
	 */
	fresh?: boolean;
	/** The request does not count against the daily quota, so an exhausted quota does not block it. */
	outsideQuota?: boolean;
}

/** Runs an operation for one item and returns its output records. */
export type RunOperation = (call: OperationCall) => Promise<IDataObject[]>;

/** An operation of a node. */
export interface Operation {
	/** The endpoints that it calls, as the API's documentation has them; none if it works offline. */
	endpoints: ReadonlyArray<{ method: IHttpRequestMethods; path: string }>;
	run: RunOperation;
	/** An output item, for the editor; absent where the API's documentation does not show it. */
	schema?: Schema;
}

/** n8n's routing of an operation's option, with the operation itself. */
export interface OperationRouting extends INodePropertyRouting {
	operation: Operation;
}

/** An operation as the node's panel offers it. */
export interface OfferedOperation {
	resource: string;
	option: INodePropertyOptions;
	operation: Operation;
}

/** All operations of a node, in the order of its panel. The only walk over them. */
export function operationsIn(properties: INodeProperties[]): OfferedOperation[] {
	const offered = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			(displayOptions?.show?.resource ?? []).flatMap((resource) =>
				(options as INodePropertyOptions[]).map((option) => ({
					resource: String(resource),
					option,
					operation: (option.routing as OperationRouting).operation,
				})),
			),
		);
	const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
	const order = (resources as INodePropertyOptions[]).map(({ value }) => String(value));
	return offered.sort((a, b) => order.indexOf(a.resource) - order.indexOf(b.resource));
}
